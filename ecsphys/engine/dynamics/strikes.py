"""Strikes: which impulses of a step are blows, and which the weight of what rests.

Two entities that touch have a *load*: their impulse in the last calm step, 0 if they have just met. A strike begins in
a step in which their impulse clearly exceeds the load. The next step belongs to it if that exceeds the load too: a flat
side that lands on several surfaces is stopped in one step or in two. The impulse of the strike is the vector sum of
what exceeds the load, over all contacts of the two. It is complete in the step after its first, or in its first if the
two part in that.

The step that completes a strike is the next load. So two bodies that bear more than before, as something lies on them
by now, are told once.

The solver notes which contacts rise, see :func:`keep_impulses` in ``contact_filling``. Only these are looked at, and
strikes that are not complete: a calm step costs nothing. Contacts of two entities stand together in the table, which is
ordered by entities.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from numpy import empty, float64, int64

from ecsphys.engine.contact.manifold import NO_FEATURE
from ecsphys.engine.contacts.contact_points import NORMAL_TOTAL, STRIKE, TANGENT_TOTAL, ContactPoints
from ecsphys.engine.contacts.contact_table import ContactTable, HitRows
from ecsphys.engine.dynamics.bodies import INVERSE_MASS, BodyRows
from ecsphys.engine.dynamics.contacts.contact_blocks import MET_SPEED, OLD_NORMAL, OLD_TANGENT
from ecsphys.engine.kernels.array_types import Float64Rows, Int32s, Int64Rows, Int64s
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel, scalar
from ecsphys.engine.kernels.index import index

# What exceeds the load by less than so many times the load is no strike.
_CLEARLY = 1.0
# Nor is less than so many times what accelerations give the lighter of the two in a step: where they meet, and where
# they touch already. The second is larger, as the first steps of a stack hand on weight from one to the next.
_OF_WEIGHT, _OF_STACKED_WEIGHT = 1.5, 8.0
# They meet if they approach faster than accelerations let them in so many steps.
_STEPS_OF_FALL = 2.0

# Columns of strikes that are not complete: the impulse in the world, the load, when in the first step the two met, and
# how fast.
STRIKE_X, STRIKE_Y, LOAD_X, LOAD_Y, STRIKE_TIME, STRIKE_SPEED = range(6)
STRIKE_COLUMNS = 6


class Unfinished(NamedTuple):
    """Strikes that are not complete, in the order of the contacts: their ``entities`` (k, 2), and ``numbers``
    (k, STRIKE_COLUMNS)."""

    entities: Int64Rows
    numbers: Float64Rows


def no_strikes(count: int) -> Unfinished:
    """Room for so many."""
    return Unfinished(empty((count, 2), int64), empty((count, STRIKE_COLUMNS), float64))


class Contacts(NamedTuple):
    """The first ``count`` contacts of a table."""

    table: ContactTable
    count: int


class RisingContacts(NamedTuple):
    """What a solver has noted of the contacts that it solved: ``before`` (m, OLD_COLUMNS) of each; the first ``count``
    of ``rows`` (m,) are those that rise, ascending."""

    before: Float64Rows
    rows: Int32s
    count: int


@packed
class StruckBodies(NamedTuple):
    """The row of the body of each collider, −1 for none, and the rows as the solver left them."""

    body_of: Int32s
    rows: BodyRows


class StrikeStep(NamedTuple):
    """The seconds of a step, and the speed that a strike changes of the lighter body at least."""

    dt: float
    least_speed: float


class _Span(NamedTuple):
    """The rows first … end − 1."""

    first: int
    end: int


class _Blow(NamedTuple):
    """The impulse (x, y) of two entities in a step, and that of the step before.

    ``time``, ``speed``: when in the step they met, and how fast. ``row``: one of the contacts that press, −1 for none.
    """

    x: float
    y: float
    load_x: float
    load_y: float
    time: float
    speed: float
    row: int


class _Strike(NamedTuple):
    """A strike of two entities: its impulse; when in its first step they met, and how fast."""

    a: int
    b: int
    impulse: float
    time: float
    speed: float


@kernel
def tell_strikes(
    last: Contacts,
    solved: Contacts,
    now: Contacts,
    rising: RisingContacts,
    old: Unfinished,
    handed_on: Unfinished,
    new: Unfinished,
    bodies: StruckBodies,
    step: StrikeStep,
) -> tuple[int, int]:
    """Tell the strikes of a step; returns how many are complete, and how many are not.

    A solver has left impulses with the contacts ``solved``: the ``last`` ones, or others found since. ``now`` are the
    contacts after the step. ``old`` strikes are those that the last step has begun; those that this one begins are
    written to ``new``. ``handed_on`` are loads of contacts that ended in the last step, without strikes.

    A complete strike is written to one contact of ``now``; if the two entities have no hit there any more, to one of
    the last. Its time and approach speed are those of its first step.
    """
    told = 0
    for i in range(old.entities.shape[0]):
        a = int(old.entities[i, 0])
        b = int(old.entities[i, 1])
        number = old.numbers[i]
        x = number[STRIKE_X]
        y = number[STRIKE_Y]
        blow = _blow_of(solved.table, _span_of(solved, a, b), rising.before, step.dt)
        if _exceeds(blow, number[LOAD_X], number[LOAD_Y], solved.table.hits, bodies, step):
            x += blow.x - number[LOAD_X]
            y += blow.y - number[LOAD_Y]
        told += _tell(last, now, _Strike(a, b, _length(x, y), number[STRIKE_TIME], number[STRIKE_SPEED]))
    begun = 0
    end = 0
    for i in range(rising.count):
        row = index(rising.rows[i])
        if row < end:
            # Of the two that were looked at last.
            continue
        a = int(solved.table.hits.entity_a[row])
        b = int(solved.table.hits.entity_b[row])
        span = _span_around(row, solved, a, b)
        end = span.end
        if _find(old, a, b) >= 0:
            continue
        blow = _blow_of(solved.table, span, rising.before, step.dt)
        load_x = blow.load_x
        load_y = blow.load_y
        handed = _find(handed_on, a, b)
        if handed >= 0:
            load_x += handed_on.numbers[handed, LOAD_X]
            load_y += handed_on.numbers[handed, LOAD_Y]
        if not _exceeds(blow, load_x, load_y, solved.table.hits, bodies, step):
            continue
        x = blow.x - load_x
        y = blow.y - load_y
        after = _span_of(now, a, b)
        if _row_to_tell(now.table, after) < 0:
            told += _tell(last, now, _Strike(a, b, _length(x, y), blow.time, blow.speed))
            continue
        _tell_meeting(now.table, after, blow)
        new.entities[begun, 0] = a
        new.entities[begun, 1] = b
        number = new.numbers[begun]
        number[STRIKE_X] = x
        number[STRIKE_Y] = y
        number[LOAD_X] = load_x
        number[LOAD_Y] = load_y
        number[STRIKE_TIME] = blow.time
        number[STRIKE_SPEED] = blow.speed
        begun += 1
    return told, begun


@kernel
def hand_on_loads(last: Contacts, ended: Int64s, now: Contacts, handed_on: Unfinished) -> int:
    """Find loads that contacts leave to others of the same two entities, as they end; returns how many pairs have any.

    ``ended`` (k,) are rows of the ``last`` contacts, ascending. The loads are written to ``handed_on``.
    """
    count = 0
    hits = last.table.hits
    totals = last.table.points.totals
    for i in range(ended.shape[0]):
        j = index(ended[i])
        a = int(hits.entity_a[j])
        b = int(hits.entity_b[j])
        along = totals[j, NORMAL_TOTAL]
        across = totals[j, TANGENT_TOTAL]
        if along == 0.0 and across == 0.0:
            continue
        if count == 0 or handed_on.entities[count - 1, 0] != a or handed_on.entities[count - 1, 1] != b:
            span = _span_of(now, a, b)
            if span.first == span.end:
                continue
            handed_on.entities[count, 0] = a
            handed_on.entities[count, 1] = b
            for column in range(STRIKE_COLUMNS):
                handed_on.numbers[count, column] = 0.0
            count += 1
        handed_on.numbers[count - 1, LOAD_X] += along * hits.normal[j, 0] + across * hits.normal[j, 1]
        handed_on.numbers[count - 1, LOAD_Y] += along * hits.normal[j, 1] - across * hits.normal[j, 0]
    return count


@inlined_scalar
def _is_before(a: int, b: int, other_a: int, other_b: int) -> bool:
    """Whether two entities come before two others."""
    return a < other_a or (a == other_a and b < other_b)


@scalar
def _find(strikes: Unfinished, a: int, b: int) -> int:
    """The row of two entities among strikes, −1 if they have none there."""
    entities = strikes.entities
    low = 0
    high = int(entities.shape[0])
    while low < high:
        middle = index((low + high) // 2)
        if _is_before(entities[middle, 0], entities[middle, 1], a, b):
            low = middle + 1
        else:
            high = middle
    found = low < entities.shape[0] and entities[low, 0] == a and entities[low, 1] == b
    return low if found else -1


@scalar
def _span_of(contacts: Contacts, a: int, b: int) -> _Span:
    """The contacts of two entities."""
    hits = contacts.table.hits
    low = 0
    high = contacts.count
    while low < high:
        middle = index((low + high) // 2)
        if _is_before(hits.entity_a[middle], hits.entity_b[middle], a, b):
            low = middle + 1
        else:
            high = middle
    return _Span(low, _end_of(contacts, low, a, b))


@inlined_scalar
def _span_around(row: int, contacts: Contacts, a: int, b: int) -> _Span:
    """The contacts of two entities, one of which is in a row."""
    hits = contacts.table.hits
    first = row
    while first > 0 and hits.entity_a[index(first - 1)] == a and hits.entity_b[index(first - 1)] == b:
        first -= 1
    return _Span(first, _end_of(contacts, row, a, b))


@inlined_scalar
def _end_of(contacts: Contacts, row: int, a: int, b: int) -> int:
    """The row after the last contact of two entities, from a row on."""
    hits = contacts.table.hits
    while row < contacts.count and hits.entity_a[index(row)] == a and hits.entity_b[index(row)] == b:
        row += 1
    return row


@scalar
def _blow_of(table: ContactTable, span: _Span, before: Float64Rows, dt: float) -> _Blow:
    """The impulse of some contacts in a step of dt seconds."""
    points = table.points
    normal = table.hits.normal
    x = 0.0
    y = 0.0
    load_x = 0.0
    load_y = 0.0
    time = 1.0
    speed = 0.0
    row = -1
    for j in range(index(span.first), index(span.end)):
        nx = normal[j, 0]
        ny = normal[j, 1]
        load_x += before[j, OLD_NORMAL] * nx + before[j, OLD_TANGENT] * ny
        load_y += before[j, OLD_NORMAL] * ny - before[j, OLD_TANGENT] * nx
        along = points.totals[j, NORMAL_TOTAL]
        across = points.totals[j, TANGENT_TOTAL]
        if along == 0.0 and across == 0.0:
            continue
        row = j
        x += along * nx + across * ny
        y += along * ny - across * nx
        met = before[j, MET_SPEED]
        if along > 0.0 and met > 0.0:
            speed = max(speed, met)
            time = min(time, max(_gap(points, j), 0.0) / (met * dt))
    return _Blow(x, y, load_x, load_y, time if speed > 0.0 else 0.0, speed, row)


@inlined_scalar
def _gap(points: ContactPoints, j: int) -> float:
    """How far apart two surfaces were when the step began."""
    gap = points.separations[j, 0]
    return min(gap, points.separations[j, 1]) if points.features[j, 1] != NO_FEATURE else gap


@inlined_scalar
def _length(x: float, y: float) -> float:
    return math.sqrt(x * x + y * y)


@scalar
def _exceeds(blow: _Blow, load_x: float, load_y: float, hits: HitRows, bodies: StruckBodies, step: StrikeStep) -> bool:
    """Whether a blow clearly exceeds a load."""
    over = _length(blow.x - load_x, blow.y - load_y)
    load = _length(load_x, load_y)
    if blow.row < 0 or not over > _CLEARLY * load or not _length(blow.x, blow.y) > load:
        return False
    a = index(bodies.body_of[index(hits.pairs[blow.row, 0])])
    b = index(bodies.body_of[index(hits.pairs[blow.row, 1])])
    rows = bodies.rows
    inverse = max(rows.bodies[a, INVERSE_MASS], rows.bodies[b, INVERSE_MASS])
    of_a = _length(rows.accelerations[a, 0], rows.accelerations[a, 1])
    of_b = _length(rows.accelerations[b, 0], rows.accelerations[b, 1])
    gain = step.dt * max(of_a, of_b)
    weights = _OF_WEIGHT if blow.speed > _STEPS_OF_FALL * gain else _OF_STACKED_WEIGHT
    return over * inverse > max(weights * gain, step.least_speed)


@scalar
def _tell(last: Contacts, now: Contacts, strike: _Strike) -> int:
    """Write a complete strike to a contact; returns how many are written, 0 or 1."""
    table = now.table
    row = _row_to_tell(table, _span_of(now, strike.a, strike.b))
    if row < 0:
        table = last.table
        row = _row_to_tell(table, _span_of(last, strike.a, strike.b))
        if row < 0:
            return 0
    table.points.totals[row, STRIKE] = strike.impulse
    table.hits.time[row] = strike.time
    table.hits.approach_speed[row] = strike.speed
    return 1


@inlined_scalar
def _row_to_tell(table: ContactTable, span: _Span) -> int:
    """Of some contacts, the hit that presses most; −1 where none is a hit."""
    row = -1
    for j in range(index(span.first), index(span.end)):
        if table.hits.is_near[j] == 0 and (
            row < 0 or table.points.totals[j, NORMAL_TOTAL] > table.points.totals[row, NORMAL_TOTAL]
        ):
            row = j
    return row


@inlined_scalar
def _tell_meeting(now: ContactTable, span: _Span, blow: _Blow) -> None:
    """Write when two entities met, and how fast, to their contacts that press."""
    for j in range(index(span.first), index(span.end)):
        if now.points.totals[j, NORMAL_TOTAL] > 0.0:
            now.hits.time[j] = blow.time
            now.hits.approach_speed[j] = blow.speed
