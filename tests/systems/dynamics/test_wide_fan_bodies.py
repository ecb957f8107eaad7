"""Bodies that are no convex shape: fans wider than π stand on both tips of their mouth, and come to rest."""

from __future__ import annotations

import math

import esper
import pytest

import ecsphys
from ecsphys import AABBCollider, CircleCollider, FanCollider, OBBCollider, Physics, RigidBody, Solid, Transform

DT = 1.0 / 60.0
SPREAD = 4.5


@pytest.fixture
def floored() -> Physics:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(0.0, -0.5), AABBCollider(50.0, 0.5), Solid())
    return physics


def fan(x: float, y: float, angle: float = 0.0, mouth: float = -math.pi / 2) -> int:
    """A body whose mouth opens towards ``mouth``."""
    collider = FanCollider(1.0, SPREAD, mouth + math.pi)
    return esper.create_entity(Transform(x, y, angle), collider, RigidBody(rolling_resistance=0.05))


def are_asleep_after(seconds: float, physics: Physics, bodies: list[int]) -> bool:
    for _ in range(round(seconds / DT)):
        esper.process(DT)
    return all(physics.bodies.is_asleep(body) for body in bodies)


@pytest.mark.parametrize("tilt", [0.0, 0.2])
def test_a_fan_with_its_mouth_down_stands_on_both_tips_and_falls_asleep(floored: Physics, tilt: float) -> None:
    body = fan(0.0, 1.2, tilt)
    assert are_asleep_after(3.0, floored, [body])
    assert esper.component_for_entity(body, Transform).angle == pytest.approx(0.0, abs=1e-3)
    assert floored.hits.point_count.tolist() == [2]


def test_fans_and_boards_in_turns_stand_as_a_stack(floored: Physics) -> None:
    bodies: list[int] = []
    for story in range(4):
        bodies.append(fan(0.0, 0.65 + 2.1 * story))
        board = Transform(0.0, 1.9 + 2.1 * story)
        bodies.append(esper.create_entity(board, OBBCollider(1.2, 0.2), RigidBody()))
    assert are_asleep_after(3.0, floored, bodies)
    assert max(abs(esper.component_for_entity(body, Transform).x) for body in bodies) < 0.01


def test_a_ball_rests_in_the_mouth_of_a_fan(floored: Physics) -> None:
    bowl = fan(0.0, 1.0, mouth=math.pi / 2)
    ball = esper.create_entity(Transform(0.0, 1.8), CircleCollider(0.4), RigidBody(rolling_resistance=0.05))
    assert are_asleep_after(4.0, floored, [bowl, ball])
    assert esper.component_for_entity(ball, Transform).y > 1.3
