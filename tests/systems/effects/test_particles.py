"""Particles: emitters, bursts, flight and death in bulk (A6, A7)."""

from __future__ import annotations

import math
from typing import Any

import esper
import numpy as np
import pytest
from python_calls import calls_while

import ecsphys
from ecsphys import Transform, Velocity
from ecsphys.components.effects.light import Emitter, Splash
from ecsphys.systems.effects.particles import ParticleSystem, decay_weights, fly, normal_splash, uniform_splash
from ecsphys.systems.stage import Priority


def with_particles(seed: int = 0, gravity: tuple[float, float] = (0.0, -10.0)) -> ParticleSystem:
    particles = ParticleSystem(ecsphys.install(gravity=gravity), seed)
    esper.add_processor(particles, priority=Priority.PARTICLE)
    return particles


def test_a_uniform_burst_fills_its_box_evenly() -> None:
    particles = with_particles()
    particles.burst(5, 6, 20_000, Emitter(vx=1, vy=2, vx_spread=3, vy_spread=0.5, style=4))
    assert particles.position.shape == particles.velocity.shape == (20_000, 2)
    assert (particles.position == (5, 6)).all()
    offset = particles.velocity - (1, 2)
    assert (np.abs(offset) <= (3, 0.5)).all()
    assert np.abs(offset).max(axis=0) == pytest.approx((3, 0.5), rel=1e-3)
    assert offset.mean(axis=0) == pytest.approx((0, 0), abs=0.06)
    assert offset.var(axis=0) == pytest.approx((3.0, 0.5**2 / 3), rel=0.05)
    assert (particles.age == 0).all()
    assert (particles.lifetime == 1).all()
    assert (particles.style == 4).all()


def test_a_normal_burst_is_a_round_cloud() -> None:
    particles = with_particles()
    style = Emitter(vx=1, vy=2, vx_spread=3, vy_spread=3, splash=Splash.NORMAL)
    particles.burst(0, 0, 20_000, style)
    offset = particles.velocity - (1, 2)
    assert offset.mean(axis=0) == pytest.approx((0, 0), abs=0.1)
    assert offset.std(axis=0) == pytest.approx((3, 3), rel=0.03)
    length = np.hypot(*offset.T)
    # Of a Rayleigh distribution: within σ 39.3 %, within 3σ 98.9 %.
    assert (length < 3).mean() == pytest.approx(1 - math.exp(-0.5), abs=0.015)
    assert (length < 9).mean() == pytest.approx(1 - math.exp(-4.5), abs=0.005)


def test_a_burst_turns_and_spreads_over_its_area() -> None:
    particles = with_particles()
    style = Emitter(vx=2, vx_spread=0, vy_spread=0, half_width=4, lifetime=2, lifetime_spread=0.5)
    particles.burst(1, 1, 5000, style, angle=math.pi / 2)
    assert particles.velocity == pytest.approx(np.full((5000, 2), (0.0, 2.0)), abs=1e-12)
    assert particles.position[:, 0] == pytest.approx(np.ones(5000), abs=1e-12)
    assert np.abs(particles.position[:, 1] - 1).max() == pytest.approx(4, rel=0.01)
    assert particles.lifetime.min() == pytest.approx(1.5, abs=0.01)
    assert particles.lifetime.max() == pytest.approx(2.5, abs=0.01)


@pytest.mark.parametrize("steps", [1, 7, 60])
def test_particles_fall_exactly_whatever_the_step(steps: int) -> None:
    particles = with_particles()
    particles.burst(0, 0, 1, Emitter(vx=3, vy=4, vx_spread=0, vy_spread=0, lifetime=9, gravity_scale=0.5))
    for _ in range(steps):
        esper.process(2.0 / steps)
    assert particles.position[0] == pytest.approx((6.0, 4 * 2 - 5 * 2**2 / 2))
    assert particles.velocity[0] == pytest.approx((3.0, 4 - 5 * 2))


