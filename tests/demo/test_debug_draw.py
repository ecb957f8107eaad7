"""Debug drawing in a game's own window: through its projection and view, with what is asked for, and nothing else."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import esper
import numpy as np
import pytest
from numpy import uint8
from numpy.typing import NDArray
from picture import off_screen

import ecsphys
from ecsphys import AABBCollider, CircleCollider, DistanceJoint, RigidBody, Transform

if TYPE_CHECKING:
    from pyglet.window import Window

SIZE = (160, 120)
NOTHING = {"shapes": False, "contacts": False, "normals": False, "joints": False}


@pytest.fixture(scope="module")
def shared_window() -> Iterator[Window]:
    with off_screen(*SIZE) as opened:
        yield opened


@pytest.fixture
def window(shared_window: Window) -> Window:
    """A window in which a world's unit is a pixel."""
    from pyglet import gl
    from pyglet.math import Mat4

    shared_window.switch_to()
    gl.glViewport(0, 0, *SIZE)
    gl.glClearColor(0.0, 0.0, 0.0, 1.0)
    gl.glDisable(gl.GL_SCISSOR_TEST)
    shared_window.projection = Mat4.orthogonal_projection(0, SIZE[0], 0, SIZE[1], -255, 255)
    shared_window.view = Mat4()
    return shared_window


def draw(window: Window, physics: ecsphys.Physics, **options: Any) -> NDArray[uint8]:
    """Brightness (height, width), row 0 at the bottom."""
    import pyglet

    from ecsphys.debug_draw import DebugDraw

    window.clear()
    DebugDraw(physics, **options).draw()
    screen: Any = pyglet.image.get_buffer_manager().get_color_buffer()
    data = screen.get_image_data().get_data("RGBA", SIZE[0] * 4)
    pixels = np.frombuffer(data, uint8).reshape(SIZE[1], SIZE[0], 4)
    brightness: NDArray[uint8] = pixels[:, :, :3].max(axis=2)
    return brightness


def world(*things: tuple[Transform, Any]) -> ecsphys.Physics:
    physics = ecsphys.install()
    for transform, collider in things:
        esper.create_entity(transform, collider)
    esper.process(0.0)
    return physics


def center_of(picture: NDArray[uint8]) -> tuple[float, float]:
    rows, columns = np.nonzero(picture > 10)
    return 0.5 * float(columns.min() + columns.max() + 1), 0.5 * float(rows.min() + rows.max() + 1)


def test_a_shape_is_where_the_projection_puts_it(window: Window) -> None:
    picture = draw(window, world((Transform(100, 40), CircleCollider(15))))
    assert center_of(picture) == pytest.approx((100, 40), abs=0.6)
    assert (picture > 10).sum() == pytest.approx(np.pi * 15.5**2, rel=0.1)


def test_the_view_moves_scales_and_turns_it(window: Window) -> None:
    from pyglet.math import Mat4, Vec3

    physics = world((Transform(20, 10), AABBCollider(8, 2)))
    to_middle = Mat4.from_translation(Vec3(80.0, 60.0, 0.0))
    quarter = Mat4.from_rotation(np.pi / 2, Vec3(0.0, 0.0, 1.0))
    window.view = to_middle @ quarter @ Mat4.from_scale(Vec3(2.0, 2.0, 1.0))
    picture = draw(window, physics)
    # A quarter turn takes (20, 10) to (−10, 20), the scale to (−20, 40), and the wide box stands upright.
    assert center_of(picture) == pytest.approx((60, 100), abs=0.6)
    rows, columns = np.nonzero(picture > 10)
    assert rows.max() - rows.min() == pytest.approx(32, abs=2)
    assert columns.max() - columns.min() == pytest.approx(8, abs=2)


def test_far_from_the_origin_the_picture_is_the_same(window: Window) -> None:
    from pyglet.math import Mat4, Vec3

    far = 2.0**40
    near = draw(window, world((Transform(80.25, 60.5), CircleCollider(20))))
    esper.clear_database()
    esper.create_entity(Transform(far + 80.25, 60.5), CircleCollider(20))
    esper.process(0.0)
    window.view = Mat4.from_translation(Vec3(-far, 0.0, 0.0))
    physics = esper.get_processor(ecsphys.systems.BroadphaseSystem)
    assert isinstance(physics, ecsphys.systems.BroadphaseSystem)
    assert np.abs(draw(window, physics.physics).astype(int) - near).max() <= 2


