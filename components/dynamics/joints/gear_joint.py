"""``GearJoint``: two joints that move together."""

from __future__ import annotations

from typing import final

from ecsphys.components.dynamics.joints.joint import Joint
from ecsphys.components.store.column import column


@final
class GearJoint(Joint, tracked=True):
    """Couples two joints: it keeps the first joint's angle or slide, plus ``ratio`` times the second's, constant.

    Parameters
    ----------
    entity_a, entity_b
        The entities that have the two joints. Each is a ``RevoluteJoint`` or a ``PrismaticJoint``, which defines the
        bodies that turn or slide, and the positive direction.
    ratio
        Not 0. For two gear wheels on a frame: the radius of the second wheel divided by the radius of the first;
        negative if both turn the same way.
    break_force, break_torque
        The gear breaks above these, > 0; None: it never breaks. Its ``torque`` is the torque on the first joint, or the
        force along its axis.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> wheels = [esper.create_entity(Transform(x, 0), CircleCollider(r), RigidBody()) for x, r in ((0, 1), (3, 2))]
    >>> driven = esper.create_entity(RevoluteJoint.at(None, wheels[0], 0, 0, motor_speed=4, max_torque=50))
    >>> other = esper.create_entity(RevoluteJoint.at(None, wheels[1], 3, 0))
    >>> gear = esper.create_entity(GearJoint(driven, other, ratio=2 / 1))
    >>> for _ in range(60):
    ...     esper.process(1 / 60)
    >>> round(esper.component_for_entity(wheels[1], Velocity).angular, 2)
    -2.0
    """

    entity_a: int = column(low=1)
    entity_b: int = column(low=1)
    ratio: float = 1.0
    break_force: float | None = column(default=None, above=0.0)
    break_torque: float | None = column(default=None, above=0.0)
