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
from typing import Any

from numpy import int64

from ecsphys.engine.broadphase.pairs import overlaps_box
from ecsphys.engine.character import mover as movers
from ecsphys.engine.character.mover import DROPPED, ENTRIES, ON, PAIRS, READING, Mover, box_of, cast_beside, swept_box
from ecsphys.engine.character.slide import NO_WAY, height_of, leave_solids, slide
from ecsphys.engine.dynamics.body_following import TANGENT_SPEED
from ecsphys.engine.hits.contact_scene import point_velocity
from ecsphys.engine.kernels import scalar
from ecsphys.engine.math.elementary import cosine_of, hypot, sine_of
from ecsphys.engine.math.sorted_numbers import find_number
from ecsphys.engine.shapes.layout import KIND_AABB
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.engine.tables.entity_rows import RIGID_BODY, row_of

_MOST_PUSHES = 8

# Of the mover's size: the reach in which it looks for its floor when it is moved for the first time.
_AT_FIRST = 0.01

# In skins: how far from a plank a mover has dropped through it.
_CLEAR = 16.0


@scalar
def note_pose(mover: Mover, slot: int) -> None:
    """Add to the journal where a collider is, before that changes; there must be room."""
    journal, positions = mover.journal, mover.shapes.positions
    entry = journal.numbers[ENTRIES]
    journal.slots[entry] = slot
    journal.poses[entry, 0], journal.poses[entry, 1] = positions[slot, 0], positions[slot, 1]
    journal.poses[entry, 2] = movers.angle_of(mover, slot)
    journal.numbers[ENTRIES] = entry + 1


@scalar
def _way_of(motion: Any, x: float, y: float, backward: bool) -> tuple[float, float]:
    """By how much the motion of a solid takes a point that was fixed to it, or, ``backward``, took a point that is."""
    way_x, way_y = motion.x - motion.then_x, motion.y - motion.then_y
    if motion.angle == motion.then_angle:
        return way_x, way_y
    arm_x = x - (motion.x if backward else motion.then_x)
    arm_y = y - (motion.y if backward else motion.then_y)
    # R(a) − 1 by half the angle, as the difference would lose small ones.
    sign = -1.0 if backward else 1.0
    half = sign * 0.5 * (motion.angle - motion.then_angle)
    sine = sine_of(half)
    less = -2.0 * sine * sine
    turn = 2.0 * sine * cosine_of(half)
    return way_x + sign * (less * arm_x - turn * arm_y), way_y + sign * (turn * arm_x + less * arm_y)


@scalar
def _add_motion(mover: Mover, slot: int, x: float, y: float, angle: float) -> None:
    """List the motion of a solid from a pose, if it has moved.

    A solid that turns passes the mover by as much as it takes the mover's middle.
    """
    move, positions, journal = mover.move, mover.shapes.positions, mover.journal
    if move.moved == mover.work.motions.shape[0]:
        move.needed = move.moved + 1
        return
    motion = mover.work.motions[move.moved]
    motion.slot, motion.pushes = slot, 0
    motion.then_x, motion.then_y, motion.then_angle = x, y, angle
    motion.x, motion.y, motion.angle = positions[slot, 0], positions[slot, 1], movers.angle_of(mover, slot)
    if x == motion.x and y == motion.y and angle == motion.angle:
        return
    box = box_of(move, 0.0)
    middle_x, middle_y = 0.5 * (box.min_x + box.max_x), 0.5 * (box.min_y + box.max_y)
    motion.way_x, motion.way_y = _way_of(motion, middle_x, middle_y, False)
    journal.read_by[slot] = journal.numbers[READING] + 1
    move.moved += 1


@scalar
def find_moved(mover: Mover, since: int) -> None:
    """List the solids that are not where they were at a revision; none if it is too old.

    Colliders that were not there yet, or were another instance, have not moved.
    """
    journal, colliders, numbers = mover.journal, mover.searched.colliders, mover.journal.numbers
    first = since - int(numbers[DROPPED])
    reading = numbers[READING]
    for entry in range(first, int(numbers[ENTRIES]) if first >= 0 else first):
        slot = int(int64(journal.slots[entry]))
        if slot < 0 or entry + numbers[DROPPED] < journal.born[slot] or journal.read_by[slot] >= reading:
            continue
        journal.read_by[slot] = reading
        if colliders.absence[slot] == PRESENT and movers.may_block(mover, slot):
            _add_motion(mover, slot, journal.poses[entry, 0], journal.poses[entry, 1], journal.poses[entry, 2])


