"""``write``: new values for some rows of a component class, checked and marked."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ecsphys.components.argument_names import refuse_unknown
from ecsphys.components.store.column import Field, show
from ecsphys.components.store.many import checked_values
from ecsphys.components.store.standing_blocks import blocks_stay

if TYPE_CHECKING:
    from ecsphys.components.store.component import Component


def write_rows(cls: type[Component], rows: Any, values: dict[str, Any]) -> None:
    """See ``Component.write``."""
    store = cls._columns
    fields = {field.name: field for field in store.fields if not field.name.startswith("_")}
    if unknown := [name for name in values if name not in fields]:
        refuse_unknown(cls.__name__, unknown, list(fields), "write")
    places = _checked_rows(cls, rows)
    checked = {name: _checked(fields[name], given, places) for name, given in values.items()}
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
            raise IndexError(f"{cls.__name__}.write(): there is no row {rows}, the rows are 0 to {end - 1}")
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
        raise IndexError(
            f"{cls.__name__}.write(): there is no row {int(places[bad[0]])}, the rows are 0 to {end - 1}, at index"
            f" {int(bad[0])}"
        )
    return places


def _checked(field: Field, values: Any, places: int | NDArray[Any]) -> Any:
    """The numbers that the column keeps for one value, or for a value for each of some rows."""
    if isinstance(places, int):
        return field.checked(values)
    numbers = checked_values(field, values)
    if numbers.ndim and len(numbers) != places.size:
        raise ValueError(f"{field.owner}.{field.name} has {len(numbers)} values for {places.size} rows")
    return numbers
