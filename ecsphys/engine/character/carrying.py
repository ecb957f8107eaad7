"""Carrying and pushing: what moving solids do to a character before it moves by itself.

All of it is seen in the frame of each solid: while the character is carried by c and a solid moves by m, it moves by
c − m against the solid at its old place. So a solid that moves along with its platform does not push it, and a fast or
thin solid does not jump over it. If the way is blocked after a part of it, the rest of m − c is added to c: from the
touch on, the character goes with the solid.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.character.dropping import is_in_the_way
from ecsphys.engine.character.gathering import Scratch, put_spare
from ecsphys.engine.character.ground import FLOOR_ANGLE, Ground, ground_of, is_floor
from ecsphys.engine.character.leaving import NO_WAY, leave_solids
from ecsphys.engine.character.meetings import add_contact, add_contacts, meeting_of
from ecsphys.engine.character.mover import (
    ASIDE,
    CARRY,
    FINE,
    FRACTION,
    NORMAL,
    OF_MOVE,
    OF_SLIDE,
    PASSES,
    POINT,
    ROWS,
    SIZE,
    SKIN,
    SLOT,
    STATUS,
    SUPPORT,
    Mover,
    Support,
    X,
    Y,
    dot,
    no_support,
    support_at,
)
from ecsphys.engine.character.slide import slide
from ecsphys.engine.character.solid_casts import AT_SPARE, cast, first_impact, first_solid, least_fraction
from ecsphys.engine.character.solid_motion import (
    ENTRIES,
    POSE_COLUMNS,
    JournalArrays,
    note_pose,
    passed_way,
    taken_by,
)
from ecsphys.engine.character.solid_world import Solids, SolidWorld
from ecsphys.engine.contacts.contact_writing import point_velocity
from ecsphys.engine.contacts.touches import Touch
from ecsphys.engine.dynamics.body_mass import TANGENT_SPEED
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.math.sorted_numbers import find_number
from ecsphys.engine.shapes.layout import KIND_AABB
from ecsphys.engine.tables.entity_rows import RIGID_BODY, row_of

_MOST_PUSHES = 8

# Columns of pushers: slot, and the way it moved beside the mover.
_OF_SLOT, _WAY = 0, 1
PUSHER_COLUMNS = 3

# Of the mover's size: the reach in which it looks for its floor when it is moved for the first time.
_AT_FIRST = 0.01


@scalar
def begin_riding(
    mover: Mover, solids: Solids, world: SolidWorld, journal: JournalArrays, ground: Ground, dt: float
) -> tuple[int, Support]:
    """Find the floor that a mover stood on, if it is moved for the first time and solids have moved in this step.

    Notes in the journal where the solids near it were ``dt`` seconds ago. The caller takes these entries back after the
    move. Returns the number of entries, and the support. There must be room for an entry for each solid.
    """
    best, highest = no_support(), -math.inf
    entries = 0
    reach = _AT_FIRST * mover.state[SIZE]
    for row in range(first_solid(mover), mover.counts[ROWS]):
        slot = int(mover.numbers[row, SLOT])
        vx, vy = point_velocity(slot, 0.0, 0.0, world.colliders, world.velocities)
        velocity_row = world.colliders.velocity_row[slot]
        turn = world.velocities.stepped[2, velocity_row] * dt if velocity_row >= 0 else 0.0
        if vx == 0.0 and vy == 0.0 and turn == 0.0:
            continue
        note_pose(journal, solids, slot)
        entry = journal.numbers[ENTRIES] - 1
        journal.poses[entry, 0] -= vx * dt
        journal.poses[entry, 1] -= vy * dt
        journal.poses[entry, 2] -= turn if solids.kind[slot] != KIND_AABB else 0.0
        entries += 1
        put_spare(mover, solids, slot, vx * dt, vy * dt)
        cast(mover, solids.pool, AT_SPARE, -reach * ground.up_x, -reach * ground.up_y, ASIDE)
        impact = first_impact(mover, ASIDE)
        if impact < 0 or mover.impacts[ASIDE, impact, FRACTION] > 1.0:
            continue
        normal_x, normal_y = 0.0 - mover.impacts[ASIDE, impact, NORMAL], 0.0 - mover.impacts[ASIDE, impact, NORMAL + 1]
        height = dot(normal_x, normal_y, ground.up_x, ground.up_y)
        if is_floor(ground, normal_x, normal_y) and height > highest:
            highest = height
            x, y = mover.impacts[ASIDE, impact, POINT], mover.impacts[ASIDE, impact, POINT + 1]
            best = Support(slot, int(solids.entity[slot]), normal_x, normal_y, x, y)
    return entries, best


@scalar
def keep_in_the_way(solids: Solids, scratch: Scratch, moved: int, entity: int, filter_row: int, dropped: int) -> int:
    """Keep those solids in the list of the moved ones that stand in a mover's way; returns how many they are.

    ``dropped`` says how many entities in the scratch do not, as it is dropping through them.
    """
    count = 0
    for k in range(moved):
        if is_in_the_way(solids, scratch, int(scratch.moved[k]), entity, filter_row, dropped):
            scratch.moved[count] = scratch.moved[k]
            for column in range(POSE_COLUMNS):
                scratch.poses[count, column] = scratch.poses[k, column]
            count += 1
    return count


@scalar
def belt_velocity(solids: Solids, floor: Support) -> tuple[float, float]:
    """The velocity of a conveyor belt's surface, which runs clockwise round its body; (0, 0) for other floors."""
    row = row_of(RIGID_BODY, solids.owner[floor.slot], solids.lines)
    if row < 0:
        return 0.0, 0.0
    speed = solids.rules.bodies[TANGENT_SPEED, row]
    return speed * floor.normal_y, -speed * floor.normal_x