@scalar
def begin_riding(mover: Mover, dt: float) -> None:
    """List how the solids near a mover moved in ``dt`` seconds of this step, and find the one that it stood on before.

    It is moved for the first time, so it has no memory of these.
    """
    move, work, colliders, positions = mover.move, mover.work, mover.searched.colliders, mover.shapes.positions
    reach = _AT_FIRST * move.size
    highest = -math.inf
    for row in range(move.solids):
        slot = int(work.solids[row].slot)
        vx, vy = point_velocity(slot, 0.0, 0.0, colliders, mover.velocities)
        velocity_row = colliders.velocity_row[slot]
        turn = mover.velocities.stepped[2, velocity_row] * dt if velocity_row >= 0 else 0.0
        angle = movers.angle_of(mover, slot) - (turn if colliders.kind[slot] != KIND_AABB else 0.0)
        _add_motion(mover, slot, positions[slot, 0] - vx * dt, positions[slot, 1] - vy * dt, angle)
        if not movers.has_moved(mover, slot):
            continue
        found = cast_beside(mover, slot, vx * dt, vy * dt, -reach * move.up_x, -reach * move.up_y)
        hit = work.aside[max(found.first, 0)]
        height = height_of(move, hit.normal_x, hit.normal_y)
        if found.first >= 0 and hit.fraction <= 1.0 and height >= move.least_height and height > highest:
            highest = height
            work.feet[ON] = hit
            work.feet[ON].x -= vx * dt
            work.feet[ON].y -= vy * dt


@scalar
def taken_by(mover: Mover, slot: int, x: float, y: float, backward: bool) -> tuple[float, float]:
    """By how much the motion of a solid takes a point that was fixed to it, or, ``backward``, took a point that is.

    (0, 0) if it has not moved.
    """
    if not movers.has_moved(mover, slot):
        return 0.0, 0.0
    row = 0
    while mover.work.motions[row].slot != slot:
        row += 1
    return _way_of(mover.work.motions[row], x, y, backward)


@scalar
def belt_velocity(mover: Mover, floor: Any) -> tuple[float, float]:
    """The velocity of a conveyor belt's surface, which runs clockwise round its body; (0, 0) for other floors."""
    row = row_of(RIGID_BODY, mover.searched.colliders.owner[floor.slot], mover.rules.entities.lines)
    if row < 0:
        return 0.0, 0.0
    speed = mover.rules.bodies[TANGENT_SPEED, row]
    return speed * floor.normal_y, -speed * floor.normal_x


@scalar
def carry_and_push(mover: Mover, elapsed: float) -> None:
    """Move the mover as its platform, the foot ON, and the solids that ran into it did; by how much is written.

    A conveyor belt has run for ``elapsed`` seconds. Nothing moves the mover through solids that have not moved
    themselves.
    """
    move, on, motions = mover.move, mover.work.feet[ON], mover.work.motions
    bearer = -1
    if on.slot >= 0:
        belt_x, belt_y = belt_velocity(mover, on)
        taken_x, taken_y = taken_by(mover, on.slot, on.x, on.y, False)
        move.carry_x, move.carry_y = belt_x * elapsed + taken_x, belt_y * elapsed + taken_y
        bearer = int(on.entity) if movers.has_moved(mover, int(on.slot)) else -1
    carried = swept_box(box_of(move, 0.0), move.carry_x, move.carry_y, move.skin)
    is_pushed = False
    for k in range(move.moved):
        beside = swept_box(carried, motions[k].way_x, motions[k].way_y, 0.0)
        passes = overlaps_box(mover.searched.placed.boxes, motions[k].slot, beside)
        motions[k].pushes = int(passes and mover.searched.colliders.entity[motions[k].slot] != bearer)
        is_pushed |= motions[k].pushes != 0
    total_x, total_y = _pushed_by(mover)
    if not is_pushed and total_x == 0.0 and total_y == 0.0:
        return
    # Meanwhile every surface is a wall, and contacts are not reported.
    up_x, up_y = move.up_x, move.up_y
    move.up_x = move.up_y = 0.0
    move.is_carried = 1
    start_x, start_y = move.x, move.y
    if move.carry_x != 0.0 or move.carry_y != 0.0:
        slide(mover, move.carry_x, move.carry_y, 0)
    carried_x, carried_y = move.x - start_x, move.y - start_y
    if total_x != move.carry_x or total_y != move.carry_y:
        slide(mover, total_x - move.carry_x, total_y - move.carry_y, 0)
    move.is_carried = 0
    move.up_x, move.up_y = up_x, up_y
    leave_solids(mover)
    if not is_pushed:
        carried_x, carried_y = move.x - start_x, move.y - start_y
    move.carried_x, move.carried_y = carried_x, carried_y
    move.pushed_x, move.pushed_y = move.x - start_x - carried_x, move.y - start_y - carried_y


