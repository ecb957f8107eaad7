"""Which colliders are lit, and the sparks where hits have just begun: what the picture remembers between steps."""

from __future__ import annotations

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

import ecsphys

_FADE = 5.0  # 1/s, at which the light of a collider goes out once it hits nothing any more
_SPARK_SECONDS = 0.2
_MOST_SPARKS = 200
_BRIGHT_SPEED = 14.0  # of an impact that lights up as brightly as can be


class Highlights:
    """Follows the hits of one physics; call ``observe`` after every step.

    Light is in what hits, as long as it does, or ``by_impact`` only in what has just been hit, by how fast.
    """

    def __init__(self, by_impact: bool = False) -> None:
        self._by_impact = by_impact
        self._keys: NDArray[int64] = np.zeros(0, int64)
        self.heat: NDArray[float64] = np.zeros(0)
        """(n,) light from 0 to 1 of each of ``physics.debug.colliders``."""
        self.sparks: NDArray[float64] = np.zeros((0, 3))
        """(m, 3) x, y and age from 0 to 1 of the latest starts."""

    def observe(self, physics: ecsphys.Physics, dt: float) -> None:
        """Light up what hits, let the rest fade by ``dt`` seconds."""
        classes = len(ecsphys.COLLIDER_CLASSES)
        colliders, hits = physics.debug.colliders, physics.hits
        keys = colliders.entity * classes + colliders.collider
        heat = np.zeros(keys.size)
        if self._keys.size and keys.size:
            before = np.minimum(np.searchsorted(self._keys, keys), self._keys.size - 1)
            heat = np.where(self._keys[before] == keys, self.heat[before], 0.0)
        heat *= np.exp(-_FADE * dt)
        started = physics.hits.started
        lit = started if self._by_impact else hits
        light = np.minimum(lit.approach_speed / _BRIGHT_SPEED, 1.0) if self._by_impact else np.ones(len(lit))
        for entity, collider in ((lit.entity_a, lit.collider_a), (lit.entity_b, lit.collider_b)):
            np.maximum.at(heat, np.searchsorted(keys, entity * classes + collider), light)
        self._keys, self.heat = keys, heat

        places = np.nanmean(started.points, axis=1) if len(started) else np.zeros((0, 2))
        aged = self.sparks + np.array((0.0, 0.0, dt / _SPARK_SECONDS))
        fresh = np.column_stack((places, np.zeros(len(places))))
        self.sparks = np.concatenate((aged[aged[:, 2] < 1.0], fresh))[-_MOST_SPARKS:]
