"""The hits of a workload, found by the grid and by comparing everything with everything: they must be the same."""

from __future__ import annotations

from dataclasses import dataclass

import esper
import numpy as np

import ecsphys
from benchmarks.contest import SEED, STEP
from ecsphys.demo.scenes.workloads import LiveWorkload, Recipe

_COLUMNS = ("entity_a", "entity_b", "collider_a", "collider_b", "depth", "normal", "approach_speed")


@dataclass(frozen=True)
class Agreement:
    """What was compared; ``hits``, ``starts`` and ``ends`` are sums over the frames."""

    workload: str
    count: int
    frames: int
    hits: int
    starts: int
    ends: int
    agrees: bool


class _Run:
    def __init__(self, recipe: Recipe, count: int, broadphase: type[ecsphys.systems.BroadphaseSystem]) -> None:
        self.world = f"agreement of {recipe.name} by {broadphase.__name__}"
        esper.switch_world(self.world)
        self._live = LiveWorkload(recipe.make(np.random.default_rng(SEED), count))
        self.physics = ecsphys.Physics()
        for stage, priority in (
            (ecsphys.systems.EulerMotionSystem, ecsphys.Priority.EULER_MOTION),
            (broadphase, ecsphys.Priority.BROADPHASE),
            (ecsphys.systems.NarrowphaseSystem, ecsphys.Priority.NARROWPHASE),
        ):
            esper.add_processor(stage(self.physics), priority)

    def step(self) -> None:
        esper.switch_world(self.world)
        started = self.physics.hits.started
        self._live.change((started.entity_a, started.entity_b))
        esper.process(STEP)
        self._live.between()

    def close(self) -> None:
        esper.switch_world("default")
        esper.delete_world(self.world)


def check_agreement(
    recipe: Recipe,
    count: int,
    frames: int = 5,
    broadphase: type[ecsphys.systems.BroadphaseSystem] = ecsphys.systems.BroadphaseSystem,
) -> Agreement:
    """Play a workload twice, with the grid and with ``BruteForceBroadphaseSystem``, and compare each frame's arrays."""
    runs = [_Run(recipe, count, kind) for kind in (broadphase, ecsphys.systems.BruteForceBroadphaseSystem)]
    grid, brute_force = runs
    agrees = True
    hits = starts = ends = 0
    try:
        for _ in range(frames):
            for run in runs:
                run.step()
            ours, truth = grid.physics, brute_force.physics
            agrees = agrees and all(
                _same(mine, theirs)
                for mine, theirs in (
                    (ours.hits, truth.hits),
                    (ours.hits.started, truth.hits.started),
                    (ours.hits.ended, truth.hits.ended),
                )
            )
            hits, starts, ends = hits + len(truth.hits), starts + len(truth.hits.started), ends + len(truth.hits.ended)
    finally:
        for run in runs:
            run.close()
    return Agreement(recipe.name, count, frames, hits, starts, ends, agrees)


def _same(one: ecsphys.types.HitArrays, other: ecsphys.types.HitArrays) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in _COLUMNS)
