"""``MouseJoint``: pulls a point of a body to a point of the world."""

from __future__ import annotations

from typing import Any, final

from ecsphys.components.dynamics.joints.joint import AnchoredJoint, anchored
from ecsphys.components.store.column import column


@final
class MouseJoint(AnchoredJoint, tracked=True):
    """A soft spring that pulls a body's point to a target: ``entity_a`` is the body, ``x_b`` and ``y_b`` the target.

    ``max_force``, > 0: the most it pulls with; None for no bound. ``frequency`` in Hz and ``damping_ratio``: of the
    spring. With an ``entity_b`` the target is a point of that. The other fields: see ``AnchoredJoint``.
    """

    max_force: float | None = column(default=None, above=0.0)
    frequency: float = column(default=5.0, above=0.0)
    damping_ratio: float = column(default=0.7, low=0.0)

    @classmethod
    def at(cls, entity: int, x: float, y: float, **options: Any) -> MouseJoint:
        """Take hold of a body at a point of the world, which is the target at first; as ``RevoluteJoint.at``."""
        return anchored(cls, entity, None, (x, y), (x, y), options)

    @property
    def target(self) -> tuple[float, float]:
        """Where the point is pulled to, (x, y) in the world."""
        return self.x_b, self.y_b

    @target.setter
    def target(self, point: tuple[float, float]) -> None:
        self.x_b, self.y_b = point
