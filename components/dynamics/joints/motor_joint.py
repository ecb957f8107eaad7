"""``MotorJoint``: moves a body to a place and an angle relative to another, with limited strength."""

from __future__ import annotations

from typing import Any, final

from ecsphys.components.dynamics.joints.joint import AnchoredJoint, anchored, angle_between
from ecsphys.components.store.column import column


@final
class MotorJoint(AnchoredJoint, tracked=True):
    """Moves a body to a place and an angle seen from another, with limited strength.

    b's anchor goes to a's, and b turns to ``angle``: assign ``x_a``, ``y_a`` and ``angle`` to move it.

    Parameters
    ----------
    entity_a, entity_b, x_a, y_a, x_b, y_b, collide_connected, break_force, break_torque
        As of every :class:`Joint`.
    angle
        What b is turned to against a, radians; whole turns do not count.
    max_force, max_torque
        The most it does that with, mass · units/s² and mass · units²/s², >= 0: 0 does nothing. None for any.
    frequency, damping_ratio
        Of the spring that does it: how often it swings in a second, > 0, whatever the masses, and how it is damped, >=
        0 (1: it does not swing).

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> drone = esper.create_entity(Transform(), OBBCollider(0.5, 0.2), RigidBody())
    >>> pilot = MotorJoint.at(None, drone, 0, 0, max_force=50.0)
    >>> joint = esper.create_entity(pilot)
    >>> pilot.y_a = 3
    >>> for _ in range(180):
    ...     esper.process(1 / 60)
    >>> round(esper.component_for_entity(drone, Transform).y, 2)
    3.0
    """

    angle: float = 0.0
    max_force: float | None = column(default=None, low=0.0)
    max_torque: float | None = column(default=None, low=0.0)
    frequency: float = column(default=5.0, above=0.0)
    damping_ratio: float = column(default=1.0, low=0.0)

    @classmethod
    def at(cls, a: int | None, b: int | None, x: float, y: float, **options: Any) -> MotorJoint:
        """A motor that holds b where it is now, by a point (x, y) of the world. ``a``, ``b``, ``options`` and errors:
        as of :meth:`RevoluteJoint.at`.
        """
        options.setdefault("angle", angle_between(cls, a, b))
        return anchored(cls, a, b, (x, y), (x, y), options)
