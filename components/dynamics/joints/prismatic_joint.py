"""``PrismaticJoint``: a slider."""

from __future__ import annotations

from typing import Any, final

from ecsphys.components.dynamics.joints.joint import AnchoredJoint, anchored, angle_between, local_axis
from ecsphys.components.store.column import column


@final
class PrismaticJoint(AnchoredJoint, tracked=True):
    """A slider: b moves along an axis of a, and does not turn against it.

    ``axis_x``, ``axis_y``: the axis in a's frame, of any length but 0. ``angle``: what b is turned by, seen from a. How
    far b's anchor is from a's along the axis stays from ``lower`` to ``upper`` where it ``has_limits``.
    ``motor_speed``, in units/s, is what a motor moves b at, with at most ``max_force``; 0 for no motor. ``frequency``
    in Hz and ``damping_ratio``: a spring that pulls it to ``rest``; None for none. The other fields: see
    ``AnchoredJoint``.
    """

    axis_x: float = 1.0
    axis_y: float = 0.0
    angle: float = 0.0
    has_limits: bool = False
    lower: float = 0.0
    upper: float = 0.0
    motor_speed: float = 0.0
    max_force: float = column(default=0.0, low=0.0)
    frequency: float | None = column(default=None, above=0.0)
    damping_ratio: float = column(default=1.0, low=0.0)
    rest: float = 0.0

    @classmethod
    def at(
        cls, a: int | None, b: int | None, x: float, y: float, axis: tuple[float, float], **options: Any
    ) -> PrismaticJoint:
        """A slider through a point of the world along an axis (x, y) of the world, at 0 where the bodies are now; as
        ``RevoluteJoint.at``."""
        options.setdefault("angle", angle_between(a, b))
        axis_x, axis_y = local_axis(a, axis)
        return anchored(cls, a, b, (x, y), (x, y), {"axis_x": axis_x, "axis_y": axis_y, **options})
