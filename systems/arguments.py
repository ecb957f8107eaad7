"""Checks of arguments that several parts of the physics take, and the names of integrators."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, Final, Literal, NoReturn

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.components.store.column import finite_number, show
from ecsphys.engine.motion.euler_motion import EXPLICIT, SEMI_IMPLICIT, VERLET

Vector = Sequence[float] | NDArray[Any]

Integrator = Literal["explicit", "semi_implicit", "verlet"]

INTEGRATORS: Final[dict[Integrator, int]] = {"explicit": EXPLICIT, "semi_implicit": SEMI_IMPLICIT, "verlet": VERLET}

NO_SECONDS: Any = object()
"""The ``dt`` of a step that was given none."""


def pair_of_numbers(name: str, value: Any) -> tuple[float, float]:
    """(x, y), both finite; TypeError or ValueError naming ``name``."""
    try:
        x, y = value
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a pair of numbers (x, y), got {value!r}") from None
    return finite_number(f"{name} x", x), finite_number(f"{name} y", y)


def whole_number(name: str, value: Any) -> int:
    """A Python integer; TypeError naming ``name``."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {show(value)}") from None


def refuse_arguments(others: tuple[Any, ...], named: dict[str, Any]) -> NoReturn:
    """Raise TypeError for other arguments of ``esper.process`` than the seconds."""
    given = ", ".join((*map(show, others), *(f"{name}={show(value)}" for name, value in named.items())))
    raise TypeError(
        f"ecsphys takes only the seconds, but esper.process() also passed {given} to every processor. Call"
        " esper.process(dt), and give other data to the constructors of your processors; or do without install(), and"
        " call physics.step(dt) in a processor of your own"
    )


def checked_dt(dt: Any) -> float:
    """Seconds, finite and not negative; TypeError or ValueError else."""
    if type(dt) is float and 0.0 <= dt < math.inf:
        return dt
    if dt is NO_SECONDS:
        raise TypeError("a step needs the seconds: call esper.process(dt), with no other argument, or physics.step(dt)")
    seconds = finite_number("dt", dt)
    if seconds < 0.0:
        raise ValueError(f"dt must be 0 or more seconds, got {dt!r}")
    return seconds


def checked_rows(rows: Any) -> slice | NDArray[Any]:
    """A slice, or row numbers or bools as an array (n,); TypeError for anything else."""
    if isinstance(rows, slice):
        return rows
    try:
        array = np.asarray(rows)
    except ValueError:  # rows of different lengths
        array = np.zeros(1, object)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iub"):
        raise TypeError(f"rows must be a slice, or an array (n,) of whole numbers or bools, got {show(rows)}")
    return array if array.size else array.astype(int64)
