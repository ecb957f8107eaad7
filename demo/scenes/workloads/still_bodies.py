"""Workloads with bodies that never move, or not now: floors, tiles, and shapes at rest."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ecsphys import AABBCollider
from ecsphys.demo.scenes.workloads.body import Body
from ecsphys.demo.scenes.workloads.swarm_bodies import LARGEST, SMALLEST, SPACING, square, swarm_bodies
from ecsphys.demo.scenes.workloads.workload import Workload

FLOORS = 10
TIMES_LARGER = 1000.0
_THICKNESS = 0.1

MOVERS_OVER_TILES = 500

TILE = 1.0
"""Side of a tile; they stand as dense as the shapes of the swarm."""

MOVING_PART = 0.05


def giants(rng: np.random.Generator, count: int) -> Workload:
    """The swarm, and floors one above the other, a thousand times as long as its shapes on average."""
    arena = square(count)
    _, _, width, height = arena
    half_length = TIMES_LARGER * 0.5 * (SMALLEST + LARGEST)
    floors = [
        Body(0.5 * width, (level + 0.5) * height / FLOORS, 0.0, None, AABBCollider, (half_length, 0.5 * _THICKNESS))
        for level in range(FLOORS)
    ]
    return Workload(arena, floors + swarm_bodies(rng, count, arena))


def tiles(rng: np.random.Generator, count: int) -> Workload:
    """Tiles in rows and columns, and movers over them."""
    alone = movers_alone(rng, count)
    columns = math.ceil(math.sqrt(count))
    size = (0.5 * TILE, 0.5 * TILE)
    laid = [
        Body(SPACING * (number % columns + 0.5), SPACING * (number // columns + 0.5), 0.0, None, AABBCollider, size)
        for number in range(count)
    ]
    return Workload(alone.arena, laid + alone.bodies)


def movers_alone(rng: np.random.Generator, count: int) -> Workload:
    """The movers of :func:`tiles` in the same arena, without any tiles."""
    arena = square(count)
    return Workload(arena, swarm_bodies(rng, MOVERS_OVER_TILES, arena))


def rest(rng: np.random.Generator, count: int) -> Workload:
    """The swarm, most of which lies still, with velocities of 0."""
    arena = square(count)
    moves = np.zeros(count, bool)
    moves[rng.choice(count, round(MOVING_PART * count), replace=False)] = True
    bodies = [
        body if is_moving else replace(body, velocity=(0.0, 0.0, 0.0))
        for body, is_moving in zip(swarm_bodies(rng, count, arena), moves.tolist(), strict=True)
    ]
    return Workload(arena, bodies)
