"""The memory of characters from one move to the next: a row for each, for the kernel that moves them."""

from __future__ import annotations

import numpy as np
from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.engine.character.character_move import MEMORY_NUMBERS, MEMORY_VALUES
from ecsphys.engine.character.mover import MEMORY_NUMBER, MEMORY_VALUE, PAIRS, ROWS, Memories
from ecsphys.engine.kernels import grown
from ecsphys.systems.world.entity_table import EntityTable


class CharacterMemory:
    """The memories of the characters of a world; ``arrays`` are for the kernel, which gives rows to those it moves.

    A memory belongs to a character with a certain transform instance, from ``EntityTable.placed_since`` on. For another
    instance the kernel starts a new memory in the same row.
    """

    __slots__ = ("_entities", "arrays")

    def __init__(self, entities: EntityTable) -> None:
        self._entities = entities
        self.forget()

    def forget(self) -> None:
        """Forget all characters."""
        self._put(np.zeros(0, int32), np.zeros((0, MEMORY_NUMBERS), int64), np.zeros((0, MEMORY_VALUES)), 0)

    def known(self) -> tuple[NDArray[int64], NDArray[int64], NDArray[float64], NDArray[int64]]:
        """The characters that are remembered with their present transforms, ascending, their numbers and values; and
        what they drop through, in pairs."""
        arrays, table = self.arrays, self._entities
        rows, pairs = arrays.counts.tolist()
        owner, (numbers, values) = arrays.owner[:rows], _columns(arrays, rows)
        there = np.flatnonzero(numbers[:, 0] == table.placed_since[owner])
        entities = table.slots.entity[owner[there]]
        order = entities.argsort()
        there = there[order]
        dropped = arrays.dropped[:pairs]
        return entities[order], numbers[there], values[there], dropped[np.isin(dropped[:, 0], entities)]

    def put_known(
        self, entities: NDArray[int64], numbers: NDArray[int64], values: NDArray[float64], dropped: NDArray[int64]
    ) -> None:
        """Have exactly these memories."""
        owner = self._entities.find_slots(entities)
        there = np.flatnonzero(owner >= 0)
        self._put(owner[there], numbers[there], values[there], len(dropped))
        self.arrays.numbers["since"][: there.size] = self._entities.placed_since[owner[there]]
        self.arrays.dropped[: len(dropped)] = dropped
        self.arrays.counts[PAIRS] = len(dropped)

    def make_room(self, needed: int) -> None:
        """Have room for all slots of entities, and for so many memories and pairs."""
        held = self.arrays
        rows, pairs = held.counts.tolist()
        dropped = held.dropped[:pairs]
        if len(held.row_of) < self._entities.slots.entity.size or needed > min(len(held.owner), len(held.dropped)):
            self._put(held.owner[:rows], *_columns(held, rows), needed)
            # Of characters that are gone, nothing is kept.
            dropped = dropped[[entity in self._entities.slot_of for entity in dropped[:, 0].tolist()]]
            self.arrays.dropped[: len(dropped)] = dropped
            self.arrays.counts[PAIRS] = len(dropped)

    def _put(self, owner: NDArray[int32], numbers: NDArray[int64], values: NDArray[float64], needed: int) -> None:
        """Have arrays with these rows, and with room for others."""
        rows, room = len(owner), grown(max(len(owner), needed))
        arrays = Memories(
            np.full(self._entities.slots.entity.size, -1, int32),
            np.zeros(room, int32),
            np.zeros(room, MEMORY_NUMBER),
            np.zeros(room, MEMORY_VALUE),
            np.zeros((room, 2), int64),
            np.zeros(2, int64),
        )
        arrays.row_of[owner] = np.arange(rows)
        arrays.owner[:rows] = owner
        for array, column in zip(_columns(arrays, rows), (numbers, values), strict=True):
            array[:] = column
        arrays.counts[ROWS] = rows
        self.arrays = arrays


def _columns(arrays: Memories, rows: int) -> tuple[NDArray[int64], NDArray[float64]]:
    """The numbers and the values of rows, with a column for each field."""
    numbers, values = arrays.numbers[:rows].view(int64), arrays.values[:rows].view(float64)
    return numbers.reshape(rows, MEMORY_NUMBERS), values.reshape(rows, MEMORY_VALUES)
