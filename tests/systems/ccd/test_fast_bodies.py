"""Bodies that are no bullets, and so fast that they would pass through what is solid."""

from __future__ import annotations

import esper
import numpy as np
import pytest
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import CircleCollider, Hit, OBBCollider, RigidBody, Solid, Transform, Velocity

DT = 1.0 / 60.0


def thrown_among_resting_walls(poison: float) -> NDArray[float64]:
    """Where balls end that fly among walls which have rested for long; scratch memory holds some number first."""
    esper.switch_world(f"walls {poison}")
    physics = ecsphys.install()
    walls = [
        esper.create_entity(Transform(4.0 * k, 6.0 * row), OBBCollider(0.02, 3.0, angle=0.3), Solid())
        for k in range(12)
        for row in range(8)
    ]
    steps = 30
    for _ in range(steps):
        esper.process(DT)
    random = np.random.default_rng(2)
    balls = [
        esper.create_entity(
            Transform(*random.uniform((1.0, 0.0), (3.0, 40.0)).tolist()),
            Velocity(*random.uniform(-400.0, 400.0, 2).tolist()),
            CircleCollider(0.3),
            RigidBody(restitution=0.9, friction=0.0),
        )
        for _ in range(8)
    ]
    for _ in range(steps):
        physics.state.starts.room()[:] = poison
        esper.process(DT)
    assert len(walls) == 96
    return np.array([(t.x, t.y) for t in (esper.component_for_entity(ball, Transform) for ball in balls)])


def test_what_memory_held_before_makes_no_difference() -> None:
    expected = thrown_among_resting_walls(0.0)
    for poison in (1e6, np.nan):
        np.testing.assert_array_equal(thrown_among_resting_walls(poison), expected)


@pytest.mark.parametrize("speed", [40.0, 150.0, 600.0])
def test_the_hit_of_a_stopped_body_comes_in_that_step_with_its_time_and_speed(speed: float) -> None:
    ecsphys.install()
    esper.create_entity(Transform(10.0, 0.0), OBBCollider(0.02, 5.0), Solid())
    ball = esper.create_entity(Transform(9.3 - speed * DT, 0.0), Velocity(speed, 0.0), CircleCollider(0.3), RigidBody())
    told: list[Hit] = []

    def note(hit: Hit) -> None:
        told.append(hit)

    esper.set_handler("hit_started", note)
    x = []
    while not told and len(x) < 10:
        x.append(esper.component_for_entity(ball, Transform).x)
        esper.process(DT)
    (hit,) = told
    # The hit is told in the step in which the surfaces meet.
    assert x[-1] + hit.time * speed * DT == pytest.approx(9.68, abs=0.01)
    assert hit.approach_speed == pytest.approx(speed, rel=1e-9)
    assert 0.0 < hit.time <= 1.0
    assert esper.component_for_entity(ball, Transform).x < 9.69
