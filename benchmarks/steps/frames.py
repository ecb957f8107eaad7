"""Whole frames: circles with starts and ends beside pymunk.batch and plain C, and rigid bodies beside Box2D."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence

import esper

import ecsphys
from benchmarks.bodies import BodyScene, measure_bodies, scenes
from benchmarks.contest import Contest, Entry
from benchmarks.ecsphys_player import EcsphysPlayer
from benchmarks.peers.pymunk_batch import PymunkBatch
from benchmarks.plain_c.measure import measure_plain_c
from benchmarks.rigid.box2d_world import Box2DWorld
from benchmarks.rigid.ecsphys_world import EcsphysWorld
from benchmarks.rigid.things import Box, Disc, Hinge, RigidWorld, Thing, floor, pyramid
from benchmarks.steps.figures import StepFigure
from benchmarks.steps.own_world import own_worlds, step
from benchmarks.steps.turns import Effort
from ecsphys import OBBCollider, RigidBody, Transform, Velocity
from ecsphys.demo.scenes.workloads import WORKLOADS

# What may be needed of the peer's time.
_OF_BATCH = {1_000: 0.15, 5_000: 0.13, 10_000: 0.11, 50_000: 0.06}
_OF_PLAIN_C = {1_000: 3.0, 10_000: 2.0, 100_000: 1.7}
_OF_BOX2D = {"pyramid of 5,050": 0.8, "tumbler": 0.55, "300 boxes": 0.7, "1,000 dominoes": 0.8, "joint grid": 0.8}
_OF_ONE_THREAD = 0.65

_NEW_BODIES, _MOST_OF_FIRST_STEP = 10_000, 12_000.0
_GRID, _CHAIN = 40, 5_000
_ROUNDS = 5


def measure_circles(effort: Effort) -> list[StepFigure]:
    """µs of a frame of circles, with starts and ends."""
    found = []
    recipe = WORKLOADS["swarm_circles"]
    for count, most in _OF_BATCH.items():
        if count <= effort.sizes[-1]:
            with Contest([Entry(recipe, count, player) for player in (EcsphysPlayer, PymunkBatch)]) as contest:
                ours, theirs = (1e3 * one.milliseconds for one in contest.measure(effort.frame_seconds))
            found.append(StepFigure(f"frame of {count:,} circles / pymunk.batch", ours, theirs, most_ratio=most))
    counts = tuple(count for count in _OF_PLAIN_C if count <= effort.sizes[-1])
    for one in measure_plain_c(counts, effort.frame_seconds) or ():
        what = f"frame of {one.circles:,} circles / plain C"
        found.append(StepFigure(what, 1e3 * one.ours, 1e3 * one.plain_c, most_ratio=_OF_PLAIN_C[one.circles]))
    return found


def measure_rigid(effort: Effort) -> list[StepFigure]:
    """µs of a step of bodies on one thread beside pyb2d3, on two threads beside one, and of the first step."""
    is_full = effort.sizes[-1] >= _NEW_BODIES
    chosen = [scene for scene in scenes() if scene.name.startswith(tuple(_OF_BOX2D))] if is_full else []
    chosen.append(BodyScene("joint grid", _joint_grid(_GRID if is_full else 5)))
    chosen.append(BodyScene("chain of hinges", _chain(_CHAIN if is_full else 30)))
    warm_up, count = (180, 60) if is_full else (20, 5)
    found = []
    for outcome in measure_bodies(chosen, warm_up, count):
        name = outcome.scene.name
        most = next((most for start, most in _OF_BOX2D.items() if name.startswith(start)), None)
        found.append(StepFigure(f"{name} / pyb2d3", 1e3 * outcome.ours, 1e3 * outcome.box2d, most_ratio=most))
    tall = RigidWorld(pyramid(100 if is_full else 5), [floor()])
    ours = [EcsphysWorld(tall, threads=threads) for threads in (2, 1)]
    two, one = _medians([engine.step for engine in ours], warm_up, count)
    found.append(StepFigure("a pyramid on two threads / on one", two, one, most_ratio=_OF_ONE_THREAD))
    chain = _chain(_CHAIN if is_full else 30)
    box2d = Box2DWorld(chain)
    on_two = EcsphysWorld(chain, threads=2)
    two, peer = _medians([on_two.step, box2d.step], warm_up, count)
    found.append(StepFigure("chain of hinges on two threads / pyb2d3", two, peer))
    for engine in (*ours, on_two):
        engine.close()
    box2d.close()
    return [*found, _first_step(_NEW_BODIES if is_full else 100)]


def _medians(steps: Sequence[Callable[[], None]], warm_up: int, count: int) -> list[float]:
    """Medians in µs; they take turns."""
    for call in steps:
        for _ in range(warm_up):
            call()
    times: list[list[float]] = [[] for _ in steps]
    for _ in range(count):
        for call, seconds in zip(steps, times, strict=True):
            begin = time.perf_counter()
            call()
            seconds.append(time.perf_counter() - begin)
    return [1e6 * statistics.median(seconds) for seconds in times]


def _joint_grid(side: int) -> RigidWorld:
    """Discs in a square, hinged to their neighbors; the upper corners hang from the world."""
    discs = [Thing(float(k % side), -float(k // side), (Disc(0.4),)) for k in range(side * side)]
    hinges = [Hinge(0, None, 0.0, 0.0), Hinge(side - 1, None, side - 1.0, 0.0)]
    for k in range(side * side):
        x, y = float(k % side), -float(k // side)
        if k % side:
            hinges.append(Hinge(k, k - 1, x - 0.5, y))
        if k >= side:
            hinges.append(Hinge(k, k - side, x, y + 0.5))
    return RigidWorld(discs, hinges=hinges)


def _chain(links: int) -> RigidWorld:
    """Planks in a row, hinged to each other, that hang from the world at both ends."""
    planks = [Thing(0.5 * k + 0.25, 0.0, (Box(0.24, 0.1),)) for k in range(links)]
    hinges = [Hinge(k, k - 1 if k else None, 0.5 * k, 0.0) for k in range(links)]
    return RigidWorld(planks, hinges=[*hinges, Hinge(links - 1, None, 0.5 * links, 0.0)])


def _first_step(count: int) -> StepFigure:
    """The first step after so many bodies were created, in a world that has played before."""
    best = float("inf")
    for _ in range(_ROUNDS):
        with own_worlds():
            ecsphys.install(gravity=(0.0, -9.8))
            step()
            ecsphys.spawn_many(
                count,
                Transform.many(x=[1.5 * k for k in range(count)]),
                Velocity.many(),
                OBBCollider.many(0.5, 0.5),
                RigidBody.many(),
            )
            begin = time.perf_counter()
            step()
            best = min(best, time.perf_counter() - begin)
            esper.clear_database()
    return StepFigure(f"first step after {count:,} bodies were created", 1e6 * best, most=_MOST_OF_FIRST_STEP)
