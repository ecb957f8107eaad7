"""``DistanceJoint``: a rod, a rope, or a spring."""

from __future__ import annotations

import math
from typing import Any, final

from ecsphys.components.dynamics.joints.joint import AnchoredJoint, anchored
from ecsphys.components.store.column import column


@final
class DistanceJoint(AnchoredJoint, tracked=True):
    """Keeps the distance of two points: with a ``length`` alone a rod, with a ``frequency`` too a spring, with a
    ``max_length`` alone a rope.

    ``length``, > 0: of the rod, or of the spring at rest. ``frequency`` in Hz and ``damping_ratio``: of the spring; the
    frequency at which it swings, whatever the masses. ``min_length``, ``max_length``: the limits; None for none.
    ``motor_speed``, in units/s, is what a winch lengthens it at, with at most ``max_force``; 0 for none. The other
    fields: see ``AnchoredJoint``.
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
        """A joint between two points of the world, as long as they are apart now unless ``options`` has a ``length``, a
        ``max_length`` or a motor; as ``RevoluteJoint.at``."""
        if not options.keys() & {"length", "max_length", "max_force"}:
            options["length"] = math.hypot(x_b - x_a, y_b - y_a)
        return anchored(cls, a, b, (x_a, y_a), (x_b, y_b), options)
