"""One field of a column component: its dtype, default and bounds, and the check of its values."""

from __future__ import annotations

import inspect
import math
import operator
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeVar, get_args, get_origin, overload

import numpy as np
from numpy.ma import is_masked
from numpy.typing import NDArray

DType = Literal["float64", "int64", "uint32", "uint8"]

T = TypeVar("T")

Points = tuple[tuple[float, float], ...]

_LARGEST: Final = sys.float_info.max
# Whole numbers between these are floats exactly.
_EXACT: Final = 2**53
_PLAIN: Final = frozenset({float, int})

_LIMITS: Final[dict[DType, tuple[float, float]]] = {
    "float64": (-_LARGEST, _LARGEST),
    "int64": (-(2**63), 2**63 - 1),
    "uint32": (0, 2**32 - 1),
    "uint8": (0, 2**8 - 1),
}
_FITS: Final[dict[DType, str]] = {
    "float64": "finite",
    "int64": "a signed 64-bit integer",
    "uint32": "between 0 and 0xFFFFFFFF (32 bits)",
    "uint8": "between 0 and 255 (8 bits)",
}
_WRITTEN: Final = {math.pi: "π", math.tau: "2π"}


MISSING: Final[Any] = object()
"""The default of a field without one."""

# A column of float64 keeps these for None in an optional number, which cannot have the value itself.
NO_NUMBER: Final = 0.0
BELOW_ALL_NUMBERS: Final = -1.0


@dataclass(frozen=True, slots=True)
class ColumnSpecifier:
    """The arguments of :func:`column`, until the class gives the field's name and annotation."""

    default: Any
    low: float | None = None
    high: float | None = None
    above: float | None = None
    below: float | None = None
    dtype: DType | None = None
    choices: tuple[str, ...] = ()


@overload
def column(
    *,
    default: T,
    low: float | None = ...,
    high: float | None = ...,
    above: float | None = ...,
    below: float | None = ...,
    dtype: DType | None = ...,
    choices: tuple[str, ...] = ...,
) -> T: ...
@overload
def column(
    *,
    low: float | None = ...,
    high: float | None = ...,
    above: float | None = ...,
    below: float | None = ...,
    dtype: DType | None = ...,
    choices: tuple[str, ...] = ...,
) -> Any: ...
def column(
    *,
    default: Any = MISSING,
    low: float | None = None,
    high: float | None = None,
    above: float | None = None,
    below: float | None = None,
    dtype: DType | None = None,
    choices: tuple[str, ...] = (),
) -> Any:
    """Describe a field of a :class:`~ecsphys.Component` beyond its annotation and default::

        class Health(Component):
            points: float = column(default=100.0, low=0.0)
            flags: int = column(default=0, dtype="uint32")

    A ``float | None`` field needs a lower bound of 0, ``above=0.0`` or ``low=0.0``. Its column has 0 for None, or −1 if
    0 is a value.

    Parameters
    ----------
    default
        The field's default; without one, the constructor requires the argument.
    low, high
        Inclusive bounds.
    above, below
        Exclusive bounds; at most one bound for each side. Floats must also be finite.
    dtype
        "uint32" or "uint8" for a smaller ``int`` or ``bool``. By default ``float`` is float64; ``int``, ``bool`` and
        ``str`` are int64.
    choices
        The values of a ``str`` field; its column has their numbers. A field annotated ``Literal["a", "b"]`` has them
        from its annotation.

    Raises
    ------
    ValueError
        When the class is defined: if bounds contradict each other or the dtype, or the default is outside the bounds.
    TypeError
        When the class is defined: if dtype or choices do not fit the annotation, or one side has two bounds.
    """
    return ColumnSpecifier(default, low, high, above, below, dtype, choices)


