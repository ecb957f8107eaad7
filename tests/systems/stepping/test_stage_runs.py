"""Stages that run together have the result of stages that run one by one, however they are called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import AABBCollider, CircleCollider, Physics, Priority, RigidBody, Solid, Transform, Velocity, systems

STEP = 1 / 60


def fill(seed: int = 5) -> None:
    esper.create_entity(Transform(0, -1), AABBCollider(20, 1), Solid())
    for x, y in np.random.default_rng(seed).uniform((-4, 1), (4, 5), (12, 2)):
        esper.create_entity(Transform(x, y), Velocity(), RigidBody(), CircleCollider(0.4))
    esper.create_entity(Transform(9, 3), Velocity(-1, 0), CircleCollider(0.4))


class Between(esper.Processor):
    """A processor of the game, which does nothing."""

    def process(self, dt: float) -> None:
        return


def stepped(name: str, call: Callable[[], object], prepare: Callable[[Physics], object] = lambda _: None) -> int:
    """The digest of a world after a second of steps."""
    esper.switch_world(name)
    physics = ecsphys.install(gravity=(0.0, -9.8))
    prepare(physics)
    fill()
    for _ in range(60):
        call()
    return physics.digest()


def process() -> None:
    esper.process(STEP)


@pytest.mark.parametrize("priority", [395, 385, 370, 330, 305, 250, 150])
def test_a_processor_between_two_stages_changes_nothing(priority: int) -> None:
    def add(_: Physics) -> None:
        esper.add_processor(Between(), priority)

    assert stepped("divided", process, add) == stepped("whole", process)


def test_processors_timed_by_esper_change_nothing() -> None:
    assert stepped("timed", lambda: esper.timed_process(STEP)) == stepped("whole", process)


def test_steps_timed_by_phase_change_nothing() -> None:
    def time(physics: Physics) -> None:
        physics.debug.profile.timed = True

    assert stepped("timed", process, time) == stepped("whole", process)


def test_stages_called_one_by_one_change_nothing() -> None:
    def call_each() -> None:
        for stage in tuple(esper._processors):
            stage.process(STEP)

    assert stepped("one by one", call_each) == stepped("whole", process)


def test_a_derived_stage_changes_nothing_and_is_called_in_each_step() -> None:
    calls = []

    class Own(systems.HierarchySystem):
        def run(self, dt: float) -> None:
            calls.append(dt)
            super().run(dt)

    def replace(physics: Physics) -> None:
        esper.remove_processor(systems.HierarchySystem)
        esper.add_processor(Own(physics), Priority.HIERARCHY)

    assert stepped("derived", process, replace) == stepped("whole", process)
    assert calls == [STEP] * 60


@pytest.mark.parametrize("dt", [0, 1, np.float64(0.25), np.float32(0.5), True])
def test_seconds_of_any_type_make_one_step(dt: Any) -> None:
    physics = ecsphys.install()
    ball = Transform()
    esper.create_entity(ball, Velocity(2, 0))
    esper.process(dt)
    assert (ball.x, physics._state.clock) == (2.0 * float(dt), float(dt))


def test_a_stage_called_by_hand_runs_alone() -> None:
    physics = ecsphys.install()
    ball = Transform()
    esper.create_entity(ball, Velocity(60, 0), CircleCollider(1))
    esper.create_entity(Transform(1, 0), CircleCollider(1))
    motion = esper.get_processor(systems.EulerMotionSystem)
    assert motion is not None
    motion.process(STEP)
    assert ball.x == pytest.approx(1.0)
    assert len(physics.hits) == 0
    esper.process(STEP)
    assert ball.x == pytest.approx(2.0)


def test_a_processor_added_or_removed_while_stages_run_leaves_whole_steps() -> None:
    physics = ecsphys.install(gravity=(0.0, -9.8))
    fill()
    clocks: list[float] = []

    def change(contacts: Any) -> None:
        if len(clocks) == 20:
            esper.add_processor(Between(), 320)
        elif len(clocks) == 30:
            esper.remove_processor(Between)

    physics.pre_solve = change
    for _ in range(40):
        esper.process(STEP)
        clocks.append(physics._state.clock)
    assert np.diff(clocks) == pytest.approx([STEP] * 39)


def test_after_an_error_the_next_step_is_a_whole_one() -> None:
    physics = ecsphys.install(gravity=(0.0, -9.8))
    fill()
    steps = 0

    def fail(contacts: Any) -> None:
        nonlocal steps
        steps += 1
        if steps % 3 == 0:
            raise ValueError("no")

    physics.pre_solve = fail
    moved = esper.component_for_entity(14, Transform)
    for _ in range(30):
        before = moved.x
        try:
            esper.process(STEP)
        except ValueError:
            continue
        assert moved.x == pytest.approx(before - STEP)
    assert steps > 10


def test_two_physics_of_one_world_each_make_their_steps() -> None:
    first = ecsphys.install()
    second = Physics()
    for stage, priority in (
        (systems.BroadphaseSystem, Priority.BROADPHASE),
        (systems.NarrowphaseSystem, Priority.NARROWPHASE),
    ):
        esper.add_processor(stage(second), priority)
    ball = Transform()
    esper.create_entity(ball, Velocity(60, 0), CircleCollider(1))
    esper.create_entity(Transform(3, 0), CircleCollider(1))
    for _ in range(2):
        esper.process(STEP)
    assert ball.x == pytest.approx(2.0)
    assert len(first.hits) == len(second.hits) == 1
    assert first._state.clock == second._state.clock == 2 * STEP
