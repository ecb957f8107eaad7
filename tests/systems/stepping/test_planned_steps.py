"""A planned step leaves the same bits as a whole step, whatever the game does before, between and after."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import esper
import numpy as np
import pytest
from python_calls import calls_while

import ecsphys
from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    ChainCollider,
    CircleCollider,
    CollisionFilter,
    DistanceJoint,
    Drag,
    Gravity,
    HitListener,
    LinearTrajectory,
    MouseJoint,
    OBBCollider,
    OneWay,
    PolygonCollider,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    WeldJoint,
    WheelJoint,
)
from ecsphys.systems.stepping import planned_steps
from ecsphys.systems.stepping.planned_steps import PlannedSteps
from ecsphys.systems.stepping.step_gate import CALM, MODE
from ecsphys.types import Hit

STEP = 1 / 60
_NUMBERS = count()
_MAKE = PlannedSteps.make

pytestmark = pytest.mark.filterwarnings("error")

# Fields of joints whose values above 0 are all alike to a plan.
POSITIVE = ("length", "frequency", "damping_ratio", "max_force", "max_torque")


class Game:
    """A random world: bodies of all shapes, joints, movers, trajectories, triggers and listeners."""

    def __init__(self, seed: int) -> None:
        last = esper.current_world
        esper.switch_world(f"game {next(_NUMBERS)}")
        esper.delete_world(last)
        self.random = random = np.random.default_rng(seed)
        gravity = (0.0, -9.8) if random.random() < 0.7 else (0.0, 0.0)
        self.physics = ecsphys.install(gravity=gravity, threads=int(random.integers(1, 3)))
        self.events: list[tuple[Any, ...]] = []
        esper.set_handler("joint_broken", self.note_break)
        if random.random() < 0.8:
            esper.create_entity(Transform(0, -1), AABBCollider(30, 1), Solid())
        if random.random() < 0.4:
            esper.create_entity(Transform(), ChainCollider([(-20, 3), (-10, 1), (0, 2), (10, 0), (25, 4)]), Solid())
        self.entities = [self.new_entity() for _ in range(int(random.integers(1, 40)))]
        self.joints = [self.new_joint() for _ in range(int(random.integers(0, 6)))] if len(self.bodies()) > 1 else []

    def note_break(self, joint: Any) -> None:
        self.events.append(("broken", joint.entity))

    def note(self, hit: Hit) -> None:
        self.events.append((hit.phase, hit.entity_a, hit.entity_b))

    def shape(self) -> Any:
        a, b = self.random.uniform(0.2, 0.6, 2).tolist()
        shapes: list[Callable[[], Any]] = [
            lambda: CircleCollider(a),
            lambda: AABBCollider(a, b),
            lambda: OBBCollider(a, b),
            lambda: CapsuleCollider(a, b),
            lambda: PolygonCollider([(0, 0), (1, 0), (0.7, 0.8)]),
        ]
        return shapes[int(self.random.integers(len(shapes)))]()

    def new_entity(self) -> int:
        random = self.random
        x, y, angle, vx, vy = random.uniform((-12, 0, -3, -3, -3), (12, 12, 3, 3, 3)).tolist()
        kind = random.random()
        parts: list[Any] = [Transform(x, y, angle), self.shape()]
        if kind < 0.6:
            parts += [Velocity(vx, vy, vx), RigidBody(mass=1.0 + a_third(angle), restitution=abs(vy) / 3)]
        elif kind < 0.7:
            parts.append(Velocity(vx, vy))
        elif kind < 0.8:
            parts.append(LinearTrajectory(x, y, vx, vy))
        elif kind < 0.9:
            parts += [Velocity(vx, 0), RigidBody("kinematic")]
        else:
            parts.append(Solid())
        extras = (
            CollisionFilter(),
            Drag(0.3, 0.2),
            Gravity(),
            HitListener(on_started=self.note, on_ended=self.note, on_impulse=self.note),
        )
        parts += [extra for extra in extras if random.random() < 0.15]
        return esper.create_entity(*parts)

    def bodies(self) -> list[int]:
        return [entity for entity, body in esper.get_component(RigidBody) if body.kind == "dynamic"]

    def new_joint(self) -> Any:
        a, b = self.random.choice(self.bodies(), 2, replace=False).tolist()
        most = 60.0 if self.random.random() < 0.3 else None
        joints: list[Callable[[], Any]] = [
            lambda: DistanceJoint(a, b, length=2.0, break_force=most),
            lambda: DistanceJoint(a, b, length=2.0, frequency=3.0, damping_ratio=0.4, max_force=9.0),
            lambda: RevoluteJoint(a, b, break_force=most, motor_speed=1.0, max_torque=5.0),
            lambda: WeldJoint(a, b),
            lambda: WheelJoint(a, b, max_torque=9.0),
            lambda: MouseJoint.at(a, 1.0, 2.0, max_force=90.0),
        ]
        joint = joints[int(self.random.integers(len(joints)))]()
        esper.create_entity(joint)
        return joint

    def act(self) -> None:
        """Something that a game does between two steps."""
        random, x = self.random, float(self.random.uniform(-4, 4))
        living = [entity for entity in self.entities if esper.entity_exists(entity)]
        if not living:
            return
        entity, bodies, push = int(random.choice(living)), self.bodies(), self.physics.bodies
        body = int(random.choice(bodies)) if bodies else 0
        parts: tuple[Any, ...] = esper.components_for_entity(entity)
        moved = next(part for part in parts if isinstance(part, Transform))
        velocities = [part for part in parts if isinstance(part, Velocity)]
        actions: list[Callable[[], Any]] = [
            lambda: push.apply_impulse(body, (x, 3.0)) if body else None,
            lambda: push.apply_force(body, (9.0 * x, 50.0)) if body else None,
            lambda: push.sleep(body) if body else None,
            lambda: push.wake(body) if body else None,
            lambda: setattr(moved, "x", moved.x + 0.2 * x),
            lambda: setattr(moved, "angle", 0.3 * x),
            lambda: setattr(velocities[0], "y", x) if velocities else None,
            lambda: esper.delete_entity(entity),
            lambda: self.entities.append(self.new_entity()),
            lambda: setattr(self.physics, "gravity", (x, -9.0)),
            lambda: list(self.physics.hits),
            lambda: self.physics.restore(self.physics.snapshot()),
            lambda: esper.add_component(entity, OneWay(0.0, 1.0)),
            lambda: write_column(Velocity.column("x")),
            self.write_joint,
        ]
        actions[int(random.integers(len(actions)))]()

    def write_joint(self) -> None:
        for joint in self.joints:
            if isinstance(joint, MouseJoint):
                joint.target = tuple(self.random.uniform(-5, 5, 2).tolist())
            elif hasattr(joint, "motor_speed"):
                joint.motor_speed = float(self.random.uniform(-5, 5))
            else:
                joint.x_a += 0.01

    def stretch(self) -> None:
        """Write fields of joints that stay above 0, most of which a plan follows."""
        for joint in self.joints if self.random.random() < 0.5 else ():
            for name in POSITIVE:
                value = getattr(joint, name, None)
                if value:
                    setattr(joint, name, value * float(self.random.uniform(0.98, 1.02)))

    def slide(self) -> None:
        """Move what no contact moves: kinematic bodies, tiles and triggers."""
        for entity in self.entities[:6]:
            if esper.entity_exists(entity) and not esper.has_component(entity, Velocity):
                esper.component_for_entity(entity, Transform).x += 0.03

    def play(self, steps: int = 260) -> list[Any]:
        """What is seen after every other step; how long nothing is done, and the length of steps, are random too."""
        seen: list[Any] = []
        habits: list[Callable[[], None]] = [lambda: None, lambda: None, self.write_joint, self.slide, self.stretch]
        habit = habits[int(self.random.integers(len(habits)))]
        for step in range(steps):
            if self.random.random() < 0.04:
                self.act()
            habit()
            esper.process(STEP if step % 90 < 80 else 1 / 50)
            if step % 2:
                hits = self.physics.hits
                pairs = list(zip(hits.entity_a.tolist(), hits.entity_b.tolist(), hits.is_new.tolist(), strict=True))
                ended = hits.ended.entity_a.tolist(), hits.strike_impulse.tolist(), len(self.events)
                seen.append((self.physics.digest() if step % 10 == 1 else 0, pairs, ended))
        return [*seen, self.events]


def a_third(number: float) -> float:
    return abs(number) / 3


def write_column(column: Any) -> None:
    column[:] = column[:]


def count_planned(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each step from now on was a planned one."""
    made: list[bool] = []

    def make(steps: PlannedSteps, *arguments: Any) -> bool:
        made.append(_MAKE(steps, *arguments))
        return made[-1]

    monkeypatch.setattr(PlannedSteps, "make", make)
    return made


