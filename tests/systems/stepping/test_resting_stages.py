"""World bounds, particles and light rest where they have nothing to do: calm and planned steps pass over them."""

from __future__ import annotations

import gc
from collections.abc import Callable
from itertools import count
from typing import Any

import esper
import numpy as np
import pytest
from python_calls import calls_while

import ecsphys
from ecsphys import AABBCollider, OBBCollider, Priority, RigidBody, Solid, Transform, Velocity, WorldBounds
from ecsphys.effects import Beam, Emitter
from ecsphys.systems import LightSystem, ParticleSystem, WorldBoundsSystem
from ecsphys.systems.stepping.planned_steps import PlannedSteps
from ecsphys.systems.stepping.step_gate import CalmSteps

STEP = 1 / 60
_NUMBERS = count()


class Room:
    """A floor with boxes that come to rest, in bounds, beside systems of particles and light without any."""

    def __init__(self, flies: bool = False) -> None:
        last = esper.current_world
        esper.switch_world(f"room {next(_NUMBERS)}")
        esper.delete_world(last)
        self.physics = ecsphys.install(gravity=(0.0, -9.8))
        self.particles, self.light = ParticleSystem(self.physics), LightSystem(self.physics)
        self.bounding = WorldBoundsSystem(self.physics)
        esper.add_processor(self.bounding, Priority.BOUNDS)
        esper.add_processor(self.particles, Priority.PARTICLE)
        esper.add_processor(self.light, Priority.LIGHT)
        esper.create_entity(Transform(0, -1), AABBCollider(40, 1), Solid())
        self.places = [Transform(2 * k, 0.5) for k in range(4)]
        self.bounds = [WorldBounds(-20, -20, 20, 20) for _ in range(5)]
        self.boxes = [esper.create_entity(place, OBBCollider(0.5, 0.5), RigidBody()) for place in self.places]
        self.sign = Transform(0, 9)
        if flies:
            esper.create_entity(Transform(0, 50), Velocity(1, 0))
        else:
            for box, bounds in zip(self.boxes, self.bounds, strict=False):
                esper.add_component(box, bounds)
            esper.create_entity(self.sign, self.bounds[-1])
        self.told: list[tuple[Any, ...]] = []
        self.kept: Any = None
        self.kept_row = 0
        self.pushes = False
        esper.set_handler("bounds_reached", self.tell)

    def tell(self, *what: Any) -> None:
        self.told.append(what)
        if self.pushes:
            self.places[2].x += 0.25

    def numbers(self) -> list[Any]:
        light = self.light.beam_mesh().positions.tolist()
        return [self.physics.digest(), self.particles.position.tolist(), light, list(self.told), self.sign.x]


def put(room: Room) -> None:
    room.sign.x = 30


def narrow(room: Room) -> None:
    room.bounds[0].min_x = 0.5


def narrow_through_a_column(room: Room) -> None:
    room.kept, room.kept_row = WorldBounds.column("max_x"), room.bounds[2]._row
    room.kept[room.bounds[3]._row] = 5


def move_through_a_column(room: Room) -> None:
    room.kept, room.kept_row = Transform.column("x"), room.sign._row
    room.kept[room.kept_row] = -30


def write_what_is_kept(room: Room) -> None:
    if room.kept is not None:
        room.kept[room.kept_row] = 3.5


def write_rows(room: Room) -> None:
    WorldBounds.write(room.bounds[1]._row, max_x=1.5)


def bound_another(room: Room) -> None:
    esper.create_entity(Transform(100, 100), WorldBounds(-5, -5, 5, 5))


def delete_at_the_edge(room: Room) -> None:
    room.bounds[1].at_edge = "despawn"
    room.places[1].y = 90


def burst(room: Room) -> None:
    room.particles.burst(0, 5, 3, Emitter(vx_spread=1, lifetime=0.1))


def emit(room: Room) -> None:
    esper.create_entity(Transform(0, 6), Emitter(rate=100, vx=1, lifetime=0.1))


def shine(room: Room) -> None:
    esper.create_entity(Transform(0, 0.2), Beam(end_x=6, end_y=0, width=0.2))


def restore(room: Room) -> None:
    taken = room.physics.snapshot()
    room.sign.y = 70
    room.particles.burst(0, 5, 3, Emitter(lifetime=9))
    esper.process(STEP)
    room.physics.restore(taken)


def put_in_a_handler(room: Room) -> None:
    room.pushes = True
    room.sign.y = -40


CHANGES: list[Callable[[Room], None]] = [
    put,
    narrow,
    narrow_through_a_column,
    move_through_a_column,
    write_what_is_kept,
    write_rows,
    bound_another,
    delete_at_the_edge,
    burst,
    emit,
    shine,
    restore,
    put_in_a_handler,
]


@pytest.mark.parametrize("flies", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_steps_that_pass_over_them_leave_the_bits_of_whole_steps(
    seed: int, flies: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def played() -> list[Any]:
        room, random, seen = Room(flies), np.random.default_rng(seed), []
        for _ in range(12):
            for _ in range(int(random.integers(1, 60))):
                esper.process(STEP)
                seen.append(room.numbers())
            changes = CHANGES if not flies else [burst, shine, bound_another, restore]
            changes[int(random.integers(len(changes)))](room)
        return seen

    quick = played()
    monkeypatch.setattr(CalmSteps, "note_step", lambda *_: None)
    monkeypatch.setattr(PlannedSteps, "make", lambda *_: False)
    assert quick == played()


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_wakes_them(change: Callable[[Room], None], monkeypatch: pytest.MonkeyPatch) -> None:
    def seen_after() -> list[Any]:
        room = Room()
        for _ in range(200):
            esper.process(STEP)
        seen = [room.numbers()]
        change(room)
        for _ in range(20):
            esper.process(STEP)
            seen.append(room.numbers())
        return seen

    quick = seen_after()
    assert change in (write_what_is_kept, restore) or quick[0] != quick[1]
    monkeypatch.setattr(CalmSteps, "note_step", lambda *_: None)
    assert quick == seen_after()


def test_a_calm_step_makes_few_calls_beside_them() -> None:
    # Columns that rooms of other tests hold could be written at any time.
    gc.collect()
    room = Room()
    for k in range(500):
        esper.create_entity(Transform(k, 12), WorldBounds(-1000, -1000, 1000, 1000))
    for _ in range(200):
        esper.process(STEP)
    calls = calls_while(lambda: esper.process(STEP))
    for system in (room.bounding, room.particles, room.light):
        esper.remove_processor(type(system))
    for _ in range(10):
        esper.process(STEP)
    assert calls - calls_while(lambda: esper.process(STEP)) < 40


def test_a_step_with_a_flight_is_planned_beside_systems_that_rest() -> None:
    gc.collect()
    room = Room(flies=True)
    for _ in range(200):
        esper.process(STEP)
    assert room.physics._state.stepping.planned.is_ready
    burst(room)
    esper.process(STEP)
    assert not room.physics._state.stepping.planned.is_ready


def test_a_system_that_a_game_derives_runs_in_each_step() -> None:
    class Noted(WorldBoundsSystem):
        runs = 0

        def run(self, dt: float) -> None:
            self.runs += 1
            super().run(dt)

    system = Noted(ecsphys.install())
    esper.add_processor(system, Priority.BOUNDS)
    for _ in range(20):
        esper.process(STEP)
    assert system.runs == 20
