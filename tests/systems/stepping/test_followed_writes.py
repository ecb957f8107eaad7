"""What a game writes in each step, to joints or to Transforms, is followed by steps without Python."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any, Final

import esper
import numpy as np
import pytest
from numpy import int64, uint8
from python_calls import calls_while

import ecsphys
from ecsphys import (
    AABBCollider,
    CircleCollider,
    CompoundCollider,
    DistanceJoint,
    MotorJoint,
    MouseJoint,
    OBBCollider,
    Physics,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    WheelJoint,
)
from ecsphys.components.store.change_log import WritesSince, collect_all
from ecsphys.engine.tables.component_rows import FOLLOWED, WRITTEN, find_written, note_followed
from ecsphys.systems.stepping import step_gate
from ecsphys.systems.stepping.planned_steps import PlannedSteps
from ecsphys.systems.stepping.step_gate import StepGate

STEP: Final = 1 / 64

_names = itertools.count(1)

Play = Callable[[int], None]


def _body(x: float, y: float, **fields: Any) -> int:
    return esper.create_entity(Transform(x, y), Velocity(), OBBCollider(0.5, 0.5), RigidBody(**fields))


def _place(entity: int) -> Transform:
    return esper.component_for_entity(entity, Transform)


def _balls() -> None:
    for k in range(3):
        ball = RigidBody(restitution=1.0, friction=0.0, can_sleep=False)
        esper.create_entity(Transform(6.0 * k, 4), Velocity(0.5, 0.25 * k), CircleCollider(0.4), ball)


def _paddle(physics: Physics) -> Play:
    _balls()
    paddle = Transform(0, -6)
    esper.create_entity(paddle, AABBCollider(1.5, 0.25), RigidBody("kinematic", restitution=1.0))
    return lambda tick: setattr(paddle, "x", 6.0 * math.sin(0.05 * tick))


def _paddle_that_meets_balls(physics: Physics) -> Play:
    _balls()
    paddle = Transform(0, 3)
    esper.create_entity(paddle, AABBCollider(1.5, 0.25), RigidBody("kinematic", restitution=1.0))
    return lambda tick: setattr(paddle, "x", 6.0 * math.sin(0.05 * tick))


def _sensors(count: int) -> Callable[[Physics], Play]:
    def make(physics: Physics) -> Play:
        _balls()
        places = [Transform(k, -9) for k in range(count)]
        for place in places:
            parts = CompoundCollider([CircleCollider(0.4, sensor=True), AABBCollider(0.2, 0.9, sensor=True)])
            esper.create_entity(place, parts if place.x == 3 else CircleCollider(0.4, sensor=True))

        def play(tick: int) -> None:
            for k, place in enumerate(places):
                place.y = -9 + math.sin(0.1 * tick + k)

        return play

    return make


def _level_without_bodies(physics: Physics) -> Play:
    for k in range(5):
        esper.create_entity(Transform(3 * k, 0), Velocity(0.1, 0), CircleCollider(0.5))
    hero = Transform(0, 2)
    esper.create_entity(hero, CircleCollider(0.5))
    return lambda tick: setattr(hero, "y", 2.5 + 2 * math.sin(0.02 * tick))


def _anchor_without_collider(physics: Physics) -> Play:
    anchor, hung = Transform(0, 9), _body(0, 6, can_sleep=False)
    holder = esper.create_entity(anchor, RigidBody("kinematic"))
    esper.create_entity(DistanceJoint(holder, hung, length=3.0))
    return lambda tick: setattr(anchor, "x", math.sin(0.05 * tick))


def _mouse(physics: Physics) -> Play:
    esper.create_entity(Transform(0, -1), AABBCollider(40, 1), Solid())
    joint = MouseJoint.at(_body(0, 3), 0, 3, max_force=500.0)
    esper.create_entity(joint)
    return lambda tick: setattr(joint, "target", (4 * math.sin(0.05 * tick), 4 + math.cos(0.05 * tick)))


def _motors(physics: Physics) -> Play:
    esper.create_entity(Transform(0, -1), AABBCollider(4000, 1), Solid())
    chassis, joints = _body(0, 1.2, mass=2.0), []
    for x in (-1.0, 1.0):
        wheel = esper.create_entity(Transform(x, 0.5), Velocity(), CircleCollider(0.5), RigidBody(mass=0.5))
        joints.append(WheelJoint.at(chassis, wheel, x, 0.5, (0, 1), max_torque=50.0))
        esper.create_entity(joints[-1])

    def play(tick: int) -> None:
        for joint in joints:
            joint.motor_speed = -6 - math.sin(0.02 * tick)

    return play


def _springs_to_nought_and_back(physics: Physics) -> Play:
    joint = RevoluteJoint.at(None, _body(0, 3), -1, 3, frequency=2.0, max_torque=5.0, motor_speed=1.0)
    esper.create_entity(joint)

    def play(tick: int) -> None:
        joint.frequency = math.sin(0.05 * tick) if math.sin(0.05 * tick) > 0.0 else None
        joint.max_torque = 5.0 + math.sin(0.1 * tick)

    return play


def _everything(physics: Physics) -> Play:
    plays = [one(physics) for one in (_paddle, _sensors(5), _mouse, _motors)]
    pulled = MotorJoint(_body(30, 3), _body(33, 3), max_force=9.0, max_torque=9.0)
    esper.create_entity(pulled)

    def play(tick: int) -> None:
        for one in plays:
            one(tick)
        pulled.angle = 0.01 * tick

    return play


def _same_value(physics: Physics) -> Play:
    joint = RevoluteJoint.at(None, _body(0, 3), -0.1, 3, max_torque=500.0, motor_speed=0.0)
    esper.create_entity(joint)
    place = Transform(7, 7)
    esper.create_entity(place, AABBCollider(1, 1), Solid())

    def play(tick: int) -> None:
        if tick < 200:
            joint.motor_speed = 0.0
            place.x = 7.0

    return play


GAMES: Final[dict[str, Callable[[Physics], Play]]] = {
    "paddle": _paddle,
    "paddle that meets balls": _paddle_that_meets_balls,
    "8 sensors": _sensors(8),
    "15 sensors": _sensors(15),
    "16 sensors": _sensors(16),
    "40 sensors": _sensors(40),
    "no bodies": _level_without_bodies,
    "anchor": _anchor_without_collider,
    "mouse": _mouse,
    "motors": _motors,
    "springs": _springs_to_nought_and_back,
    "everything": _everything,
    "same value": _same_value,
}


WITH_GRAVITY: Final = ("mouse", "motors", "springs", "everything")


def _trace(name: str, every: int, asks: int) -> tuple[list[Any], int]:
    """What happens in a game that writes in one of so many steps; and how many steps of the gate have followed it."""
    esper.switch_world(f"followed {next(_names)}")
    physics = ecsphys.install(gravity=(0.0, -9.8) if name in WITH_GRAVITY else (0.0, 0.0))
    found: list[Any] = []
    followed = 0
    play = GAMES[name](physics)
    esper.set_handler("hit_started", hear := lambda hit: found.append((hit.entity_a, hit.entity_b)))
    for tick in range(400):
        if tick % every == 0:
            play(tick)
        before = physics._state.stepping.gate.words[step_gate.FOLLOWED]
        esper.process(STEP)
        followed += physics._state.stepping.gate.words[step_gate.FOLLOWED] > before
        if tick % asks == 0:
            found.append(physics.digest())
    esper.remove_handler("hit_started", hear)
    found.append((physics.digest(), len(physics.hits), [repr(place) for _, place in esper.get_component(Transform)]))
    return found, followed


@pytest.mark.parametrize("name", GAMES)
def test_followed_writes_have_the_effect_of_whole_steps(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for every, asks in ((1, 400), (1, 30), (3, 97)):
        traces = [_trace(name, every, asks)[0]]
        with monkeypatch.context() as patch:
            patch.setattr(StepGate, "open_ahead", lambda *_, **__: None)
            traces.append(_trace(name, every, asks)[0])
            patch.setattr(PlannedSteps, "make", lambda *_: False)
            traces.append(_trace(name, every, asks)[0])
        assert traces[0] == traces[1] == traces[2]


@pytest.mark.parametrize("name", ["paddle", "8 sensors", "no bodies", "anchor", "mouse", "motors", "everything"])
def test_most_steps_of_a_game_that_writes_in_each_need_no_python(name: str) -> None:
    assert _trace(name, 1, 401)[1] > 250


def test_a_step_that_follows_a_paddle_and_a_motor_makes_few_calls() -> None:
    physics = ecsphys.install(gravity=(0.0, -9.8))
    play = _everything(physics)
    made = []
    for tick in range(300):
        play(tick)
        made.append(calls_while(lambda: esper.process(STEP)))
    # Of C as well, and their returns.
    assert sorted(made)[150] <= 40


def test_readers_of_a_log_see_rows_that_a_step_has_followed() -> None:
    physics = ecsphys.install()
    play = _paddle(physics)
    paddle = next(place for entity, place in esper.get_component(Transform) if place.y == -6)
    for tick in range(100):
        play(tick)
        esper.process(STEP)
    collect_all()
    log = Transform._columns.writes
    reader, revision = WritesSince(log), log.revision
    for tick in range(100, 120):
        play(tick)
        esper.process(STEP)
    assert physics._state.stepping.gate.words[step_gate.FOLLOWED]
    collect_all()
    assert paddle._row in reader.read(revision).rows.tolist()
    assert not np.frombuffer(Transform._columns.dirty, uint8).any()


def test_a_world_sees_what_a_step_of_another_has_followed_in_an_instance_of_both() -> None:
    shared = Transform(0, -6)
    rooms, traces = [], []
    for _ in range(2):
        esper.switch_world(f"shared {next(_names)}")
        rooms.append((esper.current_world, ecsphys.install()))
        _balls()
        esper.create_entity(shared, AABBCollider(1, 1))
    for tick in range(120):
        shared.x = 0.01 * tick
        for world, _ in rooms:
            esper.switch_world(world)
            esper.process(STEP)
    for world, physics in rooms:
        esper.switch_world(world)
        traces.append(sorted(physics.query_point((0.01 * 119 + 0.75, -6))))
    assert [len(found) for found in traces] == [1, 1]


@pytest.mark.parametrize("length", [0, 1, 63, 64, 65, 127, 128, 130, 320])
def test_written_rows_are_found_by_their_flags_as_numpy_finds_them(length: int) -> None:
    source = np.random.default_rng(length)
    for share in (0.0, 0.02, 0.5, 1.0):
        flags = np.where(source.random(length) < share, source.integers(1, 3, length), 0).astype(uint8)
        written = np.flatnonzero(flags == WRITTEN)
        for room in {max(written.size - 1, 0), written.size, written.size + 1}:
            rows: np.ndarray[Any, Any] = np.full(room, -1, int64)
            found = find_written(flags, rows)
            assert found == min(written.size, room + 1)
            assert rows[: min(found, room)].tolist() == written[: min(found, room)].tolist()
        rows = written.astype(int64)
        note_followed(flags, rows, rows.size)
        assert not (flags == WRITTEN).any()
        assert (flags[rows] == FOLLOWED).all()


def test_writes_to_a_joint_are_not_followed_while_its_bodies_may_have_other_rows() -> None:
    physics = ecsphys.install(gravity=(0.0, 0.0))
    others = [_body(3.0 * k, 10.0, can_sleep=False) for k in range(5)]
    first, second = _body(0.0, 0.0, can_sleep=False), _body(2.0, 0.0, can_sleep=False)
    for k in range(5):
        _body(3.0 * k, -10.0, can_sleep=False)
    joint = RevoluteJoint(first, second, x_a=1.0, x_b=-1.0, motor_speed=1.0, max_torque=5.0)
    esper.create_entity(joint)
    for _ in range(3):
        esper.process(STEP)
    state = physics._state
    joints, bodies = state.joints, state.body_table
    joint.motor_speed = 2.0
    assert joints.follow_plain_writes() == 1
    before = joints.rows.ends[0, :2].tolist()
    for entity in others:
        esper.delete_entity(entity, immediate=True)
    joint.motor_speed = 3.0
    state.tables.update()
    bodies.update()
    bodies.compact()
    # There are bodies in these rows, but they are others.
    assert max(before) < len(bodies)
    assert joints.follow_plain_writes() == -1
    esper.process(STEP)
    assert joints.rows.ends[0, :2].tolist() != before
    joint.motor_speed = 4.0
    assert joints.follow_plain_writes() == 1
