"""What functions of the engine are without a compiler: numbers and arrays as in machine code."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy import float64, int32, uint8
from numpy.typing import NDArray

from ecsphys.engine.kernels.array_types import Float64Blocks, Float64Rows, Int32Rows, Uint8s
from ecsphys.engine.plain.memory import as_in_kernels
from ecsphys.engine.plain.rewriting import PlainFunction


class Room(NamedTuple):
    counts: Int32Rows
    flags: Uint8s
    blocks: Float64Blocks


def divide(a: float, b: float) -> tuple[float, float, float]:
    third = a
    third /= b
    return a / b, (a + 1.0) / (b * (b + a) * (b + a) * (b + a) + b), third


def raise_numbers(x: float) -> tuple[float, float, float, int, int]:
    return math.sqrt(x), math.exp(-x), math.sin(x), int(x), math.ceil(x)


def square(x: float) -> float:
    return x**2


def least(a: float, b: float, c: float) -> tuple[float, float]:
    return min(a, b + 0.0, c), max(a + 0.0, b, c)


def write(room: Room, value: int) -> int:
    room.counts[:, 1] = 7
    room.blocks[1, :] = 0.0
    room.flags[0] = value
    room.flags[1] = room.counts[0, 0] = value + 1
    room.counts[1, 0] = 2
    room.counts[1, 0] -= value
    room.blocks[0, -1, 1] += 0.5
    row = room.blocks[0, 1]
    row[0] = room.blocks.shape[2] + room.counts.shape[0]
    return int(room.flags[1])


def replace_row(rows: Float64Rows) -> None:
    rows[0] = 0.0


def first_of_rows(rows: Float64Rows) -> float:
    total = 0.0
    for k in range(rows.shape[0]):
        total += rows[k, 0]
    return total


def summed(rows: NDArray[float64]) -> float:
    return float(np.sum(rows))


def called(function: Callable[..., Any], *arguments: Any) -> Any:
    return PlainFunction(function).python(*map(as_in_kernels, arguments))


@pytest.mark.parametrize("a", [1.0, -1.0, 0.0, math.inf, math.nan])
@pytest.mark.parametrize("b", [0.0, -0.0, 2.0, math.inf])
def test_a_division_gives_what_numpy_gives(a: float, b: float) -> None:
    with np.errstate(all="ignore"):
        expected = divide(float64(a), float64(b))
    assert called(divide, a, b) == pytest.approx(expected, nan_ok=True, abs=0.0)


@pytest.mark.parametrize("x", [-1.0, -1e4, math.inf, -math.inf, math.nan, 2.5, 1e300])
def test_functions_give_inf_and_nan_where_python_raises(x: float) -> None:
    with np.errstate(all="ignore"):
        expected = np.sqrt(x), np.exp(-x), np.sin(x), float64(x).astype(np.int64), np.ceil(float64(x)).astype(np.int64)
    found = called(raise_numbers, x)
    assert found == pytest.approx(expected, nan_ok=True)
    assert [type(number) for number in found] == [float, float, float, int, int]


def test_a_square_that_is_too_large_is_infinite() -> None:
    assert called(square, 1e200) == math.inf
    assert called(square, -3.0) == 9.0


@pytest.mark.parametrize("numbers", [(1.0, 2.0, 3.0), (3.0, 1.0, 2.0), (math.nan, 1.0, 0.0), (0.0, math.nan, -1.0)])
def test_min_and_max_take_what_pythons_take(numbers: tuple[float, float, float]) -> None:
    assert repr(called(least, *numbers)) == repr((min(numbers), max(numbers)))


def test_elements_are_written_as_machine_code_does() -> None:
    room = Room(np.zeros((40, 2), int32), np.zeros(2, uint8), np.ones((2, 3, 4)))
    assert called(write, room, 300) == (301 & 255)
    assert room.flags.tolist() == [300 & 255, 301 & 255]
    assert room.counts[:, 1].tolist() == [7] * 40
    assert room.counts[:2, 0].tolist() == [301, -298]
    assert not room.blocks[1].any()
    assert room.blocks[0].tolist() == [[1.0] * 4, [44.0, 1.0, 1.0, 1.0], [1.0, 1.5, 1.0, 1.0]]
    assert called(write, room, 2**40) == 1
    assert room.counts[0, 0] == 1


@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 500])
def test_arrays_of_any_length_are_read(count: int) -> None:
    rows = np.arange(3.0 * count).reshape(count, 3)
    assert called(first_of_rows, rows) == rows[:, 0].sum()


@pytest.mark.parametrize("count", [3, 300])
def test_a_row_is_not_written_as_a_whole(count: int) -> None:
    with pytest.raises(TypeError):
        called(replace_row, np.ones((count, 2)))


def test_an_array_with_gaps_is_refused() -> None:
    with pytest.raises(TypeError, match="gaps"):
        called(first_of_rows, np.zeros((4, 6))[:, ::2])


def test_what_has_no_plain_form_is_an_error_that_names_it() -> None:
    with pytest.raises(NotImplementedError, match=r"np\.sum"):
        called(summed, np.zeros(2))


def test_a_row_beyond_the_end_is_an_error_and_not_another_row() -> None:
    rows = as_in_kernels(np.arange(200.0).reshape(100, 2))
    assert rows[-1][1] == 199.0
    with pytest.raises(IndexError, match="row 100 of 100"):
        rows[100]
