"""C6: a circle against a convex polygon."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ecsphys.geometry.documented_tests import circle_polygon

Point = tuple[float, float]
TRIANGLE: list[Point] = [(0, 0), (4, 0), (0, 3)]
HEXAGON = [(2 * math.cos(k * math.pi / 3), 2 * math.sin(k * math.pi / 3)) for k in range(6)]
PENTAGRAM = [(math.cos(k * 4 * math.pi / 5), math.sin(k * 4 * math.pi / 5)) for k in range(5)]


@pytest.mark.parametrize("vertices", [TRIANGLE, TRIANGLE[::-1], TRIANGLE[1:] + TRIANGLE[:1]])
def test_circle_inside_beside_and_at_a_corner_in_either_winding(vertices: list[Point]) -> None:
    assert circle_polygon((1, 1), 0.001, vertices)  # inside, no edge near
    assert circle_polygon((2, -0.4), 0.5, vertices)
    assert not circle_polygon((2, -0.5), 0.5, vertices)  # touches an edge
    assert not circle_polygon((2 + 3, 1.5 + 4), 5, vertices)  # touches the slanted edge
    assert circle_polygon((2 + 3, 1.5 + 4), 5.000000001, vertices)
    assert not circle_polygon((7, -4), 5, vertices)  # touches the corner (4, 0)
    assert circle_polygon((7, -4), 5.000000001, vertices)
    assert not circle_polygon((9, 9), 1, vertices)


def test_a_circle_without_radius_is_a_point_and_the_boundary_is_outside() -> None:
    assert circle_polygon((1, 1), 0, TRIANGLE)
    for boundary in ((2, 0), (0, 0), (4, 0), (2, 1.5)):
        assert not circle_polygon(boundary, 0, TRIANGLE)


@pytest.mark.parametrize(
    "vertices",
    [
        [],
        [(0, 0)],
        [(0, 0), (1, 0)],
        [(0, 0), (1, 1), (2, 2)],  # on one line
        [(0, 0), (2, 0), (1, 0), (3, 0)],
        [(0, 0), (4, 0), (1, 1), (0, 4)],  # a dent
        [(0, 0), (1, 1), (1, 0), (0, 1)],  # crosses itself
        PENTAGRAM,  # turns one way only, but goes round twice
        HEXAGON + HEXAGON,
        [(1, 1)] * 4,
    ],
)
def test_what_is_no_convex_polygon_is_refused(vertices: list[Point]) -> None:
    with pytest.raises(ValueError, match="vertices"):
        circle_polygon((0, 0), 1, vertices)


def test_vertices_in_line_or_repeated_are_harmless() -> None:
    square = [(0, 0), (1, 0), (2, 0), (2, 2), (2, 2), (0, 2)]
    assert circle_polygon((1, 1), 0.1, square)
    assert not circle_polygon((1, -0.5), 0.5, square)


near_tenths = st.builds(lambda k, ulps: 0.1 * k + ulps * 2.0**-54, st.integers(-10, 10), st.integers(-3, 3))


@given(*[st.tuples(near_tenths, near_tenths)] * 4)
@settings(deadline=None, max_examples=300)
def test_centre_inside_is_exact_in_sign(a: Point, b: Point, c: Point, p: Point) -> None:
    def side(u: Point, v: Point, w: Point) -> Fraction:
        ux, uy, vx, vy, wx, wy = map(Fraction, (*u, *v, *w))
        return (vx - ux) * (wy - uy) - (vy - uy) * (wx - ux)

    area = side(a, b, c)
    if area == 0:
        with pytest.raises(ValueError, match="vertices"):
            circle_polygon(p, 0, [a, b, c])
        return
    for q in (p, (0.5 * a[0] + 0.5 * b[0], 0.5 * a[1] + 0.5 * b[1])):  # the second all but on an edge
        expected = all(side(u, v, q) * area > 0 for u, v in ((a, b), (b, c), (c, a)))
        assert circle_polygon(q, 0, [a, b, c]) == expected


@given(
    st.lists(st.floats(0, 2 * math.pi), min_size=3, max_size=9, unique=True),
    st.tuples(st.floats(-4, 4), st.floats(-4, 4)),
    st.floats(0.05, 2),
    st.sampled_from([1e-9, 1.0, 1e9]),
    st.booleans(),
)
@settings(deadline=None)
def test_agrees_with_distances_to_the_edges(
    angles: list[float], center: Point, radius: float, scale: float, clockwise: bool
) -> None:
    vertices = [(2 * math.cos(angle), math.sin(angle)) for angle in sorted(angles)]
    assume(min(math.dist(a, b) for a, b in zip(vertices, vertices[1:] + vertices[:1], strict=True)) >= 1e-3)
    p = complex(*center)
    corners = [complex(*v) for v in vertices]
    distance = math.inf
    inside = True
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        along = ((p - a) / (b - a)).real
        distance = min(distance, abs(p - (a + min(max(along, 0), 1) * (b - a))))
        inside = inside and ((p - a) / (b - a)).imag > 0
    if abs(distance - radius) > 1e-9:
        scaled = [(x * scale, y * scale) for x, y in (vertices[::-1] if clockwise else vertices)]
        center = (center[0] * scale, center[1] * scale)
        assert circle_polygon(center, radius * scale, scaled) == (inside or distance < radius)


def test_far_from_the_origin() -> None:
    far = 2.0**40
    moved = [(x + far, y + far) for x, y in TRIANGLE]
    assert not circle_polygon((far + 5, far + 5.5), 5, moved)
    assert circle_polygon((far + 5, far + 5.5), 5 + 1e-9, moved)


def test_fault_c6_edges_stored_backwards_miss_the_circle() -> None:
    def original_edge_cut(center: Point, radius: float, vertices: list[Point]) -> bool:
        """Edge vectors vᵢ − vᵢ₊₁, yet used as if they led from vᵢ to vᵢ₊₁."""
        for (ax, ay), (bx, by) in zip(vertices, vertices[1:] + vertices[:1], strict=True):
            ex, ey = ax - bx, ay - by
            t = min(max(((center[0] - ax) * ex + (center[1] - ay) * ey) / (ex * ex + ey * ey), 0), 1)
            if math.hypot(ax + t * ex - center[0], ay + t * ey - center[1]) < radius:
                return True
        return False

    below_the_middle_of_an_edge = (2.0, -0.3)
    assert not original_edge_cut(below_the_middle_of_an_edge, 0.5, TRIANGLE)
    assert circle_polygon(below_the_middle_of_an_edge, 0.5, TRIANGLE)


def test_fault_c6_the_angle_sum_needs_a_tolerance() -> None:
    def original_inside(p: Point, vertices: list[Point], tolerance: float) -> bool:
        total = 0.0
        for (ax, ay), (bx, by) in zip(vertices, vertices[1:] + vertices[:1], strict=True):
            ax, ay, bx, by = ax - p[0], ay - p[1], bx - p[0], by - p[1]
            total += math.degrees(math.atan2(ax * by - ay * bx, ax * bx + ay * by))
        return abs(abs(total) - 360) <= tolerance

    # Without tolerance rounding decides: on a grid of points inside, some sums are not 360.
    inside = [(0.05 * i, 0.05 * j) for i in range(1, 30) for j in range(1, 30)]
    assert not all(original_inside(p, TRIANGLE, 0.0) for p in inside)
    assert all(circle_polygon(p, 0, TRIANGLE) for p in inside)
    # On an edge the signed angle is +180° or −180° by the sign of a zero: one point of the boundary counts, one not.
    slanted, level = (2.0, 1.5), (2.0, 0.0)
    assert original_inside(slanted, TRIANGLE, 0.1)
    assert not original_inside(level, TRIANGLE, 0.1)
    assert not circle_polygon(slanted, 0, TRIANGLE)
    assert not circle_polygon(level, 0, TRIANGLE)


def test_fault_c6_fewer_than_three_vertices_only_log() -> None:
    logged: list[str] = []

    def original(center: Point, radius: float, vertices: list[Point]) -> bool:
        if len(vertices) < 3:
            logged.append("needs three vertices")
        edges = zip(vertices, vertices[1:] + vertices[:1], strict=True)
        return any(math.dist(center, a) < radius or math.dist(center, b) < radius for a, b in edges)

    assert original((0, 0), 1, [(0, 0.5), (3, 3)])  # goes on, and answers
    assert logged
    with pytest.raises(ValueError, match="at least 3"):
        circle_polygon((0, 0), 1, [(0, 0.5), (3, 3)])
