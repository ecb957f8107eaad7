"""Trajectories: motion in closed form, exact at any time and for any step (A1, A5, A8, A11).

Harmonic motion obeys u″ + 2ζω u′ + ω² u = 0 with u(0) = sin φ, u′(0) = ω cos φ, scaled by an amplitude for each axis.
In the time τ = ωt, with a prime for d/dτ, the documents' formulas become, for every ζ,

    u = e^(−ζτ) (C sin φ + S (cos φ + ζ sin φ)),    u′ = e^(−ζτ) (C cos φ − S (sin φ + ζ cos φ))

where C = cos dτ, S = sin(dτ)/d, d = √(1 − ζ²) for ζ < 1, and C = cosh dτ, S = sinh(dτ)/d, d = √(ζ² − 1) for ζ > 1.
Both S tend to τ for d → 0, and the quotient keeps its relative precision on the way: (1 − ζ)(1 + ζ) lacks the
cancellation of 1 − ζ², and sin and expm1 are precise for small arguments. Only d = 0 itself needs a branch.

For ζ ≥ 1, cosh and sinh overflow while e^(−ζτ) vanishes, so the exponentials are combined. With the decay rates
b = ζ + d of the fast part and a = ζ − d = 1/b of the slow part (without cancellation), p = e^(−aτ), q = e^(−bτ):

    R = e^(−ζτ) S = (p − q)/(2d) = p · (1 − e^(−2dτ))/(2d)
    u  = p sin φ + R (cos φ + a sin φ)     from e^(−ζτ) C = (p + q)/2 = p − dR  and  ζ − d = a
    u′ = q cos φ − R (sin φ + a cos φ)     from e^(−ζτ) C = q + dR  and  ζ − d = a

All weights are positive, so the slow part survives however large ζ is.

The points of a path are a run of a pool. The distance gone is folded into the path by remainders, which are exact, so
any time is reached without adding up steps.
"""

from __future__ import annotations

import math

from ecsphys.engine.kernels import Float64Rows, Int32Rows, Int64Rows, NamedTuple, inlined_scalar, kernel, packed, scalar
from ecsphys.engine.math.elementary import cosine_of, exp, expm1, sine_of


@inlined_scalar
def place_on_path(
    pool: Float64Rows, start: int, count: int, is_closed: bool, gone: float
) -> tuple[float, float, float, float]:
    """(x, y, direction_x, direction_y) after the distance ``gone`` along a path; the direction is a unit vector.

    At a corner the direction is the following one. An infinite distance, or NaN, gives NaN.
    """
    last = start + count - 1
    length = pool[last, ALONG]
    turn = 1.0
    if is_closed:
        along = gone % length
    else:
        along = gone % (2.0 * length)
        if along >= length:
            along = 2.0 * length - along
            turn = -1.0
    # The last point that is not beyond it; on the way back a corner belongs to the segment before it.
    low = start
    high = last
    while high - low > 1:
        middle = (low + high) // 2
        if pool[middle, ALONG] < along or (turn > 0.0 and pool[middle, ALONG] == along):
            low = middle
        else:
            high = middle
    size = pool[high, ALONG] - pool[low, ALONG]
    way_x = (pool[high, X] - pool[low, X]) / size
    way_y = (pool[high, Y] - pool[low, Y]) / size
    part = along - pool[low, ALONG]
    return pool[low, X] + way_x * part, pool[low, Y] + way_y * part, turn * way_x, turn * way_y


LINEAR, BALLISTIC, CIRCULAR, HARMONIC, PATH = range(5)

# Columns of the rows matrix.
KIND, TRAJECTORY, TRANSFORM, VELOCITY, OWNER = range(5)
TRAJECTORY_ROW_COLUMNS = 5

# Columns of the pool of waypoints: X, Y, and the length of the path up to the point. A closed path ends with its first
# point.
ALONG = 2
WAYPOINT_COLUMNS = 3

