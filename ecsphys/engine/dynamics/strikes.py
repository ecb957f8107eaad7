"""Strikes: tells blows between two entities from the weight of bodies at rest.

Two entities that touch have a *load*: their impulse in the last calm step, 0 if they have just met. In a longer step
the load is larger, as a weight presses for longer. A strike begins in a step in which their impulse clearly exceeds the
load. The next step belongs to the strike if its impulse exceeds the load too: a flat side that lands on several
surfaces is stopped in one step or in two. The impulse of the strike is the vector sum of the excess over the load, over
all contacts of the two. The strike is complete in the step after its first, or in its first step if the two part in it.

The step that completes a strike is the next load. So if two bodies bear more than before, as something lies on them
now, this is told once.

The solver lists the contacts that rise, see :func:`keep_impulses` in ``contact_filling``. Only these contacts are
looked at, and strikes that are not complete: a calm step costs nothing. Contacts of two entities are next to each other
in the table, which is ordered by entities.
"""

from __future__ import annotations

from ecsphys.engine.dynamics.bodies import INVERSE_MASS, StepBodies
from ecsphys.engine.dynamics.contacts import contact_blocks as field
from ecsphys.engine.hits import contact_table
from ecsphys.engine.kernels import NamedTuple, index, inlined_scalar, kernel, packed, scalar, zeros_of
from ecsphys.engine.kernels.arrays import Float64Rows, Int64Rows, Int64s
from ecsphys.engine.manifold.manifold import NO_FEATURE
from ecsphys.engine.math.elementary import hypot

# A strike exceeds the load by more than so many times the load.
_CLEARLY = 1.0
# It also exceeds so many times the impulse that accelerations give the lighter of the two in a step: the first number
# if the two meet, the second if they touch already. The second is larger, as weight goes from one body of a stack to
# the next in its first steps.
_OF_WEIGHT, _OF_STACKED_WEIGHT = 1.5, 8.0
# Two bodies meet if they approach faster than accelerations make them in so many steps.
_STEPS_OF_FALL = 2.0

# Columns of strikes that are not complete: the impulse in the world, the load, the time in the first step when the two
# met, and their speed then.
STRIKE_X, STRIKE_Y, LOAD_X, LOAD_Y, STRIKE_TIME, STRIKE_SPEED = range(6)
STRIKE_COLUMNS = 6

# Numbers of counts.
STRIKES, LOADS = range(2)


@packed
class StrikeRoom(NamedTuple):
    """Strikes that are not complete, and loads of contacts that ended: a step leaves them to the next.

    ``struck`` (k, 2): the two entities of each strike; ``numbers`` (k, STRIKE_COLUMNS). ``loaded`` (l, 2): two entities
    that still touch, and in ``loads`` (l, 2) the impulse on the second entity from their contacts that ended. All are
    in the order of the contacts. ``counts`` (2,): the number of strikes and of loads.
    """

    struck: Int64Rows
    numbers: Float64Rows
    loaded: Int64Rows
    loads: Float64Rows
    counts: Int64s


def strike_room(strikes: int, loads: int) -> StrikeRoom:
    """Empty room for so many strikes and loads."""
    return zeros_of(StrikeRoom, (strikes, 2), (strikes, STRIKE_COLUMNS), (loads, 2), (loads, 2), 2)


class Contacts(NamedTuple):
    """The first ``total`` contacts of a table."""

    table: contact_table.ContactTable
    total: int


class FoundContacts(NamedTuple):
    """The ``last`` contacts; the ``solved`` ones, which are the last or others found since; and the contacts ``now``,
    after the step."""

    last: Contacts
    solved: Contacts
    now: Contacts


class StrikeStep(NamedTuple):
    """The seconds of a step, and the least change of the lighter body's velocity that is a strike.

    ``load_growth``: the length of the step by the length of the last one. Weight presses that many times as much.
    """

    dt: float
    least_speed: float
    load_growth: float


class _Blow(NamedTuple):
    """The impulse (x, y) of two entities in a step, and their load: the impulse of the step before, if it had been as
    long.

    ``time``, ``speed``: when in the step they met, and how fast. ``row``: one of the contacts that press, −1 for none.
    """

    x: float
    y: float
    load_x: float
    load_y: float
    time: float
    speed: float
    row: int


@kernel
def tell_strikes(
    found: FoundContacts,
    ended: Int64s,
    places: field.ContactPlaces,
    is_solved: bool,
    old: StrikeRoom,
    new: StrikeRoom,
    bodies: StepBodies,
    step: StrikeStep,
) -> int:
    """Find the strikes of a step, and write the complete ones to contacts; returns how many are complete.

    The solver has left impulses in the contacts ``solved``; ``is_solved`` is False if it has solved none. ``ended``
    (k,) are the rows of last contacts that ended, ascending. ``old`` is the room of the last step, ``new`` becomes the
    room of this step.

    A complete strike is written to one contact of ``now``, or of ``last`` if the two entities have no hit in ``now``.
    Its time and approach speed come from its first step.
    """
    told = 0
    for i in range(int(old.counts[STRIKES])):
        told += _complete(i, found, places, is_solved, old, bodies, step)
    new.counts[STRIKES] = 0
    new.counts[LOADS] = 0
    if is_solved:
        told += _begin(found, places, old, new, bodies, step)
        _hand_on(found.last.table, ended, found.now, new)
    return told


