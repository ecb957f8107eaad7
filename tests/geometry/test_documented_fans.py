"""C12, C13: between two vectors, and a circle against a fan of any spread."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecsphys.geometry.documented_tests import between_vectors, circle_fan

Point = tuple[float, float]
TAU = 2 * math.pi


def at(angle: float, radius: float = 1.0) -> Point:
    return radius * math.cos(angle), radius * math.sin(angle)


def test_between_a_right_angle_edges_included() -> None:
    assert between_vectors((1, 1), (1, 0), (0, 1))
    assert between_vectors((5, 0), (1, 0), (0, 1))
    assert between_vectors((0, 3), (1, 0), (0, 1))
    assert between_vectors((0, 0), (1, 0), (0, 1))
    assert not between_vectors((-1, 1), (1, 0), (0, 1))
    assert not between_vectors((1, -1e-300), (1, 0), (0, 1))


def test_between_runs_counter_clockwise() -> None:
    assert not between_vectors((1, 1), (0, 1), (1, 0))
    assert between_vectors((-1, -1), (0, 1), (1, 0))


def test_between_opposite_vectors_is_a_half_plane() -> None:
    assert between_vectors((0, 1), (1, 0), (-1, 0))
    assert between_vectors((7, 0), (1, 0), (-1, 0))
    assert between_vectors((-7, 0), (1, 0), (-1, 0))
    assert not between_vectors((0, -1), (1, 0), (-1, 0))


def test_between_equal_vectors_is_their_own_direction_only() -> None:
    assert between_vectors((2, 2), (1, 1), (3, 3))
    assert not between_vectors((-2, -2), (1, 1), (3, 3))
    assert not between_vectors((2, 2.0000001), (1, 1), (3, 3))


@given(st.floats(0, TAU), st.floats(1e-9, TAU - 1e-9), st.floats(0, 1), st.floats(0.1, 10), st.floats(1e-9, 1e9))
@settings(deadline=None, max_examples=300)
def test_between_agrees_with_the_angles(
    start: float, spread: float, share: float, radius: float, length: float
) -> None:
    v1, v2 = at(start, length), at(start + spread)
    margin = min(1e-3 * spread, 1e-3 * (TAU - spread))
    inside = start + margin + share * (spread - 2 * margin)
    outside = start + spread + margin + share * (TAU - spread - 2 * margin)
    # Slivers below 1e-9 rad are resolved by the vectors, not by their angles.
    assert between_vectors(at(inside, radius), v1, v2) or margin < 1e-12
    assert not between_vectors(at(outside, radius), v1, v2) or margin < 1e-12
    assert between_vectors(v1, v1, v2)
    assert between_vectors(v2, v1, v2)


def original_between(p: Point, v1: Point, v2: Point) -> bool:
    """By the 2×2 inverse, as printed but with the right components of β."""
    determinant = v1[0] * v2[1] - v1[1] * v2[0]
    alpha = (v2[1] * p[0] - v2[0] * p[1]) / determinant
    beta = (-v1[1] * p[0] + v1[0] * p[1]) / determinant
    return alpha >= 0 and beta >= 0


def test_fault_c13_the_determinant_of_0_and_180_degrees_is_zero() -> None:
    for v2 in ((2.0, 0.0), (-2.0, 0.0)):
        with pytest.raises(ZeroDivisionError):
            original_between((3, 0), (1, 0), v2)
        assert between_vectors((3, 0), (1, 0), v2)


def test_fault_c13_above_180_degrees_the_wedge_is_the_gap() -> None:
    v1, v2 = at(0), at(1.5 * math.pi)
    for angle in (0.5, 2.0, 4.0):
        assert not original_between(at(angle), v1, v2)
        assert between_vectors(at(angle), v1, v2)
    assert original_between(at(5.5), v1, v2)
    assert not between_vectors(at(5.5), v1, v2)


def test_fault_c13_the_printed_beta_has_the_wrong_components() -> None:
    def printed_beta(p: Point, v1: Point, v2: Point) -> float:
        determinant = v1[0] * v2[1] - v1[1] * v2[0]
        return (-v1[0] * p[0] + v1[1] * p[1]) / determinant

    p, v1, v2 = (1.0, 2.0), (1.0, 0.0), (0.0, 1.0)  # p = 1·v1 + 2·v2
    assert printed_beta(p, v1, v2) == -1.0  # "not between"
    assert between_vectors(p, v1, v2)


def test_circle_meets_the_arc_the_edges_and_the_apex() -> None:
    fan = ((0, 0), 2, math.pi / 2, math.pi / 4)  # the first quadrant
    assert circle_fan((1, 1), 0.1, *fan)
    assert circle_fan(at(math.pi / 4, 2.4), 0.5, *fan)
    assert not circle_fan(at(math.pi / 4, 2.6), 0.5, *fan)
    assert circle_fan((1, -0.4), 0.5, *fan)
    assert not circle_fan((1, -0.5), 0.5, *fan)  # touches the lower edge
    assert not circle_fan((-0.5, 1), 0.5, *fan)  # touches the upper edge
    assert not circle_fan((-3, -4), 5, *fan)  # touches the apex
    assert circle_fan((-3, -4), 5.000000001, *fan)
    assert not circle_fan((5, -4), 5, *fan)  # touches the arc's end at (2, 0)
    assert circle_fan((5, -4), 5.000000001, *fan)
    assert not circle_fan((-1, -1), 0.5, *fan)


def test_full_fan_is_a_circle() -> None:
    for direction in (0.0, 1.0, math.pi):
        assert circle_fan((-2.9, 0), 1, (0, 0), 2, TAU, direction)
        assert not circle_fan((-3, 0), 1, (0, 0), 2, TAU, direction)
        assert circle_fan((-1.9, 0), 0.01, (0, 0), 2, TAU, direction)


def test_a_gap_or_a_sliver_of_a_billionth() -> None:
    for direction in (0.0, 1.0, -2.5):
        for tiny in (1e-9, 1e-12, 4e-16):
            behind, ahead = at(direction + math.pi), at(direction)
            assert circle_fan(ahead, 0.01, (0, 0), 2, tiny, direction)
            assert not circle_fan(behind, 0.99, (0, 0), 2, tiny, direction)
            assert not circle_fan(at(direction + 0.1), 0.09, (0, 0), 2, tiny, direction)
            assert circle_fan(behind, 0.01, (0, 0), 2, TAU - tiny, direction)
            assert circle_fan(ahead, 0.01, (0, 0), 2, TAU - tiny, direction)


def test_a_circle_in_the_gap_of_a_wide_fan() -> None:
    pacman = ((0, 0), 2, 1.5 * math.pi, 0.0)  # gap from 135° to 225°
    assert not circle_fan((-1.5, 0), 1, *pacman)
    assert circle_fan((-1.5, 0), 1.07, *pacman)  # the edges are 1.5·sin 45° = 1.0607 away
    assert circle_fan((0, 1.9), 0.01, *pacman)
    assert circle_fan((1, 0), 0.01, *pacman)


@given(
    st.tuples(st.floats(-4, 4), st.floats(-4, 4)),
    st.floats(0.05, 2),
    st.floats(0.2, 3),
    st.one_of(st.floats(1e-6, TAU), st.sampled_from([math.pi, math.pi / 2, TAU])),
    st.floats(-7, 7),
    st.sampled_from([1e-9, 1.0, 1e9]),
)
@settings(deadline=None, max_examples=300)
def test_circle_fan_agrees_with_a_sampled_outline(
    offset: Point, radius: float, fan_radius: float, spread: float, direction: float, scale: float
) -> None:
    steps = 300
    outline = [at(direction - spread / 2 + spread * k / steps, fan_radius) for k in range(steps + 1)]
    if spread < TAU:
        for edge in (outline[0], outline[-1]):
            outline += [(edge[0] * k / steps, edge[1] * k / steps) for k in range(steps)]
    spacing = fan_radius * max(spread, 1.0) / steps
    distance = min(math.dist(offset, point) for point in outline)
    turn = math.remainder(math.atan2(offset[1], offset[0]) - direction, TAU)
    inside = math.hypot(*offset) < fan_radius and (spread == TAU or abs(turn) < spread / 2)
    found = circle_fan(
        (offset[0] * scale, offset[1] * scale), radius * scale, (0, 0), fan_radius * scale, spread, direction
    )
    if distance < radius * (1 - 1e-9):
        assert found
    elif distance - spacing > radius:
        assert found == inside


def test_fault_c12_the_wedge_test_above_180_degrees() -> None:
    def original(center: Point, radius: float, fan_radius: float, start: Point, end: Point) -> bool:
        def cuts(edge: Point) -> bool:
            t = min(max(center[0] * edge[0] + center[1] * edge[1], 0.0), fan_radius)
            return math.dist(center, (t * edge[0], t * edge[1])) < radius

        reach = math.hypot(*center)
        in_wedge = original_between(center, start, end) and reach < radius + fan_radius
        return reach < radius or in_wedge or cuts(start) or cuts(end)

    start, end = at(0), at(1.5 * math.pi)
    filled, gap = at(2.0, 1.0), at(5.5, 1.5)
    assert not original(filled, 0.1, 2.0, start, end)
    assert original(gap, 0.1, 2.0, start, end)
    assert circle_fan(filled, 0.1, (0, 0), 2, 1.5 * math.pi, 0.75 * math.pi)
    assert not circle_fan(gap, 0.1, (0, 0), 2, 1.5 * math.pi, 0.75 * math.pi)


def test_fan_far_from_the_origin() -> None:
    far = 2.0**40
    assert not circle_fan((far + 1, far - 0.5), 0.5, (far, far), 2, math.pi / 2, math.pi / 4)
    assert circle_fan((far + 1, far - 0.5), 0.5 + 1e-9, (far, far), 2, math.pi / 2, math.pi / 4)
