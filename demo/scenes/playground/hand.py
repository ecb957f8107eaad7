"""The tools of the left button in the playground: it spawns bodies, draws outlines, or blasts."""

from __future__ import annotations

import math
from typing import Literal, get_args

import esper
import numpy as np

from ecsphys.demo.palette import STARTED
from ecsphys.demo.scenes.playground.sandbox import Sandbox
from ecsphys.demo.scenes.scene import Pointer
from ecsphys.demo.scenes.sketch import Sketch, polyline
from ecsphys.demo.scenes.tools.toolbox import Toolbox

Tool = Literal["spawn", "draw", "blast"]
TOOLS: tuple[Tool, ...] = get_args(Tool)

_STREAM_EVERY = 1.0 / 15.0
"""Seconds between two bodies that are spawned while the button is held."""
_APART, _TOLERANCE, _BLAST = 0.7, 0.3, 16.0
"""Parts of the mouse's reach: between two points of a line, how far its corners stick out, and the reach of a blast."""
_NOTICE_SECONDS = 5.0
_HINTS: dict[Tool, str] = {
    "spawn": "Hold the left button to spawn bodies",
    "draw": "Draw around a shape with the left button held",
    "blast": "There is nothing to blast: press S or D, and make bodies",
}
"""Shown in an empty room."""


class Hand(Pointer, esper.Processor):
    """The tool in the player's hand. A body at the mouse is held, unless a line is drawn."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.tool: Tool = "spawn"
        self._sandbox = sandbox
        self._tools: Toolbox | None = None
        self._here = (0.0, 0.0)
        self._is_spawning = False
        self._since = 0.0
        """Seconds since the last body was spawned."""
        self._line: list[tuple[float, float]] = []
        self._notice = ""
        self._notice_age = 0.0

    def begin(self, tools: Toolbox) -> None:
        self._tools = tools

    def take(self, tool: Tool) -> None:
        """Take a tool."""
        self.tool = tool

    def notice(self) -> str:
        """What there is to say of the line drawn last, for some seconds, or of an empty room."""
        return self._notice or ("" if len(self._sandbox.bodies()[0]) else _HINTS[self.tool])

    def press(self, x: float, y: float) -> bool:
        self._here = (x, y)
        if self.tool == "draw":
            self._line, self._notice = [(x, y)], ""
            return True
        if self._tools is not None and self.tool == "blast":
            self._tools.blast(x, y, _BLAST * self.reach)
            return True
        if self._tools is not None and self._tools.grip.under(x, y, self.reach) is not None:
            return False
        self._is_spawning, self._since = True, 0.0
        self._sandbox.spawn(x, y)
        return True

    def move(self, x: float, y: float) -> None:
        self._here = (x, y)
        if self._line and math.dist(self._line[-1], (x, y)) > _APART * self.reach:
            self._line.append((x, y))

    def release(self) -> None:
        self._is_spawning = False
        if len(self._line) > 2:
            self._notice = self._sandbox.add_outline(np.array(self._line), _TOLERANCE * self.reach)
            self._notice_age = 0.0
        self._line = []

    def process(self, dt: float) -> None:
        """Spawn more bodies while the button is held."""
        self._since += dt
        if self._is_spawning and self._since >= _STREAM_EVERY:
            self._since -= _STREAM_EVERY
            self._sandbox.add(*self._here)
        self._notice_age += dt
        if self._notice_age > _NOTICE_SECONDS:
            self._notice = ""

    def paint(self, sketch: Sketch) -> None:
        """The line that is being drawn."""
        if len(self._line) > 1:
            polyline(sketch, np.array(self._line), 2.0, STARTED, 0.9, closed=True)
