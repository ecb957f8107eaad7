"""Engine formulas run as plain Python, from the very source that kernels compile.

For a single call the work of a formula is less than numba's own call overhead, and calling a ``@scalar`` function
from Python would make numba compile it first: seconds, in every process, as only kernels are kept on disk. So
one-off calls run the undecorated source instead. Its callees are looked up among its module's globals, where they
are numba objects too; here each function gets globals of its own, in which they are plain Python as well.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


def interpreted(formula: Callable[P, R]) -> Callable[P, R]:
    """A ``@scalar`` function, all its callees included, without compilation."""
    return cast("Callable[P, R]", _without_compilation(formula))


@cache
def _without_compilation(formula: Any) -> FunctionType:
    source: FunctionType = formula.py_func
    namespace = dict(source.__globals__)
    for name in source.__code__.co_names:
        if hasattr(namespace.get(name), "py_func"):
            namespace[name] = _without_compilation(namespace[name])
    return FunctionType(source.__code__, namespace, source.__name__, source.__defaults__)
