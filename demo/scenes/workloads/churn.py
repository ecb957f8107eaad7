"""A swarm in which entities come and go in every frame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ecsphys.demo.scenes.workloads.body import Body
from ecsphys.demo.scenes.workloads.swarm_bodies import square, swarm_bodies
from ecsphys.demo.scenes.workloads.workload import Pairs, Turnover, Workload

CHURN_PART = 0.01


class Churn(Workload):
    """One in a hundred is deleted, drawn evenly, and another one created, in each frame."""

    def __init__(self, rng: np.random.Generator, count: int) -> None:
        arena = square(count)
        super().__init__(arena, swarm_bodies(rng, count, arena))
        self._rng = rng
        self._part = max(1, round(CHURN_PART * count))
        self._slots: list[int] = []
        self._born: list[Body] = []

    def settle(self, entities: Sequence[int]) -> None:
        if not self.entities:
            super().settle(entities)
            return
        for slot, entity in zip(self._slots, entities, strict=True):
            self.entities[slot] = entity

    def prepare(self) -> None:
        self._slots = self._rng.choice(len(self.bodies), self._part, replace=False).tolist()
        self._born = swarm_bodies(self._rng, self._part, self.arena)

    def turnover(self, started: Pairs) -> Turnover:
        return Turnover([self.entities[slot] for slot in self._slots], self._born)
