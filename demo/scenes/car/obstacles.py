"""The things on the way of the car: ground, bridges, seesaws, crates and barrels."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from ecsphys import AABBCollider, ChainCollider, CollisionFilter, RigidBody, Solid, Transform
from ecsphys.demo.scenes.car.course import Course, Span
from ecsphys.demo.scenes.car.layers import GROUND_FILTER
from ecsphys.demo.scenes.car.loose import BARREL_RADIUS, HALF_SIDE, LooseBodies
from ecsphys.demo.scenes.car.seesaw import Seesaw
from ecsphys.demo.scenes.landscape import dusk
from ecsphys.demo.scenes.rigid.bridge import Bridge
from ecsphys.demo.scenes.rigid.tint import put

GORGE_DEPTH = 12.0
"""How far below its edges the ground of a gorge is."""
_THICK = 0.14
"""Half the thickness of a bridge's planks: wheels get over fallen ones."""
_SAG = 0.7
_ROTTEN_SAG, _BREAK_FORCE = 0.025, 750.0
"""Of a bridge that breaks: its sag for each unit of width. It bears itself, and a car that is fast."""
_GRIP = 0.9


class Obstacles:
    """Ground and bodies of a course."""

    def __init__(self, course: Course) -> None:
        self.grounds = [_ground(line.tolist()) for line in course.lines]
        self.floors = [_floor(left.tolist(), right.tolist()) for left, right in course.gorges()]
        banks = pairwise(self.grounds)
        self.bridges: list[Bridge] = []
        for span in course.spans:
            ground = self.grounds[course.line_at(span.left)]
            self.bridges.append(_bridge(span, (ground, ground) if span.is_rotten else next(banks)))
        self.seesaws = [Seesaw(site.x, site.y) for site in course.sites if site.kind == "seesaw"]
        self.loose = LooseBodies()
        for site in course.sites:
            if site.kind in _PILES:
                _PILES[site.kind](self.loose, site.x, site.y)


def _ground(points: list[tuple[float, float]]) -> int:
    """The ground of a line, with walls down into the gorges at its ends."""
    (left, left_y), (right, right_y) = points[0], points[-1]
    outline = [(left, left_y - GORGE_DEPTH - 1.0), *points, (right, right_y - GORGE_DEPTH - 1.0)]
    return put(
        dusk.EARTH_TOP,
        Transform(),
        ChainCollider(outline, side="left"),
        RigidBody("static", friction=_GRIP),
        Solid(),
        CollisionFilter(*GROUND_FILTER),
    )


def _floor(left: tuple[float, float], right: tuple[float, float]) -> int:
    """The ground of a gorge between two banks."""
    middle, bottom = 0.5 * (left[0] + right[0]), min(left[1], right[1]) - GORGE_DEPTH
    shape = AABBCollider(right[0] - left[0], 1.0)
    return put(dusk.EARTH_DEEP, Transform(middle, bottom), shape, Solid(), CollisionFilter(*GROUND_FILTER))


def _bridge(span: Span, banks: tuple[int, int]) -> Bridge:
    ends = span.left, span.right
    if span.is_rotten:
        # It lies on the edges of its hollow, and hangs less, so that it touches nothing else of the ground.
        sag = _ROTTEN_SAG * (span.right - span.left)
        bridge = Bridge(banks, ends, span.height + 0.05, sag, dusk.WOOD, _BREAK_FORCE, _THICK)
    else:
        bridge = Bridge(banks, ends, span.height - _THICK, _SAG, dusk.WOOD_LIGHT, thick=_THICK)
    bridge.join()
    return bridge


def _wall(loose: LooseBodies, x: float, y: float) -> None:
    for row in range(5):
        for column in range(2):
            loose.crate(x + 2.0 * HALF_SIDE * column, y + 2.0 * HALF_SIDE * row, row + column)


def _tower(loose: LooseBodies, x: float, y: float) -> None:
    for row in range(8):
        loose.crate(x, y + 2.0 * HALF_SIDE * row, row)


def _pyramid(loose: LooseBodies, x: float, y: float, rows: int = 5) -> None:
    for row in range(rows):
        for column in range(rows - row):
            loose.crate(x + 2.0 * HALF_SIDE * (column - 0.5 * (rows - 1 - row)), y + 2.0 * HALF_SIDE * row, row)


def _barrels(loose: LooseBodies, x: float, y: float) -> None:
    """Barrels in rows that lie in the gaps of the row below; the outer ones are wedged by crates."""
    for row in range(3):
        for column in range(4 - row):
            loose.barrel(x + 2.0 * BARREL_RADIUS * (column - 0.5 * (3 - row)), y + BARREL_RADIUS * (1.0 + 1.74 * row))
    for side, number in ((-1.0, 0), (1.0, 1)):
        loose.crate(x + side * (4.0 * BARREL_RADIUS + HALF_SIDE), y, number)


def _castle(loose: LooseBodies, x: float, y: float) -> None:
    """Two towers with a pyramid between them."""
    for side in (-4.0, 4.0):
        _tower(loose, x + side, y)
    _pyramid(loose, x, y, 6)


_PILES: dict[str, Callable[[LooseBodies, float, float], None]] = {
    "wall": _wall,
    "tower": _tower,
    "pyramid": _pyramid,
    "barrels": _barrels,
    "castle": _castle,
}