@pytest.mark.parametrize("seed", range(6))
def test_planned_steps_leave_the_bits_of_whole_steps_whatever_the_game_does(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = count_planned(monkeypatch)
    planned = Game(seed).play()
    monkeypatch.setattr(PlannedSteps, "make", lambda *_: False)
    assert planned == Game(seed).play()
    assert sum(made) > 0


def drop_boxes(boxes: int, **fields: Any) -> ecsphys.Physics:
    physics = ecsphys.install(gravity=(0.0, -9.8))
    esper.create_entity(Transform(0, -1), AABBCollider(99, 1), Solid())
    for k in range(boxes):
        esper.create_entity(Transform(2 * k - boxes, 3), Velocity(), OBBCollider(0.5, 0.5), RigidBody(**fields))
    return physics


def run_planned(physics: ecsphys.Physics, most: int = 60) -> None:
    """Step until the last step was a planned one."""
    for _ in range(most):
        esper.process(STEP)
        if physics._state.stepping.planned.is_ready:
            return
    raise AssertionError("no step was planned")


@pytest.mark.parametrize("boxes", [1, 60])
def test_a_planned_step_makes_few_calls_however_many_bodies_move(boxes: int) -> None:
    physics = drop_boxes(boxes, can_sleep=False)
    for _ in range(150):
        esper.process(STEP)
    run_planned(physics)
    assert calls_while(lambda: esper.process(STEP)) < 240


@pytest.mark.parametrize("name", POSITIVE)
def test_a_plan_follows_a_field_of_a_joint_that_stays_above_0(name: str) -> None:
    physics = drop_boxes(2, can_sleep=False)
    a, b = (entity for entity, _ in esper.get_component(RigidBody))
    joint: Any = RevoluteJoint(a, b, max_torque=9.0)
    if name != "max_torque":
        joint = DistanceJoint(a, b, length=2.0, frequency=3.0, damping_ratio=0.4)
    esper.create_entity(joint)
    setattr(joint, name, 5.0)
    run_planned(physics)
    setattr(joint, name, 6.0)
    esper.process(STEP)
    run_planned(physics)
    for k in range(5):
        setattr(joint, name, 6.0 + k)
        assert physics._state.stepping.planned.fits(physics._state.stepping.planned._step.others, STEP)
        esper.process(STEP)
    setattr(joint, name, None if name in ("length", "frequency") else 0.0)
    assert not physics._state.stepping.planned.fits(physics._state.stepping.planned._step.others, STEP)


def test_a_plan_follows_what_the_game_moves_where_nothing_else_moves_and_is_not_used_when_it_rests() -> None:
    physics = drop_boxes(3)
    tile = Transform(0, -9)
    esper.create_entity(tile, AABBCollider(0.5, 0.5), Solid())
    for _ in range(200):
        esper.process(STEP)
    planned = physics._state.stepping.planned
    for k in range(20):
        tile.x = 0.01 * k
        esper.process(STEP)
    assert planned.is_ready
    for _ in range(20):
        assert not planned.fits(planned._step.others, STEP)
        esper.process(STEP)
    assert physics._state.stepping.gate.words[MODE] == CALM


@pytest.mark.parametrize("tiles", [0, 3, 4, 5, 200])
def test_sleeping_colliders_end_no_plan_however_many_there_are(tiles: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planned_steps, "_SHARED", 10)
    digests: list[int] = []
    whole: list[int] = []
    note_step = PlannedSteps.note_step

    def noted(steps: PlannedSteps, *arguments: Any) -> None:
        whole.append(len(digests))
        note_step(steps, *arguments)

    monkeypatch.setattr(PlannedSteps, "note_step", noted)
    for is_planned in (True, False):
        esper.switch_world(f"tiles {tiles} {is_planned}")
        physics = ecsphys.install(gravity=(0.0, -9.8), threads=2)
        esper.create_entity(Transform(0, -1), AABBCollider(30, 1), Solid())
        for k in range(tiles):
            esper.create_entity(Transform(k % 20 - 10.0, -5.0 - k // 20), AABBCollider(0.5, 0.5), Solid())
        for k in range(4):
            body = RigidBody(can_sleep=False)
            esper.create_entity(Transform(1.2 * k, 0.5), Velocity(0.1 * k, 0.0), CircleCollider(0.5), body)
        if not is_planned:
            monkeypatch.setattr(PlannedSteps, "make", lambda *_: False)
        for _ in range(90):
            esper.process(STEP)
        digests.append(physics.digest())
    assert whole.count(0) < 60
    assert whole.count(1) == 90
    assert digests[0] == digests[1]


def test_buffers_of_a_plan_hold_one_row_less_as_many_and_one_more_than_they_have_room_for() -> None:
    """More and more boxes touch the floor at once, so each buffer is filled to its end and beyond."""

    def landed() -> list[Any]:
        esper.switch_world(f"rows {next(_NUMBERS)}")
        physics = drop_boxes(0)
        for k in range(150):
            place = Transform(1.2 * k - 90, 0.55 + 0.02 * k)
            esper.create_entity(place, Velocity(), OBBCollider(0.5, 0.5), RigidBody(can_sleep=False))
        seen = []
        for _ in range(90):
            esper.process(STEP)
            seen.append((physics._state.hits.found.counts.contacts, physics.digest()))
        return seen

    planned = landed()
    steps = PlannedSteps.make
    try:
        PlannedSteps.make = lambda *_: False  # type: ignore[method-assign]
        assert planned == landed()
    finally:
        PlannedSteps.make = steps  # type: ignore[method-assign]


def test_a_processor_between_two_stages_and_a_derived_stage_end_plans() -> None:
    physics = drop_boxes(3, can_sleep=False)
    run_planned(physics)

    class Watcher(esper.Processor):
        def process(self, dt: float) -> None:
            pass

    esper.add_processor(Watcher(), priority=int(ecsphys.Priority.BROADPHASE) + 1)
    for _ in range(20):
        esper.process(STEP)
    assert not physics._state.stepping.planned.is_ready


def test_pre_solve_ends_plans_and_is_called_in_the_next_step() -> None:
    physics = drop_boxes(3, can_sleep=False)
    for _ in range(90):
        esper.process(STEP)
    called: list[int] = []
    physics.pre_solve = lambda contacts: called.append(len(contacts))
    for _ in range(10):
        esper.process(STEP)
    assert len(called) == 10


def test_a_handler_hears_the_start_and_the_end_of_hits_that_planned_steps_find() -> None:
    physics = drop_boxes(1, restitution=1.0, can_sleep=False)
    heard: list[str] = []

    def hear_start(hit: Hit) -> None:
        heard.append("started")

    def hear_end(hit: Hit) -> None:
        heard.append("ended")

    esper.set_handler("hit_started", hear_start)
    esper.set_handler("hit_ended", hear_end)
    for _ in range(200):
        esper.process(STEP)
    assert heard[:4] == ["started", "ended", "started", "ended"]
    assert physics._state.stepping.planned.is_ready


def test_an_interrupt_after_a_plan_was_run_leaves_a_world_that_can_be_stepped(monkeypatch: pytest.MonkeyPatch) -> None:
    physics = drop_boxes(8, can_sleep=False)
    run_planned(physics)
    end = PlannedSteps.end

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(PlannedSteps, "end", interrupted)
    with pytest.raises(KeyboardInterrupt):
        esper.process(STEP)
    monkeypatch.setattr(PlannedSteps, "end", end)
    for _ in range(240):
        esper.process(STEP)
    heights = [place.y for _, (place, _) in esper.get_components(Transform, RigidBody)]
    assert np.allclose(heights, 0.5, atol=0.02)
    assert len(physics.hits) == 8
    assert physics._state.stepping.planned.is_ready


def test_a_value_that_is_beyond_all_numbers_after_a_planned_step_is_refused_in_the_next() -> None:
    physics = drop_boxes(1, can_sleep=False)
    run_planned(physics)
    esper.component_for_entity(next(entity for entity, _ in esper.get_component(RigidBody)), Velocity).x = 1e308

    def fly() -> None:
        for _ in range(400):
            esper.process(STEP)

    with pytest.raises(ValueError, match=r"Transform\.x"):
        fly()
