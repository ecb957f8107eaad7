"""How a kinematic character moves: up to what blocks it, then along it.

The mover goes on a straight line until its colliders would come nearer than a thin *skin* to a solid, and what is left
of the displacement slides along the plane touched there, which may lead to another plane, and so on. A displacement
that would enter another plane when it slides along one of them is in a corner, and stops. (The way of Quake's
``PM_SlideMove``; in two dimensions its crease of two planes is a point.)

Casts see the true shapes, not shapes grown by the skin: what slides over a row of flush tiles at a skin's distance
meets the side of none of them. Where several planes are met at once, the most grazing one is taken: landing on a seam,
the floor goes before the corner of a tile.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from ecsphys.systems.character_controller.solid_cast import Impacts, SolidCast

FLOOR_ANGLE = math.pi / 4
"""A surface is a floor if its normal is within this angle of ``up``, and a ceiling if within it of the opposite."""

_MOST_SLIDES = 5
_MOST_WAYS_OUT = 8

# In skins: how far beyond the displacement's end solids are looked for, which way is none, which is as long as another,
# how much sooner than by an even approach to stop, and the gap that may remain.
_AHEAD = 16.0
_NO_WAY = 0.01
_AT_ONCE = 0.1
_MOST_BACK = 4.0
_LEAST_GAP = 0.5

# Of the displacement: an approach below this is parallel. Two normals that differ less are one.
_PARALLEL = 1e-9
_SAME_NORMAL = 1e-6

# Of the length of a cast.
_ROUNDING = 1e-13

# Beside a way out that is blocked there may be another, along what blocks it, unless that is longer than this many.
_MOST_DETOUR = 10.0

# Of the cosine of the steepest floor.
_SLACK = 1e-9

Point = tuple[float, float]


class Ground:
    """What is a floor: ``up`` is a unit vector, or (0, 0) where every surface is a wall; ``steepest`` the angle."""

    __slots__ = ("_least_height", "steepest", "up")

    def __init__(self, up: Point, steepest: float = FLOOR_ANGLE) -> None:
        self.up = up
        self.steepest = steepest
        self._least_height = max(math.cos(steepest) - _SLACK, _SLACK)

    def is_floor(self, normal: Point) -> bool:
        return dot(normal, self.up) >= self._least_height

    def is_wall(self, normal: Point) -> bool:
        return abs(dot(normal, self.up)) < self._least_height

    def is_ceiling(self, normal: Point) -> bool:
        return dot(normal, self.up) <= -self._least_height


@dataclass(frozen=True, slots=True)
class MoveContact:
    """A solid that stopped or turned a mover.

    ``entity``: the solid one. ``normal``: unit vector away from its surface, towards the mover. ``point``: in the
    world, where they would have touched.
    """

    entity: int
    normal: Point
    point: Point


@dataclass(frozen=True, slots=True)
class MoveResult:
    """What became of a displacement.

    Attributes
    ----------
    moved
        (x, y) by which the ``Transform`` was moved, the way out of an initial overlap included.
    remaining
        (x, y) of the displacement that solids took away: the displacement less what was moved by it.
    on_floor, on_wall, on_ceiling
        Whether it ran into a surface whose normal is within 45° of up, of neither, of the opposite of up. Falling into
        a wedge of two walls that carry it together, it is on the floor as well. A mover that is not pushed against a
        floor is not on it: let gravity pull in every step.
    contacts
        The solids it ran into, in that order.
    """

    moved: Point
    remaining: Point
    on_floor: bool
    on_wall: bool
    on_ceiling: bool
    contacts: tuple[MoveContact, ...]


def slide(mover: SolidCast, displacement: Point, ground: Ground) -> MoveResult:
    """Move ``mover`` by at most ``displacement``; ``moved`` counts from where it was placed."""
    found = look_ahead(mover, displacement)
    if _is_too_near(mover, found):
        leave_solids(mover)
        found = look_ahead(mover, displacement)
    start = (mover.x, mover.y)
    contacts: list[MoveContact] = []
    planes: list[Point] = []
    wanted = left = displacement
    held = False
    for _ in range(_MOST_SLIDES):
        length = math.hypot(*left)
        if length <= _PARALLEL * math.hypot(*displacement):
            break
        met = _first_met(mover, found, left, length)
        if met is None:
            mover.shift(*left)
            break
        way, touched = met
        if way > _NO_WAY * mover.skin:
            mover.shift(left[0] * way / length, left[1] * way / length)
            wanted = (left[0] * (1.0 - way / length), left[1] * (1.0 - way / length))
            planes.clear()
        planes.append(touched[0].normal)
        contacts += (contact for contact in touched if not is_known(contact, contacts))
        turned = _along_planes(wanted, planes, ground, displacement)
        if turned is None:
            held = dot(wanted, ground.up) < 0.0 and _hold_up(planes, ground.up)
            break
        left = turned
        found = look_ahead(mover, left)
    travelled = (mover.x - start[0], mover.y - start[1])
    normals = [contact.normal for contact in contacts]
    return MoveResult(
        (mover.x, mover.y),
        (displacement[0] - travelled[0], displacement[1] - travelled[1]),
        held or any(map(ground.is_floor, normals)),
        any(map(ground.is_wall, normals)),
        any(map(ground.is_ceiling, normals)),
        tuple(contacts),
    )


def look_ahead(mover: SolidCast, left: Point) -> Impacts:
    """What is met on a way, and shortly beyond its end, where a skin may already be reached."""
    length = math.hypot(*left)
    if length == 0.0:
        return mover.cast(0.0, 0.0)
    further = length + _AHEAD * mover.skin
    return mover.cast(left[0] / length * further, left[1] / length * further)


class MetPlane(NamedTuple):
    """A plane on a way: where the mover has to stop, where it would touch, in units from the start; how steep."""

    stop: float
    touching: float
    approach: float
    row: int
    normal: Point


def planes_met(mover: SolidCast, found: Impacts, way: Point, length: float) -> list[MetPlane]:
    """The planes whose skins a mover would enter on a ``way`` of a certain ``length``, found by looking ahead.

    With the sine a of the angle at which it approaches a plane, it comes to the plane's skin by skin / a before it
    touches. Towards a curve that it will barely graze that is far too early; but the gap is a convex function of the
    way, so it stays below an even decrease from its start, and the skin is reached no later than by that.
    """
    skin = mover.skin
    cast_length = length + _AHEAD * skin
    ahead = (way[0] / length, way[1] / length)
    planes = []
    gaps = found.gap.tolist()
    for row, fraction in enumerate(found.fraction.tolist()):
        if fraction > 1.0:
            continue
        normal = _towards_mover(found, row)
        approach = -dot(ahead, normal)
        if approach > _PARALLEL:
            touching = fraction * cast_length
            stop = max(touching - skin / approach, 0.0)
            if gaps[row] > skin:
                stop = max(stop, touching * (1.0 - skin / gaps[row]) - _MOST_BACK * skin)
            if stop < length:
                planes.append(MetPlane(stop, touching, approach, row, normal))
    return planes


def _first_met(mover: SolidCast, found: Impacts, left: Point, length: float) -> tuple[float, list[MoveContact]] | None:
    """How far the mover may go along ``left``, and the solids that it would touch beyond; None where nothing is met.

    Of planes whose skins are reached at once, the first touched counts (a round mover near a seam sees the edge of the
    tile behind it as a plane that leans), and of those that are touched at once, the most grazing.
    """
    planes = planes_met(mover, found, left, length)
    if not planes:
        return None
    way = min(plane.stop for plane in planes)
    at_once = [plane for plane in planes if plane.stop <= way + _AT_ONCE * mover.skin]
    first = min(plane.touching for plane in at_once) + mover.rounding + _ROUNDING * length
    chosen = min(
        (plane for plane in at_once if plane.touching <= first),
        key=lambda plane: (plane.approach, plane.normal, plane.row),
    )
    others = (plane for plane in at_once if plane is not chosen)
    rows = [chosen.row, *(plane.row for plane in others if math.dist(plane.normal, chosen.normal) < _SAME_NORMAL)]
    return way, [contact_of(mover, found, row) for row in rows]


def _along_planes(wanted: Point, planes: Sequence[Point], ground: Ground, displacement: Point) -> Point | None:
    """What is left of ``wanted`` along one of the planes without entering another; None in a corner."""
    least = -_PARALLEL * math.hypot(*wanted)
    for plane in planes:
        if dot(wanted, plane) < least:
            turned = _along(wanted, plane, ground, displacement)
            if all(dot(turned, other) >= least for other in planes):
                return turned
    return None


def _hold_up(planes: Sequence[Point], up: Point) -> bool:
    """Whether two planes together carry what one of them would let slide down: up = a·n + b·m with a, b > 0."""
    for n, m in combinations(planes, 2):
        between = n[0] * m[1] - n[1] * m[0]
        if (up[0] * m[1] - up[1] * m[0]) * between > 0.0 and (n[0] * up[1] - n[1] * up[0]) * between > 0.0:
            return True
    return False


def _along(wanted: Point, normal: Point, ground: Ground, displacement: Point) -> Point:
    """What is left of ``wanted``, the rest of a displacement, along a plane.

    On a floor, what pulls down is spent by standing on it: only the rest moves, so that nobody slides down a slope by
    himself. A wall that leans back does not lift who runs against it. And where a floor meets a wall, neither turns
    the motion against the displacement: it would come back in the next move, and so for ever.
    """
    up = ground.up
    height = dot(wanted, up)
    falling = (height * up[0], height * up[1])
    if ground.is_floor(normal):
        if height < 0.0:
            wanted = (wanted[0] - falling[0], wanted[1] - falling[1])
        turned = projected(wanted, normal)
        climb = dot(displacement, up)
        level = (displacement[0] - climb * up[0], displacement[1] - climb * up[1])
        return turned if dot(turned, level) >= 0.0 else (0.0, 0.0)
    turned = projected(wanted, normal)
    if ground.is_wall(normal):
        if dot(turned, up) > max(height, 0.0):
            turned = falling if height >= 0.0 else projected(falling, normal)
        if dot(turned, up) > max(dot(displacement, up), 0.0) + _PARALLEL * math.hypot(*displacement):
            return 0.0, 0.0
    return turned


def projected(vector: Point, normal: Point) -> Point:
    """The part of a vector along a plane: (v · t) t with the plane's direction t, which is exact on level ground."""
    along = vector[1] * normal[0] - vector[0] * normal[1]
    return -along * normal[1], along * normal[0]