@scalar
def _pushed_by(mover: Mover) -> tuple[float, float]:
    """The whole displacement by which a mover is carried and pushed, the earliest pusher first, of equals the first in
    the public order."""
    move, motions, rank = mover.move, mover.work.motions, mover.searched.colliders.rank
    x, y = move.carry_x, move.carry_y
    for _ in range(_MOST_PUSHES):
        first = 1.0
        pusher = -1
        for k in range(move.moved):
            motion = motions[k]
            if motion.pushes == 0:
                continue
            part = _cast_at_moved(mover, motion, x, y).fraction
            is_before = part == first and pusher >= 0 and rank[motion.slot] < rank[motions[pusher].slot]
            pushes = (1.0 - part) * hypot(x - motion.way_x, y - motion.way_y) > NO_WAY * move.skin
            if (part < first or is_before) and pushes:
                first = part
                pusher = k
        if pusher < 0:
            break
        found = _cast_at_moved(mover, motions[pusher], x, y)
        movers.add_contact(mover, mover.work.aside[found.first], 0)
        along_x, along_y = x - motions[pusher].way_x, y - motions[pusher].way_y
        x, y = x - (1.0 - first) * along_x, y - (1.0 - first) * along_y
    return x, y


@scalar
def _cast_at_moved(mover: Mover, motion: Any, x: float, y: float) -> movers.Found:
    """Cast the mover by (x, y) at a moved solid, as that saw it."""
    return cast_beside(mover, motion.slot, motion.way_x, motion.way_y, x - motion.way_x, y - motion.way_y)


@scalar
def _add_dropped(mover: Mover, entity: int) -> None:
    """Let the mover drop through an entity."""
    move, dropped = mover.move, mover.work.dropped
    if movers.has(dropped, move.dropped, entity):
        return
    if move.dropped == dropped.shape[0]:
        move.needed = move.dropped + 1
        return
    dropped[move.dropped] = entity
    move.dropped += 1


@scalar
def let_drop(mover: Mover, falls: bool) -> None:
    """Let the mover drop through the one-way solids it was dropping through, and those beside it if it drops now.

    It drops through its ground, however far that has moved since. One that was dropped through still is while
    the mover ``falls``, as a plank that sinks may be ahead of it for a while; else as long as the mover is not clear of
    it.
    """
    move, memories, rules, on = mover.move, mover.memories, mover.rules, mover.work.feet[ON]
    drops = move.drops != 0
    count = int(memories.counts[PAIRS]) if memories.numbers[move.memory].revision >= 0 else 0
    if not drops and count == 0:
        return
    near = box_of(move, _CLEAR * move.skin)
    movers.need(mover, near)
    for row in range(move.solids):
        slot, entity = int(mover.work.solids[row].slot), int(mover.work.solids[row].entity)
        lets_pass = drops
        for k in range(count):
            lets_pass |= memories.dropped[k, 0] == move.entity and memories.dropped[k, 1] == entity
        lets_pass &= find_number(rules.one_way, entity) >= 0 and overlaps_box(mover.searched.placed.boxes, slot, near)
        # On whichever side of it the mover is.
        if lets_pass and movers.gap_to(mover, slot) <= _CLEAR * move.skin:
            _add_dropped(mover, entity)
    for k in range(count if falls else 0):
        if memories.dropped[k, 0] == move.entity:
            _add_dropped(mover, int(memories.dropped[k, 1]))
    if drops and on.slot >= 0 and find_number(rules.one_way, on.entity) >= 0:
        _add_dropped(mover, int(on.entity))
    if move.dropped > 0:
        movers.gather_solids(mover)
