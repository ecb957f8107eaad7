"""Finds the points of contacts that meet in a substep, before it begins, and how fast they meet.

Contacts of two bodies along one normal are looked at together. A flat side with several parts, or on several segments,
meets the other side at the two outermost points of these contacts.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ecsphys.engine.dynamics.contacts import contact_blocks as field
from ecsphys.engine.dynamics.contacts.contact_blocks import ContactBlocks
from ecsphys.engine.dynamics.contacts.contact_impacts import (
    Line,
    Lines,
    Motion,
    Two,
    along,
    lines_of,
    number_of,
    with_number,
)
from ecsphys.engine.dynamics.contacts.contact_preparing import STRIKING
from ecsphys.engine.kernels.array_types import Float64Rows, Float64s
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.kernels.index import index
from ecsphys.engine.vectors.lanes import LANES, store

# In substeps. Points that meet within _SOON meet in this substep: the solver rounds in another way, and may find that
# they do. The solver would stop points that meet within _NEXT already in this substep, so they are hidden from it. A
# point that meets within _TOGETHER meets together with the contact's other point: a flat side does not rattle.
_SOON, _NEXT, _TOGETHER = 1.01, 2.02, 2.0


class StrikeTime(NamedTuple):
    """The seconds of a substep and of a step, and the seconds left of the step when the substep starts; the speed below
    which nothing bounces; whether it is the first substep."""

    h: float
    dt: float
    left: float
    threshold: float
    is_first: bool


@scalar
def speed_after(speed: float, distance: float, acceleration: float) -> float:
    """The speed of a point on a line after a distance: v² grows by 2 a s. 0 if the point does not get there."""
    squared = speed * speed + 2.0 * acceleration * distance
    return math.sqrt(squared) if squared > 0.0 else 0.0


class MeetingPoints(NamedTuple):
    """One or two points at which two bodies meet.

    Each is a point of a contact, which is a row of ``bounces``. ``speeds`` are negative where the surfaces approach,
    ``separations`` where they overlap. ``meeting`` is how fast they meet; 0 if they do not meet in this substep.
    """

    point_count: int
    contact_first: int
    point_first: int
    contact_second: int
    point_second: int
    lines: Lines
    speeds: Two
    separations: Two
    meeting: Two


class _Point(NamedTuple):
    """A point of ``MeetingPoints``, with its lines along normal and tangent."""

    contact: int
    point: int
    normal: Line
    tangent: Line
    speed: float
    separation: float
    meeting: float


class SeenPoints(NamedTuple):
    """The points of a contact in a substep: ``speeds``, ``separations`` and ``meeting`` as in ``MeetingPoints``."""

    lines: Lines
    speeds: Two
    separations: Two
    meeting: Two


@inlined_scalar
def look_at(bounce: Float64s, before: Motion, moved: Motion, blocks: ContactBlocks, time: StrikeTime) -> SeenPoints:
    """Find the points of a contact that meet in this substep, and hide points that meet in the next from the solver."""
    place = int(bounce[field.BOUNCE_PLACE])
    block = index(place // LANES)
    lane = place % LANES
    points = 2 if int(blocks.lane_kinds[block, lane]) & field.HAS_TWO_POINTS else 1
    lines = lines_of(block, lane, blocks)
    speeds = Two(along(before, lines.first), along(before, lines.second) if points == 2 else 0.0)
    meeting = Two(0.0, 0.0)
    if not (speeds.first < 0.0 or speeds.second < 0.0):
        if bounce[field.BOUNCE_IS_HIDDEN] != 0.0:
            _hide(block, lane, blocks, bounce, 0.0, 0.0)
        return SeenPoints(lines, speeds, meeting, meeting)
    separations = Two(
        bounce[field.BOUNCE_SEPARATION] + along(moved, lines.first),
        bounce[field.BOUNCE_SEPARATION + 1] + along(moved, lines.second),
    )
    acceleration = bounce[field.BOUNCE_ACCELERATION]
    restitution = bounce[field.BOUNCE_RESTITUTION]
    least = max(time.threshold * (1.0 if restitution > 0.0 else STRIKING), time.h * abs(acceleration))
    hidden = Two(0.0, 0.0)
    for p in range(points):
        speed = number_of(speeds, p)
        separation = number_of(separations, p)
        way = time.h * (speed + time.h * min(acceleration, 0.0))
        if not speed < 0.0 or not separation + _NEXT * way < 0.0:
            continue
        fast = speed_at_meeting(speed, separation, acceleration, time.dt)
        if fast > least:
            if separation + _SOON * way < 0.0:
                meeting = with_number(meeting, p, fast)
            else:
                hidden = with_number(hidden, p, 1.0)
    if hidden.first + hidden.second != bounce[field.BOUNCE_IS_HIDDEN] or hidden.first != hidden.second:
        _hide(block, lane, blocks, bounce, hidden.first, hidden.second)
    return SeenPoints(lines, speeds, separations, meeting)


@inlined_scalar
def together(seen: SeenPoints, bounce: Float64s, blocks: ContactBlocks, time: StrikeTime) -> Two:
    """How fast the points of a contact meet; a point that meets a little later meets together with the other."""
    place = int(bounce[field.BOUNCE_PLACE])
    meeting = seen.meeting
    points = 2 if int(blocks.lane_kinds[index(place // LANES), place % LANES]) & field.HAS_TWO_POINTS else 1
    for p in range(points):
        speed = number_of(seen.speeds, p)
        separation = number_of(seen.separations, p)
        met = number_of(meeting, p)
        if met == 0.0 and speed < 0.0 and separation + _TOGETHER * time.h * speed < 0.0:
            fast = speed_at_meeting(speed, separation, bounce[field.BOUNCE_ACCELERATION], time.dt)
            meeting = with_number(meeting, p, fast)
    return meeting


@scalar
def outermost(
    k: int,
    count: int,
    before: Motion,
    moved: Motion,
    blocks: ContactBlocks,
    bounces: Float64Rows,
    time: StrikeTime,
) -> MeetingPoints:
    """The points where two bodies meet; they have ``count`` contacts along one normal, from row k on.

    These are the two points farthest apart among all that meet: surfaces that do not pass each other there do not pass
    each other in between.
    """
    meets = False
    for i in range(k, k + count):
        meeting = look_at(bounces[i], before, moved, blocks, time).meeting
        meets = meets or meeting.first != 0.0 or meeting.second != 0.0
    line = Line(0.0, 0.0, 0.0, 0.0)
    first = _Point(k, 0, line, line, 0.0, 0.0, 0.0)
    second = first
    found = 0
    for i in range(k, k + count if meets else k):
        seen = look_at(bounces[i], before, moved, blocks, time)
        meeting = together(seen, bounces[i], blocks, time)
        for p in range(2):
            one = _Point(
                i,
                p,
                seen.lines.second if p else seen.lines.first,
                seen.lines.tangent_second if p else seen.lines.tangent_first,
                number_of(seen.speeds, p),
                number_of(seen.separations, p),
                number_of(meeting, p),
            )
            if one.meeting == 0.0:
                continue
            if found == 0 or one.normal.a < first.normal.a:
                first = one
            if found == 0 or one.normal.a > second.normal.a:
                second = one
            found += 1
    lines = Lines(first.normal, second.normal, first.tangent, second.tangent)
    points = min(found, 1) if first.contact == second.contact and first.point == second.point else 2
    if points < 2:
        second = _Point(second.contact, second.point, line, line, 0.0, 0.0, 0.0)
    return MeetingPoints(
        points,
        first.contact,
        first.point,
        second.contact,
        second.point,
        lines,
        Two(first.speed, second.speed),
        Two(first.separation, second.separation),
        Two(first.meeting, second.meeting),
    )


@inlined_scalar
def speed_at_meeting(speed: float, separation: float, acceleration: float, dt: float) -> float:
    """How fast surfaces meet that approach at a ``speed`` now. If they overlap, they met before: at most by the way of
    a step."""
    return speed_after(speed, max(separation, speed * dt), -acceleration)


@inlined_scalar
def _hide(block: int, lane: int, blocks: ContactBlocks, bounce: Float64s, first: float, second: float) -> None:
    """Hide points of a contact from the solver, by a large separation, and show it the others."""
    bounce[field.BOUNCE_IS_HIDDEN] = first + second
    for p in range(2):
        separation = field.LARGEST if (second if p else first) > 0.0 else bounce[field.BOUNCE_SEPARATION + p]
        store(blocks.constants, block, field.SEPARATION + field.POINT_CONSTANTS * p, lane, separation)