def test_each_option_shows_its_part(window: Window) -> None:
    physics = world((Transform(70, 60), CircleCollider(20)), (Transform(100, 60), CircleCollider(20)))
    assert draw(window, physics, **NOTHING).max() == 0
    pictures = {
        name: draw(window, physics, **{**NOTHING, name: True})
        for name in ("shapes", "boxes", "cells", "contacts", "normals")
    }
    counts = {name: int((picture > 10).sum()) for name, picture in pictures.items()}
    assert counts["shapes"] > counts["cells"] > 0
    # The corner of the left circle's box is outside of both circles.
    assert pictures["boxes"][40:43, 49:53].max() > 60
    assert pictures["shapes"][40:43, 49:53].max() == 0
    # One contact point in the lens's middle, and the normal from it to the right.
    assert center_of(pictures["contacts"]) == pytest.approx((85, 60), abs=0.6)
    assert center_of(pictures["normals"])[0] > 88


def test_a_joint_is_a_line_over_its_anchors(window: Window) -> None:
    physics = ecsphys.install()
    bob = esper.create_entity(Transform(40, 30), CircleCollider(5), RigidBody())
    esper.create_entity(DistanceJoint.at(None, bob, 40, 90, 40, 30))
    picture = draw(window, physics, **{**NOTHING, "joints": True})
    rows, columns = np.nonzero(picture > 60)
    assert (rows.min(), rows.max()) == pytest.approx((29, 90), abs=2)
    assert (columns.min(), columns.max()) == pytest.approx((39, 40), abs=1)
    assert draw(window, physics, **NOTHING).max() == 0


def test_the_cells_drawn_are_those_with_a_box_in_them(window: Window) -> None:
    from ecsphys.debug_draw.drawer import occupied_cells

    physics = ecsphys.install(cell_size=10.0)
    for x in (1.0, 2.0, -0.5, 25.0):
        esper.create_entity(Transform(x, 5.0), CircleCollider(0.25))
    esper.process(0.0)
    cells = occupied_cells(physics)
    size = cells[0, 2] - cells[0, 0]
    assert 10.0 <= size < 10.1
    np.testing.assert_allclose(cells[:, 0] / size, (-1.0, 0.0, 2.0), atol=1e-9)
    np.testing.assert_allclose(cells[:, 1], 0.0, atol=1e-9)


def test_a_world_without_a_grid_has_no_cells(window: Window) -> None:
    physics = ecsphys.Physics()
    esper.create_entity(Transform(50, 50), CircleCollider(10))
    assert draw(window, physics, **NOTHING, cells=True).max() == 0
    assert draw(window, physics).max() > 60


def test_an_empty_world_draws_nothing(window: Window) -> None:
    assert draw(window, ecsphys.install(), boxes=True, cells=True).max() == 0


def test_opengl_is_left_as_it_was(window: Window) -> None:
    from pyglet import gl

    physics = world((Transform(70, 60), CircleCollider(20)))
    gl.glEnable(gl.GL_DEPTH_TEST)
    gl.glDisable(gl.GL_BLEND)
    draw(window, physics)
    assert gl.glIsEnabled(gl.GL_DEPTH_TEST)
    assert not gl.glIsEnabled(gl.GL_BLEND)
    gl.glDisable(gl.GL_DEPTH_TEST)


def test_a_perspective_projection_is_refused(window: Window) -> None:
    from pyglet.math import Mat4

    window.projection = Mat4.perspective_projection(SIZE[0] / SIZE[1], 0.1, 100.0)
    window.view = Mat4.from_rotation(0.5, (0.0, 1.0, 0.0))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="orthographic"):
        draw(window, world((Transform(0, 0), CircleCollider(1))))


def test_a_painter_that_is_gone_leaves_no_texture_behind(window: Window) -> None:
    from pyglet import gl

    from ecsphys.debug_draw import Painter

    def textures() -> int:
        return sum(bool(gl.glIsTexture(name)) for name in range(1, 200))

    before = textures()
    painters = [Painter() for _ in range(3)]
    assert textures() == before + 3
    del painters
    gc.collect()
    assert textures() == before
