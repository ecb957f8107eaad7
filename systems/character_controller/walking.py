"""How a character walks: along floors, up steps, down to the floor again; and otherwise slides as any mover does.

On the floor, a move is a level one. What pulls down is spent by standing, and where the floor falls away, the character
follows it. It goes in parts of a quarter of its size, so that a fast one follows as well as a slow one.

The corner of a floor is a floor. A round foot touches it with a normal that may be as steep as that of a wall; what
lies beside the corner tells, not that normal: see :meth:`Walk._is_edge`.
"""

from __future__ import annotations

import math

from ecsphys.systems.character_controller.move_and_slide import (
    Ground,
    MetPlane,
    MoveContact,
    MoveResult,
    Point,
    contact_of,
    dot,
    is_known,
    leave_solids,
    look_ahead,
    planes_met,
    projected,
    slide,
)
from ecsphys.systems.character_controller.solid_cast import Impacts, SolidCast
from ecsphys.systems.character_controller.solid_motion import Support

_MOST_PARTS = 16
_MOST_STEPS = 8

# Of the mover's size: how far it walks before the floor is looked for again.
_PART = 0.25

# In skins: how near the floor is stood on, what is as near, what is no way, and how far beside a corner is looked.
_NEAR = 4.0
_AS_NEAR = 1.0
_NO_WAY = 0.01
_BESIDE = 4.0

# Beside a corner of steep floors is looked no higher than this many times as far as aside.
_STEEPEST_LOOK = 20.0