@inlined_scalar
def _complete(
    i: int,
    found: FoundContacts,
    places: field.ContactPlaces,
    is_solved: bool,
    old: StrikeRoom,
    bodies: StepBodies,
    step: StrikeStep,
) -> int:
    """Complete strike i, which the last step has begun; returns how many are written."""
    solved = found.solved
    a = int(old.struck[i, 0])
    b = int(old.struck[i, 1])
    number = old.numbers[i]
    x = number[STRIKE_X]
    y = number[STRIKE_Y]
    if is_solved:
        first, end = _find(solved, 0, a, b)
        blow = _blow_of(solved.table, first, end, places, step)
        load_x = step.load_growth * number[LOAD_X]
        load_y = step.load_growth * number[LOAD_Y]
        if _exceeds(blow, load_x, load_y, solved.table.hits, bodies, step):
            x += blow.x - load_x
            y += blow.y - load_y
    return _tell(found, a, b, hypot(x, y), number[STRIKE_TIME], number[STRIKE_SPEED])


@scalar
def _begin(
    found: FoundContacts,
    places: field.ContactPlaces,
    old: StrikeRoom,
    new: StrikeRoom,
    bodies: StepBodies,
    step: StrikeStep,
) -> int:
    """Begin strikes where contacts rise; returns how many of them are complete already."""
    told = 0
    begun = 0
    end = 0
    hits = found.solved.table.hits
    now = found.now.table
    for i in range(int(places.starts[field.RISING_COUNT])):
        row = index(places.rising[i])
        if row < end:
            # Its two entities were looked at already.
            continue
        a = int(hits.entity_a[row])
        b = int(hits.entity_b[row])
        first, end = _find(found.solved, end, a, b)
        struck, struck_end = _rows_of(old.struck[:, 0], old.struck[:, 1], 0, int(old.counts[STRIKES]), a, b)
        if struck < struck_end:
            continue
        blow = _blow_of(found.solved.table, first, end, places, step)
        load_x = blow.load_x
        load_y = blow.load_y
        loaded, loaded_end = _rows_of(old.loaded[:, 0], old.loaded[:, 1], 0, int(old.counts[LOADS]), a, b)
        if loaded < loaded_end:
            load_x += step.load_growth * old.loads[index(loaded), 0]
            load_y += step.load_growth * old.loads[index(loaded), 1]
        if not _exceeds(blow, load_x, load_y, hits, bodies, step):
            continue
        x = blow.x - load_x
        y = blow.y - load_y
        first_now, end_now = _find(found.now, 0, a, b)
        if _row_to_tell(now, first_now, end_now) < 0:
            told += _tell(found, a, b, hypot(x, y), blow.time, blow.speed)
            continue
        for j in range(index(first_now), index(end_now)):
            if now.points.totals[j, contact_table.NORMAL_TOTAL] > 0.0 or now.hits.is_new[j] != 0:
                now.hits.time[j] = blow.time
                now.hits.approach_speed[j] = blow.speed
        new.struck[begun, 0] = a
        new.struck[begun, 1] = b
        number = new.numbers[begun]
        number[STRIKE_X] = x
        number[STRIKE_Y] = y
        number[LOAD_X] = load_x
        number[LOAD_Y] = load_y
        number[STRIKE_TIME] = blow.time
        number[STRIKE_SPEED] = blow.speed
        begun += 1
    new.counts[STRIKES] = begun
    return told


@scalar
def _hand_on(last: contact_table.ContactTable, ended: Int64s, now: Contacts, new: StrikeRoom) -> None:
    """Note the loads of contacts that ended, for other contacts of the same two entities."""
    count = 0
    at = 0
    for i in range(ended.shape[0]):
        j = index(ended[i])
        along = last.points.totals[j, contact_table.NORMAL_TOTAL]
        across = last.points.totals[j, contact_table.TANGENT_TOTAL]
        if along == 0.0 and across == 0.0:
            continue
        a = int(last.hits.entity_a[j])
        b = int(last.hits.entity_b[j])
        if count == 0 or new.loaded[index(count - 1), 0] != a or new.loaded[index(count - 1), 1] != b:
            at, end = _find(now, at, a, b)
            if at == end:
                continue
            new.loaded[count, 0] = a
            new.loaded[count, 1] = b
            new.loads[count, 0] = 0.0
            new.loads[count, 1] = 0.0
            count += 1
        nx = last.hits.normal[j, 0]
        ny = last.hits.normal[j, 1]
        new.loads[index(count - 1), 0] += along * nx + across * ny
        new.loads[index(count - 1), 1] += along * ny - across * nx
    new.counts[LOADS] = count


