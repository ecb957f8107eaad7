"""``RevoluteJoint``: a hinge."""

from __future__ import annotations

from typing import Any, final

from ecsphys.components.dynamics.joints.joint import AnchoredJoint, anchored, angle_between
from ecsphys.components.store.column import column


@final
class RevoluteJoint(AnchoredJoint, tracked=True):
    """A hinge: two bodies turn about one point.

    Its angle is that of b seen from a, in radians, less ``angle``; it counts turns.

    Parameters
    ----------
    entity_a, entity_b, x_a, y_a, x_b, y_b, collide_connected, break_force, break_torque
        As of every :class:`Joint`.
    angle
        What b is turned by against a, radians, where the joint's angle is 0.
    has_limits, lower, upper
        Whether the angle stays in [lower, upper], radians.
    motor_speed, max_torque
        The speed, rad/s, at which a motor turns b, seen from a, with at most so much torque, >= 0. 0 torque: no motor.
        Speed 0 makes it a brake.
    frequency, damping_ratio, rest
        A spring that turns the angle to ``rest``: how often it swings in a second, > 0, whatever the masses, and how it
        is damped, >= 0 (1: it does not swing). None: no spring.

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
            The point, in the world, of the bodies as they are now.
        options
            Further fields by name. ``angle`` is that between the bodies now, unless it is given.

        Raises
        ------
        TypeError
            For what is no entity.
        ValueError
            For an entity that is gone or has no ``Transform``, and for a number that no field accepts.
        """
        options.setdefault("angle", angle_between(cls, a, b))
        return anchored(cls, a, b, (x, y), (x, y), options)
