"""``RevoluteJoint``: a hinge."""

from __future__ import annotations

from typing import Any, final

from ecsphys.components.dynamics.joints.joint import AnchoredJoint, anchored, angle_between
from ecsphys.components.store.column import column


@final
class RevoluteJoint(AnchoredJoint, tracked=True):
    """A hinge: two bodies turn about one point.

    Its angle is that of b seen from a, in radians, less ``angle``; it counts turns. ``has_limits``: whether it stays
    from ``lower`` to ``upper``. ``motor_speed``, in rad/s, is what a motor turns b at, seen from a, with at most
    ``max_torque``; 0 for no motor. ``frequency`` in Hz and ``damping_ratio``: a spring that turns it back to ``rest``;
    None for none. The other fields: see ``AnchoredJoint``.
    """

    angle: float = 0.0
    has_limits: bool = False
    lower: float = 0.0
    upper: float = 0.0
    motor_speed: float = 0.0
    max_torque: float = column(default=0.0, low=0.0)
    frequency: float | None = column(default=None, above=0.0)
    damping_ratio: float = column(default=1.0, low=0.0)
    rest: float = 0.0

    @classmethod
    def at(cls, a: int | None, b: int | None, x: float, y: float, **options: Any) -> RevoluteJoint:
        """A hinge at a point of the world, with the angle that the bodies have now for 0; None is the world.

        ``options`` are further fields. ValueError for an entity without ``Transform``, and for a bad number.
        """
        options.setdefault("angle", angle_between(a, b))
        return anchored(cls, a, b, (x, y), (x, y), options)
