"""Where an entity is and how it moves: pose, velocity, forces, parents, controllers, limits and trajectories.

A trajectory gives the position in closed form, exact at any time, whatever the step's length. It owns x and y of the
entity's ``Transform`` and of its ``Velocity``, if it has one. A step adds dt to ``elapsed`` (seconds, settable) and
writes both for this time. ``angle`` still turns by ``Velocity.angular``. Forces do nothing. Two trajectories on one
entity raise ValueError in the next step. In their docstrings, t stands for ``elapsed``.
"""

from __future__ import annotations

import math
from itertools import accumulate, pairwise
from typing import Any, Final, final

from ecsphys.components.other_names import checks_arguments
from ecsphys.components.store.column import Points, column, finite_number, read_points, show, true_or_false
from ecsphys.components.store.column_store import RunPool
from ecsphys.components.store.component import FloatComponent, MixedComponent
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.motion.trajectory_motion import WAYPOINT_COLUMNS


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


@final
class LinearTrajectory(FloatComponent, pushing=True):
    """Uniform motion: (x, y) + (vx, vy)·t.

    Parameters
    ----------
    x, y
        Position at t = 0.
    vx, vy
        Units/s.
    elapsed
        t in seconds, settable. Chapter A1.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> platform = esper.create_entity(Transform(), LinearTrajectory(0, 2, vx=3, vy=0))
    >>> esper.process(2.0)
    >>> esper.component_for_entity(platform, Transform)
    Transform(x=6.0, y=2.0, angle=0.0)
    """

    x: float
    y: float
    vx: float
    vy: float
    elapsed: float = 0.0


@final
class BallisticTrajectory(FloatComponent, pushing=True):
    """Uniformly accelerated motion: (x, y) + (vx, vy)·t + ½·(ax, ay)·t².

    Parameters
    ----------
    x, y
        Position at t = 0.
    vx, vy
        Velocity at t = 0, units/s.
    ax, ay
        The whole acceleration, units/s²; the world's gravity is not added.
    elapsed
        t in seconds, settable. Chapter A5.

    Examples
    --------
    >>> arrow = esper.create_entity(Transform(), BallisticTrajectory(0, 1, vx=20, vy=5, ay=-9.8))
    """

    x: float
    y: float
    vx: float
    vy: float
    ax: float = 0.0
    ay: float = 0.0
    elapsed: float = 0.0


@final
class CircularTrajectory(FloatComponent, pushing=True):
    """Uniform circular motion: center + radius·(cos φ, sin φ), φ = phase + angular_speed·t.

    Parameters
    ----------
    center_x, center_y
        In the world.
    radius
        Units, >= 0.
    angular_speed
        Radians/s, 2π/T for a period T; negative is clockwise.
    phase
        Radians, the angle at t = 0.
    elapsed
        t in seconds, settable. Chapter A8.

    Examples
    --------
    >>> guard = esper.create_entity(Transform(), CircularTrajectory(0, 0, radius=3, angular_speed=1.5))
    """

    center_x: float
    center_y: float
    radius: float = column(low=0.0)
    angular_speed: float
    phase: float = 0.0
    elapsed: float = 0.0


@final
class HarmonicTrajectory(FloatComponent, pushing=True):
    """The motion of a spring: center + amplitude·sin(ω·t + φ) where undamped, along both axes.

    Parameters
    ----------
    center_x, center_y
        The point of rest, in the world.
    amplitude_x, amplitude_y
        A, units.
    angular_frequency
        ω in radians/s, >= 0; √(stiffness/mass) of a spring.
    phase
        φ in radians; the start is x0 = A·sin φ, v0 = A·ω·cos φ.
    damping
        The ratio ζ, >= 0, no unit: 0 none, below 1 it swings (ω_d = ω·√(1 − ζ²)), 1 critical, above 1 it creeps.
    elapsed
        t in seconds, settable. Chapter A11.

    Examples
    --------
    >>> elevator = esper.create_entity(Transform(), HarmonicTrajectory(0, 4, 0, 3, angular_frequency=1.2))
    """

    center_x: float
    center_y: float
    amplitude_x: float
    amplitude_y: float
    angular_frequency: float = column(low=0.0)
    phase: float = 0.0
    damping: float = column(default=0.0, low=0.0)
    elapsed: float = 0.0


