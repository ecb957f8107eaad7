"""The gate: steps that machine code makes without Python leave the world as steps of Python do."""

from __future__ import annotations

import gc
import itertools
import sys
from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import AABBCollider, CircleCollider, Physics, RigidBody, Solid, Transform, Velocity
from ecsphys.systems import NarrowphaseSystem
from ecsphys.systems.stepping.step_gate import AHEAD, CALM, MODE, UNTOLD, StepGate, unchanged, watch

STEP = 1 / 64

_numbers = itertools.count(1)


def still() -> Physics:
    """A world in which nothing moves."""
    esper.switch_world(f"gate {next(_numbers)}")
    physics = ecsphys.install(gravity=(0.0, -9.8))
    esper.create_entity(Transform(0, 0), AABBCollider(5, 1), Solid())
    return physics


def rolling() -> Physics:
    """A world in which two balls roll far from each other."""
    physics = still()
    for x in (-3, 3):
        body = RigidBody(can_sleep=False)
        esper.create_entity(Transform(x, 1.5), Velocity(0.01 * x, 0), CircleCollider(0.5), body)
    return physics


def step_until(physics: Physics, mode: int, most: int = 400) -> None:
    """Step until the gate is open."""
    for _ in range(most):
        esper.process(STEP)
        if physics._state.stepping.gate.words[MODE] == mode:
            return
    raise AssertionError("the gate stays shut")


def _process_all() -> None:
    for one in esper._processors:
        one.process(STEP)


@pytest.mark.parametrize(("fill", "mode"), [(still, CALM), (rolling, AHEAD)])
def test_seconds_that_pass_in_the_gate_are_counted(fill: Callable[[], Physics], mode: int) -> None:
    physics = fill()
    step_until(physics, mode)
    before = physics._state.clock
    for _ in range(100):
        esper.process(STEP)
    assert physics._state.stepping.gate.words[MODE] == mode
    assert physics._state.clock == before + 100 * STEP


def test_the_bits_of_steps_of_the_gate_are_those_of_whole_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    def digest() -> int:
        physics = rolling()
        for _ in range(300):
            esper.process(STEP)
        digests.append(physics._state.stepping.gate.words[UNTOLD])
        return physics.digest()

    digests: list[int] = []
    ours = digest()
    monkeypatch.setattr(StepGate, "open_ahead", lambda *_: None)
    assert ours == digest()
    assert digests[0] > 100
    assert digests[1] == 0


@pytest.mark.parametrize(("fill", "mode"), [(still, CALM), (rolling, AHEAD)])
@pytest.mark.parametrize(
    "call",
    [
        lambda: esper.process(dt=STEP),
        lambda: esper.process(2 * STEP),
        lambda: esper.process(np.float64(STEP)),
        lambda: esper.timed_process(STEP),
        lambda: _process_all(),
        lambda: esper._processors[4].process(STEP),
        lambda: esper._processors[0].process(STEP),
    ],
)
def test_a_step_that_is_called_otherwise_is_made_by_python(
    fill: Callable[[], Physics], mode: int, call: Callable[[], object]
) -> None:
    physics = fill()
    step_until(physics, mode)
    call()
    assert physics._state.stepping.gate.words[UNTOLD] == 0
    assert not physics._state.stepping.runs.done
    before = physics._state.clock
    esper.process(STEP)
    assert physics._state.clock == before + STEP


@pytest.mark.parametrize("argument", ["1", None, -STEP, float("nan")])
@pytest.mark.parametrize(("fill", "mode"), [(still, CALM), (rolling, AHEAD)])
def test_bad_seconds_raise_as_without_the_gate(fill: Callable[[], Physics], mode: int, argument: Any) -> None:
    physics = fill()
    step_until(physics, mode)
    before = physics.digest()
    with pytest.raises((TypeError, ValueError), match="dt must be"):
        esper.process(argument)
    assert physics.digest() == before


@pytest.mark.parametrize(("fill", "mode"), [(still, CALM), (rolling, AHEAD)])
def test_a_stage_that_comes_or_goes_shuts_the_gate(fill: Callable[[], Physics], mode: int) -> None:
    physics = fill()
    step_until(physics, mode)
    ran: list[float] = []

    class Own(esper.Processor):
        def process(self, dt: float) -> None:
            ran.append(dt)

    own = Own()
    esper.add_processor(own, ecsphys.Priority.BROADPHASE)
    esper.process(STEP)
    assert ran == [STEP]
    esper.remove_processor(Own)
    esper.remove_processor(NarrowphaseSystem)
    esper.process(STEP)
    assert physics._state.stepping.gate.words[UNTOLD] == 0


@pytest.mark.parametrize(("fill", "mode"), [(still, CALM), (rolling, AHEAD)])
def test_a_setting_that_changes_counts_from_the_next_step_on(fill: Callable[[], Physics], mode: int) -> None:
    physics = fill()
    step_until(physics, mode)
    physics.gravity = physics.gravity
    esper.process(STEP)
    assert physics._state.stepping.gate.words[MODE] == mode
    physics.gravity = (3.0, 0.0)
    ball = esper.create_entity(Transform(50, 50), CircleCollider(1), RigidBody())
    esper.process(STEP)
    assert esper.component_for_entity(ball, Velocity).x == pytest.approx(3.0 * STEP)


@pytest.mark.parametrize(("fill", "mode"), [(still, CALM), (rolling, AHEAD)])
def test_steps_of_the_gate_leave_no_objects_and_no_references_behind(fill: Callable[[], Physics], mode: int) -> None:
    physics = fill()
    step_until(physics, mode)
    watched = (STEP, None, True, physics._state, physics._state.stepping.runs.done, *esper._processors)

    def counts() -> list[int]:
        gc.collect()
        return [*map(sys.getrefcount, watched), len(gc.get_objects())]

    esper.process(STEP)
    before = counts()
    for _ in range(1000):
        esper.process(STEP)
    assert physics._state.stepping.gate.words[MODE] == mode
    assert max(abs(now - then) for now, then in zip(counts(), before, strict=True)) < 500


def test_a_deleted_world_and_its_stages_are_collected() -> None:
    def play() -> list[int]:
        physics = rolling()
        step_until(physics, AHEAD)
        name = esper.current_world
        esper.switch_world("default")
        esper.delete_world(name)
        return [id(physics._state)]

    (kept,) = play()
    gc.collect()
    assert all(id(one) != kept for one in gc.get_objects() if type(one).__name__ == "PhysicsState")


def test_what_is_watched_must_be_equal_and_a_list_keep_its_members() -> None:
    class Box:
        value: Any = 1

    box = Box()
    box.value = [1, 2]
    watched = watch((box, "value"), (Box, "value"))
    assert unchanged(watched)
    box.value.append(3)
    assert not unchanged(watched)
    box.value.pop()
    assert unchanged(watched)
    del box.value
    assert not unchanged(watched)
    box.value = np.zeros(2)
    assert not unchanged((box, "value", np.zeros(2)))
