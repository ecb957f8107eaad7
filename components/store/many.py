"""Values for many components of one class, new or existing; and bases of components that are plain classes."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.ma import is_masked
from numpy.typing import NDArray

from ecsphys.components.other_names import raise_unknown
from ecsphys.components.store.column import MISSING, Field, is_real, show
from ecsphys.components.store.standing_blocks import blocks_stay

if TYPE_CHECKING:
    from ecsphys.components.store.component import Component


def check_bases(name: str, bases: tuple[type, ...]) -> None:
    """Raise TypeError if the class of a name would derive from a final class."""
    for base in bases:
        if base.__dict__.get("__final__"):
            raise TypeError(
                f"{base.__name__} is final, so {name} cannot be a subclass: systems find components by their exact"
                f" class. Put the data of {name} into a component of its own"
            )


class FinalBase:
    """Base of components that are plain classes: together with ``@final`` it refuses subclasses, as columns do."""

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        check_bases(cls.__name__, cls.__bases__)
        super().__init_subclass__(**options)


class Many:
    """What ``Class.many(...)`` returns: for each field of a component class one value, or an array of n values.

    :func:`~ecsphys.spawn_many` creates the components.
    """

    __slots__ = ("cls", "values")

    cls: type[Any]
    values: dict[str, NDArray[Any]]

    def __init__(self, cls: type[Component], values: dict[str, Any]) -> None:
        """``values``: one number, or n of them, for each field by name; those with a default may be missing.

        Raises TypeError for unknown and missing names and unless values are numbers, and ValueError for values out of
        bounds and for arrays of more than one dimension. Messages name class and field, and the index in the array.
        """
        self.cls = cls
        known = [field.name for field in cls._columns.fields]
        if unknown := [name for name in values if name not in known]:
            raise_unknown(cls.__name__, unknown, known, "many")
        self.values = {}
        for field in cls._columns.fields:
            if field.name not in values and field.default is MISSING:
                raise TypeError(f"{field.owner}.many() needs {field.name}")
            self.values[field.name] = checked_values(field, values.get(field.name, field.default))

    def check_count(self, count: int) -> None:
        """Raise ValueError if a field has an array of values, but not ``count`` values."""
        for name, values in self.values.items():
            if values.ndim and len(values) != count:
                raise ValueError(f"{self.cls.__name__}.{name} has {len(values)} values for {count} entities")

    def create(self, count: int) -> list[Any]:
        """``count`` new components. Component i has value i of each array."""
        store = self.cls._columns
        make: Any = self.cls.__new__
        instances: list[Component] = list(map(make, repeat(self.cls, count)))
        rows = store.allocate_many(count)
        with blocks_stay():
            for name, values in self.values.items():
                store.row_of_block(name)[rows] = values
        for instance, row in zip(instances, rows.tolist(), strict=True):
            instance._row = row
        return instances


def write_rows(cls: type[Component], rows: Any, values: dict[str, Any]) -> None:
    """See ``Component.write``."""
    store = cls._columns
    fields = {field.name: field for field in store.fields if not field.name.startswith("_")}
    if unknown := [name for name in values if name not in fields]:
        raise_unknown(cls.__name__, unknown, list(fields), "write")
    places = _checked_rows(cls, rows)
    checked: dict[str, Any] = {}
    for name, given in values.items():
        checked[name] = fields[name].checked(given) if isinstance(places, int) else checked_values(fields[name], given)
        if not isinstance(places, int) and checked[name].ndim and len(checked[name]) != places.size:
            raise ValueError(f"{cls.__name__}.{name} has {len(checked[name])} values for {places.size} rows")
    if not checked:
        return
    with blocks_stay():
        # Before and after: neither an interrupt nor another thread comes in between.
        store.mark_written(places)
        for name, numbers in checked.items():
            store.row_of_block(name)[places] = numbers
        store.mark_written(places)


def _checked_rows(cls: type[Component], rows: Any) -> int | NDArray[Any]:
    """A row, or rows (n,), that instances of the class have or had."""
    end = cls._columns.high_water
    if isinstance(rows, int) and not isinstance(rows, bool):
        if not 0 <= rows < end:
            raise ValueError(f"{cls.__name__}.write(): there is no row {rows}, the rows are 0 to {end - 1}")
        return rows
    try:
        places = np.asarray(rows)
    except ValueError:  # rows of different lengths
        places = np.zeros(1, object)
    if places.ndim == 0 and places.dtype.kind in "iu":
        return _checked_rows(cls, operator.index(places))
    if places.ndim != 1 or (places.size and places.dtype.kind not in "iu"):
        raise TypeError(f"{cls.__name__}.write() takes a row, or rows of shape (n,), got {show(rows)}")
    if not places.size:
        return places.astype(np.int64)
    bad = np.flatnonzero((places < 0) | (places >= end))
    if bad.size:
        raise ValueError(
            f"{cls.__name__}.write(): there is no row {int(places[bad[0]])}, the rows are 0 to {end - 1}, at index"
            f" {int(bad[0])}"
        )
    return places


def bind(cls: type[Component], positional: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a ``many`` by name, in the order of the constructor. Raises TypeError unless they fit."""
    names = cls.__match_args__
    if len(positional) > len(names):
        raise TypeError(f"{cls.__name__}.many() takes at most {len(names)} values by position, got {len(positional)}")
    values = dict(zip(names, positional, strict=False))
    for name in named:
        if name in values:
            raise TypeError(f"{cls.__name__}.many() got {name} twice")
    return values | named


