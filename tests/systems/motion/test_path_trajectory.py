"""``PathTrajectory``: constant speed along waypoints, exact at any time."""

from __future__ import annotations

import copy
import itertools
import math
import pickle

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import Bullet, CircleCollider, PathTrajectory, Transform, Velocity

CORNERS = ((0.0, 0.0), (4.0, 0.0), (4.0, 3.0))


def expected(points: tuple[tuple[float, float], ...], closed: bool, gone: float) -> tuple[float, float]:
    """The point after a distance, by walking segment after segment."""
    line = [*points, points[0]] if closed else [*points, *points[-2::-1]]
    lengths = [math.dist(a, b) for a, b in itertools.pairwise(line)]
    gone %= sum(lengths)
    for a, b, length in zip(line, line[1:], lengths, strict=False):
        if gone <= length:
            return a[0] + (b[0] - a[0]) * gone / length, a[1] + (b[1] - a[1]) * gone / length
        gone -= length
    return line[-1]


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("speed", [1.0, -1.0, 2.5, 0.0])
def test_it_goes_round_or_back_and_forth_at_constant_speed(closed: bool, speed: float) -> None:
    ecsphys.install()
    rng = np.random.default_rng(1)
    paths = [CORNERS, ((0.0, 1.0), (2.0, 1.0)), tuple(map(tuple, rng.uniform(-9, 9, (40, 2)).tolist()))]
    places = [(Transform(), Velocity(), PathTrajectory(path, speed, closed)) for path in paths]
    for components in places:
        esper.create_entity(*components)
    for _ in range(200):
        esper.process(0.37)
        for path, (place, velocity, trajectory) in zip(paths, places, strict=True):
            assert (place.x, place.y) == pytest.approx(expected(path, closed, speed * trajectory.elapsed), abs=1e-9)
            assert math.hypot(velocity.x, velocity.y) == pytest.approx(abs(speed))


def test_a_far_time_is_as_exact_as_a_near_one() -> None:
    ecsphys.install()
    place, trajectory = Transform(), PathTrajectory(CORNERS, 1.0, elapsed=14.0 * 2**40)
    esper.create_entity(place, trajectory)
    esper.process(0.25)
    assert (place.x, place.y) == (0.25, 0.0)


def test_corners_belong_to_what_follows() -> None:
    ecsphys.install()
    velocity, trajectory = Velocity(), PathTrajectory(CORNERS, 1.0)
    esper.create_entity(Transform(), velocity, trajectory)
    ways = []
    for elapsed in (0.0, 4.0, 7.0, 10.0, 14.0):
        trajectory.elapsed = elapsed
        esper.process(0.0)
        ways.append((velocity.x, velocity.y))
    assert ways == [(1, 0), (0, 1), (0, -1), (-1, 0), (1, 0)]


def test_its_fields_read_back_and_may_be_assigned() -> None:
    path = PathTrajectory([(0, 0), (4, 0), (4, 3)], 2, closed=True, elapsed=1)
    assert repr(path) == f"PathTrajectory(points={CORNERS}, speed=2.0, closed=True, elapsed=1.0)"
    assert path.length == 12
    assert copy.copy(path) == path == pickle.loads(pickle.dumps(path))
    path.closed = False
    assert (path.points, path.length) == (CORNERS, 7)
    path.points = np.array([[0, 0], [0, 9]])
    assert (path.points, path.length, path.speed) == (((0, 0), (0, 9)), 9, 2)


def test_runs_of_points_are_used_again() -> None:
    from ecsphys.components.motion.transform import WAYPOINT_POOL

    kept = PathTrajectory([(0, 0), (1, 0)], 1)
    for _ in range(100):
        PathTrajectory([(k, 0) for k in range(50)], 1)
    before = WAYPOINT_POOL.high_water
    for _ in range(100):
        PathTrajectory([(k, 0) for k in range(50)], 1)
    assert WAYPOINT_POOL.high_water == before
    assert kept.points == ((0, 0), (1, 0))


@pytest.mark.parametrize(
    ("points", "closed", "error", "message"),
    [
        (3, False, TypeError, "PathTrajectory.points must be points"),
        ([(0, 0)], False, ValueError, "PathTrajectory.points must have at least two"),
        ([(0, 0), 3], False, TypeError, r"PathTrajectory.points\[1\] must be a pair"),
        ([(0, 0), (0, math.nan)], False, ValueError, r"PathTrajectory.points\[1\] y must be finite"),
        ([(0, 0), (0, 0)], False, ValueError, r"PathTrajectory.points\[1\] must differ from the point before it"),
        (
            [(0, 0), (1, 0), (0, 0)],
            True,
            ValueError,
            r"PathTrajectory.points\[0\] must differ from the point before it",
        ),
        ([(0, 0), (1, 0)], 1, TypeError, "PathTrajectory.closed must be True or False"),
    ],
)
def test_bad_points_are_refused(points: object, closed: bool, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{message}"):
        PathTrajectory(points, 1, closed)


def test_bullets_fly_along_it() -> None:
    physics = ecsphys.install()
    wall = esper.create_entity(Transform(2, 0), CircleCollider(0.5))
    place, path = Transform(), PathTrajectory([(0, 0), (4, 0)], 4)
    shot = esper.create_entity(place, path, CircleCollider(0.1), Bullet())
    esper.process(0.9)
    assert physics.hits.has(shot, wall)
    assert place.x == pytest.approx(1.4)
    assert path.elapsed == pytest.approx(0.35)
