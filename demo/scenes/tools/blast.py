"""A blast: it throws all bodies about it away, the nearest most."""

from __future__ import annotations

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys import Physics, RigidBody, Transform, Velocity
from ecsphys.demo.scenes.cached_join import CachedJoin

_SPEED = 24.0
"""Units/s that a body in the middle gets, whatever its mass."""


class DynamicBodies:
    """The dynamic bodies of the current world, by rows."""

    def __init__(self) -> None:
        self._all = CachedJoin(RigidBody, Transform, Velocity)

    def __call__(self) -> tuple[NDArray[int64], NDArray[int64], NDArray[int64]]:
        """Their entities and the rows of their Transform and Velocity, (n,) each."""
        entities, bodies, transforms, velocities = self._all()
        dynamic = RigidBody.column("kind", writable=False)[bodies] == 0
        return entities[dynamic], transforms[dynamic], velocities[dynamic]

    def places(self) -> NDArray[float64]:
        """Where they are, (n, 2)."""
        _, transforms, _ = self()
        return np.column_stack([Transform.column(name, writable=False)[transforms] for name in ("x", "y")])

    def at_rest(self) -> NDArray[np.bool_]:
        """Which of them have no speed at all, like sleeping bodies, (n,)."""
        _, _, velocities = self()
        rest = np.ones(velocities.size, bool)
        for name in ("x", "y", "angular"):
            rest &= Velocity.column(name, writable=False)[velocities] == 0.0
        return rest


def blast(physics: Physics, bodies: DynamicBodies, x: float, y: float, reach: float) -> int:
    """Throw the bodies within ``reach`` units of (x, y) away from there; how many there were."""
    entities, _, velocities = bodies()
    away = bodies.places() - (x, y)
    distance = np.hypot(*away.T)
    near = distance < reach
    if not near.any():
        return 0
    away, distance = away[near], distance[near]
    push = _SPEED * (1.0 - distance / reach) / np.maximum(distance, 1e-3)
    for number, name in enumerate(("x", "y")):
        Velocity.column(name)[velocities[near]] += push * away[:, number]
    physics.bodies.wake(entities[near])
    return int(near.sum())
