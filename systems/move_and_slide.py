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
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import esper

from ecsphys.components.transform import Transform
from ecsphys.systems.solid_cast import Impacts, SolidCast, Solids

FLOOR_ANGLE = math.pi / 4
"""A surface is a floor if its normal is within this angle of ``up``, and a ceiling if within it of the opposite."""

_FLOOR_COSINE = math.cos(FLOOR_ANGLE) - 1e-9
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

Point = tuple[float, float]


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


def move_entity(solids: Solids, entity: int, displacement: Point, up: Point) -> MoveResult:
    """Move an entity among ``solids``; see ``Physics.move_and_slide`` for the errors."""
    try:
        number = operator.index(entity)
    except TypeError:
        raise TypeError(f"entity must be a whole number, got {entity!r}") from None
    colliders = solids.mover(number)
    if colliders is None:
        raise _why_it_cannot_move(entity)
    mover = SolidCast(solids, *colliders, reach=math.hypot(*displacement))
    length = math.hypot(*up)
    if length > 0.0:
        up = (up[0] / length, up[1] / length)
    result = slide(mover, displacement, up)
    transform = esper.component_for_entity(entity, Transform)
    x, y = transform.x + result.moved[0], transform.y + result.moved[1]
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError(f"entity {entity} would leave the range of numbers, moved by {result.moved}")
    transform.x, transform.y = x, y
    return result


def _why_it_cannot_move(entity: int) -> Exception:
    try:
        esper.components_for_entity(entity)
    except KeyError:
        return KeyError(f"there is no entity {entity!r}")
    if not esper.has_component(entity, Transform):
        return ValueError(f"entity {entity} has no Transform to move")
    return ValueError(f"entity {entity} has no collider, so nothing could block it: add one, or move its Transform")


def slide(mover: SolidCast, displacement: Point, up: Point) -> MoveResult:
    """Move ``mover`` by at most ``displacement``; ``up`` is a unit vector, or (0, 0): then every surface is a wall."""
    found = _look_ahead(mover, displacement)
    if _is_too_near(mover, found):
        _leave_solids(mover)
        found = _look_ahead(mover, displacement)
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
        contacts += (contact for contact in touched if not _is_known(contact, contacts))
        turned = _along_planes(wanted, planes, up, displacement)
        if turned is None:
            held = _dot(wanted, up) < 0.0 and _hold_up(planes, up)
            break
        left = turned
        found = _look_ahead(mover, left)
    travelled = (mover.x - start[0], mover.y - start[1])
    heights = [_dot(contact.normal, up) for contact in contacts]
    return MoveResult(
        (mover.x, mover.y),
        (displacement[0] - travelled[0], displacement[1] - travelled[1]),
        held or any(height >= _FLOOR_COSINE for height in heights),
        any(abs(height) < _FLOOR_COSINE for height in heights),
        any(height <= -_FLOOR_COSINE for height in heights),
        tuple(contacts),
    )


def _look_ahead(mover: SolidCast, left: Point) -> Impacts:
    """What is met on a way, and shortly beyond its end, where a skin may already be reached."""
    length = math.hypot(*left)
    further = 1.0 + _AHEAD * mover.skin / length if length > 0.0 else 1.0
    return mover.cast(left[0] * further, left[1] * further)


def _first_met(mover: SolidCast, found: Impacts, left: Point, length: float) -> tuple[float, list[MoveContact]] | None:
    """How far the mover may go along ``left``, and the solids that it would touch beyond; None where nothing is met.

    With the sine a of the angle at which it approaches a plane, it comes to the plane's skin by skin / a before it
    touches. Towards a curve that it will barely graze that is far too early; but the gap is a convex function of the
    way, so it stays below an even decrease from its start, and the skin is reached no later than by that.

    Of planes whose skins are reached at once, the first touched counts (a round mover near a seam sees the edge of the
    tile behind it as a plane that leans), and of those that are touched at once, the most grazing.
    """
    skin = mover.skin
    cast_length = length + _AHEAD * skin
    planes = []
    gaps = found.gap.tolist()
    for row, fraction in enumerate(found.fraction.tolist()):
        if fraction > 1.0:
            continue
        normal = _towards_mover(found, row)
        approach = -_dot(left, normal) / length
        if approach > _PARALLEL:
            touching = fraction * cast_length
            stop = max(touching - skin / approach, 0.0)
            if gaps[row] > skin:
                stop = max(stop, touching * (1.0 - skin / gaps[row]) - _MOST_BACK * skin)
            if stop < length:
                planes.append((stop, touching, approach, row, normal))
    if not planes:
        return None
    way = min(plane[0] for plane in planes)
    at_once = [plane for plane in planes if plane[0] <= way + _AT_ONCE * skin]
    first = min(plane[1] for plane in at_once) + mover.rounding + _ROUNDING * length
    _, chosen, row = min((approach, normal, row) for _, touching, approach, row, normal in at_once if touching <= first)
    rows = [row, *(other for *_, other, normal in at_once if other != row and math.dist(normal, chosen) < _SAME_NORMAL)]
    return way, [_contact(found, row) for row in rows]


