"""``PathTrajectory``: along waypoints at constant speed."""

from __future__ import annotations

from typing import Any, final

from ecsphys.components.argument_names import names_arguments
from ecsphys.components.motion.waypoint_pool import WAYPOINT_POOL
from ecsphys.components.store.column import finite_number, show
from ecsphys.components.store.typed_components import MixedComponent

Waypoints = tuple[tuple[float, float], ...]


@names_arguments
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
    def points(self) -> Waypoints:
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

    def _store(self, points: Waypoints, closed: bool) -> None:
        old_start, old_count = self._start, self._count
        run = (*points, points[0]) if closed else points
        start = WAYPOINT_POOL.store(run)
        self._start, self._count, self._is_closed = start, len(run), int(closed)
        # Last: an interrupt leaves none with what another may be given.
        WAYPOINT_POOL.release(old_start, old_count)


def _checked_points(value: Any, closed: bool) -> Waypoints:
    """The points as floats. Raises TypeError or ValueError, naming the first bad point."""
    name = "PathTrajectory.points"
    if not isinstance(closed, bool):
        raise TypeError(f"PathTrajectory.closed must be True or False, got {show(closed)}")
    try:
        given = list(value)
    except TypeError:
        raise TypeError(f"{name} must be points (x, y) in a list, got {show(value)}") from None
    points = []
    for number, point in enumerate(given):
        try:
            x, y = point
        except (TypeError, ValueError):
            raise TypeError(f"{name}[{number}] must be a pair of numbers (x, y), got {show(point)}") from None
        points.append((finite_number(f"{name}[{number}] x", x), finite_number(f"{name}[{number}] y", y)))
    if len(points) < 2:
        raise ValueError(f"{name} must have at least two points, got {show(value)}")
    for number in range(0 if closed else 1, len(points)):
        if points[number] == points[number - 1]:
            raise ValueError(f"{name}[{number}] must differ from the point before it, but both are {points[number]}")
    return tuple(points)
