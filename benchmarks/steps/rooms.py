"""Many rooms of thirty bodies each, that never sleep, in one process."""

from __future__ import annotations

import math

import esper
import pymunk

import ecsphys
from benchmarks.steps.figures import StepFigure
from benchmarks.steps.level import GRAVITY
from benchmarks.steps.own_world import DT, next_world, own_worlds
from benchmarks.steps.turns import Effort, Step, take_turns
from ecsphys import AABBCollider, OBBCollider, Physics, RigidBody, Solid, Transform, Velocity

_BODIES = 30

# What may be needed of pymunk's time, on all threads and on one.
_MOST_ON_ALL, _MOST_ON_ONE = 0.5, 0.9


def measure_rooms(effort: Effort) -> list[StepFigure]:
    """µs of a room, stepped by ``step_worlds`` and one after the other."""
    with own_worlds():
        rooms, names = [], []
        for _ in range(effort.rooms):
            names.append(next_world())
            rooms.append(_room())
        spaces = [_their_room() for _ in range(effort.rooms)]

        def on_all() -> None:
            ecsphys.step_worlds(rooms, DT)

        def on_one() -> None:
            ecsphys.step_worlds(rooms, DT, threads=1)

        def one_by_one() -> None:
            for name in names:
                esper.switch_world(name)
                esper.process(DT)

        def theirs() -> None:
            for space in spaces:
                space.step(DT)

        steps: list[Step] = [on_all, on_one, one_by_one, theirs]
        rounds = Effort(rounds=effort.rounds, calls=2, seconds=max(4.0 * effort.seconds, 0.1))
        times = [time / effort.rooms for time in take_turns(steps, rounds, min(effort.warm_up, 60))]
    return [
        StepFigure(f"a room of {effort.rooms}, step_worlds", times[0], times[3], most_ratio=_MOST_ON_ALL),
        StepFigure(f"a room of {effort.rooms}, step_worlds on one thread", times[1], times[3], most_ratio=_MOST_ON_ONE),
        StepFigure(f"a room of {effort.rooms}, switch_world and process", times[2], times[3]),
    ]


def _room() -> Physics:
    physics = ecsphys.install(gravity=GRAVITY)
    esper.create_entity(Transform(0.0, -1.0), AABBCollider(20.0, 1.0), Solid())
    for k in range(_BODIES):
        place = Transform(2.0 * (k % 10) - 9.0, 0.5 + k // 10)
        esper.create_entity(place, Velocity(), OBBCollider(0.5, 0.5), RigidBody(can_sleep=False))
    return physics


def _their_room() -> pymunk.Space:
    space = pymunk.Space()
    space.gravity = GRAVITY
    space.sleep_time_threshold = math.inf
    floor = pymunk.Segment(space.static_body, (-20.0, -1.0), (20.0, -1.0), 1.0)
    floor.friction = 0.6
    space.add(floor)
    for k in range(_BODIES):
        body = pymunk.Body(1.0, pymunk.moment_for_box(1.0, (1.0, 1.0)))
        body.position = 2.0 * (k % 10) - 9.0, 0.5 + k // 10
        shape = pymunk.Poly.create_box(body, (1.0, 1.0))
        shape.friction = 0.6
        space.add(body, shape)
    return space
