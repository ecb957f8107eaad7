"""How a character is carried and pushed, and how it walks: along floors, up steps, down to the floor again.

Carrying and pushing are what moving solids do to it before it moves by itself. The transforms of solids, now and when
the character was moved last, show how they moved, whatever moves them. Code that places a solid elsewhere
notes in a journal where that was before. All is seen in the frame of each solid. While the character is carried by c
and a solid moves by m, it moves by c − m against the solid at its old place; or, shifted by m, against the solid where
it is now. So a solid that moves along with its platform does not push it, and a fast or thin solid does not jump over
it. If the way is blocked after a part of it, the rest of m − c is added to c: from the touch on, the character goes
with the solid.

On the floor, a move is a level one. What pulls down is spent by standing, and where the floor falls away, the character
follows it. It goes in parts of a quarter of its size, so that a fast one follows as well as a slow one. In the air it
slides as any mover does. The corner of a floor is a floor. A round foot touches it with a normal that may be as steep
as a wall's. So the surfaces beside the corner count, not this normal: see :func:`_is_floor_beside`.
"""

from __future__ import annotations

import math
from typing import Any

from numpy import int64

from ecsphys.engine.broadphase.cells import Box
from ecsphys.engine.broadphase.pairs import overlaps_box
from ecsphys.engine.character import mover as movers
from ecsphys.engine.character import slide as slides
from ecsphys.engine.character.mover import AFTER, ON, Mover, add_contact, dot, shift
from ecsphys.engine.character.slide import FLOOR, NO_WAY, height_of, is_floor, is_wall, leave_solids, look, slide
from ecsphys.engine.dynamics.body_following import TANGENT_SPEED
from ecsphys.engine.geometry.raycast import raycast_shape, scaled_direction
from ecsphys.engine.hits.hit_order import find_number
from ecsphys.engine.hits.hit_tracking import point_velocity
from ecsphys.engine.kernels import NamedTuple, scalar
from ecsphys.engine.math.elementary import cosine_of, hypot, sine_of, tangent_of
from ecsphys.engine.shapes.layout import KIND_AABB
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.engine.tables.entity_rows import RIGID_BODY, row_of

_MOST_PARTS = 16
_MOST_STEPS = 8

# Of the mover's size: how far it walks before the floor is looked for again.
_PART = 0.25

# In skins: how near a floor must be to stand on it, which floors are as near, and how far it looks beside a corner.
_NEAR = 4.0
_AS_NEAR = 1.0
_BESIDE = 4.0

# Beside a corner of steep floors it looks up at most so many times as far as sideways.
_STEEPEST_LOOK = 20.0

# In skins: how far from the grid a character may be that is put on it.
_MOST_SNAP = 4.0

# How much a surface may lean that puts a character on its grid.
_LEVEL = 1e-9

_MOST_PUSHES = 8

# Of the mover's size: the reach in which it looks for its floor when it is moved for the first time.
_AT_FIRST = 0.01

# In skins: how far from a plank a mover has dropped through it.
_CLEAR = 16.0


@scalar
def note_pose(mover: Mover, slot: int) -> None:
    """Add to the journal where a collider is, before that changes; there must be room."""
    journal, positions = mover.journal, mover.shapes.positions
    entry = journal.numbers[movers.ENTRIES]
    journal.slots[entry] = slot
    journal.poses[entry, 0], journal.poses[entry, 1] = positions[slot, 0], positions[slot, 1]
    journal.poses[entry, 2] = movers.angle_of(mover, slot)
    journal.numbers[movers.ENTRIES] = entry + 1


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
    box = movers.box_of(move, 0.0)
    middle_x, middle_y = 0.5 * (box.min_x + box.max_x), 0.5 * (box.min_y + box.max_y)
    motion.way_x, motion.way_y = _way_of(motion, middle_x, middle_y, False)
    journal.read_by[slot] = journal.numbers[movers.READING] + 1
    move.moved += 1


