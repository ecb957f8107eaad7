"""Impacts of all pairs on all motions: stepping finely meets nothing before the impact, and it is one."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from impacts import TARGET, TOLERANCE, distances, meet, moved, orbit, searched, straight, swing, until
from oracles.poses import COLLIDERS, PAIRS, TRANSFORMS

from ecsphys.components.collision.colliders import (
    AABBCollider,
    CircleCollider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.motion.transform import Transform
from ecsphys.engine.geometry.sweep_motion import ANGLE, KIND, LINEAR_X, POLYNOMIAL
from ecsphys.geometry import closest_points, overlaps

STEPS = 40


TURNS = st.one_of(st.just(0.0), st.floats(-1.0, 1.0), st.floats(-40.0, 40.0))
ENDS = st.one_of(st.just(1.0), st.floats(0.0, 1.0))
STRAIGHT = st.builds(lambda x, y, turn: straight(x, y, turn=turn), st.floats(-5, 5), st.floats(-5, 5), TURNS)
BALLISTIC = st.builds(
    lambda x, y, gx, gy, turn: straight(x, y, gx, gy, turn=turn), *[st.floats(-5.0, 5.0)] * 4, turn=TURNS
)
ORBITS = st.builds(orbit, st.floats(0.05, 4.0), st.floats(-7.0, 7.0), st.floats(-7.0, 7.0), TURNS)
SWINGS = st.builds(
    lambda *values: swing(*values[:-1], turn=values[-1]),
    *[st.floats(-3.0, 3.0)] * 2,
    st.floats(-7.0, 7.0),
    st.sampled_from([0.0, 0.3, 1.0, 2.0]),
    st.floats(0.0, 2.0),
    st.floats(0.0, 8.0),
    TURNS,
)
MOTIONS = st.builds(until, st.one_of(STRAIGHT, BALLISTIC, ORBITS, SWINGS), ENDS)


@pytest.mark.parametrize(("kind_a", "kind_b"), PAIRS)
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_nothing_is_met_before_the_impact(kind_a: str, kind_b: str, data: st.DataObject) -> None:
    a, at, way_a = data.draw(COLLIDERS[kind_a]), data.draw(TRANSFORMS), data.draw(MOTIONS)
    b, bt, way_b = data.draw(COLLIDERS[kind_b]), data.draw(TRANSFORMS), data.draw(MOTIONS)
    spread = data.draw(st.sampled_from([1.0, 2.0, 4.0]))
    at.x, at.y, bt.x, bt.y = spread * at.x, spread * at.y, spread * bt.x, spread * bt.y
    if way_a[KIND] == POLYNOMIAL:  # mostly towards each other
        aim = data.draw(st.sampled_from([0.0, 1.0, 3.0]))
        way_a[LINEAR_X : LINEAR_X + 2] += aim * (bt.x - at.x), aim * (bt.y - at.y)
    if kind_a == "aabb":
        way_a[ANGLE] = 0.0
    if kind_b == "aabb":
        way_b[ANGLE] = 0.0

    impact = meet(a, at, way_a, b, bt, way_b)
    swapped = meet(b, bt, way_b, a, at, way_a)
    assert swapped == (impact.time, impact.gap, (-impact.normal[0], -impact.normal[1]), impact.point)
    pair = (a, at, way_a, b, bt, way_b)
    (start,) = distances(*pair, [0.0])
    assert max(impact.gap, 0.0) == pytest.approx(start, abs=1e-12)
    if impact.gap <= 1e-12:
        assert impact.time in (0.0, math.inf) or impact.gap > -TOLERANCE
        return
    end = min(impact.time, 1.0)
    times = [end * step / STEPS for step in range(STEPS + 1)]
    for t, distance in zip(times, distances(*pair, times), strict=True):
        # What moves in line with a side touches it from its corner on: sliding is free.
        assert distance > 0.0 or not overlaps(a, moved(at, way_a, t), b, moved(bt, way_b, t))
    if impact.time <= 1.0:
        slides = distances(*pair, [impact.time * (1.0 - 1e-6)])[0] <= TARGET
        at, bt = moved(at, way_a, impact.time), moved(bt, way_b, impact.time)
        gap, on_a, on_b = closest_points(a, at, b, bt)
        assert (0.0 if slides else 0.25 * TARGET) <= gap <= TARGET * (1.0 + 1e-6) or gap == pytest.approx(start)
        assert math.hypot(*impact.normal) == pytest.approx(1.0)
        assert math.dist((on_a[0] + gap * impact.normal[0], on_a[1] + gap * impact.normal[1]), on_b) <= 1e-4 * TARGET
        midway = CircleCollider(1e-3 * TARGET), Transform(*impact.point)
        assert closest_points(a, at, *midway)[0] <= 0.5 * gap
        assert closest_points(b, bt, *midway)[0] <= 0.5 * gap


@pytest.mark.parametrize("turn", [0.0, 0.4])
def test_a_fast_bullet_never_passes_a_thin_wall(turn: float) -> None:
    # 200 units/s, radius 0.1, a wall 0.1 thick, 1/60 s; the wall stands at any angle, the bullet comes at any angle.
    bullet, wall = CircleCollider(0.1), OBBCollider(0.05, 30.0)
    speed = 200.0 / 60.0
    for k in range(120):
        slant = math.pi * k / 120
        across = (math.cos(slant), math.sin(slant))
        for aside in (-1.4, -1.0, -0.3, 0.0, 0.7, 1.2, 1.5):
            way = speed * math.cos(slant + aside), speed * math.sin(slant + aside)
            for ahead in (0.2, 0.5, 1.0):
                start = Transform(-across[0] * ahead, -across[1] * ahead)
                impact = meet(
                    bullet, start, straight(*way, turn=turn), wall, Transform(0, 0, slant), target=TARGET * 0.1
                )
                closing = speed * math.cos(aside)
                expected = (ahead - 0.15) / closing
                assert impact.gap == pytest.approx(ahead - 0.15, abs=1e-14)
                if expected > 1.0:
                    assert impact.time == math.inf
                    continue
                assert expected - 0.1 * TARGET / closing <= impact.time < expected
                assert impact.normal == pytest.approx(across)


def test_a_ballistic_ball_meets_the_floor_where_the_quadratic_formula_says() -> None:
    ball, floor = CircleCollider(0.5), AABBCollider(50.0, 1.0)
    for vx, vy, fall in ((0.0, 0.0, 4.0), (3.0, 2.0, 5.0), (1.0, -1.0, 3.0), (40.0, 4.0, 9.0), (0.0, -3.0, 0.0)):
        impact = meet(ball, Transform(0, 4), straight(vx, vy, 0.0, -fall), floor, Transform(0, 0))
        # 4 + vy t − fall t² = 1.5
        expected = (vy + math.sqrt(vy * vy + 10.0 * fall)) / (2.0 * fall) if fall else 2.5 / -vy
        assert expected - 1e-6 < impact.time < expected if expected <= 1.0 else impact.time == math.inf
        if expected <= 1.0:
            assert impact.normal == (0.0, -1.0)
            assert impact.point == pytest.approx((vx * impact.time, 1.0), abs=TARGET)
    thrown = meet(ball, Transform(0, 4), straight(0.0, 8.0, 0.0, -12.0), AABBCollider(50, 0.5), Transform(0, 5.0 + 1.0))
    assert thrown.time == pytest.approx((8.0 - math.sqrt(64.0 - 48.0)) / 24.0, abs=1e-7)  # up: 8t − 12t² = 1
    # Its highest point is 4/3 above the start: short of a ceiling by 1e-6.
    ceiling = Transform(0, 4.0 + 4.0 / 3.0 + 0.5 + 0.5 + 1e-6)
    assert meet(ball, Transform(0, 4), straight(0.0, 8.0, 0.0, -12.0), AABBCollider(50, 0.5), ceiling).time == math.inf


def test_on_a_circle_to_a_wall() -> None:
    wall = AABBCollider(0.1, 10.0)
    for phase, angle in ((0.5 * math.pi, 3.0), (0.2, 2.5), (-1.0, -3.0), (-0.5 * math.pi, -30.0)):
        start = Transform(2.0 * math.cos(phase), 2.0 * math.sin(phase))
        impact = meet(CircleCollider(0.25), start, orbit(2.0, phase, angle), wall, Transform(-1.35, 0.0))
        # 2 cos(phase + angle t) = −1
        expected = (2.0 * math.pi / 3.0 - math.copysign(phase, phase * angle)) / abs(angle)
        assert impact.time == pytest.approx(expected, abs=TARGET)
        assert impact.time < expected
        assert impact.normal == (-1.0, 0.0)


def test_on_a_swing_to_a_wall() -> None:
    # From rest at 1 (phase a quarter turn): x = cos τ.
    impact = meet(
        CircleCollider(0.25),
        Transform(1.0, 0.0),
        swing(1.0, 0.0, 0.5 * math.pi, 0.0, 0.0, 3.0),
        AABBCollider(0.25, 1.0),
        Transform(-1.0, 0.0),
    )
    assert impact.time == pytest.approx(2.0 * math.pi / 3.0 / 3.0, abs=TARGET)
    assert impact.normal == (-1.0, 0.0)


def test_a_spinning_box_meets_a_corner() -> None:
    # The upper side of the box, 0.1 above its centre, turns up to the corner (0.8, 0.5).
    box, corner = OBBCollider(1.0, 0.1), AABBCollider(1.0, 1.0)
    for turn in (1.0, 3.0, 6.0):
        impact = meet(box, Transform(0, 0), straight(turn=turn), corner, Transform(-0.2, 1.5))
        # 0.5 cos θ − 0.8 sin θ = 0.1 with |corner| at the angle ψ: |corner| sin(ψ − θ) = 0.1
        angle = math.atan2(0.5, 0.8) - math.asin(0.1 / math.hypot(0.8, 0.5))
        assert impact.time == pytest.approx(angle / turn, abs=1e-6)
        assert impact.normal == pytest.approx((-math.sin(angle), math.cos(angle)), abs=1e-5)
        assert impact.point == pytest.approx((0.8, 0.5), abs=1e-6)


def test_the_arc_of_a_fan_and_its_tip_meet_a_wall_turning() -> None:
    fan, wall = FanCollider(2.0, 0.5), AABBCollider(10.0, 1.0)
    # Turns its arc's end upwards: the arc's start is at −0.25, the end at 0.25 turns up to where 2 sin(angle) = 1.5.
    impact = meet(fan, Transform(0, 0), straight(turn=1.5), wall, Transform(0, 2.5))
    assert impact.time == pytest.approx((math.asin(0.75) - 0.25) / 1.5, abs=1e-6)
    # The wall is out of its reach by 1e-6, however it turns.
    assert meet(fan, Transform(0, 0), straight(turn=40.0), wall, Transform(0, 3.0 + 1e-6)).time == math.inf
    impact = meet(fan, Transform(0, 0), straight(turn=40.0), wall, Transform(0, 3.0 - 1e-6))
    assert impact.time == pytest.approx((0.5 * math.pi - 0.25) / 40.0, abs=1e-3)


def test_both_moving_is_relative_motion() -> None:
    a, b = OBBCollider(0.5, 0.2, angle=0.3), PolygonCollider([(0, 0), (1, 0), (0, 1)], radius=0.1)
    for ax, ay, bx, by in ((3, 1, -2, 0.5), (10, 4, 4, 1), (0, 0, -5, -1)):
        both = meet(a, Transform(0, 0), straight(ax, ay, 1, 2), b, Transform(3, 1), straight(bx, by, -1, 1))
        one = meet(a, Transform(0, 0), straight(ax - bx, ay - by, 2, 1), b, Transform(3, 1))
        assert one.time < 1.0
        assert both.time == pytest.approx(one.time, abs=1e-13)
        assert both.normal == pytest.approx(one.normal, abs=1e-9)


def test_a_search_from_later_on() -> None:
    ball, wall = CircleCollider(0.5), AABBCollider(0.5, 5.0)
    # Swings to the wall and back twice.
    arguments = (ball, Transform(0, 0), swing(1.0, 0.0, 0.0, 0.0, 0.0, 4.0 * math.pi), wall, Transform(1.8, 0))
    first = searched(*arguments)
    assert first.time == pytest.approx(math.asin(0.8) / (4.0 * math.pi), abs=1e-7)
    assert first.gap == pytest.approx(0.8)
    again = searched(*arguments, from_time=0.5)
    assert again.time == pytest.approx(0.5 + first.time, abs=1e-7)
    assert again.gap == pytest.approx(0.8)
    assert searched(*arguments, from_time=first.time).time == first.time
    assert searched(*arguments, from_time=0.9).time == math.inf
    assert searched(*arguments, from_time=1.0).time == math.inf


def test_a_motion_ends_where_it_is_told() -> None:
    ball, wall = CircleCollider(0.5), AABBCollider(0.5, 5.0)
    for kind in (straight(4.0, turn=1.0), straight(0.0, 0.0, 4.0)):
        whole = meet(ball, Transform(0, 0), kind, wall, Transform(3, 0))
        assert whole.time < 1.0
        assert meet(ball, Transform(0, 0), until(kind, 0.99 * whole.time), wall, Transform(3, 0)).time == math.inf
        assert meet(ball, Transform(0, 0), until(kind, whole.time), wall, Transform(3, 0)).time == math.inf
        assert meet(ball, Transform(0, 0), until(kind, 1.01 * whole.time), wall, Transform(3, 0)).time == whole.time
    # The ball rests at 1 from a quarter of the step on, where the wall comes to meet it: 2.5 − 2t = 2.
    impact = meet(ball, Transform(0, 0), until(straight(4.0), 0.25), wall, Transform(2.5, 0), straight(-2.0, 0.0))
    assert impact.time == pytest.approx(0.25, abs=1e-7)
    impact = meet(ball, Transform(0, 0), until(straight(4.0), 0.25), wall, Transform(3.5, 0), straight(-2.0, 0.0))
    assert impact.time == pytest.approx(0.75, abs=1e-7)


def test_into_the_mouth_of_a_turning_wide_fan() -> None:
    mouth = FanCollider(2.0, 1.5 * math.pi, direction=math.pi)  # open towards the right, 90° wide
    inside = meet(CircleCollider(0.25), Transform(1.0, 0.0), straight(), mouth, Transform(0, 0), straight(turn=2.0))
    # Its lower edge turns up to the ball: sin(π/4 − θ) = 0.25
    assert inside.time == pytest.approx((0.25 * math.pi - math.asin(0.25)) / 2.0, abs=1e-6)
    outside = meet(CircleCollider(0.25), Transform(0, 3), straight(), mouth, Transform(0, 0), straight(turn=2.0))
    assert outside.time == math.inf
