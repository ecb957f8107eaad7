"""All tools for a world with rigid bodies in one place, as the scene that is played has them."""

from __future__ import annotations

from dataclasses import dataclass

from ecsphys import Physics
from ecsphys.demo.scenes.tools.blast import DynamicBodies, blast
from ecsphys.demo.scenes.tools.grip import Grip
from ecsphys.demo.scenes.tools.shots import Shots


@dataclass(frozen=True)
class Blast:
    """Its place and reach, in units."""

    x: float
    y: float
    reach: float


class Toolbox:
    """The player's actions on the bodies of one world, between two steps."""

    def __init__(self, physics: Physics) -> None:
        self._physics = physics
        self.bodies = DynamicBodies()
        self.grip = Grip(physics)
        self.shots = Shots()
        self.blasts: list[Blast] = []
        """Those just before the last step."""
        self._coming: list[Blast] = []

    def blast(self, x: float, y: float, reach: float) -> None:
        """Throw the bodies within ``reach`` units of (x, y) away from there."""
        blast(self._physics, self.bodies, x, y, reach)
        self._coming.append(Blast(x, y, reach))

    def advance(self, dt: float) -> None:
        """Let time go by, before a step."""
        self.shots.advance(dt)
        self.blasts, self._coming = self._coming, []

    def clear(self) -> None:
        """Let go of the held body, and take away all balls and toys."""
        self.grip.release()
        self.shots.clear()
