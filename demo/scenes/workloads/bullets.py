"""Many small bullets, few large enemies: a bullet is gone with the enemy it hits, and another one is fired."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from ecsphys.demo.scenes.workloads.body import Body
from ecsphys.demo.scenes.workloads.swarm_bodies import circle, moving_bodies, square
from ecsphys.demo.scenes.workloads.workload import NOTHING, Pairs, Turnover, Workload

BULLETS_PER_ENEMY = 20
_BULLET_RADIUS = 0.1, 0.2
_ENEMY_RADIUS = 1.5, 2.5
_BULLET_SPEED = 8.0, 16.0
_ENEMY_SPEED = 0.5, 2.0

# Bullets meet enemies only, and enemies bullets only: as in a game.
_BULLET_FILTER = 0b01, 0b10
_ENEMY_FILTER = 0b10, 0b01


class Bullets(Workload):
    """``count`` bullets and a twentieth as many enemies; those that hit are deleted, and as many fired elsewhere."""

    def __init__(self, rng: np.random.Generator, count: int) -> None:
        arena = square(count)
        self._rng = rng
        self._at_once = max(16, count // 50)
        enemies = max(1, count // BULLETS_PER_ENEMY)
        radii = rng.uniform(*_ENEMY_RADIUS, enemies).tolist()
        shapes = (circle(rng, radius) for radius in radii)
        super().__init__(arena, [])
        self.bodies = self._bullets(count) + moving_bodies(rng, enemies, arena, shapes, *_ENEMY_SPEED, _ENEMY_FILTER)
        self._bullet_count = count
        self._flying: set[int] = set()
        self._magazine: list[Body] = []

    def _bullets(self, count: int) -> list[Body]:
        radii = self._rng.uniform(*_BULLET_RADIUS, count).tolist()
        shapes = (circle(self._rng, radius) for radius in radii)
        return moving_bodies(self._rng, count, self.arena, shapes, *_BULLET_SPEED, _BULLET_FILTER)

    def settle(self, entities: Sequence[int]) -> None:
        if not self.entities:
            super().settle(entities)
            entities = entities[: self._bullet_count]
        self._flying.update(entities)

    def prepare(self) -> None:
        if len(self._magazine) < self._at_once:
            self._magazine += self._bullets(self._at_once)

    def turnover(self, started: Pairs) -> Turnover:
        # One that hits two enemies in a frame is deleted once.
        doomed = sorted(self._flying.intersection(itertools.chain(started[0].tolist(), started[1].tolist())))
        if not doomed:
            return NOTHING
        self._flying.difference_update(doomed)
        if len(self._magazine) < len(doomed):
            self._magazine += self._bullets(len(doomed))
        born, self._magazine = self._magazine[: len(doomed)], self._magazine[len(doomed) :]
        return Turnover(doomed, born)
