"""Steps that run ahead of the Python layer: whoever asks for anything finds it as of the last step."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pytest
from python_calls import calls_while

import ecsphys
from ecsphys import (
    AABBCollider,
    CircleCollider,
    DistanceJoint,
    HitListener,
    Physics,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    step_worlds,
)
from ecsphys.engine.run.run_plan import run_plans
from ecsphys.systems.stepping import planned_steps
from ecsphys.systems.stepping.planned_steps import PlannedSteps

STEP = 1 / 60

_names = itertools.count(1)


def fill(seed: int, gravity: float = -9.8) -> Physics:
    """A new world of balls that roll, bounce and hang on each other above a floor, and a ball that meets nothing."""
    esper.switch_world(f"ahead {next(_names)}")
    physics = ecsphys.install(gravity=(0.0, gravity), threads=1)
    source = np.random.default_rng(seed)
    esper.create_entity(Transform(0, -1), AABBCollider(40, 1), Solid())
    balls = []
    for k in range(8):
        place, speed = source.uniform((-9, 1), (9, 6)), source.uniform(-2, 2, 2)
        body = RigidBody(restitution=float(source.choice([0.0, 0.6])), can_sleep=k % 2 == 0)
        balls.append(esper.create_entity(Transform(*place), Velocity(*speed), CircleCollider(0.4), body))
    esper.create_entity(DistanceJoint(balls[0], balls[1], length=3.0))
    esper.create_entity(Transform(-90, 50), Velocity(1, 0), CircleCollider(0.5))
    return physics


def run_ahead(physics: Physics, most: int = 400) -> None:
    """Step until the last step ran ahead."""
    for _ in range(most):
        esper.process(STEP)
        if physics._state.stepping.planned.is_ahead:
            return
    raise AssertionError("no step ran ahead")


def count_ahead(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many steps ran ahead each time."""
    found: list[int] = []
    catch_up = PlannedSteps.catch_up

    def counted(self: PlannedSteps) -> None:
        found.append(self._untold)
        catch_up(self)

    monkeypatch.setattr(PlannedSteps, "catch_up", counted)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_steps_ahead_leave_the_bits_of_steps_that_each_are_asked_for(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = count_ahead(monkeypatch)
    for steps in (1, 2, 3, 7, 40, 97, 240):
        found = []
        for is_asked in (False, True):
            physics = fill(seed)
            for _ in range(steps):
                esper.process(STEP)
                if is_asked:
                    physics.digest()
            hits = physics.hits
            found.append((physics.digest(), hits.entity_a.tolist(), hits.impulse.tolist(), len(hits.started)))
        assert found[0] == found[1]
    assert max(ahead) > 10


ASK: dict[str, Callable[[Physics, int], Any]] = {
    "hits": lambda physics, ball: sorted(zip(physics.hits.entity_a, physics.hits.depth, strict=True)),
    "hits of a ball": lambda physics, ball: [hit.depth for hit in physics.hits.of(ball)],
    "a query": lambda physics, ball: sorted(physics.query_aabb((-10, -1), (10, 9))),
    "a ray": lambda physics, ball: physics.raycast((-20, 0.3), (1, 0), 40),
    "the nearest": lambda physics, ball: physics.nearest((0, 0)),
    "a push": lambda physics, ball: physics.bodies.apply_impulse(ball, (1, 2)),
    "sleep": lambda physics, ball: physics.bodies.sleep(ball),
    "counters": lambda physics, ball: physics.debug.profile.counters,
    "a check": lambda physics, ball: physics.debug.check(),
    "a snapshot": lambda physics, ball: physics.restore(physics.snapshot()),
    "a setting": lambda physics, ball: setattr(physics, "gravity", (1.0, -5.0)),
    "a threshold": lambda physics, ball: setattr(physics.settings, "sleep_speed", 0.2),
    "a moved ball": lambda physics, ball: setattr(esper.component_for_entity(ball, Transform), "x", 3.0),
    "a creation": lambda physics, ball: esper.create_entity(Transform(0, 9), CircleCollider(0.3), RigidBody()),
    "a deletion": lambda physics, ball: esper.delete_entity(ball),
    "a column": lambda physics, ball: Velocity.column("y").__setitem__(slice(None), 0.5),
    "a joint": lambda physics, ball: setattr(esper.get_component(DistanceJoint)[0][1], "length", 2.0),
    "rest": lambda physics, ball: physics.bodies.is_asleep(ball),
}


@pytest.mark.parametrize("name", ASK)
def test_whatever_is_asked_or_changed_between_steps_ahead_is_as_of_the_last_step(name: str) -> None:
    found = []
    for is_asked_before in (False, True):
        physics = fill(3)
        ball = esper.get_component(RigidBody)[4][0]
        run_ahead(physics)
        answers = []
        for _ in range(3):
            for _ in range(20):
                esper.process(STEP)
                if is_asked_before:
                    physics.digest()
            answers.append(str(ASK[name](physics, ball)) if esper.entity_exists(ball) else "")
        esper.process(STEP)
        found.append((answers, physics.digest()))
    assert found[0] == found[1]


def test_a_handler_or_listener_that_comes_while_steps_run_ahead_hears_of_the_next_step() -> None:
    heard: list[str] = []

    def on_ongoing(hit: object) -> None:
        heard.append("handler")

    physics = fill(3)
    for _ in range(200):
        esper.process(STEP)
    assert len(physics.hits)
    run_ahead(physics)
    esper.set_handler("hit_ongoing", on_ongoing)
    esper.process(STEP)
    assert len(heard) == len(physics.hits)
    esper.remove_handler("hit_ongoing", on_ongoing)
    heard.clear()
    run_ahead(physics)
    for entity, _ in esper.get_component(RigidBody):
        esper.add_component(entity, HitListener(on_ongoing=lambda hit: heard.append("listener")))
    esper.process(STEP)
    assert heard


@pytest.mark.parametrize("steps_ahead", [0, 1, 2])
def test_a_handler_that_comes_between_steps_hears_of_no_step_before(steps_ahead: int) -> None:
    heard: list[object] = []

    def on_ongoing(hit: object) -> None:
        heard.append(hit)

    physics = fill(3)
    for _ in range(200):
        esper.process(STEP)
    assert len(physics.hits)
    run_ahead(physics)
    for _ in range(steps_ahead):
        esper.process(STEP)
    physics.digest()
    esper.set_handler("hit_ongoing", on_ongoing)
    esper.process(STEP)
    assert len(heard) == len(physics.hits) - len(physics.hits.started) > 0


def test_a_processor_after_the_stages_finds_the_hits_of_its_own_step(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, float]] = []

    class Last(esper.Processor):
        def process(self, dt: float) -> None:
            if ticks[-1] % 5 == 0:
                seen.append((physics.digest(), float(physics.hits.impulse.sum())))

    found = []
    for is_planned in (True, False):
        if not is_planned:
            monkeypatch.setattr(PlannedSteps, "make", lambda *_: False)
        seen.clear()
        ticks = [0]
        physics = fill(4)
        esper.add_processor(Last(), priority=-5)
        for tick in range(200):
            ticks.append(tick)
            esper.process(STEP)
        found.append(list(seen))
    assert found[0] == found[1]


