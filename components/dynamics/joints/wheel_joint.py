"""``WheelJoint``: a wheel on a sprung suspension."""

from __future__ import annotations

from typing import Any, final

from ecsphys.components.dynamics.joints.joint import AnchoredJoint, anchored, local_axis
from ecsphys.components.store.column import column


@final
class WheelJoint(AnchoredJoint, tracked=True):
    """A wheel b on a car a: it turns freely, and moves along an axis of the car, as on a suspension.

    ``axis_x``, ``axis_y``: the axis in a's frame, of any length but 0. ``frequency`` in Hz and ``damping_ratio``: the
    spring that pulls the wheel to ``rest`` on the axis; None for none. ``has_limits``: whether it stays from ``lower``
    to ``upper``. ``motor_speed``, in rad/s, is what a motor turns the wheel at, seen from the car, with at most
    ``max_torque``; 0 for no motor. The other fields: see ``AnchoredJoint``.
    """

    axis_x: float = 0.0
    axis_y: float = 1.0
    has_limits: bool = False
    lower: float = 0.0
    upper: float = 0.0
    motor_speed: float = 0.0
    max_torque: float = column(default=0.0, low=0.0)
    frequency: float | None = column(default=4.0, above=0.0)
    damping_ratio: float = column(default=0.7, low=0.0)
    rest: float = 0.0

    @classmethod
    def at(
        cls, car: int | None, wheel: int | None, x: float, y: float, axis: tuple[float, float], **options: Any
    ) -> WheelJoint:
        """A wheel at a point of the world, its hub, on a suspension along an axis (x, y) of the world; as
        ``RevoluteJoint.at``."""
        axis_x, axis_y = local_axis(car, axis)
        return anchored(cls, car, wheel, (x, y), (x, y), {"axis_x": axis_x, "axis_y": axis_y, **options})
