"""Impacts where shapes are in reach from the start, graze, move together, spin fast, are far away, huge or tiny."""

from __future__ import annotations

import math

import numpy as np
import pytest
from impacts import REST, TARGET, Motion, meet, moved, orbit, searched, straight, swing, until

from ecsphys.components.collision.colliders import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.motion.transform import Transform
from ecsphys.engine.geometry import time_of_impact as module
from ecsphys.geometry import closest_points, overlaps


@pytest.mark.parametrize(
    "way", [straight(900.0, -70.0, 5.0, 1e4), orbit(40.0, 1.0, 9.0), swing(60.0, 1.0, 0.3, 0.2, 0.1, 30.0)]
)
def test_what_moves_together_never_meets(way: Motion) -> None:
    box = OBBCollider(0.5, 0.5)
    assert meet(box, Transform(0, 0), way, box, Transform(1.0 + 1e-6, 0), way).time == math.inf
    # In reach of each other all along.
    assert meet(box, Transform(0, 0), way, box, Transform(1.0 + 0.6 * TARGET, 0), way).time == math.inf


def test_in_reach_from_the_start() -> None:
    ball, floor, above = CircleCollider(0.5), AABBCollider(50.0, 0.5), Transform(0, 1.0 + 0.7 * TARGET)

    def start(*way: float, turn: float = 0.0) -> float:
        return meet(ball, above, straight(*way, turn=turn), floor, Transform(0, 0)).time

    assert start(0, -1) == start(5, -1e-3) == start(0, -1, 0, 5) == 0.0
    assert start(0, 0) == start(5, 0) == start(-5, 1e-9) == start(0, 1) == start(0, 0, turn=7.0) == math.inf
    assert start(0, 1, 0, -0.9) == math.inf
    # Falling back: t − 2t² = 0.
    assert start(0, 1, 0, -2) == pytest.approx(0.5, abs=1e-6)
    # From rest: it has moved by less than half the gap when it is seen to approach.
    assert 0.0 < start(0, 0, 0, -4) <= math.sqrt(0.7 * TARGET / 4.0)
    assert start(0, 1e-9, 0, -4) < 1e-3


def test_touching_exactly_at_the_start() -> None:
    box = AABBCollider(0.5, 0.5)

    def start(*way: float) -> float:
        return meet(box, Transform(0, 1), straight(*way), box, Transform(0, 0)).time

    assert start(0, -1) == start(3, -1e-9) == 0.0
    assert start(3, 0) == start(0, 1) == start(0, 0) == math.inf
    assert start(0, 0, 0, -4) < 1e-6


def test_overlapping_at_the_start() -> None:
    for b in (CircleCollider(0.5), AABBCollider(2, 2), FanCollider(1.0, 5.0)):
        impact = meet(CircleCollider(0.5), Transform(0, 0), straight(3, 0, turn=1.0), b, Transform(0, 0))
        assert impact.time == math.inf
        assert impact.gap < -0.4


def test_sliding_over_flush_tiles_is_free() -> None:
    # At the very distance at which it came to rest on the first: the next one's corner is as far away, and ahead.
    box, tile = OBBCollider(0.5, 0.5), AABBCollider(1.0, 1.0)
    rest = meet(box, Transform(0, 2), straight(0.0, -1.0), tile, Transform(0, 0))
    down = Transform(0, 2.0 - rest.time)
    for mover in (box, CircleCollider(0.5)):
        for x in (2.0, 4.0, 6.0):
            assert meet(mover, down, straight(9.0, 0.0), tile, Transform(x, 0)).time == math.inf
            assert meet(mover, down, straight(9.0, -1e-10), tile, Transform(x, 0)).time == math.inf
            assert meet(mover, down, straight(9.0, 0.0), tile, Transform(x, 1e-4)).time < 1.0


