"""``MotorJoint``: moves a body to a position and angle relative to another body, with limited strength."""

from __future__ import annotations

from typing import Any, final

from ecsphys.components.dynamics.joints.joint import AnchoredJoint, anchored, angle_between
from ecsphys.components.store.column import column


@final
class MotorJoint(AnchoredJoint, tracked=True):
    """Moves a body to a position and angle relative to another body, with limited strength.

    The anchor of b moves to the anchor of a, and b turns to ``angle``. Assign ``x_a``, ``y_a`` and ``angle`` to move b.

    Parameters
    ----------
    entity_a, entity_b, x_a, y_a, x_b, y_b, collide_connected, break_force, break_torque
        See :class:`Joint`.
    angle
        The angle of b relative to a, radians; whole turns do not count.
    max_force, max_torque
        Its largest force and torque, mass · units/s² and mass · units²/s², >= 0; 0 does nothing. None: no limit.
    frequency, damping_ratio
        The spring that moves b: swings per second, > 0, for any masses; and damping, >= 0 (with 1 it does not swing).

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
        """A motor that holds b in its present position, by a point (x, y) of the world.

        For ``a``, ``b``, ``options`` and errors see :meth:`RevoluteJoint.at`.
        """
        options.setdefault("angle", angle_between(cls, a, b))
        return anchored(cls, a, b, (x, y), (x, y), options)
