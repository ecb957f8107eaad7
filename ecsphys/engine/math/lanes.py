"""Numbers in lanes: four of them at once; with cosines, sines and unit vectors without a branch.

What computes with blocks of LANES numbers is written once, for a ``lane``: the number of one lane, or ALL_LANES, which
only compiled code can. It reads and writes by the functions below, and chooses by :func:`where`, :func:`larger` and
:func:`smaller`; the rest are plain operators. So what vectors compute is what numbers would, one after the other, to
the last bit: no operation is left to the compiler's choice, and none fused with another.

LLVM by itself makes no vectors of such loops: the rows that they read and write are all over memory.
"""

from __future__ import annotations

import math
from typing import Any, Final

from numpy import float32, float64, int32
from numpy.typing import NDArray

from ecsphys.engine.kernels import IS_BUILDING, inlined_scalar
from ecsphys.engine.math import elementary as of
from ecsphys.engine.math.elementary import LARGE_SQUARE, SMALL_SQUARE, unit_vector

LANES = 4

# Parts of rows of so many numbers are gathered, each a cache line.
ROW_NUMBERS = 8

# In place of the number of a lane; numba knows None as a type of its own.
ALL_LANES: Final = None


def load(numbers: NDArray[float64] | NDArray[float32], block: int, field: int, lane: Any) -> Any:
    """The number of a field (blocks, fields, LANES), float64 or float32."""
    # One of single precision becomes one of double: by the product in compiled code, by float() in Python.
    return float(numbers[block, field, lane]) * 1.0


def store(numbers: NDArray[float64] | NDArray[float32], block: int, field: int, lane: Any, value: Any) -> None:
    """Write the number of a field."""
    numbers[block, field, lane] = value


def gather(
    rows: NDArray[float64], chosen: NDArray[int32], block: int, first: int, lane: Any, column: int
) -> tuple[Any, Any, Any, Any]:
    """Four columns, from ``column`` on, of one of the rows (n, ROW_NUMBERS): that ``chosen`` (blocks, …) in column
    ``first`` + lane."""
    row = int(chosen[block, first + lane]) + 0
    return rows[row, column], rows[row, column + 1], rows[row, column + 2], rows[row, column + 3]


def scatter(
    rows: NDArray[float64],
    chosen: NDArray[int32],
    block: int,
    first: int,
    lane: Any,
    column: int,
    values: tuple[Any, Any, Any, Any],
) -> None:
    """Write what :func:`gather` reads."""
    row = int(chosen[block, first + lane]) + 0
    rows[row, column] = values[0]
    rows[row, column + 1] = values[1]
    rows[row, column + 2] = values[2]
    rows[row, column + 3] = values[3]


def spread(value: float, lane: Any) -> Any:
    """The same number in each lane. Most operations also take plain numbers beside vectors."""
    return value


def where(condition: Any, value: Any, other: Any) -> Any:
    """``value`` where the condition holds, else the ``other``."""
    return value if condition else other


def any_of(condition: Any) -> bool:
    """Whether a condition holds in any lane."""
    return bool(condition)


def larger(value: Any, other: Any) -> Any:
    """The larger of two numbers; of equal ones, or beside NaN, the ``other``."""
    return value if value > other else other


def smaller(value: Any, other: Any) -> Any:
    """The smaller of two numbers; of equal ones, or beside NaN, the ``other``."""
    return value if value < other else other


def root(value: Any) -> Any:
    """The square root."""
    return math.sqrt(value)


def absolute(value: Any) -> Any:
    """The value without its sign."""
    return abs(value)


def with_sign(value: Any, sign: Any) -> Any:
    """The value with the sign of another number, be that 0 or −0."""
    return math.copysign(value, sign)


def floor(value: Any) -> Any:
    """The greatest whole number that is not above the value."""
    return float(math.floor(value))


if IS_BUILDING:
    from ecsphys.engine.compiler.lane_code import compile_any_of, compile_signs, compile_vectors

    compile_vectors(load, store, gather, scatter, spread, where, larger, smaller, root, floor)
    compile_any_of(any_of)
    compile_signs(absolute, with_sign)


@inlined_scalar
def _in_cycle(turns: Any, length: float) -> Any:
    """A whole number modulo a power of two."""
    return turns - length * floor(turns * (1.0 / length))


@inlined_scalar
def cos_sin_in_lanes(angle: Any) -> tuple[Any, Any]:
    """(cos, sin) of angles in radians, the same bits as ``cos_sin``; (1, 0) of NaN, and beyond LARGEST_ANGLE."""
    angle = where(angle > -of.LARGEST_ANGLE, where(angle < of.LARGEST_ANGLE, angle, 0.0), 0.0)
    turns = floor(angle * of.PER_QUARTER_TURN + 0.5)
    r = (angle - turns * of.QUARTER_TURN) - turns * of.QUARTER_TURN_REST
    z = r * r
    series = of.S5 + z * of.S6
    series = of.S3 + z * (of.S4 + z * series)
    series = of.S1 + z * (of.S2 + z * series)
    sine = r + r * z * series
    series = of.C5 + z * of.C6
    series = of.C3 + z * (of.C4 + z * series)
    series = of.C1 + z * (of.C2 + z * series)
    cosine = 1.0 - 0.5 * z + z * z * series
    is_odd = _in_cycle(turns, 2.0) > 0.5
    c = where(is_odd, sine, cosine)
    s = where(is_odd, cosine, sine)
    return where(_in_cycle(turns + 1.0, 4.0) > 1.5, -c, c), where(_in_cycle(turns, 4.0) > 1.5, -s, s)


@inlined_scalar
def unit_vector_in_lanes(x: Any, y: Any, lane: Any) -> tuple[Any, Any, Any]:
    """(x / length, y / length, length), the same bits as ``unit_vector``; in all lanes at once only where it
    :func:`has_plain_square`."""
    if lane is None:
        length = root(x * x + y * y)
        has_length = length > 0.0
        divisor = where(has_length, length, 1.0)
        # Of zeros, signs are left out.
        return where(has_length, x / divisor, 0.0), where(has_length, y / divisor, 0.0), length
    return unit_vector(x, y)


@inlined_scalar
def has_plain_square(x: Any, y: Any) -> Any:
    """1 for a vector of zeros, and for one whose square is neither too small nor too large to be computed with; else
    0."""
    squared = x * x + y * y
    of_small = where(absolute(x) + absolute(y) > 0.0, 0.0, 1.0)
    of_others = where(squared < LARGE_SQUARE, 1.0, 0.0)
    return where(squared > SMALL_SQUARE, of_others, of_small)
