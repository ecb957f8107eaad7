"""Motion in closed form, exact at any time: a trajectory gives the position, whatever the step's length.

A trajectory owns x and y of the entity's ``Transform`` and of its ``Velocity``, if it has one. A step adds dt to
``elapsed`` (seconds, settable) and writes both for this time. ``angle`` still turns by ``Velocity.angular``. Forces do
nothing. Two trajectories on one entity raise ValueError in the next step. Below, t stands for ``elapsed``.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import Any, Final, final

from ecsphys.components.other_names import checks_arguments
from ecsphys.components.store.column import Points, column, read_points, show, true_or_false
from ecsphys.components.store.column_store import RunPool
from ecsphys.components.store.component import FloatComponent, MixedComponent
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.motion.waypoints import WAYPOINT_COLUMNS


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


class WaypointPool(RunPool):
    """The points of all paths. The columns are x, y, and the length of the path up to the point."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(WAYPOINT_COLUMNS)


WAYPOINT_POOL: Final = WaypointPool()


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
