"""The values of all column components of a world, copied in bulk."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.components.store.column_store import ColumnStore
from ecsphys.components.store.component import Component
from ecsphys.components.store.standing_blocks import blocks_stay

Rows = NDArray[int32]

# Where the runs of a row are in a pool, which it may have in another place by now.
_POOLED = frozenset({"_start", "_count"})

# Of the rows: where more than this part of them has changed, a reader may as well look at all.
_MANY = 0.125


class ClassValues:
    """The values of some rows of one class.

    Values that were not written since the last snapshot are shared with it, and never written again.

    ``rows`` (n,); ``blocks``: for each block of the store that has fields an array (fields, n), in the order of
    ``rows`` or, where these fill a range, of that.
    """

    __slots__ = ("_is_shared", "_range", "_revision", "_store", "blocks", "rows")

    def __init__(self, cls: type[Component], rows: Rows) -> None:
        self._store: ColumnStore = cls._columns
        self.rows = rows
        self._range = _range_of(rows)
        self._revision = -1
        self._is_shared = False
        self.blocks: list[NDArray[Any]] = []

    @classmethod
    def take(
        cls, component: type[Component], rows: Rows, last: ClassValues | None, room: ClassValues | None
    ) -> ClassValues:
        """The values as they are: ``last`` itself where they are its, or a copy, in the ``room`` if that fits."""
        store = component._columns
        if store.tracked:
            revision = store.writes.collect()
            if last is not None and last.rows is rows and last._revision == revision:
                last._is_shared = True
                return last
        else:
            revision = -1
        taken = room
        if taken is None or taken.rows is not rows or taken._is_shared:
            taken = cls(component, rows)
            taken.blocks = [np.empty((len(block), rows.size), block.dtype) for block in _blocks_of(store)]
        chosen = taken._range
        for block, values in zip(_blocks_of(store), taken.blocks, strict=True):
            if chosen is None:
                np.take(block, rows, axis=1, out=values, mode="clip")
            else:
                values[...] = block[:, chosen]
        taken._revision = revision
        return taken

    def moved_to(self, cls: type[Component], rows: Rows) -> ClassValues:
        """The same values, for other rows (n,) of the class, in the same order."""
        moved = ClassValues(cls, rows)
        for block in self.blocks:
            values = self.ordered(block)
            if moved._range is None:
                moved.blocks.append(values)
                continue
            in_range = np.empty_like(values)
            in_range[:, rows - moved._range.start] = values
            moved.blocks.append(in_range)
        return moved

    def put_back(self) -> None:
        """Write the values back to the rows, and note the writes for the readers of the class."""
        store, rows, tracked = self._store, self.rows, self._store.tracked
        if tracked and store.writes.collect() == self._revision:
            return
        where: Any = rows if self._range is None else self._range
        with blocks_stay():
            is_other = self._write(where)
        if tracked:
            numbers = np.flatnonzero(is_other)
            if numbers.size > _MANY * rows.size:
                store.writes.note_everything()
            elif numbers.size:
                store.writes.note_rows(
                    rows[numbers].astype(int64) if self._range is None else numbers + self._range.start
                )
            self._revision = store.writes.revision

    def _write(self, where: Any) -> Any:
        """Write the values; of a class whose writes are tracked, which of them are others than before, (n,)."""
        store = self._store
        is_other: Any = False
        for block, values in zip(_blocks_of(store), self.blocks, strict=True):
            if store.tracked:
                is_other |= (_bits(block[:, where]) != _bits(values)).any(axis=0)
            if block is not store.int64 or _POOLED.isdisjoint(store.int_fields):
                block[:, where] = values
                continue
            for field, name in enumerate(store.int_fields):
                if name not in _POOLED:
                    block[field, where] = values[field]
        return is_other

    def ordered(self, values: NDArray[Any]) -> NDArray[Any]:
        """The values of a block (fields, n) in the order of :attr:`rows`."""
        if self._range is None:
            return values
        ordered: NDArray[Any] = values[:, self.rows - self._range.start]
        return ordered


def _blocks_of(store: ColumnStore) -> list[NDArray[Any]]:
    """The blocks that have fields."""
    return [block for block in (store.float64, store.int64, store.uint32, store.uint8) if len(block)]


def _range_of(rows: Rows) -> slice | None:
    """The range that some rows fill, whatever their order; None where they do not."""
    if not rows.size:
        return slice(0)
    first, last = int(rows.min()), int(rows.max())
    return slice(first, last + 1) if last - first + 1 == rows.size else None


def _bits(values: NDArray[Any]) -> NDArray[Any]:
    """Floats as what their bits say, so that NaN equals itself and −0 is not 0."""
    return values.view(int64) if values.dtype.kind == "f" and values.flags.c_contiguous else _own_bits(values)


def _own_bits(values: NDArray[Any]) -> NDArray[Any]:
    return np.ascontiguousarray(values).view(int64) if values.dtype.kind == "f" else values