# Fields of the blocks, in the order of the components.
X, Y, ANGLE = range(3)
START_X, START_Y, START_VX, START_VY = range(4)
LINEAR_ELAPSED = 4
BALLISTIC_AX, BALLISTIC_AY, BALLISTIC_ELAPSED = range(4, 7)
CENTER_X, CENTER_Y = range(2)
ORBIT_RADIUS, ORBIT_SPEED, ORBIT_PHASE, CIRCULAR_ELAPSED = range(2, 6)
SWING_X, SWING_Y, SWING_FREQUENCY, SWING_PHASE, SWING_DAMPING, HARMONIC_ELAPSED = range(2, 8)
WALK_SPEED, PATH_ELAPSED = range(2)
# Fields of the block of whole numbers.
IS_CLOSED, FIRST_POINT, POINT_COUNT = range(3)


@packed
class TrajectoryBlocks(NamedTuple):
    """The blocks of the five classes of trajectories, (fields, capacity), and the waypoints of all paths."""

    linear: Float64Rows
    ballistic: Float64Rows
    circular: Float64Rows
    harmonics: Float64Rows
    paths: Float64Rows
    path_points: Int64Rows
    waypoints: Float64Rows


@scalar
def harmonic(tau: float, phase: float, damping: float) -> tuple[float, float]:
    """Damped oscillation of unit amplitude (A11): (u, du/dτ) at τ = ωt from u = sin φ, du/dτ = cos φ at τ = 0."""
    sin_phase = sine_of(phase)
    cos_phase = cosine_of(phase)
    if damping < 1.0:
        d = math.sqrt((1.0 - damping) * (1.0 + damping))
        decay = exp(-damping * tau)
        c = cosine_of(d * tau)
        s = sine_of(d * tau) / d
        u = decay * (c * sin_phase + s * (cos_phase + damping * sin_phase))
        rate = decay * (c * cos_phase - s * (sin_phase + damping * cos_phase))
        return u, rate
    d = math.sqrt(damping - 1.0) * math.sqrt(damping + 1.0)
    fast = damping + d
    slow = 1.0 / fast
    p = exp(-slow * tau)
    q = exp(-fast * tau)
    r = p * tau if d == 0.0 else p * (-expm1(-2.0 * d * tau) / (2.0 * d))
    u = p * sin_phase + r * (cos_phase + slow * sin_phase)
    rate = q * cos_phase - r * (sin_phase + slow * cos_phase)
    return u, rate


@inlined_scalar
def _elapsed_at(blocks: TrajectoryBlocks, kind: int) -> tuple[Float64Rows, int]:
    """Where ``elapsed`` is of a kind of trajectories: the block, and its row."""
    if kind == LINEAR:
        return blocks.linear, LINEAR_ELAPSED
    if kind == BALLISTIC:
        return blocks.ballistic, BALLISTIC_ELAPSED
    if kind == CIRCULAR:
        return blocks.circular, CIRCULAR_ELAPSED
    if kind == HARMONIC:
        return blocks.harmonics, HARMONIC_ELAPSED
    return blocks.paths, PATH_ELAPSED


