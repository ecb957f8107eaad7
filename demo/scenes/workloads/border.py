"""The border of a workload: what has left the arena turns back."""

from __future__ import annotations

import numpy as np

from ecsphys import Transform, Velocity
from ecsphys.demo.scenes.cached_join import CachedJoin
from ecsphys.demo.scenes.scene import Box


class Border:
    """Reflects the velocities of all movers of the current world whose centres are outside of a box.

    Only the velocities of these are written, and nothing else.
    """

    def __init__(self, box: Box) -> None:
        self.box = box
        self._moving = CachedJoin(Transform, Velocity)

    def reflect(self) -> None:
        min_x, min_y, max_x, max_y = self.box
        _, transforms, velocities = self._moving()
        for axis, low, high in (("x", min_x, max_x), ("y", min_y, max_y)):
            position = Transform.column(axis, writable=False)[transforms]
            below, above = velocities[position < low], velocities[position > high]
            if below.size or above.size:
                speed = Velocity.column(axis)
                speed[below] = np.abs(speed[below])
                speed[above] = -np.abs(speed[above])
