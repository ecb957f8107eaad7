"""Where an entity is and how it moves: pose, velocity, forces, parents, controllers and limits."""

from __future__ import annotations

import math
from typing import final

from ecsphys.components.store.column import column, finite_number
from ecsphys.components.store.component import FloatComponent, MixedComponent


@final
class Transform(FloatComponent, tracked=True):
    """Where an entity is: the origin of the frame in which its colliders are placed.

    Parameters
    ----------
    x, y
        Position in world units, y up.
    angle
        Radians, counter-clockwise, not wrapped. Chapters A1, A8.

    Examples
    --------
    >>> player = esper.create_entity(Transform(3, 4), CircleCollider(0.5))
    >>> transform = esper.component_for_entity(player, Transform)
    >>> transform.x += 1
    >>> transform
    Transform(x=4.0, y=4.0, angle=0.0)
    """

    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0

    @property
    def degrees(self) -> float:
        """The angle in degrees; may be assigned."""
        return math.degrees(self.angle)

    @degrees.setter
    def degrees(self, value: float) -> None:
        self.angle = math.radians(finite_number("Transform.degrees", value))


@final
class Velocity(FloatComponent, pushing=True):
    """How fast an entity moves. Without it the entity stays where it is, unless a trajectory moves it.

    A trajectory on the same entity writes ``x`` and ``y`` in each step.

    ``x`` and ``y`` are the velocity of the entity's position. For a dynamic ``RigidBody`` they are the velocity of its
    center of mass, which depends on its colliders. Its momentum is mass · (x, y), and its position circles the center
    as it spins. If you add or remove a collider, the center moves; the numbers stay, and are the velocity of the new
    center.

    Parameters
    ----------
    x, y
        Units/s.
    angular
        Radians/s, counter-clockwise. Chapters A1, A3.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> ball = esper.create_entity(Transform(0, 0), Velocity(2, 0))
    >>> esper.process(0.5)
    >>> esper.component_for_entity(ball, Transform).x
    1.0
    """

    x: float = 0.0
    y: float = 0.0
    angular: float = 0.0


@final
class Acceleration(FloatComponent, pushing=True):
    """A constant acceleration of an entity with a ``Velocity``, in addition to forces.

    If the acceleration varies, assign it in each frame.

    Parameters
    ----------
    x, y
        Units/s².
    angular
        Radians/s², counter-clockwise. Chapter A10.

    Examples
    --------
    >>> rocket = esper.create_entity(Transform(), Velocity(), Acceleration(y=12.0))
    """

    x: float = 0.0
    y: float = 0.0
    angular: float = 0.0


@final
class Parent(MixedComponent, pushing=True):
    """Attaches an entity to another one: a sword in a hand, a turret on a tank.

    Each step writes the child's ``Transform`` after all motion, so nothing else can move the child.

    Parameters
    ----------
    entity
        The parent: the entity that carries this one.
    x, y
        Position in the parent's frame, units; it turns with the parent.
    angle
        Radians, added to the parent's angle.

    Examples
    --------
    >>> tank = esper.create_entity(Transform(), Velocity(2, 0))
    >>> turret = esper.create_entity(Transform(), Parent(tank, x=0.5, y=0.2))
    """

    entity: int
    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0


@final
class Controller(FloatComponent):
    """The entity's ``Velocity`` follows the input: the ``ControlSystem`` writes its x and y in each step.

    Parameters
    ----------
    speed
        Units/s at full deflection, >= 0, the same in every direction. Chapter A2.

    Examples
    --------
    >>> player = esper.create_entity(Transform(), Velocity(), Controller(speed=6))
    """

    speed: float = column(low=0.0)


@final
class Gravity(FloatComponent, pushing=True):
    """The entity falls. Without this component only a dynamic ``RigidBody`` falls.

    The acceleration is ``physics.gravity``, which ``ecsphys.install(gravity=…)`` sets. The entity needs a ``Velocity``.

    Parameters
    ----------
    scale
        Multiplies gravity; no unit. With a negative scale the entity rises. Chapters A4, A5.

    Examples
    --------
    >>> physics = ecsphys.install(gravity=(0.0, -9.8))
    >>> stone = esper.create_entity(Transform(0, 5), Velocity(), Gravity())
    >>> balloon = esper.create_entity(Transform(0, 5), Velocity(), Gravity(scale=-0.1))
    """

    scale: float = 1.0


