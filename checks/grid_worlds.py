"""Random boxes and discs in which a given number of pairs overlaps, for :mod:`checks.grid`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.pairs import BruteForce
from ecsphys.engine.kernels import grown

Boxes = NDArray[float64]
Scene = Callable[[np.random.Generator, int], Boxes]

# Where the boxes are that bring a scene to a number of pairs: beyond all scenes.
_ASIDE = 1e7


def boxes_at(centres: Boxes, extents: Boxes) -> Boxes:
    """Boxes (n, 4) by centres and extents (n, 2)."""
    return np.ascontiguousarray(np.hstack((centres - extents / 2, centres + extents / 2)))


def swarm(rng: np.random.Generator, n: int) -> Boxes:
    """Of about one size, some overlapping."""
    return boxes_at(rng.uniform(-1, 1, (n, 2)) * np.sqrt(n), rng.uniform(0.8, 1.6, (n, 2)))


def crowd(rng: np.random.Generator, n: int) -> Boxes:
    """Many in one place."""
    return boxes_at(rng.normal(0, 0.1 * np.sqrt(n), (n, 2)), rng.uniform(0, 1, (n, 2)))


def giants(rng: np.random.Generator, n: int) -> Boxes:
    """A few are a thousand times as large."""
    extents = rng.uniform(0.8, 1.6, (n, 2))
    extents[::40] *= 10.0 ** rng.uniform(0, 3)
    return boxes_at(rng.uniform(-3, 3, (n, 2)) * np.sqrt(n), extents)


def all_sizes(rng: np.random.Generator, n: int) -> Boxes:
    """Of all sizes, on many levels."""
    extents = 10.0 ** rng.uniform(-2, 1, (n, 1)) * rng.uniform(0.1, 1, (n, 2))
    return boxes_at(rng.uniform(-1, 1, (n, 2)) * np.sqrt(n), extents)


def far_clusters(rng: np.random.Generator, n: int) -> Boxes:
    """Nine clusters very far from each other."""
    return boxes_at(rng.integers(-1, 2, (n, 2)) * 1e12 + rng.uniform(-9, 9, (n, 2)), rng.uniform(0.1, 1, (n, 2)))


def lattice(rng: np.random.Generator, n: int) -> Boxes:
    """Corners on whole numbers: most only touch."""
    low = rng.integers(0, int(np.sqrt(n)) + 2, (n, 2))
    return np.hstack((low, low + rng.integers(0, 3, (n, 2)))).astype(float64)


def row(rng: np.random.Generator, n: int) -> Boxes:
    """Each overlaps the next, in order or not."""
    boxes = boxes_at(np.column_stack((1.5 * np.arange(n), np.zeros(n))), np.tile((2.0, 1.0), (n, 1)))
    return np.ascontiguousarray(boxes if rng.integers(2) else rng.permutation(boxes))


def broken(rng: np.random.Generator, n: int) -> Boxes:
    """Some with infinite or missing sides, or inside out."""
    boxes = swarm(rng, n)
    values = np.array((np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324))
    for _ in range(n // 20):
        boxes[rng.integers(n), rng.integers(4)] = rng.choice(values)
    return boxes


SCENES: tuple[Scene, ...] = (swarm, crowd, giants, all_sizes, far_clusters, lattice, row, broken)


def with_pairs(rng: np.random.Generator, boxes: Boxes, target: int, brute_force: BruteForce) -> Boxes:
    """The boxes and, aside, as many pairs of others as are missing to ``target`` pairs, in any order."""
    missing = target - len(brute_force.find_pairs(boxes, np.arange(len(boxes))))
    if missing <= 0:
        return boxes
    x = _ASIDE + 4.0 * np.arange(missing)
    first = np.column_stack((x, np.full(missing, _ASIDE), x + 1.0, np.full(missing, _ASIDE + 1.0)))
    return np.ascontiguousarray(rng.permutation(np.vstack((boxes, first, first + 0.5))))


def targets(rng: np.random.Generator) -> list[int]:
    """Numbers of pairs to be found one after the other: about what a table holds at first, then about what it grows to.

    A table begins with room for 1,024 rows, one of them spare. (So nothing is known of it but :func:`grown`.)
    """
    numbers = []
    rows = 1024
    for _ in range(rng.integers(1, 4)):
        numbers += [rows - 1 + int(step) for step in rng.permutation((-1, 0, 1, 2))]
        over = rows + int(rng.integers(1, 400))
        numbers.append(over)
        rows = max(grown(number + 1) for number in numbers)
    return numbers


def discs(rng: np.random.Generator, n: int) -> tuple[Boxes, NDArray[float64]]:
    """Centres (n, 2) and radii (n,) of discs, crowded or not, some of them large."""
    spread = 10.0 ** rng.uniform(-0.5, 1.0) * np.sqrt(n)
    radii = rng.uniform(0.2, 1.0, n)
    if rng.integers(2):
        radii[:: int(rng.integers(10, 60))] *= 20.0
    return rng.uniform(-spread, spread, (n, 2)), radii


def each_its_own(boxes: Boxes) -> NDArray[int64]:
    """Owners of boxes (n, 4), of which each has one."""
    return np.arange(len(boxes))
