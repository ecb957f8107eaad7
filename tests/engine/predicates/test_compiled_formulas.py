"""One source for every formula: compiled by numba and run as Python, it gives the same results."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from ecsphys.engine.compiler.scalar_code import KernelCompiler
from ecsphys.engine.predicates import box as box_tests
from ecsphys.engine.predicates import circle as circle_tests
from ecsphys.engine.predicates import fan as fan_tests
from ecsphys.engine.predicates import polygon as polygon_tests
from ecsphys.engine.predicates import segment as segment_tests
from ecsphys.engine.predicates import slab

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


def compiled(formula: Callable[..., Any]) -> Callable[..., Any]:
    """The formula as a kernel runs it."""

    def call(*arguments: Any) -> Any:
        return formula(*arguments)

    return as_kernel(call)


def as_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compiled for whatever it is called with; numba's own pipeline would not link what scalars call."""
    return numba.njit(error_model="numpy", pipeline_class=KernelCompiler)(function)  # type: ignore[no-any-return]


def all_formulas() -> Callable[..., tuple[Any, ...]]:
    """One function that gives the results of all formulas for the first of its ten arguments."""
    names = [f"x{k}" for k in range(10)]
    calls = [f"{formula.__name__}({', '.join(names[:count])})" for formula, count in FORMULAS]
    namespace: dict[str, Any] = {formula.__name__: formula for formula, _ in FORMULAS}
    exec(f"def all_of_them({', '.join(names)}):\n    return {', '.join(calls)}", namespace)
    return namespace["all_of_them"]  # type: ignore[no-any-return]


def test_compiled_and_plain_python_agree() -> None:
    plain = all_formulas()
    as_machine_code = as_kernel(plain)  # one compilation takes half the time of eighteen
    source = random.Random(7)
    for _ in range(300):
        # Halves make equal numbers, and with them touching shapes, common.
        arguments = [source.randint(1, 8) / 2.0 for _ in range(10)]
        for (formula, _), one, other in zip(FORMULAS, plain(*arguments), as_machine_code(*arguments), strict=True):
            assert one == pytest.approx(other, rel=1e-15, abs=1e-15), (formula.__name__, arguments)


def test_compiled_and_plain_python_agree_on_polygons() -> None:
    source = random.Random(7)
    winding_of = compiled(polygon_tests.convex_winding)
    hits = compiled(polygon_tests.circle_polygon)
    for _ in range(50):
        xs = [float(source.randint(0, 4)) for _ in range(4)]
        ys = [float(source.randint(0, 4)) for _ in range(4)]
        array_xs, array_ys = np.array(xs), np.array(ys)
        winding = polygon_tests.convex_winding(array_xs, array_ys)
        assert winding_of(array_xs, array_ys) == winding
        if winding:
            x, y, radius = source.randint(0, 8) / 2.0, source.randint(0, 8) / 2.0, source.randint(1, 4) / 4.0
            assert hits(x, y, radius, array_xs, array_ys, winding) == polygon_tests.circle_polygon(
                x, y, radius, array_xs, array_ys, winding
            )
