"""``MotorJoint``: moves a body to a place and an angle relative to another, with limited strength."""

from __future__ import annotations

from typing import Any, final

from ecsphys.components.dynamics.joints.joint import AnchoredJoint, anchored, angle_between
from ecsphys.components.store.column import column


@final
class MotorJoint(AnchoredJoint, tracked=True):
    """Moves b's anchor to a's, and turns b to an ``angle`` seen from a: write ``x_a``, ``y_a``, ``angle`` to move it.

    ``max_force``, ``max_torque``, > 0: the most it does that with; None for no bound. ``frequency`` in Hz and
    ``damping_ratio``: the spring that does it. The other fields: see ``AnchoredJoint``.
    """

    angle: float = 0.0
    max_force: float | None = column(default=None, above=0.0)
    max_torque: float | None = column(default=None, above=0.0)
    frequency: float = column(default=5.0, above=0.0)
    damping_ratio: float = column(default=1.0, low=0.0)

    @classmethod
    def at(cls, a: int | None, b: int | None, x: float, y: float, **options: Any) -> MotorJoint:
        """A motor that holds b where it is now, by a point of the world; as ``RevoluteJoint.at``."""
        options.setdefault("angle", angle_between(a, b))
        return anchored(cls, a, b, (x, y), (x, y), options)
