"""Rays: a batch of ours beside a loop over pymunk's ``segment_query_first``, in the same world."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import esper
import numpy as np
import pymunk
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from benchmarks.contest import SEED
from benchmarks.peers.pymunk_space import body_of, new_space, shapes_of
from ecsphys import geometry
from ecsphys.demo.scenes.workloads import WORKLOADS

_ROUNDS = 9

# Each takes its turn so many times in a row: after the others the processor's caches hold nothing of it.
_TURNS = 3

# Of pymunk's polygons and fans: they are outlines, and its distances a part of the segment's length.
_PRECISION = 1e-6

# Rays that are compared with every collider, one by one.
_COMPARED = 60


@dataclass(frozen=True)
class RaysOutcome:
    """Medians in ms for the same rays; how many met something; and how many were compared and disagreed."""

    workload: str
    colliders: int
    rays: int
    batch: float
    batch_after_a_change: float
    loop: float
    met: int
    compared: int
    disagreeing: int

    @property
    def ratio(self) -> float:
        """How many times as long the loop takes as a batch that begins with filing all colliders anew."""
        return self.loop / self.batch_after_a_change


class _Rays:
    """Rays from anywhere in a world, in any direction, as long as 1 … the world's side, evenly in the logarithm."""

    def __init__(self, box: tuple[float, float, float, float], count: int) -> None:
        rng = np.random.default_rng(SEED)
        min_x, min_y, max_x, max_y = box
        turns = rng.uniform(0.0, math.tau, count)
        self.origins = np.column_stack((rng.uniform(min_x, max_x, count), rng.uniform(min_y, max_y, count)))
        self.directions = np.column_stack((np.cos(turns), np.sin(turns)))
        self.lengths: NDArray[float64] = np.exp(rng.uniform(0.0, math.log(max_x - min_x), count))

    def segments(self) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        ends = self.origins + self.directions * self.lengths[:, None]
        return [((a, b), (c, d)) for a, b, c, d in np.hstack((self.origins, ends)).tolist()]


def measure_rays(workload: str = "swarm", colliders: int = 10_000, rays: int = 10_000) -> RaysOutcome:
    """Cast the rays by turns, and compare what they meet: all circles with pymunk, some rays with every collider."""
    before = esper.current_world
    name = f"rays through {workload}"
    esper.switch_world(name)
    try:
        return _measure(workload, colliders, rays)
    finally:
        esper.switch_world(before)
        esper.delete_world(name)


def _measure(workload: str, colliders: int, rays: int) -> RaysOutcome:
    work = WORKLOADS[workload].make(np.random.default_rng(SEED), colliders)
    physics = ecsphys.Physics()
    space = new_space()
    entities: dict[pymunk.Shape, int] = {}
    placed = []
    for body in work.bodies:
        components = body.components()
        entity = esper.create_entity(*components)
        placed.append((entity, components[1], components[0]))
        carrier = body_of(body)
        shapes = shapes_of(body, carrier)
        space.add(carrier, *shapes)
        for shape in shapes:
            shape.sensor = False  # its queries pass sensors over
            entities[shape] = entity
    space.step(1e-9)
    cast = _Rays(work.arena, rays)
    segments = cast.segments()
    nothing = pymunk.ShapeFilter()

    def batch() -> ecsphys.types.RayHitArrays:
        return physics.raycast_batch(cast.origins, cast.directions, cast.lengths)

    def batch_after_a_change() -> ecsphys.types.RayHitArrays:
        transform = esper.component_for_entity(placed[0][0], ecsphys.Transform)
        transform.x += 1e-9
        return batch()

    def loop() -> list[pymunk.SegmentQueryInfo | None]:
        return [space.segment_query_first(start, end, 0.0, nothing) for start, end in segments]

    times: dict[Callable[[], object], list[float]] = {batch: [], batch_after_a_change: [], loop: []}
    for _ in range(_ROUNDS):
        for run, seconds in times.items():
            for _ in range(_TURNS):
                start = time.perf_counter()
                run()
                seconds.append(time.perf_counter() - start)
    ours, theirs = batch(), loop()
    compared, disagreeing = _compare_with_pymunk(ours, theirs, cast.lengths, entities)
    for ray in range(0, rays, max(rays // _COMPARED, 1)):
        compared += 1
        disagreeing += not _is_first_of_all(ours, ray, cast, placed)
    alone, after_a_change, looped = (1e3 * statistics.median(seconds) for seconds in times.values())
    met = int((ours.entity >= 0).sum())
    return RaysOutcome(
        workload, len(physics.debug.colliders), rays, alone, after_a_change, looped, met, compared, int(disagreeing)
    )


def _compare_with_pymunk(
    ours: ecsphys.types.RayHitArrays,
    theirs: list[pymunk.SegmentQueryInfo | None],
    lengths: NDArray[float64],
    entities: dict[pymunk.Shape, int],
) -> tuple[int, int]:
    """Rays that both say meet a circle from outside: it must be the same one, at the same distance."""
    circle = ecsphys.COLLIDER_CLASSES.index(ecsphys.CircleCollider)
    compared = disagreeing = 0
    for ray, info in enumerate(theirs):
        is_circle = info is not None and isinstance(info.shape, pymunk.Circle)
        if info is None or not is_circle or ours.collider[ray] != circle or ours.distance[ray] == 0.0:
            continue
        assert info.shape is not None
        compared += 1
        apart = abs(info.alpha * lengths[ray] - ours.distance[ray])
        disagreeing += entities[info.shape] != ours.entity[ray] or apart > _PRECISION * (1.0 + lengths[ray])
    return compared, disagreeing


def _is_first_of_all(
    ours: ecsphys.types.RayHitArrays, ray: int, cast: _Rays, placed: Sequence[tuple[int, object, object]]
) -> bool:
    """Whether the ray's hit is the first of those with every collider."""
    x, y = cast.origins[ray].tolist()
    dx, dy = cast.directions[ray].tolist()
    length = float(cast.lengths[ray])
    best = (length, -1)
    for entity, collider, transform in placed:
        hit = geometry.raycast(collider, transform, (x, y), (dx, dy), best[0])  # type: ignore[arg-type]
        if hit is not None and (best[1] < 0 or hit.distance < best[0]):
            best = (hit.distance, entity)
    return best == (float(ours.distance[ray]), int(ours.entity[ray]))
