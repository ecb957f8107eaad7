"""The sea: crates and pieces that fall into it float, and rock on its waves."""

from __future__ import annotations

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import Transform, Velocity
from ecsphys.demo.game.crates import MASS
from ecsphys.demo.game.level import CRATE_HALF, SEA
from ecsphys.demo.game.parts import Crate, Debris
from ecsphys.demo.game.pieces import MASSES
from ecsphys.demo.game.session import Session
from ecsphys.demo.scenes.cached_join import CachedJoin

_LIFT = 2.4  # weight of the water that a body displaces, by the body's own weight
_RESISTANCE = 4.0  # 1/s
_TURNING = 6.0  # 1/s
_RIGHTING = 80.0  # 1/s²: it turns crates to lie flat, also with the hero on them
_PIECE_HALF = 0.15
_CREST = 0.2  # of the highest wave


def wave_height(x: NDArray[float64], time: float, offset: float = 0.0) -> NDArray[float64]:
    """The height of the water at places x (n,)."""
    return np.asarray(
        SEA + offset + 0.13 * np.sin(1.3 * x + 1.7 * time + 3.0 * offset) + 0.07 * np.sin(3.1 * x - 2.3 * time)
    )


class SeaSystem(esper.Processor):
    """Lifts and slows down bodies under water: by their part that is below the surface."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._crates = CachedJoin(Crate, Transform, Velocity)
        self._pieces = CachedJoin(Debris, Transform, Velocity)

    def process(self, dt: float) -> None:
        entities, _, transforms, velocities = self._crates()
        self._float(entities, transforms, velocities, np.full(len(entities), MASS), CRATE_HALF)
        entities, pieces, transforms, velocities = self._pieces()
        masses = MASSES[Debris.column("piece", writable=False)[pieces]]
        self._float(entities, transforms, velocities, masses, _PIECE_HALF)

    def _float(
        self,
        entities: NDArray[np.int64],
        transforms: NDArray[np.int64],
        velocities: NDArray[np.int64],
        masses: NDArray[float64],
        half: float,
    ) -> None:
        low = np.flatnonzero(Transform.column("y", writable=False)[transforms] < SEA + _CREST + half)
        if not len(low):
            return
        x, y, angle = (Transform.column(name, writable=False)[transforms[low]] for name in ("x", "y", "angle"))
        vx, vy, spin = (Velocity.column(name, writable=False)[velocities[low]] for name in ("x", "y", "angular"))
        entities, mass = entities[low], masses[low]
        share = np.clip((wave_height(x, self._session.time) - y + half) / (2.0 * half), 0.0, 1.0)
        up = -_LIFT * self._session.physics.gravity[1]
        bodies = self._session.physics.bodies
        force = np.column_stack((-_RESISTANCE * vx, up - _RESISTANCE * vy)) * (share * mass)[:, None]
        bodies.apply_force(entities, force)
        inertia = mass * half * half * (2.0 / 3.0)
        bodies.apply_torque(entities, -share * inertia * (_TURNING * spin + 0.25 * _RIGHTING * np.sin(4.0 * angle)))
