"""Numbers in lanes: all lanes at once compute what each would by itself, to the bit."""

from __future__ import annotations

import numpy as np
from kernels_of_tests import kernel_of_tests
from numpy import float32, float64, int32

from ecsphys.engine.math.lanes import LANES, ROW_NUMBERS

FIELDS = 19


def test_numbers_of_single_precision_are_computed_with_in_double() -> None:
    singles = np.random.default_rng(2).normal(size=(30, 2, LANES)).astype(float32)
    expected = singles[:, 0].astype(float64) * 0.1
    for name in ("tenth_one_by_one", "tenth_at_once"):
        table, numbers = singles.copy(), np.zeros((30, 2, LANES))
        kernel_of_tests(f"lanes.{name}")(table, numbers)
        assert np.array_equal(numbers[:, 0], expected)
        assert np.array_equal(table[:, 1], expected.astype(float32))
        is_larger = np.greater(singles[:, 0], 2.0)
        if name == "tenth_at_once":
            is_larger |= is_larger.any(axis=1, keepdims=True)
        assert np.array_equal(numbers[:, 1] == 1.0, is_larger)


def test_all_lanes_at_once_compute_what_each_does() -> None:
    rng = np.random.default_rng(1)
    values = rng.choice([0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 1e-310, 0.1, 1e300], (50, FIELDS, LANES))
    values = np.where(rng.uniform(size=values.shape) < 0.5, values, rng.normal(size=values.shape))
    chosen = rng.permuted(np.tile(np.arange(40, dtype=int32), (50, 1)), axis=1)[:, :LANES].copy()
    rows = rng.normal(size=(40, ROW_NUMBERS))
    results = []
    for name in ("compute_at_once", "compute_one_by_one"):
        table, numbers = rows.copy(), values.copy()
        kernel_of_tests(f"lanes.{name}")(table, chosen, numbers)
        results.append((table, numbers))
    for one, other in zip(*results, strict=True):
        # The sign and the payload of a NaN may differ.
        assert np.array_equal(np.isnan(one), np.isnan(other))
        assert np.nan_to_num(one, nan=0.5).tobytes() == np.nan_to_num(other, nan=0.5).tobytes()
    assert not np.array_equal(results[0][0], rows)
    assert set(results[0][1][:, 18].ravel().tolist()) == {0.0, 1.0}
