"""C9: lines, rays and segments against an axis-aligned rectangle."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ecsphys.geometry.documented_tests import line_aabb, ray_aabb, segment_aabb

BOX = ((0, 0), (4, 2))
Point = tuple[float, float]


def test_line_crosses_at_any_t() -> None:
    assert line_aabb((-1, 1), (1, 0), *BOX) == (1.0, 5.0)
    assert line_aabb((10, 1), (1, 0), *BOX) == (-10.0, -6.0)
    assert line_aabb((-1, 1), (2, 0), *BOX) == (0.5, 2.5)  # t in units of the direction
    assert line_aabb((-1, 3), (1, 0), *BOX) is None
    assert line_aabb((1, 5), (0, -1), *BOX) == (3.0, 5.0)


def test_ray_starts_at_zero_also_inside() -> None:
    assert ray_aabb((-1, 1), (1, 0), *BOX) == (1.0, 5.0)
    assert ray_aabb((1, 1), (1, 0), *BOX) == (0.0, 3.0)
    assert ray_aabb((10, 1), (1, 0), *BOX) is None
    assert ray_aabb((-1, 0), (1, 1), *BOX) == (1.0, 2.0)


def test_segment_ends_at_one() -> None:
    assert segment_aabb((-1, 1), (9, 1), *BOX) == (0.1, 0.5)
    assert segment_aabb((-1, 1), (1, 1), *BOX) == (0.5, 1.0)
    assert segment_aabb((1, 1), (2, 1.5), *BOX) == (0.0, 1.0)
    assert segment_aabb((-3, 1), (-1, 1), *BOX) is None
    assert segment_aabb((-1, 1), (0, 1), *BOX) is None  # ends on the boundary


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_directions_along_an_axis(zero: float) -> None:
    assert ray_aabb((-1, 1), (1, zero), *BOX) == (1.0, 5.0)
    assert ray_aabb((1, -1), (zero, 1), *BOX) == (1.0, 3.0)
    assert ray_aabb((-1, 2), (1, zero), *BOX) is None  # along the top
    assert ray_aabb((0, -1), (zero, 1), *BOX) is None  # along the left
    assert ray_aabb((-1, 5), (1, zero), *BOX) is None


def test_ray_from_the_boundary() -> None:
    assert ray_aabb((0, 1), (1, 0), *BOX) == (0.0, 4.0)
    assert ray_aabb((0, 1), (-1, 0), *BOX) is None
    assert ray_aabb((0, 1), (0, 1), *BOX) is None
    near, _ = ray_aabb((4, 1), (-1, 0), *BOX) or (None, None)
    assert str(near) == "0.0"  # not −0


def test_passing_a_corner_is_no_hit() -> None:
    assert line_aabb((3, 3), (1, -1), *BOX) is None
    assert segment_aabb((-1, 1), (1, -1), *BOX) is None
    assert line_aabb((3, 3 - 1e-9), (1, -1), *BOX) is not None


def exact_interval(
    p: Point, direction: tuple[Fraction, Fraction], low: Point, high: Point, near: float, far: float
) -> tuple[Fraction, Fraction] | None:
    """The slabs in rational numbers; ±1e30 stands for no limit."""
    t_near, t_far = Fraction(near), Fraction(far)
    for axis in (0, 1):
        position, d = Fraction(p[axis]), direction[axis]
        if d == 0:
            if not Fraction(low[axis]) < position < Fraction(high[axis]):
                return None
            continue
        ends = sorted([(Fraction(low[axis]) - position) / d, (Fraction(high[axis]) - position) / d])
        t_near, t_far = max(t_near, ends[0]), min(t_far, ends[1])
    return (t_near, t_far) if t_near < t_far else None


small = st.integers(-6, 6).map(float)


@given(small, small, small, small, small, small, st.integers(1, 6), st.integers(1, 6))
@settings(deadline=None, max_examples=300)
def test_small_integers_are_decided_exactly(
    px: float, py: float, qx: float, qy: float, low_x: float, low_y: float, width: int, height: int
) -> None:
    assume((px, py) != (qx, qy))
    low, high = (low_x, low_y), (low_x + width, low_y + height)
    direction = (Fraction(qx - px), Fraction(qy - py))
    for found, limits in (
        (segment_aabb((px, py), (qx, qy), low, high), (0.0, 1.0)),
        (ray_aabb((px, py), (qx - px, qy - py), low, high), (0.0, 1e30)),
        (line_aabb((px, py), (qx - px, qy - py), low, high), (-1e30, 1e30)),
    ):
        expected = exact_interval((px, py), direction, low, high, *limits)
        assert found == (None if expected is None else (float(expected[0]), float(expected[1])))


real = st.floats(-100, 100)


@given(st.tuples(real, real), st.tuples(real, real), st.tuples(real, real), st.floats(1e-3, 50), st.floats(1e-3, 50))
@settings(deadline=None, max_examples=300)
def test_slabs_agree_with_rational_numbers(p: Point, q: Point, low: Point, width: float, height: float) -> None:
    assume(p != q)
    high = (low[0] + width, low[1] + height)
    exact = (Fraction(q[0]) - Fraction(p[0]), Fraction(q[1]) - Fraction(p[1]))
    expected = exact_interval(p, exact, low, high, 0.0, 1.0)
    found = segment_aabb(p, q, low, high)
    if expected is None:
        assert found is None or found[1] - found[0] < 1e-12
    elif expected[1] - expected[0] > Fraction(1, 10**12):
        assert found == pytest.approx((float(expected[0]), float(expected[1])), rel=1e-12, abs=1e-12)


def test_far_and_tiny_rectangles() -> None:
    far = 2.0**40
    assert ray_aabb((far - 1, far + 1), (1, 0), (far, far), (far + 4, far + 2)) == (1.0, 5.0)
    tiny = 2.0**-40
    assert ray_aabb((-tiny, tiny), (1, 0), (0, 0), (4 * tiny, 2 * tiny)) == (tiny, 5 * tiny)
    assert ray_aabb((-1, 1), (1e-300, 0), *BOX) == pytest.approx((1e300, 5e300))


def original_slabs(p: Point, d: Point) -> tuple[float, float] | None:
    """The page's slab code for the rectangle (0, 0)–(4, 2): divides by every direction, and knows no far end."""

    def inverse(x: float) -> float:
        return math.copysign(math.inf, x) if x == 0.0 else 1.0 / x

    def lesser(a: float, b: float) -> float:
        return a if a < b else b

    def greater(a: float, b: float) -> float:
        return a if a > b else b

    t_near, t_far = 0.0, math.inf
    for position, direction, low, high in ((p[0], d[0], 0.0, 4.0), (p[1], d[1], 0.0, 2.0)):
        t_1 = (low - position) * inverse(direction)
        t_2 = (high - position) * inverse(direction)
        t_near = greater(t_near, lesser(t_1, t_2))
        t_far = lesser(t_far, greater(t_1, t_2))
    return None if t_near > t_far else (t_near, t_far)


def test_fault_c9_zero_direction_on_the_boundary_gives_nan() -> None:
    assert original_slabs((-1, 1), (1, 0)) == (1.0, 5.0)
    along_the_top = ((-1.0, 2.0), (1.0, 0.0))
    found = original_slabs(*along_the_top)
    assert found is not None  # 0·∞ is NaN, with which every comparison is false: a hit
    assert math.isnan(found[0])
    assert ray_aabb(*along_the_top, *BOX) is None
    assert line_aabb(*along_the_top, *BOX) is None


def test_fault_c9_the_segments_far_end_is_not_checked() -> None:
    p, q = (-10.0, 1.0), (-8.0, 1.0)
    assert original_slabs(p, (q[0] - p[0], q[1] - p[1])) == (5.0, 7.0)  # beyond t = 1, yet found
    assert segment_aabb(p, q, *BOX) is None
