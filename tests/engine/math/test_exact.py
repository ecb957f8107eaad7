"""Exact arithmetic against rational numbers."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from ecsphys.engine.math.rounding import (
    closer_than,
    cross,
    cross_sign,
    less_than_sum,
    orientation,
    two_product,
    two_sum,
)

# Wide in magnitude, yet no product of two leaves the range; and a grid of neighbours, where ties are common.
wide = st.floats(-1e60, 1e60).filter(lambda x: x == 0.0 or abs(x) > 1e-60)
close = st.builds(lambda k, ulps: 0.1 * k + ulps * 2.0**-53, st.integers(-8, 8), st.integers(-2, 2))
numbers = st.one_of(wide, close)


def sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


@given(numbers, numbers)
@settings(deadline=None)
def test_sum_and_product_with_their_tails_are_exact(a: float, b: float) -> None:
    total, tail = two_sum(a, b)
    assert Fraction(total) + Fraction(tail) == Fraction(a) + Fraction(b)
    assert total == a + b
    product, tail = two_product(a, b)
    assert Fraction(product) + Fraction(tail) == Fraction(a) * Fraction(b)
    assert product == a * b


@given(numbers, numbers, numbers)
@settings(deadline=None)
def test_comparison_with_a_sum_is_exact(value: float, a: float, b: float) -> None:
    for x in (value, a + b):
        assert less_than_sum(x, a, b) == (Fraction(x) < Fraction(a) + Fraction(b))
        assert less_than_sum(-x, -a, -b) == (Fraction(x) > Fraction(a) + Fraction(b))


@given(numbers, numbers, numbers, numbers, st.floats(0.01, 100))
@settings(deadline=None)
def test_cross_product_has_the_exact_sign_and_no_cancellation(
    ax: float, ay: float, bx: float, by: float, scale: float
) -> None:
    for x, y in ((bx, by), (scale * ax, scale * ay)):  # the second all but parallel
        expected = Fraction(ax) * Fraction(y) - Fraction(ay) * Fraction(x)
        assert cross_sign(ax, ay, x, y) == sign(expected)
        assert abs(Fraction(cross(ax, ay, x, y)) - expected) <= abs(expected) * Fraction(1, 10**15)


@given(*[close] * 6)
@settings(deadline=None)
def test_orientation_of_nearly_collinear_points_is_exact(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float
) -> None:
    def expected(x: float, y: float) -> int:
        left = (Fraction(ax) - Fraction(x)) * (Fraction(by) - Fraction(y))
        return sign(left - (Fraction(ay) - Fraction(y)) * (Fraction(bx) - Fraction(x)))

    assert orientation(ax, ay, bx, by, cx, cy) == expected(cx, cy)
    middle_x, middle_y = ax + 0.3 * (bx - ax), ay + 0.3 * (by - ay)
    assert orientation(ax, ay, bx, by, middle_x, middle_y) == expected(middle_x, middle_y)


def test_orientation_where_plain_floats_fail() -> None:
    # Points on y = x, moved by single units in the last place.
    def plain(ax: float, ay: float, bx: float, by: float, cx: float, cy: float) -> float:
        return (ax - cx) * (by - cy) - (ay - cy) * (bx - cx)

    points = (0.5 + 2.0**-53, 0.5, 12.0, 12.0, 24.0, 24.0)
    assert plain(*points) == 0.0
    assert orientation(*points) == -1 == sign(Fraction(points[1]) - Fraction(points[0]))


@given(close, close, close, close, close.map(abs))
@settings(deadline=None)
def test_comparison_of_a_distance_is_exact(ax: float, ay: float, bx: float, by: float, reach: float) -> None:
    x, x_tail = two_sum(bx, -ax)
    y, y_tail = two_sum(by, -ay)
    squared = (Fraction(bx) - Fraction(ax)) ** 2 + (Fraction(by) - Fraction(ay)) ** 2
    for limit in (reach, (x * x + y * y) ** 0.5):  # the second all but equal
        assert closer_than(x, x_tail, y, y_tail, limit, 0.0) == (squared < Fraction(limit) ** 2)


def test_distances_beyond_the_range_of_squares_are_still_far() -> None:
    assert not closer_than(1e200, 0.0, 1e200, 0.0, 1.0, 0.0)