@inlined_scalar
def _find(contacts: Contacts, low: int, a: int, b: int) -> tuple[int, int]:
    """The first contact of two entities, and the one after the last; none is before row ``low``."""
    return _rows_of(contacts.table.hits.entity_a, contacts.table.hits.entity_b, low, contacts.total, a, b)


@scalar
def _rows_of(of_a: Int64s, of_b: Int64s, low: int, count: int, a: int, b: int) -> tuple[int, int]:
    """The rows first … end − 1 of two entities, among ``count`` rows in their order."""
    high = count
    while low < high:
        middle = index((low + high) // 2)
        if of_a[middle] < a or (of_a[middle] == a and of_b[middle] < b):
            low = int(middle) + 1
        else:
            high = int(middle)
    while high < count and of_a[index(high)] == a and of_b[index(high)] == b:
        high += 1
    return low, high


@scalar
def _blow_of(
    table: contact_table.ContactTable, first: int, end: int, places: field.ContactPlaces, step: StrikeStep
) -> _Blow:
    """The impulse of the contacts first … end − 1 in a step, and their load."""
    before = places.before
    points = table.points
    normal = table.hits.normal
    x = 0.0
    y = 0.0
    load_x = 0.0
    load_y = 0.0
    time = 1.0
    speed = 0.0
    row = -1
    for j in range(index(first), index(end)):
        if places.places[j] == field.UNMOVED_PLACE:
            # Its impulse is from the step before both fell asleep.
            continue
        nx = normal[j, 0]
        ny = normal[j, 1]
        load_x += before[j, field.OLD_NORMAL] * nx + before[j, field.OLD_TANGENT] * ny
        load_y += before[j, field.OLD_NORMAL] * ny - before[j, field.OLD_TANGENT] * nx
        along = points.totals[j, contact_table.NORMAL_TOTAL]
        across = points.totals[j, contact_table.TANGENT_TOTAL]
        if along == 0.0 and across == 0.0:
            continue
        row = j
        x += along * nx + across * ny
        y += along * ny - across * nx
        met = before[j, field.MET_SPEED]
        if along > 0.0 and met > 0.0:
            speed = max(speed, met)
            gap = points.separations[j, 0]
            if points.features[j, 1] != NO_FEATURE:
                gap = min(gap, points.separations[j, 1])
            time = min(time, max(gap, 0.0) / (met * step.dt))
    load_x *= step.load_growth
    load_y *= step.load_growth
    return _Blow(x, y, load_x, load_y, time if speed > 0.0 else 0.0, speed, row)


@scalar
def _exceeds(
    blow: _Blow, load_x: float, load_y: float, hits: contact_table.HitRows, bodies: StepBodies, step: StrikeStep
) -> bool:
    """Whether a blow clearly exceeds a load."""
    over = hypot(blow.x - load_x, blow.y - load_y)
    load = hypot(load_x, load_y)
    if blow.row < 0 or not over > _CLEARLY * load or not hypot(blow.x, blow.y) > load:
        return False
    a = index(bodies.body_of[index(hits.pairs[blow.row, 0])])
    b = index(bodies.body_of[index(hits.pairs[blow.row, 1])])
    rows = bodies.rows
    change = over * max(rows.bodies[a, INVERSE_MASS], rows.bodies[b, INVERSE_MASS])
    if not change > step.least_speed:
        return False
    of_a = hypot(rows.accelerations[a, 0], rows.accelerations[a, 1])
    of_b = hypot(rows.accelerations[b, 0], rows.accelerations[b, 1])
    gain = step.dt * max(of_a, of_b)
    weights = _OF_WEIGHT if blow.speed > _STEPS_OF_FALL * gain else _OF_STACKED_WEIGHT
    return bool(change > weights * gain)


@scalar
def _tell(found: FoundContacts, a: int, b: int, impulse: float, time: float, speed: float) -> int:
    """Write a complete strike of two entities to one of their contacts; returns how many are written, 0 or 1."""
    table = found.now.table
    first, end = _find(found.now, 0, a, b)
    row = _row_to_tell(table, first, end)
    if row < 0:
        table = found.last.table
        first, end = _find(found.last, 0, a, b)
        row = _row_to_tell(table, first, end)
        if row < 0:
            return 0
    table.points.totals[row, contact_table.STRIKE] = impulse
    table.hits.time[row] = time
    table.hits.approach_speed[row] = speed
    return 1


@inlined_scalar
def _row_to_tell(table: contact_table.ContactTable, first: int, end: int) -> int:
    """The row of the hit that presses most among some contacts; −1 if none is a hit."""
    row = -1
    for j in range(index(first), index(end)):
        if table.hits.is_near[j] == 0 and (
            row < 0
            or table.points.totals[j, contact_table.NORMAL_TOTAL] > table.points.totals[row, contact_table.NORMAL_TOTAL]
        ):
            row = j
    return row
