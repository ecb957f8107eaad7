"""The floors of the sorting machine's bins: two leaves each, that turn down when a bin is full, or at a click."""

from __future__ import annotations

import math

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import OBBCollider, RigidBody, Transform, Velocity
from ecsphys.demo.scenes.cached_join import CachedJoin
from ecsphys.demo.scenes.rigid.tint import MACHINE, put
from ecsphys.demo.scenes.scene import Pointer
from ecsphys.demo.scenes.tools.blast import DynamicBodies

FLOOR = 1.0
"""The top of the leaves."""
_THICK = 0.14
_FULL = 16
"""The bodies in a bin that open it."""
_TOP = 8.0
"""How high a bin reaches."""
_DOWN = math.radians(82.0)
_OPEN = 1.6
"""Seconds that it stays open."""
_TURN, _FASTEST = 10.0, 4.0
"""How fast a leaf turns for each radian that it has to go, and at most."""
_SETTLED = 1.0
"""Seconds that a full bin waits until the last body lies."""


class Hatches(esper.Processor, Pointer):
    """The leaves of all bins. A click near a floor opens it."""

    def __init__(self, left: float, width: float, count: int) -> None:
        self.emptied = 0
        """How many bodies have been let out."""
        self.inside = 0
        """How many are in the bins now."""
        self._left, self._width, self._count = left, width, count
        self._waits: NDArray[float64] = np.zeros(count)
        """For each bin how long it has been full, seconds."""
        self._open: NDArray[float64] = np.zeros(count)
        """How long it stays open yet."""
        self._bodies = DynamicBodies()
        self._rows = CachedJoin(Transform, Velocity)
        self._leaves: list[int] = []
        half = 0.25 * width - 0.02
        for number in range(count):
            for side in (1.0, -1.0):
                hinge = Transform(left + width * (number + (side < 0.0)), FLOOR - _THICK)
                leaf = OBBCollider(half, _THICK, offset_x=side * half)
                self._leaves.append(put(MACHINE, hinge, Velocity(), leaf, RigidBody("kinematic", friction=0.3)))

    def press(self, x: float, y: float) -> bool:
        """Open the bin whose floor is at a place, if there is one."""
        number = math.floor((x - self._left) / self._width)
        if not (0 <= number < self._count and abs(y - FLOOR) < 0.5):
            return False
        self._open[number] = _OPEN
        return True

    def process(self, dt: float) -> None:
        contents = self._contents()
        self.inside = int(contents.sum())
        self._waits = np.where(contents >= _FULL, self._waits + dt, 0.0)
        was_open = self._open > 0.0
        self._open = np.where(self._waits > _SETTLED, _OPEN, np.maximum(self._open - dt, 0.0))
        self.emptied += int(contents[(self._open > 0.0) & ~was_open].sum())
        self._turn(dt)

    def _contents(self) -> NDArray[np.int64]:
        """How many bodies are in each bin."""
        x, y = self._bodies.places().T
        numbers = np.floor((x - self._left) / self._width).astype(np.int64)
        inside = (y > FLOOR - _THICK) & (y < _TOP) & (numbers >= 0) & (numbers < self._count)
        return np.bincount(numbers[inside], minlength=self._count)

    def _turn(self, dt: float) -> None:
        """Let each leaf turn to where it has to be."""
        entities, places, velocities = self._rows()
        own = np.searchsorted(entities, self._leaves)
        sides = np.tile((-1.0, 1.0), self._count)
        goal = np.repeat(np.where(self._open > 0.0, _DOWN, 0.0), 2) * sides
        left = goal - Transform.column("angle", writable=False)[places[own]]
        speed = np.clip(_TURN * left, -_FASTEST, _FASTEST)
        speed[np.abs(left) < 1e-3] = 0.0
        if not np.array_equal(speed, Velocity.column("angular", writable=False)[velocities[own]]):
            Velocity.column("angular")[velocities[own]] = speed