class Walk:
    """One move of a character by itself.

    ``floor``: what it stands on, None in the air. ``stepped``: how high it climbed by steps. ``snapped``: whether it
    followed the floor farther down than it was pulled. ``on_floor``, ``on_wall``, ``on_ceiling``, ``contacts``: as of a
    :class:`MoveResult`.
    """

    def __init__(self, mover: SolidCast, ground: Ground, step_height: float, snap_distance: float) -> None:
        self._mover = mover
        self._footing = ground
        self._step_height = step_height
        self._snap_distance = snap_distance
        self._support: Support | None = None
        self.floor: Support | None = None
        self.on_floor = self.on_wall = self.on_ceiling = self.snapped = False
        self.stepped = 0.0
        self.contacts: list[MoveContact] = []

    def move(self, displacement: Point, floor: Support | None) -> None:
        """Move by at most ``displacement``; ``floor`` is what it stands on at first, None in the air."""
        up = self._footing.up
        height = dot(displacement, up)
        if floor is None or height > 0.0:
            self._fly(displacement)
        else:
            self._support = floor
            self._walk((displacement[0] - height * up[0], displacement[1] - height * up[1]), -height)
        self.on_floor |= self.floor is not None

    def _fly(self, displacement: Point) -> None:
        """Move without a floor."""
        result = slide(self._mover, displacement, self._footing)
        self._tell(result)
        self.on_floor |= result.on_floor
        if result.on_floor or dot(displacement, self._footing.up) <= 0.0:
            self.floor = self._floor_below()

    def _tell(self, result: MoveResult) -> None:
        self.on_wall |= result.on_wall
        self.on_ceiling |= result.on_ceiling
        self.contacts += (contact for contact in result.contacts if not is_known(contact, self.contacts))

    def _walk(self, level: Point, pull: float) -> None:
        """Move on a floor, ``pull`` being how far it would fall without one."""
        up = self._footing.up
        length = math.hypot(*level)
        parts = max(math.ceil(min(length / (_PART * self._mover.size), _MOST_PARTS)), 1)
        part = (level[0] / parts, level[1] / parts)
        if length == 0.0:
            leave_solids(self._mover)
        for number in range(parts):
            # What it rose along a slope, or round a corner, was no jump.
            if not self._settle(pull, self._advance(part) if length > 0.0 else 0.0):
                left = (parts - 1 - number) / parts
                self._fly((left * level[0] - pull * up[0], left * level[1] - pull * up[1]))
                return

    def _advance(self, part: Point) -> float:
        """Go level, or along a slope, and up steps where a wall is in the way; tell by how much it rose."""
        mover, ground = self._mover, self._footing
        length = math.hypot(*part)
        ahead = (part[0] / length, part[1] / length)
        way = part
        if self._support is not None and ground.is_floor(self._support.contact.normal):
            way = projected(part, self._support.contact.normal)
        start = (mover.x, mover.y)
        result = slide(mover, way, ground)
        for _ in range(_MOST_STEPS):
            left = dot(way, ahead) - dot((mover.x - start[0], mover.y - start[1]), ahead)
            if not result.on_wall or left <= _NO_WAY * mover.skin:
                break
            beyond = self._step((left * ahead[0], left * ahead[1])) if self._step_height > 0.0 else None
            if beyond is None:
                break
            result = beyond
        self._tell(result)
        return max(dot((mover.x - start[0], mover.y - start[1]), ground.up), 0.0)

    def _step(self, left: Point) -> MoveResult | None:
        """Go up, on by what is left, and down; None where that leads nowhere, or not to a floor."""
        mover, up = self._mover, self._footing.up
        start = (mover.x, mover.y)
        raised = self._rise(self._step_height)
        if raised > 0.0:
            result = slide(mover, left, self._footing)
            progress = dot((mover.x - start[0], mover.y - start[1]), left)
            if progress > _NO_WAY * mover.skin * math.hypot(*left):
                way, floor = self._landing(raised)
                if way == math.inf:
                    mover.shift(-raised * up[0], -raised * up[1])
                    return result
                if floor is not None and not self._is_too_high(floor):
                    mover.shift(-way * up[0], -way * up[1])
                    self.stepped += max(dot((mover.x - start[0], mover.y - start[1]), up), 0.0)
                    self._support = floor
                    return result
        mover.shift(start[0] - mover.x, start[1] - mover.y)
        return None

    def _rise(self, height: float) -> float:
        """Go up by at most a height, and tell by how much."""
        mover, up = self._mover, self._footing.up
        way = (height * up[0], height * up[1])
        planes = planes_met(mover, look_ahead(mover, way), way, height)
        free = min((plane.stop for plane in planes), default=height)
        mover.shift(free * up[0], free * up[1])
        return free

    def _is_too_high(self, floor: Support) -> bool:
        """Whether a floor is more than a step above what it stood on."""
        if self._support is None:
            return False
        (x, y), (other_x, other_y) = floor.contact.point, self._support.contact.point
        climb = dot((x - other_x, y - other_y), self._footing.up)
        most: float = self._step_height + _AS_NEAR * self._mover.skin
        return climb > most

    def _settle(self, pull: float, risen: float) -> bool:
        """Follow the floor down; False where there is none near enough."""
        mover, up = self._mover, self._footing.up
        way, floor = self._landing(max(self._snap_distance, pull, _NEAR * mover.skin) + risen)
        if floor is None or (not self._footing.is_floor(floor.contact.normal) and self._is_too_high(floor)):
            self.floor = None
            return False
        mover.shift(-way * up[0], -way * up[1])
        self.snapped |= way > pull + risen + _NEAR * mover.skin
        self.floor = self._support = floor
        if not is_known(floor.contact, self.contacts):
            self.contacts.append(floor.contact)
        return True

    def _floor_below(self) -> Support | None:
        """What it stands on."""
        _, floor = self._landing(_NEAR * self._mover.skin)
        return floor if floor is not None and self._footing.is_floor(floor.contact.normal) else None

    def _landing(self, depth: float) -> tuple[float, Support | None]:
        """How far down there is something, infinity if not within ``depth``; and the floor there if it is one."""
        mover, up = self._mover, self._footing.up
        down = (-depth * up[0], -depth * up[1])
        found = look_ahead(mover, down)
        planes = planes_met(mover, found, down, depth)
        if not planes:
            return math.inf, None
        way = min(plane.stop for plane in planes)
        near = [plane for plane in planes if plane.stop <= way + _AS_NEAR * mover.skin]
        best = max(near, key=lambda plane: (dot(plane.normal, up), -plane.row))
        if not self._is_supporting(found, best):
            return way, None
        return way, Support(int(found.solid[best.row]), contact_of(mover, found, best.row))

    def _is_supporting(self, found: Impacts, plane: MetPlane) -> bool:
        if self._footing.is_floor(plane.normal):
            return True
        x, y = found.point[plane.row].tolist()
        return self._is_edge((x, y), plane.normal)

    def _is_edge(self, point: Point, normal: Point) -> bool:
        """Whether a point that is touched with a steep normal is the corner of a floor: one that begins there."""
        mover, ground = self._mover, self._footing
        up = ground.up
        height = dot(normal, up)
        level = (normal[0] - height * up[0], normal[1] - height * up[1])
        length = math.hypot(*level)
        if height <= 0.0 or length == 0.0:
            return False
        aside = _BESIDE * mover.skin
        rise = aside * min(math.tan(ground.steepest), _STEEPEST_LOOK) + _NEAR * mover.skin
        above = (
            point[0] - aside * level[0] / length + rise * up[0],
            point[1] - aside * level[1] / length + rise * up[1],
        )
        found = mover.cast_point(above, -2.0 * rise * up[0], -2.0 * rise * up[1])
        if not found.fraction.size or found.gap.min() < 0.0:
            return False
        row = int(found.fraction.argmin())
        return float(found.fraction[row]) <= 1.0 and ground.is_floor(contact_of(mover, found, row).normal)
