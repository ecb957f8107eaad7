"""Numbers in lanes: all lanes at once compute what each would by itself, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy import float32, float64, int32
from numpy.typing import NDArray

from ecsphys.engine.kernels.array_types import Float32Blocks, Float64Blocks, Float64Rows, Int32Rows
from ecsphys.engine.kernels.compilation import COMPILES, inlined_scalar, kernel
from ecsphys.engine.vectors.lanes import (
    ALL_LANES,
    LANES,
    ROW_NUMBERS,
    absolute,
    any_of,
    gather,
    larger,
    load,
    scatter,
    smaller,
    spread,
    store,
    where,
    with_sign,
)
from ecsphys.engine.vectors.unit_vectors import has_plain_square, unit_vector_in_lanes

FIELDS = 19


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
    is_plain = has_plain_square(x, y, lane)
    store(numbers, block, 15, lane, where(is_plain > zero, nx, zero))
    store(numbers, block, 16, lane, where(is_plain > zero, ny, zero))
    store(numbers, block, 17, lane, where(is_plain > zero, length, zero))
    store(numbers, block, 18, lane, is_plain)
    scatter(rows, chosen, block, 0, lane, 2, (q, p * a, r + b, s))


@kernel
def _at_once(rows: Float64Rows, chosen: Int32Rows, numbers: Float64Blocks) -> None:
    for block in range(numbers.shape[0]):
        _compute(block, ALL_LANES, rows, chosen, numbers)


@kernel
def _one_by_one(rows: Float64Rows, chosen: Int32Rows, numbers: Float64Blocks) -> None:
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
def _tenth_at_once(singles: Float32Blocks, numbers: Float64Blocks) -> None:
    for block in range(numbers.shape[0]):
        _tenth(block, ALL_LANES, singles, numbers)


@kernel
def _tenth_one_by_one(singles: Float32Blocks, numbers: Float64Blocks) -> None:
    for block in range(numbers.shape[0]):
        for lane in range(LANES):
            _tenth(block, lane, singles, numbers)


def test_numbers_of_single_precision_are_computed_with_in_double() -> None:
    singles = np.random.default_rng(2).normal(size=(30, 2, LANES)).astype(float32)
    expected = singles[:, 0].astype(float64) * 0.1
    for compute in (_tenth_one_by_one, _tenth_at_once) if COMPILES else (_tenth_one_by_one,):
        table, numbers = singles.copy(), np.zeros((30, 2, LANES))
        compute(table, numbers)
        assert np.array_equal(numbers[:, 0], expected)
        assert np.array_equal(table[:, 1], expected.astype(float32))
        is_larger = np.greater(singles[:, 0], 2.0)
        if compute is _tenth_at_once:
            is_larger |= is_larger.any(axis=1, keepdims=True)
        assert np.array_equal(numbers[:, 1] == 1.0, is_larger)


@pytest.mark.skipif(not COMPILES, reason="vectors are there in compiled code only")
def test_all_lanes_at_once_compute_what_each_does() -> None:
    rng = np.random.default_rng(1)
    values = rng.choice([0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 1e-310, 0.1, 1e300], (50, FIELDS, LANES))
    values = np.where(rng.uniform(size=values.shape) < 0.5, values, rng.normal(size=values.shape))
    chosen = rng.permuted(np.tile(np.arange(40, dtype=int32), (50, 1)), axis=1)[:, :LANES].copy()
    rows = rng.normal(size=(40, ROW_NUMBERS))
    results = []
    for compute in (_at_once, _one_by_one):
        table, numbers = rows.copy(), values.copy()
        compute(table, chosen, numbers)
        results.append((table, numbers))
    for one, other in zip(*results, strict=True):
        # The sign and the payload of a NaN may differ.
        assert np.array_equal(np.isnan(one), np.isnan(other))
        assert np.nan_to_num(one, nan=0.5).tobytes() == np.nan_to_num(other, nan=0.5).tobytes()
    assert not np.array_equal(results[0][0], rows)
    assert set(results[0][1][:, 18].ravel().tolist()) == {0.0, 1.0}