def test_sliding_in_exact_touch_is_free() -> None:
    tile = AABBCollider(1.0, 1.0)
    for mover, height in ((OBBCollider(0.5, 0.5), 0.5), (CircleCollider(0.5), 0.5), (CapsuleCollider(1, 0.25), 0.25)):
        down = Transform(0, 1.0 + height)
        for x in (2.0, 4.0, 6.0):
            assert meet(mover, down, straight(9.0, 0.0), tile, Transform(x, 0)).time == math.inf
            assert meet(mover, down, straight(9.0, 1.0), tile, Transform(x, 0)).time == math.inf
            assert meet(mover, down, straight(9.0, 0.0), tile, Transform(x, 1e-6)).time < 1.0
            assert meet(mover, down, straight(9.0, -1e-6), tile, Transform(x, 0)).time < 1.0
            assert meet(mover, down, straight(9.0, 0.0, 0.0, -1e-6), tile, Transform(x, 0)).time < 1.0
    # Corner to corner: along a side's line, or head on.
    assert meet(tile, Transform(0, 0), straight(0.0, 2.0), tile, Transform(2, 3)).time == math.inf
    assert meet(tile, Transform(0, 0), straight(2.0, 2.0), tile, Transform(3, 3)).time == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("spread", [1e-9, 1e-3, 0.5])
def test_what_slid_along_a_side_and_then_approaches_stops_where_it_is(spread: float) -> None:
    # Upwards in line with the right side of the box: past its corner they touch, and then the fan turns into it.
    fan, box = FanCollider(0.5, spread), AABBCollider(0.5, 0.5)
    for start in (Transform(0, -0.5), Transform(TARGET / 8, -0.5)):
        beside = start, box, Transform(-0.5, 0.5)
        assert meet(fan, beside[0], straight(0.0, 1.0), *beside[1:]).time == math.inf
        way = until(straight(0.0, 1.0), 0.75)
        impact = meet(fan, start, way, *beside[1:], straight(0.0, 0.0, 1.0))
        assert 0.0 < impact.time < 1.0
        at, bt = moved(start, way, impact.time), moved(beside[2], straight(0.0, 0.0, 1.0), impact.time)
        assert not overlaps(fan, at, box, bt)
        assert closest_points(fan, at, box, bt)[0] <= TARGET


def test_narrow_misses_and_grazes() -> None:
    for gap in (1e-6, -1e-6):
        ball = CircleCollider(1.0)
        grazing = meet(ball, Transform(-5, 2.0 + gap), straight(10.0, 0.0), ball, Transform(0, 0))
        assert (grazing.time == math.inf) == (gap > 0.0)
        # A long thin box turns fast past a wall.
        reach = math.hypot(10.0, 0.01)
        box, wall = OBBCollider(10.0, 0.01), Transform(0, reach + 1.0 + gap)
        for turn in (3.0, 30.0, 300.0):
            past = meet(box, Transform(0, 0), straight(turn=turn), AABBCollider(50, 1), wall)
            assert (past.time == math.inf) == (gap > 0.0)
        # A capsule spins in place next to a wall, and while it slides along it.
        capsule, wall = CapsuleCollider(8.0, 0.5), Transform(0, 4.5 + 1.0 + gap)
        for along in (0.0, 3.0):
            spinning = meet(capsule, Transform(0, 0), straight(along, turn=200.0), AABBCollider(50, 1), wall)
            assert (spinning.time == math.inf) == (gap > 0.0)


