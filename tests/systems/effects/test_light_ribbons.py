"""Ribbons along polylines (row D7): full width where the bend is gentle, no fold where it is tight."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from numpy import float64
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray

from ecsphys.engine.effects.strips import point_limit, ribbon_strips, segment_limit, strip_triangles

Points = NDArray[float64]


def ribbon(points: Points, width: float = 1.0, reach: float | None = None) -> Points:
    """Rungs (n, 2, 2) of one ribbon: left end, right end."""
    limits = None if reach is None else np.array((reach,))
    vertices, _ = ribbon_strips(np.asarray(points, float64), np.array((len(points),)), np.array((width,)), limits)
    return vertices.reshape(-1, 2, 2)


def uncut_ribbon(points: Points, width: float = 1.0) -> Points:
    """The fault: quads built on the normals, whatever the bend."""
    steps = np.diff(points, axis=0)
    steps /= np.hypot(*steps.T)[:, None]
    along = np.concatenate((steps[:1], steps[1:] + steps[:-1], steps[-1:]))
    along /= np.hypot(*along.T)[:, None]
    across = np.column_stack((-along[:, 1], along[:, 0]))
    return np.stack((points + 0.5 * width * across, points - 0.5 * width * across), axis=1)


def triangle_areas(rungs: Points) -> NDArray[float64]:
    a, b, c = np.moveaxis(rungs.reshape(-1, 2)[strip_triangles(np.array((len(rungs),)))], 1, 0)
    result: NDArray[float64] = 0.5 * ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])
    return result


def quads_of(rungs: Points) -> Points:
    """Corners (n − 1, 4, 2), counter-clockwise."""
    return np.stack((rungs[:-1, 0], rungs[:-1, 1], rungs[1:, 1], rungs[1:, 0]), axis=1)


def area_of(corners: list[tuple[float, float]]) -> float:
    return 0.5 * sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(corners, corners[1:] + corners[:1], strict=True))


def overlap_area(one: Points, other: Points) -> float:
    """Area common to two convex quads: one is cut by each side of the other (Sutherland and Hodgman)."""
    corners = [(float(x), float(y)) for x, y in one]
    for (ax, ay), (bx, by) in zip(other.tolist(), np.roll(other, -1, axis=0).tolist(), strict=True):
        if ax == bx and ay == by:
            continue
        sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in corners]
        cut = []
        for k, (corner, side) in enumerate(zip(corners, sides, strict=True)):
            before, side_before = corners[k - 1], sides[k - 1]
            if (side >= 0.0) != (side_before >= 0.0):
                share = side_before / (side_before - side)
                cut.append(tuple(p + share * (q - p) for p, q in zip(before, corner, strict=True)))
            if side >= 0.0:
                cut.append(corner)
        corners = [(x, y) for x, y in cut]
        if len(corners) < 3:
            return 0.0
    return abs(area_of(corners))


def worst_overlap(rungs: Points) -> float:
    """The largest area that two quads of a ribbon have in common."""
    quads = quads_of(rungs)
    low, high = quads.min(axis=1), quads.max(axis=1)
    near = ((low[:, None] < high[None]) & (low[None] < high[:, None])).all(axis=2)
    return max((overlap_area(quads[i], quads[j]) for i, j in np.argwhere(near) if i < j), default=0.0)


def crosses_itself(points: Points) -> bool:
    def side(a: Points, b: Points, c: Points) -> float:
        return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

    segments = list(pairwise(points))
    return any(
        side(a, b, c) * side(a, b, d) <= 0.0 and side(c, d, a) * side(c, d, b) <= 0.0
        for i, (a, b) in enumerate(segments)
        for c, d in segments[i + 2 :]
    )


def random_lines(spacing: float, turn: float, hairpins: float, count: int) -> Iterator[Points]:
    """Random walks that do not cross themselves; a share of their joints are bends of a right angle to a half turn."""
    rng = np.random.default_rng(7)
    while count:
        turns = rng.uniform(-turn, turn, 14)
        sharp = rng.random(14) < hairpins
        turns[sharp] = rng.choice((-1.0, 1.0), sharp.sum()) * rng.uniform(0.5, 1.0, sharp.sum()) * math.pi
        heading = np.cumsum(turns)
        steps = spacing * rng.uniform(0.5, 1.0, 14)[:, None] * np.column_stack((np.cos(heading), np.sin(heading)))
        points = np.concatenate((np.zeros((1, 2)), np.cumsum(steps, axis=0)))
        if not crosses_itself(points):
            count -= 1
            yield points


# Spacing of the points in widths, the usual turn at a joint, the share of hairpins.
LINES = [(0.2, 0.5, 0.0), (0.2, 0.5, 0.1), (0.2, 1.5, 0.1), (0.5, 0.5, 0.0), (0.5, 1.0, 0.15), (1.5, 1.0, 0.15)]


@pytest.mark.parametrize(("spacing", "turn", "hairpins"), LINES)
def test_no_quad_turns_over_and_none_overlaps_another(spacing: float, turn: float, hairpins: float) -> None:
    for points in random_lines(spacing, turn, hairpins, 40):
        rungs = ribbon(points, reach=math.inf)
        assert (triangle_areas(rungs) >= -1e-15).all()
        assert worst_overlap(rungs) < 1e-12


def test_the_same_lines_without_the_cut_fold_over_themselves() -> None:
    """The measures above do see the fault."""
    flipped = overlapping = total = 0
    for points in random_lines(0.2, 0.5, 0.1, 40):
        rungs = uncut_ribbon(points)
        total += 1
        flipped += bool((triangle_areas(rungs) < -1e-9).any())
        overlapping += worst_overlap(rungs) > 1e-3
    assert flipped > 0.7 * total
    assert overlapping > 0.7 * total


def test_every_rung_stands_at_its_point_and_is_no_longer_than_the_mitre_allows() -> None:
    for points in random_lines(0.5, 1.0, 0.15, 40):
        rungs = ribbon(points)
        for end in (0, 1):
            assert (np.hypot(*(rungs[:, end] - points).T) <= 0.5 * 1.25 + 1e-12).all()
        left, right = rungs[:, 0] - points, rungs[:, 1] - points
        assert_allclose(left[:, 0] * right[:, 1] - left[:, 1] * right[:, 0], 0.0, atol=1e-12)


def test_a_straight_line_has_the_full_width() -> None:
    points = np.column_stack((np.arange(6.0), np.zeros(6)))
    rungs = ribbon(points, width=3.0)
    assert_array_equal(rungs[:, 0], points + np.array((0.0, 1.5)))
    assert_array_equal(rungs[:, 1], points - np.array((0.0, 1.5)))


@pytest.mark.parametrize("radius", [0.6, 1.0, 5.0])
def test_a_gentle_bend_keeps_the_full_width(radius: float) -> None:
    """Measured across each quad: both borders are parallel to the line, one width apart, also at radius 0.6 widths."""
    angle = np.linspace(0.0, math.pi / 2.0, 9)
    points = radius * np.column_stack((np.cos(angle), np.sin(angle)))
    rungs = ribbon(points, width=1.0)[1:-1]
    along = np.diff(points[1:-1], axis=0)
    across = np.column_stack((-along[:, 1], along[:, 0])) / np.hypot(*along.T)[:, None]
    for rung in (rungs[:-1], rungs[1:]):
        assert_allclose(((rung[:, 0] - rung[:, 1]) * across).sum(axis=1), 1.0, rtol=1e-12)


@pytest.mark.parametrize("radius", [0.1, 0.3, 0.45])
def test_a_bend_tighter_than_half_the_width_stops_short_of_its_centre(radius: float) -> None:
    """Inner ends a ninth of the radius from the centre or little more, the outer side at its full width.

    The next side but one of a polygon of radius R, whose sides turn by φ, is R·cos(φ/2) from its centre, with its
    normal at an angle of 3φ/2. A ball at R − t from the centre touches it where R·cos(φ/2) − (R − t)·cos(3φ/2) = t.
    For small φ, t tends to 8/9 R.
    """
    angle = np.linspace(0.0, math.pi, 13)
    points = radius * np.column_stack((np.cos(angle), np.sin(angle)))
    rungs = ribbon(points, width=1.0)[1:-1]
    turn = math.pi / 12
    reached = radius * (math.cos(turn / 2) - math.cos(1.5 * turn)) / (1.0 - math.cos(1.5 * turn))
    assert reached == pytest.approx(8.0 / 9.0 * radius, rel=0.01)
    assert_allclose(rungs[:, 0], points[1:-1] * (1.0 - reached / radius), atol=1e-12)
    mitre = 0.5 / math.cos(math.pi / 24)
    assert_allclose(np.hypot(*rungs[:, 1].T), radius + mitre, rtol=1e-12)  # outer ends: the full half width
    assert worst_overlap(ribbon(points)) < 1e-12


def test_the_arms_of_a_hairpin_share_the_space_between_them() -> None:
    """Arms half a width apart: a quarter for each, the full half width outside."""
    there = np.column_stack((np.arange(0.0, 3.1, 0.25), np.zeros(13)))
    back = there[::-1] + np.array((0.0, 0.5))
    rungs = ribbon(np.concatenate((there, back)), reach=math.inf)
    arm = rungs[2:10]
    assert_allclose(arm[:, 0, 1], 0.25, rtol=1e-12)
    assert_allclose(arm[:, 1, 1], -0.5, rtol=1e-12)
    assert worst_overlap(rungs) < 1e-12


def test_a_line_that_turns_back_on_itself_keeps_its_outside_only() -> None:
    """An exact half turn counts as one to the left, on both arms: the right half of each is the other's left."""
    points = np.array(((0.0, 0), (1, 0), (2, 0), (3, 0), (2, 0), (1, 0), (0, 0)))
    rungs = ribbon(points, reach=math.inf)
    assert_allclose(rungs[[1, 2], 0], points[[1, 2]], atol=1e-15)
    assert_allclose(rungs[[1, 2], 1], points[[1, 2]] - (0.0, 0.5), atol=1e-15)
    assert_allclose(rungs[[4, 5], 1], points[[4, 5]] + (0.0, 0.5), atol=1e-15)
    assert worst_overlap(rungs) < 1e-12
    assert (triangle_areas(rungs) >= 0.0).all()


