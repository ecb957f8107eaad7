"""Reading or assigning an unknown attribute raises an error that names the attribute that is meant."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, ClassVar

from ecsphys.components.other_names import most_alike, other_names


class _Listed(type):
    """Leaves names that raise an error out of ``dir`` of a class, and so out of ``help``."""

    def __dir__(cls) -> list[str]:
        return [name for name in super().__dir__() if not _is_elsewhere(cls, name)]


class KnownAttributes(metaclass=_Listed):
    """Base of the objects that a game configures: assigning an unknown attribute raises an error.

    A class of the game that derives from one has any attributes that it likes.
    """

    __slots__ = ()

    _called: ClassVar[str] = ""
    """The name of the object in a game, such as "physics.bodies"."""

    _set_by_constructor: ClassVar[frozenset[str]] = frozenset()
    """Public attributes that are in the instance alone."""

    _kept_parts: ClassVar[frozenset[str]] = frozenset()
    """Those of them that stay the same objects: only the constructor assigns them."""

    _other_names: ClassVar[dict[str, str]]
    """For names from other engines, and for settings of other objects: the name to use instead."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._other_names = other_names().get(cls._called, {})
        for name, meant in cls._other_names.items():
            if name not in vars(cls) and not hasattr(cls, name):
                setattr(cls, name, _Elsewhere(cls, name, meant))

    # Hidden from type checkers, which find unknown attributes by themselves. There is no __getattr__: it would slow
    # down every attribute. When a slip is read, Python itself names a similar attribute.
    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None:
            cls = type(self)
            is_known = name[:1] == "_" or hasattr(cls, name) or name in cls._set_by_constructor
            if not is_known and cls.__module__.startswith("ecsphys."):
                raise AttributeError(_describe_unknown(cls, name), name=name, obj=self)
            if name in cls._kept_parts and name in vars(self):
                called = f"{cls._called}.{name}"
                raise AttributeError(f"{called} cannot be replaced; change what is in it", name=name, obj=self)
            object.__setattr__(self, name, value)

    def __dir__(self) -> list[str]:
        return [name for name in object.__dir__(self) if not _is_elsewhere(type(self), name)]


class _Elsewhere:
    """Stands for an attribute of other engines. Reading it raises an error that says which name to use."""

    def __init__(self, owner: type[KnownAttributes], name: str, meant: str) -> None:
        self.name = name
        self.message = f"{owner._called or owner.__name__} has no attribute {name!r}; use {meant}"

    def __get__(self, instance: object, owner: type) -> Any:
        raise AttributeError(self.message, name=self.name, obj=instance)


def _is_elsewhere(cls: type, name: str) -> bool:
    return isinstance(inspect.getattr_static(cls, name, None), _Elsewhere)


def _describe_unknown(cls: type[KnownAttributes], name: str) -> str:
    called = cls._called or cls.__name__
    message = f"{called} has no attribute {name!r}"
    if meant := cls._other_names.get(name):
        return f"{message}; use {meant}"
    names = [
        known for known in (*dir(cls), *cls._set_by_constructor) if known[:1] != "_" and known not in cls._other_names
    ]
    alike = most_alike(name, names)
    return f"{message}; did you mean {called}.{alike}?" if alike else message
