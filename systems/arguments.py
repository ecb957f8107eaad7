"""Checks of arguments and attributes; and the objects that calls borrow."""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Literal, NoReturn, TypeVar

from numpy import int64
from numpy.typing import NDArray

from ecsphys.components.other_names import most_alike, other_names
from ecsphys.components.store.column import as_array, finite_number, show
from ecsphys.engine.motion.euler_motion import EXPLICIT, SEMI_IMPLICIT, VERLET

Vector = Sequence[float] | NDArray[Any]

Integrator = Literal["explicit", "semi_implicit", "verlet"]

INTEGRATORS: Final[dict[Integrator, int]] = {"explicit": EXPLICIT, "semi_implicit": SEMI_IMPLICIT, "verlet": VERLET}

NO_SECONDS: Any = object()
"""The ``dt`` of a step that was given none."""


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
    array = as_array(rows)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iub"):
        raise TypeError(f"rows must be a slice, or an array (n,) of whole numbers or bools, got {show(rows)}")
    return array if array.size else array.astype(int64)


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


Spare = TypeVar("Spare")


class Spares(Generic[Spare]):
    """Objects of one kind that no call uses.

    Each call takes one of its own, and gives it back: neither two threads, nor a call in the middle of another, ever
    have the same. To take and to give back are single calls of a list, which no thread can part. Where an error comes
    in between, it is not given back, and another one is made in its place.
    """

    __slots__ = ("_kept", "_make", "give_back")

    def __init__(self, make: Callable[[], Spare]) -> None:
        self._make = make
        self._kept: list[Spare] = []
        self.give_back = self._kept.append

    def take(self) -> Spare:
        """An object that is the caller's until it is given back."""
        try:
            return self._kept.pop()
        except IndexError:
            return self._make()