def _is_too_near(mover: SolidCast, found: Impacts) -> bool:
    return found.gap.size > 0 and bool(found.gap.min() < _LEAST_GAP * mover.skin)


def leave_solids(mover: SolidCast) -> None:
    """Push the mover out of what it overlaps, deepest first, and away from what is nearer than a skin, where it can.

    It goes through no other solid, and no deeper into any: between two that leave no way it stays.
    """
    for _ in range(_MOST_WAYS_OUT):
        near = mover.cast(0.0, 0.0)
        if not _is_too_near(mover, near) or not _leave_one(mover, near):
            return


def _leave_one(mover: SolidCast, near: Impacts) -> bool:
    """Leave the deepest solid that can be left; False where there is none."""
    skin = mover.skin
    gaps = near.gap.tolist()
    for row in near.gap.argsort(kind="stable").tolist():
        gap = gaps[row]
        if gap >= _LEAST_GAP * skin:
            return False
        normal = _towards_mover(near, row)
        if gap >= -_NO_WAY * skin:
            # Half of the free way at most: in a passage just wide enough, it stays in the middle.
            way = skin - gap
            way *= _free_part(mover, 2.0 * way * normal[0], 2.0 * way * normal[1])
        else:
            way = -gap
            ahead = mover.cast(way * normal[0], way * normal[1])
            way *= min(float(ahead.fraction.min(initial=1.0)), 1.0)
            if way <= _NO_WAY * skin and _leave_along(mover, ahead, normal, -gap):
                return True
        if way > _NO_WAY * skin:
            mover.shift(way * normal[0], way * normal[1])
            return True
    return False


