"""Colliders on motions of a step, and their impact, for the tests of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from placed import place

from ecsphys.components.collision.collider_blocks import shape_arrays
from ecsphys.components.collision.colliders import Collider
from ecsphys.components.motion.transform import Transform
from ecsphys.engine.cast.sweep_motion import (
    AMPLITUDE_X,
    ANGLE,
    CIRCULAR,
    HARMONIC,
    KIND,
    LINEAR_X,
    MOTION_COLUMNS,
    ORBIT_RADIUS,
    POLYNOMIAL,
    UNTIL,
    offset,
)
from ecsphys.engine.cast.time_of_impact import find_impacts, time_of_impact
from ecsphys.engine.contact.wide_fan import HULLS_SHAPE

Motion = NDArray[np.float64]

TARGET = 2.5e-7


class Impact(NamedTuple):
    time: float
    gap: float
    normal: tuple[float, float]
    point: tuple[float, float]


def motion(kind: int, first: int, *values: float, turn: float = 0.0, until: float = 1.0) -> Motion:
    row = np.zeros(MOTION_COLUMNS)
    row[KIND], row[ANGLE], row[UNTIL] = kind, turn, until
    row[first : first + len(values)] = values
    return row


def straight(x: float = 0.0, y: float = 0.0, ax: float = 0.0, ay: float = 0.0, *, turn: float = 0.0) -> Motion:
    """From the velocity x, y with half the acceleration ax, ay."""
    return motion(POLYNOMIAL, LINEAR_X, x, y, ax, ay, turn=turn)


def orbit(radius: float, phase: float, angle: float, turn: float = 0.0) -> Motion:
    return motion(CIRCULAR, ORBIT_RADIUS, radius, phase, angle, turn=turn)


def swing(*values: float, turn: float = 0.0) -> Motion:
    return motion(HARMONIC, AMPLITUDE_X, *values, turn=turn)


def until(row: Motion, end: float) -> Motion:
    row[UNTIL] = end
    return row


REST = straight()
REST.flags.writeable = False


def meet(
    a: Collider, at: Transform, way_a: Motion, b: Collider, bt: Transform, way_b: Motion = REST, target: float = TARGET
) -> Impact:
    placed = place((a, at), (b, bt))
    time, gap = np.full(1, np.nan), np.full(1, np.nan)
    normal, point = np.full((1, 2), np.nan), np.full((1, 2), np.nan)
    find_impacts(
        np.array([[0, 1]], np.int32),
        shape_arrays(placed),
        np.array([way_a, way_b]),
        np.array([target]),
        time,
        gap,
        normal,
        point,
    )
    (nx, ny), (x, y) = normal[0].tolist(), point[0].tolist()
    return Impact(float(time[0]), float(gap[0]), (nx, ny), (x, y))


def searched(
    a: Collider, at: Transform, way_a: Motion, b: Collider, bt: Transform, way_b: Motion = REST, from_time: float = 0.0
) -> Impact:
    """The same by the function for one pair, as plain Python."""
    placed = place((a, at), (b, bt))
    time, gap, nx, ny, x, y = time_of_impact(
        0,
        1,
        shape_arrays(placed),
        np.array([way_a, way_b]),
        TARGET,
        0.0,
        from_time,
        np.empty(HULLS_SHAPE),
        np.empty(HULLS_SHAPE),
    )
    return Impact(float(time), float(gap), (float(nx), float(ny)), (float(x), float(y)))


def moved(transform: Transform, way: Motion, t: float) -> Transform:
    x, y = offset(way, t)
    return Transform(transform.x + x, transform.y + y, transform.angle + way[ANGLE] * min(t, way[UNTIL]))