def test_a_line_that_crosses_itself_much_later_is_not_pinched() -> None:
    """A loop of radius 3 widths crosses itself beyond the reach of 4 widths, at full width."""
    angle = np.linspace(-0.5 * math.pi, 2.0 * math.pi, 80)
    rungs = ribbon(3.0 * np.column_stack((np.cos(angle), np.sin(angle))))
    assert_allclose(np.hypot(*(rungs[:, 0] - rungs[:, 1]).T), 1.0, rtol=1e-2)


def test_equal_points_share_a_rung_and_one_point_has_a_rung_too() -> None:
    points = np.array(((0.0, 0), (0, 0), (1, 0), (1, 0), (1, 1), (1, 1)))
    rungs = ribbon(points)
    assert_array_equal(rungs[[0, 2, 4]], rungs[[1, 3, 5]])
    assert_array_equal(rungs[[0, 2, 4]], ribbon(points[::2]))
    assert ribbon(np.ones((3, 2))).tolist() == [[[1, 1.5], [1, 0.5]]] * 3


def test_several_ribbons_at_once_are_each_as_alone() -> None:
    lines = list(random_lines(0.5, 1.0, 0.15, 5))
    widths = np.array((1.0, 0.5, 2.0, 0.1, 1.0))
    vertices, lengths = ribbon_strips(np.concatenate(lines), np.full(5, 15), widths)
    for k, (points, width) in enumerate(zip(lines, widths, strict=True)):
        assert_allclose(vertices.reshape(5, 15, 2, 2)[k], ribbon(points, width), atol=1e-14)
        expected = np.concatenate(((0.0,), np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
        assert_allclose(lengths.reshape(5, 15)[k], expected, atol=1e-12)


def test_the_touching_ball_by_numbers() -> None:
    """Through (3, 1) and touching the x axis at the origin: 9 + (1 − t)² = t², so t = 5."""
    assert point_limit(3.0, 1.0, 0.0, 1.0) == 5.0
    assert point_limit(3.0, -1.0, 0.0, 1.0) == math.inf
    # A wall at x = 2: the ball above the origin reaches it with t = 2, at (2, 2), if the wall is that high.
    assert segment_limit(2.0, 0.0, 2.0, 9.0, 0.0, 1.0, 1.0) == 2.0
    assert segment_limit(2.0, 3.0, 2.0, 9.0, 0.0, 1.0, 1.0) == pytest.approx(13.0 / 6.0)
    # A ceiling at height 3: t is half of it.
    assert segment_limit(-1.0, 3.0, 5.0, 3.0, 0.0, 1.0, 1.0) == 1.5
    assert segment_limit(-1.0, 3.0, 5.0, 3.0, 0.0, 1.0, -1.0) == math.inf
