"""Attributes that an object does not have: to read or to assign one is an error that names the one that is meant."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, ClassVar

# How alike a name must be to one that there is to be taken for a slip.
_ALIKE = 0.6


class KnownAttributes:
    """Base of what a game configures: an attribute that the class does not know is refused, not made.

    A class of the game that derives from one has any attributes that it likes.
    """

    __slots__ = ()

    _called: ClassVar[str] = ""
    """What a game calls the object, such as "physics.bodies"."""

    _set_by_constructor: ClassVar[frozenset[str]] = frozenset()
    """Public attributes that are in the instance alone."""

    _other_names: ClassVar[dict[str, str]] = {}
    """For names that other engines have, and settings that are elsewhere, what to use instead."""

    # Hidden from type checkers, which find unknown attributes by themselves.
    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None:
            cls = type(self)
            is_known = name[:1] == "_" or hasattr(cls, name) or name in cls._set_by_constructor
            if not is_known and cls.__module__.startswith("ecsphys."):
                raise AttributeError(self._describe_unknown(name), name=name, obj=self)
            object.__setattr__(self, name, value)

        def __getattr__(self, name: str) -> Any:
            # Called only where there is no such attribute, or a property has raised an AttributeError of its own.
            if hasattr(type(self), name):
                return object.__getattribute__(self, name)
            raise AttributeError(self._describe_unknown(name), name=name, obj=self)

    def _describe_unknown(self, name: str) -> str:
        cls = type(self)
        called = cls._called or cls.__name__
        message = f"{called} has no attribute {name!r}"
        if name[:1] == "_":
            return message
        if meant := cls._other_names.get(name):
            return f"{message}; use {meant}"
        names = [known for known in (*dir(cls), *cls._set_by_constructor) if known[:1] != "_"]
        alike = difflib.get_close_matches(name, names, 1, _ALIKE)
        return f"{message}; did you mean {called}.{alike[0]}?" if alike else message