@scalar
def find_moved(mover: Mover, since: int) -> None:
    """List the solids that are not where they were at a revision; none if it is too old.

    Colliders that were not there yet, or were another instance, have not moved.
    """
    journal, colliders, numbers = mover.journal, mover.searched.colliders, mover.journal.numbers
    first = since - int(numbers[movers.DROPPED])
    reading = numbers[movers.READING]
    for entry in range(first, int(numbers[movers.ENTRIES]) if first >= 0 else first):
        slot = int(int64(journal.slots[entry]))
        if slot < 0 or entry + numbers[movers.DROPPED] < journal.born[slot] or journal.read_by[slot] >= reading:
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
        found = movers.cast_beside(mover, slot, vx * dt, vy * dt, -reach * move.up_x, -reach * move.up_y)
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
    carried = movers.swept_box(movers.box_of(move, 0.0), move.carry_x, move.carry_y, move.skin)
    is_pushed = False
    for k in range(move.moved):
        beside = movers.swept_box(carried, motions[k].way_x, motions[k].way_y, 0.0)
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
    return movers.cast_beside(mover, motion.slot, motion.way_x, motion.way_y, x - motion.way_x, y - motion.way_y)


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
    count = int(memories.counts[movers.PAIRS]) if memories.numbers[move.memory].revision >= 0 else 0
    if not drops and count == 0:
        return
    near = movers.box_of(move, _CLEAR * move.skin)
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


class Landing(NamedTuple):
    """How far down there is something, infinity for nothing; the number of hits ahead, and the one that a mover comes
    down on; and whether that is a floor, by its normal, or as it is the corner of one."""

    way: float
    hits: int
    first: int
    is_floor: bool
    is_corner: bool


@scalar
def walk(mover: Mover) -> None:
    """Move by at most the displacement asked for. The mover starts on the foot ON, or in the air.

    Written are the foot AFTER, the sides of the move, its step, and contacts.
    """
    move, feet = mover.move, mover.work.feet
    x, y = move.ask_x, move.ask_y
    height = height_of(move, x, y)
    flies = feet[ON].slot < 0 or height > 0.0
    move.way_x, move.way_y = x, y
    if flies:
        movers.no_foot(feet[ON])
    else:
        # On a floor. What pulls it down is how far it would fall without one.
        pull_x, pull_y = height * move.up_x, height * move.up_y
        level_x, level_y = x - pull_x, y - pull_y
        move.way_x, move.way_y = level_x, level_y
        length = hypot(level_x, level_y)
        parts = max(math.ceil(min(length / (_PART * move.size), float(_MOST_PARTS))), 1)
        if length == 0.0:
            leave_solids(mover)
        for number in range(parts):
            # A rise along a slope, or round a corner, is not a jump.
            risen = _advance(mover, level_x / parts, level_y / parts) if length > 0.0 else 0.0
            flies = not _settle(mover, -height, risen)
            if flies:
                left = float(parts - 1 - number) / float(parts)
                x, y = left * level_x + pull_x, left * level_y + pull_y
                move.way_x, move.way_y = level_x + pull_x, level_y + pull_y
                break
    if flies:
        sides = slide(mover, x, y, movers.IS_TOLD)
        move.sides |= sides
        if sides & FLOOR != 0 or height_of(move, x, y) <= 0.0:
            below = _land(mover, _NEAR * move.skin)
            if below.is_floor and not below.is_corner:
                _stand(mover, below, movers.IS_STANDING)
    if feet[AFTER].slot >= 0:
        move.sides |= FLOOR


@scalar
def _advance(mover: Mover, x: float, y: float) -> float:
    """Go level, or along a slope, and up steps where a wall is in the way; tell by how much it rose."""
    move, on, contacts = mover.move, mover.work.feet[ON], mover.work.contacts
    length = hypot(x, y)
    ahead_x, ahead_y = x / length, y / length
    if on.slot >= 0 and is_floor(move, on.normal_x, on.normal_y):
        x, y = slides.projected(x, y, on.normal_x, on.normal_y)
    start_x, start_y = move.x, move.y
    mark = move.contacts
    sides = slide(mover, x, y, movers.IS_TOLD)
    for _ in range(_MOST_STEPS):
        left = dot(x, y, ahead_x, ahead_y) - dot(move.x - start_x, move.y - start_y, ahead_x, ahead_y)
        if sides & slides.WALL == 0 or left <= NO_WAY * move.skin or move.step_height <= 0.0:
            break
        before = move.contacts
        beyond = _step(mover, left * ahead_x, left * ahead_y)
        if beyond < 0:
            move.contacts = before
            break
        # It went over its obstacle.
        for k in range(mark, before):
            if contacts[k].how & movers.IS_TOLD != 0:
                contacts[k].how = movers.IS_VOID
        mark = before
        sides = beyond
    move.sides |= sides & ~FLOOR
    return max(height_of(move, move.x - start_x, move.y - start_y), 0.0)


