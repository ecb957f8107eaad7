"""Stepped motion against closed forms, and the errors each method is known to make (A1, A4, A9, A10)."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecsphys.engine.motion.euler_motion import (
    EXPLICIT,
    SEMI_IMPLICIT,
    VERLET,
    ForceBlocks,
    StepSettings,
    step_euler,
)

FORCES = ["acceleration", "gravity", "spring", "orbit", "drag"]
METHODS = [EXPLICIT, SEMI_IMPLICIT, VERLET]
NAMES = ["explicit", "semi-implicit", "verlet"]


@dataclass
class Body:
    """One entity: each tuple is a component's fields, None where it lacks the component."""

    transform: tuple[float, ...] = (0.0, 0.0, 0.0)
    velocity: tuple[float, ...] = (0.0, 0.0, 0.0)
    acceleration: tuple[float, ...] | None = None
    gravity: tuple[float, ...] | None = None
    spring: tuple[float, ...] | None = None
    orbit: tuple[float, ...] | None = None
    drag: tuple[float, ...] | None = None
    world_gravity: tuple[float, float] = (0.0, 0.0)

    def run(self, dt: float, method: int, substeps: int = 1, steps: int = 1) -> list[float]:
        """x, y, angle, vx, vy, angular after some steps."""
        components = [
            self.transform,
            self.velocity,
            self.acceleration,
            self.gravity,
            self.spring,
            self.orbit,
            self.drag,
        ]
        # Row 2 of three, so that a wrong row shows.
        blocks = [np.full((5, 3), 1e6) if c is None else np.full((len(c), 3), 1e6) for c in components]
        rows = np.full((len(components), 1), -1, np.int32)
        for k, (block, values) in enumerate(zip(blocks, components, strict=True)):
            if values is not None:
                block[:, 2] = values
                rows[k, 0] = 2
        for _ in range(steps):
            step = StepSettings(*self.world_gravity, dt, substeps, method)
            step_euler(blocks[0], ForceBlocks(*blocks[1:]), rows, 0, 1, step)
        for block in blocks:
            assert (block[:, :2] == 1e6).all()
        return [float(v) for v in (*blocks[0][:, 2], *blocks[1][:, 2])]


def falling(gravity: float) -> Body:
    return Body(gravity=(1.0,), world_gravity=(0.0, gravity))


@pytest.mark.parametrize("method", METHODS, ids=NAMES)
@pytest.mark.parametrize("substeps", [1, 7])
def test_uniform_motion_goes_to_start_plus_velocity_times_time(method: int, substeps: int) -> None:
    body = Body((1.0, -2.0, 0.5), (3.0, -4.0, 0.25))
    x, y, angle, vx, vy, angular = body.run(1 / 64, method, substeps, steps=640)
    assert (x, y, angle) == (31.0, -42.0, 3.0)
    assert (vx, vy, angular) == (3.0, -4.0, 0.25)


@pytest.mark.parametrize("n", [1, 2, 10, 100])
def test_gravity_in_unit_steps_errs_by_half_g_n_in_the_known_direction(n: int) -> None:
    g = -9.5
    exact = 0.5 * g * n * n
    assert falling(g).run(1.0, EXPLICIT, steps=n)[1] == exact - 0.5 * g * n
    assert falling(g).run(1.0, SEMI_IMPLICIT, steps=n)[1] == exact + 0.5 * g * n
    assert falling(g).run(1.0, VERLET, steps=n)[1] == exact


@pytest.mark.parametrize(("method", "sign"), [(EXPLICIT, -1.0), (SEMI_IMPLICIT, 1.0)], ids=NAMES[:2])
def test_the_error_under_gravity_shrinks_as_one_over_the_substeps(method: int, sign: float) -> None:
    g, n = -10.0, 8
    for substeps in (1, 2, 4, 64):
        y = falling(g).run(1.0, method, substeps, steps=n)[1]
        assert y == 0.5 * g * n * n + sign * 0.5 * g * n / substeps


@pytest.mark.parametrize("substeps", [1, 3])
def test_verlet_is_exact_for_any_constant_acceleration(substeps: int) -> None:
    body = Body(
        (1.0, 2.0, 3.0), (4.0, 5.0, 6.0), acceleration=(0.5, -1.0, 2.0), gravity=(0.5,), world_gravity=(1.0, -8.0)
    )
    x, y, angle, vx, vy, angular = body.run(0.7, VERLET, substeps, steps=10)
    t = 7.0
    assert (x, y) == pytest.approx((1 + 4 * t + 0.5 * t * t, 2 + 5 * t - 2.5 * t * t))
    assert angle == pytest.approx(3 + 6 * t + t * t)
    assert (vx, vy, angular) == pytest.approx((4 + t, 5 - 5 * t, 6 + 2 * t))