def _along_planes(wanted: Point, planes: Sequence[Point], up: Point, displacement: Point) -> Point | None:
    """What is left of ``wanted`` along one of the planes without entering another; None in a corner."""
    least = -_PARALLEL * math.hypot(*wanted)
    for plane in planes:
        if _dot(wanted, plane) < least:
            turned = _along(wanted, plane, up, displacement)
            if all(_dot(turned, other) >= least for other in planes):
                return turned
    return None


def _hold_up(planes: Sequence[Point], up: Point) -> bool:
    """Whether two planes together carry what one of them would let slide down: up = a·n + b·m with a, b > 0."""
    for n, m in combinations(planes, 2):
        between = n[0] * m[1] - n[1] * m[0]
        if (up[0] * m[1] - up[1] * m[0]) * between > 0.0 and (n[0] * up[1] - n[1] * up[0]) * between > 0.0:
            return True
    return False


def _along(wanted: Point, normal: Point, up: Point, displacement: Point) -> Point:
    """What is left of ``wanted``, the rest of a displacement, along a plane.

    On a floor, what pulls down is spent by standing on it: only the rest moves, so that nobody slides down a slope by
    himself. A wall that leans back does not lift who runs against it. And where a floor meets a wall, neither turns
    the motion against the displacement: it would come back in the next move, and so for ever.
    """
    height = _dot(wanted, up)
    falling = (height * up[0], height * up[1])
    if _dot(normal, up) >= _FLOOR_COSINE:
        if height < 0.0:
            wanted = (wanted[0] - falling[0], wanted[1] - falling[1])
        turned = _projected(wanted, normal)
        climb = _dot(displacement, up)
        level = (displacement[0] - climb * up[0], displacement[1] - climb * up[1])
        return turned if _dot(turned, level) >= 0.0 else (0.0, 0.0)
    turned = _projected(wanted, normal)
    if abs(_dot(normal, up)) < _FLOOR_COSINE:
        if _dot(turned, up) > max(height, 0.0):
            turned = falling if height >= 0.0 else _projected(falling, normal)
        if _dot(turned, up) > max(_dot(displacement, up), 0.0) + _PARALLEL * math.hypot(*displacement):
            return 0.0, 0.0
    return turned


def _projected(vector: Point, normal: Point) -> Point:
    """The part of a vector along a plane: (v · t) t with the plane's direction t, which is exact on level ground."""
    along = vector[1] * normal[0] - vector[0] * normal[1]
    return -along * normal[1], along * normal[0]


def _is_too_near(mover: SolidCast, found: Impacts) -> bool:
    return found.gap.size > 0 and bool(found.gap.min() < _LEAST_GAP * mover.skin)


def _leave_solids(mover: SolidCast) -> None:
    """Push the mover out of what it overlaps, deepest first, and away from what is nearer than a skin, where it can."""
    skin = mover.skin
    for _ in range(_MOST_WAYS_OUT):
        near = mover.cast(0.0, 0.0)
        if not _is_too_near(mover, near):
            return
        row = int(near.gap.argmin())
        gap = float(near.gap[row])
        normal = _towards_mover(near, row)
        way = -gap
        if gap >= -_NO_WAY * skin:
            # Half of the free way at most: in a passage just wide enough, it stays in the middle.
            way = skin - gap
            free = mover.cast(2.0 * way * normal[0], 2.0 * way * normal[1]).fraction.min()
            way *= min(float(free), 1.0)
            if way <= _NO_WAY * skin:
                return
        mover.shift(way * normal[0], way * normal[1])


def _contact(impacts: Impacts, row: int) -> MoveContact:
    x, y = impacts.point[row].tolist()
    return MoveContact(int(impacts.entity[row]), _towards_mover(impacts, row), (x, y))


def _towards_mover(impacts: Impacts, row: int) -> Point:
    x, y = impacts.normal[row].tolist()
    return 0.0 - x, 0.0 - y  # no negative zeros


def _is_known(contact: MoveContact, contacts: Sequence[MoveContact]) -> bool:
    return any(
        contact.entity == other.entity and math.dist(contact.normal, other.normal) <= _SAME_NORMAL for other in contacts
    )


def _dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1]