@scalar
def _step(mover: Mover, x: float, y: float) -> int:
    """Go up, on by (x, y), and down; −1, and nothing done, if the way leads nowhere, or not to a floor.

    Returns the solid that it ran into beyond.
    """
    move = mover.move
    start_x, start_y = move.x, move.y
    _, way = look(mover, move.step_height * move.up_x, move.step_height * move.up_y)
    raised = min(way, move.step_height)
    if raised > 0.0:
        shift(move, raised * move.up_x, raised * move.up_y)
        sides = slide(mover, x, y, movers.IS_TOLD)
        if dot(move.x - start_x, move.y - start_y, x, y) > NO_WAY * move.skin * hypot(x, y):
            below = _land(mover, raised)
            if below.way == math.inf:
                shift(move, -raised * move.up_x, -raised * move.up_y)
                return sides
            if below.is_floor and not _is_too_high(mover, below):
                shift(move, -below.way * move.up_x, -below.way * move.up_y)
                move.stepped += max(height_of(move, move.x - start_x, move.y - start_y), 0.0)
                mover.work.feet[ON] = mover.work.ahead[below.first]
                return sides
    move.x, move.y = start_x, start_y
    return -1


@scalar
def _is_too_high(mover: Mover, below: Landing) -> bool:
    """Whether a floor is more than a step above the mover's ground."""
    on, floor = mover.work.feet[ON], mover.work.ahead[below.first]
    climb = height_of(mover.move, floor.x - on.x, floor.y - on.y)
    return bool(on.slot >= 0 and climb > mover.move.step_height + _AS_NEAR * mover.move.skin)


@scalar
def _settle(mover: Mover, pull: float, risen: float) -> bool:
    """Follow the floor down; False if no floor is near enough."""
    move, feet = mover.move, mover.work.feet
    near = _NEAR * move.skin
    below = _land(mover, max(move.snap_distance, pull, near) + risen)
    movers.no_foot(feet[AFTER])
    if not below.is_floor or (below.is_corner and _is_too_high(mover, below)):
        return False
    shift(move, -below.way * move.up_x, -below.way * move.up_y)
    if below.way > pull + risen + near:
        move.snapped = 1
    _stand(mover, below, movers.IS_TOLD | movers.IS_STANDING)
    feet[ON] = feet[AFTER]
    return True


@scalar
def _land(mover: Mover, depth: float) -> Landing:
    """Look for a floor within ``depth``: of those as near, it comes down on the highest."""
    move, hits = mover.move, mover.work.ahead
    found, way = look(mover, -depth * move.up_x, -depth * move.up_y)
    first = -1
    highest = -math.inf
    for k in range(found.hits if way < math.inf else 0):
        height = height_of(move, hits[k].normal_x, hits[k].normal_y)
        if hits[k].stop <= way + _AS_NEAR * move.skin and height > highest:
            first = k
            highest = height
    is_flat = highest >= move.least_height
    is_corner = first >= 0 and not is_flat and _is_floor_beside(mover, hits[first])
    return Landing(way, found.hits, first, is_flat or is_corner, is_corner)


@scalar
def _stand(mover: Mover, below: Landing, how: int) -> None:
    """Stand on the floor that it comes down on, and add contacts with this and with all others as near."""
    move, hits = mover.move, mover.work.ahead
    until = below.way + _AS_NEAR * move.skin
    mover.work.feet[AFTER] = hits[below.first]
    add_contact(mover, hits[below.first], how)
    for k in range(below.hits):
        if k != below.first and hits[k].stop <= until and is_floor(move, hits[k].normal_x, hits[k].normal_y):
            add_contact(mover, hits[k], how)


