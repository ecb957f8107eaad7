"""Arithmetic without rounding errors, for the decisions that must not depend on them.

The sum or product of two floats is itself the sum of two floats: the rounded result and its *tail*, the rounding
error, both computable (Dekker, "A floating-point technique for extending the available precision", 1971; Knuth,
TAOCP 2, 4.2.2). The sign of any polynomial expression is then the sign of a sum of floats, taken exactly (Shewchuk,
"Adaptive precision floating-point arithmetic and fast robust geometric predicates", 1997).

Every predicate first tries plain floats, with a bound on their error: the exact part runs only near a tie. All
hold while no product leaves float64's range: for magnitudes of 1e-140 to 1e150, and 0.
"""

from __future__ import annotations

from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.kernels.scratch import scratch

# 2^27 + 1: multiplying by it splits a float's 53 bits into two halves of at most 26 bits.
_SPLITTER = 134217729.0

# Shewchuk's bound on the relative error of a 2×2 determinant of differences, (3 + 16ε)ε with ε = 2^-53.
_ORIENTATION_ERROR = 3.3306690738754716e-16

# Bound on the relative error of x² + y² and of r², each from operands rounded once: 8 roundings, generously.
_SQUARES_ERROR = 2e-15

# Terms of a sum.
_MOST_TERMS = 18
_new_expansion = scratch(_MOST_TERMS)


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
def sum_sign(terms: tuple[float, ...]) -> int:
    """Sign (−1, 0, 1) of a sum of floats, exact.

    There are at most :data:`_MOST_TERMS`. They are added one by one to an expansion: floats in order of magnitude whose
    bits do not overlap, so that the last one that is not zero has the sign of all.
    """
    expansion = _new_expansion()
    for count in range(len(terms)):
        carry = terms[count]
        for k in range(count):
            carry, expansion[k] = two_sum(carry, expansion[k])
        expansion[count] = carry
    for k in range(len(terms) - 1, -1, -1):
        if expansion[k] > 0.0:
            return 1
        if expansion[k] < 0.0:
            return -1
    return 0


@scalar
def less_than_sum(value: float, a: float, b: float) -> bool:
    """Whether value < a + b, exact. (a + b < value is ``less_than_sum(-value, -a, -b)``.)"""
    total, tail = two_sum(a, b)
    # The tail is at most half the distance to the next float: it decides only where the rounded sum is a tie.
    return value < total or (value == total and tail > 0.0)


@scalar
def cross_sign(ax: float, ay: float, bx: float, by: float) -> int:
    """Sign of the cross product a × b, exact: 1 where b lies to the left of a."""
    left, left_tail = two_product(ax, by)
    right, right_tail = two_product(ay, bx)
    # Rounding keeps order, so unequal rounded products decide; equal ones leave it to the tails.
    if left == right:
        left, right = left_tail, right_tail
    if left > right:
        return 1
    if left < right:
        return -1
    return 0


@scalar
def cross(ax: float, ay: float, bx: float, by: float) -> float:
    """Cross product a × b, accurate to the last bits also where its two products cancel."""
    left, left_tail = two_product(ax, by)
    right, right_tail = two_product(ay, bx)
    return (left - right) + (left_tail - right_tail)


@scalar
def orientation(ax: float, ay: float, bx: float, by: float, cx: float, cy: float) -> int:
    """Sign of (a − c) × (b − c), exact: 1 where a, b, c run counter-clockwise, 0 where they lie on one line."""
    left = (ax - cx) * (by - cy)
    right = (ay - cy) * (bx - cx)
    determinant = left - right
    error = _ORIENTATION_ERROR * (abs(left) + abs(right))
    if determinant > error:
        return 1
    if determinant < -error:
        return -1
    # (a − c) × (b − c) = a × b + b × c + c × a: six products of the given numbers themselves.
    ab, ab_tail = two_product(ax, by)
    ba, ba_tail = two_product(-ay, bx)
    bc, bc_tail = two_product(bx, cy)
    cb, cb_tail = two_product(-by, cx)
    ca, ca_tail = two_product(cx, ay)
    ac, ac_tail = two_product(-cy, ax)
    return sum_sign((ab, ab_tail, ba, ba_tail, bc, bc_tail, cb, cb_tail, ca, ca_tail, ac, ac_tail))


@scalar
def closer_than(x: float, x_tail: float, y: float, y_tail: float, reach: float, reach_tail: float) -> bool:
    """Whether x² + y² < reach², exact; each number is given as a float and its tail (0 where it has none)."""
    squared = x * x + y * y
    limit = reach * reach
    if squared > limit * (1.0 + _SQUARES_ERROR):
        return False
    if squared < limit * (1.0 - _SQUARES_ERROR):
        return True
    # (a + tail)² = a² + 2a·tail + tail²
    xx, xx_tail = two_product(x, x)
    xt, xt_tail = two_product(2.0 * x, x_tail)
    tx, tx_tail = two_product(x_tail, x_tail)
    yy, yy_tail = two_product(y, y)
    yt, yt_tail = two_product(2.0 * y, y_tail)
    ty, ty_tail = two_product(y_tail, y_tail)
    rr, rr_tail = two_product(-reach, reach)
    rt, rt_tail = two_product(-2.0 * reach, reach_tail)
    tr, tr_tail = two_product(-reach_tail, reach_tail)
    squares = (xx, xx_tail, xt, xt_tail, tx, tx_tail, yy, yy_tail, yt, yt_tail, ty, ty_tail)
    reach_squares = (rr, rr_tail, rt, rt_tail, tr, tr_tail)
    return sum_sign(squares + reach_squares) < 0
