"""The bodies that most workloads are made of: shapes of five kinds that move and spin."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import CapsuleCollider, CircleCollider, Collider, FanCollider, OBBCollider, PolygonCollider
from ecsphys.demo.scenes.scene import Box
from ecsphys.demo.scenes.workloads.body import Body
from ecsphys.demo.scenes.workloads.random_shapes import random_corners

SPACING = 2.6
"""The square of the swarm has this side for one shape, and an area in proportion to their number."""

SMALLEST, LARGEST = 0.4, 0.8
"""Half the largest extent of a shape: half the distance of its two points that are farthest apart."""

SLOWEST, FASTEST = 0.5, 3.0
"""Speed, in units a second."""

SPIN = 2.0
"""Radians a second, at most, either way."""

Shape = tuple[type[Collider], tuple[Any, ...]]
"""A collider class and the arguments of its constructor."""


def square(count: int, spacing: float = SPACING) -> Box:
    """The square with room for ``count`` shapes."""
    side = spacing * math.sqrt(count)
    return 0.0, 0.0, side, side


def swarm_bodies(rng: np.random.Generator, count: int, box: Box) -> list[Body]:
    """Circles, OBBs, capsules, fans and polygons in equal parts, spread evenly over the box, all in motion."""
    half = rng.uniform(SMALLEST, LARGEST, count)
    shapes = (_SHAPES[number % len(_SHAPES)](rng, float(size)) for number, size in enumerate(half))
    return moving_bodies(rng, count, box, shapes)


def circle_bodies(rng: np.random.Generator, count: int, box: Box) -> list[Body]:
    """As :func:`swarm_bodies`, but circles only."""
    half = rng.uniform(SMALLEST, LARGEST, count)
    return moving_bodies(rng, count, box, (circle(rng, size) for size in half.tolist()))


def moving_bodies(
    rng: np.random.Generator,
    count: int,
    box: Box,
    shapes: Iterator[Shape],
    slowest: float = SLOWEST,
    fastest: float = FASTEST,
    filters: tuple[int, int] | None = None,
) -> list[Body]:
    """``count`` bodies of the shapes at places, angles, velocities and spins drawn evenly."""
    min_x, min_y, max_x, max_y = box
    speed = rng.uniform(slowest, fastest, count)
    direction = rng.uniform(0.0, math.tau, count)
    columns: tuple[NDArray[float64], ...] = (
        rng.uniform(min_x, max_x, count),
        rng.uniform(min_y, max_y, count),
        rng.uniform(0.0, math.tau, count),
        speed * np.cos(direction),
        speed * np.sin(direction),
        rng.uniform(-SPIN, SPIN, count),
    )
    rows = zip(*(column.tolist() for column in columns), shapes, strict=True)
    return [
        Body(x, y, angle, (vx, vy, spin), collider, arguments, filters)
        for x, y, angle, vx, vy, spin, (collider, arguments) in rows
    ]


def circle(rng: np.random.Generator, half: float) -> Shape:
    return CircleCollider, (half,)


def box(rng: np.random.Generator, half: float) -> Shape:
    """Its diagonal is its largest extent."""
    slimness = rng.uniform(0.3, 0.25 * math.pi)
    return OBBCollider, (half * math.cos(slimness), half * math.sin(slimness))


def capsule(rng: np.random.Generator, half: float) -> Shape:
    radius = half * rng.uniform(0.2, 0.6)
    return CapsuleCollider, (2.0 * (half - radius), radius)


def fan(rng: np.random.Generator, half: float) -> Shape:
    """A slim one is as long as its radius, then the chord is longer; from π on it is as large as its circle."""
    spread = rng.uniform(0.5, math.tau - 0.5)
    chord = 2.0 * math.sin(0.5 * min(spread, math.pi))
    return FanCollider, (2.0 * half / max(chord, 1.0), spread)


def polygon(rng: np.random.Generator, half: float) -> Shape:
    """Three to eight corners on a circle, scaled to the extent."""
    points = np.array(random_corners(rng, int(rng.integers(3, 9)), 1.0))
    extent = np.hypot(*(points[:, None] - points[None]).T).max()
    return PolygonCollider, ((points * (2.0 * half / extent)).tolist(),)


_SHAPES: tuple[Callable[[np.random.Generator, float], Shape], ...] = (circle, box, capsule, fan, polygon)
