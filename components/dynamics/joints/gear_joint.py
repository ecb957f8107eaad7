"""``GearJoint``: two joints that move together."""

from __future__ import annotations

from typing import final

from ecsphys.components.dynamics.joints.joint import Joint
from ecsphys.components.store.column import column


@final
class GearJoint(Joint, tracked=True):
    """Keeps the sum of the angle or slide of one joint and ``ratio`` times that of another, as it finds it.

    ``entity_a``, ``entity_b``: the entities that carry the two, each a ``RevoluteJoint`` or a ``PrismaticJoint``: these
    say what turns or slides, against what, and which way counts. ``ratio``: not 0; of two gear wheels that turn on a
    frame, the radius of the second by that of the first; negative where both turn the same way. ``torque`` is that on
    the first joint, or the force along its axis.
    """

    entity_a: int = column(low=1)
    entity_b: int = column(low=1)
    ratio: float = 1.0
    break_force: float | None = column(default=None, above=0.0)
    break_torque: float | None = column(default=None, above=0.0)
