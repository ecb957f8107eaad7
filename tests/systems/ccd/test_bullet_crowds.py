"""Bullets in crowds, and such as circle at absurd speeds: bounded work, and still nothing is passed."""

from __future__ import annotations

import time
from types import ModuleType

import esper
import numpy as np
import pytest
from kernels_of_tests import as_python

import ecsphys
from ecsphys import (
    AABBCollider,
    Bullet,
    CircleCollider,
    CircularTrajectory,
    OBBCollider,
    Transform,
    Velocity,
    spawn_many,
)
from ecsphys.engine.ccd import bullet_sweep

STEP = 1 / 60


def seconds_of_a_step() -> float:
    before = time.process_time()  # whatever else the machine does
    esper.process(STEP)
    return time.process_time() - before


def room(half: float) -> None:
    """Four thin walls round the origin."""
    for x, y in ((half, 0.0), (-half, 0.0), (0.0, half), (0.0, -half)):
        esper.create_entity(Transform(x, y), AABBCollider(0.01 if x else half + 0.01, 0.01 if y else half + 0.01))


@pytest.mark.parametrize("alternating", [False, True])
def test_hundreds_of_fast_bullets_in_one_line_take_a_moment(alternating: bool) -> None:
    """A step of theirs took six to seventeen seconds."""
    physics = ecsphys.install()
    esper.create_entity(Transform(-3.0, 0.0), AABBCollider(1.0, 5.0))
    esper.create_entity(Transform(550.0, 0.0), AABBCollider(1.0, 5.0))
    esper.process(STEP)
    sign = np.where(np.arange(500) % 2, -1.0, 1.0) if alternating else 1.0
    bullets = spawn_many(
        500,
        Transform.many(x=np.arange(500.0)),
        Velocity.many(x=14_000.0 * sign * np.ones(500)),
        CircleCollider.many(radius=0.2),
        Bullet.many(),
    )
    assert max(seconds_of_a_step() for _ in range(6)) < 2.5
    x = np.array([esper.component_for_entity(entity, Transform).x for entity in bullets.tolist()])
    assert (np.diff(x) > 0.4 - 1e-6).all()
    assert x[0] > -1.8 - 1e-6
    assert x[-1] < 548.8 + 1e-6
    assert len(physics.hits) >= 250


def test_a_bullet_that_circles_thousands_of_times_in_a_step_takes_a_moment() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(), CircularTrajectory(0, 0, 3, 1e6), OBBCollider(0.5, 0.2), Bullet(stop=False))
    angle = np.linspace(0.0, 6.0, 300)
    reach = np.where(np.arange(300) % 2, 2.0, 4.2)
    spawn_many(300, Transform.many(x=reach * np.cos(angle), y=reach * np.sin(angle)), CircleCollider.many(radius=0.2))
    esper.process(STEP)
    assert min(seconds_of_a_step() for _ in range(3)) < 0.25
    assert len(physics.hits) > 0


@pytest.fixture
def interpreted_sweep(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of the sweep, run by Python, so that its constants may be changed."""
    monkeypatch.setattr(bullet_sweep, "sweep_bullets", as_python(bullet_sweep, "sweep_bullets"))
    return bullet_sweep


@pytest.mark.parametrize("searches", [0, 1, 3, 10, 40])
def test_bullets_that_are_stopped_for_want_of_searches_have_passed_nothing_and_fly_on(
    searches: int, interpreted_sweep: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interpreted_sweep, "_MOST_SEARCHES", 0)
    monkeypatch.setattr(interpreted_sweep, "_SEARCHES_AT_LEAST", searches)
    physics = ecsphys.install()
    room(3.0)
    rng = np.random.default_rng(searches)
    bullets = [
        esper.create_entity(
            Transform(*rng.uniform(-2.5, 2.5, 2)), Velocity(*rng.normal(0.0, 900.0, 2)), CircleCollider(0.1), Bullet()
        )
        for _ in range(7)
    ]
    ghost = esper.create_entity(Transform(-20.0, 0.0), Velocity(2400.0, 0.0), CircleCollider(0.1), Bullet(stop=False))
    for step in range(4):
        esper.process(STEP)
        if step == 0:
            met = {hit.other(ghost) for hit in physics.hits.of(ghost)}
            assert len(met.difference(bullets)) == 2  # the walls to the left and to the right
            esper.delete_entity(ghost, immediate=True)
        places = np.array([(t.x, t.y) for t in (esper.component_for_entity(b, Transform) for b in bullets)])
        assert np.abs(places).max() < 2.99 - 0.1 + 1e-6
        apart = np.hypot(*(places[:, None] - places[None]).T) + 10.0 * np.eye(len(bullets))
        assert apart.min() > 0.2 - 1e-6
    # None is held for good: with searches enough each flies on until something has taken its velocity.
    monkeypatch.setattr(interpreted_sweep, "_SEARCHES_AT_LEAST", 10_000)
    for _ in range(60):
        esper.process(STEP)
    for bullet in bullets:
        velocity = esper.component_for_entity(bullet, Velocity)
        assert physics.hits.of(bullet) or np.hypot(velocity.x, velocity.y) < 1e-3
