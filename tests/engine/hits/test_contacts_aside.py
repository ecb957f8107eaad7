"""The numbers that a solver leaves with contacts found between two steps, handed to those of the steps."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from numpy import int32

from ecsphys.engine.hits.contact_table import (
    NORMAL_TOTAL,
    TANGENT_TOTAL,
    ContactTable,
    give_to_contacts,
    return_to_contacts,
)
from ecsphys.engine.manifold.manifold import NO_FEATURE
from ecsphys.systems.hits.step_hits import ContactBuffer

PAIRS = np.array([(a, b) for a in range(30) for b in range(a)], int32)


def table_of(random: np.random.Generator, count: int, is_shuffled: bool) -> ContactTable:
    table = ContactBuffer(count, True).table
    chosen = random.choice(len(PAIRS), count, replace=False)
    table.hits.pairs[:] = PAIRS[chosen if is_shuffled else np.sort(chosen)]
    table.hits.is_near[:] = random.integers(2, size=count)
    table.hits.rest[:] = 7
    points = table.points
    points.features[:] = random.choice([NO_FEATURE, 1, 2, 3], (count, 2))
    for numbers in (points.impulses, points.totals):
        numbers[:] = random.uniform(-1, 1, numbers.shape)
    points.flags[:], points.one_way[:] = random.integers(100, size=count), random.integers(3, size=count)
    return table


def rows_in_common(table: ContactTable, aside: ContactTable) -> list[tuple[int, int]]:
    places = {tuple(pair): row for row, pair in enumerate(aside.hits.pairs.tolist())}
    pairs = enumerate(map(tuple, table.hits.pairs.tolist()))
    return [(row, places[pair]) for row, pair in pairs if pair in places]


def arrays_of(table: ContactTable) -> tuple[Any, ...]:
    return (*table.hits, *table.points)


def are_equal(a: ContactTable, b: ContactTable) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(arrays_of(a), arrays_of(b), strict=True))


CASES = [
    (seed, count, other, shuffled)
    for seed in range(3)
    for count, other in ((0, 5), (40, 40), (400, 300), (9, 0))
    for shuffled in (False, True)
]


@pytest.mark.parametrize(("seed", "count", "other", "is_shuffled"), CASES)
def test_contacts_of_the_last_step_get_everything_and_those_not_found_again_no_impulse(
    seed: int, count: int, other: int, is_shuffled: bool
) -> None:
    random = np.random.default_rng(seed)
    table, aside = table_of(random, count, is_shuffled), table_of(random, other, is_shuffled)
    wanted = copy.deepcopy(table)
    common = rows_in_common(table, aside)
    gone = [row for row in range(count) if row not in dict(common)]
    wanted.points.totals[np.ix_(gone, [NORMAL_TOTAL, TANGENT_TOTAL])] = 0.0
    for row, k in common:
        for name in ("features", "impulses", "totals", "flags", "one_way"):
            getattr(wanted.points, name)[row] = getattr(aside.points, name)[k]
    return_to_contacts(table, count, aside, other, np.empty(1024, int32))
    assert are_equal(table, wanted)


@pytest.mark.parametrize(("seed", "count", "other", "is_shuffled"), CASES)
def test_contacts_of_a_step_get_impulses_by_features(seed: int, count: int, other: int, is_shuffled: bool) -> None:
    random = np.random.default_rng(seed)
    table, aside = table_of(random, count, is_shuffled), table_of(random, other, is_shuffled)
    wanted, pushed = copy.deepcopy(table), 0
    for row, k in rows_in_common(table, aside):
        mine, solved = wanted.points, aside.points
        mine.totals[row], mine.flags[row], mine.one_way[row] = solved.totals[k], solved.flags[k], solved.one_way[k]
        for p in range(2):
            for q in range(2):
                if mine.features[row, p] == solved.features[k, q] != NO_FEATURE:
                    mine.impulses[row, [p, 2 + p]] = solved.impulses[k, [q, 2 + q]]
        if wanted.hits.is_near[row] and mine.totals[row, NORMAL_TOTAL] > 0.0:
            wanted.hits.is_near[row], wanted.hits.is_new[row], wanted.hits.rest[row] = 0, 1, 0
            pushed += 1
    assert give_to_contacts(table, count, aside, other, np.empty(1024, int32)) == pushed
    assert are_equal(table, wanted)
