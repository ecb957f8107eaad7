"""Debug layers: each draws its own part of the physics and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import esper
import numpy as np
import pytest
from noted_sketch import NotedSketch
from picture import off_screen

import ecsphys
from ecsphys import CircleCollider, OBBCollider, RevoluteJoint, RigidBody, Solid, Transform, Velocity
from ecsphys.demo.debug_layers import LAYERS, DebugLayers

STEP = 1.0 / 60.0


@pytest.fixture(scope="module", autouse=True)
def window() -> Iterator[None]:
    """The painter's module is one of pyglet: it wants a window."""
    with off_screen(64, 64):
        yield


@pytest.fixture
def world() -> ecsphys.Physics:
    """A floor, a stack of three boxes that sleeps, and far away a ball that hangs from a hinge, awake."""
    physics = ecsphys.install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(0.0, -1.0), OBBCollider(10.0, 1.0), Solid())
    for row in range(3):
        esper.create_entity(Transform(0.0, 0.5 + row), Velocity(), OBBCollider(0.5, 0.5), RigidBody())
    ball = esper.create_entity(Transform(15.0, 5.0), Velocity(), CircleCollider(0.5), RigidBody(can_sleep=False))
    esper.create_entity(RevoluteJoint.at(None, ball, 15.0, 8.0, break_force=15.0))
    for _ in range(240):
        esper.process(STEP)
    return physics


def painted(physics: ecsphys.Physics, *names: str) -> NotedSketch:
    from ecsphys.demo.layer_painter import LayerPainter

    sketch: Any = NotedSketch()
    LayerPainter().paint(sketch, physics, DebugLayers(**dict.fromkeys(names, True)))
    noted: NotedSketch = sketch
    return noted


def counts(sketch: NotedSketch) -> dict[str, int]:
    return {name: sketch.count(name) for name in dict.fromkeys(call for call, _ in sketch.calls)}


def test_every_layer_is_in_the_list_once_with_a_key_of_its_own() -> None:
    assert [name for name, _, _ in LAYERS] == [field.name for field in fields(DebugLayers)]
    assert len({key for _, key, _ in LAYERS}) == len(LAYERS)


def test_no_layer_draws_nothing(world: ecsphys.Physics) -> None:
    assert not painted(world).calls


def test_shapes_are_outlines_of_all_colliders(world: ecsphys.Physics) -> None:
    sketch = painted(world, "shapes")
    assert counts(sketch) == {"shapes": 5}
    assert not sketch.all("shapes", "fill").any()


def test_contacts_are_a_dot_at_each_point(world: ecsphys.Physics) -> None:
    sketch = painted(world, "contacts")
    assert counts(sketch) == {"discs": 6}
    places = sketch.all("discs", "centers")
    assert sorted(places[:, 1].round(1).tolist()) == [0.0, 0.0, 1.0, 1.0, 2.0, 2.0]
    assert sorted(places[:, 0].round(1).tolist()) == [-0.5] * 3 + [0.5] * 3


def test_normals_are_as_long_as_the_impulse(world: ecsphys.Physics) -> None:
    sketch = painted(world, "normals")
    assert counts(sketch) == {"strokes": 3}
    starts, ends = sketch.all("strokes", "starts"), sketch.all("strokes", "ends")
    lengths = np.hypot(*(ends - starts).T)[np.argsort(starts[:, 1])]
    assert lengths / lengths[2] == pytest.approx([3.0, 2.0, 1.0], rel=0.05)


def test_a_huge_impulse_makes_no_huge_line() -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(0.0, -1.0), OBBCollider(30.0, 1.0), Solid())
    for x in range(8):
        esper.create_entity(Transform(2.0 * x - 8.0, 0.5), Velocity(), OBBCollider(0.5, 0.5), RigidBody())
    esper.create_entity(Transform(12.0, 0.6), Velocity(0.0, -50.0), OBBCollider(0.5, 0.5), RigidBody(density=500.0))
    for _ in range(3):
        esper.process(STEP)
    sketch = painted(physics, "normals")
    lengths = np.hypot(*(sketch.all("strokes", "ends") - sketch.all("strokes", "starts")).T)
    assert physics.hits.impulse.max() > 100.0 * np.median(physics.hits.impulse)
    assert lengths.max() <= 1.3


def test_boxes_are_those_of_all_colliders(world: ecsphys.Physics) -> None:
    sketch = painted(world, "boxes")
    assert counts(sketch) == {"boxes": 5}
    assert (sketch.all("boxes", "boxes") == world.debug.colliders.boxes).all()


def test_the_grid_is_the_cells_in_which_colliders_are_filed(world: ecsphys.Physics) -> None:
    sketch = painted(world, "grid")
    assert set(counts(sketch)) == {"boxes"}
    cells = sketch.all("boxes", "boxes")
    assert (sketch.all("boxes", "fill") > 0.0).all()
    sides = cells[:, 2:] - cells[:, :2]
    assert sides[:, 0] == pytest.approx(sides[:, 1])
    corner = world.debug.colliders.boxes[-1, :2]
    assert ((cells[:, :2] <= corner) & (corner < cells[:, 2:])).all(axis=1).any()


def test_joints_go_over_their_anchors_in_the_colour_of_their_load(world: ecsphys.Physics) -> None:
    sketch = painted(world, "joints")
    assert counts(sketch) == {"strokes": 3, "discs": 1}
    assert sketch.all("discs", "centers") == pytest.approx(np.array([[15.0, 8.0]]), abs=0.01)
    red, green, _ = sketch.all("discs", "color")[0]
    # The ball weighs 7.9 of the 15 that the hinge bears.
    assert red > 0.75
    assert green > 0.7


def test_sleep_is_a_fill_over_what_sleeps_with_one_colour_for_each_island(world: ecsphys.Physics) -> None:
    sketch = painted(world, "sleep")
    assert counts(sketch) == {"shapes": 3}
    assert len(np.unique(sketch.all("shapes", "color"), axis=0)) == 1
    esper.create_entity(Transform(5.0, 0.5), Velocity(), OBBCollider(0.5, 0.5), RigidBody())
    for _ in range(120):
        esper.process(STEP)
    sketch = painted(world, "sleep")
    assert counts(sketch) == {"shapes": 4}
    assert len(np.unique(sketch.all("shapes", "color"), axis=0)) == 2


def test_two_layers_draw_the_parts_of_both(world: ecsphys.Physics) -> None:
    assert counts(painted(world, "contacts", "boxes")) == {"boxes": 5, "discs": 6}
