"""``step_worlds``: every world makes the step that it makes alone, whatever happens in another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import AABBCollider, CircleCollider, FixedStep, Physics, RigidBody, Solid, Transform, Velocity, step_worlds
from ecsphys.types import Hit

STEP = 1 / 60

# esper forgets a handler that dies only in the current world.
kept: list[Callable[[Hit], None]] = []


def handle(function: Callable[[Hit], None]) -> None:
    kept.append(function)
    esper.set_handler("hit_started", function)


def room(name: str, seed: int, **settings: Any) -> Physics:
    """A world with a floor and some balls that fall on it."""
    esper.switch_world(name)
    physics: Physics = ecsphys.install(gravity=(0.0, -9.8), **settings)
    fill(seed)
    return physics


def fill(seed: int) -> None:
    esper.create_entity(Transform(0, -1), AABBCollider(20, 1), Solid())
    random = np.random.default_rng(seed)
    for x, y in random.uniform((-4, 1), (4, 5), (12, 2)):
        esper.create_entity(Transform(x, y), Velocity(), RigidBody(), CircleCollider(0.4))


def clash(name: str) -> Physics:
    """A world in which two circles hit each other in the first step."""
    esper.switch_world(name)
    physics: Physics = ecsphys.install()
    esper.create_entity(Transform(), CircleCollider(1))
    esper.create_entity(Transform(1, 0), CircleCollider(1))
    return physics


def digests(rooms: list[Physics]) -> list[int]:
    found = []
    for one in rooms:
        esper.switch_world(str(one._state.world))
        found.append(one.digest())
    return found


def stepped_alone(make: Callable[[], list[Physics]], steps: int, dt: float = STEP) -> list[int]:
    rooms = make()
    for _ in range(steps):
        for one in rooms:
            esper.switch_world(str(one._state.world))
            esper.process(dt)
    found = digests(rooms)
    for one in rooms:
        esper.switch_world("elsewhere")
        esper.delete_world(str(one._state.world))
    return found


@pytest.mark.parametrize("threads", [None, 1, 2, 64])
def test_worlds_stepped_together_have_the_bits_of_worlds_stepped_alone(threads: int | None) -> None:
    def make() -> list[Physics]:
        return [room(f"room {seed}", seed) for seed in range(5)]

    alone = stepped_alone(make, 60)
    rooms = make()
    for _ in range(60):
        step_worlds(rooms, STEP, threads)
    assert digests(rooms) == alone


@pytest.mark.parametrize("threads", [1, 2, 64])
def test_plans_of_many_worlds_run_together_while_a_whole_step_of_another_replaces_the_blocks(threads: int) -> None:
    """From the last world's step on, bodies without a Velocity get one, until there is no room for more."""
    counted = 24

    def play(step: Callable[[list[Physics]], None]) -> list[int]:
        rooms = [room(f"{step.__name__} {threads} {k}", k) for k in range(counted)]
        for tick in range(60):
            esper.switch_world(str(rooms[-1]._state.world))
            if tick % 10 == 9:
                assert sum(one._state.stepping.planned.is_ready for one in rooms) > counted // 2
                for k in range(400):
                    place = Transform(40.0 + 2 * k, 3.0 * tick)
                    esper.create_entity(place, CircleCollider(0.1), RigidBody())
            step(rooms)
        return digests(rooms)

    def alone(rooms: list[Physics]) -> None:
        for one in rooms:
            esper.switch_world(str(one._state.world))
            esper.process(STEP)

    def together(rooms: list[Physics]) -> None:
        step_worlds(rooms, STEP, threads=threads)

    assert play(together) == play(alone)


@pytest.mark.parametrize("dt", [1 / 144, 1 / 60, 1 / 20])
def test_fixed_steps_of_each_world_apply(dt: float) -> None:
    def make() -> list[Physics]:
        return [room("slow", 1, fixed_step=30), room("fast", 2, fixed_step=120), room("free", 3)]

    alone = stepped_alone(make, 40, dt)
    rooms = make()
    for _ in range(40):
        step_worlds(rooms, dt)
    assert digests(rooms) == alone


def test_the_world_of_the_caller_is_current_afterwards_and_that_of_the_event_in_a_handler() -> None:
    worlds = []

    def note(hit: Hit) -> None:
        worlds.append(esper.current_world)

    rooms = []
    for name in ("a", "b", "c"):
        rooms.append(clash(name))
        handle(note)
    esper.switch_world("home")
    step_worlds([rooms[2], rooms[0], rooms[1]], STEP)
    assert worlds == ["c", "a", "b"]
    assert esper.current_world == "home"


def test_no_event_is_sent_before_all_worlds_have_their_hits() -> None:
    found: list[int] = []
    rooms: list[Physics] = []

    def count(hit: Hit) -> None:
        found.append(sum(len(one._state.hits.found.hits) for one in rooms))

    for name in ("a", "b"):
        rooms.append(clash(name))
        handle(count)
    step_worlds(rooms, STEP)
    assert found == [2, 2]


def test_a_world_with_a_processor_of_the_game_is_stepped_in_its_turn() -> None:
    calls: list[str] = []

    class Game(esper.Processor):
        def process(self, dt: float) -> None:
            calls.append(esper.current_world)

    rooms = [room(name, 1) for name in ("a", "b", "c")]
    esper.switch_world("b")
    esper.add_processor(Game())
    step_worlds(rooms, STEP)
    assert calls == ["b"]
    assert [one._state.clock for one in rooms] == [STEP] * 3


