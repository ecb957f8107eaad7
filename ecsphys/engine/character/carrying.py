"""Carrying and pushing: what moving solids do to a character before it moves by itself; and dropping through planks.

The transforms of solids, now and when the character was moved last, tell how they moved: it does not matter what moves
them. Whatever places a solid elsewhere notes in a journal where that was before.

All is seen in the frame of each solid. While the character is carried by c and a solid moves by m, it moves by c − m
against the solid at its old place; or, shifted by m, against the solid where it is now. So a solid that moves along
with its platform does not push it, and a fast or thin solid does not jump over it. If the way is blocked after a part
of it, the rest of m − c is added to c: from the touch on, the character goes with the solid.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import box_at
from ecsphys.engine.broadphase.pairs import overlaps_box
from ecsphys.engine.character import mover as movers
from ecsphys.engine.character.mover import (
    Found,
    Mover,
    Support,
    add_contact,
    cast_at_spare,
    dot,
    fail,
    no_support,
    shift,
    support_at,
    swept_box,
)
from ecsphys.engine.character.slide import (
    FLOOR_ANGLE,
    NO_WAY,
    Ground,
    ground_of,
    height_of,
    is_floor,
    leave_solids,
    slide,
)
from ecsphys.engine.character.surroundings import (
    Scratch,
    World,
    angle_of,
    is_solid,
    may_block,
    one_way_normal,
    put_solid,
)
from ecsphys.engine.contacts.contact_writing import Velocities, point_velocity
from ecsphys.engine.dynamics.body_mass import TANGENT_SPEED
from ecsphys.engine.kernels.array_types import Float64Rows, Int32s, Int64s
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.cos_sin import cosine_of, sine_of
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.math.sorted_numbers import find_number, sort_numbers
from ecsphys.engine.shapes.layout import KIND_AABB
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.engine.tables.entity_rows import RIGID_BODY, row_of

# Numbers of a journal: entries it has, entries it has dropped before these, and the last reading.
ENTRIES, DROPPED, READING = 0, 1, 2
JOURNAL_NUMBERS = 3

_MOST_PUSHES = 8

# Of the mover's size: the reach in which it looks for its floor when it is moved for the first time.
_AT_FIRST = 0.01

# An entry and a slot in one number.
_ENTRY_BITS = 32

# In skins: how far from a plank a mover has dropped through it.
_CLEAR = 16.0


@packed
class JournalArrays(NamedTuple):
    """What was noted: ``slots`` (n,) of colliders and their ``poses`` before (n, 3); the ``numbers`` named above.

    For each slot, ``born`` is the revision at which its collider came (what is older is another's), and ``read_by`` the
    last reading that has seen it.
    """

    slots: Int32s
    poses: Float64Rows
    numbers: Int64s
    born: Int64s
    read_by: Int64s


@scalar
def revision_of(journal: JournalArrays) -> int:
    """The number of entries there ever were."""
    return int(journal.numbers[DROPPED] + journal.numbers[ENTRIES])


@scalar
def note_pose(journal: JournalArrays, world: World, slot: int) -> None:
    """Add where a collider is, before that changes; there must be room."""
    entry = journal.numbers[ENTRIES]
    positions = world.searched.placed.positions
    journal.slots[entry] = slot
    journal.poses[entry, 0] = positions[slot, 0]
    journal.poses[entry, 1] = positions[slot, 1]
    journal.poses[entry, 2] = angle_of(world.searched, slot)
    journal.numbers[ENTRIES] = entry + 1


@scalar
def begin_riding(
    mover: Mover, world: World, velocities: Velocities, journal: JournalArrays, ground: Ground, dt: float
) -> tuple[int, Support]:
    """Find the floor that a mover stood on, if it is moved for the first time and solids have moved in this step.

    Notes in the journal where the solids near it were ``dt`` seconds ago. The caller takes these entries back after the
    move. Returns the number of entries, and the support. There must be room for an entry for each solid.
    """
    arrays, colliders = mover.arrays, world.searched.colliders
    state = arrays.state[0]
    best, highest = no_support(), -math.inf
    entries = 0
    reach = _AT_FIRST * state.size
    for row in range(state.solids):
        slot = int(arrays.solids[row].slot)
        vx, vy = point_velocity(slot, 0.0, 0.0, colliders, velocities)
        velocity_row = colliders.velocity_row[slot]
        turn = velocities.stepped[2, velocity_row] * dt if velocity_row >= 0 else 0.0
        if vx == 0.0 and vy == 0.0 and turn == 0.0:
            continue
        x, y = vx * dt, vy * dt
        note_pose(journal, world, slot)
        entry = journal.numbers[ENTRIES] - 1
        journal.poses[entry, 0] -= x
        journal.poses[entry, 1] -= y
        journal.poses[entry, 2] -= turn if colliders.kind[slot] != KIND_AABB else 0.0
        entries += 1
        put_solid(world, arrays, state.solids, slot)
        found = _cast_beside(mover, x, y, -reach * ground.up_x, -reach * ground.up_y)
        if found.first < 0 or arrays.aside[found.first].fraction > 1.0:
            continue
        on = support_at(arrays.aside[found.first])
        height = height_of(ground, on.normal_x, on.normal_y)
        if is_floor(ground, on.normal_x, on.normal_y) and height > highest:
            highest = height
            best = Support(on.slot, on.entity, on.normal_x, on.normal_y, on.x - x, on.y - y)
    return entries, best


@scalar
def find_moved(mover: Mover, world: World, journal: JournalArrays, scratch: Scratch, since: int) -> None:
    """List the solids in the mover's way that are not where they were at a revision, by slot; none if it is too old.

    Colliders that were not there yet, or were another instance, have not moved.
    """
    state, searched, keys = mover.arrays.state[0], world.searched, scratch.keys
    entries = int(journal.numbers[ENTRIES])
    first = since - int(journal.numbers[DROPPED])
    if first < 0 or first >= entries:
        return
    if entries - first > keys.shape[0]:
        fail(state, movers.NO_ROWS, entries - first)
        return
    journal.numbers[READING] += 1
    reading = journal.numbers[READING]
    found = 0
    for entry in range(first, entries):
        slot = int(int64(journal.slots[entry]))
        is_own = entry + journal.numbers[DROPPED] >= journal.born[slot]
        if is_own and journal.read_by[slot] != reading:
            journal.read_by[slot] = reading
            if searched.colliders.absence[slot] == PRESENT and is_solid(world, slot):
                keys[found] = (slot << _ENTRY_BITS) | entry
                found += 1
    sort_numbers(keys, found)
    count = 0
    for k in range(found):
        slot = int(keys[k] >> _ENTRY_BITS)
        entry = int(keys[k] & ((1 << _ENTRY_BITS) - 1))
        motion = scratch.motions[count]
        motion.then_x = journal.poses[entry, 0]
        motion.then_y = journal.poses[entry, 1]
        motion.then_angle = journal.poses[entry, 2]
        motion.x = searched.placed.positions[slot, 0]
        motion.y = searched.placed.positions[slot, 1]
        motion.angle = angle_of(searched, slot)
        has_moved = motion.then_x != motion.x or motion.then_y != motion.y or motion.then_angle != motion.angle
        entity = int(searched.colliders.entity[slot])
        if has_moved and not _has(scratch.dropped, state.dropped, entity) and may_block(world, slot, state):
            scratch.moved[count] = slot
            count += 1
    state.moved = count


@scalar
def taken_by(state: Any, scratch: Scratch, slot: int, x: float, y: float, backward: bool) -> tuple[float, float]:
    """By how much the motion of a solid takes a point that was fixed to it, or, ``backward``, took a point that is.

    (0, 0) if it has not moved.
    """
    row = find_number(scratch.moved[: state.moved], slot)
    if row < 0:
        return 0.0, 0.0
    motion = scratch.motions[row]
    sign = -1.0 if backward else 1.0
    way_x, way_y = motion.x - motion.then_x, motion.y - motion.then_y
    if motion.angle == motion.then_angle:
        return way_x, way_y
    arm_x = x - (motion.x if backward else motion.then_x)
    arm_y = y - (motion.y if backward else motion.then_y)
    # R(a) − 1 by half the angle, as the difference would lose small ones.
    half = sign * 0.5 * (motion.angle - motion.then_angle)
    sine = sine_of(half)
    less = -2.0 * sine * sine
    turn = 2.0 * sine * cosine_of(half)
    return way_x + sign * (less * arm_x - turn * arm_y), way_y + sign * (turn * arm_x + less * arm_y)


@scalar
def belt_velocity(world: World, floor: Support) -> tuple[float, float]:
    """The velocity of a conveyor belt's surface, which runs clockwise round its body; (0, 0) for other floors."""
    row = row_of(RIGID_BODY, world.searched.colliders.owner[floor.slot], world.rules.entities.lines)
    if row < 0:
        return 0.0, 0.0
    speed = world.rules.bodies[TANGENT_SPEED, row]
    return speed * floor.normal_y, -speed * floor.normal_x


@scalar
def carry_and_push(mover: Mover, world: World, scratch: Scratch, elapsed: float) -> tuple[float, float, float, float]:
    """Move the mover as its platform and the solids that ran into it did; by how much each of both moved it.

    The platform is what it walks on; a conveyor belt has run for ``elapsed`` seconds. Nothing moves the mover through
    solids that have not moved themselves.
    """
    arrays = mover.arrays
    state = arrays.state[0]
    carry_x = carry_y = 0.0
    bearer = -1
    support = support_at(arrays.feet[movers.ON])
    if support.slot >= 0:
        carry_x, carry_y = belt_velocity(world, support)
        carry_x *= elapsed
        carry_y *= elapsed
        if find_number(scratch.moved[: state.moved], support.slot) >= 0:
            taken_x, taken_y = taken_by(state, scratch, support.slot, support.x, support.y, False)
            carry_x += taken_x
            carry_y += taken_y
            bearer = support.entity
    if state.moved == 0 and carry_x == 0.0 and carry_y == 0.0:
        return 0.0, 0.0, 0.0, 0.0
    state.carry_x, state.carry_y = carry_x, carry_y
    is_pushed = False
    for k in range(state.moved):
        scratch.motions[k].pushes = 0
        if world.searched.colliders.entity[scratch.moved[k]] != bearer and _passes_by(mover, scratch, k):
            scratch.motions[k].pushes = 1
            is_pushed = True
    total_x, total_y = _pushed_by(mover, world, scratch)
    if not is_pushed and total_x == 0.0 and total_y == 0.0:
        return 0.0, 0.0, 0.0, 0.0
    _let_pass(mover, scratch, 1)
    start_x, start_y = state.x, state.y
    _slide_freely(mover, carry_x, carry_y)
    carried_x, carried_y = state.x - start_x, state.y - start_y
    _slide_freely(mover, total_x - carry_x, total_y - carry_y)
    _let_pass(mover, scratch, -1)
    leave_solids(mover)
    if is_pushed:
        return carried_x, carried_y, state.x - start_x - carried_x, state.y - start_y - carried_y
    return state.x - start_x, state.y - start_y, 0.0, 0.0


@scalar
def _slide_freely(mover: Mover, x: float, y: float) -> None:
    """Slide where every surface is a wall; the move does not report contacts."""
    if (x != 0.0 or y != 0.0) and mover.arrays.state[0].status == movers.FINE:
        slide(mover, ground_of(0.0, 0.0, FLOOR_ANGLE), x, y, 0)


@scalar
def _let_pass(mover: Mover, scratch: Scratch, by: int) -> None:
    """Take all moved solids out of the mover's way, with 1, or back into it, with −1."""
    state = mover.arrays.state[0]
    for row in range(state.solids):
        if find_number(scratch.moved[: state.moved], mover.arrays.solids[row].slot) >= 0:
            mover.arrays.solids[row].passes += by


@scalar
def _passes_by(mover: Mover, scratch: Scratch, row: int) -> bool:
    """Whether a moved solid may have met the carried mover; its way beside the mover is written to its motion."""
    arrays, motion = mover.arrays, scratch.motions[row]
    state = arrays.state[0]
    box = movers.box_now(arrays.boxes, movers.OWN, state)
    turn = motion.angle - motion.then_angle
    arm_x = 0.5 * (box.min_x + box.max_x) - motion.then_x
    arm_y = 0.5 * (box.min_y + box.max_y) - motion.then_y
    half = sine_of(0.5 * turn)
    less = -2.0 * (half * half)
    sine = sine_of(turn)
    motion.way_x = motion.x - motion.then_x + (less * arm_x - sine * arm_y)
    motion.way_y = motion.y - motion.then_y + (sine * arm_x + less * arm_y)
    swept = swept_box(box_at(mover.bounds, scratch.moved[row]), -motion.way_x, -motion.way_y, state.skin)
    carried = swept_box(box, state.carry_x, state.carry_y, 0.0)
    meets_x = swept.min_x <= carried.max_x and swept.max_x >= carried.min_x
    return meets_x and swept.min_y <= carried.max_y and swept.max_y >= carried.min_y


@scalar
def _pushed_by(mover: Mover, world: World, scratch: Scratch) -> tuple[float, float]:
    """The whole displacement by which a mover is carried and pushed, the earliest pusher first, of equals the first in
    the public order."""
    arrays, rank = mover.arrays, world.searched.colliders.rank
    state = arrays.state[0]
    x, y = state.carry_x, state.carry_y
    for _ in range(_MOST_PUSHES):
        first = 1.0
        pusher = -1
        for k in range(state.moved):
            motion = scratch.motions[k]
            if motion.pushes == 0:
                continue
            part = _cast_at_moved(mover, world, scratch, k, x, y).fraction
            is_before = part == first and pusher >= 0 and rank[scratch.moved[k]] < rank[scratch.moved[pusher]]
            pushes = (1.0 - part) * hypot(x - motion.way_x, y - motion.way_y) > NO_WAY * state.skin
            if (part < first or is_before) and pushes:
                first = part
                pusher = k
        if pusher < 0:
            break
        found = _cast_at_moved(mover, world, scratch, pusher, x, y)
        add_contact(arrays, arrays.aside[found.first], 0)
        along_x, along_y = x - scratch.motions[pusher].way_x, y - scratch.motions[pusher].way_y
        x = x - (1.0 - first) * along_x
        y = y - (1.0 - first) * along_y
    return x, y


@scalar
def _cast_at_moved(mover: Mover, world: World, scratch: Scratch, k: int, x: float, y: float) -> Found:
    """Cast the mover by (x, y) at a moved solid, as that saw it."""
    state, motion = mover.arrays.state[0], scratch.motions[k]
    put_solid(world, mover.arrays, state.solids, scratch.moved[k])
    return _cast_beside(mover, motion.way_x, motion.way_y, x - motion.way_x, y - motion.way_y)


@scalar
def _cast_beside(mover: Mover, beside_x: float, beside_y: float, x: float, y: float) -> Found:
    """Cast the mover by (x, y) from a place beside its own at the solid behind all others."""
    state = mover.arrays.state[0]
    here_x, here_y = state.x, state.y
    shift(state, beside_x, beside_y)
    found = cast_at_spare(mover, x, y)
    state.x, state.y = here_x, here_y
    return found


@scalar
def find_closing(mover: Mover, scratch: Scratch) -> None:
    """Write how far the mover and the solid of each contact came nearer along the normal before they met.

    The way is the mover's own and its carrier's, less the motion of the solid. It is 0 for a floor that the mover
    stands on.
    """
    state = mover.arrays.state[0]
    for k in range(state.contacts):
        met = mover.arrays.contacts[k]
        met.closing = 0.0
        if met.how & movers.IS_STANDING == 0:
            gone_x, gone_y = taken_by(state, scratch, met.slot, met.x, met.y, False)
            way_x = state.way_x + state.carry_x - gone_x
            way_y = state.way_y + state.carry_y - gone_y
            met.closing = max(-dot(way_x, way_y, met.normal_x, met.normal_y), 0.0)


@scalar
def _has(entities: NDArray[int64], count: int, entity: int) -> bool:
    """Whether an entity is among the first of some."""
    found = False
    for k in range(count):
        found |= entities[k] == entity
    return bool(found)


@scalar
def _add(state: Any, entities: NDArray[int64], first: int, count: int, entity: int) -> int:
    """Add an entity to those from ``first`` to ``count``, unless it is there; returns the new count."""
    if _has(entities[first:], count - first, entity):
        return count
    if count == entities.shape[0]:
        fail(state, movers.NO_ROWS, count + 1)
        return count
    entities[count] = entity
    return count + 1


@scalar
def let_drop(mover: Mover, world: World, scratch: Scratch, drop: bool, falls: bool) -> None:
    """Let the mover drop through the one-way solids it was dropping through, and with ``drop`` those it is next to.

    It drops through what it stands on, however far that has moved since. One that was dropped through still is while
    the mover ``falls``, as a plank that sinks may be ahead of it for a while; else as long as the mover is not clear of
    it. The entities are in the scratch.
    """
    arrays, entities = mover.arrays, scratch.dropped
    state = arrays.state[0]
    before = state.dropped
    if not drop and before == 0:
        return
    near = swept_box(movers.box_now(arrays.boxes, movers.OWN, state), 0.0, 0.0, _CLEAR * state.skin)
    movers.need(arrays, near)
    # The new ones are listed behind the old ones, and take their place in the end.
    count = before
    for row in range(state.solids):
        solid = arrays.solids[row]
        entity = solid.entity
        normal_x, _ = one_way_normal(world, solid.slot)
        may_drop = not math.isnan(normal_x) and (drop or _has(entities, before, entity))
        if may_drop and overlaps_box(mover.bounds, solid.slot, near):
            # On whichever side of it the mover is.
            put_solid(world, arrays, state.solids, solid.slot)
            arrays.solids[state.solids].one_way_x = math.nan
            if cast_at_spare(mover, 0.0, 0.0).gap <= _CLEAR * state.skin:
                count = _add(state, entities, before, count, entity)
    if falls:
        for k in range(before):
            count = _add(state, entities, before, count, entities[k])
    left = support_at(arrays.feet[movers.ON])
    if drop and left.slot >= 0:
        normal_x, _ = one_way_normal(world, left.slot)
        if not math.isnan(normal_x):
            count = _add(state, entities, before, count, left.entity)
    state.dropped = count - before
    for k in range(state.dropped):
        entities[k] = entities[before + k]
    for row in range(state.solids):
        if _has(entities, state.dropped, arrays.solids[row].entity):
            arrays.solids[row].passes = 1
