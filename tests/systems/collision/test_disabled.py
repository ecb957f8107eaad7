"""``Disabled``: out of all detection, with the books of hits in order."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import CircleCollider, CollisionFilter, Disabled, Physics, Solid, Transform, Velocity


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install()


@pytest.fixture
def pair(physics: Physics) -> tuple[int, int]:
    """Two circles of radius 1, their centres 1 apart, which hit each other."""
    a = esper.create_entity(Transform(0, 0), CircleCollider(1))
    b = esper.create_entity(Transform(1, 0), CircleCollider(1))
    esper.process(0.1)
    assert physics.hits.has(a, b)
    return a, b


def ends(physics: Physics) -> list[tuple[int, int, str]]:
    ended = physics.hits.ended
    return list(zip(ended.entity_a.tolist(), ended.entity_b.tolist(), ended.reason.tolist(), strict=True))


@pytest.mark.parametrize("side", [0, 1])
def test_hits_of_a_disabled_entity_end_as_disabled_and_start_anew_when_it_is_back(
    physics: Physics, pair: tuple[int, int], side: int
) -> None:
    esper.add_component(pair[side], Disabled())
    esper.process(0.1)
    assert ends(physics) == [(*pair, "disabled")]
    assert len(physics.hits) == 0
    esper.process(0.1)
    assert len(physics.hits) == len(physics.hits.ended) == 0
    esper.remove_component(pair[side], Disabled)
    esper.process(0.1)
    assert len(physics.hits.started) == 1
    assert physics.hits.has(*pair)


def test_disabled_and_back_between_two_steps_is_nothing(physics: Physics, pair: tuple[int, int]) -> None:
    esper.add_component(pair[0], Disabled())
    esper.remove_component(pair[0], Disabled)
    esper.process(0.1)
    assert len(physics.hits) == 1
    assert len(physics.hits.started) == len(physics.hits.ended) == 0


def test_of_several_reasons_the_first_that_applies_is_told(physics: Physics, pair: tuple[int, int]) -> None:
    a, b = pair
    esper.add_component(a, Disabled())
    esper.add_component(a, CollisionFilter(mask=0))
    esper.component_for_entity(a, Transform).x = -50.0
    esper.process(0.1)
    assert ends(physics) == [(a, b, "disabled")]

    c = esper.create_entity(Transform(1, 0), CircleCollider(1))
    d = esper.create_entity(Transform(1, 0.5), CircleCollider(1))
    esper.process(0.1)
    esper.add_component(b, Disabled())
    esper.add_component(c, Disabled())
    esper.add_component(d, Disabled())
    esper.add_component(c, CircleCollider(1))
    esper.delete_entity(d)
    esper.process(0.1)
    assert ends(physics) == [(b, c, "removed"), (b, d, "despawned"), (c, d, "despawned")]


def test_the_disabled_move_on_but_are_in_no_array_of_colliders(physics: Physics) -> None:
    ghost = esper.create_entity(Transform(), Velocity(2.0, 0.0), CircleCollider(1), Disabled())
    esper.process(0.5)
    assert esper.component_for_entity(ghost, Transform).x == 1.0
    assert len(physics.debug.colliders) == len(physics.debug.colliders.boxes) == 0


def test_a_bad_value_of_a_disabled_collider_is_refused_all_the_same(physics: Physics) -> None:
    ghost = esper.create_entity(Transform(), CircleCollider(1), Disabled())
    _, rows = ecsphys.join(CircleCollider)
    CircleCollider.column("radius")[rows] = np.nan
    with pytest.raises(ValueError, match=rf"entity {ghost}: CircleCollider\.radius"):
        esper.process(0.1)


def test_a_disabled_solid_blocks_nobody(physics: Physics) -> None:
    wall = esper.create_entity(Transform(5, 0), ecsphys.OBBCollider(0.5, 3), Solid(), Disabled())
    walker = esper.create_entity(Transform(), CircleCollider(0.5))
    assert physics.move_and_slide(walker, (10.0, 0.0)).moved == (10.0, 0.0)
    esper.remove_component(wall, Disabled)
    assert physics.move_and_slide(walker, (-10.0, 0.0)).on_wall


def test_resting_colliders_that_are_disabled_are_out_of_the_way_too(physics: Physics) -> None:
    stack = [esper.create_entity(Transform(0.5 * k, 0), CircleCollider(0.5)) for k in range(40)]
    for _ in range(10):
        esper.process(0.1)
    assert physics.debug.profile.counters["sleeping"] == 40
    events: list[Any] = []
    esper.add_component(stack[20], Disabled())
    esper.process(0.1)
    events += ends(physics)
    assert events == [(stack[19], stack[20], "disabled"), (stack[20], stack[21], "disabled")]
    assert len(physics.hits) == 37


def test_is_hitting_answers_in_either_order_and_for_strangers(physics: Physics, pair: tuple[int, int]) -> None:
    a, b = pair
    far = esper.create_entity(Transform(100, 0), CircleCollider(1))
    third = esper.create_entity(Transform(0, 1), CircleCollider(1))
    esper.process(0.1)
    assert physics.hits.has(a, b)
    assert physics.hits.has(b, a)
    assert physics.hits.has(third, a)
    assert not physics.hits.has(a, far)
    assert not physics.hits.has(a, a)
    assert not physics.hits.has(77, 88)
