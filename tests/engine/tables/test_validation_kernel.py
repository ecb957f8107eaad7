"""The kernel that looks for values out of bounds in the columns."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecsphys.engine.tables.component_rows import find_invalid

LARGEST = np.finfo(float).max
LOW = np.array([-LARGEST, np.nextafter(0.0, 1.0), 0.0])
HIGH = np.array([LARGEST, LARGEST, 2 * math.pi])


def valid_block(capacity: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    rng = np.random.default_rng(0)
    return np.stack([rng.normal(0, 1e9, capacity), rng.uniform(0.1, 9, capacity), rng.uniform(0, 6, capacity)])


def test_valid_values_and_no_rows_at_all_pass() -> None:
    block = valid_block(100)
    block[:, 3] = HIGH
    block[:, 4] = LOW
    assert find_invalid(block, np.arange(100, dtype=np.int32), LOW, HIGH) == -1
    assert find_invalid(block, np.arange(0, dtype=np.int32), LOW, HIGH) == -1
    assert find_invalid(np.empty((3, 0)), np.arange(0, dtype=np.int32), LOW, HIGH) == -1


@pytest.mark.parametrize(
    ("field", "value"),
    [(0, math.nan), (0, math.inf), (0, -math.inf), (1, 0.0), (1, -1.0), (1, math.nan), (2, -5e-324), (2, 6.4)],
)
@pytest.mark.parametrize("rows", [range(100), range(99, -1, -1), range(0, 100, 7), [21, 98]])
def test_one_bad_value_is_found_by_position_and_field(field: int, value: float, rows: range) -> None:
    picked = np.array(rows, np.int32)
    for position in (0, len(picked) // 2, len(picked) - 1):
        block = valid_block(100)
        block[field, picked[position]] = value
        assert find_invalid(block, picked, LOW, HIGH) == position * 3 + field


def test_bad_values_in_other_rows_do_not_count() -> None:
    block = valid_block(100)
    block[:, 1::2] = math.nan
    assert find_invalid(block, np.arange(0, 100, 2, dtype=np.int32), LOW, HIGH) == -1
    block[2, 40] = -1.0
    assert find_invalid(block, np.arange(0, 100, 2, dtype=np.int32), LOW, HIGH) == 20 * 3 + 2


def test_of_several_the_first_of_the_first_field_is_named() -> None:
    block = valid_block(10)
    block[2, 1] = block[1, 5] = block[1, 7] = math.nan
    assert find_invalid(block, np.arange(10, dtype=np.int32), LOW, HIGH) == 5 * 3 + 1


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_agrees_with_numpy(data: st.DataObject) -> None:
    capacity = data.draw(st.integers(1, 40))
    rows = np.array(data.draw(st.lists(st.integers(0, capacity - 1), max_size=20)), np.int32)
    values = st.sampled_from([0.0, 1.0, -1.0, 5.0, math.nan, math.inf]) if data.draw(st.booleans()) else st.just(1.0)
    block = np.array(data.draw(st.lists(values, min_size=3 * capacity, max_size=3 * capacity))).reshape(3, capacity)
    bad = ~((block[:, rows] >= LOW[:, None]) & (block[:, rows] <= HIGH[:, None]))
    expected = -1
    if bad.any():
        field, position = (int(k[0]) for k in np.nonzero(bad))
        expected = position * 3 + field
    assert find_invalid(block, rows, LOW, HIGH) == expected
