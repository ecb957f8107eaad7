"""``WheelJoint``: a wheel on a sprung suspension."""

from __future__ import annotations

from typing import Any, final

from ecsphys.components.dynamics.joints.joint import AnchoredJoint, anchored, local_axis
from ecsphys.components.store.column import column


@final
class WheelJoint(AnchoredJoint, tracked=True):
    """A wheel b on a car a: the wheel turns freely and moves along an axis of the car, as on a suspension.

    Parameters
    ----------
    entity_a, entity_b, x_a, y_a, x_b, y_b, collide_connected, break_force, break_torque
        See :class:`Joint`.
    axis_x, axis_y
        The axis of the suspension in the car's frame, of any length except 0.
    has_limits, lower, upper
        Whether the wheel's position on the axis stays in [lower, upper], units.
    motor_speed, max_torque
        A motor: the speed at which it turns the wheel relative to the car, rad/s, and its largest torque, >= 0. 0
        torque: no motor. Speed 0 makes it a brake.
    frequency, damping_ratio, rest
        The spring that pulls the wheel to ``rest`` on the axis, units: swings per second, > 0, for any masses; and
        damping, >= 0 (with 1 it does not swing). None: no spring.

    Examples
    --------
    >>> physics = ecsphys.install(gravity=(0, -10))
    >>> road = esper.create_entity(Transform(0, -1), AABBCollider(50, 0.5), Solid())
    >>> car = esper.create_entity(Transform(0, 0.5), OBBCollider(1, 0.25), RigidBody())
    >>> for x in (-0.8, 0.8):
    ...     wheel = esper.create_entity(Transform(x, 0), CircleCollider(0.4), RigidBody(friction=1))
    ...     suspension = WheelJoint.at(car, wheel, x, 0, (0, 1), motor_speed=-5, max_torque=5)
    ...     joint = esper.create_entity(suspension)
    >>> for _ in range(180):
    ...     esper.process(1 / 60)
    >>> round(esper.component_for_entity(car, Velocity).x, 1)
    2.0
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
        """A wheel with its hub at a point (x, y) of the world, on a suspension along an axis (x, y) of the world.

        ``car`` is a, and ``wheel`` is b. For their types, ``options`` and errors see :meth:`RevoluteJoint.at`.
        """
        axis_x, axis_y = local_axis(cls, car, axis, "car")
        options = {"axis_x": axis_x, "axis_y": axis_y, **options}
        return anchored(cls, car, wheel, (x, y), (x, y), options, ("car", "wheel"))
