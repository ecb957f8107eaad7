"""Single calls: each of ours beside pymunk's, and pyb2d3's where it has one, among as many circles, in one run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import esper
import numpy as np
import pyb2d3
import pymunk

import ecsphys
from benchmarks.contest import SEED
from benchmarks.delivery import PAIRS, measure_delivery
from benchmarks.peers.pymunk_space import new_space
from benchmarks.pushes import BODIES, Calls, push_calls
from ecsphys import CircleCollider, Transform, geometry

SIZES = (100, 2_000, 50_000)

# Each takes its turn so often, for so many calls in a row.
_ROUNDS = 41
_CALLS = 100

# What is written to before a ray is cast.
_WRITTEN = 200

_RADIUS = 0.5

# How far the nearest may be.
_REACH = 10.0


@dataclass(frozen=True)
class CallOutcome:
    """Medians in µs of a call among so many circles; None where a library has no such call."""

    call: str
    circles: int
    ours: float
    pymunk: float
    box2d: float | None


def measure_calls(sizes: Sequence[int] = SIZES) -> list[CallOutcome]:
    """Every call among each number of circles, pushes of a body, and delivered hits; they take turns."""
    found: list[CallOutcome] = []
    for count in sizes:
        found += in_a_world(count, partial(query_calls, count))
    found += in_a_world(BODIES, push_calls)
    delivered = measure_delivery()
    return found + [CallOutcome(name, 2 * PAIRS, ours, theirs, None) for name, (ours, theirs) in delivered.items()]


def in_a_world(count: int, make: Callable[[], tuple[Calls, Calls, Calls]]) -> list[CallOutcome]:
    """The calls of the three libraries, made in an esper world of their own."""
    before = esper.current_world
    esper.switch_world("calls")
    try:
        ours, pymunks, box2ds = make()
        outcomes = []
        for name, call in ours.items():
            medians = _take_turns([call, pymunks[name], *([box2ds[name]] if name in box2ds else [])])
            outcomes.append(CallOutcome(name, count, medians[0], medians[1], medians[2] if len(medians) > 2 else None))
        return outcomes
    finally:
        esper.switch_world(before)
        esper.delete_world("calls")


def query_calls(count: int) -> tuple[Calls, Calls, Calls]:
    rng = np.random.default_rng(SEED)
    side = 2.2 * float(np.sqrt(count))
    places = rng.uniform(0.0, side, (count, 2)).tolist()
    return _ours(places, side), _pymunk(places, side), _box2d(places, side)


def _take_turns(calls: Sequence[Callable[[], object]]) -> list[float]:
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(_ROUNDS):
        for call, seconds in zip(calls, times, strict=True):
            call()
            start = time.perf_counter()
            for _ in range(_CALLS):
                call()
            seconds.append(time.perf_counter() - start)
    return [1e6 * statistics.median(seconds) / _CALLS for seconds in times]


def _ours(places: list[list[float]], side: float) -> Calls:
    physics = ecsphys.install()
    entities = [esper.create_entity(Transform(x, y), CircleCollider(_RADIUS)) for x, y in places]
    esper.process(1 / 60)
    written = [esper.component_for_entity(entity, Transform) for entity in entities[:_WRITTEN]]
    middle, turn = 0.5 * side, [0]
    shape, at = CircleCollider(1.0), Transform(middle, middle)
    other, beside = CircleCollider(1.0), Transform(middle + 1.5, middle)

    def write_and_raycast() -> object:
        turn[0] += 1
        transform = written[turn[0] % len(written)]
        transform.x += 0.001
        return physics.raycast((0.0, 0.0), (1.0, 1.0))

    return {
        "raycast": lambda: physics.raycast((0.0, 0.0), (1.0, 1.0)),
        "query_point": lambda: physics.query_point((middle, middle)),
        "nearest": lambda: physics.nearest((middle, middle), max_distance=_REACH),
        "query_aabb": lambda: physics.query_aabb((middle - 1.0, middle - 1.0), (middle + 1.0, middle + 1.0)),
        "query_shape": lambda: physics.query_shape(shape, at),
        "write, raycast": write_and_raycast,
        "geometry.contact": lambda: geometry.contact(shape, at, other, beside),
    }


def _pymunk(places: list[list[float]], side: float) -> Calls:
    space, every = new_space(), pymunk.ShapeFilter()
    bodies = []
    for x, y in places:
        bodies.append(body := _disc(x, y, _RADIUS))
        space.add(body, *body.shapes)
    space.step(1e-9)
    middle, turn, end = 0.5 * side, [0], (side, side)
    # Shapes do not keep their bodies alive.
    disc, beside = _disc(middle, middle, 1.0), _disc(middle + 1.5, middle, 1.0)
    bodies += [disc, beside]
    (shape,), (other,) = disc.shapes, beside.shapes
    box = pymunk.BB(middle - 1.0, middle - 1.0, middle + 1.0, middle + 1.0)

    def write_and_raycast() -> object:
        turn[0] += 1
        body = bodies[turn[0] % min(len(places), _WRITTEN)]
        x, y = body.position
        body.position = x + 0.001, y
        space.reindex_shapes_for_body(body)
        return space.segment_query_first((0.0, 0.0), end, 0.0, every)

    return {
        "raycast": lambda: space.segment_query_first((0.0, 0.0), end, 0.0, every),
        "query_point": lambda: space.point_query((middle, middle), 0.0, every),
        "nearest": lambda: space.point_query_nearest((middle, middle), _REACH, every),
        "query_aabb": lambda: space.bb_query(box, every),
        "query_shape": lambda: space.shape_query(shape),
        "write, raycast": write_and_raycast,
        "geometry.contact": lambda: shape.shapes_collide(other),
    }


def _disc(x: float, y: float, radius: float) -> Any:
    body = pymunk.Body(1.0, 1.0)
    body.position = x, y
    pymunk.Circle(body, radius).cache_bb()
    return body


def _box2d(places: list[list[float]], side: float) -> Calls:
    world = pyb2d3.World(gravity=(0.0, 0.0))
    settings = pyb2d3.shape_def(density=0.0)
    bodies = []
    for x, y in places:
        bodies.append(body := world.create_body(type=pyb2d3.BodyType.STATIC, position=(x, y)))
        body.create_shape(settings, pyb2d3.circle(center=(0.0, 0.0), radius=_RADIUS))
    world.step(1e-9, 1)
    turn, no_turn = [0], pyb2d3.make_rot(0.0)

    def write_and_raycast() -> object:
        turn[0] += 1
        number = turn[0] % min(len(places), _WRITTEN)
        x, y = places[number]
        bodies[number].set_transform((x + 0.001 * turn[0], y), no_turn)
        return world.cast_ray_closest((0.0, 0.0), (side, side))

    return {
        "raycast": lambda: world.cast_ray_closest((0.0, 0.0), (side, side)),
        "write, raycast": write_and_raycast,
    }
