"""Trajectories: motion in closed form, exact at any time and for any step (A1, A5, A8, A11).

Harmonic motion obeys u″ + 2ζω u′ + ω² u = 0 with u(0) = sin φ, u′(0) = ω cos φ, scaled by an amplitude for each axis.
In the time τ = ωt, with a prime for d/dτ, the documents' formulas become, for every ζ,

    u = e^(−ζτ) (C sin φ + S (cos φ + ζ sin φ)),    u′ = e^(−ζτ) (C cos φ − S (sin φ + ζ cos φ))

where C = cos dτ, S = sin(dτ)/d, d = √(1 − ζ²) for ζ < 1, and C = cosh dτ, S = sinh(dτ)/d, d = √(ζ² − 1) for ζ > 1.
Both S tend to τ for d → 0, and the quotient keeps its relative precision on the way: (1 − ζ)(1 + ζ) has none of the
cancellation of 1 − ζ², and sin and expm1 are precise for small arguments. Only d = 0 itself needs a branch.

For ζ ≥ 1, cosh and sinh overflow while e^(−ζτ) vanishes, so the exponentials are combined. With the decay rates
b = ζ + d of the fast part and a = ζ − d = 1/b of the slow part (without cancellation), p = e^(−aτ), q = e^(−bτ):

    R = e^(−ζτ) S = (p − q)/(2d) = p · (1 − e^(−2dτ))/(2d)
    u  = p sin φ + R (cos φ + a sin φ)     from e^(−ζτ) C = (p + q)/2 = p − dR  and  ζ − d = a
    u′ = q cos φ − R (sin φ + a cos φ)     from e^(−ζτ) C = q + dR  and  ζ − d = a

All weights are positive, so the slow part survives however large ζ is.
"""

from __future__ import annotations

import math

from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import kernel, scalar

LINEAR, BALLISTIC, CIRCULAR, HARMONIC = 0, 1, 2, 3

# Columns of the rows matrix.
KIND, TRAJECTORY, TRANSFORM, VELOCITY = 0, 1, 2, 3
TRAJECTORY_ROW_COLUMNS = 4


@scalar
def harmonic(tau: float, phase: float, damping: float) -> tuple[float, float]:
    """Damped oscillation of unit amplitude (A11): (u, du/dτ) at τ = ωt from u = sin φ, du/dτ = cos φ at τ = 0."""
    sin_phase = math.sin(phase)
    cos_phase = math.cos(phase)
    if damping < 1.0:
        d = math.sqrt((1.0 - damping) * (1.0 + damping))
        decay = math.exp(-damping * tau)
        c = math.cos(d * tau)
        s = math.sin(d * tau) / d
        u = decay * (c * sin_phase + s * (cos_phase + damping * sin_phase))
        rate = decay * (c * cos_phase - s * (sin_phase + damping * cos_phase))
        return u, rate
    d = math.sqrt(damping - 1.0) * math.sqrt(damping + 1.0)
    fast = damping + d
    slow = 1.0 / fast
    p = math.exp(-slow * tau)
    q = math.exp(-fast * tau)
    r = p * tau if d == 0.0 else p * (-math.expm1(-2.0 * d * tau) / (2.0 * d))
    u = p * sin_phase + r * (cos_phase + slow * sin_phase)
    rate = q * cos_phase - r * (sin_phase + slow * cos_phase)
    return u, rate


@kernel("b1(f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], i4[:,::1], f8, f8[:,::1])")
def step_trajectories(
    linear: NDArray[float64],
    ballistic: NDArray[float64],
    circular: NDArray[float64],
    harmonics: NDArray[float64],
    transform: NDArray[float64],
    velocity: NDArray[float64],
    rows: NDArray[int32],
    dt: float,
    velocities: NDArray[float64],
) -> bool:
    """Advance ``elapsed`` by ``dt`` and put each entity where its trajectory is then, also for dt = 0.

    ``rows`` (n, 4) has for each entity the kind of its trajectory (LINEAR …), and its rows in that kind's block, in
    transform and in velocity (−1 without one). The velocity goes to ``velocities`` (n, 2) in any case, and to the
    velocity component's x, y if there is one, whose angular turns the angle. The blocks have shape (fields, capacity):
    linear x, y, vx, vy, elapsed; ballistic x, y, vx, vy, ax, ay, elapsed; circular center_x, center_y, radius,
    angular_speed, phase, elapsed; harmonics center_x, center_y, amplitude_x, amplitude_y, angular_frequency, phase,
    damping, elapsed; transform x, y, angle; velocity x, y, angular.

    Returns whether all that was written is finite; where sums of it overflow it may say False too.
    """
    poison = 0.0  # NaN once something infinite, or NaN, was multiplied by it
    for i in range(rows.shape[0]):
        kind = rows[i, KIND]
        k = rows[i, TRAJECTORY]
        t = rows[i, TRANSFORM]
        row = rows[i, VELOCITY]
        if kind == LINEAR:
            elapsed = linear[4, k] + dt
            linear[4, k] = elapsed
            vx = linear[2, k]
            vy = linear[3, k]
            x = linear[0, k] + vx * elapsed
            y = linear[1, k] + vy * elapsed
        elif kind == BALLISTIC:
            elapsed = ballistic[6, k] + dt
            ballistic[6, k] = elapsed
            gain_x = ballistic[4, k] * elapsed
            gain_y = ballistic[5, k] * elapsed
            x = ballistic[0, k] + (ballistic[2, k] + 0.5 * gain_x) * elapsed
            y = ballistic[1, k] + (ballistic[3, k] + 0.5 * gain_y) * elapsed
            vx = ballistic[2, k] + gain_x
            vy = ballistic[3, k] + gain_y
        elif kind == CIRCULAR:
            elapsed = circular[5, k] + dt
            circular[5, k] = elapsed
            angle = circular[4, k] + circular[3, k] * elapsed
            arm_x = circular[2, k] * math.cos(angle)
            arm_y = circular[2, k] * math.sin(angle)
            x = circular[0, k] + arm_x
            y = circular[1, k] + arm_y
            vx = -circular[3, k] * arm_y
            vy = circular[3, k] * arm_x
        else:
            elapsed = harmonics[7, k] + dt
            harmonics[7, k] = elapsed
            frequency = harmonics[4, k]
            u, rate = harmonic(frequency * elapsed, harmonics[5, k], harmonics[6, k])
            x = harmonics[0, k] + harmonics[2, k] * u
            y = harmonics[1, k] + harmonics[3, k] * u
            vx = harmonics[2, k] * frequency * rate
            vy = harmonics[3, k] * frequency * rate
        transform[0, t] = x
        transform[1, t] = y
        velocities[i, 0] = vx
        velocities[i, 1] = vy
        if row >= 0:
            velocity[0, row] = vx
            velocity[1, row] = vy
            transform[2, t] += velocity[2, row] * dt
        poison += 0.0 * (elapsed + x + y + vx + vy + transform[2, t])
    return poison == 0.0
