"""All tools for a world with rigid bodies in one place, as the scene that is played has them."""

from __future__ import annotations

from dataclasses import dataclass

from ecsphys import Physics
from ecsphys.demo.scenes.tools.blast import DynamicBodies, blast
from ecsphys.demo.scenes.tools.grip import Grip
from ecsphys.demo.scenes.tools.shots import Shots

BLAST_SECONDS = 0.35
"""How long a blast can be seen."""


@dataclass
class Blast:
    """One that can still be seen: its place and reach in units, its age in seconds."""

    x: float
    y: float
    reach: float
    age: float = 0.0


class Toolbox:
    """What the player can do to the bodies of one world, between two steps."""

    def __init__(self, physics: Physics) -> None:
        self._physics = physics
        self.bodies = DynamicBodies()
        self.grip = Grip(physics)
        self.shots = Shots()
        self.blasts: list[Blast] = []
        """Those that can still be seen, the oldest first."""

    def blast(self, x: float, y: float, reach: float) -> None:
        """Throw the bodies within ``reach`` units of (x, y) away from there."""
        blast(self._physics, self.bodies, x, y, reach)
        self.blasts.append(Blast(x, y, reach))

    def advance(self, dt: float) -> None:
        """Let time go by, before a step."""
        self.shots.advance(dt)
        for one in self.blasts:
            one.age += dt
        self.blasts = [one for one in self.blasts if one.age < BLAST_SECONDS]

    def clear(self) -> None:
        """Let go of what is held, and take away what was shot and dropped."""
        self.grip.release()
        self.shots.clear()
