"""Triangles of simple polygons, by exact decisions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ecsphys.components.collision.compound_collider import clip_ears


def star(count: int, seed: int) -> list[tuple[float, float]]:
    """A polygon seen whole from the origin, with distances at random."""
    far = np.random.default_rng(seed).uniform(0.02, 1.0, count)
    return [
        (r * math.cos(math.tau * k / count), r * math.sin(math.tau * k / count)) for k, r in enumerate(far.tolist())
    ]


def comb(teeth: int) -> list[tuple[float, float]]:
    """Thin teeth with corners in one line."""
    tooth = ((0.0, 1.0), (0.0, 9.0), (0.1, 9.0), (0.1, 1.0))
    tops = [(2.0 * k + x, y) for k in range(teeth) for x, y in tooth]
    return [(0.0, 0.0), *((2.0 * k, 0.0) for k in range(1, teeth + 1)), (2.0 * teeth, 1.0), *tops[::-1]]


def spiral(turns: int) -> list[tuple[float, float]]:
    outer = [(k * math.cos(0.5 * k), k * math.sin(0.5 * k)) for k in range(1, 13 * turns)]
    return [*outer, *((x * 1.05, y * 1.05) for x, y in outer[::-1])][::-1]


def exact_area(points: Any) -> Fraction:
    """Twice the signed area, without rounding."""
    exact = [(Fraction(x), Fraction(y)) for x, y in points]
    sides = zip(exact, [*exact[1:], exact[0]], strict=True)
    return sum((ax * by - ay * bx for (ax, ay), (bx, by) in sides), Fraction(0))


POLYGONS = {
    "triangle": [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)],
    "corners in one line": [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (2.0, 1.0), (2.0, 2.0), (1.0, 1.0)],
    "arrow": [(0.0, 0.0), (2.0, -1.0), (1.0, 0.0), (2.0, 1.0)],
    "a corner on a diagonal": [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 2.0), (0.0, 4.0)],
    "almost flat": [(0.0, 0.0), (0.5, 5e-17), (1.0, 0.0), (1.0, 1.0), (0.5, 5e-17 + 1e-16), (0.0, 1.0)],
    "comb": comb(12),
    "spiral": spiral(3),
    **{f"star {seed}": star(30 + 40 * seed, seed) for seed in range(6)},
}


@pytest.mark.parametrize("name", POLYGONS)
@pytest.mark.parametrize("first", [0, 1, -2])
def test_triangles_fill_a_polygon_without_overlap(name: str, first: int) -> None:
    points = [*POLYGONS[name][first:], *POLYGONS[name][:first]]
    assert exact_area(points) > 0
    triangles = clip_ears(np.array(points))
    areas = [exact_area([points[k] for k in triangle]) for triangle in triangles]
    # None is turned over: where they add up to the whole, they cannot overlap.
    assert min(areas) > 0
    assert sum(areas) == exact_area(points)


def test_a_polygon_that_crosses_itself_ends() -> None:
    assert len(clip_ears(np.array([(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)]))) <= 2