@pytest.mark.parametrize("steps", [1, 60])
def test_drag_is_exact_too(steps: int) -> None:
    particles = with_particles()
    particles.burst(0, 0, 1, Emitter(vx=3, vx_spread=0, vy_spread=0, lifetime=9, gravity_scale=1, drag=0.7))
    for _ in range(steps):
        esper.process(2.0 / steps)
    decay = math.exp(-1.4)
    assert particles.velocity[0] == pytest.approx((3 * decay, -10 / 0.7 * (1 - decay)))
    assert particles.position[0] == pytest.approx((3 * (1 - decay) / 0.7, -10 / 0.7 * (2 - (1 - decay) / 0.7)))


def test_flight_without_and_with_next_to_no_drag_agree() -> None:
    results = []
    for drag in (0.0, 1e-12):
        position, velocity = np.zeros((1, 2)), np.ones((1, 2))
        fly(position, velocity, np.full((1, 2), -9.8), np.array([drag]), 3.0)
        results.append(np.concatenate((position, velocity)))
    assert results[0] == pytest.approx(results[1], rel=1e-11)


def test_the_weights_of_the_decay_are_precise_on_both_sides_of_the_series() -> None:
    for z in (0.0, 1e-9, 0.00999, 0.01, 0.0101, 0.5, 40.0):
        # Σ (−z)ᵏ/(k + 1)! and Σ (−z)ᵏ/(k + 2)! where they converge without cancellation.
        first, second = (float(weight[0]) for weight in decay_weights(np.array([z])))
        if z < 1:
            assert first == pytest.approx(sum((-z) ** k / math.factorial(k + 1) for k in range(25)), rel=1e-15)
            assert second == pytest.approx(sum((-z) ** k / math.factorial(k + 2) for k in range(25)), rel=1e-13)
        else:
            assert (first, second) == pytest.approx(((1 - math.exp(-z)) / z, (1 - first) / z))


def test_particles_die_in_bulk_and_the_rest_keep_their_order() -> None:
    particles = with_particles()
    particles.burst(0, 0, 1000, Emitter(lifetime=0.5, style=1))
    particles.burst(0, 0, 500, Emitter(lifetime=2.0, style=2))
    particles.burst(0, 0, 200, Emitter(lifetime=0.5, style=3))
    particles.burst(0, 0, 100, Emitter(lifetime=1.0, style=4))
    survivors = particles.velocity[particles.lifetime > 0.5].copy()
    esper.process(0.5)
    assert len(particles) == 600
    assert particles.style.tolist() == [2] * 500 + [4] * 100
    assert (particles.velocity == survivors).all()
    esper.process(0.5)
    assert particles.style.tolist() == [2] * 500
    particles.clear()
    assert len(particles) == 0


def test_a_step_of_no_time_changes_nothing() -> None:
    particles = with_particles()
    esper.create_entity(Transform(), Emitter(rate=1000, due=0.5))
    particles.burst(1, 2, 10, Emitter(gravity_scale=1, drag=1))
    before = particles.velocity.copy()
    esper.process(0.0)
    assert len(particles) == 10
    assert (particles.position == (1, 2)).all()
    assert (particles.velocity == before).all()


@pytest.mark.parametrize("rate", [0.4, 7.0, 60.0, 61.3, 1234.5])
def test_an_emitter_keeps_its_rate_over_many_steps(rate: float) -> None:
    particles = with_particles()
    emitter = Emitter(rate=rate, lifetime=1e9)
    esper.create_entity(Transform(), emitter)
    for step in range(1, 301):
        esper.process(1 / 60)
        assert len(particles) + emitter.due == pytest.approx(rate * step / 60)
    assert 0 <= emitter.due < 1


def test_births_are_spread_evenly_over_the_step() -> None:
    particles = with_particles()
    esper.create_entity(Transform(2, 3), Emitter(rate=8, vx=5, vx_spread=0, vy_spread=0, lifetime=9, due=0.5))
    esper.process(0.5)
    # The first is due after half of 1/8 s, the last half of it before the end.
    assert particles.age.tolist() == pytest.approx([0.4375, 0.3125, 0.1875, 0.0625])
    assert particles.position[:, 0] == pytest.approx(2 + 5 * particles.age)


