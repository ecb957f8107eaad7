"""One source for every formula: compiled by numba and run as Python, it gives the same results."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ecsphys.engine import box_tests, circle_tests, fan_tests, polygon_tests, segment_tests, slab
from ecsphys.engine.compilation import scalar
from ecsphys.engine.interpreted import interpreted

# Every formula of the documents with the number of its arguments; what these call is compiled with them.
FORMULAS = [
    (box_tests.aabb_aabb, 8),
    (box_tests.aabb_intersection, 8),
    (box_tests.point_in_aabb, 6),
    (box_tests.point_in_obb, 7),
    (box_tests.closest_point_on_obb, 7),
    (box_tests.box_center_half, 4),
    (box_tests.box_min_max, 4),
    (box_tests.box_axes, 1),
    (circle_tests.circle_aabb_by_cases, 7),
    (circle_tests.circle_aabb_by_growth, 7),
    (circle_tests.circle_obb, 8),
    (circle_tests.circle_obb_by_transform, 8),
    (fan_tests.between_vectors, 6),
    (fan_tests.circle_fan, 8),
    (segment_tests.closest_point_on_segment, 6),
    (segment_tests.circle_capsule, 8),
    (segment_tests.circle_segment, 7),
    (slab.clip_to_aabb, 10),
]


@pytest.mark.parametrize(("formula", "count"), FORMULAS, ids=[f.__name__ for f, _ in FORMULAS])
def test_compiled_and_interpreted_agree(formula: Callable[..., Any], count: int) -> None:
    as_python = interpreted(formula)
    source = random.Random(7)
    for _ in range(50):
        # Halves make equal numbers, and with them touching shapes, common.
        arguments = [source.randint(1, 8) / 2.0 for _ in range(count)]
        assert as_python(*arguments) == pytest.approx(formula(*arguments), rel=1e-15, abs=1e-15)


def test_compiled_and_interpreted_agree_on_polygons() -> None:
    source = random.Random(7)
    winding_of = interpreted(polygon_tests.convex_winding)
    hits = interpreted(polygon_tests.circle_polygon)
    for _ in range(50):
        xs = [float(source.randint(0, 4)) for _ in range(4)]
        ys = [float(source.randint(0, 4)) for _ in range(4)]
        compiled_xs, compiled_ys = np.array(xs), np.array(ys)
        winding = winding_of(xs, ys)
        assert polygon_tests.convex_winding(compiled_xs, compiled_ys) == winding
        if winding:
            x, y, radius = source.randint(0, 8) / 2.0, source.randint(0, 8) / 2.0, source.randint(1, 4) / 4.0
            assert polygon_tests.circle_polygon(x, y, radius, compiled_xs, compiled_ys, winding) == hits(
                x, y, radius, xs, ys, winding
            )


@scalar
def _inner(x: float) -> float:
    return x + 1.0


@scalar
def _outer(x: float) -> float:
    return 2.0 * _inner(x)


def test_nothing_is_compiled_by_the_interpreted_form() -> None:
    assert interpreted(_outer)(1.0) == 4.0
    assert not _inner.signatures  # type: ignore[attr-defined]
    assert not _outer.signatures  # type: ignore[attr-defined]
