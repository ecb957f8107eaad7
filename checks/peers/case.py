"""A case: what is played, and what is measured of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from checks.peers.film import Film
from checks.peers.scene import Box, Capsule, Disc, Fan, Figure, Polygon, Shape, Take

Random = np.random.Generator

Judge = Callable[[Sequence[Film]], list[Figure]]


@dataclass(frozen=True)
class Case:
    """The takes of a seed, in words too, and who measures their films."""

    text: str
    takes: tuple[Take, ...]
    judge: Judge


def chance(random: Random, of: float = 0.5) -> bool:
    """Whether it happens."""
    return bool(random.random() < of)


def pick(random: Random, *names: str) -> str:
    """One of some names."""
    return names[int(random.integers(len(names)))]


def between(random: Random, low: float, high: float) -> float:
    """A number, even."""
    return float(random.uniform(low, high))


def between_logs(random: Random, low: float, high: float) -> float:
    """A number, its logarithm even."""
    return float(np.exp(random.uniform(np.log(low), np.log(high))))


def shuffled(random: Random, count: int) -> tuple[int, ...]:
    """An order of creation."""
    return tuple(random.permutation(count).tolist()) if chance(random) else ()


COLLIDERS = ("circle", "AABB", "OBB", "capsule", "fan", "polygon", "compound")


def make_shapes(random: Random, name: str, size: float) -> tuple[Shape, ...]:
    """Shapes of a collider class, that reach about so far."""
    other = size * between(random, 0.4, 1.0)
    match name:
        case "circle":
            return (Disc(size),)
        case "AABB":
            return (Box(size, other, turns=False),)
        case "OBB":
            return (Box(size, other),)
        case "capsule":
            return (Capsule(size, 0.5 * other),)
        case "fan":
            return (Fan(size, between(random, 0.6, 3.1)),)
        case "polygon":
            count = int(random.integers(3, 8))
            angles = np.arange(count) * 2.0 * np.pi / count + random.uniform(-0.3, 0.3, count) / count
            return (Polygon(tuple((size * float(np.cos(a)), size * float(np.sin(a))) for a in angles)),)
        case _:
            part = 0.4 * size
            return Disc(part, -0.5 * size), Box(part, 0.5 * part, 0.3 * size), Disc(part, 0.0, 0.5 * size)
