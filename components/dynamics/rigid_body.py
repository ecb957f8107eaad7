"""``RigidBody``: makes an entity's colliders bounce, slide, stack and come to rest."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.component import Component

# The choices of RigidBody.kind, in the order of their numbers.
BODY_KINDS = ("dynamic", "kinematic", "static")


@final
class RigidBody(Component, tracked=True):
    """An entity whose colliders, and those of its children, are one body that others push or rest on.

    ``kind``: "dynamic" bodies obey forces and contacts; "kinematic" ones move by their ``Velocity`` or trajectory, and
    nothing pushes them; "static" ones stay. ``Transform`` and ``Velocity`` are the body's state; a dynamic body
    without ``Velocity`` gets one in the first step.

    ``mass``, ``inertia``: of a dynamic body, > 0; None takes them from the area of its colliders times ``density``
    (mass per square unit, > 0). The inertia is about the centre of mass, in mass · units². A body with an
    ``AABBCollider``, which never turns, does not rotate.

    ``restitution``: speed after a bounce by that before, in [0, 1]; of two bodies the greater counts. ``friction``:
    Coulomb's coefficient, >= 0; of two bodies the geometric mean counts. ``rolling_resistance``: how much a rolling
    body is slowed, as a part of its radius, >= 0. ``tangent_speed``: how fast the surface runs, units/s, clockwise
    round the body: the top of a conveyor carries to the right.

    ``lock_x``, ``lock_y``, ``lock_rotation``: what contacts and forces do not change. ``dominance``: of two dynamic
    bodies that touch, the one with the greater number is not pushed by the other; −127 to 127. ``can_sleep``: whether
    it may stop being computed while it rests.
    """

    kind: str = column(default="dynamic", choices=BODY_KINDS)
    mass: float | None = column(default=None, above=0.0)
    inertia: float | None = column(default=None, above=0.0)
    density: float = column(default=1.0, above=0.0)
    restitution: float = column(default=0.0, low=0.0, high=1.0)
    friction: float = column(default=0.6, low=0.0)
    rolling_resistance: float = column(default=0.0, low=0.0)
    tangent_speed: float = 0.0
    lock_x: bool = False
    lock_y: bool = False
    lock_rotation: bool = False
    dominance: int = column(default=0, low=-127, high=127)
    can_sleep: bool = True
