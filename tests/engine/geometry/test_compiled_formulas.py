"""One source for every formula: as machine code and as Python, it gives the same results."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from formulas import FORMULAS
from kernels_of_tests import kernel_of_tests

from ecsphys.engine.geometry import predicates


def _numbers(result: Any) -> Iterator[float]:
    if isinstance(result, tuple):
        for part in result:
            yield from _numbers(part)
    else:
        yield float(result)


def test_machine_code_and_python_agree() -> None:
    source = random.Random(7)
    # Halves make equal numbers, and with them touching shapes, common.
    arguments = np.array([[source.randint(1, 8) / 2.0 for _ in range(10)] for _ in range(300)])
    expected = [
        [number for formula, count in FORMULAS for number in _numbers(formula(*row[:count]))]
        for row in arguments.tolist()
    ]
    results = np.zeros((300, len(expected[0])))
    kernel_of_tests("formulas.evaluate")(arguments, results)
    assert results == pytest.approx(np.array(expected), rel=1e-15, abs=1e-15, nan_ok=True)


def test_machine_code_and_python_agree_on_polygons() -> None:
    source = random.Random(7)
    winding_of, hits = kernel_of_tests("formulas.wind"), kernel_of_tests("formulas.hit_polygon")
    for _ in range(50):
        xs = np.array([float(source.randint(0, 4)) for _ in range(4)])
        ys = np.array([float(source.randint(0, 4)) for _ in range(4)])
        winding = predicates.convex_winding(xs, ys)
        assert winding_of(xs, ys) == winding
        if winding:
            circle = np.array([[source.randint(0, 8) / 2.0, source.randint(0, 8) / 2.0, source.randint(1, 4) / 4.0]])
            x, y, radius = circle[0].tolist()
            assert hits(circle, xs, ys, winding) == predicates.circle_polygon(x, y, radius, xs, ys, winding)
