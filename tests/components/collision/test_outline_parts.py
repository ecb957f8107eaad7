"""``CompoundCollider.from_outline``: convex parts that make up the outline, and outlines that are refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ecsphys import CompoundCollider, PolygonCollider

U = [(0, 0), (4, 0), (4, 4), (3, 4), (3, 1), (1, 1), (1, 4), (0, 4)]


def area_of(points: Any) -> float:
    x, y = np.array(points).T
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


def is_inside(points: Any, x: float, y: float) -> bool:
    """By the crossings of a ray to the right."""
    inside = False
    for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            inside = not inside
    return inside


def gear(teeth: int) -> list[tuple[float, float]]:
    turns = [math.tau * k / (4 * teeth) for k in range(4 * teeth)]
    return [((1 + (k % 4 < 2)) * math.cos(turn), (1 + (k % 4 < 2)) * math.sin(turn)) for k, turn in enumerate(turns)]


@pytest.mark.parametrize("points", [U, U[::-1], gear(8), [(x + 1e7, y - 1e7) for x, y in U]])
def test_the_parts_make_up_the_outline(points: list[tuple[float, float]]) -> None:
    compound = CompoundCollider.from_outline(points)
    parts = [part.vertices for part in compound.parts if isinstance(part, PolygonCollider)]
    assert sum(map(area_of, parts)) == pytest.approx(abs(area_of(points)), rel=1e-9)
    random = np.random.default_rng(5)
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    for x, y in random.uniform(low, high, (200, 2)):
        assert sum(is_inside(part, x, y) for part in parts) == is_inside(points, x, y)


def test_there_are_few_parts() -> None:
    assert len(CompoundCollider.from_outline(U)) == 3
    assert len(CompoundCollider.from_outline([(0, 0), (2, -1), (1, 0), (2, 1)])) == 2
    assert len(CompoundCollider.from_outline([(0, 0), (1, 0), (2, 0), (2, 1), (0, 1)])) == 1
    # Convex, but with more vertices than one polygon may have.
    disc = [(math.cos(math.tau * k / 40), math.sin(math.tau * k / 40)) for k in range(40)]
    assert len(CompoundCollider.from_outline(disc)) <= 5


def test_radius_and_sensor_go_to_all_parts() -> None:
    compound = CompoundCollider.from_outline(U, radius=0.25, sensor=True)
    assert compound.sensor
    assert {part.radius for part in compound.parts if isinstance(part, PolygonCollider)} == {0.25}


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([(0, 0), (1, 1), (1, 0), (0, 1)], "must not cross or touch itself"),
        ([(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)], "must not cross or touch itself"),
        ([(0, 0), (2, 0), (1, 0), (1, 1)], "must not cross or touch itself"),
        ([(0, 0), (1, 0), (1, 0), (0, 1)], "must be distinct, but points 1 and 2"),
        ([(0, 0), (1, 0)], "must have at least 3 points, got 2"),
        ([(0, 0), (1, 0), (math.inf, 1)], "must be finite"),
    ],
)
def test_what_is_no_simple_polygon_is_refused(points: Any, message: str) -> None:
    with pytest.raises(ValueError, match=r"CompoundCollider\.points") as raised:
        CompoundCollider.from_outline(points)
    assert message in str(raised.value)
