"""What machine code computes where Python raises: a division by zero, the root of a negative number, an overflow."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy import float64

# What a processor makes of a float that no 64-bit integer is near to, be it NaN or from here on.
NO_INTEGER: Final = -(2**63)
BEYOND: Final = 9.2e18


def over(a: Any, b: Any) -> float:
    """``a / b``, inf or NaN where ``b`` is 0."""
    with np.errstate(all="ignore"):
        return float(float64(a) / float64(b))


def modulo(a: Any, b: Any) -> Any:
    """``a % b``, NaN where ``b`` is 0; of integers, 0."""
    if b:
        return a % b
    return math.nan if isinstance(a, float) or isinstance(b, float) else 0


def whole_over(a: Any, b: Any) -> Any:
    """``a // b`` of integers, 0 where ``b`` is 0."""
    return a // b if b else 0


def power(a: Any, b: Any) -> Any:
    """``a ** b``, inf where that is too large."""
    try:
        return a**b
    except (OverflowError, ZeroDivisionError):
        with np.errstate(all="ignore"):
            return float(float64(a) ** b)


def whole_floor(x: float) -> int:
    """``math.floor(x)`` as a 64-bit integer."""
    return math.floor(x) if -BEYOND < x < BEYOND else NO_INTEGER


def whole_ceil(x: float) -> int:
    """``math.ceil(x)`` as a 64-bit integer."""
    return math.ceil(x) if -BEYOND < x < BEYOND else NO_INTEGER


def floor(x: float) -> float:
    """``np.floor(x)``."""
    return float(math.floor(x)) if -math.inf < x < math.inf else x


def _of_all(function: Callable[..., float], ufunc: Any) -> Callable[..., float]:
    """A function of :mod:`math` that gives what numpy does where it raises."""

    def call(*numbers: Any) -> float:
        try:
            return function(*numbers)
        except (ValueError, OverflowError):
            with np.errstate(all="ignore"):
                return float(ufunc(*numbers))

    return call


# By their names in `math`; the others raise for no float.
OF_ALL: Final = {
    name: _of_all(getattr(math, name), getattr(np, name))
    for name in ("cos", "exp", "expm1", "ldexp", "log", "sin", "tan")
}
