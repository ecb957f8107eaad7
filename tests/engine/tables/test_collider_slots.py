"""How slots of colliders are freed: which, in which order, and how much is read for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from kernels_of_tests import as_python
from numpy import int64

from ecsphys.engine.tables import collider_slots
from ecsphys.engine.tables.collider_slots import FREE, FREE_COUNT, PRESENT, REMOVED_ABSENCE, ColliderSlots, EntitySlots

# As Python, so that reads can be counted.
release_absent: Any = as_python(collider_slots, "release_absent")


class Counted(list[int]):
    """Numbers that count how often they are read."""

    reads = 0

    def __getitem__(self, index: Any) -> Any:
        self.reads += 1
        return super().__getitem__(index)


class Lists:
    """Two entities with slots from 0 on, of which some are absent; the second has every third."""

    def __init__(self, count: int, absent: list[int]) -> None:
        self.owner = [int(slot % 3 == 2) for slot in range(count)]
        self.following = Counted([-1] * count)
        self.head = [-1, -1]
        for slot in reversed(range(count)):
            self.following[slot], self.head[self.owner[slot]] = self.head[self.owner[slot]], slot
        self.absence = [REMOVED_ABSENCE if slot in set(absent) else PRESENT for slot in range(count)]
        self.pool = np.array([count, 0, -1], int64)

    def release(self, slots: list[int]) -> None:
        fields: dict[str, Any] = dict.fromkeys(ColliderSlots._fields)
        fields |= {"owner": self.owner, "following": self.following, "absence": self.absence}
        heads: dict[str, Any] = dict.fromkeys(EntitySlots._fields) | {"head": self.head}
        self.following.reads = 0
        release_absent(np.array(slots), EntitySlots(**heads), ColliderSlots(**fields), self.pool)

    def of(self, first: int) -> list[int]:
        found = []
        while first >= 0:
            found.append(first)
            first = self.following[first]
        return found


@pytest.mark.parametrize("absent", [[], [0], [2, 8], [0, 1, 2], [9, 3, 4, 6, 1, 3], list(range(11, -1, -1))])
def test_absent_slots_leave_their_entities_lists_and_are_free_the_last_one_first(absent: list[int]) -> None:
    lists = Lists(12, absent)
    # Also those that are there, which stay, and all of them twice.
    lists.release([*absent, *range(12)])
    named = list(dict.fromkeys(absent))
    assert lists.of(int(lists.pool[2])) == named[::-1]
    assert lists.pool[FREE_COUNT] == len(named)
    for owner in (0, 1):
        assert lists.of(lists.head[owner]) == [k for k in range(12) if lists.owner[k] == owner and k not in absent]
    assert [lists.absence[slot] == FREE for slot in range(12)] == [slot in absent for slot in range(12)]


@pytest.mark.parametrize("count", [30, 3000])
def test_a_chain_s_segments_are_released_with_a_few_reads_of_each(count: int) -> None:
    lists = Lists(count, list(range(count)))
    lists.release(list(range(count - 1, -1, -1)))
    assert lists.pool[FREE_COUNT] == count
    assert lists.following.reads <= 2 * count
