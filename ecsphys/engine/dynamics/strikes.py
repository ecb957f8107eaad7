"""Strikes: which impulses of a step are blows, and which the weight of what rests.

Two entities that touch have a *load*: the impulse of their last calm step, 0 for those that have just met. A strike
begins in a step in which their impulse clearly exceeds that, and takes the next step in as well if that one does so
too: a flat side that lands on several surfaces is stopped in one step, or in two. The strike's impulse is the vector
sum of what exceeds the load, over all contacts of the two entities. It is complete in the step after its first, or in
its first if the two part in that.

The next load is the impulse of the step that completes the strike. So what is heavier than before, as something lies on
it by now, is told once: in the steps after, it is the load.

Contacts of two entities stand together in the table, as that is ordered by entities. The first of them has what is kept
of the two from step to step.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ecsphys.engine.contact.manifold import NO_FEATURE
from ecsphys.engine.contacts.contact_points import (
    MEETING_SPEED,
    NORMAL_TOTAL,
    STRIKE,
    STRIKE_COLUMNS,
    STRIKE_SPEED,
    STRIKE_TIME,
    STRIKE_X,
    STRIKE_Y,
    TANGENT_TOTAL,
    ContactPoints,
)
from ecsphys.engine.contacts.contact_table import RUN_END, RUN_FIRST, ContactTable, HitRows
from ecsphys.engine.dynamics.bodies import INVERSE_MASS, BodyRows
from ecsphys.engine.kernels.array_types import Int32Rows, Int32s
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

# Greater than all entities.
_NO_ENTITY = (1 << 63) - 1


class _Contacts(NamedTuple):
    """The first ``count`` contacts of a table."""

    table: ContactTable
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


# Whether contacts were solved in the step: none, the last ones, or those found aside.
NOT_SOLVED, SOLVED, SOLVED_ASIDE = range(3)


class _Span(NamedTuple):
    """The rows first … end − 1."""

    first: int
    end: int


class _Blow(NamedTuple):
    """The impulse (x, y) on the second of two entities in a step, and when in the step they met and how fast.

    ``is_known``: whether it was computed in this step. ``row``: one of the contacts.
    """

    x: float
    y: float
    time: float
    speed: float
    is_known: bool
    row: int


@kernel
def tell_strikes(
    last_table: ContactTable,
    last_count: int,
    aside_table: ContactTable,
    aside_count: int,
    now_table: ContactTable,
    now_count: int,
    resting: Int32Rows,
    bodies: StruckBodies,
    step: StrikeStep,
    solved: int,
) -> int:
    """Tell the strikes of a step; returns how many are complete.

    The impulses are those that a solver has left with the last contacts, or with those found aside, as ``solved`` says.
    ``now`` are the contacts after the step. ``resting`` (k, RUN_COLUMNS) are runs of those that are the same as before,
    in the same rows. A complete strike is written to one contact of ``now``; if the two entities have no hit there any
    more, to one of the last. Its time and approach speed are those of its first step.
    """
    last = _Contacts(last_table, last_count)
    aside = _Contacts(aside_table, aside_count if solved == SOLVED_ASIDE else 0)
    now = _Contacts(now_table, now_count)
    told = 0
    i = 0
    s = 0
    k = 0
    run_last = 0
    run_now = 0
    runs = resting
    while True:
        while run_last < runs.shape[0] and runs[run_last, RUN_FIRST] == i:
            i = index(runs[run_last, RUN_END])
            run_last += 1
        while run_now < runs.shape[0] and runs[run_now, RUN_FIRST] == k:
            k = index(runs[run_now, RUN_END])
            run_now += 1
        a = _NO_ENTITY
        b = _NO_ENTITY
        if i < last.count:
            a = int(last.table.hits.entity_a[i])
            b = int(last.table.hits.entity_b[i])
        if s < aside.count and _is_before(aside.table.hits, s, a, b):
            a = int(aside.table.hits.entity_a[s])
            b = int(aside.table.hits.entity_b[s])
        if k < now.count and _is_before(now.table.hits, k, a, b):
            a = int(now.table.hits.entity_a[k])
            b = int(now.table.hits.entity_b[k])
        if a == _NO_ENTITY:
            return told
        before = _Span(i, _end_of(last, i, a, b, runs, run_last))
        besides = _Span(s, _end_of(aside, s, a, b, runs, runs.shape[0]))
        after = _Span(k, _end_of(now, k, a, b, runs, run_now))
        i = before.end
        s = besides.end
        k = after.end
        if solved == SOLVED_ASIDE:
            blow = _blow_of(aside.table, besides, step.dt, True)
            heavy = _weight(aside.table.hits, blow, bodies, step)
        else:
            blow = _blow_of(last.table, before, step.dt, solved == SOLVED)
            heavy = _weight(last.table.hits, blow, bodies, step)
        told += _tell(last.table, before, now.table, after, blow, heavy)


@inlined_scalar
def _is_before(hits: HitRows, row: int, a: int, b: int) -> bool:
    """Whether a contact comes before those of two entities."""
    return bool(hits.entity_a[row] < a or (hits.entity_a[row] == a and hits.entity_b[row] < b))


@scalar
def _end_of(contacts: _Contacts, row: int, a: int, b: int, runs: Int32Rows, run: int) -> int:
    """The row after the last contact of two entities, from a row on; none that rests is among them."""
    hits = contacts.table.hits
    end = min(contacts.count, int(runs[run, RUN_FIRST])) if run < runs.shape[0] else contacts.count
    while row < end and hits.entity_a[row] == a and hits.entity_b[row] == b:
        row += 1
    return row


@scalar
def _blow_of(table: ContactTable, span: _Span, dt: float, is_solved: bool) -> _Blow:
    """The impulse of some contacts in a step of dt seconds."""
    points = table.points
    normal = table.hits.normal
    x = 0.0
    y = 0.0
    time = 1.0
    speed = 0.0
    is_known = False
    row = -1
    for j in range(index(span.first), index(span.end)):
        if not is_solved or points.totals[j, MEETING_SPEED] < 0.0:
            continue
        is_known = True
        along = points.totals[j, NORMAL_TOTAL]
        across = points.totals[j, TANGENT_TOTAL]
        if along == 0.0 and across == 0.0:
            continue
        row = j
        x += along * normal[j, 0] + across * normal[j, 1]
        y += along * normal[j, 1] - across * normal[j, 0]
        meeting = points.totals[j, MEETING_SPEED]
        if along > 0.0 and meeting > 0.0:
            speed = max(speed, meeting)
            time = min(time, max(_gap(points, j), 0.0) / (meeting * dt))
    return _Blow(x, y, time if speed > 0.0 else 0.0, speed, is_known, row)


@inlined_scalar
def _gap(points: ContactPoints, j: int) -> float:
    """How far apart two surfaces were when the step began."""
    gap = points.separations[j, 0]
    return min(gap, points.separations[j, 1]) if points.features[j, 1] != NO_FEATURE else gap


@inlined_scalar
def _weight(hits: HitRows, blow: _Blow, bodies: StruckBodies, step: StrikeStep) -> float:
    """The impulse beyond the load up to which it is no strike."""
    if blow.row < 0:
        return 0.0
    a = index(bodies.body_of[index(hits.pairs[blow.row, 0])])
    b = index(bodies.body_of[index(hits.pairs[blow.row, 1])])
    rows = bodies.rows
    inverse = max(rows.bodies[a, INVERSE_MASS], rows.bodies[b, INVERSE_MASS])
    if not inverse > 0.0:
        return 0.0
    of_a = _length(rows.accelerations[a, 0], rows.accelerations[a, 1])
    of_b = _length(rows.accelerations[b, 0], rows.accelerations[b, 1])
    gain = step.dt * max(of_a, of_b)
    weights = _OF_WEIGHT if blow.speed > _STEPS_OF_FALL * gain else _OF_STACKED_WEIGHT
    return max(weights * gain, step.least_speed) / inverse


@inlined_scalar
def _length(x: float, y: float) -> float:
    return math.sqrt(x * x + y * y)


@scalar
def _tell(last: ContactTable, before: _Span, now: ContactTable, after: _Span, blow: _Blow, weight: float) -> int:
    """Tell what the ``blow`` of two entities was; returns whether a strike is complete, as 0 or 1.

    ``before`` and ``after`` are the rows of their contacts before and after the step.
    """
    load_x = 0.0
    load_y = 0.0
    strike_x = 0.0
    strike_y = 0.0
    time = 0.0
    speed = 0.0
    if before.first < before.end:
        head = index(before.first)
        load_x = last.points.loads[head, 0]
        load_y = last.points.loads[head, 1]
        strike_x = last.points.strikes[head, STRIKE_X]
        strike_y = last.points.strikes[head, STRIKE_Y]
        time = last.points.strikes[head, STRIKE_TIME]
        speed = last.points.strikes[head, STRIKE_SPEED]
    is_begun = strike_x != 0.0 or strike_y != 0.0
    is_complete = is_begun
    begins = False
    if blow.is_known:
        over_x = blow.x - load_x
        over_y = blow.y - load_y
        load = _length(load_x, load_y)
        exceeds = _length(blow.x, blow.y) > load and _length(over_x, over_y) > max(_CLEARLY * load, weight)
        if exceeds:
            strike_x += over_x
            strike_y += over_y
        if exceeds and not is_begun:
            begins = True
            time = blow.time
            speed = blow.speed
        else:
            load_x = blow.x
            load_y = blow.y
    row = _row_to_tell(now, after)
    is_gone = row < 0
    if begins:
        if is_gone:
            is_complete = True
        else:
            _tell_meeting(now, after, time, speed)
    _forget_told(last.points, before)
    _keep(now.points, after, load_x, load_y)
    if not is_complete:
        if begins:
            strikes = now.points.strikes[index(after.first)]
            strikes[STRIKE_X] = strike_x
            strikes[STRIKE_Y] = strike_y
            strikes[STRIKE_TIME] = time
            strikes[STRIKE_SPEED] = speed
        return 0
    table = now
    if is_gone:
        table = last
        row = _row_to_tell(last, before)
        if row < 0:
            return 0
    table.points.totals[row, STRIKE] = _length(strike_x, strike_y)
    table.hits.time[row] = time
    table.hits.approach_speed[row] = speed
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
def _tell_meeting(now: ContactTable, span: _Span, time: float, speed: float) -> None:
    """Write when two entities met, and how fast, to their contacts that press."""
    for j in range(index(span.first), index(span.end)):
        if now.points.totals[j, NORMAL_TOTAL] > 0.0:
            now.hits.time[j] = time
            now.hits.approach_speed[j] = speed


@inlined_scalar
def _forget_told(points: ContactPoints, span: _Span) -> None:
    for j in range(index(span.first), index(span.end)):
        if points.totals[j, STRIKE] != 0.0:
            points.totals[j, STRIKE] = 0.0


@inlined_scalar
def _keep(points: ContactPoints, span: _Span, load_x: float, load_y: float) -> None:
    """Write the load of two entities to the first of their contacts, and no strike to any."""
    for j in range(index(span.first), index(span.end)):
        is_first = j == span.first
        points.loads[j, 0] = load_x if is_first else 0.0
        points.loads[j, 1] = load_y if is_first else 0.0
        if points.strikes[j, STRIKE_X] != 0.0 or points.strikes[j, STRIKE_Y] != 0.0:
            for column in range(STRIKE_COLUMNS):
                points.strikes[j, column] = 0.0
