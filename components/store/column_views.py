"""Writable views of columns: arrays handed out to the game, and how long they live."""

from __future__ import annotations

import weakref
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ecsphys.components.store.fork_safe_lock import fork_safe_lock

_LOCK = fork_safe_lock()  # any thread may ask for a column


class Grants:
    """``made``: how many views of all classes were handed out so far."""

    __slots__ = ("made",)

    def __init__(self) -> None:
        self.made = 0


GRANTS: Final = Grants()


class ColumnViews:
    """The writable arrays that were handed out of one component class's blocks.

    Writes through an array leave no trace. But an array can only be written while the game holds it, or a view of it.
    ``count`` is the number of arrays handed out so far.
    """

    __slots__ = ("_arrays", "_crowded", "count")

    def __init__(self) -> None:
        self.count = 0
        self._arrays: list[weakref.ref[NDArray[Any]]] = []
        self._crowded = 16

    def grant(self, column: NDArray[Any]) -> NDArray[Any]:
        """The same memory as a new array, which lives as long as there is a reference to it or to a view of it."""
        # numpy's views refer to the array at the end of their chain of bases. Memory that comes by way of the buffer
        # protocol ends the chain at the new array, not at the block.
        array = np.asarray(column.data)
        with _LOCK:
            self.count += 1
            GRANTS.made += 1
            self._arrays.append(weakref.ref(array))
            if len(self._arrays) > self._crowded:
                self.any_alive()
                self._crowded = 2 * len(self._arrays) + 16
        return array

    def alive(self) -> list[NDArray[Any]]:
        """The arrays that are still referred to."""
        with _LOCK:
            arrays = [reference() for reference in self._arrays]
        return [array for array in arrays if array is not None]

    def any_alive(self) -> bool:
        """Whether one is still referred to."""
        if self._arrays:
            with _LOCK:
                self._arrays = [reference for reference in self._arrays if reference() is not None]
        return bool(self._arrays)
