"""``RevoluteJoint``: a hinge."""

from __future__ import annotations

from typing import Any, final

from ecsphys.components.dynamics.joints.joint import AnchoredJoint, anchored, angle_between
from ecsphys.components.store.column import column


@final
class RevoluteJoint(AnchoredJoint, tracked=True):
    """A hinge: two bodies turn about one point.

    Its angle is the angle of b relative to a, minus ``angle``, in radians; it counts whole turns.

    Parameters
    ----------
    entity_a, entity_b, x_a, y_a, x_b, y_b, collide_connected, break_force, break_torque
        See :class:`Joint`.
    angle
        The angle of b relative to a at which the joint's angle is 0, radians.
    has_limits, lower, upper
        Whether the angle stays in [lower, upper], radians.
    motor_speed, max_torque
        A motor: the speed at which it turns b relative to a, rad/s, and its largest torque, >= 0. 0 torque: no motor.
        Speed 0 makes it a brake.
    frequency, damping_ratio, rest
        A spring that turns the angle to ``rest``: swings per second, > 0, for any masses; and damping, >= 0 (with 1 it
        does not swing). None: no spring.

    Examples
    --------
    >>> physics = ecsphys.install(gravity=(0, -10))
    >>> door = esper.create_entity(Transform(1, 0), OBBCollider(1, 0.1), RigidBody())
    >>> hinge = RevoluteJoint.at(None, door, 0, 0, has_limits=True, lower=-1.0, upper=0.0)
    >>> joint = esper.create_entity(hinge)
    >>> for _ in range(180):
    ...     esper.process(1 / 60)
    >>> round(esper.component_for_entity(door, Transform).angle, 2)
    -1.0
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
        """A hinge at a point of the world.

        Parameters
        ----------
        a, b
            Entities with a ``Transform``; None for the world.
        x, y
            The point in the world, for the present poses of the bodies.
        options
            Other fields by name. The default of ``angle`` is the present angle between the bodies.

        Raises
        ------
        TypeError
            If ``a`` or ``b`` is not an entity.
        ValueError
            If an entity does not exist or has no ``Transform``, or a field does not accept its number.
        """
        options.setdefault("angle", angle_between(cls, a, b))
        return anchored(cls, a, b, (x, y), (x, y), options)
