"""Motions of placed shapes during one step, to find when they meet.

A motion is one row of an array (n, MOTION_COLUMNS). The part t of the step runs from 0 to 1. It tells where the
entity's position is, relative to where it was at the start of the step, and by how much the shape has turned about it:

==========  ===========================================  ==========================================================
kind        columns                                      offset from the position at the start
==========  ===========================================  ==========================================================
POLYNOMIAL  LINEAR_X, LINEAR_Y, SQUARE_X, SQUARE_Y       linear · t + square · t²
CIRCULAR    ORBIT_RADIUS, ORBIT_PHASE, ORBIT_ANGLE       along a circle, from the phase on, by the angle · t
HARMONIC    AMPLITUDE_X, AMPLITUDE_Y, PHASE, DAMPING,    amplitude · (u(τ + change · t) − u(τ)), with u as in
            TAU, TAU_CHANGE                              :func:`ecsphys.engine.motion.trajectory_motion.harmonic`
==========  ===========================================  ==========================================================

All kinds: KIND, ANGLE (turned evenly by it over the whole step; 0 for shapes that ignore rotation) and UNTIL: the
motion goes on up to this part of the step, from where on position and angle rest.

Offsets keep their precision however small they are. On a circle the chord is 2R sin(δ/2), perpendicular to the
direction half-way. Of the harmonic motion, with the state (u, u′) at the start and both fundamental solutions, c from
(1, 0) and s from (0, 1), it is u · (c − 1) + u′ · s; and with the decay and the frequency taken apart

    1 − c = (1 − e^(−ζδ)) + 2 e^(−ζδ) sin²(dδ/2) − ζ s       for ζ < 1, d = √(1 − ζ²)
    1 − c = (1 − e^(−aδ)) − a s                              for ζ ≥ 1, a = 1/(ζ + √(ζ² − 1))

Its energy u² + u′² has the rate −4ζ u′² and only falls; τ never runs backwards. So |u| and |u′| keep below the root of
it; and as u″ = −(u + 2ζ u′) is zero where |u′| is largest, |u′| does so below the largest of |u′| now and |u| / 2ζ.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels import scalar
from ecsphys.engine.math.elementary import cos_sin, exp, expm1, sine_of
from ecsphys.engine.motion.trajectory_motion import harmonic

POLYNOMIAL, CIRCULAR, HARMONIC = 0, 1, 2

KIND, UNTIL, ANGLE = 0, 1, 2
LINEAR_X, LINEAR_Y, SQUARE_X, SQUARE_Y = 3, 4, 5, 6
ORBIT_RADIUS, ORBIT_PHASE, ORBIT_ANGLE = 3, 4, 5
AMPLITUDE_X, AMPLITUDE_Y, PHASE, DAMPING, TAU, TAU_CHANGE = 3, 4, 5, 6, 7, 8
MOTION_COLUMNS = 9

# Rounding errors of a place on a circle or a swing, as a part of its size.
_ROUNDING = 8.0 * 2.0**-52

# Far above the rounding of a distance, relative to its terms.
_NEARLY = 1e-9


@scalar
def _fallen(delta: float, damping: float, s: float) -> float:
    """1 − c: how far an oscillation that was at rest at 1 has fallen, s being the other solution (see above)."""
    if damping < 1.0:
        half = sine_of(0.5 * math.sqrt((1.0 - damping) * (1.0 + damping)) * delta)
        return 2.0 * exp(-damping * delta) * half * half - (expm1(-damping * delta) + damping * s)
    slow = 1.0 / (damping + math.sqrt(damping - 1.0) * math.sqrt(damping + 1.0))
    return -expm1(-slow * delta) - slow * s


@scalar
def offset(motion: NDArray[float64], t: float) -> tuple[float, float]:
    """Where the position is at a part t of the step, relative to where it was at the start."""
    t = min(t, motion[UNTIL])
    if motion[KIND] == POLYNOMIAL:
        return (motion[LINEAR_X] + motion[SQUARE_X] * t) * t, (motion[LINEAR_Y] + motion[SQUARE_Y] * t) * t
    if motion[KIND] == CIRCULAR:
        half = 0.5 * motion[ORBIT_ANGLE] * t
        chord = 2.0 * motion[ORBIT_RADIUS] * sine_of(half)
        c, s = cos_sin(motion[ORBIT_PHASE] + half)
        return -chord * s, chord * c
    damping = motion[DAMPING]
    delta = motion[TAU_CHANGE] * t
    start, rate = harmonic(motion[TAU], motion[PHASE], damping)
    s, _ = harmonic(delta, 0.0, damping)
    change = rate * s - start * _fallen(delta, damping, s)
    return motion[AMPLITUDE_X] * change, motion[AMPLITUDE_Y] * change


@scalar
def is_moving(motion: NDArray[float64], t: float) -> bool:
    """Whether the motion still goes on right after a part t of the step; at the end of the step, as it did before."""
    return bool(t < motion[UNTIL] or motion[UNTIL] >= 1.0)


@scalar
def velocity(motion: NDArray[float64], t: float) -> tuple[float, float]:
    """Velocity right after a part t of the step, per step."""
    if not is_moving(motion, t):
        return 0.0, 0.0
    if motion[KIND] == POLYNOMIAL:
        return motion[LINEAR_X] + 2.0 * motion[SQUARE_X] * t, motion[LINEAR_Y] + 2.0 * motion[SQUARE_Y] * t
    if motion[KIND] == CIRCULAR:
        c, s = cos_sin(motion[ORBIT_PHASE] + motion[ORBIT_ANGLE] * t)
        speed = motion[ORBIT_RADIUS] * motion[ORBIT_ANGLE]
        return -speed * s, speed * c
    _, rate = harmonic(motion[TAU] + motion[TAU_CHANGE] * t, motion[PHASE], motion[DAMPING])
    rate *= motion[TAU_CHANGE]
    return motion[AMPLITUDE_X] * rate, motion[AMPLITUDE_Y] * rate


@scalar
def _swing_bounds(u: float, rate: float, damping: float) -> tuple[float, float]:
    """Bounds on |u′| and |u″| from a state (u, u′) on; also of several swings' sums of |u| and |u′|."""
    energy = abs(u) + abs(rate)
    speed = energy
    if damping > 0.0:
        speed = min(energy, max(abs(rate), energy / (2.0 * damping)))
    return speed, energy + 2.0 * damping * speed


