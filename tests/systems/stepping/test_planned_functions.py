"""Plans call a ``physics.pre_solve`` of C: the bits of whole steps, and few calls of Python."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pytest
from pre_solve_rule import FORMS, of_ctypes, of_numba, rule, rule_of_ctypes, rule_of_numba
from python_calls import calls_while

import ecsphys
from ecsphys import (
    AABBCollider,
    CircleCollider,
    DistanceJoint,
    OBBCollider,
    Physics,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    step_worlds,
)
from ecsphys.engine.run import plan
from ecsphys.replay.recording import Game, describe
from ecsphys.systems.dynamics.body_solver import BodySolver
from ecsphys.systems.stepping.planned_steps import PlannedSteps

STEP = 1 / 60
_names = itertools.count(1)


def fill(seed: int, gravity: float = -9.8, bodies: int = 12) -> Physics:
    """A new world of balls and boxes that fall, pile up and fall asleep, some of them on joints."""
    esper.switch_world(f"planned function {next(_names)}")
    physics = ecsphys.install(gravity=(0.0, gravity), threads=1)
    source = np.random.default_rng(seed)
    esper.create_entity(Transform(0, -1), AABBCollider(40, 1), Solid())
    made = []
    for k in range(bodies):
        x, y = 1.5 * (k % 8) - 6 + source.uniform(-0.3, 0.3), 0.5 + 1.2 * (k // 8) + source.uniform(0, 0.3)
        shape: Any = CircleCollider(0.4) if k % 2 else OBBCollider(0.5, 0.4)
        body = RigidBody(restitution=float(source.choice([0.0, 0.6])), can_sleep=k % 3 > 0)
        made.append(esper.create_entity(Transform(x, y), Velocity(*source.uniform(-1, 1, 2)), shape, body))
    esper.create_entity(DistanceJoint(made[0], made[1], length=1.5))
    return physics


def run_ahead(physics: Physics, most: int = 600) -> None:
    """Step until the last step ran ahead."""
    for _ in range(most):
        esper.process(STEP)
        if physics._state.stepping.planned.is_ahead:
            return
    raise AssertionError("no step ran ahead")


@pytest.mark.parametrize("form", ["numba", "ctypes"])
def test_planned_steps_and_steps_ahead_leave_the_bits_of_whole_steps(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    statuses, ahead = set[int](), 0
    every: list[tuple[int, list[list[int]]]] = []
    go_on_from = BodySolver.go_on_from

    def noted(solver: BodySolver, words: memoryview) -> None:
        statuses.add(words[plan.STATUS])
        go_on_from(solver, words)

    monkeypatch.setattr(BodySolver, "go_on_from", noted)
    for seed in range(3):
        found: list[Any] = []
        for name, is_planned in (("python", True), (form, True), (form, False)):
            with monkeypatch.context() as patch:
                if not is_planned:
                    patch.setattr(PlannedSteps, "make", lambda *_: False)
                physics = fill(seed)
                physics.pre_solve = FORMS[name]()
                digests = []
                for k in range(300):
                    esper.process(STEP)
                    ahead += physics._state.stepping.planned.is_ahead
                    if k % 60 == 59:
                        assert physics._state.solver is not None
                        digests.append((physics.digest(), physics._state.solver.rules.vetoed.tolist()))
            found.append(digests)
            every += digests
        assert found[0] == found[1] == found[2]
    assert ahead > 40
    assert any(vetoed for _, vetoed in every)
    assert statuses >= {plan.CHANGES_DUE, plan.BODIES_WOKEN}


def test_more_contacts_than_a_plan_has_room_for_are_changed_all_the_same() -> None:
    seen: list[int] = []

    def note(contacts: Any) -> None:
        seen.append(len(contacts.depth))
        rule(contacts)

    found = []
    for form in (note, of_ctypes(note)):
        seen.clear()
        physics = fill(1, bodies=300)
        physics.pre_solve = form
        for _ in range(60):
            esper.process(STEP)
        found.append((physics.digest(), list(seen)))
    assert found[0] == found[1]
    assert max(seen) > 140


def test_the_function_is_called_in_each_step_that_runs_ahead() -> None:
    physics = fill(3)
    called: list[int] = []
    for _ in range(100):
        esper.process(STEP)
    physics.pre_solve = of_ctypes(lambda contacts: called.append(len(contacts)))
    run_ahead(physics)
    was_ahead = 0
    for _ in range(60):
        before = len(called)
        esper.process(STEP)
        was_ahead += physics._state.stepping.planned.is_ahead
        assert len(called) == before + 1
    assert was_ahead > 10


def test_a_step_with_a_function_of_c_makes_few_calls() -> None:
    counts = []
    for function in (of_numba(_nothing), _nothing):
        physics = fill(3)
        physics.pre_solve = function
        for _ in range(200):
            esper.process(STEP)
        counts.append(min(calls_while(lambda: esper.process(STEP)) for _ in range(20)))
    of_c, of_python = counts
    assert of_c <= 110
    assert of_python > 3 * of_c


def _nothing(contacts: Any) -> None:
    """Change nothing."""


def test_a_function_that_replaces_another_is_called_in_the_next_step() -> None:
    physics = fill(3)
    called: list[str] = []

    def noting(name: str) -> Any:
        return of_ctypes(lambda contacts: called.append(name))

    for _ in range(20):
        esper.process(STEP)
    for k in range(6):
        physics.pre_solve = noting(str(k))
        if k % 2:
            run_ahead(physics)
        called.clear()
        esper.process(STEP)
        assert called == [str(k)]
    run_ahead(physics)
    physics.pre_solve = None
    called.clear()
    esper.process(STEP)
    assert called == []
    physics.pre_solve = lambda contacts: called.append("python")
    esper.process(STEP)
    assert called == ["python"]


@pytest.mark.parametrize("form", ["python", "ctypes"])
def test_whether_steps_are_planned_or_calm_does_not_decide_which_call_the_function(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last step in which a body is awake is the last that calls it; a calm step comes some steps later."""
    found = []
    for is_planned in (True, False):
        with monkeypatch.context() as patch:
            if not is_planned:
                patch.setattr(PlannedSteps, "make", lambda *_: False)
            esper.switch_world(f"planned function {next(_names)}")
            physics = ecsphys.install(gravity=(0.0, -9.8))
            esper.create_entity(Transform(0, -1), AABBCollider(40, 1), Solid())
            for k in range(4):
                esper.create_entity(Transform(0.1 * k, 0.6 + 1.1 * k), OBBCollider(0.5, 0.5), RigidBody())
            esper.process(STEP)
            called: list[int] = []

            def note(contacts: Any, physics: Physics = physics, called: list[int] = called) -> None:
                called.append(len(contacts.depth))

            physics.pre_solve = note if form == "python" else of_ctypes(note)
            steps = 0
            while not physics._state.body_table.all_sleep:
                esper.process(STEP)
                steps += 1
                assert steps < 900
            at_rest = len(called)
            for _ in range(10):
                esper.process(STEP)
            assert len(called) == at_rest > 30
            found.append((steps, called))
    assert found[0] == found[1]


