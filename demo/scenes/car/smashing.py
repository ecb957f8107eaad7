"""The car breaks crates and barrels that it hits hard or drives over."""

from __future__ import annotations

import esper
import numpy as np

from ecsphys import Physics
from ecsphys.demo.scenes.car.loose import LooseBodies
from ecsphys.demo.scenes.car.vehicle import Car

_STRENGTH = 0.3
"""The impulse in one step, mass · units/s, that a crate bears: a slow push is weaker, a car on top is not."""


class Smashing(esper.Processor):
    """Runs after each step, on the hits of the car."""

    def __init__(self, physics: Physics, loose: LooseBodies, car: Car) -> None:
        self._physics = physics
        self._loose = loose
        self._car = car

    def process(self, dt: float) -> None:
        hits = self._physics.hits
        hard = np.flatnonzero(hits.impulse > _STRENGTH)
        if not hard.size:
            return
        a, b = hits.entity_a[hard], hits.entity_b[hard]
        own_a, own_b = (np.isin(side, self._car.entities) for side in (a, b))
        for entity in {*b[own_a].tolist(), *a[own_b].tolist()}:
            if entity in self._loose:
                self._loose.smash(entity)
