"""The hierarchy: children follow their parents in the same step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ecsphys.components.motion.parent import Parent
from ecsphys.components.motion.transform import Transform
from ecsphys.engine.tables.entity_rows import PARENT
from ecsphys.systems.stage import Stage

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState


class HierarchySystem(Stage):
    """Writes the transform of every entity with a ``Parent``: its parent's frame ∘ (x, y, angle), chains included.

    If the parent is gone, or has no ``Transform``, the child stays where it is. A cycle raises ``ValueError`` before
    anything has moved.
    """

    phase = "hierarchy"

    def process(self, dt: float) -> None:
        """As of every stage; nothing at all where there are no parents."""
        if type(self) is not HierarchySystem or not self.physics.state.has_none(PARENT):
            super().process(dt)

    def run(self, dt: float) -> None:
        carry_children(self.physics.state)


def carry_children(state: PhysicsState) -> None:
    """Move all children to where their parents carry them."""
    state.levels.update()
    levels = state.levels.levels
    if not levels:
        return
    x, y, angle = Transform._columns.float64
    local_x, local_y, local_angle = Parent._columns.float64
    finite = True
    for children, parents, rows in levels:
        cos, sin = np.cos(angle[parents]), np.sin(angle[parents])
        x[children] = x[parents] + (cos * local_x[rows] - sin * local_y[rows])
        y[children] = y[parents] + (sin * local_x[rows] + cos * local_y[rows])
        angle[children] = angle[parents] + local_angle[rows]
        finite &= bool(np.isfinite((x[children], y[children], angle[children])).all())
    state.moved(finite)
