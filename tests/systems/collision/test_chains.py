"""Chains as ground and walls: bodies, characters and bullets meet one seamless surface, from the sides it blocks."""

from __future__ import annotations

import math
from typing import Any

import esper
import pytest

import ecsphys
from ecsphys import (
    AABBCollider,
    Bullet,
    CapsuleCollider,
    ChainCollider,
    Character,
    CircleCollider,
    FanCollider,
    OBBCollider,
    Physics,
    PolygonCollider,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.effects import TileMap

DT = 1 / 60
HILLS = [(0, 0), (4, 1), (8, 0.5), (12, 2), (14, 2), (16, 2), (20, 0), (24, -1), (28, -1)]


@pytest.fixture
def fresh() -> Physics:
    physics = ecsphys.install()
    physics.gravity = (0, -10)
    return physics


def flat(count: int, **named: float) -> list[tuple[float, float]]:
    x, y, length = named.get("x", 0.0), named.get("y", 0.0), named.get("length", 1.0)
    return [(x + length * k, y) for k in range(count + 1)]


def box() -> OBBCollider:
    return OBBCollider(0.5, 0.5)


def smooth_body(x: float, y: float, speed: float, *colliders: object) -> tuple[Transform, Velocity]:
    """A body without friction that moves along x."""
    place, velocity = Transform(x, y), Velocity(speed, 0)
    esper.create_entity(place, velocity, RigidBody(friction=0.0), *colliders)
    return place, velocity


@pytest.mark.parametrize("side", ["left", "both"])
@pytest.mark.parametrize("offset", [0.0, 1e7])
def test_nothing_that_slides_or_rolls_along_a_thousand_segments_loses_speed(
    fresh: Physics, side: Any, offset: float
) -> None:
    esper.create_entity(Transform(offset, offset), ChainCollider(flat(1000, length=0.25), side=side), Solid())
    things = [
        smooth_body(offset + 10, offset + 0.5, 40, box()),
        # About its centre of mass: what turns a little moves nothing else.
        smooth_body(offset + 6, offset + 1 / 3, 40, PolygonCollider([(-0.5, -1 / 3), (0.5, -1 / 3), (0, 2 / 3)])),
        smooth_body(offset + 3, offset + 0.4, 40, CircleCollider(0.4)),
        smooth_body(offset + 1, offset + 0.3, 40, CapsuleCollider(0.6, 0.3)),
    ]
    for _ in range(300):
        esper.process(DT)
        for place, velocity in things:
            assert abs(velocity.x - 40) < 1e-9
            assert abs(place.angle) < 1e-3
            assert abs(velocity.y) < 0.02
    assert things[0][0].x > offset + 205


@pytest.mark.parametrize("tilt", [0.5, -0.3, math.pi])
def test_nor_on_a_slope_that_turns_with_its_entity(fresh: Physics, tilt: float) -> None:
    """Along the slope, gravity alone acts."""
    c, s = math.cos(tilt), math.sin(tilt)
    fresh.gravity = (10 * s, -10 * c)
    esper.create_entity(Transform(0, 0, tilt), ChainCollider(flat(200, x=-5), side="left"), Solid())
    place, velocity = Transform(-0.5 * s, 0.5 * c, tilt), Velocity(20 * c, 20 * s)
    esper.create_entity(place, velocity, RigidBody(friction=0.0), box())
    for _ in range(120):
        esper.process(DT)
        assert abs(velocity.x * c + velocity.y * s - 20) < 1e-9


def test_a_box_straddles_the_top_of_a_hill_and_rests_in_a_valley(fresh: Physics) -> None:
    roof = [(-8, 0), (-4, 0), (0, 0.4), (2, 0.2), (4, -0.8), (6, 0.2), (7, 3)]
    esper.create_entity(Transform(), ChainCollider(roof), Solid())
    top, valley = Transform(0, 1.0), Transform(4, 0)
    esper.create_entity(top, Velocity(), RigidBody(friction=1.0), OBBCollider(1.0, 0.5))
    ball = esper.create_entity(valley, Velocity(), RigidBody(friction=0.5), CircleCollider(0.4))
    for _ in range(200):
        esper.process(DT)
    # A box rocks down to one of both sides, a ball touches both.
    assert top.y > 0.75
    assert abs(top.x) < 1.5
    hits = fresh.hits.of(ball)
    assert {hit.part_a for hit in hits} == {3, 4}
    assert all(hit.normal[1] > 0.8 for hit in hits)


@pytest.mark.parametrize("radius", [0.0, 0.2])
def test_every_kind_of_body_comes_to_rest_on_hills(fresh: Physics, radius: float) -> None:
    valley = [(-1, 9), *HILLS, (29, 9)]
    esper.create_entity(Transform(), ChainCollider(valley, radius=radius, side="left"), Solid())
    colliders = [
        CircleCollider(0.3),
        box(),
        CapsuleCollider(0.6, 0.2, angle=1.0),
        PolygonCollider([(0, 0), (0.6, 0), (0.3, 0.5)], radius=0.05),
        FanCollider(0.6, 1.5),
        FanCollider(0.6, 5.0),
        AABBCollider(0.3, 0.3),
    ]
    places = []
    for k, collider in enumerate(colliders):
        places.append(Transform(2.2 + 3 * k, 4))
        esper.create_entity(places[-1], Velocity(), RigidBody(friction=0.8), collider)
    for _ in range(300):
        esper.process(DT)
    for place in places:
        assert -2 < place.y < 4
        assert -1 < place.x < 29


def test_a_one_sided_chain_lets_pass_what_comes_from_behind(fresh: Physics) -> None:
    chain = ChainCollider([(-5, 0), (0, 0.5), (5, 0)], side="left")
    ground = esper.create_entity(Transform(), chain, Solid())
    place = Transform(1, -2)
    body = esper.create_entity(place, Velocity(0, 10), RigidBody(), box())
    hit_at = []
    for _ in range(200):
        esper.process(DT)
        if fresh.hits.of(body):
            hit_at.append(place.y)
    assert place.y > 0.7
    assert min(hit_at) > 0.3
    (first, *_) = fresh.hits.of(body)
    assert first.seen_from(ground).normal[1] > 0.9
    esper.add_component(ground, ChainCollider([(-5, 0), (0, 0.5), (5, 0)], side="right"))
    for _ in range(100):
        esper.process(DT)
    assert place.y < -5


def test_an_arena_keeps_everything_inside(fresh: Physics) -> None:
    """Concave and convex corners, and walls that turn back: a closed chain, drawn counter-clockwise."""
    border = [(0, 0), (4, 0), (5, 2), (6, 0), (10, 0), (10, 6), (5.01, 6), (5, 4), (4.99, 6), (0, 6)]
    esper.create_entity(Transform(), ChainCollider(border, closed=True, side="left"), Solid())
    places = []
    for k in range(12):
        places.append(Transform(0.8 + 1.7 * (k % 6) % 9, 3.0 + 0.9 * (k // 6)))
        collider = (CircleCollider(0.3), OBBCollider(0.3, 0.2), CapsuleCollider(0.3, 0.15))[k % 3]
        esper.create_entity(
            places[-1], Velocity(20 * math.cos(k), 20 * math.sin(k)), RigidBody(restitution=1), collider
        )
    for _ in range(300):
        esper.process(DT)
    assert all(0 < place.x < 10 and 0 < place.y < 6 for place in places)


@pytest.mark.parametrize("side", ["left", "both"])
@pytest.mark.parametrize("offset", [0.0, 1e7])
def test_a_character_walks_over_joints_without_stumbling(fresh: Physics, side: Any, offset: float) -> None:
    esper.create_entity(Transform(offset, offset), ChainCollider([(-5, 0), *HILLS, (40, -1)], side=side), Solid())
    for collider in (CapsuleCollider.upright(1.6, 0.3), AABBCollider(0.3, 0.8)):
        place = Transform(offset - 4, offset + 1.0)
        hero = esper.create_entity(place, collider, Character())
        for _ in range(5):
            fresh.move_character(hero, (0, -0.1))
        for _ in range(150):
            before = place.x
            move = fresh.move_character(hero, (0.25, -0.05))
            # Along the steepest slope, with a slope of 1 in 2, it is 0.2.
            assert 0.19 < place.x - before < 0.2501
            assert not move.on_wall
        assert move.on_floor
        assert place.x > offset + 28
        esper.delete_entity(hero, immediate=True)


def test_a_character_jumps_up_through_a_one_sided_chain_and_never_drops_through(fresh: Physics) -> None:
    esper.create_entity(Transform(), ChainCollider(HILLS, side="left"), Solid())
    place = Transform(6, -2)
    hero = esper.create_entity(place, CapsuleCollider.upright(1.6, 0.3), Character())
    for _ in range(25):
        fresh.move_character(hero, (0, 0.2))
    assert place.y == pytest.approx(3)
    for _ in range(30):
        move = fresh.move_character(hero, (0, -0.2), drop=True)
    assert move.on_floor
    assert place.y > 1.5


@pytest.mark.parametrize("speed", [-400.0, 400.0])
def test_a_bullet_stops_at_the_front_and_passes_from_behind(fresh: Physics, speed: float) -> None:
    fresh.gravity = (0, 0)
    esper.create_entity(Transform(), ChainCollider(flat(10), side="left"), Solid())
    esper.create_entity(Transform(), ChainCollider(flat(10, x=20)), Solid())
    for start in (4.5, 5.0, 24.5, 25.0):
        place = Transform(start, -3 if speed > 0 else 3)
        bullet = esper.create_entity(place, Velocity(0, speed), CircleCollider(0.1), Bullet())
        esper.process(DT)
        passes = speed > 0 and start < 20
        if passes:
            assert not fresh.hits.of(bullet)
            assert place.y == pytest.approx(-3 + 400 / 60)
        else:
            assert abs(place.y) == pytest.approx(0.1, abs=1e-6)
            normals = [hit.seen_from(bullet).normal for hit in fresh.hits.of(bullet)]
            assert normals
            assert all(normal == pytest.approx((0, math.copysign(1, speed))) for normal in normals)


@pytest.mark.parametrize("collider", [CircleCollider(0.2), OBBCollider(0.2, 0.2)])
def test_a_bullet_slides_over_joints(fresh: Physics, collider: CircleCollider | OBBCollider) -> None:
    esper.create_entity(Transform(), ChainCollider(flat(80), side="left"), Solid())
    place, velocity = Transform(1, 0.21), Velocity(60, 0)
    esper.create_entity(place, velocity, collider, Bullet(), ecsphys.Gravity())
    for _ in range(60):
        esper.process(DT)
    assert velocity.x == 60
    assert place.x > 59


@pytest.mark.parametrize(("size", "offset"), [(1.0, 0.0), (16.0, 0.0), (0.1, 0.0), (1.0, 1e7), (48.0, -1e7)])
def test_nothing_catches_on_the_seams_of_tiles(fresh: Physics, size: float, offset: float) -> None:
    fresh.gravity = (0, -10 * size)
    level = TileMap([[1, 2, 1] * 20, [1, *[0] * 58, 1]], size, offset, offset)
    ground = esper.create_entity(level, Transform(level.x, level.y), level.chain({1, 2}), Solid())
    place, velocity = smooth_body(
        offset + 3 * size, offset + 1.4 * size, 20 * size, OBBCollider(0.4 * size, 0.4 * size)
    )
    walked = Transform(offset + 3 * size, offset + 1.6 * size)
    hero = esper.create_entity(walked, AABBCollider(0.4 * size, 0.5 * size), Character())
    for _ in range(140):
        esper.process(DT)
        assert velocity.x == pytest.approx(20 * size, rel=1e-6)
        move = fresh.move_character(hero, (0.3 * size, -0.02 * size))
    assert place.x > offset + 49 * size
    assert walked.x > offset + 44 * size
    assert move.on_floor
    # A hole in the ground: what is added anew is there at once.
    level.tiles[0, 40:] = 0
    esper.add_component(ground, level.chain({1, 2}))
    for _ in range(30):
        esper.process(DT)
    assert place.y < offset + size


@pytest.mark.parametrize("turn", [0.0, 1.0, math.pi / 2])
@pytest.mark.parametrize("slope", [0.2, 0.8, 1.5, 5.0])
def test_a_free_end_that_is_in_the_side_of_a_box_hits_it(fresh: Physics, slope: float, turn: float) -> None:
    """However steep it leads there: the box is over no part of the segment, and there is none after it."""
    esper.create_entity(Transform(0.0, 0.0, turn), ChainCollider([(-1.0, -slope), (0.0, 0.0)]), Solid())
    c, s = math.cos(turn), math.sin(turn)
    for y in (0.8, -0.8):
        box = esper.create_entity(Transform(0.27 * c - y * s, 0.27 * s + y * c, turn), OBBCollider(0.28, 1.0))
        fresh.detect()
        (hit,) = fresh.hits.of(box)
        assert hit.depth == pytest.approx(0.01)
        assert hit.seen_from(box).normal == pytest.approx((-c, -s))
        esper.delete_entity(box, immediate=True)
