"""How far two hulls that move and turn may go on before they can touch: one step of conservative advancement.

Let n be the unit vector from A to B of their separation, and e ≤ 0 how far a vertex lies behind the one that reaches
furthest along n. With r its place about the entity's position and ω the turning, it moves along n by f = ω (r × n) a
unit of time, with the acceleration −ω² r · n. That is never above ω² |r|; and as its own rate is at most |ω|³ |r|, it
counts up to a time H for no more than −ω² r · n + |ω|³ H |r| / 3. With q half of the lesser, and the path's own
velocity v and acceleration a along n, the hulls can have come nearer after δ by no more than

    E(δ) = max over A's vertices of (e + f δ + q δ²) + the same of B + v δ + ½ a δ²

so the room left between them is safe until E(δ) takes it up. Each vertex counts by itself: a corner far behind, however
fast it turns towards the other hull, must first make up for its e. With all q ≥ 0, E is convex. From the far end of
the time, the root of the two vertices that reach furthest there is no earlier than E's, and so is the next one
from there: a few such steps find it exactly. Should they end before, the chord from E(0) = 0 is above E, and so safe.

Where n is the normal of an edge that turns, the edge's far end comes nearer though nothing is there to be met, and each
step would close only a part of the gap. So n may turn with the edge: n(δ), for a turning σ. For the hulls, all is as
before with ω − σ instead of ω. For the paths, with D from A's position to B's and m across n, −D · n(δ) has the slope
v · n − σ D · m and the second derivative a · n(δ) + 2σ v(δ) · m(δ) + σ² D(δ) · n(δ). Then steps converge quadratically.

Whatever it does, a hull that turns stays within the disc about its position through its furthest point: where the room
is enough for the discs, however fast it spins, only the paths count. A fan's arc is in the disc about its centre; where
n leaves the arc at an end, the rest of the arc cannot come before that vertex, if its q equals |centre| + radius.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.manifold.convex import ARC, ARC_RADIUS, ARC_X, ARC_Y, VERTEX_COUNT, X, Y, support

# The root is almost always found in one or two.
_MOST_ROOTS = 8


class Facing(NamedTuple):
    """The places of hulls a and b: a is at the origin, b at (x, y), and n points from a to b, across a
    line that separates them."""

    x: float
    y: float
    nx: float
    ny: float


class Approach(NamedTuple):
    """How hulls a and b move: (vx, vy) is the velocity of a's position less b's velocity, which changes at a rate of at
    most ``strength``, and of at most 2 · ``curve`` along n. a turns by ``turn_a`` a unit of time about its position, b
    by ``turn_b``, and the edge that n belongs to by ``turn_n``, 0 without one."""

    vx: float
    vy: float
    curve: float
    strength: float
    turn_a: float
    turn_b: float
    turn_n: float


@scalar
def first_time(slope: float, curve: float, room: float) -> float:
    """The first δ ≥ 0 at which slope · δ + curve · δ² reaches the room (≥ 0); infinity where it never does."""
    squared = slope * slope + 4.0 * curve * room
    if slope > 0.0:
        return 2.0 * room / (slope + math.sqrt(squared)) if squared >= 0.0 else math.inf
    if curve > 0.0:
        return (math.sqrt(squared) - slope) / (2.0 * curve)
    return math.inf


@scalar
def _furthest_span(hull: NDArray[float64], x: float, y: float) -> float:
    """Distance of a hull's furthest point, without its rounding, from (x, y); an arc counts as its full circle."""
    widest = 0.0
    for k in range(int(hull[VERTEX_COUNT])):
        rx = hull[X + k] - x
        ry = hull[Y + k] - y
        widest = max(widest, rx * rx + ry * ry)
    widest = math.sqrt(widest)
    radius = float(hull[ARC_RADIUS])
    if radius > 0.0:
        rx = hull[ARC_X] - x
        ry = hull[ARC_Y] - y
        widest = math.sqrt(rx * rx + ry * ry) + radius
    return widest


@scalar
def _furthest_after(
    hull: NDArray[float64],
    x: float,
    y: float,
    nx: float,
    ny: float,
    turn: float,
    curve: float,
    horizon: float,
    delta: float,
) -> tuple[float, float, float]:
    """(e, f, q) of the vertex of a hull about (x, y) that may reach furthest along n after δ; ``curve`` is added to q.

    All zero but for q, which is then ``curve``, where the hull does not turn.
    """
    if turn == 0.0:
        return 0.0, 0.0, curve
    reach, feature = support(hull, nx, ny)
    half_square = 0.5 * turn * turn
    radius = hull[ARC_RADIUS]
    arm = 0.0
    if radius > 0.0:
        rx = hull[ARC_X] - x
        ry = hull[ARC_Y] - y
        arm = math.sqrt(rx * rx + ry * ry)
        if feature == ARC:
            return 0.0, turn * (rx * ny - ry * nx), max(curve + half_square * arm, 0.0)
        arm += radius
    # The middle one of a fan's three vertices, which is no end of its arc.
    count = int(hull[VERTEX_COUNT])
    apex = 1 if count == 3 else count
    best = -math.inf
    e = f = q = 0.0
    for k in range(count):
        rx = hull[X + k] - x
        ry = hull[Y + k] - y
        pull = arm
        if radius == 0.0 or k == apex:
            length = math.sqrt(rx * rx + ry * ry)
            pull = min(length, length * abs(turn) * horizon / 3.0 - (rx * nx + ry * ny))
        slack = min((hull[X + k] * nx + hull[Y + k] * ny) - reach, 0.0)
        slope = turn * (rx * ny - ry * nx)
        bend = max(curve + half_square * pull, 0.0)
        value = slack + (slope + bend * delta) * delta
        if value > best:
            best = value
            e, f, q = slack, slope, bend
    return e, f, q


