"""Numbers in lanes: four of them at once.

What computes with blocks of LANES numbers is written once, for a ``lane``: the number of one lane, or ALL_LANES. It
reads and writes by the functions below, and chooses by :func:`where`, :func:`larger` and :func:`smaller`; the rest are
plain operators.
"""

from __future__ import annotations

from typing import Any

from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import inlined_scalar

LANES = 4


@inlined_scalar
def load(numbers: NDArray[float64], block: int, field: int, lane: Any) -> Any:
    """The number of a field (blocks, fields, LANES)."""
    return numbers[block, field, lane]


@inlined_scalar
def store(numbers: NDArray[float64], block: int, field: int, lane: Any, value: Any) -> None:
    """Write the number of a field."""
    numbers[block, field, lane] = value


@inlined_scalar
def gather(
    rows: NDArray[float64], chosen: NDArray[int32], block: int, first: int, lane: Any, column: int
) -> tuple[Any, Any, Any, Any]:
    """Four columns, from ``column`` on, of the row that is ``chosen`` (blocks, …) in column ``first`` + lane."""
    row = int(chosen[block, first + lane]) + 0
    return rows[row, column], rows[row, column + 1], rows[row, column + 2], rows[row, column + 3]


@inlined_scalar
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


@inlined_scalar
def spread(value: float, lane: Any) -> Any:
    """The same number in each lane."""
    return value


@inlined_scalar
def where(condition: Any, value: Any, other: Any) -> Any:
    """``value`` where the condition holds, else the ``other``."""
    return value if condition else other


@inlined_scalar
def larger(value: Any, other: Any) -> Any:
    """The larger of two numbers; of equal ones, or beside NaN, the ``other``."""
    return value if value > other else other


@inlined_scalar
def smaller(value: Any, other: Any) -> Any:
    """The smaller of two numbers; of equal ones, or beside NaN, the ``other``."""
    return value if value < other else other