@dataclass(frozen=True, slots=True)
class Field:
    """One field of one component class. A number is valid iff ``low <= number <= high``.

    The column keeps the number itself, or for a ``bool`` 0 or 1, for a ``str`` its place in ``choices``, and for None
    :attr:`no_number`.
    """

    owner: str
    name: str
    dtype: DType
    default: Any
    low: float
    high: float
    requirement: str
    """The requirement on a value in words: "greater than 0"."""
    annotation: Any = float
    choices: tuple[str, ...] = ()

    @property
    def is_float(self) -> bool:
        return self.dtype == "float64"

    @property
    def is_plain(self) -> bool:
        """Whether the column keeps the value itself."""
        return self.annotation in (float, int)

    @property
    def is_optional(self) -> bool:
        """Whether the value may be None."""
        return self.is_float and not self.is_plain

    @property
    def no_number(self) -> float:
        """The number that the column keeps for None; the field itself cannot have it."""
        return NO_NUMBER if self.low > NO_NUMBER else BELOW_ALL_NUMBERS

    @property
    def stored_low(self) -> float:
        """The lowest number that the column may have."""
        return self.no_number if self.is_optional else self.low

    def checked(self, value: Any) -> float:
        """The number that the column keeps for a value. Raises TypeError for a wrong type, ValueError out of bounds."""
        if value is None and self.is_optional:
            return self.no_number
        if self.choices:
            if isinstance(value, str) and value in self.choices:
                return self.choices.index(value)
            kind = ValueError if isinstance(value, str) else TypeError
            raise kind(f"{self.owner}.{self.name} must be {self.requirement}, got {show(value)}")
        if self.annotation is bool and not isinstance(value, bool | np.bool_):
            raise TypeError(f"{self.owner}.{self.name} must be True or False, got {show(value)}")
        if self.is_float:
            number = as_float(f"{self.owner}.{self.name}", value)
        else:
            try:
                number = int(value) if isinstance(value, np.bool_) else operator.index(value)
            except TypeError:
                raise TypeError(
                    f"{self.owner}.{self.name} must be an integer, got {show(value)} ({type(value).__name__})"
                ) from None
        if not self.low <= number <= self.high:
            raise ValueError(self.describe_violation(number))
        return number

    def describe_violation(self, value: float) -> str:
        """The message for a number that this field cannot hold, names and value included."""
        if self.is_float and not math.isfinite(value):
            return f"{self.owner}.{self.name} must be finite, got {value!r}"
        message = f"{self.owner}.{self.name} must be {self.requirement}, got {show(value)}"
        if self.dtype == "uint32" and -(2**32) < value < 0:
            cleared = f" & ~{~int(value)}" if value != -1 else ""
            message += f"; write 0xFFFFFFFF{cleared}"
        return message


# The annotations that a field may have.
ANNOTATIONS: Final[tuple[Any, ...]] = (float, int, bool, str, float | None)


def make_field(owner: str, name: str, annotation: Any, given: Any) -> Field:
    """Make a field from its annotation (of :data:`ANNOTATIONS`, or a Literal) and its default or :func:`column`."""
    spec = given if isinstance(given, ColumnSpecifier) else ColumnSpecifier(given)
    where = f"{owner}.{name}"
    if get_origin(annotation) is Literal:
        if spec.choices:
            raise TypeError(f"{where}: the Literal already lists the choices, so remove choices={spec.choices!r}")
        spec, annotation = replace(spec, choices=get_args(annotation)), str
    is_float = annotation in (float, float | None)
    dtype: DType = spec.dtype or ("float64" if is_float else "int64")
    if dtype not in _LIMITS or (dtype == "float64") != is_float:
        raise TypeError(f"{where}: dtype {dtype!r} does not fit the annotation {annotation.__name__!r}")
    if (annotation is str) != bool(spec.choices):
        raise TypeError(f"{where}: a field annotated str needs choices, and no other field takes choices")
    if (spec.low is not None and spec.above is not None) or (spec.high is not None and spec.below is not None):
        raise TypeError(f"{where}: give one bound for each side: low or above, and high or below")
    if any(bound is not None and math.isnan(bound) for bound in (spec.low, spec.high, spec.above, spec.below)):
        raise ValueError(f"{where}: a bound must not be nan")
    low, high = _LIMITS[dtype]
    parts = []
    if annotation is bool or spec.choices:
        low, high = 0, max(1, len(spec.choices) - 1)
        parts.append("True or False" if annotation is bool else f"one of {', '.join(map(repr, spec.choices))}")
    if spec.low is not None:
        low = max(low, spec.low)
        parts.append(f"at least {_write(spec.low)}")
    if spec.above is not None:
        low = math.nextafter(spec.above, math.inf) if dtype == "float64" else max(low, math.floor(spec.above) + 1)
        parts.append(f"greater than {_write(spec.above)}")
    if spec.high is not None:
        high = min(high, spec.high)
        parts.append(f"at most {_write(spec.high)}")
    if spec.below is not None:
        high = math.nextafter(spec.below, -math.inf) if dtype == "float64" else min(high, math.ceil(spec.below) - 1)
        parts.append(f"less than {_write(spec.below)}")
    # Plain numbers, whatever gave the bounds: an enumeration's members, numpy's scalars.
    low, high = (float(low), float(high)) if dtype == "float64" else (math.ceil(low), math.floor(high))
    if not low <= high:
        raise ValueError(f"{where}: no value can be {' and '.join(parts)}")
    if annotation == float | None:
        if low < NO_NUMBER:
            raise ValueError(f"{where}: a number that may be None must be at least {NO_NUMBER:g}")
        parts.append("None")
    requirement = (" or " if annotation == float | None else " and ").join(parts) or _FITS[dtype]
    field = Field(owner, name, dtype, spec.default, low, high, requirement, annotation, spec.choices)
    if spec.default is not MISSING:
        stored = field.checked(spec.default)
        if field.is_plain and type(stored) is not type(spec.default):
            return replace(field, default=stored)
    return field


