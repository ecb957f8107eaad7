"""``PrismaticJoint``: a slider."""

from __future__ import annotations

from typing import Any, final

from ecsphys.components.dynamics.joints.joint import AnchoredJoint, anchored, angle_between, local_axis
from ecsphys.components.store.column import column


@final
class PrismaticJoint(AnchoredJoint, tracked=True):
    """A slider: b moves along an axis of a, and does not turn relative to a.

    Its slide is the distance from the anchor of a to the anchor of b along the axis, units.

    Parameters
    ----------
    entity_a, entity_b, x_a, y_a, x_b, y_b, collide_connected, break_force, break_torque
        See :class:`Joint`.
    axis_x, axis_y
        The axis in a's frame, of any length except 0.
    angle
        The angle of b relative to a, radians; whole turns do not count.
    has_limits, lower, upper
        Whether the slide stays in [lower, upper], units.
    motor_speed, max_force
        A motor: the speed at which it moves b along the axis, units/s, and its largest force, >= 0. 0 force: no motor.
        Speed 0 makes it a brake.
    frequency, damping_ratio, rest
        A spring that pulls the slide to ``rest``, units: swings per second, > 0, for any masses; and damping, >= 0
        (with 1 it does not swing). None: no spring.

    Examples
    --------
    >>> physics = ecsphys.install(gravity=(0, -10))
    >>> lift = esper.create_entity(Transform(0, 0), OBBCollider(1, 0.1), RigidBody())
    >>> rail = PrismaticJoint.at(None, lift, 0, 0, (0, 1), motor_speed=2.0, max_force=100.0)
    >>> joint = esper.create_entity(rail)
    >>> for _ in range(60):
    ...     esper.process(1 / 60)
    >>> round(esper.component_for_entity(lift, Velocity).y, 6)
    2.0
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
        """A slider through a point (x, y) of the world along an axis (x, y) of the world. Its slide is 0 now.

        For ``a``, ``b``, ``options`` and errors see :meth:`RevoluteJoint.at`.
        """
        options.setdefault("angle", angle_between(cls, a, b))
        axis_x, axis_y = local_axis(cls, a, axis)
        return anchored(cls, a, b, (x, y), (x, y), {"axis_x": axis_x, "axis_y": axis_y, **options})
