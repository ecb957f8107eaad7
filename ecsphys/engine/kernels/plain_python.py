"""Functions that stay Python: what the decorators of :mod:`ecsphys.engine.kernels.compilation` do where nothing is
compiled.

What differs between numba's numbers and Python's is made up for where a kernel begins and ends, so that both compute
the same.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy import float64, int64

P = ParamSpec("P")
R = TypeVar("R")


def make_scalar(function: Callable[P, R], allocates: bool = False, inlined: bool = False) -> Callable[P, R]:
    """The function as it is."""
    return function


def make_kernel(function: Callable[..., Any], signature: str | None, allocates: bool = False) -> Any:
    """The function, with numbers as compiled code has them."""
    return PythonKernel(function)


class PythonKernel:
    """A kernel that is always ready to run: as Python, to step through with a debugger."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self._function = function

    def __call__(self, *arguments: Any) -> Any:
        # A zero divisor gives inf or nan and integers wrap, in silence; NumPy's numbers can do that, Python's cannot.
        with np.errstate(all="ignore"):
            return _to_python(self._function(*map(_to_numpy, arguments)))

    def load(self, place: str = "", quiet: bool = False) -> bool:
        """There is nothing to compile."""
        return False

    def is_missing(self) -> bool:
        """Nothing is."""
        return False

    def kept_in(self) -> Path | None:
        """There is nothing to keep."""
        return None


class _WideArray(np.ndarray[Any, Any]):
    """An array whose integers come out 64 bits wide, as numba computes with them, and are cut to fit going in."""

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return int64(found) if isinstance(found, np.integer) else found

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.dtype.kind in "iu" and isinstance(value, int | np.integer):
            value = (value if isinstance(value, np.integer) else int64(value)).astype(self.dtype)
        super().__setitem__(key, value)


def _to_numpy(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        return argument.view(_WideArray)
    if isinstance(argument, tuple):  # a bundle
        return type(argument)(*map(_to_numpy, argument))
    if isinstance(argument, float):
        return float64(argument)
    if isinstance(argument, int) and not isinstance(argument, bool):
        return int64(argument)
    return argument


def _to_python(result: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(map(_to_python, result))
    return result.item() if isinstance(result, np.generic) else result
