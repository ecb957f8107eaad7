"""Bodies that a velocity or trajectory moves: what the game does besides is told from it."""

from __future__ import annotations

from collections.abc import Callable

import esper
import pytest

import ecsphys
from ecsphys import LinearTrajectory, OBBCollider, RigidBody, Transform, Velocity

DT = 1.0 / 60.0

Move = Callable[[int, Transform], None]


def pose_after(steps: int, drive: str, between: Move) -> list[tuple[float, float, float]]:
    """Where boxes are that something drives into, ``between`` being called before each step."""
    esper.switch_world("driven")
    ecsphys.install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(0.0, -0.5), OBBCollider(20.0, 0.5), RigidBody(kind="static"))
    driven = Transform(-3.0, 0.5)
    motion = Velocity(1.0, 0.0) if drive == "velocity" else LinearTrajectory(-3.0, 0.5, 1.0, 0.0)
    esper.create_entity(driven, OBBCollider(0.5, 0.5), RigidBody(kind="kinematic"), motion)
    boxes = [Transform(0.4 * k, 0.6 + 1.1 * k) for k in range(6)]
    for box in boxes:
        esper.create_entity(box, OBBCollider(0.5, 0.5), RigidBody(restitution=0.3))
    for step in range(steps):
        between(step, driven)
        esper.process(DT)
    esper.switch_world("default")
    esper.delete_world("driven")
    return [(box.x, box.y, box.angle) for box in boxes]


def nothing(step: int, driven: Transform) -> None:
    """Do nothing between steps."""


def step_another_world(step: int, driven: Transform) -> None:
    """Step another world often: more is written there than is remembered."""
    esper.switch_world("beside")
    for _ in range(70):
        esper.process(DT)
    esper.switch_world("driven")


@pytest.mark.parametrize("drive", ["velocity", "trajectory"])
def test_a_view_that_is_held_changes_no_bit(drive: str) -> None:
    alone = pose_after(120, drive, nothing)
    views = []
    assert pose_after(120, drive, lambda step, _: views.append(Transform.column("x"))) == alone


@pytest.mark.parametrize("drive", ["velocity", "trajectory"])
def test_another_world_that_steps_often_in_between_changes_no_bit(drive: str) -> None:
    alone = pose_after(120, drive, nothing)
    esper.switch_world("beside")
    ecsphys.install()
    esper.create_entity(Transform(), Velocity(1.0, 0.0), LinearTrajectory(0.0, 0.0, 1.0, 0.0))
    esper.create_entity(Transform(), Velocity(1.0, 0.0))
    assert pose_after(120, drive, step_another_world) == alone
    esper.delete_world("beside")


def test_a_body_that_is_moved_by_a_velocity_and_a_view_hits_as_one_that_is_moved_by_assignment() -> None:
    def assign(step: int, driven: Transform) -> None:
        if step == 30:
            driven.x = -1.2

    views = []

    def write(step: int, driven: Transform) -> None:
        views.append(Transform.column("x"))
        if step == 30:
            views[-1][views[-1] == driven.x] = -1.2

    assigned = pose_after(60, "velocity", assign)
    assert assigned != pose_after(60, "velocity", nothing)
    assert pose_after(60, "velocity", write) == assigned
