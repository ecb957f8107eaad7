"""Arrays by name, copied into memory that is kept from one time to the next."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Elements more than are needed: what grows a little from step to step finds room.
_SPARE = 16
# Memory beyond this multiple of the needed size is given back.
_MOST = 8


class KeptArrays(dict[str, NDArray[Any]]):
    """Copies of arrays, by name."""

    def __init__(self) -> None:
        super().__init__()
        self._rooms: dict[str, NDArray[Any]] = {}

    def keep(self, name: str, source: NDArray[Any]) -> None:
        """Copy an array."""
        kept = self.get(name)
        if kept is None or kept.shape != source.shape or kept.dtype != source.dtype:
            kept = self[name] = self._room_for(name, source)
        kept[...] = source

    def _room_for(self, name: str, source: NDArray[Any]) -> NDArray[Any]:
        """An array like another, in the memory that is kept under a name if it fits."""
        count = len(source)
        room = self._rooms.get(name)
        if (
            room is None
            or not count <= len(room) <= _MOST * (count + _SPARE)
            or room.dtype != source.dtype
            or room.shape[1:] != source.shape[1:]
        ):
            room = self._rooms[name] = np.empty((count + count // 4 + _SPARE, *source.shape[1:]), source.dtype)
        return room[:count]