@scalar
def speed_bound(motion: NDArray[float64]) -> float:
    """Bound on the speed over the step, per step; and with it on how far the position gets."""
    if motion[KIND] == POLYNOMIAL:
        linear = abs(motion[LINEAR_X]) + abs(motion[LINEAR_Y])
        return float(linear + 2.0 * (abs(motion[SQUARE_X]) + abs(motion[SQUARE_Y])))
    if motion[KIND] == CIRCULAR:
        return abs(float(motion[ORBIT_RADIUS] * motion[ORBIT_ANGLE]))
    u, rate = harmonic(motion[TAU], motion[PHASE], motion[DAMPING])
    speed, _ = _swing_bounds(u, rate, motion[DAMPING])
    return float((abs(motion[AMPLITUDE_X]) + abs(motion[AMPLITUDE_Y])) * motion[TAU_CHANGE] * speed)


@scalar
def reach_along(motion: NDArray[float64], t: float, end: float, nx: float, ny: float) -> float:
    """How much further along n the offset gets at most, from where it is at a part t of the step on to another.

    However often it goes round or swings, it does not get off its circle, nor beyond where its energy takes it.
    """
    if not is_moving(motion, t):
        return 0.0
    if motion[KIND] == POLYNOMIAL:
        vx, vy = velocity(motion, t)
        slope = vx * nx + vy * ny
        curve = motion[SQUARE_X] * nx + motion[SQUARE_Y] * ny
        rest = end - t
        if slope > 0.0 and -2.0 * curve * rest > slope:
            return float(slope * slope / (-4.0 * curve))
        return max(float((slope + curve * rest) * rest), 0.0)
    if motion[KIND] == CIRCULAR:
        c, s = cos_sin(motion[ORBIT_PHASE] + motion[ORBIT_ANGLE] * t)
        return float(abs(motion[ORBIT_RADIUS]) * (1.0 + _ROUNDING) - motion[ORBIT_RADIUS] * (c * nx + s * ny))
    u, rate = harmonic(motion[TAU] + motion[TAU_CHANGE] * t, motion[PHASE], motion[DAMPING])
    along = motion[AMPLITUDE_X] * nx + motion[AMPLITUDE_Y] * ny
    rounding = _ROUNDING * (abs(motion[AMPLITUDE_X]) + abs(motion[AMPLITUDE_Y]))
    return float(abs(along) * math.sqrt(u * u + rate * rate) - along * u + rounding)


