"""``GearJoint``: two joints that move together."""

from __future__ import annotations

from typing import final

from ecsphys.components.dynamics.joints.joint import Joint
from ecsphys.components.store.column import column


@final
class GearJoint(Joint, tracked=True):
    """Keeps the sum of the angle or slide of one joint and ``ratio`` times that of another, as it finds it.

    Parameters
    ----------
    entity_a, entity_b
        The entities that carry the two joints, each a ``RevoluteJoint`` or a ``PrismaticJoint``: these say what turns
        or slides, against what, and which way counts.
    ratio
        Not 0. Of two gear wheels that turn on a frame, the radius of the second by that of the first; negative where
        both turn the same way.
    break_force, break_torque
        The most that the gear bears, > 0; None for any. Its ``torque`` is that on the first joint, or the force along
        its axis.

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
