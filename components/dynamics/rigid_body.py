"""``RigidBody``: makes an entity's colliders bounce, slide, stack and come to rest."""

from __future__ import annotations

from typing import Literal, final

from ecsphys.components.store.column import column
from ecsphys.components.store.typed_components import MixedComponent

# The choices of RigidBody.kind, in the order of their numbers.
BodyKind = Literal["dynamic", "kinematic", "static"]


@final
class RigidBody(MixedComponent, tracked=True):
    """Makes an entity a rigid body: it bounces, slides, stacks and comes to rest.

    Its colliders and the colliders of its children form one body. ``Transform`` and ``Velocity`` are the body's state;
    a dynamic body without a ``Velocity`` gets one in the first step. A dynamic body turns about its center of mass, and
    its ``Velocity`` is the velocity of this center. A kinematic body turns about its position. A body with an
    ``AABBCollider`` does not rotate, because an ``AABBCollider`` never turns.

    Parameters
    ----------
    kind
        "dynamic": obeys forces, gravity and contacts. "kinematic": moves by its ``Velocity`` or trajectory, and nothing
        pushes it. "static": stays in its place.
    mass
        Mass of a dynamic body, > 0. None: the area of its colliders times ``density``.
    inertia
        Moment of inertia about the center of mass, mass · units², > 0. None: computed from its colliders.
    density
        Mass per square unit, > 0.
    restitution
        Bounciness: the speed after a bounce divided by the speed before, in [0, 1]. The larger value of two bodies is
        used.
    friction
        Coulomb's coefficient, >= 0. The geometric mean of two bodies is used.
    rolling_resistance
        How much rolling slows the body, as a fraction of its radius, >= 0.
    tangent_speed
        Speed of the surface, units/s, as of a conveyor belt. It runs clockwise around the body, so the top moves to the
        right.
    lock_x, lock_y, lock_rotation
        True keeps contacts and forces from changing this motion.
    dominance
        If two dynamic bodies touch, the body with the larger number is not pushed; −127 to 127.
    can_sleep
        Whether the body may fall asleep. A sleeping body is not computed until something acts on it.

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
