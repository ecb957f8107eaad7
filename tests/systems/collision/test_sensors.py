"""Sensors: colliders that hit and never block."""

from __future__ import annotations

from collections.abc import Callable

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import (
    AABBCollider,
    Bullet,
    CapsuleCollider,
    Character,
    CircleCollider,
    Collider,
    CompoundCollider,
    FanCollider,
    OBBCollider,
    Physics,
    PolygonCollider,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    spawn_many,
)

DT = 1.0 / 60.0
UPRIGHT = 1.5707963267948966

MAKERS: dict[str, Callable[[bool], Collider]] = {
    "circle": lambda sensor: CircleCollider(0.5, sensor=sensor),
    "aabb": lambda sensor: AABBCollider(0.5, 0.5, sensor=sensor),
    "obb": lambda sensor: OBBCollider(0.5, 0.5, sensor=sensor),
    "capsule": lambda sensor: CapsuleCollider(0.5, 0.5, sensor=sensor),
    "fan": lambda sensor: FanCollider(0.5, 3.0, sensor=sensor),
    "polygon": lambda sensor: PolygonCollider([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], sensor=sensor),
}


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install(gravity=(0.0, -10.0))


def steps(count: int) -> None:
    for _ in range(count):
        esper.process(DT)


def height(entity: int) -> float:
    return esper.component_for_entity(entity, Transform).y


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_a_sensor_of_any_class_hits_and_blocks_no_body(make: Callable[[bool], Collider], physics: Physics) -> None:
    floor = esper.create_entity(Transform(0.0, 0.0), make(True), Solid())
    ball = esper.create_entity(Transform(0.0, 0.9), CircleCollider(0.5), RigidBody())
    steps(1)
    (hit,) = physics.hits.of(ball)
    assert (hit.sensor_a, hit.sensor_b) == (True, False)
    assert hit.seen_from(ball).sensor_b
    assert not hit.seen_from(ball).sensor_a
    assert physics.hits.sensor_a.tolist() == [True]
    assert physics.hits.sensor_b.tolist() == [False]
    steps(90)
    assert height(ball) < -5.0
    assert not physics.hits.has(floor, ball)


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_no_collider_is_a_sensor_unless_it_is_said(make: Callable[[bool], Collider]) -> None:
    collider = make(False)
    assert collider.sensor is False
    collider.sensor = True
    assert collider.sensor is True
    with pytest.raises(TypeError, match="sensor must be True or False, got 1"):
        collider.sensor = 1  # type: ignore[assignment]


def test_a_sensor_of_a_body_blocks_nothing_and_weighs_nothing(physics: Physics) -> None:
    esper.create_entity(Transform(0.0, -0.5), AABBCollider(20.0, 0.5), Solid())
    crate = esper.create_entity(
        Transform(0.0, 0.5), OBBCollider(0.5, 0.5), CircleCollider(2.0, 1.0, sensor=True), RigidBody()
    )
    coin = esper.create_entity(Transform(1.5, 0.5), CircleCollider(0.2))
    assert physics.bodies.mass_of(crate).mass == pytest.approx(1.0)
    steps(60)
    assert height(crate) == pytest.approx(0.5, abs=0.01)
    assert esper.component_for_entity(crate, Transform).angle == pytest.approx(0.0, abs=1e-3)
    (hit,) = physics.hits.of(coin)
    assert hit.sensor_a
    assert not hit.sensor_b


def test_what_becomes_a_sensor_lets_go_what_slept_on_it_in_the_next_step(physics: Physics) -> None:
    slab = AABBCollider(5.0, 0.5)
    esper.create_entity(Transform(0.0, 0.0), slab, Solid())
    box = esper.create_entity(Transform(0.0, 1.0), OBBCollider(0.5, 0.5), RigidBody())
    steps(60)
    assert physics.bodies.is_asleep(box)
    at = height(box)
    slab.sensor = True
    steps(1)
    assert height(box) < at
    assert physics.hits.sensor_a.tolist() == [True]
    steps(60)
    assert height(box) < -1.0


def test_a_sensor_that_becomes_a_wall_again_pushes_out_what_is_in_it(physics: Physics) -> None:
    slab = AABBCollider(5.0, 0.5, sensor=True)
    esper.create_entity(Transform(0.0, 0.0), slab, Solid())
    box = esper.create_entity(Transform(0.0, 0.9), OBBCollider(0.5, 0.5), RigidBody(), Velocity())
    steps(1)
    slab.sensor = False
    steps(60)
    assert height(box) == pytest.approx(1.0, abs=0.01)


def test_a_hit_between_sleeping_colliders_tells_of_a_new_sensor() -> None:
    physics = ecsphys.install()
    collider = CircleCollider(0.5)
    esper.create_entity(Transform(), collider)
    esper.create_entity(Transform(0.5), CircleCollider(0.5))
    steps(10)
    assert physics.hits.sensor_a.tolist() == [False]
    collider.sensor = True
    steps(1)
    assert physics.hits.sensor_a.tolist() == [True]
    assert len(physics.hits.started) == len(physics.hits.ended) == 0


def test_a_sensor_written_through_its_column_is_one(physics: Physics) -> None:
    esper.create_entity(Transform(0.0, 0.0), AABBCollider(5.0, 0.5), Solid())
    ball = esper.create_entity(Transform(0.0, 1.0), CircleCollider(0.5), RigidBody())
    steps(1)
    assert AABBCollider.column("sensor").dtype == np.uint8
    AABBCollider.column("sensor")[:] = 1
    steps(60)
    assert height(ball) < 0.0


