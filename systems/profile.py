"""Where the time of a step goes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from ecsphys.components.store.column import true_or_false

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState


class Stopwatch:
    """Seconds of one step, by phase."""

    __slots__ = ("_first", "_last", "_phases")

    def __init__(self) -> None:
        self._phases: dict[str, float] = {}
        self._first = self._last = 0.0

    def begin_step(self) -> None:
        """Forget the last step."""
        self._phases = {}
        self._first = self._last

    def resume(self) -> None:
        """A stage begins: the time since the last lap does not count."""
        self._last = time.perf_counter()

    def lap(self, phase: str) -> None:
        """Add the time since the last lap, or since the stage began, to ``phase``."""
        now = time.perf_counter()
        self._phases[phase] = self._phases.get(phase, 0.0) + now - self._last
        self._last = now

    def read(self) -> dict[str, float]:
        """Seconds of each phase of the step so far, of the rest between them, and of all from the first to the last."""
        total = self._last - self._first
        return {**self._phases, "rest": total - sum(self._phases.values()), "total": total}


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
        return self._state.progress.stopwatch is not None

    @timed.setter
    def timed(self, value: bool) -> None:
        if true_or_false("timed", value) != self.timed:
            self._state.progress.stopwatch = Stopwatch() if value else None

    @property
    def timings(self) -> dict[str, float]:
        """Seconds that each phase of the last step took; empty unless ``timed``.

        "checks" (of the world's structure and of written columns), "trajectories", "motion", "bodies", "hierarchy",
        "sweeps" (of bullets), "placing" (of the colliders), "broadphase", "narrowphase", "events" (handlers included),
        and your own stages by their ``phase``. "total" is the time from the beginning of the first stage to the end of
        the last stage. "rest" is the remaining time, for example of your processors in between.
        """
        stopwatch = self._state.progress.stopwatch
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