@final
class Spring(FloatComponent, pushing=True):
    """Pulls the entity to an anchor: F = −stiffness·(x − anchor) − damping·v, along both axes.

    Parameters
    ----------
    anchor_x, anchor_y
        The point of rest, in the world.
    stiffness
        Force per unit of length, >= 0.
    mass
        Mass for this spring only, > 0.
    damping
        Force per unit of speed, >= 0; critical at 2·√(stiffness·mass). Chapter A11.

    Examples
    --------
    >>> lamp = esper.create_entity(Transform(0, 3), Velocity(), Spring(0, 4, stiffness=20, damping=0.5))
    """

    anchor_x: float
    anchor_y: float
    stiffness: float = column(low=0.0)
    mass: float = column(default=1.0, above=0.0)
    damping: float = column(default=0.0, low=0.0)


@final
class Orbit(FloatComponent, pushing=True):
    """Circular motion by force: a = −angular_speed²·(x − center).

    An entity at distance R that moves across the radius with speed R·ω stays on its circle, up to the error of the
    integrator; other velocities give an ellipse. For an exact circle use a ``CircularTrajectory``.

    Parameters
    ----------
    center_x, center_y
        In the world.
    angular_speed
        ω in radians/s; its sign has no effect. Chapter A9.

    Examples
    --------
    >>> moon = esper.create_entity(Transform(5, 0), Velocity(0, 10), Orbit(0, 0, angular_speed=2))
    """

    center_x: float
    center_y: float
    angular_speed: float


@final
class Drag(FloatComponent, pushing=True):
    """Slows an entity down: its speed falls to 1/e within 1/rate seconds, exact for any step.

    Parameters
    ----------
    linear
        Rate for the velocity's x and y, in 1/s, >= 0.
    angular
        Rate for the angular velocity, in 1/s, >= 0.

    Examples
    --------
    >>> puck = esper.create_entity(Transform(), Velocity(8, 0), Drag(linear=0.4))
    """

    linear: float = column(default=0.0, low=0.0)
    angular: float = column(default=0.0, low=0.0)


# The choices of WorldBounds.at_edge, in the order of their numbers.
EDGES = ("clamp", "wrap", "bounce", "despawn")


@final
class Lifetime(FloatComponent):
    """Deletes the entity when its time is over; needs a :class:`LifetimeSystem`.

    The event "lifetime_ended" is sent with the entity, while its components are still there.

    Parameters
    ----------
    seconds
        Seconds until the entity is deleted, >= 0. You may assign it.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> esper.add_processor(LifetimeSystem(physics), ecsphys.Priority.LIFETIME)
    >>> spark = esper.create_entity(Transform(), Velocity(4, 0), Lifetime(0.5))
    >>> for _ in range(31):
    ...     esper.process(1 / 60)
    >>> esper.entity_exists(spark)
    False
    """

    seconds: float = column(low=0.0)


@final
class WorldBounds(MixedComponent, tracked=True):
    """Keeps the entity's ``Transform`` in a rectangle, or deletes the entity; needs a :class:`WorldBoundsSystem`.

    In each step in which the entity was outside, the event "bounds_reached" is sent with the entity and the side:
    "left", "right", "bottom" or "top". An empty rectangle raises ValueError in the next step.

    Parameters
    ----------
    min_x, min_y, max_x, max_y
        The rectangle, world units.
    at_edge
        "clamp": it stops at the edge. "wrap": it comes in at the opposite edge. "bounce": position and velocity are
        reflected. "despawn": it is deleted.
    margin
        How far inside the rectangle the edge is, units. Use a ball's radius to keep all of the ball inside. With a
        negative number, the entity may go outside by as much.
    restitution
        For "bounce": the speed after it divided by the speed before, in [0, 1].

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> esper.add_processor(WorldBoundsSystem(physics), ecsphys.Priority.BOUNDS)
    >>> bounds = WorldBounds(-8, -4.5, 8, 4.5, "bounce", margin=0.5)
    >>> ball = esper.create_entity(Transform(7, 0), Velocity(60, 0), bounds)
    >>> esper.process(1 / 60)
    >>> esper.component_for_entity(ball, Velocity).x
    -60.0
    """

    min_x: float
    min_y: float
    max_x: float
    max_y: float
    at_edge: str = column(default="clamp", choices=EDGES)
    margin: float = 0.0
    restitution: float = column(default=1.0, low=0.0, high=1.0)
