"""Carrying and pushing: what moving solids do to a character before it moves by itself.

All of it is seen in the frame of each solid: while the character is carried by c and a solid moves by m, it moves by
c − m against the solid where that was. So whatever moves along with its platform does not push it, and a solid that is
fast, or thin, does not jump over it. Where that way is blocked after a part of it, the rest of m − c is added to c:
from the touch on, the character goes with the solid.
"""

from __future__ import annotations

import math

from ecsphys.systems.character_controller.move_and_slide import Ground, Point, leave_solids, slide
from ecsphys.systems.character_controller.solid_cast import SolidCast
from ecsphys.systems.character_controller.solid_motion import SolidMotion, Support

_MOST_PUSHES = 8

# In skins: what is no push.
_NO_PUSH = 0.01

# Carried and pushed, it slides along whatever is in the way.
_ANYWHERE = Ground((0.0, 0.0))


def carry_and_push(mover: SolidCast, motion: SolidMotion, floor: Support | None) -> tuple[Point, Point]:
    """Move the mover as its platform and what ran into it did; return by how much each of the two moved it.

    ``floor`` is what it stood on. Nothing moves it through solids that have not moved themselves.
    """
    moved = motion.slots[mover.allows(motion.slots)]
    if not moved.size:
        return (0.0, 0.0), (0.0, 0.0)
    entity = mover.solids.slots.entity
    carry = (0.0, 0.0)
    bearer = -1
    if floor is not None and (moved == floor.solid).any():
        carry = motion.at(floor.solid, floor.contact.point)
        bearer = int(entity[floor.solid])
    allowed = set(moved.tolist())
    pushers = {
        slot: way
        for slot, way in motion.pushing(mover.box, carry, mover.skin).items()
        if slot in allowed and entity[slot] != bearer
    }
    total = _pushed_by(mover, pushers, carry)
    if not pushers and total == (0.0, 0.0):
        return carry, total
    mover.ignore(moved)
    carried = _slide_by(mover, carry)
    pushed = _slide_by(mover, (total[0] - carry[0], total[1] - carry[1])) if total != carry else (0.0, 0.0)
    mover.ignore(moved[:0])
    x, y = mover.x, mover.y
    leave_solids(mover)
    rest = (mover.x - x, mover.y - y)
    if pushers:
        return carried, (pushed[0] + rest[0], pushed[1] + rest[1])
    return (carried[0] + rest[0], carried[1] + rest[1]), pushed


def _pushed_by(mover: SolidCast, pushers: dict[int, Point], carry: Point) -> Point:
    """The whole displacement by which a mover is carried and pushed, the earliest pusher first."""
    total = carry
    for _ in range(_MOST_PUSHES):
        first = 1.0
        along = (0.0, 0.0)
        for row, moved in pushers.items():
            way = (total[0] - moved[0], total[1] - moved[1])
            impacts = mover.cast_towards(row, moved, *way)
            part = float(impacts.fraction.min(initial=1.0))
            if part < first and (1.0 - part) * math.hypot(*way) > _NO_PUSH * mover.skin:
                first, along = part, way
        if first == 1.0:
            break
        total = (total[0] - (1.0 - first) * along[0], total[1] - (1.0 - first) * along[1])
    return total


def _slide_by(mover: SolidCast, way: Point) -> Point:
    x, y = mover.x, mover.y
    if way != (0.0, 0.0):
        slide(mover, way, _ANYWHERE)
    return mover.x - x, mover.y - y
