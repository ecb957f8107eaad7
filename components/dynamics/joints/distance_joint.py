"""``DistanceJoint``: a rod, a rope, or a spring."""

from __future__ import annotations

from typing import Any, final

from ecsphys.components.dynamics.joints.joint import AnchoredJoint, anchored
from ecsphys.components.store.column import column, finite_number
from ecsphys.engine.math.elementary import hypot


@final
class DistanceJoint(AnchoredJoint, tracked=True):
    """Controls the distance of two points: a rod, a rope, or a spring.

    - A rod has a ``length``.
    - A spring has a ``length`` and a ``frequency``.
    - A rope has a ``max_length``.

    A joint with neither a length nor a limit nor a winch raises ValueError in the next step.

    Parameters
    ----------
    entity_a, entity_b, x_a, y_a, x_b, y_b, collide_connected, break_force, break_torque
        See :class:`Joint`.
    length
        Length of the rod, or of the spring at rest, units, > 0; None for neither.
    min_length, max_length
        Limits of the distance, units: ``min_length`` >= 0, ``max_length`` > 0 or None.
    frequency, damping_ratio
        The spring: swings per second, > 0, for any masses; and damping, >= 0 (with 1 it does not swing). None: no
        spring.
    motor_speed, max_force
        A winch: the speed at which it lengthens the joint, units/s, and its largest force, >= 0. 0 force: no winch.

    Examples
    --------
    >>> physics = ecsphys.install(gravity=(0, -10))
    >>> lamp = esper.create_entity(Transform(0, 0), CircleCollider(0.2), RigidBody(mass=2))
    >>> rope = DistanceJoint.at(None, lamp, 0, 3, 0, 0, max_length=3.0)
    >>> joint = esper.create_entity(rope)
    >>> for _ in range(120):
    ...     esper.process(1 / 60)
    >>> round(rope.force[1], 2)
    20.0
    """

    length: float | None = column(default=None, above=0.0)
    min_length: float = column(default=0.0, low=0.0)
    max_length: float | None = column(default=None, above=0.0)
    frequency: float | None = column(default=None, above=0.0)
    damping_ratio: float = column(default=0.0, low=0.0)
    motor_speed: float = 0.0
    max_force: float = column(default=0.0, low=0.0)

    @classmethod
    def at(
        cls, a: int | None, b: int | None, x_a: float, y_a: float, x_b: float, y_b: float, **options: Any
    ) -> DistanceJoint:
        """A joint between two points (x_a, y_a) and (x_b, y_b) of the world.

        Its length is their distance now, unless ``options`` has a ``length``, a ``max_length`` or a ``max_force``. For
        ``a``, ``b``, ``options`` and errors see :meth:`RevoluteJoint.at`.
        """
        if not options.keys() & {"length", "max_length", "max_force"}:
            ends = zip(("x_a", "y_a", "x_b", "y_b"), (x_a, y_a, x_b, y_b), strict=True)
            x_a, y_a, x_b, y_b = (finite_number(f"DistanceJoint.at: {name}", value) for name, value in ends)
            options["length"] = hypot(x_b - x_a, y_b - y_a)
            if options["length"] == 0.0:
                raise ValueError(
                    f"DistanceJoint.at: (x_a, y_a) and (x_b, y_b) are both ({x_a}, {y_a}): give two points, or a length"
                )
        return anchored(cls, a, b, (x_a, y_a), (x_b, y_b), options)
