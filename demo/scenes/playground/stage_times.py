"""What each stage of a step costs, in the mean of the last steps."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import Physics

_STAGES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Solver", ("bodies",)),
    ("Narrow phase", ("narrowphase",)),
    ("Broad phase", ("broadphase",)),
    ("Sweeps", ("sweeps",)),
    ("Other", ("motion", "placing", "checks", "trajectories", "hierarchy", "events", "rest")),
)
"""What each number sums up of ``physics.debug.profile.timings``."""
_SMOOTHING = 0.1


class StageTimes(esper.Processor):
    """Reads the costs of the last step before each step."""

    def __init__(self, physics: Physics) -> None:
        physics.debug.profile.timed = True
        self._physics = physics
        self.milliseconds: NDArray[float64] = np.zeros(len(_STAGES))

    def process(self, dt: float) -> None:
        if dt > 0.0:
            timings = self._physics.debug.profile.timings
            last = np.array([1e3 * sum(timings.get(phase, 0.0) for phase in phases) for _, phases in _STAGES])
            self.milliseconds += _SMOOTHING * (last - self.milliseconds)

    def named(self) -> list[tuple[str, Callable[[], float]]]:
        """The name of each stage, and what reads its milliseconds."""
        return [(name, partial(self._read, number)) for number, (name, _) in enumerate(_STAGES)]

    def _read(self, number: int) -> float:
        return float(self.milliseconds[number])
