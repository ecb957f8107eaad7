"""Whatever a game does between the stages of a step has the same effect with the gate, with plans alone and with whole
steps."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from threading import Thread
from typing import Any, Final

import esper
import pytest

import ecsphys
from ecsphys import (
    AABBCollider,
    CircleCollider,
    Physics,
    Priority,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.replay.recording import Fingerprints
from ecsphys.systems import NarrowphaseSystem, WorldBoundsSystem
from ecsphys.systems.stepping.planned_steps import PlannedSteps
from ecsphys.systems.stepping.step_gate import AHEAD, CALM, MODE, SHUT, StepGate
from ecsphys.types import Hit

STEP = 1 / 64
_LONG: Final = 70

_numbers = itertools.count(1)


class Game:
    """A world, and all that is noted of it."""

    def __init__(self) -> None:
        self.physics = ecsphys.install(gravity=(0.0, -9.8))
        self.entities: list[int] = []
        self.trace: list[Any] = []
        self.modes: list[int] = []

    def heard(self, hit: Hit) -> None:
        """Handles hits."""
        self.trace.append((hit.entity_a, hit.entity_b))


class OddError(Exception):
    """An error of the game."""


def _still(game: Game) -> None:
    for x in range(3):
        game.entities.append(esper.create_entity(Transform(x, 0), CircleCollider(1)))


def _rolling(game: Game) -> None:
    esper.create_entity(Transform(0, -1), AABBCollider(90, 1), Solid())
    for x in (-3, 3):
        body = RigidBody(can_sleep=False)
        game.entities.append(esper.create_entity(Transform(x, 0.5), Velocity(0.01 * x, 0), CircleCollider(0.5), body))


def _asleep(game: Game) -> None:
    esper.create_entity(Transform(0, -1), AABBCollider(90, 1), Solid())
    for x in (-3, 3):
        game.entities.append(esper.create_entity(Transform(x, 0.5), AABBCollider(0.5, 0.5), RigidBody()))


def _falling(game: Game) -> None:
    for x in (-3, 3):
        game.entities.append(esper.create_entity(Transform(x, 0), CircleCollider(0.5), RigidBody()))


FILLS: Final = {
    "still": (_still, CALM),
    "asleep": (_asleep, CALM),
    "rolling": (_rolling, AHEAD),
    "falling": (_falling, AHEAD),
}


def _raise(game: Game) -> None:
    raise OddError


def _detect(game: Game) -> None:
    game.trace.append("detect")
    game.physics.detect()
    game.trace.append("detected")


def _create(game: Game) -> None:
    place = esper.component_for_entity(game.entities[0], Transform)
    esper.create_entity(Transform(place.x + 0.25, place.y), CircleCollider(1, sensor=True))


def _create_and_detect(game: Game) -> None:
    _create(game)
    _detect(game)


def _create_and_raise(game: Game) -> None:
    _create(game)
    raise OddError


def _set_handler(game: Game) -> None:
    esper.set_handler("hit_ongoing", game.heard)


def _call_narrowphase(game: Game) -> None:
    esper.get_processor(NarrowphaseSystem).process(STEP)  # type: ignore[union-attr]


def _call_first(game: Game) -> None:
    esper._processors[1].process(STEP / 2)


def _join_and_ask(game: Game) -> None:
    entity = game.entities[0]
    place = esper.component_for_entity(entity, Transform)
    if esper.has_component(entity, RigidBody):
        esper.create_entity(RevoluteJoint.at(None, entity, place.x + 1, place.y))
    game.trace.append(list(game.physics.query_point((place.x, place.y))))


def _move(game: Game) -> None:
    esper.component_for_entity(game.entities[-1], Transform).x += 0.125


def _leave(game: Game) -> None:
    esper.switch_world(f"{esper.current_world} elsewhere")


ACTIONS: Final = (
    _raise,
    _detect,
    _create,
    _create_and_detect,
    _create_and_raise,
    _set_handler,
    _call_narrowphase,
    _call_first,
    _join_and_ask,
    _move,
    _leave,
)


def _play(fill: str, act: Callable[[Game], None], priority: int, with_bounds: bool) -> Game:
    """Play a game that does something between two stages of two steps in sequence, and again later."""
    name = f"between stages {next(_numbers)}"
    esper.switch_world(name)
    game = Game()
    state = game.physics._state
    esper.set_handler("hit_started", game.heard)
    FILLS[fill][0](game)
    if with_bounds:
        esper.add_processor(WorldBoundsSystem(game.physics), Priority.BOUNDS)
    tick = 0

    class Between(esper.Processor):
        def process(self, dt: float) -> None:
            if tick in (_LONG, _LONG + 1, _LONG + 60):
                game.modes.append(state.stepping.gate.words[MODE])
                act(game)

    esper.add_processor(Between(), priority)
    for tick in range(_LONG + 80):
        try:
            esper.process(STEP)
        except (OddError, RuntimeError) as error:
            game.trace.append(str(error).replace(name, ""))
        esper.switch_world(name)
        game.trace.append((tick, state.clock))
        if tick >= _LONG:
            game.trace.append((state.progress.dt, state.moved_for))
        if tick % 7 == 0 or tick > _LONG + 70:
            game.trace.append([repr(esper.component_for_entity(one, Transform)) for one in game.entities])
    game.trace.append(game.physics.digest())
    esper.switch_world("default")
    esper.delete_world(name)
    esper.event_registry.clear()
    return game


PLACES: Final = {"before all": 1_000, "before the events": Priority.HIT_EVENT + 1, "after all": -5}


@pytest.mark.parametrize(("place", "with_bounds"), [*((place, False) for place in PLACES), ("before the events", True)])
@pytest.mark.parametrize("fill", FILLS)
@pytest.mark.parametrize("act", ACTIONS, ids=lambda act: act.__name__.strip("_"))
def test_what_a_game_does_between_stages_has_the_effect_that_it_has_in_whole_steps(
    act: Callable[[Game], None], fill: str, place: str, with_bounds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play() -> Game:
        return _play(fill, act, PLACES[place], with_bounds)

    with_gate = play()
    # Where entities move, a stage of bounds looks at them in each step.
    assert with_gate.modes[0] == (SHUT if with_bounds and FILLS[fill][1] == AHEAD else FILLS[fill][1])
    monkeypatch.setattr(StepGate, "open_calm", lambda *_: None)
    monkeypatch.setattr(StepGate, "open_ahead", lambda *_: None)
    with_plans = play()
    monkeypatch.setattr(PlannedSteps, "make", lambda *_: False)
    whole = play()
    assert with_gate.trace == with_plans.trace
    assert with_plans.trace == whole.trace


def test_another_physics_and_fingerprints_see_each_step_of_the_gate() -> None:
    esper.switch_world(f"between stages {next(_numbers)}")
    game = Game()
    _falling(game)
    other, prints = Physics(), Fingerprints()
    (first, *_), seen = game.entities, []
    for _ in range(_LONG):
        esper.process(STEP)
    for tick in range(40):
        esper.process(STEP)
        if tick % 3 == 0:
            place = esper.component_for_entity(first, Transform)
            assert other.query_point((place.x, place.y)) == [first]
        seen.append(tuple(prints.take()[1]))
    assert len(set(seen)) == len(seen)
    other.query_point((0, 0))
    esper.process(STEP)
    esper.process(STEP)
    assert game.physics._state.stepping.gate.words[MODE] == AHEAD


def test_a_thread_that_fills_blocks_loses_no_step_of_the_gate() -> None:
    esper.switch_world(f"between stages {next(_numbers)}")
    game = Game()
    game.physics.gravity = (0.0, 0.0)
    esper.create_entity(place := Transform(0, 0), CircleCollider(1), Velocity(1.0, 0.0))
    done: list[bool] = []
    kept: list[Any] = []

    def load() -> None:
        for _ in range(6_000):
            kept.append((Transform(5, 5), Velocity(0, 0), CircleCollider(1)))
            if len(kept) > 3_000:
                kept.clear()
        done.append(True)

    loader = Thread(target=load)
    before = sys.getswitchinterval()
    steps = 0
    try:
        sys.setswitchinterval(1e-5)
        loader.start()
        while not done:
            esper.process(1.0)
            steps += 1
            assert place.x == steps
    finally:
        sys.setswitchinterval(before)
        loader.join()