WAYPOINT_POOL: Final = RunPool(WAYPOINT_COLUMNS)
"""The points of all paths. The columns are x, y, and the length of the path up to the point."""


@checks_arguments
@final
class PathTrajectory(MixedComponent, pushing=True):
    """Motion along a line of ``points`` at constant speed: a patrol, a platform, a monorail.

    ``points``: two or more points (x, y) in the world, or an array (n, 2). Each must differ from the point before it.
    The attribute is a tuple of tuples; assign all points at once, in any number. ``speed``: units/s along the path; a
    negative speed moves the other way. ``closed``: True continues from the last point to the first, round and round;
    False turns at both ends, back and forth. ``elapsed``: seconds, as for all trajectories; the position is exact at
    any time.
    """

    speed: float
    elapsed: float = 0.0
    _is_closed: int = 0
    _start: int = 0
    _count: int = 0

    __match_args__ = ("points", "speed", "closed", "elapsed")

    def __init__(self, points: Any, speed: float, closed: bool = False, elapsed: float = 0.0) -> None:
        checked = _checked_points(points, closed)
        if hasattr(self, "_row"):  # called once more: row and points are there
            self._columns.checked(speed, elapsed, 0, 0, 0)
            self.speed, self.elapsed = speed, elapsed
        else:
            self._fill(speed, elapsed)
        self._store(checked, closed)

    def __del__(self) -> None:
        WAYPOINT_POOL.release(self._start, self._count)

    @property
    def points(self) -> Points:
        """The waypoints ((x, y), …), as they were given."""
        return WAYPOINT_POOL.read(self._start, self._count - self._is_closed)

    @points.setter
    def points(self, value: Any) -> None:
        self._store(_checked_points(value, self.closed), self.closed)

    @property
    def closed(self) -> bool:
        """Whether the path continues from its last point to its first."""
        return bool(self._is_closed)

    @closed.setter
    def closed(self, value: bool) -> None:
        self._store(_checked_points(self.points, value), value)

    @property
    def length(self) -> float:
        """Length of the path, units: once round, or one way."""
        return float(WAYPOINT_POOL.data[self._start + self._count - 1, -1])

    def __reduce__(self) -> tuple[Any, ...]:
        return PathTrajectory, tuple(getattr(self, name) for name in self.__match_args__)

    def _store(self, points: Points, closed: bool) -> None:
        old_start, old_count = self._start, self._count
        run = (*points, points[0]) if closed else points
        lengths = [hypot(after[0] - before[0], after[1] - before[1]) for before, after in pairwise(run)]
        along = accumulate(lengths, initial=0.0)
        rows: list[tuple[float, ...]] = [(x, y, length) for (x, y), length in zip(run, along, strict=True)]
        start = WAYPOINT_POOL.allocate(len(run))
        WAYPOINT_POOL.put(start, rows)
        self._start, self._count, self._is_closed = start, len(run), int(closed)
        # Last: an interrupt leaves none with what another may be given.
        WAYPOINT_POOL.release(old_start, old_count)


def _checked_points(value: Any, closed: bool) -> Points:
    """The points as floats. Raises TypeError or ValueError, naming the first bad point."""
    name = "PathTrajectory.points"
    true_or_false("PathTrajectory.closed", closed)
    points = read_points(name, value)
    if len(points) < 2:
        raise ValueError(f"{name} must have at least two points, got {show(value)}")
    for number in range(0 if closed else 1, len(points)):
        if points[number] == points[number - 1]:
            raise ValueError(f"{name}[{number}] must differ from the point before it, but both are {points[number]}")
    return points