def test_a_moving_emitter_leaves_an_even_trail() -> None:
    particles = with_particles()
    esper.create_entity(Transform(), Velocity(6, 3), Emitter(rate=40, vx_spread=0, vy_spread=0, lifetime=9))
    esper.create_entity(Transform(0, 100), Emitter(rate=10, vx_spread=0, vy_spread=0, lifetime=9))
    for _ in range(4):
        esper.process(0.25)
    trail = particles.position[particles.position[:, 1] < 50]
    assert trail[:, 0] == pytest.approx(6 * np.arange(1, 41) / 40)
    assert trail[:, 1] == pytest.approx(3 * np.arange(1, 41) / 40)
    assert (particles.position[particles.position[:, 1] > 50] == (0, 100)).all()


def test_particles_outlive_their_emitter_and_stay_where_they_fly() -> None:
    particles = with_particles()
    place = Transform(1, 1, math.pi)
    entity = esper.create_entity(place, Emitter(rate=100, vx=1, vx_spread=0, vy_spread=0, lifetime=1))
    esper.process(0.1)
    assert len(particles) == 10
    assert particles.velocity[:, 0] == pytest.approx(-np.ones(10))
    esper.delete_entity(entity, immediate=True)
    esper.process(0.1)
    assert len(particles) == 10
    esper.process(1.0)
    assert len(particles) == 0


def run(seed: int) -> Any:
    particles = with_particles(seed)
    esper.create_entity(Transform(), Emitter(rate=333, splash=Splash.NORMAL, lifetime=0.3, lifetime_spread=0.2))
    esper.create_entity(Transform(5, 5), Emitter(rate=77, half_width=1, drag=2, gravity_scale=1))
    for step in range(60):
        if step % 20 == 0:
            particles.burst(1, 1, 50, Emitter())
        esper.process(1 / 60)
    return np.column_stack((particles.position, particles.velocity, particles.age, particles.lifetime))


def test_equal_seeds_give_equal_particles() -> None:
    esper.switch_world("first")
    first = run(3)
    esper.switch_world("second")
    second = run(3)
    esper.switch_world("third")
    other = run(4)
    assert first.tobytes() == second.tobytes()
    assert first.tobytes() != other.tobytes()


def test_a_burst_in_a_hit_handler_is_seen_at_the_hit_before_it_flies() -> None:
    particles = with_particles()
    esper.create_entity(Transform(), ecsphys.CircleCollider(1))
    esper.create_entity(Transform(1, 0), ecsphys.CircleCollider(1))

    def splash(hit: ecsphys.types.Hit) -> None:
        particles.burst(*hit.points[0], 30, Emitter())

    esper.set_handler("hit_started", splash)
    esper.process(1 / 60)
    assert len(particles) == 30
    assert np.unique(particles.position, axis=0).shape == (1, 2)


@pytest.mark.parametrize("splash", list(Splash))
def test_birth_flight_and_death_run_no_python_for_each_particle(splash: Splash) -> None:
    def calls_of(count: int) -> int:
        esper.switch_world(f"{count} particles")
        particles = with_particles()
        style = Emitter(splash=splash, lifetime=0.1, lifetime_spread=0.05, gravity_scale=1, drag=1)
        particles.burst(0, 0, count, style)

        def live() -> None:
            particles.burst(0, 0, count, style)
            for _ in range(10):
                esper.process(1 / 60)

        calls = calls_while(live)
        assert len(particles) == 0
        return calls

    assert calls_of(2000) - calls_of(20) < 1000


def test_bad_bursts_and_emitters_are_refused() -> None:
    particles = with_particles()
    wrong: Any = 1.5
    with pytest.raises(TypeError):
        particles.burst(0, 0, wrong, Emitter())
    with pytest.raises(ValueError, match=r"^count must be 0 to"):
        particles.burst(0, 0, -1, Emitter())
    with pytest.raises(ValueError, match=r"^x must be finite"):
        particles.burst(math.nan, 0, 1, Emitter())
    no_style: Any = Transform()
    with pytest.raises(TypeError, match=r"^style must be an Emitter"):
        particles.burst(0, 0, 1, no_style)
    with pytest.raises(ValueError, match=r"Emitter\.splash"):
        Emitter(splash=2)
    with pytest.raises(ValueError, match=r"Emitter\.lifetime must be greater than 0"):
        Emitter(lifetime=0)
    particles.burst(0, 0, 0, Emitter())
    assert len(particles) == 0


