"""The table of a step's contacts: their values for the game, and their points from step to step.

A point keeps the impulses that a solver leaves with it. Contacts that a solver found between two steps hand its results
on to the contacts of the steps.
"""

from __future__ import annotations

from numpy import full, int32, uint8, zeros

from ecsphys.engine.kernels import NamedTuple, arrays, inlined_scalar, kernel, packed, scalar
from ecsphys.engine.manifold.contact import FEATURES, POINTS, SEPARATIONS, ContactRows
from ecsphys.engine.manifold.manifold import NO_FEATURE

# Columns of impulses: along the normal, then along the tangent, of each of the two points.
NORMAL_IMPULSES, TANGENT_IMPULSES = 0, 2
IMPULSE_COLUMNS = 4

# Columns of totals, in the last step: the sums of impulses over its substeps, and the impulse of a complete strike (see
# :mod:`~ecsphys.engine.dynamics.strikes`).
NORMAL_TOTAL, TANGENT_TOTAL, STRIKE = range(3)
TOTAL_COLUMNS = 3


@packed
class ContactPoints(NamedTuple):
    """The points of each contact, as a solver needs them; without rows if nothing solves.

    ``positions`` (m, 4): x and y of each in the world. ``separations`` (m, 2): how far apart the surfaces are at each,
    negative where they overlap. ``features`` (m, 2): see :mod:`~ecsphys.engine.manifold.manifold`; −1 for a point that
    is not there. ``impulses`` (m, IMPULSE_COLUMNS), ``totals`` (m, TOTAL_COLUMNS). ``flags`` (m,): the
    game's numbers for the pairs; ``one_way`` (m,): the decisions on surfaces that block from one side only. Both stay
    as long as the contact.
    """

    positions: arrays.Float64Rows
    separations: arrays.Float64Rows
    features: arrays.Int32Rows
    impulses: arrays.Float64Rows
    totals: arrays.Float64Rows
    flags: arrays.Int32s
    one_way: arrays.Uint8s


def no_points(count: int) -> ContactPoints:
    """Rows for so many contacts without points."""
    return ContactPoints(
        zeros((count, 4)),
        zeros((count, 2)),
        full((count, 2), NO_FEATURE, int32),
        zeros((count, IMPULSE_COLUMNS)),
        zeros((count, TOTAL_COLUMNS)),
        zeros(count, int32),
        zeros(count, uint8),
    )


@inlined_scalar
def begin_points(k: int, points: ContactPoints, contact: int, found: ContactRows, is_swept: bool) -> None:
    """Write the points of a contact that has just been found to row k, without impulses.

    A contact that was found between two steps (``is_swept``) has no points to solve.
    """
    for p in range(2):
        points.positions[k, 2 * p] = found.rows[contact, POINTS + 2 * p]
        points.positions[k, 2 * p + 1] = found.rows[contact, POINTS + 2 * p + 1]
        points.separations[k, p] = 0.0 if is_swept else found.points[contact, SEPARATIONS + p]
        points.features[k, p] = NO_FEATURE if is_swept else int(found.points[contact, FEATURES + p])


@inlined_scalar
def _clear_impulses(k: int, points: ContactPoints) -> None:
    for column in range(IMPULSE_COLUMNS):
        points.impulses[k, column] = 0.0


@inlined_scalar
def _copy_notes(k: int, points: ContactPoints, last: ContactPoints, j: int) -> None:
    """Give row k the totals and notes of another table's row j."""
    for column in range(TOTAL_COLUMNS):
        points.totals[k, column] = last.totals[j, column]
    points.flags[k] = last.flags[j]
    points.one_way[k] = last.one_way[j]


@inlined_scalar
def _copy_impulses(k: int, points: ContactPoints, last: ContactPoints, j: int) -> None:
    """Give row k the features of another table's row j, with their impulses."""
    for p in range(2):
        points.features[k, p] = last.features[j, p]
    for column in range(IMPULSE_COLUMNS):
        points.impulses[k, column] = last.impulses[j, column]