@scalar
def _is_floor_beside(mover: Mover, touched: Any) -> bool:
    """Whether the surface beside a point that is touched with a steep normal is a floor: then the point is its corner.

    A ray looks down on that surface, from as high as a floor beside may be.
    """
    move = mover.move
    height = height_of(move, touched.normal_x, touched.normal_y)
    level_x, level_y = touched.normal_x - height * move.up_x, touched.normal_y - height * move.up_y
    length = hypot(level_x, level_y)
    if height <= 0.0 or length == 0.0:
        return False
    aside = _BESIDE * move.skin
    rise = aside * min(tangent_of(move.steepest), _STEEPEST_LOOK) + _NEAR * move.skin
    x = touched.x - aside * level_x / length + rise * move.up_x
    y = touched.y - aside * level_y / length + rise * move.up_y
    reach = 2.0 * rise + move.skin
    way = movers.swept_box(Box(x, y, x, y), -reach * move.up_x, -reach * move.up_y, 0.0)
    movers.need(mover, way)
    down_x, down_y, unit = scaled_direction(-move.up_x, -move.up_y)
    nearest = math.inf
    is_flat = False
    for row in range(move.solids):
        solid = mover.work.solids[row]
        if not overlaps_box(mover.searched.placed.boxes, solid.slot, way):
            continue
        distance, _, _, normal_x, normal_y = raycast_shape(
            mover.shapes, solid.slot, x, y, down_x, down_y, unit, True, reach
        )
        is_behind = not math.isnan(solid.one_way_x) and dot(normal_x, normal_y, solid.one_way_x, solid.one_way_y) <= 0.0
        if distance < nearest and not is_behind:
            nearest = distance
            is_flat = is_floor(move, normal_x, normal_y)
    return is_flat


@scalar
def find_walls(mover: Mover) -> None:
    """Write the nearest wall within reach on either side, without a push: first that to the left of up."""
    move, hits = mover.move, mover.work.ahead
    for side in range(2):
        length = (move.wall_reach + move.skin) * (1.0 - 2.0 * side)
        x, y = -length * move.up_y, length * move.up_x
        found = movers.cast(mover, x, y, hits)
        least = 1.0
        for k in range(found.hits):
            hit = hits[k]
            faces = is_wall(move, hit.normal_x, hit.normal_y) and dot(hit.normal_x, hit.normal_y, x, y) < 0.0
            if faces and hit.fraction <= least:
                least = hit.fraction
                mover.work.walls[2 * move.row + side] = hit


@scalar
def snap_to_grid(mover: Mover, last_x: float, last_y: float) -> None:
    """Put each coordinate on a multiple of the grid if a surface across it was touched; by how much is noted.

    Only where it is shown is a character on the grid. The next move begins where it really is, a skin away from what it
    touches: so it moves as one without a grid does. ``last`` was added after the move before: the coordinate stays on
    the grid as long as it does not move. Where the character would overlap a solid there, nothing is done.
    """
    move, contacts = mover.move, mover.work.contacts
    before_x, before_y = move.x, move.y
    for axis in range(2):
        is_x = axis == 0
        place, shifted, last = (move.place_x, move.x, last_x) if is_x else (move.place_y, move.y, last_y)
        is_stopped = last != 0.0 and shifted == -last
        for k in range(move.first_contact, move.contacts):
            is_stopped |= abs(contacts[k].normal_x if is_x else contacts[k].normal_y) >= 1.0 - _LEVEL
        on_grid = math.floor((place + shifted) / move.grid + 0.5) * move.grid
        if is_stopped and abs(on_grid - (place + shifted)) <= _MOST_SNAP * move.skin:
            # So that the sum is the very multiple.
            after = on_grid - place
            after = after + (on_grid - (place + after))
            move.x, move.y = (after, move.y) if is_x else (move.x, after)
            if movers.cast(mover, 0.0, 0.0, mover.work.ahead).gap < 0.0:
                move.x, move.y = (shifted, move.y) if is_x else (move.x, shifted)
    move.snap_x, move.snap_y = move.x - before_x, move.y - before_y
