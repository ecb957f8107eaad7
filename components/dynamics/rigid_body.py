"""How entities block and are blocked: ``RigidBody``, ``Solid``, ``OneWay``, ``Character`` and ``Bullet``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, final

from ecsphys.components.store.column import column
from ecsphys.components.store.component import FloatComponent, Marker, MixedComponent

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


@final
@dataclass(frozen=True, slots=True)
class Solid(Marker):
    """Marks an entity that blocks ``physics.move_and_slide`` and ``physics.move_character``: a wall, a floor, a crate.

    The two methods stop at solid entities only, and never at a collider with ``sensor=True``. Other entities, such as
    sword swings, pickups and bullets, only report hits. A solid entity reports hits as well.

    Examples
    --------
    >>> wall = esper.create_entity(Transform(4, 0), AABBCollider(0.5, 8), Solid())
    """


@final
class OneWay(FloatComponent):
    """Makes a ``Solid`` or a ``RigidBody`` block from one side only. Characters and bodies can jump up through it.

    It blocks entities that come from outside, against the normal. Entities that are already inside, or that come from
    another side, pass. For a body, this is decided when the two meet. The decision stays until they part, or until the
    body is clear of the side that blocks.

    Parameters
    ----------
    normal_x, normal_y
        Points away from the side that blocks: a vector of any length except 0, in the entity's frame. It turns with the
        entity, unless the entity has an ``AABBCollider``, which does not turn either.

    Examples
    --------
    >>> plank = esper.create_entity(Transform(0, 2), AABBCollider(2, 0.1), Solid(), OneWay())
    """

    normal_x: float = 0.0
    normal_y: float = 1.0


@final
class Character(FloatComponent, pushing=True):
    """Lets an entity walk on floors, slopes and stairs. You move it with ``physics.move_character``.

    Parameters
    ----------
    slope_limit
        The steepest slope that is a floor, radians in (0, π/2]. Steeper slopes are walls.
    step_height
        The highest step that it climbs while it walks, units, >= 0.
    snap_distance
        How far it follows the floor down slopes and stairs, units, >= 0. The floor must fall away within a quarter of
        the character's size.
    up_x, up_y
        The direction up: a vector of any length except 0.
    push_force
        The largest force that it applies to a dynamic body in its way, mass · units/s², >= 0.
    mass
        Its mass for bodies that run into it, > 0: they stop at it and push it along. With None, bodies do not feel it,
        unless it is ``Solid``: then it is a wall to them.
    wall_reach
        How far to its sides ``CharacterMove.walls`` looks for walls, units, >= 0. 0 turns this off.
    grid
        Rounds its position when a level or upright surface stops it: to a multiple of this, without the skin. Use 1 for
        whole pixels, if the solids of the world are on whole pixels too. Units, >= 0; 0 does not round.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> floor = esper.create_entity(Transform(0, -0.5), AABBCollider(20, 0.5), Solid())
    >>> hero = esper.create_entity(
    ...     Transform(0, 1), CapsuleCollider.upright(1.8, 0.4), Character(step_height=0.3))
    >>> physics.move_character(hero, (0.1, -1.0)).on_floor
    True
    """

    slope_limit: float = column(default=0.25 * math.pi, above=0.0, high=0.5 * math.pi)
    step_height: float = column(default=0.0, low=0.0)
    snap_distance: float = column(default=0.0, low=0.0)
    up_x: float = 0.0
    up_y: float = 1.0
    push_force: float = column(default=0.0, low=0.0)
    mass: float | None = column(default=None, above=0.0)
    wall_reach: float = column(default=0.0, low=0.0)
    grid: float = column(default=0.0, low=0.0)


@final
class Bullet(MixedComponent, pushing=True):
    """Continuous collision detection (CCD): the entity never tunnels through anything, however fast it is.

    Each step sweeps its colliders along their motion. Each entity that they touch on the way is a hit with depth 0 and
    with its ``time`` in the step. The sweep finds every entity that the filter allows, moving or not; two bullets hit
    where they meet. An entity that the bullet overlaps at the beginning of a step does not stop it.

    A moving or turning collider pushes a stopped bullet along, together with the bullets in its way. It passes through
    a bullet that is jammed between it and a wall.

    A dynamic ``RigidBody`` keeps its velocity when it stops, and bounces off in the next step. It stops only at other
    bodies and at ``Solid`` entities. A ``sensor`` does not stop bullets, and a bullet's own sensor does not stop it.

    Parameters
    ----------
    stop
        1 or True: the entity stays at the point of contact for the rest of the step, and loses its velocity into the
        surface, so it slides from the next step on. On a trajectory, ``elapsed`` stops there. The hit lasts while the
        gap is below a millionth of the entity's size.
        0 or False: it reports the hit and flies on. A child of a ``Parent`` always flies on.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> shot = esper.create_entity(Transform(0, 0), Velocity(600, 0), CircleCollider(0.1), Bullet())
    >>> wall = esper.create_entity(Transform(5, 0), AABBCollider(0.05, 4))
    >>> esper.process(1 / 60)
    >>> physics.hits.has(shot, wall)
    True
    """

    stop: int = column(default=1, low=0, high=1)
