"""Kernels that take NamedTuples of arrays: the same results compiled, from the cache and as plain Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled_code import compiled
from small_engine import make_engine, run

pytestmark = compiled

BUNDLES = """
from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ecsphys.engine.kernels.array_types import (
    Float64Blocks, Float64Rows, Float64s, Int32Rows, Int32s, Layout, Uint8s
)
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import allocating_kernel, inlined_scalar, kernel, scalar

BODY = np.dtype([("mass", "f8"), ("layer", "i8")])


class Points(NamedTuple):
    places: Float64Rows
    weights: Float64s


class Cloud(NamedTuple):
    factor: float
    points: Points
    chosen: Int32s


@packed
class Kept(NamedTuple):
    flags: Uint8s
    pairs: Int32Rows
    blocks: Float64Blocks


class Around(NamedTuple):
    kept: Kept
    weights: Float64s


@kernel
def mark(kept: Kept, k: int) -> None:
    kept.flags[k] = 7
    kept.pairs[k, 1] = 70
    kept.blocks[1, k, 0] = 700.0


@kernel
def weigh(around: Around, factor: float) -> float:
    kept = around.kept
    result = 0.0
    for k in range(kept.flags.shape[0]):
        result += kept.flags[k] + kept.pairs[k, 0] * kept.pairs[k, 1] + around.weights[k] * kept.blocks[1, k, 0]
    return factor * result + 0.25 * kept.blocks.shape[2] * kept.pairs.shape[0]


@scalar
def weighted(points: Points, i: int) -> float:
    return points.places[i, 0] * points.weights[i]


@inlined_scalar
def weighted_in(cloud: Cloud, k: int) -> float:
    return cloud.factor * weighted(cloud.points, int(np.int64(cloud.chosen[k])))


@kernel
def total(points: Points, factor: float) -> float:
    \"\"\"Of all weights.\"\"\"
    result = 0.0
    for i in range(points.weights.shape[0]):
        result += weighted(points, i)
    return factor * result


@kernel
def chosen(first: int, cloud: Cloud, is_doubled: bool) -> float:
    result = 0.0
    for k in range(first, cloud.chosen.shape[0]):
        result += weighted_in(cloud, k)
    return result + result if is_doubled else result


@kernel
def parts(points: Points, cloud: Cloud) -> tuple[float, float, int]:
    return total(points, 1.0), chosen(0, cloud, False), points.weights.shape[0]


@kernel
def halve(points: Points) -> None:
    for i in range(points.weights.shape[0]):
        points.weights[i] *= 0.5


@kernel
def heaviest(bodies: Annotated[NDArray[np.void], Layout(BODY, 1)], layer: int) -> float:
    most = 0.0
    for i in range(bodies.shape[0]):
        body = bodies[i]
        if body["layer"] == layer:
            most = max(most, body["mass"])
    return most


@allocating_kernel
def largest_shares(points: Points, out: Float64s) -> float:
    shares = np.empty(points.weights.shape[0])
    for i in range(shares.shape[0]):
        shares[i] = weighted(points, i) * total(points, 0.025)
        out[0] = max(out[0], shares[i])
    return out[0] + 1.0


@kernel
def doubled(x: float) -> float:
    return 2.0 * x
"""

MAKE = """
import numpy as np
from ecsphys.engine.bundles import *
points = Points(np.arange(8.0).reshape(4, 2), np.array([1.0, 2.0, 3.0, 4.0]))
cloud = Cloud(10.0, points, np.array([3, 1, 0], np.int32))
kept = Kept(np.arange(3, dtype=np.uint8), np.arange(6, dtype=np.int32).reshape(3, 2), np.arange(12.0).reshape(2, 3, 2))
"""


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    engine = make_engine(tmp_path)
    (engine / "bundles.py").write_text(BUNDLES)
    return engine


RESULTS = {
    "total(points, 0.5)": 0.5 * (0 * 1 + 2 * 2 + 4 * 3 + 6 * 4),
    "chosen(1, cloud, False)": 10.0 * (2 * 2 + 0 * 1),
    "chosen(0, cloud, True)": 2 * 10.0 * (6 * 4 + 2 * 2),
    "sum(parts(points, cloud))": 40.0 + 280.0 + 4.0,
    "halve(points) or points.weights.sum()": 5.0,
    "heaviest(np.array([(1.0, 1), (7.0, 2), (5.0, 1)], BODY), 1)": 5.0,
    "largest_shares(points, np.zeros(1))": 25.0,
    "doubled(4.0)": 8.0,
    "weigh(Around(kept, np.ones(3)), 2.0)": 2.0 * (3 + 26 + 24) + 1.5,
    "mark(kept, 2) or weigh(Around(kept, np.ones(3)), 1.0)": (0 + 1 + 7) + (6 + 280) + (6 + 8 + 700) + 1.5,
    "weigh(Around(kept._replace(flags=kept.flags[:0]), np.ones(3)), 1.0)": 1.5,
}


def test_results_are_the_same_compiled_from_the_cache_and_as_plain_python(engine: Path) -> None:
    code = f"""
for call, expected in {RESULTS}.items():
    exec({MAKE!r})
    found = eval(call)
    assert found == expected, (call, found)
print({len(RESULTS)})
"""
    assert "compiling" in run(engine, code)[1]
    assert run(engine, code) == (len(RESULTS), "")
    assert run(engine, code, NUMBA_DISABLE_JIT="1") == (len(RESULTS), "")


def test_bundle_kernels_are_loaded_beforehand_and_keep_name_and_docstring(engine: Path) -> None:
    code = f"""{MAKE}
from ecsphys.engine.kernels.compilation import all_kernels, kept_in, load_kernels, name_of
assert name_of(total) == "bundles.total" and total.__doc__ == "Of all weights."
assert total in all_kernels() and kept_in(total) is None
load_kernels([total])
assert kept_in(total) is not None
import contextlib, io
with contextlib.redirect_stderr(io.StringIO()) as said:
    total(points, 1.0)
print(len(said.getvalue()))
"""
    found, said = run(engine, code)
    assert found == 0
    assert "compiling 1/1 total" in said


REFUSED = {
    "total(points, points)": "No matching definition",
    "total(points, 1.0, 1.0)": "total() takes 2 positional arguments",
    "total(Points(points.weights, points.weights), 1.0)": "No matching definition",
    "mark(kept._replace(flags=kept.pairs), 0)": "Kept.flags must be 1-dimensional uint8",
    "mark(kept._replace(pairs=kept.pairs[:, ::-1]), 0)": "without gaps",
    "mark(kept._replace(blocks=kept.blocks.astype(np.float32)), 0)": "got float32 of shape (2, 3, 2)",
}


def test_wrong_arguments_are_an_error(engine: Path) -> None:
    code = f"""{MAKE}
refused = 0
for call, text in {REFUSED}.items():
    try:
        eval(call)
    except TypeError as error:
        assert text in str(error), (call, error)
        refused += 1
print(refused)
"""
    assert run(engine, code)[0] == len(REFUSED)


def test_an_annotation_that_says_too_little_is_an_error_that_names_it(engine: Path) -> None:
    annotations = ["NDArray[np.float64]", "list[float]", "str"]
    code = f"""{MAKE}
refused = 0
for annotation in {annotations}:
    def count(values):
        return 0
    count.__annotations__ = {{"values": annotation, "return": "int"}}
    try:
        kernel(count)
    except TypeError as error:
        assert "ecsphys.engine.kernels.array_types" in str(error), (annotation, error)
        refused += 1
print(refused)
"""
    assert run(engine, code)[0] == len(annotations)
