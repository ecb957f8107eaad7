"""The hierarchy: entities that are carried by others follow them in the same step."""

from __future__ import annotations

import numpy as np

from ecsphys.components.parent import Parent
from ecsphys.components.transform import Transform
from ecsphys.systems.stage import Stage


class HierarchySystem(Stage):
    """Writes the transform of every entity with a ``Parent``: its parent's frame ∘ (x, y, angle), chains included.

    A parent that is gone, or that has no ``Transform``, carries nobody: the child stays where it is. A cycle raises
    ``ValueError`` before anything has moved.
    """

    def run(self, dt: float) -> None:
        levels = self.physics.parent_levels.levels
        x, y, angle = (Transform.column(name) for name in ("x", "y", "angle"))
        local_x, local_y, local_angle = (Parent.column(name) for name in ("x", "y", "angle"))
        for children, parents, rows in levels:
            cos, sin = np.cos(angle[parents]), np.sin(angle[parents])
            x[children] = x[parents] + (cos * local_x[rows] - sin * local_y[rows])
            y[children] = y[parents] + (sin * local_x[rows] + cos * local_y[rows])
            angle[children] = angle[parents] + local_angle[rows]
        if levels:
            self.physics.moved()
