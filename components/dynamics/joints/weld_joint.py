"""``WeldJoint``: what makes two bodies one."""

from __future__ import annotations

from typing import Any, final

from ecsphys.components.dynamics.joints.joint import AnchoredJoint, anchored, angle_between
from ecsphys.components.store.column import column


@final
class WeldJoint(AnchoredJoint, tracked=True):
    """Keeps two bodies together as one, or springs back to that.

    ``angle``: that of b seen from a. ``linear_frequency`` and ``angular_frequency`` in Hz, with their
    damping ratios ``linear_damping_ratio`` and ``angular_damping_ratio``:
    springs in place of what is rigid; None for rigid. The other fields: see ``AnchoredJoint``.
    """

    angle: float = 0.0
    linear_frequency: float | None = column(default=None, above=0.0)
    linear_damping_ratio: float = column(default=1.0, low=0.0)
    angular_frequency: float | None = column(default=None, above=0.0)
    angular_damping_ratio: float = column(default=1.0, low=0.0)

    @classmethod
    def at(cls, a: int | None, b: int | None, x: float, y: float, **options: Any) -> WeldJoint:
        """A weld at a point of the world, with the bodies as they are now; as ``RevoluteJoint.at``."""
        options.setdefault("angle", angle_between(a, b))
        return anchored(cls, a, b, (x, y), (x, y), options)
