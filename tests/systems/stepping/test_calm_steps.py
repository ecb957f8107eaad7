"""A calm step costs the same in any world, and leaves the same bits as a whole step: whatever the game does next."""

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
    Acceleration,
    Bullet,
    CircleCollider,
    CollisionFilter,
    Disabled,
    DistanceJoint,
    Gravity,
    HitListener,
    LinearTrajectory,
    OBBCollider,
    Parent,
    Priority,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.components.store.component import Component
from ecsphys.systems import WorldBoundsSystem
from ecsphys.systems.stepping.step_gate import MODE, MOST_STAGES, SHUT, CalmSteps
from ecsphys.types import Hit

STEP = 1 / 60
_NUMBERS = count()


class Yard:
    """A floor, stacks of boxes, a pair on a joint, a lift with a load, and a trigger that overlaps a tile: all comes to
    rest.

    Beside many ``tiles`` the boxes are never filed among the sleeping colliders, though they are still.
    """

    def __init__(self, tiles: int = 0) -> None:
        self.physics = ecsphys.install(gravity=(0.0, -9.8))
        for k in range(tiles):
            esper.create_entity(Transform(k % 40 - 20, -30 - k // 40), AABBCollider(0.5, 0.5), Solid())
        self.floor = esper.create_entity(Transform(0, -1), AABBCollider(40, 1), Solid())
        self.boxes = [self.box(2.0 * (k % 6), 0.5 + k // 6) for k in range(18)]
        self.joint = DistanceJoint(self.box(-6.0, 0.5), self.box(-9.0, 0.5), length=3.0)
        self.holder = esper.create_entity(self.joint)
        self.lift = esper.create_entity(Transform(30, 5), OBBCollider(2, 0.2), RigidBody("kinematic"))
        self.load = self.box(30, 5.7)
        self.tile = esper.create_entity(Transform(-20, 2), AABBCollider(0.5, 0.5))
        self.trigger = esper.create_entity(Transform(-20.4, 2), CircleCollider(0.5))
        self.events: list[tuple[str, int, int]] = []
        self.kept: Any = None

    def box(self, x: float, y: float) -> int:
        return esper.create_entity(
            Transform(x, y), Velocity(), OBBCollider(0.5, 0.5), RigidBody(), CollisionFilter(), Acceleration()
        )

    def part(self, entity: int, cls: type[Any]) -> Any:
        return esper.component_for_entity(entity, cls)

    def note(self, hit: Hit) -> None:
        self.events.append((hit.phase, hit.entity_a, hit.entity_b))


def push(yard: Yard) -> None:
    yard.physics.bodies.apply_impulse(yard.boxes[3], (2.0, 1.0))


def push_some(yard: Yard) -> None:
    yard.physics.bodies.apply_force(np.array(yard.boxes[:3]), (300.0, 0.0))


def hold_column(yard: Yard) -> None:
    yard.kept = Velocity.column("x")
    yard.kept[yard.part(yard.boxes[-1], Velocity)._row] = 3.0


def write_held_column(yard: Yard) -> None:
    if yard.kept is not None:
        yard.kept[yard.part(yard.boxes[-2], Velocity)._row] = -3.0


def restore(yard: Yard) -> None:
    taken = yard.physics.snapshot()
    yard.physics.bodies.set_velocity(yard.boxes[5], (3.0, 3.0))
    esper.process(STEP)
    yard.physics.restore(taken)


def detect(yard: Yard) -> None:
    yard.physics.detect()


def ask(yard: Yard) -> None:
    yard.physics.raycast((-30.0, 0.5), (1.0, 0.0), 60.0)
    yard.physics.query_aabb((-3.0, 0.0), (3.0, 2.0))


def listen(yard: Yard) -> None:
    esper.set_handler("hit_ongoing", yard.note)


def tell_listener(yard: Yard) -> None:
    esper.add_component(yard.trigger, HitListener(on_ongoing=yard.note))


def timed(yard: Yard) -> None:
    yard.physics.debug.profile.timed = not yard.physics.debug.profile.timed


def put(field: str, cls: type[Component], which: Callable[[Yard], int], value: Any) -> Callable[[Yard], None]:
    def assign(yard: Yard) -> None:
        setattr(yard.part(which(yard), cls), field, value)

    assign.__name__ = f"{cls.__name__}.{field}"
    return assign


CHANGES: list[Callable[[Yard], object]] = [
    push,
    push_some,
    hold_column,
    write_held_column,
    restore,
    detect,
    ask,
    listen,
    tell_listener,
    timed,
    put("x", Transform, lambda yard: yard.boxes[0], 1.25),
    put("x", Transform, lambda yard: yard.trigger, -21.5),
    put("x", Velocity, lambda yard: yard.boxes[7], 2.0),
    put("y", Transform, lambda yard: yard.lift, 4.9),
    put("y", Transform, lambda yard: yard.lift, 5.1),
    put("kind", RigidBody, lambda yard: yard.lift, "dynamic"),
    lambda yard: esper.add_component(yard.lift, Velocity(0.0, 1.0)),
    lambda yard: esper.add_component(yard.lift, LinearTrajectory(30.0, 5.0, 0.5, 0.5)),
    lambda yard: esper.add_component(yard.lift, Parent(yard.boxes[0])),
    lambda yard: yard.physics.bodies.apply_impulse(yard.load, (0.5, 0.5)),
    put("y", Acceleration, lambda yard: yard.boxes[8], 30.0),
    put("friction", RigidBody, lambda yard: yard.boxes[9], 0.0),
    put("kind", RigidBody, lambda yard: yard.boxes[10], "kinematic"),
    put("mask", CollisionFilter, lambda yard: yard.boxes[11], 0),
    put("radius", CircleCollider, lambda yard: yard.trigger, 0.1),
    put("half_width", OBBCollider, lambda yard: yard.boxes[1], 0.75),
    lambda yard: Velocity.write(yard.part(yard.boxes[12], Velocity)._row, y=4.0),
    lambda yard: setattr(yard.joint, "length", 2.0),
    lambda yard: setattr(yard.physics, "gravity", (3.0, -9.8)),
    lambda yard: setattr(yard.physics.settings, "sleep_speed", 0.0),
    lambda yard: setattr(yard.physics, "pre_solve", lambda contacts: None),
    lambda yard: setattr(yard.physics, "pre_solve", None),
    lambda yard: yard.boxes.append(yard.box(1.0, 6.0)),
    lambda yard: esper.delete_entity(yard.tile) if esper.entity_exists(yard.tile) else None,
    lambda yard: esper.delete_entity(yard.boxes.pop(2), immediate=True) if len(yard.boxes) > 16 else None,
    lambda yard: esper.add_component(yard.boxes[4], Disabled()),
    lambda yard: esper.add_component(yard.boxes[5], Gravity(-0.5)),
    lambda yard: esper.add_component(yard.trigger, Velocity(1.0, 0.0)),
    lambda yard: esper.add_component(yard.trigger, Parent(yard.boxes[0])),
    lambda yard: esper.create_entity(Transform(-30, 0.5), Velocity(90, 0), CircleCollider(0.1), Bullet()),
    lambda yard: yard.physics.bodies.wake(yard.boxes[6]),
    lambda yard: yard.physics.bodies.sleep(yard.boxes[6]),
    lambda yard: esper.process(0.0),
    lambda yard: yard.physics.step(STEP),
]


def begin_anew() -> None:
    """A world in which nothing was before."""
    last = esper.current_world
    esper.switch_world(f"yard {next(_NUMBERS)}")
    esper.delete_world(last)


def played(seed: int, tiles: int) -> list[Any]:
    """What a random game sees in each step."""
    begin_anew()
    yard, random, seen = Yard(tiles), np.random.default_rng(seed), []
    for _ in range(14):
        for _ in range(int(random.integers(1, 120))):
            esper.process(STEP if random.random() < 0.97 else 1 / 50)
            hits = yard.physics.hits
            pairs = sorted(zip(hits.entity_a.tolist(), hits.entity_b.tolist(), hits.is_new.tolist(), strict=True))
            ended = hits.ended.entity_a.tolist()
            seen.append((yard.physics.digest(), yard.physics._state.clock, pairs, len(hits.started), ended))
        CHANGES[int(random.integers(len(CHANGES)))](yard)
    return [*seen, yard.events]


@pytest.mark.parametrize(
    ("seed", "tiles"), [*((seed, 0) for seed in range(2)), *((seed, 1000) for seed in range(5, 7))]
)
def test_calm_steps_leave_the_bits_of_whole_steps_whatever_the_game_does(
    seed: int, tiles: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calm = played(seed, tiles)
    monkeypatch.setattr(CalmSteps, "note_step", lambda *_: None)
    assert calm == played(seed, tiles)


@pytest.mark.parametrize("tiles", [0, 500])
@pytest.mark.parametrize("change", CHANGES)
def test_each_change_of_a_calm_world_is_seen(
    change: Callable[[Yard], object], tiles: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seen_after() -> list[int]:
        begin_anew()
        yard = Yard(tiles)
        for _ in range(300):
            esper.process(STEP)
        digests = []
        change(yard)
        for _ in range(30):
            esper.process(STEP)
            digests.append(yard.physics.digest())
        return [*digests, len(yard.events)]

    calm = seen_after()
    monkeypatch.setattr(CalmSteps, "note_step", lambda *_: None)
    assert calm == seen_after()


@pytest.mark.parametrize("boxes", [0, 1, 40, 1000])
def test_a_calm_step_makes_few_calls_however_large_the_world_is(boxes: int) -> None:
    ecsphys.install(gravity=(0.0, -9.8))
    esper.create_entity(Transform(0, -1), AABBCollider(2 * boxes + 5, 1), Solid())
    for k in range(boxes):
        esper.create_entity(Transform(2 * k - boxes, 0.5), Velocity(), OBBCollider(0.5, 0.5), RigidBody())
    for _ in range(200):
        esper.process(STEP)
    assert calls_while(lambda: esper.process(STEP)) < 90


def test_a_few_boxes_beside_many_tiles_are_calm_though_filing_them_does_not_pay() -> None:
    physics = ecsphys.install(gravity=(0.0, -9.8))
    for k in range(2000):
        esper.create_entity(Transform(k % 50, -k // 50), AABBCollider(0.5, 0.5), Solid())
    for k in range(5):
        esper.create_entity(Transform(2 * k, 1.0), Velocity(), OBBCollider(0.4, 0.4), RigidBody())
    esper.create_entity(Transform(-9, 1), OBBCollider(2, 0.2), RigidBody("kinematic"))
    for _ in range(200):
        esper.process(STEP)
    assert 5 <= physics._state.sleeping.listed_count <= 6
    assert calls_while(lambda: esper.process(STEP)) < 90


def test_steps_of_more_stages_than_a_gate_has_room_for_are_made_by_python() -> None:
    physics = ecsphys.install()
    for _ in range(MOST_STAGES):
        esper.add_processor(WorldBoundsSystem(physics), Priority.BOUNDS)
    esper.create_entity(Transform(), CircleCollider(0.5))
    for _ in range(30):
        esper.process(STEP)
    assert physics._state.clock == pytest.approx(30 * STEP)
    assert physics._state.stepping.gate.words[MODE] == SHUT