def _leave_along(mover: SolidCast, ahead: Impacts, normal: Point, depth: float) -> bool:
    """Leave what is ``depth`` deep against its ``normal`` along the plane that blocks that way, found ahead."""
    side = projected(normal, _towards_mover(ahead, int(ahead.fraction.argmin())))
    # Along the plane, whose direction has the length c = cos(angle to the normal), by depth / c.
    square = dot(side, side)
    if square * _MOST_DETOUR * _MOST_DETOUR < 1.0:
        return False
    way = (side[0] * depth / square, side[1] * depth / square)
    part = _free_part(mover, *way)
    if part * depth <= _NO_WAY * mover.skin:
        return False
    x, y = part * way[0], part * way[1]
    mover.shift(x, y)
    # That is by the plane where it is deepest, and what is round ends sooner: back to where it is touched from outside.
    back = _free_part(mover, -x, -y)
    if back < 1.0:
        mover.shift(-back * x, -back * y)
    return True


def _free_part(mover: SolidCast, x: float, y: float) -> float:
    """The part of a way before the first impact."""
    return min(float(mover.cast(x, y).fraction.min(initial=1.0)), 1.0)


def contact_of(mover: SolidCast, impacts: Impacts, row: int) -> MoveContact:
    """What is told of an impact."""
    x, y = impacts.point[row].tolist()
    entity = int(mover.solids.slots.entity[impacts.solid[row]])
    return MoveContact(entity, _towards_mover(impacts, row), (x, y))


def _towards_mover(impacts: Impacts, row: int) -> Point:
    x, y = impacts.normal[row].tolist()
    return 0.0 - x, 0.0 - y  # no negative zeros


def is_known(contact: MoveContact, contacts: Sequence[MoveContact]) -> bool:
    """Whether the same surface is among ``contacts``."""
    return any(
        contact.entity == other.entity and math.dist(contact.normal, other.normal) <= _SAME_NORMAL for other in contacts
    )


def dot(a: Point, b: Point) -> float:
    """a · b."""
    return a[0] * b[0] + a[1] * b[1]