def test_a_function_may_replace_itself_while_it_runs() -> None:
    physics = fill(3)
    called: list[str] = []

    def last(contacts: Any) -> None:
        called.append("last")
        physics.pre_solve = None

    physics.pre_solve = of_ctypes(_nothing)
    run_ahead(physics)
    physics.pre_solve = of_ctypes(last)
    for _ in range(30):
        esper.process(STEP)
    assert called == ["last"]


def test_a_function_that_reads_the_world_leaves_the_same_bits() -> None:
    found = []
    seen: list[float] = []
    for reads in (False, True):
        physics = fill(4)

        def look(contacts: Any, physics: Physics = physics, reads: bool = reads) -> None:
            rule(contacts)
            if reads:
                seen.append(physics.hits.depth.sum() + esper.get_component(Transform)[1][1].x)

        physics.pre_solve = of_ctypes(look)
        for _ in range(200):
            esper.process(STEP)
        found.append(physics.digest())
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "ask",
    [
        lambda physics: physics.raycast((-9, 0.5), (1, 0), 20),
        lambda physics: physics.query_point((0, 0)),
        lambda physics: physics.snapshot(),
        lambda physics: physics.debug.lines(),
    ],
)
def test_a_function_must_not_use_what_places_shapes(
    ask: Callable[[Physics], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[str] = []
    monkeypatch.setattr("sys.unraisablehook", lambda error: printed.append(str(error.exc_value)))
    found = []
    for asks in (False, True):
        physics = fill(4)

        def look(contacts: Any, physics: Physics = physics, asks: bool = asks) -> None:
            rule(contacts)
            if asks:
                ask(physics)

        physics.pre_solve = of_ctypes(look)
        for _ in range(200):
            esper.process(STEP)
        found.append(physics.digest())
    assert found[0] == found[1]
    assert len(printed) > 150
    assert all("must not" in text for text in printed)


@pytest.mark.parametrize("threads", [1, 3])
def test_worlds_with_functions_of_their_own_are_stepped_together_as_alone(threads: int) -> None:
    forms = (rule_of_numba(), None, of_numba(_slip), rule_of_ctypes(), rule, of_ctypes(_slip))
    digests = []
    for are_together in (False, True):
        rooms: list[Physics] = []
        worlds = []
        for k, form in enumerate(forms):
            rooms.append(fill(k))
            rooms[-1].pre_solve = form
            worlds.append(esper.current_world)
        for _ in range(150):
            if are_together:
                step_worlds(rooms, STEP, threads)
            else:
                for world in worlds:
                    esper.switch_world(world)
                    esper.process(STEP)
        if are_together:
            assert sum(room._state.stepping.planned.is_ready for room in rooms) >= 4
        found = []
        for world, room in zip(worlds, rooms, strict=True):
            esper.switch_world(world)
            found.append(room.digest())
        digests.append(found)
    assert digests[0] == digests[1]
    assert len(set(digests[0])) == len(forms)


def _slip(contacts: Any) -> None:
    for k in range(len(contacts)):
        contacts.friction[k] = 0.0


def test_a_bad_value_in_worlds_stepped_together_names_its_world() -> None:
    def spoil(contacts: Any) -> None:
        contacts.friction[:] = -1.0

    rooms = [fill(0), fill(1)]
    world = esper.current_world
    for _ in range(100):
        step_worlds(rooms, STEP)
    rooms[1].pre_solve = of_ctypes(_nothing)
    for _ in range(40):
        step_worlds(rooms, STEP)
    rooms[1].pre_solve = of_ctypes(spoil)
    with pytest.raises(ValueError, match=r"^contacts\.friction\[0\] .*got -1\.0") as error:
        step_worlds(rooms, STEP)
    assert error.value.__notes__ == [f"in the world {world!r}"]
    rooms[1].pre_solve = None
    step_worlds(rooms, STEP)


def test_a_function_must_not_step_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[str] = []
    monkeypatch.setattr("sys.unraisablehook", lambda error: printed.append(str(error.exc_value)))
    physics = fill(3)
    is_on = [False]

    def nested(contacts: Any) -> None:
        if is_on[0]:
            step_worlds([physics], STEP)

    physics.pre_solve = of_ctypes(nested)
    for steps in (20, 60):
        for _ in range(steps):
            step_worlds([physics], STEP)
        printed.clear()
        is_on[0] = True
        step_worlds([physics], STEP)
        is_on[0] = False
        assert printed == ["a physics.pre_solve of C must not call step_worlds: its own step has not ended"]


def test_a_snapshot_between_steps_ahead_goes_on_with_the_function() -> None:
    physics = fill(5)
    physics.pre_solve = rule_of_numba()
    run_ahead(physics)
    for _ in range(4):
        esper.process(STEP)
    start = physics.snapshot()
    found = []
    for _ in range(2):
        for _ in range(60):
            esper.process(STEP)
        found.append(physics.digest())
        physics.restore(start)
    assert found[0] == found[1]
    assert physics.pre_solve is rule_of_numba()


@pytest.mark.parametrize("form", ["python", "numba", "ctypes"])
def test_a_recording_tells_that_its_description_lacks_the_function(form: str) -> None:
    physics = fill(0)
    assert "pre_solve" not in describe(Game(physics, [], None))["missing"]
    physics.pre_solve = FORMS[form]()
    assert "pre_solve" in describe(Game(physics, [], None))["missing"]


def test_the_vetoed_pairs_of_the_last_step_are_known_after_steps_ahead() -> None:
    physics = fill(3, gravity=0.0)
    floor = esper.get_component(Solid)[0][0]
    ghost = esper.create_entity(Transform(30, 0), CircleCollider(0.5), RigidBody(can_sleep=False))
    is_on = [True]

    def let_through(contacts: Any) -> None:
        contacts.is_vetoed[(contacts.entity_a == floor) & (contacts.entity_b == ghost)] = is_on[0]

    physics.pre_solve = of_ctypes(let_through)
    for is_on[0] in (True, False):
        run_ahead(physics)
        for _ in range(400):
            if physics._state.stepping.planned._untold >= 3:
                break
            esper.process(STEP)
        assert physics._state.stepping.planned._untold >= 3
        assert physics._state.solver is not None
        assert len(physics._state.solver.rules.vetoed) == is_on[0]
