"""``WeldJoint``: what makes two bodies one."""

from __future__ import annotations

from typing import Any, final

from ecsphys.components.dynamics.joints.joint import AnchoredJoint, anchored, angle_between
from ecsphys.components.store.column import column


@final
class WeldJoint(AnchoredJoint, tracked=True):
    """Holds two bodies together as one, or springs back to that.

    Parameters
    ----------
    entity_a, entity_b, x_a, y_a, x_b, y_b, collide_connected, break_force, break_torque
        As of every :class:`Joint`.
    angle
        What b is turned by against a, radians; whole turns do not count.
    linear_frequency, linear_damping_ratio
        A spring between the anchors in place of what is rigid: how often it swings in a second, > 0, whatever the
        masses, and how it is damped, >= 0 (1: it does not swing). None: rigid.
    angular_frequency, angular_damping_ratio
        The same of the angle.

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
        """A weld at a point (x, y) of the world, with the bodies as they are now. ``a``, ``b``, ``options`` and errors:
        as of :meth:`RevoluteJoint.at`.
        """
        options.setdefault("angle", angle_between(cls, a, b))
        return anchored(cls, a, b, (x, y), (x, y), options)