@pytest.mark.parametrize("when", ["before", "after"])
def test_an_interrupt_in_a_step_ahead_leaves_a_world_that_can_be_stepped(
    when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    physics = fill(5)

    def interrupted(*arguments: Any) -> None:
        if when == "after":
            run_plans(*arguments)
        raise KeyboardInterrupt

    for steps_ahead in (1, 2, 5):
        run_ahead(physics)
        for _ in range(steps_ahead):
            esper.process(STEP)
        # The gate makes steps that nothing can interrupt; those of Python run ahead as well.
        physics._state.stepping.planned.note_steps()
        with monkeypatch.context() as patch:
            patch.setattr(planned_steps, "run_plans", interrupted)
            with pytest.raises(KeyboardInterrupt):
                esper.process(STEP)
        assert all(math.isfinite(place.x) for _, place in esper.get_component(Transform))
        esper.process(STEP)
        hits = {(hit.entity_a, hit.entity_b) for hit in physics.hits}
        twin = ecsphys.Physics()
        again = [ecsphys.systems.BroadphaseSystem(twin), ecsphys.systems.NarrowphaseSystem(twin)]
        for stage in again:
            stage.process(0.0)
        assert hits == {(hit.entity_a, hit.entity_b) for hit in twin.hits}


def test_worlds_that_are_stepped_together_run_ahead_with_the_bits_of_worlds_stepped_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ahead = count_ahead(monkeypatch)
    alone = []
    for seed in range(5):
        physics = fill(seed)
        for _ in range(150):
            esper.process(STEP)
        alone.append(physics.digest())
    ahead.clear()
    rooms = [fill(seed) for seed in range(5)]
    for _ in range(150):
        step_worlds(rooms, STEP)
    found = []
    for room in rooms:
        esper.switch_world(str(room._state.world))
        found.append(room.digest())
    assert found == alone
    assert max(ahead) > 10


def test_a_step_ahead_of_two_circles_makes_few_calls() -> None:
    esper.switch_world("two circles")
    physics = ecsphys.install()
    for x in (0, 5):
        esper.create_entity(Transform(x, 0), Velocity(1, 0), CircleCollider(0.5))
    run_ahead(physics)
    esper.process(STEP)
    assert calls_while(lambda: esper.process(STEP)) <= 40


def test_a_game_that_asks_after_each_step_soon_has_no_steps_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    ahead = count_ahead(monkeypatch)
    physics = fill(1)
    for _ in range(400):
        esper.process(STEP)
        physics.digest()
    assert len(ahead) < 20