@scalar
def keeps_away(a: NDArray[float64], b: NDArray[float64], x: float, y: float, t: float, reach: float) -> bool:
    """Whether b, at (x, y) from a when the step began, keeps farther away than ``reach`` from a part t of it on.

    Only where both go straight and evenly then, or rest; otherwise it is not known, nor near such a case.
    """
    for motion in (a, b):
        is_even = motion[KIND] == POLYNOMIAL and motion[SQUARE_X] == 0.0 and motion[SQUARE_Y] == 0.0
        if not is_even or t < motion[UNTIL] < 1.0:
            return False
    ax, ay = offset(a, t)
    bx, by = offset(b, t)
    avx, avy = velocity(a, t)
    bvx, bvy = velocity(b, t)
    x += bx - ax
    y += by - ay
    vx = bvx - avx
    vy = bvy - avy
    square = vx * vx + vy * vy
    when = min(max(-(x * vx + y * vy) / square, 0.0), 1.0 - t) if square > 0.0 else 0.0
    reach += _NEARLY * (reach + abs(x) + abs(y) + abs(vx) + abs(vy))
    nearest_x = x + vx * when
    nearest_y = y + vy * when
    return bool(nearest_x * nearest_x + nearest_y * nearest_y > reach * reach)


@scalar
def acceleration(motion: NDArray[float64]) -> tuple[float, float, float]:
    """(x, y, spread): the acceleration, per step squared, is (x, y) all the time but for a vector of up to spread."""
    if motion[KIND] == POLYNOMIAL:
        return 2.0 * motion[SQUARE_X], 2.0 * motion[SQUARE_Y], 0.0
    if motion[KIND] == CIRCULAR:
        return 0.0, 0.0, abs(motion[ORBIT_RADIUS]) * motion[ORBIT_ANGLE] * motion[ORBIT_ANGLE]
    u, rate = harmonic(motion[TAU], motion[PHASE], motion[DAMPING])
    _, strength = _swing_bounds(u, rate, motion[DAMPING])
    amplitude = abs(motion[AMPLITUDE_X]) + abs(motion[AMPLITUDE_Y])
    return 0.0, 0.0, amplitude * motion[TAU_CHANGE] * motion[TAU_CHANGE] * strength


@scalar
def relative_acceleration(
    a: NDArray[float64], b: NDArray[float64], moves_a: bool, moves_b: bool
) -> tuple[float, float, float]:
    """(x, y, spread): a's acceleration less b's, per step squared, is (x, y) but for a vector of up to spread.

    Only the rate of a moving shape counts. Shapes that go round or swing at the same rate has a difference that goes
    round or swings so too: nothing is left of equal motions.
    """
    if moves_a and moves_b and a[KIND] == b[KIND]:
        if a[KIND] == CIRCULAR:
            c_a, s_a = cos_sin(a[ORBIT_PHASE])
            c_b, s_b = cos_sin(b[ORBIT_PHASE])
            strength_a = a[ORBIT_RADIUS] * a[ORBIT_ANGLE] * a[ORBIT_ANGLE]
            strength_b = b[ORBIT_RADIUS] * b[ORBIT_ANGLE] * b[ORBIT_ANGLE]
            apart = abs(strength_a * c_a - strength_b * c_b) + abs(strength_a * s_a - strength_b * s_b)
            drift = min(abs(strength_a), abs(strength_b)) * min(abs(a[ORBIT_ANGLE] - b[ORBIT_ANGLE]), 2.0)
            return 0.0, 0.0, min(apart + drift, abs(strength_a) + abs(strength_b))
        if a[KIND] == HARMONIC and a[DAMPING] == b[DAMPING] and a[TAU_CHANGE] == b[TAU_CHANGE]:
            u_a, rate_a = harmonic(a[TAU], a[PHASE], a[DAMPING])
            u_b, rate_b = harmonic(b[TAU], b[PHASE], b[DAMPING])
            u = abs(a[AMPLITUDE_X] * u_a - b[AMPLITUDE_X] * u_b) + abs(a[AMPLITUDE_Y] * u_a - b[AMPLITUDE_Y] * u_b)
            rate_x = a[AMPLITUDE_X] * rate_a - b[AMPLITUDE_X] * rate_b
            rate_y = a[AMPLITUDE_Y] * rate_a - b[AMPLITUDE_Y] * rate_b
            _, strength = _swing_bounds(u, abs(rate_x) + abs(rate_y), a[DAMPING])
            return 0.0, 0.0, a[TAU_CHANGE] * a[TAU_CHANGE] * strength
    x = y = spread = 0.0
    if moves_a:
        x, y, spread = acceleration(a)
    if moves_b:
        x_b, y_b, spread_b = acceleration(b)
        x -= x_b
        y -= y_b
        spread += spread_b
    return x, y, spread