@scalar
def turning_rate(hull: NDArray[float64], x: float, y: float, nx: float, ny: float, turn: float, slop: float) -> float:
    """How fast turning about (x, y) takes a hull further along n: the speed of the fastest of its furthest points."""
    if turn == 0.0:
        return 0.0
    reach, feature = support(hull, nx, ny)
    if feature == ARC:
        return float(turn * ((hull[ARC_X] - x) * ny - (hull[ARC_Y] - y) * nx))
    best = -math.inf
    for k in range(int(hull[VERTEX_COUNT])):
        if hull[X + k] * nx + hull[Y + k] * ny >= reach - slop:
            best = max(best, turn * ((hull[X + k] - x) * ny - (hull[Y + k] - y) * nx))
    return best


@scalar
def _advance_along(
    a: NDArray[float64],
    b: NDArray[float64],
    facing: Facing,
    slope: float,
    curve: float,
    turn_a: float,
    turn_b: float,
    room: float,
    drift: float,
    horizon: float,
) -> float:
    """:func:`safe_advance` along n, on which the paths come nearer by slope · δ + curve · δ² at most."""
    x, y, nx, ny = facing
    if turn_a == 0.0 and turn_b == 0.0:
        return min(first_time(slope, curve, room), horizon) if drift > room else horizon
    spare = room
    if turn_a != 0.0:
        spare -= _furthest_span(a, 0.0, 0.0) - support(a, nx, ny)[0]
    if turn_b != 0.0:
        reach = support(b, -nx, -ny)[0] + x * nx + y * ny
        spare -= _furthest_span(b, x, y) - reach
    sure = 0.0
    if spare > 0.0:
        sure = first_time(slope, curve, spare)
        if sure >= horizon or drift <= spare:
            return horizon
    curve_a = curve if turn_a != 0.0 else 0.0
    curve_b = curve if turn_a == 0.0 else 0.0
    delta = horizon
    for _ in range(_MOST_ROOTS):
        slack_a, slope_a, bend_a = _furthest_after(a, 0.0, 0.0, nx, ny, turn_a, curve_a, horizon, delta)
        slack_b, slope_b, bend_b = _furthest_after(b, x, y, -nx, -ny, turn_b, curve_b, horizon, delta)
        slack = slack_a + slack_b
        steepness = slope + slope_a + slope_b
        bend = bend_a + bend_b
        nearer = slack + (steepness + bend * delta) * delta
        if nearer <= room:
            return max(delta, sure)
        chord = delta * (room / nearer)
        root = first_time(steepness, bend, room - slack)
        if not root < delta:
            break
        delta = root
    return max(chord, sure)


@scalar
def safe_advance(
    a: NDArray[float64],
    b: NDArray[float64],
    facing: Facing,
    approach: Approach,
    room: float,
    drift: float,
    horizon: float,
) -> float:
    """A time up to the horizon before which hulls a and b come nearer by no more than ``room`` (≥ 0).

    Up to the horizon the paths alone come nearer along n by ``drift`` at most.
    """
    x, y, nx, ny = facing
    vx, vy, curve, strength, turn_a, turn_b, turn_n = approach
    safe = _advance_along(a, b, facing, vx * nx + vy * ny, curve, turn_a, turn_b, room, drift, horizon)
    if turn_n == 0.0 or safe >= horizon:
        return safe
    # Along n as it turns, by an angle of 1 at most: then the bounds are as good as they are now but for a factor.
    turn = abs(turn_n)
    ahead = min(horizon, 1.0 / turn)
    fastest = abs(vx) + abs(vy) + strength * ahead
    furthest = abs(x) + abs(y) + fastest * ahead
    slope = (vx * nx + vy * ny) - turn_n * (y * nx - x * ny)
    curve = 0.5 * strength + turn * (fastest + 0.5 * turn * furthest)
    along = _advance_along(a, b, facing, slope, curve, turn_a - turn_n, turn_b - turn_n, room, math.inf, ahead)
    return max(safe, along)
