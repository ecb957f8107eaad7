"""``WorldBounds``: what is out is put back or deleted, and an event tells which side it was."""

from __future__ import annotations

from typing import Any

import esper
import pytest

import ecsphys
from ecsphys import Bullet, CircleCollider, Parent, Transform, Velocity, WorldBounds
from ecsphys.systems import WorldBoundsSystem

BOX = (-10.0, -5.0, 10.0, 5.0)


def make_world(**settings: Any) -> ecsphys.Physics:
    physics: ecsphys.Physics = ecsphys.install(**settings)
    esper.add_processor(WorldBoundsSystem(physics), ecsphys.Priority.BOUNDS)
    return physics


@pytest.mark.parametrize(
    ("at", "velocity", "bounds", "now", "velocity_now"),
    [
        ((9, 0), (3, 1), WorldBounds(*BOX), (10, 1), (0, 1)),
        ((9, 0), (3, 1), WorldBounds(*BOX, margin=2), (8, 1), (0, 1)),
        ((-9, -4), (-3, -3), WorldBounds(*BOX), (-10, -5), (0, 0)),
        ((12, 0), (-1, 0), WorldBounds(*BOX), (10, 0), (-1, 0)),
        ((9, 0), (3, 1), WorldBounds(*BOX, "bounce"), (8, 1), (-3, 1)),
        ((9, 4), (3, 3), WorldBounds(*BOX, "bounce", restitution=0.5), (9, 4), (-1.5, -1.5)),
        ((9, 0), (300, 0), WorldBounds(*BOX, "bounce"), (-10, 0), (-300, 0)),
        ((9, 0), (3, 1), WorldBounds(*BOX, "wrap"), (-8, 1), (3, 1)),
        ((9, 0), (3, 1), WorldBounds(*BOX, "wrap", margin=-1), (-10, 1), (3, 1)),
        ((-9, 0), (-43, 1), WorldBounds(*BOX, "wrap"), (8, 1), (-43, 1)),
        ((9, 0), (1, 5), WorldBounds(*BOX, "wrap"), (10, 5), (1, 5)),
    ],
)
def test_what_is_out_is_put_back(at: Any, velocity: Any, bounds: WorldBounds, now: Any, velocity_now: Any) -> None:
    make_world()
    place, motion = Transform(*at), Velocity(*velocity)
    esper.create_entity(place, motion, bounds)
    esper.process(1)
    assert (place.x, place.y) == pytest.approx(now)
    assert (motion.x, motion.y) == pytest.approx(velocity_now)


def test_the_event_names_the_sides_and_despawned_entities_are_gone() -> None:
    make_world()
    told = []

    def on_edge(entity: int, side: str) -> None:
        told.append((entity, side, esper.component_for_entity(entity, Transform).x))

    esper.set_handler("bounds_reached", on_edge)
    inside = esper.create_entity(Transform(), WorldBounds(*BOX, "despawn"))
    shot = esper.create_entity(Transform(-11), WorldBounds(*BOX, "despawn"))
    corner = esper.create_entity(Transform(11, 6), WorldBounds(*BOX))
    low = esper.create_entity(Transform(0, -6), WorldBounds(*BOX, "wrap"))
    esper.process(0.1)
    assert told == [(shot, "left", -11), (corner, "right", 10), (corner, "top", 10), (low, "bottom", 0)]
    assert esper.entity_exists(inside)
    assert not esper.entity_exists(shot)
    esper.process(0.1)
    assert len(told) == 4


def test_children_follow_in_the_same_step() -> None:
    make_world()
    ship = esper.create_entity(Transform(9), Velocity(2), WorldBounds(*BOX, "wrap"))
    gun = Transform()
    esper.create_entity(gun, Parent(ship, 1))
    esper.process(1)
    assert gun.x == -8


def test_a_bullet_that_is_wrapped_does_not_sweep_the_world() -> None:
    physics = make_world()
    wall = esper.create_entity(Transform(0, 0), CircleCollider(1))
    place = Transform(9.5)
    shot = esper.create_entity(place, Velocity(1), CircleCollider(0.1), Bullet(), WorldBounds(*BOX, "wrap"))
    esper.process(1)
    assert (len(physics.hits), place.x) == (0, -9.5)
    for _ in range(9):
        esper.process(1)
    assert physics.hits.has(shot, wall)


def test_what_is_wrapped_is_not_drawn_on_its_way_across() -> None:
    physics = ecsphys.install(fixed_step=1)
    assert physics.fixed_step is not None
    physics.fixed_step.add(WorldBoundsSystem(physics), ecsphys.Priority.BOUNDS)
    ship = esper.create_entity(Transform(9), Velocity(2), WorldBounds(*BOX, "wrap"))
    physics.fixed_step.pose(ship)
    esper.process(1.5)
    assert physics.fixed_step.pose(ship)[0] == -9


def test_bounds_without_inside_are_refused_before_anything_changes() -> None:
    make_world()
    place = Transform(20)
    esper.create_entity(place, WorldBounds(*BOX))
    bad = esper.create_entity(Transform(), WorldBounds(0, 0, 10, 10, margin=6))
    with pytest.raises(
        ValueError, match=f"^entity {bad}: the area inside its WorldBounds is empty: x from 0 to 10, .* margin 6"
    ):
        esper.process(0.1)
    assert place.x == 20


def test_bounds_come_and_go() -> None:
    make_world()
    place = Transform(20)
    entity = esper.create_entity(place)
    esper.process(0.1)
    esper.add_component(entity, WorldBounds(*BOX))
    esper.process(0.1)
    assert place.x == 10
    esper.remove_component(entity, WorldBounds)
    place.x = 30
    esper.process(0.1)
    assert place.x == 30


def test_what_has_slept_is_hit_where_narrower_bounds_have_put_it() -> None:
    physics = make_world()
    bounds = WorldBounds(*BOX)
    still = esper.create_entity(Transform(8, 0), CircleCollider(1), bounds)
    other = esper.create_entity(Transform(0, 0), CircleCollider(1))
    for _ in range(10):
        esper.process(0.1)
    assert not len(physics.hits)
    bounds.max_x = 1.5
    esper.process(0.1)
    assert esper.component_for_entity(still, Transform).x == 1.5
    assert [(hit.entity_a, hit.entity_b) for hit in physics.hits] == [(still, other)]
    bounds.max_x = 10.0
    bounds.min_x = 5.0
    esper.process(0.1)
    assert not len(physics.hits)
