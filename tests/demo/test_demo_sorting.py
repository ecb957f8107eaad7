"""The sorting machine: every shape ends in its own bin, and a shape that missed its door comes back."""

from __future__ import annotations

import esper
import numpy as np
import pytest
from demo_user import demo_user

from ecsphys import CollisionFilter, RigidBody, Transform, Velocity
from ecsphys.demo.scenes import open_scene
from ecsphys.demo.scenes.rigid.sorting import BELT, KINDS, MOST, WIDTH, layer_of
from ecsphys.demo.scenes.rigid.sorting_hatches import FLOOR
from ecsphys.demo.scenes.rigid.sorting_tube import SHAFT
from ecsphys.demo.scenes.rigid.stage import LEFT
from ecsphys.demo.scenes.rigid.toys import toy
from ecsphys.demo.scenes.scene import STEP, LiveScene


def shapes() -> dict[int, tuple[float, float, int]]:
    """Where each body is, and the layer of its kind."""
    rows = esper.get_components(Transform, CollisionFilter, RigidBody)
    return {
        entity: (place.x, place.y, collision.layers)
        for entity, (place, collision, body) in rows
        if body.kind == "dynamic"
    }


def strangers(live: LiveScene, seconds: int) -> list[tuple[float, float]]:
    """Where, after some seconds, bodies are that hardly moved meanwhile and are not in their own bin."""
    before = shapes()
    still = set(before)
    for _ in range(seconds):
        for _ in range(60):
            live.step()
        after = shapes()
        still = {
            entity for entity in still & set(after) if np.hypot(*np.subtract(after[entity], before[entity])[:2]) < 0.3
        }
    return [after[entity][:2] for entity in still if not is_at_home(*after[entity])]


def is_at_home(x: float, y: float, layer: int) -> bool:
    """Whether a body is in the bin of its own kind."""
    number = int((x - LEFT) / WIDTH)
    return number < len(KINDS) and layer_of(KINDS[number]) == layer and y < BELT - 1.0


@pytest.mark.parametrize("belt", [3.0, 6.0])
def test_no_shape_rests_outside_its_own_bin(belt: float) -> None:
    live = open_scene("sorting", seed=1)
    live.layout.parameters[0].put(belt)
    for _ in range(3):
        assert strangers(live, 5) == []


def test_after_two_minutes_in_the_window_no_shape_rests_outside_its_own_bin() -> None:
    with demo_user() as user:
        user.open("sorting")
        for _ in range(round((2 * 60 - 10) / STEP)):
            user.player.events.step(STEP)
        assert strangers(user.live, 10) == []


def test_a_heap_at_the_end_of_the_belt_is_carried_back_to_the_start() -> None:
    live = open_scene("sorting")
    heap = [
        esper.create_entity(
            Transform(SHAFT + 0.4 + 0.7 * (number % 3), BELT + 0.6 + 0.9 * (number // 3)),
            Velocity(),
            toy(0, 0.46),
            CollisionFilter(layers=layer_of(0)),
            RigidBody(),
        )
        for number in range(9)
    ]
    for _ in range(60 * 6):
        live.step()
    assert all(esper.component_for_entity(entity, Transform).x < SHAFT - 5.0 for entity in heap)
    assert live.layout.readings[1].get() in ("9", "10")


def test_a_click_opens_the_floor_of_a_bin_and_it_closes_again() -> None:
    live = open_scene("sorting")
    pointer = live.layout.pointer
    assert pointer is not None
    first = LEFT + 0.5 * WIDTH
    for _ in range(60 * 8):
        live.step()
    inside = [entity for entity, place in shapes().items() if is_at_home(*place) and place[0] < LEFT + WIDTH]
    assert len(inside) > 1
    assert not pointer.press(first, FLOOR + 3.0)
    assert pointer.press(first, FLOOR)
    for _ in range(60 * 3):
        live.step()
    assert not any(esper.entity_exists(entity) for entity in inside)
    leaves = [
        place.angle for _, (place, body) in esper.get_components(Transform, RigidBody) if body.kind == "kinematic"
    ]
    assert len(leaves) == 2 * len(KINDS)
    assert max(map(abs, leaves)) < 0.01


def test_there_are_never_more_bodies_than_there_may_be() -> None:
    live = open_scene("sorting")
    live.layout.parameters[0].put(0.0)
    live.layout.parameters[1].put(1e9)
    for _ in range(60 * 8):
        live.step()
    assert 10 < len(shapes()) <= MOST
