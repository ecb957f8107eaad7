"""Puts crates, barrels and broken bridges back where they began, as soon as they are out of sight."""

from __future__ import annotations

import esper
import numpy as np
from numpy import bool_, float64
from numpy.typing import NDArray

from ecsphys import MouseJoint, Transform, Velocity
from ecsphys.demo.scenes.car.obstacles import Obstacles
from ecsphys.demo.scenes.car.vehicle import Car

_OUT_OF_SIGHT = 60.0
"""Units from the car."""
_SECONDS = 0.5
"""Between two looks."""
_MOVED = 0.4
"""Units from its place beyond which a body is put back."""
_POSE, _SPEED = ("x", "y", "angle"), ("x", "y", "angular")


class Restoring(esper.Processor):
    """Keeps the way of a car complete; what the mouse holds stays in the hand."""

    def __init__(self, obstacles: Obstacles, car: Car) -> None:
        self._car = car
        self._clock = 0.0
        self._loose = _KeptBodies(obstacles.loose)
        self._bridges = [(bridge, _KeptBodies(bridge.planks)) for bridge in obstacles.rotten]

    def process(self, dt: float) -> None:
        self._clock += dt
        if self._clock < _SECONDS:
            return
        self._clock = 0.0
        x = self._car.place.x
        self._loose.put_back(self._loose.moved() & self._loose.is_far_from(x))
        for bridge, planks in self._bridges:
            away = planks.is_far_from(x)
            if away.all() and bridge.whole() < bridge.hinges:
                planks.put_back(away)
                bridge.join()


class _KeptBodies:
    """Bodies, and where they were at the start."""

    def __init__(self, entities: list[int]) -> None:
        self._entities = np.array(entities)
        self._poses = self._now()

    def _now(self) -> NDArray[float64]:
        """Their x, y and angle, (n, 3)."""
        rows = Transform.rows_of(self._entities)
        return np.column_stack([Transform.column(name, writable=False)[rows] for name in _POSE])

    def moved(self) -> NDArray[bool_]:
        """Which are not where they were."""
        away = self._now()[:, :2] - self._poses[:, :2]
        return np.hypot(away[:, 0], away[:, 1]) > _MOVED

    def is_far_from(self, x: float) -> NDArray[bool_]:
        """Which can be put back unseen: both their place and the one where they are now is far from x."""
        now = np.minimum(np.abs(self._now()[:, 0] - x), np.abs(self._poses[:, 0] - x))
        held = [joint.entity_a for _, joint in esper.get_component(MouseJoint)]
        return (now > _OUT_OF_SIGHT) & ~np.isin(self._entities, held)

    def put_back(self, which: NDArray[bool_]) -> None:
        """Put some of them where they were, at rest."""
        if not which.any():
            return
        places, speeds = Transform.rows_of(self._entities[which]), Velocity.rows_of(self._entities[which])
        for number, name in enumerate(_POSE):
            Transform.column(name)[places] = self._poses[which, number]
        for name in _SPEED:
            Velocity.column(name)[speeds] = 0.0
