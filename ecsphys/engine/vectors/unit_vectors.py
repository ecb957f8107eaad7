"""Directions and lengths of vectors in lanes: :mod:`ecsphys.engine.math.unit_vector` without a branch."""

from __future__ import annotations

from typing import Any

from ecsphys.engine.kernels.compilation import inlined_scalar
from ecsphys.engine.math.unit_vector import LARGE_SQUARE, SMALL_SQUARE, unit_vector
from ecsphys.engine.vectors.lanes import absolute, root, spread, where


@inlined_scalar
def unit_vector_in_lanes(x: Any, y: Any, lane: Any) -> tuple[Any, Any, Any]:
    """(x / length, y / length, length), the same bits as ``unit_vector``; in all lanes at once only where it
    :func:`has_plain_square`."""
    if lane is None:
        zero = spread(0.0, lane)
        length = root(x * x + y * y)
        has_length = length > zero
        divisor = where(has_length, length, spread(1.0, lane))
        # Of zeros, signs are left out.
        return where(has_length, x / divisor, zero), where(has_length, y / divisor, zero), length
    return unit_vector(x, y)


@inlined_scalar
def has_plain_square(x: Any, y: Any, lane: Any) -> Any:
    """1 for a vector of zeros, and for one whose square is neither too small nor too large to be computed with; else
    0."""
    zero = spread(0.0, lane)
    one = spread(1.0, lane)
    squared = x * x + y * y
    of_small = where(absolute(x) + absolute(y) > zero, zero, one)
    of_others = where(squared < spread(LARGE_SQUARE, lane), one, zero)
    return where(squared > spread(SMALL_SQUARE, lane), of_others, of_small)