@scalar
def carry_and_push(
    mover: Mover, solids: Solids, scratch: Scratch, count: int, elapsed: float
) -> tuple[float, float, float, float]:
    """Move the mover as its platform, SUPPORT, and what ran into it did; by how much the first and the others moved it.

    There are ``count`` moved solids in the scratch. A conveyor belt has run for ``elapsed`` seconds. Nothing moves the
    mover through solids that have not moved themselves.
    """
    state, pool = mover.state, solids.pool
    carry_x = carry_y = 0.0
    bearer = -1
    support = support_at(state, SUPPORT)
    if support.slot >= 0:
        carry_x, carry_y = belt_velocity(solids, support)
        carry_x *= elapsed
        carry_y *= elapsed
        if find_number(scratch.moved[:count], support.slot) >= 0:
            taken_x, taken_y = taken_by(scratch, count, support.slot, support.x, support.y)
            carry_x += taken_x
            carry_y += taken_y
            bearer = int(solids.entity[support.slot])
    if count == 0 and carry_x == 0.0 and carry_y == 0.0:
        return 0.0, 0.0, 0.0, 0.0
    state[CARRY], state[CARRY + 1] = carry_x, carry_y
    pushers = 0
    for k in range(count):
        is_near, x, y = passed_way(mover, solids, scratch, k, carry_x, carry_y)
        if is_near and solids.entity[scratch.moved[k]] != bearer:
            scratch.pushers[pushers, _OF_SLOT] = scratch.moved[k]
            scratch.pushers[pushers, _WAY] = x
            scratch.pushers[pushers, _WAY + 1] = y
            pushers += 1
    total_x, total_y = _pushed_by(mover, solids, scratch.pushers, pushers, carry_x, carry_y)
    if pushers == 0 and total_x == 0.0 and total_y == 0.0:
        return 0.0, 0.0, 0.0, 0.0
    _let_pass(mover, scratch, count, 1)
    start_x, start_y = state[X], state[Y]
    carried_x = carried_y = pushed_x = pushed_y = 0.0
    for is_push in range(2):
        x = total_x - carry_x if is_push else carry_x
        y = total_y - carry_y if is_push else carry_y
        if (x != 0.0 or y != 0.0) and mover.counts[STATUS] == FINE:
            slide(mover, pool, ground_of(0.0, 0.0, FLOOR_ANGLE), x, y, OF_SLIDE)
            add_contacts(mover, OF_SLIDE, False)
        if is_push:
            pushed_x = state[X] - start_x
            pushed_y = state[Y] - start_y
        else:
            carried_x = state[X] - start_x
            carried_y = state[Y] - start_y
        start_x, start_y = state[X], state[Y]
    _let_pass(mover, scratch, count, -1)
    leave_solids(mover, pool)
    rest_x = state[X] - start_x
    rest_y = state[Y] - start_y
    if pushers > 0:
        return carried_x, carried_y, pushed_x + rest_x, pushed_y + rest_y
    return carried_x + rest_x, carried_y + rest_y, pushed_x, pushed_y


