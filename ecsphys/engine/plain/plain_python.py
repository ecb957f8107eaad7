"""Functions that stay Python: what the decorators of :mod:`ecsphys.engine.kernels.compilation` do where nothing is
compiled.

The same sources run, rewritten where Python would raise or be slow (:mod:`ecsphys.engine.plain.rewriting`).
"""

from __future__ import annotations

import functools
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

from ecsphys.engine.plain.memory import as_in_kernels
from ecsphys.engine.plain.rewriting import PlainFunction

P = ParamSpec("P")
R = TypeVar("R")

# What handlers usually raise from.
_INTERRUPTS = {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGALRM") if hasattr(signal, name)}


def make_scalar(function: Callable[P, R], inlined: bool = False) -> Callable[P, R]:
    """The function, with numbers as compiled code has them."""
    plain = PlainFunction(function)

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        named = {name: as_in_kernels(argument) for name, argument in named.items()}
        return plain.python(*map(as_in_kernels, arguments), **named)

    call.plain = plain  # type: ignore[attr-defined]
    return cast("Callable[P, R]", call)


def make_kernel(function: Callable[..., Any], signature: str | None) -> Any:
    """What takes the arrays of Python, and calls the function with what it reads fastest."""
    return PythonKernel(function)


class PythonKernel:
    """A kernel that is always ready to run: as Python, to step through with a debugger."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.plain = PlainFunction(function)

    def __call__(self, *arguments: Any) -> Any:
        """One operation, as compiled code is: signals wait for its end, where the platform can let them wait."""
        if not hasattr(signal, "pthread_sigmask"):
            return self.plain.python(*map(as_in_kernels, arguments))
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        try:
            signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
            return self.plain.python(*map(as_in_kernels, arguments))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    def load(self, place: str = "", quiet: bool = False) -> bool:
        """There is nothing to compile."""
        return False

    def is_missing(self) -> bool:
        """Nothing is."""
        return False

    def kept_in(self) -> Path | None:
        """There is nothing to keep."""
        return None
