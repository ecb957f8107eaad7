"""Contacts with fans wider than π: they truly separate, within the bound of the full circle, the sensible way."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles.poses import COLLIDERS, TRANSFORMS
from oracles.support_functions import Part, deepest_overlap, distance_from, least_overlap, offset, parts_of, size_of

from ecsphys.components.collision.colliders import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.motion.transform import Transform
from ecsphys.geometry.queries import contact

ACCURACY = 1e-9


def circle_of(part: Part) -> Part:
    """The full circle of a fan."""
    assert part.arc is not None
    x, y, radius, _, _ = part.arc
    return Part(np.array([(x, y)]), radius)


@pytest.mark.parametrize("kind", COLLIDERS)
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_depth_separates_and_is_no_longer_than_leaving_the_full_circle(kind: str, data: st.DataObject) -> None:
    fan, at = data.draw(COLLIDERS["wide fan"]), data.draw(TRANSFORMS)
    other, bt = data.draw(COLLIDERS[kind]), data.draw(TRANSFORMS)
    size = size_of(fan, at) + size_of(other, bt)
    tolerance = ACCURACY * size
    parts_a = parts_of(fan, at)
    parts_b = [part.moved(*offset(at, bt)) for part in parts_of(other, bt)]
    overlap = deepest_overlap(parts_a, parts_b)
    hit = contact(fan, at, other, bt)

    if hit is None:
        assert overlap <= tolerance
        return
    assert overlap >= -tolerance
    assert math.hypot(*hit.normal) == pytest.approx(1.0, abs=1e-12)
    x, y = hit.depth * hit.normal[0], hit.depth * hit.normal[1]
    assert deepest_overlap(parts_a, [part.moved(x, y) for part in parts_b]) <= tolerance
    if len(parts_b) == 1:
        assert hit.depth <= least_overlap(circle_of(parts_a[0]), parts_b[0])[0] + tolerance
    # No translation is shorter than that of the deepest convex part alone.
    assert hit.depth >= overlap - tolerance
    assert np.isfinite(hit.points).all()


PACMAN = FanCollider(2.0, 1.5 * math.pi, 0.0)  # the gap points left, its edges at ±135°


def test_a_ball_in_the_gap_leaves_past_the_edge_it_touches() -> None:
    # Centre 0.2 outside of the lower edge, at the middle of its length.
    edge = np.array([math.cos(-0.75 * math.pi), math.sin(-0.75 * math.pi)])
    outward = np.array([edge[1], -edge[0]])
    x, y = 1.2 * edge + 0.2 * outward
    hit = contact(PACMAN, Transform(), CircleCollider(0.3), Transform(x, y))
    assert hit is not None
    assert hit.depth == pytest.approx(0.1)
    assert hit.normal == pytest.approx(tuple(outward))
    assert hit.points[0] == pytest.approx(tuple(1.2 * edge - 0.05 * outward))
    assert len(hit.points) == 1


def test_a_ball_at_the_apex_is_pressed_into_the_corner_of_the_gap() -> None:
    hit = contact(PACMAN, Transform(), CircleCollider(0.25), Transform(0.0, 0.0))
    assert hit is not None
    # It touches both edges with its centre at 0.25 / sin 45° on the gap's axis.
    assert hit.depth == pytest.approx(0.25 * math.sqrt(2.0))
    assert hit.normal == pytest.approx((-1.0, 0.0))
    assert len(hit.points) == 2


def test_a_ball_on_the_arc_leaves_outwards() -> None:
    hit = contact(PACMAN, Transform(), CircleCollider(0.5), Transform(1.9, 0.0))
    assert hit is not None
    assert hit.depth == pytest.approx(0.6)
    assert hit.normal == pytest.approx((1.0, 0.0))
    assert hit.points[0] == pytest.approx((1.7, 0.0))
    assert len(hit.points) == 1


def test_what_lies_in_the_gap_is_no_hit() -> None:
    assert contact(PACMAN, Transform(), CircleCollider(0.5), Transform(-1.0, 0.0)) is None
    assert contact(PACMAN, Transform(), AABBCollider(0.2, 0.2), Transform(-0.5, 0.0)) is None
    assert contact(PACMAN, Transform(), OBBCollider(0.5, 0.5, angle=math.pi / 4), Transform(-0.8, 0.0)) is None


def test_a_box_face_on_an_edge_has_two_points() -> None:
    # Three quarters, the gap between 90° and 180°: its edges lie on the axes.
    fan = FanCollider(2.0, 1.5 * math.pi, -0.25 * math.pi)
    hit = contact(fan, Transform(), AABBCollider(0.5, 0.5), Transform(-1.0, 0.4))
    assert hit is not None
    assert hit.depth == pytest.approx(0.1)
    assert hit.normal == pytest.approx((0.0, 1.0), abs=1e-12)
    assert sorted(hit.points) == [pytest.approx((-1.5, -0.05)), pytest.approx((-0.5, -0.05))]


def test_a_corner_at_the_mouth_of_a_narrow_gap_is_left_the_short_way() -> None:
    fan = FanCollider(2.0, 2.0 * math.pi - 0.2, 0.0)
    # The ball bridges the mouth and sinks 0.01 into the upper corner alone.
    corner = np.array([2.0 * math.cos(math.pi - 0.1), 2.0 * math.sin(math.pi - 0.1)])
    centre = corner + 0.09 * np.array([-1.0, 0.0])
    hit = contact(fan, Transform(), CircleCollider(0.1), Transform(*centre))
    assert hit is not None
    assert hit.depth < 0.02


def test_a_needle_that_lies_along_the_axis_of_a_wide_fan_is_in_it() -> None:
    # Half of its width, by which it could leave either half of the fan sideways, is less than rounding.
    fan, needle = FanCollider(1.0, 1.25 * math.pi), FanCollider(0.4, 1e-9, math.pi)
    for k in range(64):
        angle = k * math.pi / 32
        for depth in (0.0, 1e-3, 1e-9):
            x = 1.4 - 0.4 - depth  # of the tip: the needle's arc is what enters
            there = Transform((x + 0.4) * math.cos(angle), (x + 0.4) * math.sin(angle), angle)
            hit = contact(fan, Transform(0, 0, angle), needle, there)
            if depth == 0.0:
                assert hit is None or hit.depth < 1e-14
                continue
            assert hit is not None
            assert hit.depth == pytest.approx(depth, abs=1e-12)
    inside = contact(fan, Transform(), FanCollider(0.4, 1e-15), Transform(0.3, 0.0))
    assert inside is not None
    assert inside.depth > 0.2


def test_the_tip_of_a_needle_at_the_seam_of_a_wide_fan_is_a_hit() -> None:
    fan, needle = FanCollider(1.0, 3.928361770544739), FanCollider(0.3737168255931377, 1e-9)
    for k in range(64):
        angle = k * math.pi / 32
        for depth in (1e-6, 5e-10):
            there = Transform((1.0 - depth) * math.cos(angle), (1.0 - depth) * math.sin(angle), angle)
            hit = contact(fan, Transform(0, 0, angle), needle, there)
            assert hit is not None
            assert hit.depth == pytest.approx(depth, rel=1e-5)


@pytest.mark.parametrize(
    ("a", "at", "b", "bt"),
    [
        (
            FanCollider(1.5313246186957818, 6.214928180592767),
            Transform(0, 0, -5.49778714378214),
            CircleCollider(0.0007446711922632211),
            Transform(0.42027729797724417, 0.42027729797724284),
        ),
        (
            FanCollider(0.7182322634128705, 4.610536788979731),
            Transform(0, 0, -1.2463580900683178),
            FanCollider(0.08578977718878174, 2.132865173773342),
            Transform(0.24959134190636922, -0.11070900312890264, 5.266935264897011),
        ),
        (
            FanCollider(2.0, 3.9269908169872414),
            Transform(0, 0, 5.89048622548086),
            CapsuleCollider(0.0005103240370416927, 1.2223839580728223e-10),
            Transform(0.9396236973258985, -0.07658326250631098, 2.748893571891069),
        ),
        (
            FanCollider(2.903059798960185, 4.71238898038469),
            Transform(0.21580322581516273, -1.320456521359387, 0.31164711346425156),
            PolygonCollider([(0.3, 0.24), (-0.8, 0.15), (-0.8, -0.15), (0.3, -0.24), (1.0, 0.0)]),
            Transform(0, 0, -3.534291735288516),
        ),
        (CapsuleCollider(0.5, 1.0), Transform(0, 0, math.pi / 2), FanCollider(2.0, 5.6722), Transform(2.75, 0.0)),
    ],
    ids=[
        "pressed into a narrow gap",
        "into its corner",
        "a needle into its corner",
        "beyond an edge's end",
        "an edge within its mouth",
    ],
)
def test_contact_points_are_within_half_the_depth_of_both_shapes(a: Any, at: Transform, b: Any, bt: Transform) -> None:
    hit = contact(a, at, b, bt)
    assert hit is not None
    parts_a, parts_b = parts_of(a, at), [part.moved(*offset(at, bt)) for part in parts_of(b, bt)]
    for x, y in hit.points:
        for parts in (parts_a, parts_b):
            assert distance_from(parts, x - at.x, y - at.y) <= 0.5 * hit.depth + ACCURACY


def test_a_fan_on_both_tips_of_its_mouth_has_a_point_at_each() -> None:
    floor, fan = AABBCollider(5.0, 1.0), FanCollider(1.0, 1.5 * math.pi, math.pi / 2)
    tip = math.sqrt(0.5)
    level = contact(floor, Transform(0.0, -1.0), fan, Transform(0.3, tip - 0.01))
    assert level is not None
    assert sorted(level.points) == [pytest.approx((0.3 - tip, -0.005)), pytest.approx((0.3 + tip, -0.005))]
    # The deeper one first; beyond the floor's end is none.
    tilted = contact(floor, Transform(0.0, -1.0), fan, Transform(0.3, tip - 0.01, 0.005))
    assert tilted is not None
    assert [point[0] < 0.3 for point in tilted.points] == [True, False]
    half_over = contact(floor, Transform(0.0, -1.0), fan, Transform(4.6, tip - 0.01))
    assert half_over is not None
    assert list(half_over.points) == [pytest.approx((4.6 - tip, -0.005))]
