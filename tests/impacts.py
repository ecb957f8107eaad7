"""Colliders on motions of a step, and their impact, for the tests of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from placed import place

from ecsphys.components.collision.colliders import Collider, shape_arrays
from ecsphys.components.motion.transform import Transform
from ecsphys.engine.ccd.bullet_sweep import (
    ARRIVED,
    BODY_COLUMNS,
    FLIES_ON,
    GAP,
    IMPACT_COLUMNS,
    KEPT,
    NORMAL_X,
    TIME,
    BulletVelocities,
    SweepOutcome,
    SweepRoom,
    SweptPairs,
    X,
    sweep_bullets,
)
from ecsphys.engine.geometry.closest_points import find_closest_points
from ecsphys.engine.geometry.sweep_motion import (
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
from ecsphys.engine.geometry.time_of_impact import IMPACT_SHAPE, time_of_impact
from ecsphys.geometry import closest_points

Motion = NDArray[np.float64]

TARGET = 2.5e-7
# Overlaps up to this count as being in touch.
TOLERANCE = TARGET * KEPT / ARRIVED


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
    """The first impact of two bullets that fly on, of a size for which ``target`` is the gap of arrival."""
    placed = place((a, at), (b, bt))
    pair, none, size = np.arange(2, dtype=np.int32), np.full(2, -1, np.int32), np.full(2, target / ARRIVED)
    pending = np.empty((1, IMPACT_COLUMNS))
    outcome = SweepOutcome(np.zeros(1, np.uint8), np.empty((1, IMPACT_COLUMNS)), np.empty((2, BODY_COLUMNS)))
    sweep_bullets(
        SweptPairs(
            pair[None],
            pair,
            np.arange(3, dtype=np.int32),
            np.full(2, FLIES_ON, np.uint8),
            size,
            np.full(2, np.inf),
            np.zeros(1, np.uint8),
            0.0,
        ),
        shape_arrays(placed),
        np.array([way_a, way_b]),
        BulletVelocities(none, np.empty((3, 0))),
        1.0,
        SweepRoom(none.copy(), none.copy(), np.zeros(1, np.int32), np.zeros(1, np.int32), pending),
        outcome,
    )
    (row,) = pending.tolist()
    # Of what keeps away for sure no gap is computed.
    gap = row[GAP] if row[GAP] < math.inf else closest_points(a, at, b, bt)[0]
    return Impact(row[TIME], gap, (row[NORMAL_X], row[NORMAL_X + 1]), (row[X], row[X + 1]))


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
        np.empty(IMPACT_SHAPE),
        0.0,
    )
    return Impact(float(time), float(gap), (float(nx), float(ny)), (float(x), float(y)))


def distances(
    a: Collider, at: Transform, way_a: Motion, b: Collider, bt: Transform, way_b: Motion, times: Sequence[float]
) -> list[float]:
    """At parts of the step; 0 where they overlap."""
    placed = place(*((a, moved(at, way_a, t)) for t in times), *((b, moved(bt, way_b, t)) for t in times))
    shapes = shape_arrays(placed)
    return [find_closest_points(k, len(times) + k, shapes)[0] for k in range(len(times))]


def moved(transform: Transform, way: Motion, t: float) -> Transform:
    x, y = offset(way, t)
    return Transform(transform.x + x, transform.y + y, transform.angle + way[ANGLE] * min(t, way[UNTIL]))
