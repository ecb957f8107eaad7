"""``WeldJoint``: makes two bodies one."""

from __future__ import annotations

from typing import Any, final

from ecsphys.components.dynamics.joints.joint import AnchoredJoint, anchored, angle_between
from ecsphys.components.store.column import column


@final
class WeldJoint(AnchoredJoint, tracked=True):
    """Holds two bodies together as one body, rigidly or with springs.

    Parameters
    ----------
    entity_a, entity_b, x_a, y_a, x_b, y_b, collide_connected, break_force, break_torque
        See :class:`Joint`.
    angle
        The angle of b relative to a, radians; whole turns do not count.
    linear_frequency, linear_damping_ratio
        A spring between the anchors: swings per second, > 0, for any masses; and damping, >= 0 (with 1 it does not
        swing). None: rigid.
    angular_frequency, angular_damping_ratio
        A spring for the angle, with the same units. None: rigid.

    Examples
    --------
    >>> physics = ecsphys.install(gravity=(0, -10))
    >>> shelf = esper.create_entity(Transform(1, 0), OBBCollider(1, 0.1), RigidBody(mass=3))
    >>> weld = WeldJoint.at(None, shelf, 0, 0)
    >>> joint = esper.create_entity(weld)
    >>> for _ in range(300):
    ...     esper.process(1 / 60)
    >>> round(weld.torque)
    30
    """

    angle: float = 0.0
    linear_frequency: float | None = column(default=None, above=0.0)
    linear_damping_ratio: float = column(default=1.0, low=0.0)
    angular_frequency: float | None = column(default=None, above=0.0)
    angular_damping_ratio: float = column(default=1.0, low=0.0)

    @classmethod
    def at(cls, a: int | None, b: int | None, x: float, y: float, **options: Any) -> WeldJoint:
        """A weld at a point (x, y) of the world, for the present poses of the bodies.

        For ``a``, ``b``, ``options`` and errors see :meth:`RevoluteJoint.at`.
        """
        options.setdefault("angle", angle_between(cls, a, b))
        return anchored(cls, a, b, (x, y), (x, y), options)