def test_sensors_stop_no_mover(physics: Physics) -> None:
    esper.create_entity(Transform(2.0, 0.0), AABBCollider(0.5, 5.0, sensor=True), Solid())
    hero = esper.create_entity(Transform(0.0, 0.0), CircleCollider(0.5))
    assert physics.move_and_slide(hero, (4.0, 0.0)).moved == (4.0, 0.0)


def test_the_sensors_of_a_mover_do_not_stop_it_and_go_with_it(physics: Physics) -> None:
    esper.create_entity(Transform(3.0, 0.0), AABBCollider(0.5, 5.0), Solid())
    coin = esper.create_entity(Transform(4.5, 0.0), CircleCollider(0.1))
    hero = esper.create_entity(
        Transform(0.0, 0.0), AABBCollider(0.5, 0.5), CircleCollider(3.0, sensor=True), Character()
    )
    steps(1)
    assert not physics.hits.has(hero, coin)
    move = physics.move_character(hero, (4.0, 0.0))
    assert move.moved[0] == pytest.approx(2.0, abs=1e-3)
    steps(1)
    assert physics.hits.has(hero, coin)


def test_what_has_only_sensors_cannot_be_moved_among_solids(physics: Physics) -> None:
    ghost = esper.create_entity(Transform(), CircleCollider(1.0, sensor=True))
    with pytest.raises(ValueError, match="has only sensor colliders"):
        physics.move_and_slide(ghost, (1.0, 0.0))


def test_a_bullet_reports_a_sensor_and_flies_on() -> None:
    physics = ecsphys.install()
    zone = esper.create_entity(Transform(2.0, 0.0), AABBCollider(0.1, 5.0, sensor=True))
    wall = esper.create_entity(Transform(4.0, 0.0), AABBCollider(0.1, 5.0))
    bullet = esper.create_entity(Transform(), Velocity(600.0, 0.0), CircleCollider(0.1), Bullet())
    steps(1)
    first, second = physics.hits.of(bullet)
    assert (first.other(bullet), first.sensor_a, round(first.time, 3)) == (zone, True, 0.18)
    assert (second.other(bullet), second.sensor_a) == (wall, False)
    assert esper.component_for_entity(bullet, Transform).x == pytest.approx(3.8)
    assert esper.component_for_entity(bullet, Velocity).x == 0.0


def test_a_bullet_that_is_a_sensor_stops_nowhere() -> None:
    physics = ecsphys.install()
    wall = esper.create_entity(Transform(4.0, 0.0), AABBCollider(0.1, 5.0))
    bullet = esper.create_entity(Transform(), Velocity(600.0, 0.0), CircleCollider(0.1, sensor=True), Bullet())
    steps(1)
    assert physics.hits.has(bullet, wall)
    assert esper.component_for_entity(bullet, Transform).x == pytest.approx(10.0)


def test_queries_do_not_find_sensors(physics: Physics) -> None:
    zone = CircleCollider(2.0, sensor=True)
    post = esper.create_entity(Transform(), OBBCollider(0.5, 0.5), zone)
    hit = physics.raycast((-5.0, 0.0), (1.0, 0.0))
    assert hit is not None
    assert hit.distance == pytest.approx(4.5)
    assert physics.query_point((1.0, 0.0)) == []
    assert physics.query_aabb((1.0, -0.1), (1.5, 0.1)) == []
    (found,) = physics.nearest((-5.0, 0.0), 1)
    assert found.entity == post
    assert found.distance == pytest.approx(4.5)
    zone.sensor = False
    assert physics.query_point((1.0, 0.0)) == [post]


def test_a_compound_makes_sensors_of_all_its_parts(physics: Physics) -> None:
    parts = CompoundCollider([CircleCollider(0.5), CircleCollider(0.5, 1.0)], sensor=True)
    assert parts.sensor
    assert all(part.sensor for part in parts.parts)
    esper.create_entity(Transform(), parts, Solid())
    ball = esper.create_entity(Transform(0.0, 0.9), CircleCollider(0.5), RigidBody())
    steps(60)
    assert height(ball) < -1.0
    parts.parts[0].sensor = False
    assert not parts.sensor


def test_a_compound_takes_a_bool_only() -> None:
    with pytest.raises(TypeError, match=r"CompoundCollider\.sensor must be True or False"):
        CompoundCollider([CircleCollider(0.5)], sensor=1)  # type: ignore[arg-type]


def test_many_sensors_are_spawned_at_once(physics: Physics) -> None:
    spawn_many(3, Transform.many([0.0, 2.0, 4.0]), CircleCollider.many(0.5, sensor=[True, False, True]), [Solid()] * 3)
    balls = spawn_many(3, Transform.many([0.0, 2.0, 4.0], 0.95), CircleCollider.many(0.5), RigidBody.many())
    steps(10)
    assert [height(ball) > 0.85 for ball in balls.tolist()] == [False, True, False]


def test_other_constructors_make_sensors() -> None:
    assert CapsuleCollider.from_points(0, 0, 1, 0, 0.5, sensor=True).sensor
    assert FanCollider.from_vectors((1, 0), (0, 1), sensor=True).sensor
