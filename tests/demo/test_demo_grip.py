"""The mouse in scenes with rigid bodies: it picks up, pulls, and throws."""

from __future__ import annotations

import math

import esper
import pytest

import ecsphys
from ecsphys import CircleCollider, OBBCollider, RigidBody, Solid, Transform, Velocity
from ecsphys.demo.scenes import open_scene
from ecsphys.demo.scenes.scene import LiveScene


@pytest.fixture
def pyramid() -> LiveScene:
    return open_scene("pyramid")


def top_box() -> int:
    boxes = [(place.y, entity) for entity, (place, _, _) in esper.get_components(Transform, RigidBody, OBBCollider)]
    return max(boxes)[1]


def test_a_body_that_is_picked_up_comes_to_the_mouse_and_hangs_there(pyramid: LiveScene) -> None:
    box = top_box()
    place = esper.component_for_entity(box, Transform)
    assert pyramid.grip.press(place.x, place.y)
    assert pyramid.grip.held == box
    pyramid.grip.move(place.x - 6.0, place.y + 1.0)
    target = (place.x - 6.0, place.y + 1.0)
    for _ in range(90):
        pyramid.step()
    assert math.dist((place.x, place.y), target) < 0.1
    line = pyramid.grip.line()
    assert line is not None
    assert line[1] == pytest.approx(target)
    pyramid.grip.release()
    assert pyramid.grip.line() is None
    for _ in range(60):
        pyramid.step()
    assert place.y < target[1] - 2.0


def test_what_is_let_go_in_motion_flies_on(pyramid: LiveScene) -> None:
    box = top_box()
    place = esper.component_for_entity(box, Transform)
    x, y = place.x, place.y
    pyramid.grip.press(x, y)
    for step in range(20):
        pyramid.grip.move(x - 0.3 * step, y + 0.1 * step)
        pyramid.step()
    pyramid.grip.release()
    assert esper.component_for_entity(box, Velocity).x < -8.0


def test_one_held_at_a_corner_hangs_from_it() -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    from ecsphys.demo.scenes.tools.grip import Grip

    box = esper.create_entity(Transform(), OBBCollider(1.0, 0.2), RigidBody())
    grip = Grip(physics)
    esper.process(0.0)
    assert grip.press(0.9, 0.0)
    for _ in range(600):
        esper.process(1.0 / 60.0)
    place = esper.component_for_entity(box, Transform)
    assert math.dist((place.x, place.y), (0.9, 0.0)) == pytest.approx(0.9, abs=0.05)
    assert place.y < -0.5


def test_nothing_is_picked_up_where_there_is_no_dynamic_body() -> None:
    physics = ecsphys.install()
    from ecsphys.demo.scenes.tools.grip import Grip

    esper.create_entity(Transform(), CircleCollider(1.0), Solid())
    esper.create_entity(Transform(5.0), CircleCollider(1.0))
    grip = Grip(physics)
    esper.process(0.0)
    for x in (0.0, 5.0, 20.0):
        assert not grip.press(x, 0.0)
        assert grip.held is None


def test_what_is_deleted_while_it_is_held_is_let_go(pyramid: LiveScene) -> None:
    box = top_box()
    place = esper.component_for_entity(box, Transform)
    pyramid.grip.press(place.x, place.y)
    pyramid.step()
    esper.delete_entity(box, immediate=True)
    pyramid.step()
    assert pyramid.grip.held is None
