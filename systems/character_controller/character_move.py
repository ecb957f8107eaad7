"""One move of a character: carried and pushed first, then by itself."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ecsphys.systems.character_controller.carrying import carry_and_push
from ecsphys.systems.character_controller.move_and_slide import Ground, MoveContact, Point, dot
from ecsphys.systems.character_controller.solid_cast import SolidCast
from ecsphys.systems.character_controller.solid_motion import CharacterMemory, SolidMotion, Support
from ecsphys.systems.character_controller.walking import Walk

# In skins: how deep in a solid is crushed, and how far from a plank has dropped through it.
_CRUSHED = 1.0
_CLEAR = 16.0


@dataclass(frozen=True, slots=True)
class CharacterMove:
    """What became of a character's move.

    Attributes
    ----------
    moved
        (x, y) that the ``Transform`` was moved by, all told.
    remaining
        (x, y) of the displacement less what the character moved by itself: what solids took away, or gave by steps and
        by snapping.
    on_floor, on_wall, on_ceiling
        Whether it stands on a floor, or ran into a wall or a ceiling. A floor is as steep as its ``slope_limit`` at
        most, a ceiling as steep as that the other way. It stands without being pulled down; while it moves up, only if
        it runs into a floor.
    contacts
        The solids it ran into or stands on, in that order.
    floor, floor_normal
        The entity it stands on and the unit normal there; None and (0, 0) in the air.
    floor_velocity
        (x, y) in units/s of the floor where it is stood on, over the time that has passed since the last move.
    stepped
        How high it climbed by steps, in units.
    snapped
        Whether it followed the floor farther down than it was pulled.
    carried, pushed
        (x, y) that it was moved by what it stood on, and by solids that moved into it.
    crushed
        Whether it is still inside a solid: between two there may be no way out.
    """

    moved: Point
    remaining: Point
    on_floor: bool
    on_wall: bool
    on_ceiling: bool
    contacts: tuple[MoveContact, ...]
    floor: int | None
    floor_normal: Point
    floor_velocity: Point
    stepped: float
    snapped: bool
    carried: Point
    pushed: Point
    crushed: bool


@dataclass(frozen=True, slots=True)
class WalkSettings:
    """A character's own part in a move: where it is, and how it walks."""

    place: Point
    ground: Ground
    step_height: float
    snap_distance: float


def move_among(
    mover: SolidCast, settings: WalkSettings, displacement: Point, drop: bool, memory: CharacterMemory, clock: float
) -> CharacterMove:
    """Move a mover as a character, and remember of it what the next move needs."""
    solids = mover.solids
    motion = SolidMotion(solids, memory.revision)
    floor = memory.floor
    is_where_it_was = math.dist(settings.place, memory.place) <= mover.skin
    falls = floor is None and is_where_it_was and dot(displacement, settings.ground.up) <= 0.0
    if floor is not None and not (is_where_it_was and _is_there(mover, floor)):
        floor = None
    memory.dropped = _let_pass(mover, memory.dropped, floor if drop else None, drop, falls)
    carried, pushed = carry_and_push(mover, motion, floor)
    start = (mover.x, mover.y)
    walk = Walk(mover, settings.ground, settings.step_height, settings.snap_distance)
    walk.move(displacement, None if floor is None else floor.moved(carried))
    by_itself = (mover.x - start[0], mover.y - start[1])

    stood = walk.floor
    velocity = (0.0, 0.0)
    if stood is not None:
        elapsed = clock - memory.clock
        if elapsed > 0.0:
            velocity = motion.velocity(stood.solid, stood.contact.point, elapsed)
        elif memory.floor is not None and memory.floor.contact.entity == stood.contact.entity:
            velocity = memory.floor_velocity
    memory.place = (settings.place[0] + mover.x, settings.place[1] + mover.y)
    memory.clock, memory.floor, memory.floor_velocity = clock, stood, velocity
    memory.revision = solids.journal.revision
    gaps = mover.cast(0.0, 0.0).gap
    return CharacterMove(
        (mover.x, mover.y),
        (displacement[0] - by_itself[0], displacement[1] - by_itself[1]),
        walk.on_floor,
        walk.on_wall,
        walk.on_ceiling,
        tuple(walk.contacts),
        None if stood is None else stood.contact.entity,
        (0.0, 0.0) if stood is None else stood.contact.normal,
        velocity,
        walk.stepped,
        walk.snapped,
        carried,
        pushed,
        bool(gaps.size and gaps.min() < -_CRUSHED * mover.skin),
    )


def _let_pass(
    mover: SolidCast, dropped: frozenset[int], left: Support | None, drop: bool, falls: bool
) -> frozenset[int]:
    """Let the mover drop through the one-way solids it was dropping through, and with ``drop`` those it is next to.

    ``left`` is what it stood on and drops through, however far that has moved since. These entities are returned. One
    that was dropped through still is while the mover ``falls``, as a plank that sinks may be ahead of it for a while;
    else as long as the mover is not clear of it.
    """
    if not drop and not dropped:
        return dropped
    near = mover.near_one_way(_CLEAR * mover.skin)
    entity = mover.solids.slots.entity
    still = frozenset(int(entity[row]) for row in near if drop or int(entity[row]) in dropped)
    if falls:
        still |= dropped
    if left is not None and mover.is_one_way(left.solid):
        still |= {left.contact.entity}
    mover.exclude(still)
    return still


def _is_there(mover: SolidCast, floor: Support) -> bool:
    """Whether what was stood on is there, and still stands in the mover's way."""
    slot = np.array([floor.solid], np.int32)
    return mover.solids.is_of(floor.solid, floor.contact.entity) and bool(mover.allows(slot)[0])
