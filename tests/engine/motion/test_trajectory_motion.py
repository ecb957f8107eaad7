"""Trajectories against their formulas and against power series of their equations of motion (A1, A5, A8, A11)."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.motion.euler_motion import VERLET, ForceBlocks, StepSettings, step_euler
from ecsphys.engine.motion.trajectory_motion import (
    BALLISTIC,
    CIRCULAR,
    HARMONIC,
    LINEAR,
    TRAJECTORY_ROW_COLUMNS,
    TrajectoryBlocks,
    step_trajectories,
)

SIZES = {LINEAR: 5, BALLISTIC: 7, CIRCULAR: 6, HARMONIC: 8}
EPSILON = 2.0**-52
NO_PATHS = np.zeros((2, 0)), np.zeros((3, 0), np.int64), np.zeros((0, 3))


def as_given(blocks: list[NDArray[float64]]) -> TrajectoryBlocks:
    """Blocks of the four classes with fields alone, and no paths."""
    linear, ballistic, circular, harmonics = blocks
    return TrajectoryBlocks(linear, ballistic, circular, harmonics, *NO_PATHS)


def run(
    kind: int, fields: tuple[float, ...], dt: float = 0.0, steps: int = 1, elapsed: float = 0.0, velocity: bool = True
) -> tuple[list[float], list[float], list[float], float]:
    """Transform, velocity component, velocity output, and elapsed after some steps; angular velocity is 0.5."""
    blocks = [np.full((size, 2), math.nan) for size in SIZES.values()]
    blocks[kind][:, 1] = [*fields, elapsed]
    transform = np.full((3, 2), 7.0)
    velocities = np.full((3, 2), 0.5)
    output = np.full((2, 1), math.nan)
    rows = np.array([[kind, 1, 1, 1 if velocity else -1, 0]], np.int32)
    assert rows.shape[1] == TRAJECTORY_ROW_COLUMNS
    for _ in range(steps):
        step_trajectories(as_given(blocks), transform, velocities, rows, dt, output)
    assert (transform[:, 0] == 7.0).all()
    assert (velocities[:, 0] == 0.5).all()
    return transform[:, 1].tolist(), velocities[:, 1].tolist(), output[:, 0].tolist(), float(blocks[kind][-1, 1])


def oscillation(tau: float, phase: float, zeta: float) -> tuple[float, float]:
    """u and du/dτ by the power series of u″ + 2ζu′ + u = 0, with digits to spare: no regimes, no square roots."""
    with localcontext() as context:
        # Terms grow up to e^(fastest rate · τ) before they cancel.
        context.prec = 60 + int(abs(tau) * (2 * zeta + 1))
        t, z = Decimal(tau), Decimal(zeta)
        coefficient, following = decimal_sine(phase), decimal_sine(phase, 1)
        u = rate = Decimal(0)
        power = Decimal(1)
        k = 0
        while True:
            u += coefficient * power
            rate += (k + 1) * following * power
            if k > abs(tau) and abs(power * following * (k + 1)) + abs(power * coefficient) < Decimal(10) ** -50:
                return float(u), float(rate)
            power *= t
            # (k + 2)(k + 1) c₍k+2₎ = −2ζ (k + 1) c₍k+1₎ − c₍k₎
            coefficient, following = following, -(2 * z * (k + 1) * following + coefficient) / ((k + 1) * (k + 2))
            k += 1


def decimal_sine(angle: float, derivative: int = 0) -> Decimal:
    """Sine by its power series; cosine as its derivative."""
    x = Decimal(angle)
    term = x if derivative == 0 else Decimal(1)
    total, k = Decimal(0), 1 - derivative
    while abs(term) > Decimal(10) ** -80:
        total += term
        term *= -x * x / ((k + 1) * (k + 2))
        k += 2
    return total


def harmonic_at(tau: float, phase: float, zeta: float) -> tuple[float, float]:
    _, velocity, output, _ = run(HARMONIC, (0.0, 0.0, 1.0, 1.0, 1.0, phase, zeta), elapsed=tau)
    transform, *_ = run(HARMONIC, (0.0, 0.0, 1.0, 1.0, 1.0, phase, zeta), elapsed=tau)
    assert transform[0] == transform[1]
    assert velocity[:2] == output
    return transform[0], output[0]


@pytest.mark.parametrize("dt", [1 / 64, 1.0, 20.0])
def test_linear_motion_reaches_start_plus_velocity_times_time(dt: float) -> None:
    transform, velocity, output, elapsed = run(LINEAR, (1.0, 2.0, 3.0, -4.0), dt, round(20 / dt))
    assert transform[:2] == [61.0, -78.0]
    assert velocity[:2] == output == [3.0, -4.0]
    assert elapsed == 20.0


@pytest.mark.parametrize("dt", [1 / 64, 1.0, 1024.0])
def test_ballistic_motion_has_no_error_that_grows_with_time_or_step(dt: float) -> None:
    transform, velocity, output, _ = run(BALLISTIC, (1.0, 2.0, 3.0, 50.0, 0.5, -9.5), dt, round(1024 / dt))
    t = 1024.0
    assert transform[:2] == [1 + 3 * t + 0.25 * t * t, 2 + 50 * t - 4.75 * t * t]
    assert velocity[:2] == output == [3 + 0.5 * t, 50 - 9.5 * t]


def test_circular_motion_is_back_at_the_start_after_its_period() -> None:
    period = 2.5
    omega = 2 * math.pi / period
    for quarter, (x, y) in enumerate([(1, 0), (0, 1), (-1, 0), (0, -1), (1, 0)]):
        fields = (10.0, 20.0, 3.0, omega, 0.0)
        transform, _, output, _ = run(CIRCULAR, fields, period / 32, steps=8, elapsed=(quarter - 1) * period / 4)
        assert transform[:2] == pytest.approx([10 + 3 * x, 20 + 3 * y], abs=1e-14 * 20)
        assert output == pytest.approx([-3 * omega * y, 3 * omega * x], abs=1e-14 * 20)


def test_circular_motion_starts_at_its_phase_and_turns_with_the_sign_of_its_speed() -> None:
    transform, _, output, _ = run(CIRCULAR, (0.0, 0.0, 2.0, -0.5, math.pi / 2), 1.0)
    assert transform[:2] == pytest.approx([2 * math.cos(math.pi / 2 - 0.5), 2 * math.sin(math.pi / 2 - 0.5)], rel=1e-15)
    assert output[0] > 0
    assert math.hypot(*output) == pytest.approx(1.0)


ZETAS = [0.0, 1e-12, 0.1, 0.5, 0.9, 1.0, 1.1, 1.5, 3.0]
ZETAS += [1.0 + sign * 10.0**-k for k in range(1, 17) for sign in (-1, 1)]
ZETAS += [math.nextafter(1.0, 0.0), math.nextafter(1.0, 2.0)]


@pytest.mark.parametrize("zeta", ZETAS)
def test_harmonic_motion_in_every_regime_and_between_them(zeta: float) -> None:
    for phase in (0.0, 0.7, -2.0, math.pi / 2):
        for tau in (0.0, 1e-9, 0.3, 1.0, 4.0, 17.0, 40.0, -1.5):
            u, rate = harmonic_at(tau, phase, zeta)
            exact_u, exact_rate = oscillation(tau, phase, zeta)
            # A rounding of τ's multiples shifts the time; the two terms of each formula are at most e^(−aτ)(1 + |τ|),
            # a the slowest rate of decay.
            slowest = zeta if zeta <= 1.0 else 1.0 / (zeta + math.sqrt((zeta - 1.0) * (zeta + 1.0)))
            scale = math.exp(-slowest * tau) * (1 + abs(tau)) ** 2
            if tau < 0:
                scale *= math.exp(-2 * zeta * tau)
            assert u == pytest.approx(exact_u, rel=4 * EPSILON, abs=6 * EPSILON * scale)
            assert rate == pytest.approx(exact_rate, rel=4 * EPSILON, abs=6 * EPSILON * scale)


def test_the_slow_part_survives_strong_damping() -> None:
    # Long after the fast part is gone: u = e^(−aτ)(cos φ + b sin φ)/(2d), and du/dτ = −a·u.
    for zeta in (3.0, 50.0, 1e4, 1e9, 1e200):
        for phase in (0.0, 0.5):
            d = math.sqrt(zeta - 1) * math.sqrt(zeta + 1)
            b = zeta + d
            tau = 30.0
            u, rate = harmonic_at(tau, phase, zeta)
            expected = math.exp(-tau / b) * (math.cos(phase) / (2 * d) + b / (2 * d) * math.sin(phase))
            assert u == pytest.approx(expected, rel=1e-14, abs=0.0)
            assert rate == pytest.approx(-expected / b, rel=1e-14, abs=0.0)


@pytest.mark.parametrize("zeta", [0.5, 1.0 - 1e-15, 1.0, 1.0 + 1e-15, 2.0, 1e6, 1e300])
def test_damped_motion_comes_to_rest_without_overflow(zeta: float) -> None:
    for tau in (1e3, 1e6, 1e300):
        u, rate = harmonic_at(tau, 0.4, zeta)
        assert abs(u) <= 1.0
        assert abs(rate) <= 1.0
        if tau > 2e3 * max(zeta, 1 / zeta):
            assert u == rate == 0.0


def test_undamped_motion_is_the_sine_of_the_documents() -> None:
    fields = (1.0, 2.0, 3.0, -0.5, 1.7, 0.3, 0.0)
    for t in (0.0, 0.1, 2.0, 100.0):
        transform, _, output, _ = run(HARMONIC, fields, elapsed=t)
        angle = 1.7 * t + 0.3
        assert transform[:2] == pytest.approx([1 + 3 * math.sin(angle), 2 - 0.5 * math.sin(angle)], abs=1e-13)
        assert output == pytest.approx([5.1 * math.cos(angle), -0.85 * math.cos(angle)], abs=1e-12)


def test_no_frequency_means_rest() -> None:
    transform, _, output, _ = run(HARMONIC, (1.0, 2.0, 3.0, 4.0, 0.0, 0.5, 0.3), elapsed=1e9)
    assert transform[:2] == [1 + 3 * math.sin(0.5), 2 + 4 * math.sin(0.5)]
    assert output == [0.0, 0.0]


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(list(SIZES)),
    st.lists(st.floats(-3, 3), min_size=6, max_size=6),
    st.floats(0, 2.5),
    st.floats(0, 5),
)
def test_the_velocity_is_the_derivative_of_the_position(
    kind: int, values: list[float], damping: float, t: float
) -> None:
    fields = tuple(values)[: SIZES[kind] - 1]
    if kind == HARMONIC:
        fields = (*values[:4], abs(values[4]), values[5], damping)
    h = 2.0**-12
    after, _, _, _ = run(kind, fields, elapsed=t + h)
    before, _, _, _ = run(kind, fields, elapsed=t - h)
    _, _, output, _ = run(kind, fields, elapsed=t)
    for axis in range(2):
        # Central differences: error h²/6 of the third derivative, here below 3 · 3³ · 5³.
        assert (after[axis] - before[axis]) / (2 * h) == pytest.approx(output[axis], abs=1e-3)


@pytest.mark.parametrize("zeta", [0.0, 0.3, 1.0, 2.0])
def test_the_spring_of_forces_goes_the_same_way(zeta: float) -> None:
    omega, phase, amplitude = 2.0, 0.6, 1.5
    transform = np.zeros((3, 1))
    velocity = np.zeros((3, 1))
    transform[0] = 1.0 + amplitude * math.sin(phase)
    velocity[0] = amplitude * omega * math.cos(phase)
    spring = np.array([[1.0], [0.0], [omega**2 * 0.5], [0.5], [2 * zeta * omega * 0.5]])
    none = np.zeros((3, 0))
    rows = np.array([[0], [0], [-1], [-1], [0], [-1], [-1]], np.int32)
    for t in (0.5, 1.0, 1.5):
        blocks = ForceBlocks(velocity, none, none, spring, none, none)
        step_euler(transform, blocks, rows, 0, 1, StepSettings(0.0, 0.0, 0.5, 5000, VERLET))
        exact, _, output, _ = run(HARMONIC, (1.0, 0.0, amplitude, 0.0, omega, phase, zeta), elapsed=t)
        assert transform[0, 0] == pytest.approx(exact[0], abs=1e-6)
        assert velocity[0, 0] == pytest.approx(output[0], abs=1e-6)


FIELDS = {
    LINEAR: (1.0, 2.0, 3.0, 4.0),
    BALLISTIC: (1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
    CIRCULAR: (1.0, 2.0, 3.0, 4.0, 5.0),
    HARMONIC: (1.0, 2.0, 3.0, 4.0, 5.0, 0.5, 0.25),
}


@pytest.mark.parametrize("kind", list(SIZES))
def test_a_step_goes_to_elapsed_plus_dt_also_for_none(kind: int) -> None:
    there = run(kind, FIELDS[kind], dt=0.0, elapsed=1.75)
    stepped = run(kind, FIELDS[kind], dt=0.25, steps=7)
    assert stepped[0][:2] == there[0][:2]
    assert stepped[2] == there[2]
    assert stepped[3] == there[3] == 1.75
    assert there[0][2] == 7.0


@pytest.mark.parametrize("kind", list(SIZES))
def test_the_angle_turns_by_the_velocity_component_which_gets_the_motion(kind: int) -> None:
    transform, velocity, output, _ = run(kind, FIELDS[kind], 0.25, 4)
    assert transform[2] == 7.5
    assert velocity == [*output, 0.5]
    transform, velocity, bare, _ = run(kind, FIELDS[kind], 0.25, 4, velocity=False)
    assert transform[2] == 7.0
    assert velocity == [0.5, 0.5, 0.5]
    assert bare == output


def test_each_entity_uses_its_own_rows() -> None:
    rng = np.random.default_rng(0)
    n = 60
    blocks = [rng.uniform(0.1, 2, (size, n)) for size in SIZES.values()]
    before = [block.copy() for block in blocks]
    transform, velocity = np.zeros((3, n)), np.full((3, n), 0.5)
    columns = [rng.integers(0, 4, n), rng.permutation(n), rng.permutation(n), rng.permutation(n), rng.permutation(n)]
    rows = np.stack(columns, axis=1).astype(np.int32)
    rows[::3, 3] = -1
    output = np.empty((2, n))
    step_trajectories(as_given(blocks), transform, velocity, rows, 0.25, output)
    for kind, k, t, v, owner in rows.tolist():
        fields = before[kind][:, k].tolist()
        expected, _, motion, elapsed = run(kind, tuple(fields[:-1]), 0.25, elapsed=fields[-1])
        assert transform[:2, t].tolist() == expected[:2]
        assert output[:, owner].tolist() == motion
        assert blocks[kind][-1, k] == elapsed
        if v >= 0:
            assert velocity[:, v].tolist() == [*motion, 0.5]