@inlined_scalar
def _match_impulses(k: int, points: ContactPoints, last: ContactPoints, j: int) -> None:
    """Give the points of row k the impulses of those points of another table's row j that have the same features."""
    for p in range(2):
        feature = points.features[k, p]
        for q in range(2):
            if feature != NO_FEATURE and feature == last.features[j, q]:
                points.impulses[k, NORMAL_IMPULSES + p] = last.impulses[j, NORMAL_IMPULSES + q]
                points.impulses[k, TANGENT_IMPULSES + p] = last.impulses[j, TANGENT_IMPULSES + q]


@inlined_scalar
def forget_impulses(k: int, points: ContactPoints) -> None:
    """Let the points of row k have no impulses, totals and notes."""
    _clear_impulses(k, points)
    for column in range(TOTAL_COLUMNS):
        points.totals[k, column] = 0.0
    points.flags[k] = 0
    points.one_way[k] = 0


@inlined_scalar
def forget_points(k: int, points: ContactPoints) -> None:
    """Let row k have no points to solve, and no impulses to begin with."""
    for p in range(2):
        points.features[k, p] = NO_FEATURE
    _clear_impulses(k, points)


@inlined_scalar
def carry_impulses(k: int, points: ContactPoints, last: ContactPoints, j: int) -> None:
    """Give row k the totals and notes of the last step's row j, but for its strike, which is over, and its points the
    impulses of those with the same features."""
    _copy_notes(k, points, last, j)
    points.totals[k, STRIKE] = 0.0
    _clear_impulses(k, points)
    _match_impulses(k, points, last, j)


@inlined_scalar
def keep_impulses(k: int, points: ContactPoints, last: ContactPoints, j: int) -> None:
    """Give row k the impulses, totals and notes that a solver has left in the last step's row j, but for its strike."""
    _copy_notes(k, points, last, j)
    points.totals[k, STRIKE] = 0.0
    _copy_impulses(k, points, last, j)


@inlined_scalar
def keep_points(k: int, points: ContactPoints, last: ContactPoints, j: int) -> None:
    """Write the points of the last step's row j to row k, with their impulses and notes."""
    for column in range(4):
        points.positions[k, column] = last.positions[j, column]
    for p in range(2):
        points.separations[k, p] = last.separations[j, p]
    keep_impulses(k, points, last, j)


# Columns of further numbers of contacts that were found between two steps.
TIME, SPEED, IS_SOLVED = range(3)
SWEPT_COLUMNS = 3

# Columns of runs of contacts that rest: the first row, the one after the last, how many of them are near.
RUN_FIRST, RUN_END, RUN_NEAR = range(3)
RUN_COLUMNS = 3


class FoundContacts(NamedTuple):
    """Contacts as ``find_contacts`` writes them, in ``runs`` (k, 2): the first row and how many.

    From row ``first_swept`` on they were found between two steps: ``swept`` (k, 3) has the time and the approach speed
    of each, and not 0 where a solver is to push the two apart. ``call`` is a number that no earlier ones had, above 0.
    """

    contacts: ContactRows
    runs: arrays.Int64Rows
    first_swept: int
    swept: arrays.Float64Rows
    call: int


@packed
class HitRows(NamedTuple):
    """Contacts, a row each: the slots (m, 2) of their colliders, values for the game, whether they began to be hits in
    this step, whether they are merely near, which is no hit, and which of the colliders are sensors.

    ``rest`` is 0 for contacts that were computed in this step. A contact that goes on asleep keeps a number of its own:
    rows with the same number are the same, but for the approach speed and the numbers of a solver.
    """

    pairs: arrays.Int32Rows
    entity_a: arrays.Int64s
    entity_b: arrays.Int64s
    collider_a: arrays.Uint8s
    collider_b: arrays.Uint8s
    part_a: arrays.Int32s
    part_b: arrays.Int32s
    normal: arrays.Float64Rows
    depth: arrays.Float64s
    points: arrays.Float64Blocks
    point_count: arrays.Uint8s
    approach_speed: arrays.Float64s
    time: arrays.Float64s
    is_new: arrays.Uint8s
    is_near: arrays.Uint8s
    sensor_a: arrays.Uint8s
    sensor_b: arrays.Uint8s
    rest: arrays.Int64s


