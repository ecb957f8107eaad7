"""All operations of lanes."""

from __future__ import annotations

from typing import Any

from numpy import float32, float64, int32
from numpy.typing import NDArray

from ecsphys.engine.kernels import Float32Blocks, Float64Blocks, Float64Rows, Int32Rows, inlined_scalar, kernel
from ecsphys.engine.math.lanes import (
    ALL_LANES,
    LANES,
    absolute,
    any_of,
    gather,
    has_plain_square,
    larger,
    load,
    scatter,
    smaller,
    spread,
    store,
    unit_vector_in_lanes,
    where,
    with_sign,
)


@inlined_scalar
def _compute(block: int, lane: Any, rows: NDArray[float64], chosen: NDArray[int32], numbers: NDArray[float64]) -> None:
    a = load(numbers, block, 0, lane)
    b = load(numbers, block, 1, lane)
    p, q, r, s = gather(rows, chosen, block, 0, lane, 2)
    store(numbers, block, 2, lane, a + b)
    store(numbers, block, 3, lane, a - b)
    store(numbers, block, 4, lane, a * b)
    store(numbers, block, 5, lane, -a)
    store(numbers, block, 6, lane, larger(a, b))
    store(numbers, block, 7, lane, smaller(a, b))
    store(numbers, block, 8, lane, where(a > b, p, q))
    store(numbers, block, 9, lane, where(a < b, r, s))
    store(numbers, block, 10, lane, spread(0.1, lane) * a + p * q - r * s)
    kept = a
    if block % 2 == 1:
        kept = b * a
    for _ in range(block):
        kept = kept + b
    store(numbers, block, 11, lane, kept)
    store(numbers, block, 13, lane, absolute(a))
    store(numbers, block, 14, lane, with_sign(b, a))
    zero = spread(0.0, lane)
    most = spread(1e200, lane)
    x = where(absolute(a) < most, a, zero)
    y = where(absolute(b) < most, b, zero)
    nx, ny, length = unit_vector_in_lanes(x, y, lane)
    is_plain = has_plain_square(x, y)
    store(numbers, block, 15, lane, where(is_plain > zero, nx, zero))
    store(numbers, block, 16, lane, where(is_plain > zero, ny, zero))
    store(numbers, block, 17, lane, where(is_plain > zero, length, zero))
    store(numbers, block, 18, lane, is_plain)
    scatter(rows, chosen, block, 0, lane, 2, (q, p * a, r + b, s))


@kernel
def compute_at_once(rows: Float64Rows, chosen: Int32Rows, numbers: Float64Blocks) -> None:
    """Compute at once."""
    for block in range(numbers.shape[0]):
        _compute(block, ALL_LANES, rows, chosen, numbers)


@kernel
def compute_one_by_one(rows: Float64Rows, chosen: Int32Rows, numbers: Float64Blocks) -> None:
    """Compute one by one."""
    for block in range(numbers.shape[0]):
        for lane in range(LANES):
            _compute(block, lane, rows, chosen, numbers)


@inlined_scalar
def _tenth(block: int, lane: Any, singles: NDArray[float32], numbers: NDArray[float64]) -> None:
    a = load(singles, block, 0, lane)
    store(numbers, block, 0, lane, a * spread(0.1, lane))
    store(singles, block, 1, lane, a * spread(0.1, lane))
    store(numbers, block, 1, lane, spread(1.0 if any_of(a > spread(2.0, lane)) else 0.0, lane))


@kernel
def tenth_at_once(singles: Float32Blocks, numbers: Float64Blocks) -> None:
    """Tenth at once."""
    for block in range(numbers.shape[0]):
        _tenth(block, ALL_LANES, singles, numbers)


@kernel
def tenth_one_by_one(singles: Float32Blocks, numbers: Float64Blocks) -> None:
    """Tenth one by one."""
    for block in range(numbers.shape[0]):
        for lane in range(LANES):
            _tenth(block, lane, singles, numbers)