@pytest.mark.parametrize("dt", [1e9, 1e300, 1.7e308])
def test_an_endless_step_makes_no_more_particles_than_live_at_its_end(dt: float) -> None:
    particles = with_particles()
    esper.create_entity(Transform(), emitter := Emitter(rate=100, lifetime=2, lifetime_spread=0.5))
    esper.process(5.0)
    esper.process(dt)
    assert 100 <= len(particles) <= 251
    assert 0.0 <= particles.age.min() < 0.01
    assert (particles.age < particles.lifetime).all()
    assert np.diff(particles.age).max() < 0.0, "the oldest first"
    assert 0.0 <= emitter.due < 1.0
    assert np.isfinite(particles.position).all()


def test_too_many_births_stop_the_step_before_particles_move() -> None:
    particles = with_particles()
    particles.burst(0, 0, 1, Emitter(vx=1, lifetime=100))
    esper.create_entity(Transform(), emitter := Emitter(rate=1e6, lifetime=1e9))
    with pytest.raises(ValueError, match=r"^the emitters would make 1e\+09 particles in a step of 1000\.0 s"):
        esper.process(1000.0)
    assert (len(particles), particles.age[0], emitter.due) == (1, 0.0, 0.0)
    with pytest.raises(ValueError, match=r"^count must be 0 to"):
        particles.burst(0, 0, 10**400, Emitter())


def test_a_bad_value_in_a_column_stops_the_step_before_particles_move() -> None:
    particles = with_particles()
    entity = esper.create_entity(Transform(), Emitter(rate=100))
    particles.burst(0, 0, 5, Emitter(vx=1))
    Emitter.column("rate")[ecsphys.join(Emitter)[1]] = math.nan
    with pytest.raises(ValueError, match=f"entity {entity}: Emitter.rate must be finite"):
        esper.process(0.1)
    assert (particles.position == 0).all()


COUNT = 200_000


def generator() -> np.random.Generator:
    return np.random.default_rng(12345)


class FixedUniform:
    """A generator that gives the ends of its range."""

    def __init__(self, value: float) -> None:
        self.value = value

    def random(self, count: int) -> Any:
        return np.full(count, self.value)


LAST_BELOW_ONE = math.nextafter(1.0, 0.0)


def test_uniform_has_bounds_mean_and_variance() -> None:
    a, b = -3.0, 5.0
    values = uniform_splash(generator(), a, b, COUNT)
    assert values.shape == (COUNT,)
    assert a <= values.min() < a + 1e-3
    assert b - 1e-3 < values.max() <= b
    # The standard errors are 0.005 and about 0.011.
    assert values.mean() == pytest.approx((a + b) / 2, abs=0.025)
    assert values.var() == pytest.approx((b - a) ** 2 / 12, abs=0.05)


def test_uniform_fills_every_stretch_evenly_where_integers_modulo_a_range_clump() -> None:
    """The original's ``rand() % 100`` in place of a real: as many values as the range is long, low ones favoured."""
    bins = 1000
    expected = COUNT / bins
    ours = uniform_splash(generator(), 0.0, 100.0, COUNT)
    original = generator().integers(0, 2**15, COUNT) % 100
    our_counts, their_counts = (np.histogram(values, bins, (0.0, 100.0))[0] for values in (ours, original))
    # χ² of 999 degrees of freedom has mean 999 and σ = 45.
    assert ((our_counts - expected) ** 2 / expected).sum() < 999 + 5 * 45
    assert np.unique(ours).size == COUNT
    assert np.unique(original).size == 100
    assert (their_counts == 0).sum() == 900
    # 2¹⁵ = 327·100 + 68: a range that does not divide it favours the values below 68 besides.
    favoured = np.bincount(generator().integers(0, 2**8, COUNT) % 100, minlength=100)
    assert favoured[:56].mean() / favoured[56:].mean() == pytest.approx(3 / 2, rel=0.02)


