"""What stands and lies on the way of the car: bridges, seesaws, crates and barrels."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import esper

from ecsphys import AABBCollider, ChainCollider, CircleCollider, OBBCollider, RevoluteJoint, RigidBody, Solid, Transform
from ecsphys.demo.scenes.car.course import Course, Site, Span
from ecsphys.demo.scenes.landscape import dusk
from ecsphys.demo.scenes.rigid.bridge import Bridge
from ecsphys.demo.scenes.rigid.tint import WARM, put

PLANK_TOP = 0.22
"""Half the thickness of a bridge's planks."""
GORGE_DEPTH = 12.0
_SAG, _BREAK_FORCE = 0.7, 160.0
_GRIP = 0.9
_CRATE = 0.45
"""Half a crate's side."""
_CRATE_DENSITY = 0.1
_BEAM, _PIVOT = 3.4, 0.95
"""Half the length of a seesaw, and the height of its pivot."""


class Obstacles:
    """Ground and bodies of a course."""

    def __init__(self, course: Course) -> None:
        self.grounds = [_ground(line.tolist()) for line in course.lines]
        self.floors = [_floor(left.tolist(), right.tolist()) for left, right in course.gorges()]
        self.rotten: list[Bridge] = []
        banks = pairwise(self.grounds)
        for span in course.spans:
            if span.is_rotten:
                ground = next(
                    ground
                    for ground, line in zip(self.grounds, course.lines, strict=True)
                    if line[0, 0] < span.left < line[-1, 0]
                )
                self.rotten.append(_bridge(span, (ground, ground)))
            else:
                _bridge(span, next(banks))
        self.pivots: list[tuple[float, float]] = []
        """Where seesaws are held."""
        self.loose: list[int] = []
        """Crates and barrels."""
        for site in course.sites:
            if site.kind == "seesaw":
                self._seesaw(site)
            else:
                self.loose += _PILES[site.kind](site.x, site.y)

    def _seesaw(self, site: Site) -> None:
        x, y = site.x, site.y + _PIVOT
        beam = put(dusk.WOOD_LIGHT, Transform(x, y), OBBCollider(_BEAM, 0.12), RigidBody(density=1.5, friction=0.9))
        esper.create_entity(RevoluteJoint.at(None, beam, x, y, has_limits=True, lower=-0.3, upper=0.3))
        self.pivots.append((x, y))


def _ground(points: list[tuple[float, float]]) -> int:
    """The ground of a line, with walls down into the gorges at its ends."""
    (left, left_y), (right, right_y) = points[0], points[-1]
    outline = [(left, left_y - GORGE_DEPTH - 1.0), *points, (right, right_y - GORGE_DEPTH - 1.0)]
    return put(
        dusk.EARTH_TOP, Transform(), ChainCollider(outline, side="left"), RigidBody("static", friction=_GRIP), Solid()
    )


def _floor(left: tuple[float, float], right: tuple[float, float]) -> int:
    """The ground of a gorge between two banks."""
    middle, bottom = 0.5 * (left[0] + right[0]), min(left[1], right[1]) - GORGE_DEPTH
    return put(dusk.EARTH_DEEP, Transform(middle, bottom), AABBCollider(right[0] - left[0], 1.0), Solid())


def _bridge(span: Span, banks: tuple[int, int]) -> Bridge:
    force = _BREAK_FORCE if span.is_rotten else None
    color = dusk.WOOD if span.is_rotten else dusk.WOOD_LIGHT
    bridge = Bridge(banks, (span.left, span.right), span.height - PLANK_TOP, _SAG, color, force)
    bridge.join()
    return bridge


def _crate(x: float, y: float, number: int, density: float = _CRATE_DENSITY) -> int:
    """A crate whose lower side is at y."""
    body = RigidBody(density=density, friction=0.6)
    return put(WARM[number % 4], Transform(x, y + _CRATE), OBBCollider(_CRATE, _CRATE), body)


def _wall(x: float, y: float) -> list[int]:
    side = 2.0 * _CRATE
    return [_crate(x + side * column, y + side * row, row + column) for row in range(5) for column in range(2)]


def _tower(x: float, y: float) -> list[int]:
    return [_crate(x, y + 2.0 * _CRATE * row, row) for row in range(8)]


def _pyramid(x: float, y: float, rows: int = 5) -> list[int]:
    side = 2.0 * _CRATE
    return [
        _crate(x + side * (column - 0.5 * (rows - 1 - row)), y + side * row, row)
        for row in range(rows)
        for column in range(rows - row)
    ]


def _barrels(x: float, y: float) -> list[int]:
    """Barrels in rows that lie in the gaps of the row below; the outer ones are wedged by crates."""
    radius = 0.5
    barrels = [
        put(
            dusk.WOOD,
            Transform(x + 2.0 * radius * (column - 0.5 * (3 - row)), y + radius + 1.74 * radius * row),
            CircleCollider(radius),
            RigidBody(density=0.15, friction=0.7, rolling_resistance=0.05),
        )
        for row in range(3)
        for column in range(4 - row)
    ]
    reach = 4.0 * radius + _CRATE
    return [*barrels, _crate(x - reach, y, 0), _crate(x + reach, y, 1)]


def _castle(x: float, y: float) -> list[int]:
    """Two towers with a pyramid between them."""
    return [*_tower(x - 4.0, y), *_pyramid(x, y, 6), *_tower(x + 4.0, y)]


_PILES: dict[str, Callable[[float, float], list[int]]] = {
    "wall": _wall,
    "tower": _tower,
    "pyramid": _pyramid,
    "barrels": _barrels,
    "castle": _castle,
}
