"""The mouse in the platformer: it carries people, though not through walls; elsewhere the hero comes to it."""

from __future__ import annotations

import math

import esper

from ecsphys import InputState
from ecsphys.demo.scenes.board import Pair
from ecsphys.demo.scenes.platformer.walkers import Walker, Walkers
from ecsphys.demo.scenes.scene import Pointer

_REACH = 0.6
"""How far from its middle, in units, a walker is taken."""
_NEAR = 0.25
_ABOVE, _BELOW = 0.9, 1.2
"""How far above or below the hero, in units, the mouse makes it jump or drop."""


class PlatformerPointer(esper.Processor, Pointer):
    """Add it before the walkers."""

    def __init__(self, walkers: Walkers, keys: InputState) -> None:
        self._walkers = walkers
        self._keys = keys
        self._carried: Walker | None = None
        self._calls = False
        self._mouse: Pair = (0.0, 0.0)

    def press(self, x: float, y: float) -> bool:
        self._mouse = (x, y)
        nearest = min(self._walkers.walkers, key=lambda walker: math.dist((walker.place.x, walker.place.y), (x, y)))
        is_near = math.dist((nearest.place.x, nearest.place.y), (x, y)) < _REACH
        if is_near and nearest.flat <= 0.0:
            self._carried = nearest
        else:
            self._calls = True
        return True

    def move(self, x: float, y: float) -> None:
        self._mouse = (x, y)

    def release(self) -> None:
        if self._carried is not None:
            self._carried.carried_to = None
        if self._calls:
            self._keys.x = self._keys.y = 0.0
        self._carried, self._calls = None, False

    def process(self, dt: float) -> None:
        if self._carried is not None:
            self._carried.carried_to = self._mouse
        if self._calls:
            hero = self._walkers.hero.place
            ahead, above = self._mouse[0] - hero.x, self._mouse[1] - hero.y
            self._keys.x = math.copysign(1.0, ahead) if abs(ahead) > _NEAR else 0.0
            self._keys.y = float(above > _ABOVE) - float(above < -_BELOW)