def test_uniform_at_the_ends_of_the_generators_range_stays_in_its_bounds() -> None:
    first: Any = FixedUniform(0.0)
    last: Any = FixedUniform(LAST_BELOW_ONE)
    assert uniform_splash(first, 0.1, 0.3, 1).tolist() == [0.1]
    assert 0.1 <= uniform_splash(last, 0.1, 0.3, 1)[0] <= 0.3
    assert uniform_splash(generator(), 2.5, 2.5, 3).tolist() == [2.5] * 3
    assert np.isfinite(uniform_splash(generator(), -1.7e308, 1.7e308, 100)).all()


def test_bounds_and_moments_may_be_arrays() -> None:
    low = np.array([0.0, 10.0, 20.0])
    values = uniform_splash(generator(), low, low + 1.0, 3)
    assert ((values >= low) & (values <= low + 1.0)).all()
    assert normal_splash(generator(), low, np.zeros(3), 3).tolist() == low.tolist()


def test_normal_has_mean_sigma_and_tails() -> None:
    values = (normal_splash(generator(), 7.0, 2.0, COUNT) - 7.0) / 2.0
    assert values.mean() == pytest.approx(0.0, abs=5 / math.sqrt(COUNT))
    assert values.std() == pytest.approx(1.0, abs=5 / math.sqrt(2 * COUNT))
    assert (values**3).mean() == pytest.approx(0.0, abs=0.03)
    assert (values**4).mean() == pytest.approx(3.0, abs=0.1)
    for sigmas in (1.0, 2.0, 3.0, 4.0):
        beyond = math.erfc(sigmas / math.sqrt(2.0))
        error = 5 * math.sqrt(COUNT * beyond)
        assert (np.abs(values) > sigmas).sum() == pytest.approx(COUNT * beyond, abs=error)


def test_the_two_numbers_of_a_pair_are_independent() -> None:
    values = normal_splash(generator(), 0.0, 1.0, COUNT)
    cosines, sines = values[: COUNT // 2], values[COUNT // 2 :]
    assert np.corrcoef(cosines, sines)[0, 1] == pytest.approx(0.0, abs=0.016)
    assert np.corrcoef(cosines**2, sines**2)[0, 1] == pytest.approx(0.0, abs=0.016)


def test_box_muller_follows_the_formula() -> None:
    a = 1.0 - generator().random(50)
    rng = generator()
    rng.random(50)
    b = rng.random(50)
    values = normal_splash(generator(), 0.0, 1.0, 100)
    # numpy's own functions differ from ours, and between processors, in the last bits.
    expected = np.sqrt(-2 * np.log(a)) * (np.cos(math.tau * b), np.sin(math.tau * b))
    np.testing.assert_allclose(values, expected.reshape(-1), rtol=1e-14, atol=2e-15)


def test_the_logarithm_never_meets_zero() -> None:
    first: Any = FixedUniform(0.0)
    last: Any = FixedUniform(LAST_BELOW_ONE)
    assert normal_splash(first, 3.0, 1.0, 2).tolist() == [3.0, 3.0]
    extreme = normal_splash(last, 0.0, 1.0, 2)
    assert np.isfinite(extreme).all()
    assert np.abs(extreme).max() == pytest.approx(math.sqrt(2 * 53 * math.log(2)), rel=1e-9)


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_any_count_even_or_odd(count: int) -> None:
    assert normal_splash(generator(), 0.0, 1.0, count).shape == (count,)
    assert uniform_splash(generator(), 0.0, 1.0, count).shape == (count,)


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(ValueError, match="low <= high"):
        uniform_splash(generator(), 1.0, 0.0, 1)
    with pytest.raises(ValueError, match="sigma >= 0"):
        normal_splash(generator(), 0.0, -1.0, 1)
