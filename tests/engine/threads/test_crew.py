"""Crews: each item of each phase is done once, after those of the phase before, whoever comes, late or not at all."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from kernels_of_tests import kernel_of_tests
from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.threads.crew import WORD_COLUMNS, giving_way, new_crew

WRONG, DONE = range(2)


def _run(counts: NDArray[int64], members: int, at_once: int, delays: list[float]) -> NDArray[int64]:
    """Let members begin after some delays, in seconds; what each has found."""
    marks = np.zeros((len(counts), int(counts.max(initial=1))), int64)
    found = np.zeros((members, WORD_COLUMNS), int64)
    crew = new_crew(members)

    def run(member: int) -> None:
        time.sleep(delays[member])
        kernel_of_tests("crew.run_phases")(crew, member, counts, at_once, marks, found, giving_way())

    threads = [threading.Thread(target=run, args=(member,), daemon=True) for member in range(len(delays))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert (marks.sum(axis=1) == counts).all()
    assert marks.max() == 1
    assert found[:, WRONG].sum() == 0
    assert found[:, DONE].sum() == counts.sum()
    return found


@pytest.mark.parametrize("members", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("at_once", [1, 5, 64])
def test_each_item_is_done_once_and_after_all_of_the_phase_before(members: int, at_once: int) -> None:
    rng = np.random.default_rng(members)
    counts = rng.choice([1, 2, 3, 17, 200, 800], 300).astype(int64)
    _run(counts, members, at_once, [0.0] * members)


def test_what_members_would_do_that_do_not_come_others_do() -> None:
    counts = np.full(50, 100, int64)
    found = _run(counts, 5, 8, [0.0, 0.0])
    assert found[2:, DONE].sum() == 0


def test_a_member_that_comes_late_joins_in_or_finds_nothing_to_do() -> None:
    counts = np.full(20_000, 200, int64)
    found = _run(counts, 2, 8, [0.0, 0.02])
    assert found[0, DONE] > 0
    found = _run(counts[:3], 2, 8, [0.0, 0.1])
    assert found[1, DONE] == 0


def test_phases_without_items_are_passed_by() -> None:
    _run(np.array([0, 3, 0, 0, 40, 0], int64), 3, 4, [0.0, 0.0, 0.0])
