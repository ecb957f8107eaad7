"""Makes the way of the car complete again where it is out of sight: crates, barrels, broken bridges, seesaws."""

from __future__ import annotations

import esper
import numpy as np
from numpy import bool_, float64
from numpy.typing import NDArray

from ecsphys import MouseJoint, Physics, Transform, Velocity
from ecsphys.demo.scenes.car.obstacles import Obstacles
from ecsphys.demo.scenes.car.vehicle import Car
from ecsphys.demo.scenes.rigid.bridge import Bridge

_OUT_OF_SIGHT = 60.0
"""Units from the car."""
_SECONDS = 0.5
"""Between two looks."""
_MOVED = 0.4
"""Units from its place beyond which a body is put back."""
_POSE, _SPEED = ("x", "y", "angle"), ("x", "y", "angular")


class Restoring(esper.Processor):
    """Looks twice a second; a body that the mouse holds stays in the hand."""

    def __init__(self, physics: Physics, obstacles: Obstacles, car: Car) -> None:
        self._physics = physics
        self.obstacles = obstacles
        self._car = car
        self._clock = 0.0
        self._sleeps = False
        """Whether the bridges have been put to sleep: they begin where they hang."""
        self._planks = [_poses(bridge.planks) for bridge in obstacles.bridges]

    def process(self, dt: float) -> None:
        self._clock += dt
        if self._clock < _SECONDS:
            return
        self._clock = 0.0
        if not self._sleeps:
            self._sleeps = True
            for bridge in self.obstacles.bridges:
                self._physics.bodies.sleep(bridge.planks)
        x = self._car.place.x
        for seesaw in self.obstacles.seesaws:
            seesaw.lean_towards(x)
        self._restore_loose(x)
        for bridge, homes in zip(self.obstacles.bridges, self._planks, strict=True):
            self._restore_bridge(bridge, homes, x)

    def _restore_loose(self, x: float) -> None:
        loose = self.obstacles.loose
        items = loose.whole()
        if items:
            entities = np.array([item.entity for item in items])
            homes = np.array([(item.x, item.y, 0.0) for item in items])
            _put_back(entities, homes, _are_away(entities, homes, x))
        for item in loose.broken():
            if abs(item.x - x) > _OUT_OF_SIGHT:
                loose.add(item)

    def _restore_bridge(self, bridge: Bridge, homes: NDArray[float64], x: float) -> None:
        entities = np.array(bridge.planks)
        if bridge.whole() < bridge.hinges:
            away = _are_away(entities, homes, x)
            if away.all():
                _put_back(entities, homes, away, least=0.0)
                bridge.join()
                self._physics.bodies.sleep(bridge.planks)


def _poses(entities: list[int] | NDArray[np.int64]) -> NDArray[float64]:
    """x, y and angle (n, 3) of bodies, now."""
    rows = Transform.rows_of(np.asarray(entities))
    return np.column_stack([Transform.column(name, writable=False)[rows] for name in _POSE])


def _are_away(entities: NDArray[np.int64], homes: NDArray[float64], x: float) -> NDArray[bool_]:
    """Which can be put back unseen: both their place and the one where they are now is far from x."""
    nearest = np.minimum(np.abs(_poses(entities)[:, 0] - x), np.abs(homes[:, 0] - x))
    held = [joint.entity_a for _, joint in esper.get_component(MouseJoint)]
    return (nearest > _OUT_OF_SIGHT) & ~np.isin(entities, held)


def _put_back(
    entities: NDArray[np.int64], homes: NDArray[float64], which: NDArray[bool_], least: float = _MOVED
) -> None:
    """Put those where they belong, at rest, that are farther than ``least`` from there."""
    away = _poses(entities) - homes
    which = which & (np.hypot(away[:, 0], away[:, 1]) > least)
    if which.any():
        places, speeds = Transform.rows_of(entities[which]), Velocity.rows_of(entities[which])
        for number, name in enumerate(_POSE):
            Transform.column(name)[places] = homes[which, number]
        for name in _SPEED:
            Velocity.column(name)[speeds] = 0.0
