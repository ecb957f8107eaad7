"""The cell of CompoundCollider in the scene of entities: a ship of parts in a hail of stones."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys import (
    CapsuleCollider,
    CompoundCollider,
    HitListener,
    OBBCollider,
    Physics,
    PolygonCollider,
    Transform,
    Velocity,
)
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Board, Pair
from ecsphys.demo.scenes.drawing.numerals import draw_number, legible
from ecsphys.demo.scenes.drawing.outlines import outline
from ecsphys.demo.scenes.entities.cells import FADE, Ball
from ecsphys.demo.scenes.scene import Pointer
from ecsphys.demo.scenes.sketch import Sketch
from ecsphys.types import Hit

_CLICKED_SPEED = 7.0
"""Of a stone from the mouse, in units/s."""


class PartsCell(esper.Processor, Pointer):
    """A ship of five parts in a hail of stones; the part that was hit lights up beside its name."""

    middle = (5.6, -4.3)
    names = ("nose", "hull", "left wing", "right wing", "engine")
    lamps = (11.9, -2.1, 1.2)
    """x, y of the first, and how far the next is below."""

    def __init__(self, physics: Physics, rng: np.random.Generator) -> None:
        self._rng = rng
        self.ship = Transform(*self.middle, 0.4)
        self.turning = Velocity(angular=0.35)
        wing = [(-0.5, 0.3), (0.5, 0.3), (-0.3, 1.5), (-0.9, 1.5)]
        self.compound = CompoundCollider(
            [
                PolygonCollider([(1.2, -0.35), (2.2, 0.0), (1.2, 0.35)]),
                OBBCollider(1.2, 0.35),
                PolygonCollider(wing),
                PolygonCollider([(x, -y) for x, y in wing]),
                CapsuleCollider(0.6, 0.3, offset_x=-1.4, angle=0.5 * math.pi),
            ]
        )
        self.counts = [0] * len(self.names)
        self._flash = [0.0] * len(self.names)
        self._points: list[Pair] = [self.middle] * len(self.names)
        esper.create_entity(self.ship, self.turning, self.compound, HitListener(on_started=self._on_hit))
        self._next = 0
        self.stones = [Ball(*self.middle, 0.0, 3.0, 0.2, -13) for _ in range(7)]
        for stone in self.stones:
            self._throw(stone)

    def _on_hit(self, hit: Hit) -> None:
        part = hit.part_a
        if part is not None:
            self.counts[part] += 1
            self._flash[part] = 1.0
            self._points[part] = hit.points[0]

    def _throw(self, stone: Ball) -> None:
        """From somewhere around, past the ship's middle."""
        around = self._rng.uniform(0.0, math.tau)
        x, y = 5.0 * math.cos(around), 3.0 * math.sin(around)
        to_x, to_y = self._rng.uniform(-1.6, 1.6, 2)
        length = math.hypot(to_x - x, to_y - y)
        stone.transform.x, stone.transform.y = self.middle[0] + x, self.middle[1] + y
        stone.velocity.x, stone.velocity.y = 3.0 * (to_x - x) / length, 3.0 * (to_y - y) / length

    def press(self, x: float, y: float) -> bool:
        """A stone flies from the mouse to the ship."""
        stone = self.stones[self._next]
        self._next = (self._next + 1) % len(self.stones)
        x, y = x - self.middle[0], y - self.middle[1]
        # Beyond this ellipse stones are thrown again from its edge.
        out = max(math.hypot(x / 4.9, y / 2.9), 1.0)
        x, y = x / out, y / out
        stone.transform.x, stone.transform.y = self.middle[0] + x, self.middle[1] + y
        length = max(math.hypot(x, y), 1e-6)
        stone.velocity.x, stone.velocity.y = -_CLICKED_SPEED * x / length, -_CLICKED_SPEED * y / length
        return True

    def process(self, dt: float) -> None:
        self._flash = [flash * math.exp(-FADE * dt) for flash in self._flash]
        for stone in self.stones:
            if math.hypot((stone.transform.x - self.middle[0]) / 5.1, (stone.transform.y - self.middle[1]) / 3.1) > 1.0:
                self._throw(stone)

    def paint(self, board: Board, sketch: Sketch) -> None:
        """The ship, the stones, and a lamp for each part, tied to where it was hit."""
        x, first, down = self.lamps
        for number, (part, flash) in enumerate(zip(self.compound.parts, self._flash, strict=True)):
            board.polygon(outline(part, self.ship), flash > 0.25, palette.COLLIDERS[5])
            lamp = x, first - down * number
            board.circle(lamp, 0.2, flash > 0.25)
            draw_number(board, str(self.counts[number]), (16.2, lamp[1]), legible(0.4, sketch.pixel), palette.LIT, 1.8)
            if flash > 0.02:
                board.line(self._points[number], lamp, palette.LIT, 1.5, flash)
        for stone in self.stones:
            board.circle((stone.transform.x, stone.transform.y), stone.radius, color=palette.COLLIDERS[0])
