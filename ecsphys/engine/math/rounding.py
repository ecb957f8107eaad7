"""Arithmetic without rounding errors, for the decisions that must not depend on them; and how far rounding can go.

The sum or product of two floats is itself the sum of two floats: the rounded result and its *tail*, the rounding
error, both computable (Dekker, "A floating-point technique for extending the available precision", 1971; Knuth,
TAOCP 2, 4.2.2). They hold while no product leaves float64's range: for magnitudes of 1e-140 to 1e150, and 0.

The comparisons are for Python alone. Each first tries plain floats, with a bound on their error: only near a tie it
takes fractions of whole numbers, which are exact at any size, but slow.

How far rounding can put a separation off, and by what shapes of extreme sizes are scaled: a separation f(n) = h_A(n) +
h_B(−n) is computed from vertices and normals of two placed hulls. With u = 2⁻⁵³, the shapes' extents r_a and r_b, and
the offset d between their centres, no number in it exceeds S = r_a + |d| + r_b. To turn and move a vertex costs up to
5u of its coordinates, normals are off by up to 4u, dot products by 2u, the last sum by u: about 12u · S in all, and in
practice a quarter of that. With L the largest of r_a + r_b, |d_x| and |d_y|, S ≤ (1 + √2) L. So f is off by less than
29u · L < 2 · TOUCHING · L.

Points in a shape, projections on it and rays against it are computed in plain float64: products of two of the shape's
own lengths, and of one with the distance of a point. With the size e of the shape and the distance p of the point, all
of these stay in float64's range where max(e, 1e-158 · p) is between 1e-140 and 1e70; elsewhere both are scaled by a
power of two, which rounds nothing, until that is about 1. (The square of p may overflow: it is only compared with the
shape's.)
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ecsphys.engine.kernels import scalar

if TYPE_CHECKING:
    from fractions import Fraction


# 2^27 + 1: multiplying by it splits a float's 53 bits into two halves of at most 26 bits.
_SPLITTER = 134217729.0

# Shewchuk's bound on the relative error of a 2×2 determinant of differences, (3 + 16ε)ε with ε = 2^-53 ("Adaptive
# precision floating-point arithmetic and fast robust geometric predicates", 1997).
_ORIENTATION_ERROR = 3.3306690738754716e-16

# Bound on the relative error of x² + y² and of r², each from operands rounded once: 8 roundings, generously.
_SQUARES_ERROR = 2e-15


@scalar
def two_sum(a: float, b: float) -> tuple[float, float]:
    """a + b without error: the rounded sum, and its tail."""
    total = a + b
    b_in_total = total - a
    return total, (a - (total - b_in_total)) + (b - b_in_total)


@scalar
def two_product(a: float, b: float) -> tuple[float, float]:
    """a · b without error: the rounded product, and its tail."""
    product = a * b
    shifted = _SPLITTER * a
    a_high = shifted - (shifted - a)
    a_low = a - a_high
    shifted = _SPLITTER * b
    b_high = shifted - (shifted - b)
    b_low = b - b_high
    return product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)


@scalar
def cross(ax: float, ay: float, bx: float, by: float) -> float:
    """Cross product a × b, accurate to the last bits also where its two products cancel."""
    left, left_tail = two_product(ax, by)
    right, right_tail = two_product(ay, bx)
    return (left - right) + (left_tail - right_tail)


def _fractions(*numbers: float) -> list[Fraction]:
    from fractions import Fraction  # most programs never need it

    return [Fraction(number) for number in numbers]


def less_than_sum(value: float, a: float, b: float) -> bool:
    """Whether value < a + b, exact. (a + b < value is ``less_than_sum(-value, -a, -b)``.)"""
    total = a + b
    if value != total:
        return value < total
    exact_value, exact_a, exact_b = _fractions(value, a, b)
    return exact_value < exact_a + exact_b


def cross_sign(ax: float, ay: float, bx: float, by: float) -> int:
    """Sign of the cross product a × b, exact: 1 where b lies to the left of a."""
    # Rounding keeps order, so unequal rounded products decide.
    if ax * by != ay * bx:
        return 1 if ax * by > ay * bx else -1
    return orientation(ax, ay, bx, by, 0.0, 0.0)


def orientation(ax: float, ay: float, bx: float, by: float, cx: float, cy: float) -> int:
    """Sign of (a − c) × (b − c), exact: 1 where a, b, c run counter-clockwise, 0 where they lie on one line."""
    left = (ax - cx) * (by - cy)
    right = (ay - cy) * (bx - cx)
    error = _ORIENTATION_ERROR * (abs(left) + abs(right))
    if abs(left - right) > error:
        return 1 if left > right else -1
    a_x, a_y, b_x, b_y, c_x, c_y = _fractions(ax, ay, bx, by, cx, cy)
    determinant = (a_x - c_x) * (b_y - c_y) - (a_y - c_y) * (b_x - c_x)
    return (determinant > 0) - (determinant < 0)


def closer_than(x: float, x_tail: float, y: float, y_tail: float, reach: float, reach_tail: float) -> bool:
    """Whether x² + y² < reach², exact; each number is given as a float and its tail (0 where it has none)."""
    squared = x * x + y * y
    limit = reach * reach
    if squared > limit * (1.0 + _SQUARES_ERROR):
        return False
    if squared < limit * (1.0 - _SQUARES_ERROR):
        return True
    if max(abs(x), abs(y), reach) == math.inf:
        return False  # beyond all numbers
    high_x, low_x, high_y, low_y, high, low = _fractions(x, x_tail, y, y_tail, reach, reach_tail)
    exact_x, exact_y, exact_reach = high_x + low_x, high_y + low_y, high + low
    return exact_x * exact_x + exact_y * exact_y < exact_reach * exact_reach


# Depths up to this part of the shapes' size cannot be told from touching, which is no contact.
TOUCHING = 8.0 * 2.0**-52


@scalar
def rounding_slop(size_a: float, size_b: float, x: float, y: float) -> float:
    """The rounding error to reckon with in separations of hulls with these extents, the second at (x, y) from the
    first; at the very most, it is twice as much.
    """
    return TOUCHING * max(size_a + size_b, abs(x), abs(y))


_SMALLEST, _LARGEST = 1e-140, 1e70
_WEIGHT_OF_DISTANCE = 1e-158


@scalar
def power_of_two_scale(size: float) -> float:
    """The power of two by which lengths up to ``size`` become lengths about 1: scaling by it rounds nothing."""
    _, exponent = math.frexp(size)
    return math.ldexp(1.0, min(max(-exponent, -1000), 1000))


@scalar
def safe_scale(extent: float, x: float, y: float) -> tuple[float, float]:
    """(scale, 1 / scale) for a shape of that extent and a point relative to its centre: 1 for all but extreme ones."""
    size = extent + _WEIGHT_OF_DISTANCE * (abs(x) + abs(y))
    if _SMALLEST < size < _LARGEST:
        return 1.0, 1.0
    scale = power_of_two_scale(size)
    return scale, 1.0 / scale