def checked_values(field: Field, values: Any) -> NDArray[Any]:
    """The numbers that a column keeps for one value, or for n of them; errors as of :class:`Many`."""
    where = f"{field.owner}.{field.name}"
    # Members of an IntFlag can be looped through, but they are numbers.
    is_single = (
        isinstance(values, str | bytes | int) or not isinstance(values, Iterable) or getattr(values, "ndim", 1) == 0
    )
    if is_single or is_real(values):
        return np.array(field.checked(values), field.dtype)
    if is_masked(values):
        raise TypeError(f"{where} must be numbers, got a masked array: {show(values)}")
    given = values if isinstance(values, np.ndarray) else list(values)
    # In a mixed list, numbers would become texts, and bools numbers.
    keeps_types = isinstance(given, np.ndarray) or set(map(type, given)) in ({float}, {int}, {float, int})
    array = np.asarray(given) if keeps_types else np.zeros(0, object)
    if array.ndim > 1:
        raise ValueError(f"{where} must be one number or a one-dimensional array, got shape {array.shape}")
    # The kinds of dtypes that the column keeps as they are, and that numpy compares as Python does: whole numbers of 64
    # bits without a sign do not mix with others.
    kinds = "" if field.choices else "b" if field.annotation is bool else "biuf" if field.is_float else "bi"
    if array.dtype.kind in kinds and array.dtype != np.uint64:
        if ((array >= field.low) & (array <= field.high)).all():
            return array.astype(field.dtype)
        given = array
    checked = []
    for i, value in enumerate(given):
        try:
            checked.append(field.checked(value))
        except (TypeError, ValueError) as error:
            raise type(error)(f"{error} at index {i}") from None
    return np.array(checked, field.dtype)


class Marker(FinalBase):
    """Base of components without fields: an entity has the component, or it does not."""

    __slots__ = ()

    @classmethod
    def many(cls) -> Many:
        """Describe one component for each entity that :func:`~ecsphys.spawn_many` creates.

        Examples
        --------
        >>> walls = ecsphys.spawn_many(3, Transform.many(x=[0, 4, 8]), OBBCollider.many(1, 1), Solid.many())
        """
        return ManyMarkers(cls)


class ManyMarkers(Many):
    """What ``many()`` of a component without fields returns."""

    __slots__ = ()

    def __init__(self, cls: type[Any]) -> None:
        self.cls, self.values = cls, {}

    def create(self, count: int) -> list[Any]:
        """``count`` new components."""
        return [self.cls() for _ in range(count)]
