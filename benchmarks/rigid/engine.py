"""What is asked of an engine, the same of each."""

from __future__ import annotations

from typing import Protocol

from numpy import float64
from numpy.typing import NDArray

STEP = 1.0 / 60.0
SUBSTEPS = 4
ITERATIONS = 10
"""Of pymunk, in place of substeps; four substeps count as these."""


class RigidEngine(Protocol):
    """A world being played. Rows are those of what falls, in its order."""

    name: str

    def step(self) -> None:
        """Advance by :data:`STEP`, and read where all bodies are."""
        ...

    def poses(self) -> NDArray[float64]:
        """x, y and angle (n, 3)."""
        ...

    def velocities(self) -> NDArray[float64]:
        """x, y and angular (n, 3)."""
        ...

    def asleep(self) -> int:
        """How many sleep."""
        ...

    def close(self) -> None:
        """Let go of the world."""
        ...
