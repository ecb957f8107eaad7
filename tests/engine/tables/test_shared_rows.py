"""The kernel that looks for a row that two entities would share."""

from __future__ import annotations

import numpy as np
import pytest
from numpy import int32
from numpy.typing import NDArray

from ecsphys.engine.tables.entity_rows import find_shared_row


def shared(slots: list[int], rows: list[int], line: NDArray[int32], owners: NDArray[int32]) -> tuple[int, int]:
    line_before, owners_before = line.copy(), owners.copy()
    scratch = np.empty((2, len(slots)), int32)
    found = find_shared_row(np.array(slots, int32), np.array(rows, int32), line, owners, scratch)
    assert (line == line_before).all()
    assert (owners == owners_before).all()
    return found


def brute_force(slots: list[int], rows: list[int], line: NDArray[int32]) -> bool:
    after = line.copy()
    after[slots] = rows
    there = after[after >= 0]
    return len(np.unique(there)) < len(there)


@pytest.mark.parametrize("seed", range(20))
def test_a_shared_row_is_found_and_both_arrays_are_as_before(seed: int) -> None:
    rng = np.random.default_rng(seed)
    line = np.full(12, -1, int32)
    owners = np.full(15, -1, int32)
    line[:8] = rng.permutation(15)[:8]
    owners[line[:8]] = np.arange(8)
    owners[rng.integers(0, 15)] = rng.integers(-1, 12)  # as after a removal, of which nothing is told there
    owners[line[:8]] = np.arange(8)
    for _ in range(50):
        count = int(rng.integers(0, 7))
        slots = rng.permutation(12)[:count].tolist()
        rows = rng.integers(-1, 15, count).tolist()
        a, b = shared(slots, rows, line, owners)
        assert (a >= 0) == brute_force(slots, rows, line)
        if a >= 0:
            after = line.copy()
            after[slots] = rows
            assert a != b
            assert after[a] == after[b] >= 0


def test_two_that_change_their_rows_with_each_other_share_none() -> None:
    line, owners = np.array([3, 5], int32), np.full(8, -1, int32)
    owners[[3, 5]] = [0, 1]
    assert shared([0, 1], [5, 3], line, owners) == (-1, -1)
    assert shared([0], [5], line, owners) == (1, 0)
