"""Mass and size of a usual body of a world. Impacts are hard or soft compared with it."""

from __future__ import annotations

import numpy as np

import ecsphys
from ecsphys import RigidBody, Transform
from ecsphys.demo.scenes.cached_join import CachedJoin

_SAMPLE = 15
"""So many bodies are weighed."""
_EVERY = 60
"""Steps between two measurements, at least."""


class UsualBody:
    """Mass and size of a body in the middle of all, measured now and then."""

    def __init__(self, physics: ecsphys.Physics) -> None:
        self.mass = 1.0
        self.size = 1.0
        self._physics = physics
        self._bodies = CachedJoin(RigidBody, Transform)
        self._steps = 0
        self._count = -1

    def measure(self) -> None:
        """Bring both up to date, if bodies have come or gone; call it after every step."""
        self._steps += 1
        entities, rows, _ = self._bodies()
        if len(entities) == self._count or (self._count > 0 and self._steps < _EVERY):
            return
        self._count, self._steps = len(entities), 0
        dynamic = entities[RigidBody.column("kind", writable=False)[rows] == 0]
        if not len(dynamic):
            return
        sample = dynamic[np.linspace(0, len(dynamic) - 1, min(_SAMPLE, len(dynamic))).astype(int)]
        masses = [mass for entity in sample.tolist() if (mass := self._mass_of(entity)) is not None]
        if masses:
            self.mass = float(np.median(masses))
        colliders = self._physics.debug.colliders
        boxes = colliders.boxes[np.isin(colliders.entity, sample)]
        if len(boxes):
            # The square root of the area: a plank and a ball of the same mass have about the same.
            self.size = float(np.median(np.sqrt((boxes[:, 2:] - boxes[:, :2]).prod(axis=1))))

    def _mass_of(self, entity: int) -> float | None:
        """The mass of a body; None if it is about to be deleted."""
        try:
            return self._physics.bodies.mass_of(entity).mass
        except ValueError:
            return None
