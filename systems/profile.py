"""``Profile``: the cost of a step of a world's physics, and the amount of work in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ecsphys.components.store.column import true_or_false
from ecsphys.systems.fixed_step.stopwatch import Stopwatch

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState


class Profile:
    """Timings and counters of the last step; ``physics.debug.profile`` is one.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> physics.debug.profile.timed = True
    >>> esper.process(1 / 60)
    >>> physics.debug.profile.timings["total"] > 0.0, physics.debug.profile.counters["colliders"]
    (True, 0)
    """

    __slots__ = ("_state",)

    def __init__(self, state: PhysicsState) -> None:
        self._state = state

    @property
    def timed(self) -> bool:
        """Whether steps are timed, for :attr:`timings`. The default is False, which costs nothing."""
        return self._state.stopwatch is not None

    @timed.setter
    def timed(self, value: bool) -> None:
        if true_or_false("timed", value) != self.timed:
            self._state.stopwatch = Stopwatch() if value else None

    @property
    def timings(self) -> dict[str, float]:
        """Seconds that each phase of the last step took; empty unless ``timed``.

        "checks" (of the world's structure and of written columns), "trajectories", "motion", "bodies", "hierarchy",
        "sweeps" (of bullets), "placing" (of the colliders), "broadphase", "narrowphase", "events" (handlers included),
        and your own stages by their ``phase``. "total" is the time from the beginning of the first stage to the end of
        the last stage. "rest" is the remaining time, for example of your processors in between.
        """
        stopwatch = self._state.stopwatch
        return {} if stopwatch is None else stopwatch.read()

    @property
    def counters(self) -> dict[str, int]:
        """Counts of the last step.

        "colliders", "sleeping" (colliders that have not moved for a while), occupied "cells" of the grid, "candidate
        pairs" of the broadphase, "tests" of pairs by the narrowphase, "hits", "starts" and "ends".
        """
        state = self._state
        state.follow_database()
        finder, found = state.pairs.finder, state.hits.found
        count = len(state.tables.colliders)
        cells: Any = finder.grid.cell_count if finder is not None else 0
        return {
            "colliders": count,
            "sleeping": count - state.sleeping.awake_count,
            "cells": cells + state.sleeping.cell_count,
            "candidate pairs": state.hits.candidate_count,
            "tests": state.hits.tested_count,
            "hits": len(found.hits),
            "starts": len(found.started),
            "ends": len(found.ended),
        }