@pytest.mark.parametrize("method", METHODS, ids=NAMES)
def test_one_substep_is_the_written_formula(method: int) -> None:
    rng = np.random.default_rng(method)
    for _ in range(20):
        x, v, a, scale, g, anchor, k, c, center, w, rate = rng.normal(0, 2, 11)
        k, c, rate = abs(k), abs(c), abs(rate)
        mass = rng.uniform(0.5, 3)
        h = 0.125
        body = Body(
            (x, 0.0, 0.0),
            (v, 0.0, 0.0),
            (a, 0.0, 0.0),
            (scale,),
            (anchor, 0.0, k, mass, c),
            (center, 0.0, w),
            (rate, 0.0),
            (g, 0.0),
        )

        def force(
            x: float,
            v: float,
            constants: tuple[float, ...] = (a + scale * g, anchor, k, c, mass, center, w),
        ) -> float:
            constant, anchor, k, c, mass, center, w = constants
            return constant - (k * (x - anchor) + c * v) / mass - w * w * (x - center)

        if method == EXPLICIT:
            expected = x + v * h, v + force(x, v) * h
        elif method == SEMI_IMPLICIT:
            v_new = v + force(x, v) * h
            expected = x + v_new * h, v_new
        else:
            a_old = force(x, v)
            x_new = x + v * h + 0.5 * a_old * h * h
            expected = x_new, v + 0.5 * (a_old + force(x_new, v + a_old * h)) * h
        result = body.run(h, method)
        assert result[0] == pytest.approx(expected[0], rel=1e-12, abs=1e-12)
        assert result[3] == pytest.approx(expected[1] * math.exp(-rate * h), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("method", METHODS, ids=NAMES)
def test_the_axes_do_not_mix(method: int) -> None:
    def body(x: float, y: float) -> Body:
        return Body(
            (x, y, 0.0), (y, x, 0.0), (x, y, 0.0), (1.0,), (y, x, 2.0, 1.5, 0.3), (x, y, 1.5), (0.2, 0.1), (y, x)
        )

    one = body(0.75, -1.25).run(0.1, method, 3, 5)
    other = body(-1.25, 0.75).run(0.1, method, 3, 5)
    assert (one[0], one[1], one[3], one[4]) == (other[1], other[0], other[4], other[3])


@pytest.mark.parametrize("method", METHODS, ids=NAMES)
@pytest.mark.parametrize("substeps", [1, 10])
def test_drag_is_exact_for_the_velocity(method: int, substeps: int) -> None:
    body = Body(velocity=(8.0, -4.0, 2.0), drag=(0.7, 1.9))
    _, _, _, vx, vy, angular = body.run(0.05, method, substeps, steps=40)
    assert (vx, vy) == pytest.approx((8 * math.exp(-1.4), -4 * math.exp(-1.4)), rel=1e-12)
    assert angular == pytest.approx(2 * math.exp(-3.8), rel=1e-12)


@pytest.mark.parametrize("method", METHODS, ids=NAMES)
def test_a_step_of_no_time_changes_no_bit(method: int) -> None:
    body = Body((-0.0, 1e300, -0.0), (1e-310, -0.0, 3.0), (1.0, 1.0, 1.0), (1.0,), (9.0, 9.0, 9.0, 1.0, 9.0), (9, 9, 9))
    body.drag = (5.0, 5.0)
    expected = np.array([*body.transform, *body.velocity])
    assert np.array(body.run(0.0, method, 4, 3)).tobytes() == expected.tobytes()
    body = Body((-0.0, -0.0, -0.0), (1.0, 1.0, 1.0))
    assert np.array(body.run(0.0, method)).tobytes() == np.array([*body.transform, *body.velocity]).tobytes()


def orbit_radius(method: int, substeps: int, turns: float) -> float:
    """Radius about the centre after some turns with 64 steps each, from a circle of radius 2 (A9)."""
    omega = 2 * math.pi
    body = Body((5.0, 1.0, 0.0), (0.0, 2 * omega, 0.0), orbit=(3.0, 1.0, omega))
    x, y, *_ = body.run(1 / 64, method, substeps, steps=round(turns * 64))
    return math.hypot(x - 3.0, y - 1.0)


def test_circular_motion_by_force_keeps_its_radius_as_well_as_the_method_can() -> None:
    # Explicit multiplies the squared radius by 1 + (ωh)² in each step, exactly: x + iv/ω is turned and stretched.
    growth = math.sqrt(1 + (2 * math.pi / 64) ** 2) ** (64 * 3)
    assert orbit_radius(EXPLICIT, 1, 3) == pytest.approx(2 * growth, rel=1e-12)
    # The two others stay within a band that does not widen with time: first and second order in ωh ≈ 0.1.
    for turns in (0.2, 1.7, 3.3, 20.6, 300.45):
        assert abs(orbit_radius(SEMI_IMPLICIT, 1, turns) / 2 - 1) < 0.1
        assert abs(orbit_radius(VERLET, 1, turns) / 2 - 1) < 0.005


@pytest.mark.parametrize(("method", "order"), [(EXPLICIT, 1), (SEMI_IMPLICIT, 1), (VERLET, 2)], ids=NAMES)
def test_analytic_and_stepped_spring_agree_as_the_step_goes_to_zero(method: int, order: int) -> None:
    mass, stiffness, damping, t = 2.0, 18.0, 1.2, 1.5
    body = Body((1.4, 0.0, 0.0), (0.5, 0.0, 0.0), spring=(1.0, 0.0, stiffness, mass, damping))
    omega = math.sqrt(stiffness / mass)
    zeta = damping / (2 * mass * omega)
    omega_d = omega * math.sqrt(1 - zeta * zeta)
    s = (0.5 + zeta * omega * 0.4) / omega_d
    exact = 1.0 + math.exp(-zeta * omega * t) * (0.4 * math.cos(omega_d * t) + s * math.sin(omega_d * t))
    errors = [abs(body.run(t, method, substeps)[0] - exact) for substeps in (100, 1000, 10000)]
    for coarse, fine in itertools.pairwise(errors):
        assert math.log10(coarse / fine) == pytest.approx(order, abs=0.1)


@pytest.mark.parametrize("method", METHODS, ids=NAMES)
def test_ten_substeps_beat_one(method: int) -> None:
    body = Body((3.0, -1.0, 0.0), (0.0, 2.0, 0.0), spring=(0.0, 0.0, 4.0, 1.0, 0.0), acceleration=(0.5, 0.0, 0.0))
    # ω = 2 about the resting point (1/8, 0).
    t = 2.5
    exact_x = 0.125 + 2.875 * math.cos(2 * t)
    exact_y = -math.cos(2 * t) + math.sin(2 * t)
    errors = []
    for substeps in (1, 10, 100):
        x, y, *_ = body.run(t / 50, method, substeps, steps=50)
        errors.append(math.hypot(x - exact_x, y - exact_y))
    assert errors[0] > 8 * errors[1] > 64 * errors[2]


@pytest.mark.parametrize(("method", "low", "high"), [(SEMI_IMPLICIT, 0.9, 1.1), (VERLET, 0.99, 1.01)], ids=NAMES[1:])
def test_energy_of_a_spring_does_not_drift(method: int, low: float, high: float) -> None:
    for steps in (1000, 1013, 10007):
        x, _, _, v, _, _ = Body((1.0, 0.0, 0.0), spring=(0.0, 0.0, 1.0, 1.0, 0.0)).run(0.1, method, steps=steps)
        assert low < x * x + v * v < high
    x, _, _, v, _, _ = Body((1.0, 0.0, 0.0), spring=(0.0, 0.0, 1.0, 1.0, 0.0)).run(0.1, EXPLICIT, steps=1000)
    assert x * x + v * v == pytest.approx(1.01**1000, rel=1e-9)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 127), st.sampled_from(METHODS), st.integers(1, 4))