def checks_fields(called: str) -> Callable[[type[T]], type[T]]:
    """Decorator for a plain class: makes properties of the attributes that are given a :func:`column`.

    They check values as fields of components do, and keep a value under their name with an underscore before it. With
    ``high=math.inf``, infinity is a value. ``_fields`` of the class has all by name. Errors begin with ``called``.
    """

    def with_properties(cls: Any) -> Any:
        cls._fields = {}
        for name, annotation in inspect.get_annotations(cls, eval_str=True).items():
            spec = vars(cls).get(name)
            if isinstance(spec, ColumnSpecifier):
                bounded = replace(spec, high=None) if spec.high == math.inf else spec
                field = make_field(called, name, annotation, replace(bounded, default=MISSING))
                field = replace(field, default=spec.default, high=max(field.high, spec.high or field.high))
                cls._fields[name] = field
                setattr(cls, name, _checked_property(field))
        return cls

    return with_properties


def _checked_property(field: Field) -> property:
    name = f"_{field.name}"

    def put(self: Any, value: Any) -> None:
        number = field.checked(value)
        setattr(self, name, value if field.choices or value is None else number)

    return property(operator.attrgetter(name), put, None, "")


def show(value: object) -> str:
    """``repr``, shortened if it is long, for error messages."""
    try:
        text = repr(value)
    except ValueError:  # an int of more digits than Python converts
        return f"an integer of {value.bit_length()} bits" if isinstance(value, int) else f"a {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:60]}…{text[-15:]}"


def _write(bound: float) -> str:
    return _WRITTEN.get(bound, f"{bound:g}" if isinstance(bound, float) else str(bound))


def is_real(value: object) -> bool:
    """Whether a value is one real number: float() alone would parse strings and drop imaginary parts."""
    if isinstance(value, float | int):
        return True
    if isinstance(value, np.generic | np.ndarray):
        return value.ndim == 0 and value.dtype.kind in "biuf" and not is_masked(value)
    return not isinstance(value, type) and (hasattr(value, "__float__") or hasattr(value, "__index__"))


def as_float(name: str, value: Any) -> float:
    """A number as a float, which may be infinite or NaN.

    Raises TypeError unless it is a real number, and ValueError if float64 cannot hold it: for numbers that are too
    large, and for signaling NaNs.
    """
    if not is_real(value):
        raise TypeError(f"{name} must be a number, got {show(value)} ({type(value).__name__})")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name} must be finite, got {show(value)}, too large for float64") from None
    except ValueError:
        raise ValueError(f"{name} must be finite, got {show(value)}") from None


def as_array(value: Any) -> NDArray[Any]:
    """A value as an array; rows of different lengths become one of a single object."""
    try:
        return np.asarray(value)
    except ValueError:
        return np.zeros(1, object)


def true_or_false(name: str, value: Any) -> bool:
    """A Python or numpy bool. Raises TypeError for all other values, which are often mistakes."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {show(value)}")
    return bool(value)


def finite_number(name: str, value: Any) -> float:
    """A finite float. Raises TypeError unless it is a real number, and ValueError unless it is finite."""
    result = as_float(name, value)
    if not math.isfinite(result):
        raise ValueError(f"{name} must be finite, got {show(value)}")
    return result


def number_pair(name: str, value: Any) -> tuple[float, float]:
    """Two finite floats (x, y). Raises TypeError unless they are numbers, and ValueError unless they are two and
    finite."""
    try:
        x, y = value
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name} must be a pair of numbers (x, y), got {show(value)}") from None
    # The usual cases first. Infinity and NaN, less themselves, are NaN.
    kind_of_both = type(x)
    if kind_of_both is float is type(y):
        if x - x == y - y == 0.0:
            return x, y
    elif kind_of_both is int is type(y) and -_EXACT < x < _EXACT and -_EXACT < y < _EXACT:
        return float(x), float(y)
    return finite_number(f"{name} x", x), finite_number(f"{name} y", y)


def read_points(name: str, given: Any) -> Points:
    """Any number of points (x, y), in a sequence or as an array (n, 2); errors as of :func:`number_pair`."""
    if hasattr(given, "tolist"):
        given = given.tolist()
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise TypeError(f"{name} must be points (x, y), got {show(given)} ({type(given).__name__})")
    points = []
    for i, point in enumerate(given):
        # The usual case first, which is several times faster.
        if type(point) in (tuple, list) and len(point) == 2:
            x, y = point
            if type(x) in _PLAIN and type(y) in _PLAIN and -_LARGEST <= x <= _LARGEST and -_LARGEST <= y <= _LARGEST:
                points.append((float(x), float(y)))
                continue
        points.append(number_pair(f"{name}[{i}]", point))
    return tuple(points)