def test_a_world_with_pre_solve_or_a_derived_stage_makes_the_same_step_as_alone() -> None:
    class Own(ecsphys.systems.BroadphaseSystem):
        def find_pairs(self, boxes: Any, bodies: Any) -> Any:
            return super().find_pairs(boxes, bodies)

    def make() -> list[Physics]:
        rooms = [room(f"room {seed}", seed) for seed in range(3)]
        rooms[0].pre_solve = lambda contacts: None
        esper.switch_world("room 1")
        esper.remove_processor(ecsphys.systems.BroadphaseSystem)
        esper.add_processor(Own(rooms[1]), ecsphys.Priority.BROADPHASE)
        return rooms

    alone = stepped_alone(make, 40)
    rooms = make()
    for _ in range(40):
        step_worlds(rooms, STEP)
    assert digests(rooms) == alone


def test_a_physics_without_processors_is_stepped_like_by_its_own_step() -> None:
    esper.switch_world("alone")
    alone = Physics(gravity=(0, -9.8))
    fill(3)
    for _ in range(30):
        alone.step(STEP)
    esper.switch_world("together")
    together = Physics(gravity=(0, -9.8))
    fill(3)
    together.step(STEP)
    for _ in range(29):
        step_worlds([together], STEP)
    assert digests([together]) == digests([alone])


def test_a_physics_without_processors_is_stepped_with_pre_solve_too() -> None:
    def stepped(together: bool) -> int:
        esper.switch_world(f"bare {together}")
        physics = Physics(gravity=(0.0, -9.8))
        fill(3)
        physics.detect()
        physics.pre_solve = lambda contacts: contacts.friction.fill(0.0)
        for _ in range(60):
            if together:
                step_worlds([physics], STEP)
            else:
                physics.step(STEP)
        return physics.digest()

    assert stepped(True) == stepped(False)


def test_an_error_names_its_world_and_all_others_are_stepped() -> None:
    def fail(hit: Hit) -> None:
        raise ValueError("no")

    rooms = [room("a", 1), room("c", 1)]
    rooms.insert(1, clash("b"))
    handle(fail)
    esper.switch_world("home")
    with pytest.raises(ValueError, match=r"^no") as caught:
        step_worlds(rooms, STEP)
    assert caught.value.__notes__ == ["in the world 'b'"]
    assert [one._state.clock for one in rooms] == [STEP] * 3
    assert esper.current_world == "home"
    step_worlds(rooms, STEP)
    assert [one._state.clock for one in rooms] == [2 * STEP] * 3


def test_several_errors_are_raised_together() -> None:
    rooms = [room(name, 1) for name in ("a", "b", "c")]
    for name in ("a", "c"):
        esper.switch_world(name)
        ball = Transform(60, 0)
        esper.create_entity(ball, CircleCollider(1))
        Transform.column("x")[ball._row] = np.nan
    with pytest.raises(ExceptionGroup) as caught:
        step_worlds(rooms, STEP)
    assert [error.__notes__ for error in caught.value.exceptions] == [["in the world 'a'"], ["in the world 'c'"]]
    assert [one._state.clock for one in rooms] == [0.0, STEP, 0.0]


def test_a_world_that_a_handler_deletes_gets_no_events() -> None:
    told = []

    def delete(hit: Hit) -> None:
        told.append(esper.current_world)
        if "b" in esper.list_worlds():
            esper.delete_world("b")

    rooms = []
    for name in ("a", "b", "c"):
        rooms.append(clash(name))
        handle(delete)
    step_worlds(rooms, STEP)
    assert told == ["a", "c"]
    assert "b" not in esper.list_worlds()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((5, STEP), TypeError, "^physics must be a list of Physics, got 5"),
        (([None], STEP), TypeError, "^physics must be a list of Physics, got None at index 0"),
        (([], -1.0), ValueError, "^dt must be 0 or more seconds"),
        (([], STEP, 0), ValueError, "^threads must be at least 1, got 0"),
        (([], STEP, "two"), TypeError, "^threads must be a whole number, got 'two'"),
    ],
)
def test_bad_arguments_are_refused(arguments: tuple[Any, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        step_worlds(*arguments)


def test_a_bad_list_is_refused_before_any_world_is_stepped() -> None:
    rooms = [room(name, 1) for name in ("a", "b")]
    with pytest.raises(ValueError, match="physics has the same Physics twice, again at index 2"):
        step_worlds([*rooms, rooms[0]], STEP)
    with pytest.raises(TypeError, match="a list of Physics"):
        step_worlds(rooms[0], STEP)  # type: ignore[arg-type]
    esper.switch_world("home")
    esper.delete_world("b")
    with pytest.raises(RuntimeError, match="the world 'b' of a Physics does not exist any more"):
        step_worlds(rooms, STEP)
    assert [one._state.clock for one in rooms] == [0.0, 0.0]


def test_a_handler_must_not_call_it() -> None:
    rooms: list[Physics] = []
    errors: list[Exception] = []

    def again(hit: Hit) -> None:
        for given in ([rooms[1]], rooms):
            with pytest.raises(RuntimeError) as caught:
                step_worlds(given, STEP)
            errors.append(caught.value)

    rooms.extend(map(clash, ("a", "b")))
    esper.switch_world("a")
    handle(again)
    step_worlds(rooms, STEP)
    esper.switch_world("b")
    assert len(errors) == 2
    assert [one._state.clock for one in rooms] == [STEP] * 2


def test_a_fixed_step_made_by_hand_takes_part() -> None:
    physics = Physics(gravity=(0, -9.8))
    esper.switch_world("by hand")
    stages = [stage(physics) for stage in (ecsphys.systems.EulerMotionSystem, ecsphys.systems.BroadphaseSystem)]
    esper.add_processor(FixedStep(stages, 60))
    ball = Transform()
    esper.create_entity(ball, Velocity(6, 0))
    step_worlds([physics], STEP)
    assert ball.x == pytest.approx(0.1)