def test_an_absent_component_is_as_good_as_one_without_effect(present: int, method: int, substeps: int) -> None:
    neutral: list[tuple[float, ...]] = [(0, 0, 0), (0,), (3, 4, 0, 2, 0), (5, 6, 0), (0, 0)]
    acting: list[tuple[float, ...]] = [(1, 2, 3), (2,), (3, 4, 5, 2, 1), (5, 6, 1.5), (0.5, 0.25)]
    full: dict[str, Any] = {}
    sparse: dict[str, Any] = {}
    for k, name in enumerate(FORCES):
        has = bool(present >> k & 1)
        full[name] = acting[k] if has else neutral[k]
        sparse[name] = acting[k] if has else None
    start = ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))
    one = Body(*start, **full, world_gravity=(0.5, -9.0)).run(0.25, method, substeps, 3)
    other = Body(*start, **sparse, world_gravity=(0.5, -9.0)).run(0.25, method, substeps, 3)
    assert one == pytest.approx(other, rel=1e-13, abs=1e-13)


def test_each_entity_uses_its_own_rows() -> None:
    rng = np.random.default_rng(0)
    n = 50
    sizes = [3, 3, 3, 1, 5, 3, 2]
    blocks = [rng.uniform(0.5, 1.5, (size, 2 * n)) for size in sizes]
    rows = np.stack([rng.permutation(2 * n)[:n] for _ in sizes], axis=1, dtype=np.int32)
    rows[:, 2:][rng.random((n, 5)) < 0.5] = -1
    before = [block.copy() for block in blocks]
    step_euler(
        blocks[0],
        ForceBlocks(*blocks[1:]),
        np.ascontiguousarray(rows.T),
        0,
        n,
        StepSettings(0.25, -9.0, 0.1, 3, VERLET),
    )
    for i in range(n):
        components: dict[str, Any] = {
            name: tuple(before[k][:, rows[i, k]].tolist()) if rows[i, k] >= 0 else None
            for k, name in enumerate(["transform", "velocity", *FORCES])
        }
        single = Body(**components, world_gravity=(0.25, -9.0)).run(0.1, VERLET, 3)
        assert single == [*blocks[0][:, rows[i, 0]].tolist(), *blocks[1][:, rows[i, 1]].tolist()]