@scalar
def _let_pass(mover: Mover, scratch: Scratch, moved: int, by: int) -> None:
    """Take all moved solids out of the mover's way, with 1, or back into it, with −1."""
    for row in range(first_solid(mover), mover.counts[ROWS]):
        if find_number(scratch.moved[:moved], int(mover.numbers[row, SLOT])) >= 0:
            mover.numbers[row, PASSES] += by


@scalar
def _pushed_by(
    mover: Mover, solids: Solids, pushers: NDArray[float64], count: int, carry_x: float, carry_y: float
) -> tuple[float, float]:
    """The whole displacement by which a mover is carried and pushed, the earliest pusher first, of equals the first in
    the public order."""
    total_x = carry_x
    total_y = carry_y
    for _ in range(_MOST_PUSHES):
        first = 1.0
        along_x = along_y = 0.0
        pusher = -1
        for k in range(count):
            moved_x, moved_y = pushers[k, _WAY], pushers[k, _WAY + 1]
            x = total_x - moved_x
            y = total_y - moved_y
            put_spare(mover, solids, int(pushers[k, _OF_SLOT]), moved_x, moved_y)
            cast(mover, solids.pool, AT_SPARE, x, y, ASIDE)
            part = least_fraction(mover, ASIDE)
            goes_first = part < first or (part == first and pusher >= 0 and _ranks_below(solids, pushers, k, pusher))
            if goes_first and (1.0 - part) * hypot(x, y) > NO_WAY * mover.state[SKIN]:
                first = part
                along_x = x
                along_y = y
                pusher = k
        if pusher < 0:
            break
        _add_pusher(mover, solids, pushers, pusher, along_x, along_y)
        total_x = total_x - (1.0 - first) * along_x
        total_y = total_y - (1.0 - first) * along_y
    return total_x, total_y


@scalar
def _ranks_below(solids: Solids, pushers: NDArray[float64], a: int, b: int) -> bool:
    """Whether pusher a comes before pusher b in the public order of colliders."""
    return bool(solids.rank[int(pushers[a, _OF_SLOT])] < solids.rank[int(pushers[b, _OF_SLOT])])


@scalar
def _add_pusher(mover: Mover, solids: Solids, pushers: NDArray[float64], k: int, x: float, y: float) -> None:
    """Add the meeting of the mover and a pusher, on its relative way (x, y), to the contacts of the move."""
    moved_x, moved_y = pushers[k, _WAY], pushers[k, _WAY + 1]
    put_spare(mover, solids, int(pushers[k, _OF_SLOT]), moved_x, moved_y)
    cast(mover, solids.pool, AT_SPARE, x, y, ASIDE)
    met = meeting_of(mover, ASIDE, first_impact(mover, ASIDE))
    x = met.x + moved_x
    y = met.y + moved_y
    add_contact(
        mover, OF_MOVE, Touch(met.own_slot, met.other_slot, met.other_entity, met.normal_x, met.normal_y, x, y), 0
    )
