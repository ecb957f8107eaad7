"""``RigidBody``: makes an entity's colliders bounce, slide, stack and come to rest."""

from __future__ import annotations

from typing import Literal, final, get_args

from ecsphys.components.store.column import column
from ecsphys.components.store.typed_components import MixedComponent

# The choices of RigidBody.kind, in the order of their numbers.
BodyKind = Literal["dynamic", "kinematic", "static"]
BODY_KINDS: tuple[BodyKind, ...] = get_args(BodyKind)


@final
class RigidBody(MixedComponent, tracked=True):
    """Makes an entity a rigid body: it bounces, slides, stacks and comes to rest.

    Its colliders, and those of its children, form one body. ``Transform`` and ``Velocity`` are the body's state; a
    dynamic body without a ``Velocity`` gets one in the first step. The ``Velocity`` of a dynamic body is that of its
    centre of mass, about which it turns. A kinematic body turns about its position. A body with an ``AABBCollider``,
    which never turns, does not rotate.

    Parameters
    ----------
    kind
        "dynamic": obeys forces, gravity and contacts. "kinematic": moves by its ``Velocity`` or trajectory, and nothing
        pushes it. "static": stays where it is.
    mass
        Of a dynamic body, > 0. None: the area of its colliders times ``density``.
    inertia
        About the centre of mass, mass · units², > 0. None: from its colliders.
    density
        Mass per square unit, > 0.
    restitution
        Bounciness: the speed after a bounce divided by that before, in [0, 1]. Of two bodies the greater counts.
    friction
        Coulomb's coefficient, >= 0. Of two bodies the geometric mean counts.
    rolling_resistance
        How much a rolling body is slowed, as a part of its radius, >= 0.
    tangent_speed
        A conveyor belt's: how fast the surface runs, units/s, clockwise round the body, so that its top carries to the
        right.
    lock_x, lock_y, lock_rotation
        Which motion contacts and forces do not change.
    dominance
        Of two dynamic bodies that touch, the one with the greater number is not pushed; −127 to 127.
    can_sleep
        Whether the body may fall asleep: a resting body is not computed until something acts on it.

    Examples
    --------
    >>> physics = ecsphys.install(gravity=(0.0, -9.8))
    >>> floor = esper.create_entity(Transform(0, -0.5), OBBCollider(20, 0.5), RigidBody(kind="static"))
    >>> ball = esper.create_entity(Transform(0, 3), CircleCollider(0.5), RigidBody(restitution=0.6))
    """

    kind: BodyKind = "dynamic"
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
