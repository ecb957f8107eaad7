"""Which way counts: y up and y down, and the sides of a chain."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Literal

from ecsphys import ChainCollider, CircleCollider, OBBCollider, RigidBody, Solid, Transform, Velocity
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Pair
from ecsphys.demo.scenes.rigid.tint import COOL, STONE, WARM
from figures.marks import MEASURE, WAY, arrow, dashes, turn
from figures.panel import Panel

SIZE = (960, 400)
_BLUE, _RED, _YELLOW = COOL[1], WARM[0], WARM[2]


def y_up_down() -> list[Panel]:
    """The same throw and the same angle in units with y up, and in pixels with y down."""
    panels = []
    for number, (title, gravity) in enumerate((("y up", (0, -9.8)), ("y down, in pixels", (0, 900)))):
        unit = 40.0 if number else 1.0
        place = (482 * number, 0, 478 + 482 * number, SIZE[1])
        panel = Panel.empty(place, (0.0, 0.0), 12.0 * unit, gravity, y_down=number == 1, grid=unit)
        panel.title(title, f"gravity=({gravity[0]}, {gravity[1]})")
        _frame(panel, unit, up=1.0 if number == 0 else -1.0)
        panels.append(panel)
    return panels


def _frame(panel: Panel, unit: float, up: float) -> None:
    """Axes, a thrown ball and a turned box; ``unit`` is a fortieth of the panel's pixels in its world."""
    height = panel.view[3]

    def at(x: float, y: float) -> Pair:
        """A place on the paper, from its lower left corner, in the panel's world."""
        return x * unit, y * unit if up > 0.0 else height - y * unit

    origin = at(0.7, 0.7) if up > 0.0 else at(0.7, 7.0)
    for x, y, name in ((2.2, 0.0, "x"), (0.0, 2.2, "y")):
        tip = (origin[0] + x * unit, origin[1] + y * unit)
        arrow(panel.above, origin, tip, MEASURE, 0.28 * unit)
        away = (0.35, -0.15 * up) if name == "x" else (0.4, -0.2)
        panel.note(name, tip[0] + away[0] * unit, tip[1] + away[1] * unit, MEASURE)
    panel.above.dot(origin, MEASURE, 5.0)
    # The same curve takes a shorter time under the stronger gravity.
    haste = 1.0 if up > 0.0 else math.sqrt(900.0 / (9.8 * unit))
    ball = panel.put(
        _YELLOW,
        Transform(*at(4.4, 2.6)),
        CircleCollider(0.36 * unit),
        RigidBody(),
        Velocity(2.1 * unit * haste, 8.2 * unit * up * haste),
    )
    panel.follow(ball, _YELLOW)
    panel.play(1.25 / haste)
    x, y = panel.where(ball)
    arrow(panel.above, (x, y - 0.6 * unit * up), (x, y - 2.0 * unit * up), WAY, 0.28 * unit)
    panel.note("gravity", x + 0.35 * unit, y - 1.5 * unit * up, WAY, anchor="left")
    middle = at(9.7, 6.2)
    panel.put(_BLUE, Transform(*middle, 0.6), OBBCollider(1.05 * unit, 0.4 * unit), Solid())
    dashes(panel.above, middle, (middle[0] + 1.75 * unit, middle[1]), dash=0.14 * unit)
    turn(panel.above, middle, 1.5 * unit, 0.0, 0.6, WAY, 0.26 * unit)
    panel.note("angle=0.6", *at(9.5, 8.45), palette.TEXT)
    panel.note("counter-clockwise" if up > 0.0 else "clockwise", *at(9.5, 7.85), WAY)


@dataclass(frozen=True)
class _Line:
    """A chain, and two balls: x, y and speed of one that it blocks, and of one that passes."""

    name: str
    points: list[Pair]
    side: Literal["left", "right"]
    way: str
    blocks: str
    passes: str
    balls: tuple[tuple[float, float, float], tuple[float, float, float]]


_HILLS = [(-4.0, -0.3), (-2.4, 0.0), (-1.0, -1.0), (0.8, -1.1), (2.2, 0.1), (4.0, 0.3)]
_RING = [(2.6, 0.0), (1.9, 1.5), (0.3, 2.1), (-1.5, 1.7), (-2.6, 0.3), (-2.0, -1.4), (-0.2, -2.0), (1.7, -1.5)]
_ROUND = "counter-clockwise"
_LINES = (
    _Line("ground", _HILLS, "left", "left to right", "above", "below", ((-0.2, 1.9, 0.0), (1.2, -2.3, 8.0))),
    _Line("cave", _RING, "left", _ROUND, "inside", "outside", ((-0.6, 0.6, 0.0), (0.7, 2.55, -1.8))),
    _Line("island", _RING, "right", _ROUND, "outside", "inside", ((0.2, 2.5, 0.0), (0.5, 0.4, 0.0))),
)


def chain_side() -> list[Panel]:
    """Ground, a cave and an island of one line each: from which side they block."""
    panels = []
    for number, line in enumerate(_LINES):
        left = 322 * number
        panel = Panel.empty((left, 0, left + 316, SIZE[1]), (-3.6, -4.6), 7.2)
        panel.title(f'{line.name}: side="{line.side}"', f"points {line.way}")
        closed = line.points is _RING
        panel.put(STONE, Transform(), ChainCollider(line.points, closed=closed, side=line.side), Solid())
        for a, b in itertools.pairwise([*line.points, line.points[0]] if closed else line.points):
            middle = (a[0] + 0.62 * (b[0] - a[0]), a[1] + 0.62 * (b[1] - a[1]))
            arrow(panel.above, a, middle, MEASURE, 0.3, 2.4)
            panel.above.line(middle, b, MEASURE, 2.4)
        for point in line.points:
            panel.above.dot(point, MEASURE, 4.0)
        for (x, y, speed), color in zip(line.balls, (_YELLOW, _RED), strict=True):
            body = RigidBody(rolling_resistance=0.3)
            ball = panel.put(color, Transform(x, y), CircleCollider(0.38), body, Velocity(0.0, speed))
            panel.follow(ball, color)
            panel.ghost(ball, color, 0.1)
        panel.play(0.8)
        panel.note(f"blocks from {line.blocks}", 0.0, -3.68, _YELLOW)
        panel.note(f"passes from {line.passes}", 0.0, -4.3, _RED)
        panels.append(panel)
    return panels