@packed
class ContactTable(NamedTuple):
    """The contacts of a step, and their points."""

    hits: HitRows
    points: ContactPoints


class RestingContacts(NamedTuple):
    """``rows`` (m,) marks ``total`` contacts of the last step that are equal in both buffers, row by row. ``runs``
    (k, RUN_COLUMNS) are the same rows as runs.

    ``pressing`` (bodies,): the number of these contacts that press on each body.
    """

    rows: arrays.Uint8s
    runs: arrays.Int32Rows
    pressing: arrays.Int32s
    total: int

    def end_of_others(self, count: int) -> int:
        """The row after the last of ``count`` contacts that does not rest."""
        if not len(self.runs):
            return count
        first, end, _ = self.runs[-1].tolist()
        return first if end == count else count


class LastContacts(NamedTuple):
    """The first ``total`` of a table are the contacts of the last step.

    ``resting`` (k, RUN_COLUMNS) are the runs of contacts that have not changed for some steps, and cannot have changed
    until now: both colliders sleep, and their bodies sleep or are static. The table to write has them already, row by
    row. Its first ``known`` rows have the entities, kinds and parts of their pairs already, whatever moves.
    """

    table: ContactTable
    total: int
    resting: arrays.Int32Rows
    known: int


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
def _file_pairs(pairs: arrays.Int32Rows, count: int, places: arrays.Int32s) -> None:
    """File the first ``count`` pairs in ``places``, at least twice as many, a power of two."""
    places[:] = -1
    mask = places.shape[0] - 1
    for k in range(count):
        place = _place(int(pairs[k, 0]) + 0, int(pairs[k, 1]) + 0, mask)
        while places[place] >= 0:
            place = (place + 1) & mask
        places[place] = k


@scalar
def _filed_row(a: int, b: int, pairs: arrays.Int32Rows, places: arrays.Int32s) -> int:
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
    a: int, b: int, guess: int, pairs: arrays.Int32Rows, count: int, places: arrays.Int32s, is_filed: bool
) -> tuple[int, bool]:
    """The row of a pair among the first ``count``, −1 if it is not there, and whether these are filed then.

    Both lists are mostly the same: the pair is looked for at ``guess`` first.
    """
    if guess < count and pairs[guess, 0] == a and pairs[guess, 1] == b:
        return guess, is_filed
    if not is_filed:
        _file_pairs(pairs, count, places)
    return _filed_row(a, b, pairs, places), True


@kernel
def return_to_contacts(
    table: ContactTable, count: int, aside: ContactTable, aside_count: int, places: arrays.Int32s
) -> None:
    """Give the contacts of the last step a solver's results for the same pairs of ``aside``, else none in this step.

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
            # It was not pushed in this step.
            points.totals[k, NORMAL_TOTAL] = 0.0
            points.totals[k, TANGENT_TOTAL] = 0.0
            continue
        j = row
        _copy_notes(k, points, solved, j)
        _copy_impulses(k, points, solved, j)


@kernel
def give_to_contacts(
    table: ContactTable, count: int, aside: ContactTable, aside_count: int, places: arrays.Int32s
) -> int:
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
        _copy_notes(k, points, solved, j)
        _match_impulses(k, points, solved, j)
        if hits.is_near[k] != 0 and points.totals[k, NORMAL_TOTAL] > 0.0:
            hits.is_near[k] = 0
            hits.is_new[k] = 1
            hits.rest[k] = 0
            pushed += 1
    return pushed
