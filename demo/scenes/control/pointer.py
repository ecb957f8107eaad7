"""The mouse in the scene of motion and control: it drags the balls, leads the square, aims the throw, fires all round.

Each quarter of the picture has a way of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import esper
import numpy as np

from ecsphys import InputState, LinearTrajectory, Physics, Transform
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Pair
from ecsphys.demo.scenes.boxes import clamped, shortened
from ecsphys.demo.scenes.scene import Box, Pointer
from ecsphys.demo.scenes.sketch import Sketch, arrow, polyline

if TYPE_CHECKING:
    from ecsphys.demo.scenes.control.scene import Shots, Throws

_SHOTS_BOX: Box = (1.2, -7.0, 16.0, -1.4)
_NEAR = 0.35
"""How near to the mouse, in units, the square stops."""
_SPEED_PER_UNIT = 2.2
_FASTEST = 12.0
_AIM_SECONDS = np.linspace(0.0, 2.4, 49)


@dataclass(frozen=True)
class Line:
    """A ball that moves evenly along a line ``length`` units long, again and again."""

    path: LinearTrajectory
    length: float


class ControlPointer(esper.Processor, Pointer):
    """Add it before the motion, after the input is read."""

    def __init__(
        self,
        physics: Physics,
        lines: list[Line],
        keys: InputState,
        walker: Transform,
        shots: Shots,
        throws: Throws,
        throw_from: Pair,
    ) -> None:
        self._physics = physics
        self._lines = lines
        self._keys = keys
        self._walker = walker
        self._shots = shots
        self._throws = throws
        self._throw_from = throw_from
        self._mouse: Pair = (0.0, 0.0)
        self._line: Line | None = None
        self._leads = False
        self._aims = False

    def press(self, x: float, y: float) -> bool:
        self._mouse = (x, y)
        if x < 0.0 and y > 0.0:
            self._line = min(self._lines, key=lambda line: abs(line.path.y - y))
        elif x < 0.0:
            self._leads = True
        elif y > 0.0:
            self._aims = True
        else:
            self._shots.fire_from(*clamped(_SHOTS_BOX, x, y))
        return True

    def move(self, x: float, y: float) -> None:
        self._mouse = (x, y)

    def release(self) -> None:
        if self._leads:
            self._keys.x = self._keys.y = 0.0
        if self._aims:
            self._throws.speed = self._aim()
            self._throws.restart()
        self._line, self._leads, self._aims = None, False, False

    def process(self, dt: float) -> None:
        if self._line is not None:
            path = self._line.path
            along = min(max(self._mouse[0] - path.x, 0.0), 0.99 * self._line.length)
            path.elapsed = along / path.vx
        if self._leads:
            self._keys.x, self._keys.y = _eight_ways(self._mouse[0] - self._walker.x, self._mouse[1] - self._walker.y)

    def _aim(self) -> Pair:
        """The speed of the next throw."""
        dx, dy = self._mouse[0] - self._throw_from[0], self._mouse[1] - self._throw_from[1]
        return shortened(_SPEED_PER_UNIT * dx, _SPEED_PER_UNIT * dy, _FASTEST)

    def paint(self, sketch: Sketch) -> None:
        """The throw that is aimed: its speed as an arrow, and its curve p + v·t + ½·g·t²."""
        if not self._aims:
            return
        speed, start, gravity = np.array(self._aim()), np.array(self._throw_from), np.array(self._physics.gravity)
        t = _AIM_SECONDS[:, None]
        polyline(sketch, start + speed * t + 0.5 * gravity * t * t, 1.6, palette.ACCENT, 0.55)
        tip = start + speed / _SPEED_PER_UNIT
        arrow(sketch, self._throw_from, (float(tip[0]), float(tip[1])), palette.ACCENT)


def _eight_ways(dx: float, dy: float) -> Pair:
    """The nearest of eight directions, as keys would have it; none where the way is short."""
    if math.hypot(dx, dy) < _NEAR:
        return 0.0, 0.0
    turn = 0.25 * math.pi * round(math.atan2(dy, dx) / (0.25 * math.pi))
    return float(round(math.cos(turn))), float(round(math.sin(turn)))
