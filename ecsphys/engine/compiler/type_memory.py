"""What numba has found out about types is remembered while it compiles the engine.

It asks dozens of times in each function what ``float * float`` gives, and goes through a dozen candidates each time.
For each of them it lists all its settings.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba import types
from numba.core.targetconfig import TargetConfig
from numba.core.typing.context import BaseContext

_resolve: Any = getattr(BaseContext, "_resolve_user_function_type", None)
_values: Any = getattr(TargetConfig, "values", None)

# By function and types of the arguments; the functions are kept, so that their numbers stay theirs.
_found: dict[tuple[int, tuple[Any, ...]], tuple[Any, Any]] = {}

# By class of settings.
_defaults: dict[type, dict[str, Any]] = {}

_NUMBERS = (types.Number, types.Boolean)


def _remembered(context: Any, function: Any, arguments: Any, keywords: Any, *others: Any) -> Any:
    """The signature of a function of numba's for these types, as found before where all are numbers."""
    if keywords or others or type(function) is not types.Function:
        return _resolve(context, function, arguments, keywords, *others)
    if not all(isinstance(one, _NUMBERS) for one in arguments):
        return _resolve(context, function, arguments, keywords)
    key = id(function), tuple(arguments)
    if key in _found:
        return _found[key][1]
    signature = _resolve(context, function, arguments, keywords)
    if signature is not None:
        _found[key] = function, signature
    return signature


def _listed(config: Any) -> dict[str, Any]:
    """All settings, without a call for each."""
    kind = type(config)
    if kind not in _defaults:
        _defaults[kind] = {name: option.default for name, option in config.options.items()}
    return {**_defaults[kind], **config._values}


@contextmanager
def remembering_types() -> Iterator[None]:
    """A block in which numba looks things up that it has found out before. Results that are gone are left out."""
    if _resolve is None or _values is None:
        yield
        return
    BaseContext._resolve_user_function_type, TargetConfig.values = _remembered, _listed
    try:
        yield
    finally:
        BaseContext._resolve_user_function_type, TargetConfig.values = _resolve, _values
