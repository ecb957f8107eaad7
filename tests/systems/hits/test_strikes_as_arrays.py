"""``physics.hits.stronger_than``: the strikes that listeners are told, as arrays and without listeners."""

from __future__ import annotations

import copy

import esper
import numpy as np
import pytest
from python_calls import calls_while

import ecsphys
from ecsphys import AABBCollider, CircleCollider, HitListener, OBBCollider, RigidBody, Solid, Transform, Velocity
from ecsphys.types import Hit

STEP = 1 / 60


def thrown_bodies(seed: int) -> tuple[ecsphys.Physics, list[int]]:
    """A room in which bodies fly about, strike each other and the walls, and some are deleted."""
    physics = ecsphys.install(gravity=(0.0, -9.8))
    for x, y, half_width, half_height in ((0, -1, 12, 1), (-11, 6, 1, 8), (11, 6, 1, 8)):
        esper.create_entity(Transform(x, y), AABBCollider(half_width, half_height), Solid())
    random = np.random.default_rng(seed)
    bodies = []
    for k in range(24):
        shape = CircleCollider(random.uniform(0.2, 0.6)) if k % 2 else OBBCollider(*random.uniform(0.2, 0.6, 2))
        place, velocity = random.uniform((-9, 1), (9, 12)), random.uniform(-15, 15, 2)
        body = RigidBody(restitution=float(random.choice([0.0, 0.4, 0.9])))
        bodies.append(esper.create_entity(Transform(*place), Velocity(*velocity), shape, body))
    return physics, bodies


@pytest.mark.parametrize("seed", range(6))
def test_they_are_the_strikes_that_listeners_of_all_entities_are_told(seed: int) -> None:
    physics, bodies = thrown_bodies(seed)
    told: set[tuple[int, int, float]] = set()

    def note(hit: Hit) -> None:
        told.add((min(hit.entity_a, hit.entity_b), max(hit.entity_a, hit.entity_b), hit.strike_impulse))

    for body in bodies:
        esper.add_component(body, HitListener(on_impulse=note))
    count = 0
    for step in range(150):
        told.clear()
        if step % 40 == 39:
            esper.delete_entity(bodies[step // 40])
        esper.process(STEP)
        strikes = physics.hits.stronger_than(0.0)
        pairs = strikes.entity_a.tolist(), strikes.entity_b.tolist(), strikes.strike_impulse.tolist()
        assert sorted(zip(*pairs, strict=True)) == sorted(told)
        count += len(strikes)
    assert count > 50


def test_only_strikes_beyond_the_impulse_are_in_it() -> None:
    physics, _ = thrown_bodies(7)
    for _ in range(60):
        esper.process(STEP)
        every = physics.hits.stronger_than(0.0)
        strong = physics.hits.stronger_than(2.0)
        assert strong.strike_impulse.tolist() == every.strike_impulse[every.strike_impulse > 2.0].tolist()
        if len(every):
            most = float(every.strike_impulse.max())
            assert len(physics.hits.stronger_than(most)) == 0


def test_a_body_at_rest_has_none() -> None:
    physics = ecsphys.install(gravity=(0.0, -9.8))
    esper.create_entity(Transform(0, -1), AABBCollider(9, 1), Solid())
    esper.create_entity(Transform(0, 0.5), Velocity(), RigidBody(), CircleCollider(0.5))
    for _ in range(120):
        esper.process(STEP)
        assert len(physics.hits.stronger_than(0.0)) == 0


def test_the_rows_are_kept_when_the_next_step_is_made() -> None:
    physics, _ = thrown_bodies(3)
    kept = []
    for _ in range(60):
        esper.process(STEP)
        strikes = physics.hits.stronger_than(1.0)
        kept.append((strikes, copy.deepcopy(strikes.strike_impulse), [hit.entity_a for hit in strikes]))
    for strikes, impulses, entities in kept:
        assert strikes.strike_impulse.tolist() == impulses.tolist()
        assert strikes.entity_a.tolist() == entities


def test_without_bodies_there_are_none() -> None:
    physics = ecsphys.install()
    assert len(physics.hits.stronger_than(0.0)) == 0
    esper.create_entity(Transform(), CircleCollider(1))
    esper.create_entity(Transform(1, 0), CircleCollider(1))
    esper.process(STEP)
    assert len(physics.hits) == 1
    assert len(physics.hits.stronger_than(0.0)) == 0


@pytest.mark.parametrize(
    ("impulse", "error", "message"),
    [
        ("hard", TypeError, "impulse"),
        (None, TypeError, "impulse"),
        (-1.0, ValueError, "^impulse must be at least 0, got -1.0"),
        (float("nan"), ValueError, "impulse"),
        (float("inf"), ValueError, "impulse"),
    ],
)
def test_a_bad_impulse_is_refused(impulse: object, error: type[Exception], message: str) -> None:
    physics = ecsphys.install()
    with pytest.raises(error, match=message):
        physics.hits.stronger_than(impulse)  # type: ignore[arg-type]


def test_no_strikes_cost_a_few_calls_however_many_hits_there_are() -> None:
    physics = ecsphys.install()
    for k in range(100):
        esper.create_entity(Transform(1.5 * k), CircleCollider(1))
    esper.process(0.1)
    assert len(physics.hits) == 99
    assert calls_while(lambda: list(physics.hits.stronger_than(1.0))) < 60