@pytest.mark.parametrize(
    ("a", "way_a", "b", "bt", "way_b", "most"),
    [
        (CircleCollider(0.1), straight(3.0, 1.0), AABBCollider(0.05, 5), Transform(2, 0), REST, 3),
        (CircleCollider(1), straight(10), CircleCollider(1), Transform(5, 2 + 1e-6), REST, 30),
        (CircleCollider(1), straight(10), CircleCollider(1), Transform(5, 2 - 1e-6), REST, 30),
        (OBBCollider(10, 0.01), straight(turn=6.0), AABBCollider(50, 1), Transform(0, 11.0 + 6e-6), REST, 60),
        (OBBCollider(10, 0.01), straight(turn=6.0), AABBCollider(50, 1), Transform(0, 11.0 + 4e-6), REST, 60),
        (CapsuleCollider(8, 0.5), straight(turn=1e6), AABBCollider(50, 1), Transform(0, 5.5 + 1e-6), REST, 1),
        (FanCollider(2, 0.5), straight(turn=9.0), AABBCollider(50, 1), Transform(0, 3 + 1e-7), REST, 60),
        (OBBCollider(1, 0.5), straight(2, turn=6.0), OBBCollider(1, 0.5), Transform(2.7, 0), straight(turn=5.0), 20),
        (OBBCollider(1, 0.5), straight(turn=6.0), OBBCollider(1, 0.5), Transform(2 + 1e-6, 0), straight(turn=6.0), 20),
        (FanCollider(3, 0.5), straight(turn=5.0), FanCollider(1, 6), Transform(-1 - 1e-7, 0), straight(turn=4.0), 20),
        (CircleCollider(0.5), orbit(2.0, 0.0, 6e6), AABBCollider(50, 1), Transform(-2, 3.5 + 1e-6), REST, 1),
        (CircleCollider(0.5), swing(2, 0, 0, 0, 0, 6e6), AABBCollider(1, 1), Transform(3.5 + 1e-6, 0), REST, 1),
        (CircleCollider(0.5), swing(2, 0, 1.5, 100, 0, 9.0), AABBCollider(1, 1), Transform(-3.49, 0), REST, 30),
        (CircleCollider(0.5), orbit(2.0, 0.0, 6.0), CircleCollider(0.5), Transform(1, 0), orbit(2.0, 0.0, 6.0), 60),
    ],
)
def test_the_search_does_not_crawl(
    a: Collider, way_a: Motion, b: Collider, bt: Transform, way_b: Motion, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    separations = 0
    separation = vars(module)["separation"]

    def counted(*args: object) -> object:
        nonlocal separations
        separations += 1
        return separation(*args)

    monkeypatch.setattr(module, "separation", counted)
    searched(a, Transform(0, 0), way_a, b, bt, way_b)
    assert separations <= most


def test_giving_up_lets_nothing_through(monkeypatch: pytest.MonkeyPatch) -> None:
    ball, wall = CircleCollider(0.1), OBBCollider(0.05, 5.0)
    arguments = (ball, Transform(-1, 1.2), orbit(1.0, 2.0, -3.0), wall, Transform(0.3, 0), straight(turn=0.3))
    found = searched(*arguments)
    assert found.time == meet(*arguments).time < 1.0
    for most in (1, 2, 3):
        monkeypatch.setattr(module, "_MOST_ADVANCES", most)
        given_up = searched(*arguments)
        assert 0.0 <= given_up.time <= found.time
        assert math.hypot(*given_up.normal) == pytest.approx(1.0)


@pytest.mark.parametrize("scale", [1e-290, 1e-150, 1e-30, 1e30, 1e150, 1e290])
def test_any_scale(scale: float) -> None:
    box = OBBCollider(scale, 0.5 * scale)
    impact = meet(
        box,
        Transform(0, 0),
        straight(6.0 * scale, 0.0, turn=0.7),
        CircleCollider(scale),
        Transform(5.5 * scale, 0.3 * scale),
        target=TARGET * scale,
    )
    unit = meet(OBBCollider(1, 0.5), Transform(0, 0), straight(6, turn=0.7), CircleCollider(1), Transform(5.5, 0.3))
    assert impact.time == pytest.approx(unit.time, rel=1e-9)
    assert impact.gap == pytest.approx(unit.gap * scale)
    assert impact.normal == pytest.approx(unit.normal, abs=1e-6)


def test_far_from_the_origin_costs_no_precision() -> None:
    far = 2.0**24  # and all offsets are multiples of 2^-28: the positions are exact
    arguments = straight(3.5, 0.25, 0.5, -1.0, turn=0.75), PolygonCollider([(0, 0), (1, 0), (0, 1)], angle=0.5)
    near = meet(OBBCollider(0.5, 0.25), Transform(0, 0), *arguments, Transform(2.5, -0.25))
    there = meet(OBBCollider(0.5, 0.25), Transform(far, -far), *arguments, Transform(far + 2.5, -far - 0.25))
    assert there[:3] == near[:3]
    assert near.time < 1.0
    assert there.point == pytest.approx((far + near.point[0], near.point[1] - far), abs=1e-8)


def test_ways_of_thousands_of_sizes() -> None:
    wall = OBBCollider(1e-3, 5.0, angle=0.3)
    for way in (1e3, 1e6, 1e9):
        for mover in (CircleCollider(1.0), OBBCollider(1.0, 0.1), FanCollider(1.0, 5.0), CapsuleCollider(3.0, 0.1)):
            impact = meet(mover, Transform(-0.3 * way, 0), straight(way, 0, turn=2.0), wall, Transform(0, 0))
            assert 0.29 < impact.time < 0.3
            at = moved(Transform(-0.3 * way, 0), straight(way, 0, turn=2.0), impact.time)
            assert closest_points(mover, at, wall, Transform(0, 0))[0] <= TARGET + 1e-13 * way


def test_turns_change_nothing_in_a_circle_about_its_position() -> None:
    wall = AABBCollider(0.5, 5.0)
    still = meet(CircleCollider(0.5), Transform(0, 0), straight(4.0, 1.0), wall, Transform(3, 0))
    assert meet(CircleCollider(0.5), Transform(0, 0), straight(4.0, 1.0, turn=1e4), wall, Transform(3, 0)) == still
    # Off its position it goes round: here from (0, 1) to the wall at (1, 0).
    impact = meet(CircleCollider(0.5, 0, 1), Transform(0, 0), straight(turn=-20.0), wall, Transform(1.8, 0))
    assert impact.time == pytest.approx(math.asin(0.8) / 20.0, abs=1e-7)


def test_a_floor_a_million_times_the_size() -> None:
    ball, half, angle = CircleCollider(0.1), 1e5, 0.7
    floor = OBBCollider(half, 1.0, angle=angle)
    up, along = (-math.sin(angle), math.cos(angle)), (math.cos(angle), math.sin(angle))
    for share in (-0.9, -0.2, 0.5, 0.99):
        x, y = (share * half * c + 2.1 * n for c, n in zip(along, up, strict=True))
        impact = meet(
            ball, Transform(x, y), straight(-up[0], -up[1], turn=3.0), floor, Transform(0, 0), target=TARGET / 10
        )
        assert impact.gap == pytest.approx(1.0, abs=1e-10)
        assert impact.gap - TARGET / 10 < impact.time < impact.gap
        assert impact.normal == pytest.approx((-up[0], -up[1]))


def test_what_stops_at_every_impact_is_never_in_anything() -> None:
    # Thrown about between flush tiles, walls, and obstacles, from rest to rest, for a hundred steps.
    tiles = [(AABBCollider(1.0, 1.0), Transform(2.0 * k, -1.0)) for k in range(-3, 4)]
    sides = [(AABBCollider(0.05, 9.0), Transform(6.0 * side, 4.0)) for side in (-1, 1)]
    roof = [(AABBCollider(9.0, 0.05), Transform(0.0, 6.0))]
    obstacles: list[tuple[Collider, Transform]] = [
        (OBBCollider(2.0, 0.05), Transform(-2.5, 2.0, 0.5)),
        (CircleCollider(0.5), Transform(1.0, 2.5)),
        (FanCollider(1.0, 5.0), Transform(3.5, 3.0, 1.0)),
    ]
    still = [*tiles, *sides, *roof, *obstacles]
    source = np.random.default_rng(5)
    for bullet in (
        CircleCollider(0.1),
        OBBCollider(0.15, 0.05),
        PolygonCollider([(0, 0.1), (-0.1, -0.1), (0.1, -0.1)]),
    ):
        at, stops = Transform(-1.0, 0.7), 0
        speed = np.zeros(2)
        for step in range(100):
            if step % 10 == 0:
                speed, turn = source.normal(size=2) * 3.0, float(source.normal())
            speed[1] -= 0.01
            way = straight(*speed.tolist(), turn=turn)
            impacts = [meet(bullet, at, way, *other, target=TARGET / 10) for other in still]
            assert min(impact.gap for impact in impacts) >= 0.2 * TARGET / 10
            first = min(impacts)
            at = moved(at, way, min(first.time, 1.0))
            if first.time <= 1.0:
                stops += 1
                turn = 0.0
                speed -= max(float(speed @ first.normal), 0.0) * np.array(first.normal)
        assert stops > 20
        assert abs(at.x) < 6.0
        assert 0.0 < at.y < 6.0
