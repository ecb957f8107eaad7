"""The slingshot: a ball in its pouch, which follows the mouse while it is pulled, and flies when it is let go."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import CircleCollider, HitListener, Physics, RigidBody, Transform
from ecsphys.demo.scenes.board import Pair
from ecsphys.demo.scenes.patterns.pattern import METAL
from ecsphys.demo.scenes.rigid.tint import MACHINE, put
from ecsphys.demo.scenes.scene import Pointer
from ecsphys.demo.scenes.yard.aim import aim_line
from ecsphys.demo.scenes.yard.ground import height_at
from ecsphys.types import Hit

RADIUS = 0.7
DENSITY = 6.0
REST: Pair = (-1.0, 5.4)
"""The place of the ball before it is pulled."""
FOOT: Pair = (-1.0, 2.0)
FASTEST = 34.0
"""Units per second after the longest pull."""
_LONGEST = 5.0
_SHORTEST = 0.5
"""Units of a pull; after a shorter one the ball stays in the pouch."""
_REACH = 6.5
_RELOAD = 1.0
"""Seconds from a release to the next ball."""
_BIG_IMPACT = 12.0
"""The impulse of a strike that is worth to be watched."""


class Slingshot(esper.Processor, Pointer):
    """Throws as many balls as the player wants.

    ``on_pull`` is called when the player takes the ball, ``on_release`` with each ball that leaves, and ``on_impact``
    with the hard strikes of balls.
    """

    def __init__(
        self,
        physics: Physics,
        on_pull: Callable[[], None],
        on_release: Callable[[int], None],
        on_impact: Callable[[Hit], None],
    ) -> None:
        self.pouch = REST
        self.ball: int | None = None
        """The ball in the pouch; None while it is empty."""
        self.is_pulled = False
        self.shots = 0
        self.line: NDArray[float64] = np.zeros((0, 2))
        """The dots (n, 2) of the flight, while the ball is pulled."""
        self.since_release = math.inf
        """Seconds since the last ball left."""
        self._physics = physics
        self._on_pull = on_pull
        self._on_release = on_release
        self._on_impact = on_impact
        self._load()

    @property
    def velocity(self) -> Pair:
        """The velocity of the ball if it is let go now."""
        speed = FASTEST / _LONGEST
        return speed * (REST[0] - self.pouch[0]), speed * (REST[1] - self.pouch[1])

    @property
    def stretch(self) -> float:
        """How far the pouch is pulled, from 0 to 1."""
        return math.dist(self.pouch, REST) / _LONGEST

    def press(self, x: float, y: float) -> bool:
        self.is_pulled = math.dist((x, y), REST) < _REACH
        if self.is_pulled:
            self._on_pull()
        self.move(x, y)
        return self.is_pulled

    def move(self, x: float, y: float) -> None:
        if not self.is_pulled:
            return
        length = math.dist((x, y), REST)
        part = min(_LONGEST / length, 1.0) if length > 0.0 else 1.0
        x, y = REST[0] + part * (x - REST[0]), REST[1] + part * (y - REST[1])
        self.pouch = x, max(y, height_at(x) + 1.05 * RADIUS)
        self._follow()

    def release(self) -> None:
        if not self.is_pulled:
            return
        self.is_pulled = False
        ball, velocity = self.ball, self.velocity
        if ball is not None and math.dist(self.pouch, REST) > _SHORTEST:
            esper.component_for_entity(ball, RigidBody).kind = "dynamic"
            self._physics.bodies.set_velocity(ball, velocity)
            self.ball, self.since_release = None, 0.0
            self.shots += 1
            self._on_release(ball)
        self.pouch = REST
        self._follow()

    def process(self, dt: float) -> None:
        self.since_release += dt
        if self.ball is None and self.since_release >= _RELOAD:
            self._load()
        self._follow()

    def _load(self) -> None:
        self.ball = put(
            MACHINE,
            Transform(*self.pouch),
            CircleCollider(RADIUS),
            RigidBody("kinematic", density=DENSITY, friction=0.6, restitution=0.15, rolling_resistance=0.06),
            HitListener(on_impulse=self._on_impact, min_impulse=_BIG_IMPACT),
            pattern=METAL,
        )

    def _follow(self) -> None:
        """Put the ball into the pouch, and predict its flight."""
        self.line = np.zeros((0, 2))
        if self.ball is None:
            return
        place = esper.component_for_entity(self.ball, Transform)
        if (place.x, place.y) != self.pouch:
            place.x, place.y = self.pouch
        if self.is_pulled and math.dist(self.pouch, REST) > _SHORTEST:
            self.line = aim_line(self._physics, RADIUS, self.pouch, self.velocity, self.ball)