@inlined_scalar
def _place_at(blocks: TrajectoryBlocks, kind: int, k: int, elapsed: float) -> tuple[float, float, float, float]:
    """Position and velocity (x, y, vx, vy) on row k of a kind of trajectories after some seconds."""
    linear, ballistic, circular, harmonics, paths, path_points, waypoints = blocks
    if kind == LINEAR:
        vx = linear[START_VX, k]
        vy = linear[START_VY, k]
        x = linear[START_X, k] + vx * elapsed
        y = linear[START_Y, k] + vy * elapsed
    elif kind == BALLISTIC:
        gain_x = ballistic[BALLISTIC_AX, k] * elapsed
        gain_y = ballistic[BALLISTIC_AY, k] * elapsed
        x = ballistic[START_X, k] + (ballistic[START_VX, k] + 0.5 * gain_x) * elapsed
        y = ballistic[START_Y, k] + (ballistic[START_VY, k] + 0.5 * gain_y) * elapsed
        vx = ballistic[START_VX, k] + gain_x
        vy = ballistic[START_VY, k] + gain_y
    elif kind == CIRCULAR:
        angle = circular[ORBIT_PHASE, k] + circular[ORBIT_SPEED, k] * elapsed
        arm_x = circular[ORBIT_RADIUS, k] * cosine_of(angle)
        arm_y = circular[ORBIT_RADIUS, k] * sine_of(angle)
        x = circular[CENTER_X, k] + arm_x
        y = circular[CENTER_Y, k] + arm_y
        vx = -circular[ORBIT_SPEED, k] * arm_y
        vy = circular[ORBIT_SPEED, k] * arm_x
    elif kind == HARMONIC:
        frequency = harmonics[SWING_FREQUENCY, k]
        u, rate = harmonic(frequency * elapsed, harmonics[SWING_PHASE, k], harmonics[SWING_DAMPING, k])
        x = harmonics[CENTER_X, k] + harmonics[SWING_X, k] * u
        y = harmonics[CENTER_Y, k] + harmonics[SWING_Y, k] * u
        vx = harmonics[SWING_X, k] * frequency * rate
        vy = harmonics[SWING_Y, k] * frequency * rate
    else:
        speed = paths[WALK_SPEED, k]
        x, y, way_x, way_y = place_on_path(
            waypoints,
            int(path_points[FIRST_POINT, k]) + 0,
            int(path_points[POINT_COUNT, k]) + 0,
            path_points[IS_CLOSED, k] != 0,
            speed * elapsed,
        )
        vx = speed * way_x
        vy = speed * way_y
    return x, y, vx, vy


@scalar
def mean_velocity(blocks: TrajectoryBlocks, kind: int, k: int, dt: float) -> tuple[float, float]:
    """The velocity on row k of a kind of trajectories, mean over the ``dt`` > 0 seconds that ended at its ``elapsed``:
    a rider with this velocity ends where the trajectory ends."""
    if kind == LINEAR:
        return blocks.linear[START_VX, k], blocks.linear[START_VY, k]
    block, row = _elapsed_at(blocks, kind)
    elapsed = block[row, k]
    x, y, _, _ = _place_at(blocks, kind, k, elapsed)
    old_x, old_y, _, _ = _place_at(blocks, kind, k, elapsed - dt)
    return (x - old_x) / dt, (y - old_y) / dt


@kernel
def step_trajectories(
    blocks: TrajectoryBlocks,
    transform: Float64Rows,
    velocity: Float64Rows,
    rows: Int32Rows,
    dt: float,
    velocities: Float64Rows,
) -> bool:
    """Advance ``elapsed`` by ``dt`` and put each entity where its trajectory is then, also for dt = 0.

    ``rows`` (n, 5) has for each entity the kind of its trajectory (LINEAR …), its rows in that kind's block, in
    transform and in velocity (−1 without one), and its slot. The velocity goes to ``velocities`` (2, slots) in any
    case, and to the velocity component's x, y if there is one, whose angular turns the angle.

    Returns whether all that was written is finite; where sums of it overflow it may say False too.
    """
    poison = 0.0  # NaN once something infinite, or NaN, was multiplied by it
    for i in range(rows.shape[0]):
        kind = rows[i, KIND]
        k = rows[i, TRAJECTORY]
        t = rows[i, TRANSFORM]
        row = rows[i, VELOCITY]
        owner = rows[i, OWNER]
        block, line = _elapsed_at(blocks, kind)
        elapsed = block[line, k] + dt
        block[line, k] = elapsed
        x, y, vx, vy = _place_at(blocks, kind, k, elapsed)
        transform[X, t] = x
        transform[Y, t] = y
        velocities[X, owner] = vx
        velocities[Y, owner] = vy
        if row >= 0:
            velocity[X, row] = vx
            velocity[Y, row] = vy
            transform[ANGLE, t] += velocity[ANGLE, row] * dt
        poison += 0.0 * (elapsed + x + y + vx + vy + transform[ANGLE, t])
    return poison == 0.0
