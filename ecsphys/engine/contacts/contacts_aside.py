"""Contacts that a solver found between two steps hand its results on to the contacts of the steps."""

from __future__ import annotations

from ecsphys.engine.contact.manifold import NO_FEATURE
from ecsphys.engine.contacts.contact_points import (
    NORMAL_IMPULSES,
    NORMAL_TOTAL,
    TANGENT_IMPULSES,
    TOTAL_COLUMNS,
    ContactPoints,
)
from ecsphys.engine.contacts.contact_table import ContactTable
from ecsphys.engine.kernels.array_types import Int32Rows, Int32s
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel, scalar

# They spread pairs over a table: products of slots and primes, which are far from overflow.
_SPREAD_A = 73856093
_SPREAD_B = 19349663
_SPREAD_SHIFT = 17


@inlined_scalar
def _place(a: int, b: int, mask: int) -> int:
    """Where the search for a pair begins in a table of ``mask`` + 1 places."""
    mixed = (a * _SPREAD_A) ^ (b * _SPREAD_B)
    return (mixed ^ (mixed >> _SPREAD_SHIFT)) & mask


@scalar
def _file_pairs(pairs: Int32Rows, count: int, places: Int32s) -> None:
    """File the first ``count`` pairs in ``places``, at least twice as many, a power of two."""
    places[:] = -1
    mask = places.shape[0] - 1
    for k in range(count):
        place = _place(int(pairs[k, 0]) + 0, int(pairs[k, 1]) + 0, mask)
        while places[place] >= 0:
            place = (place + 1) & mask
        places[place] = k


@scalar
def _filed_row(a: int, b: int, pairs: Int32Rows, places: Int32s) -> int:
    """The row of a pair among those filed, −1 if it is not there."""
    mask = places.shape[0] - 1
    place = _place(a, b, mask)
    while places[place] >= 0:
        row = int(places[place]) + 0
        if pairs[row, 0] == a and pairs[row, 1] == b:
            return row
        place = (place + 1) & mask
    return -1


@scalar
def _row_of_pair(
    a: int, b: int, guess: int, pairs: Int32Rows, count: int, places: Int32s, is_filed: bool
) -> tuple[int, bool]:
    """The row of a pair among the first ``count``, −1 if it is not there, and whether these are filed then.

    Both lists are mostly the same: the pair is looked for at ``guess`` first.
    """
    if guess < count and pairs[guess, 0] == a and pairs[guess, 1] == b:
        return guess, is_filed
    if not is_filed:
        _file_pairs(pairs, count, places)
    return _filed_row(a, b, pairs, places), True


@inlined_scalar
def _copy_notes(k: int, points: ContactPoints, j: int, solved: ContactPoints) -> None:
    """Give row k the totals and notes of another table's row j."""
    for column in range(TOTAL_COLUMNS):
        points.totals[k, column] = solved.totals[j, column]
    points.flags[k] = solved.flags[j]
    points.one_way[k] = solved.one_way[j]


@kernel
def return_to_contacts(table: ContactTable, count: int, aside: ContactTable, aside_count: int, places: Int32s) -> None:
    """Give the contacts of the last step a solver's results for the same pairs of ``aside``.

    ``places``: scratch, at least twice as long as the other contacts, a power of two.
    """
    points = table.points
    solved = aside.points
    pairs = table.hits.pairs
    is_filed = False
    j = -1
    for k in range(count):
        row, is_filed = _row_of_pair(
            int(pairs[k, 0]) + 0, int(pairs[k, 1]) + 0, j + 1, aside.hits.pairs, aside_count, places, is_filed
        )
        if row < 0:
            continue
        j = row
        _copy_notes(k, points, j, solved)
        for p in range(2):
            points.features[k, p] = solved.features[j, p]
            points.impulses[k, NORMAL_IMPULSES + p] = solved.impulses[j, NORMAL_IMPULSES + p]
            points.impulses[k, TANGENT_IMPULSES + p] = solved.impulses[j, TANGENT_IMPULSES + p]


@kernel
def give_to_contacts(table: ContactTable, count: int, aside: ContactTable, aside_count: int, places: Int32s) -> int:
    """Give the contacts of a step the totals and notes of the same pairs ``aside``, and the impulses of the points with
    the same features.

    A near contact that was pushed apart is a hit that begins. Returns how many there are of these. ``places`` as for
    :func:`return_to_contacts`.
    """
    points = table.points
    solved = aside.points
    hits = table.hits
    pushed = 0
    is_filed = False
    j = -1
    for k in range(count):
        row, is_filed = _row_of_pair(
            int(hits.pairs[k, 0]) + 0, int(hits.pairs[k, 1]) + 0, j + 1, aside.hits.pairs, aside_count, places, is_filed
        )
        if row < 0:
            continue
        j = row
        _copy_notes(k, points, j, solved)
        for p in range(2):
            feature = points.features[k, p]
            for q in range(2):
                if feature != NO_FEATURE and feature == solved.features[j, q]:
                    points.impulses[k, NORMAL_IMPULSES + p] = solved.impulses[j, NORMAL_IMPULSES + q]
                    points.impulses[k, TANGENT_IMPULSES + p] = solved.impulses[j, TANGENT_IMPULSES + q]
        if hits.is_near[k] != 0 and points.totals[k, NORMAL_TOTAL] > 0.0:
            hits.is_near[k] = 0
            hits.is_new[k] = 1
            hits.rest[k] = 0
            pushed += 1
    return pushed
