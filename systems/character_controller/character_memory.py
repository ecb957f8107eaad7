"""The memory of characters from one move to the next: a row for each, for the kernel that moves them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.engine.character.character_move import MEMORY_NUMBERS, MEMORY_VALUES
from ecsphys.engine.character.mover import MEMORY_NUMBER, MEMORY_VALUE, Memories
from ecsphys.engine.kernels import grown

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

_FIRST_ROOM = 16


class CharacterMemory:
    """The memories of the characters of a world; ``arrays`` are for the kernel.

    A memory belongs to a character with a certain transform instance, from ``EntityTable.placed_since`` on. For another
    instance the kernel starts a new memory.
    """

    __slots__ = ("_free", "_rows", "_state", "_tables", "_used", "arrays")

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        # The database of the characters.
        self._tables = state.tables
        self._rows: dict[int, int] = {}
        self._free: list[int] = []
        self._used = 0
        self.arrays = _new_arrays(_FIRST_ROOM, _FIRST_ROOM)

    def rows_of(self, entities: list[int]) -> list[int]:
        """The rows of some characters; −1 for entities without components of physics."""
        self._follow_database()
        try:
            return [self._rows[entity] for entity in entities]
        except KeyError:
            self._add(entities)
            return [self._rows.get(entity, -1) for entity in entities]

    @property
    def rows(self) -> dict[int, int]:
        """The row of each character that is remembered with its present transform."""
        self._follow_database()
        slot_of, since = self._tables.entities.slot_of, self._tables.entities.placed_since
        known = self.arrays.numbers["since"]
        rows = self._rows.items()
        return {entity: row for entity, row in rows if entity in slot_of and known[row] == since[slot_of[entity]]}

    def put_state(
        self, owners: NDArray[int64], numbers: NDArray[int64], values: NDArray[float64], dropped: NDArray[int64]
    ) -> None:
        """Have exactly these memories of characters ``owners`` (n,), or 0 for a row that is not in use."""
        self._follow_database()
        used = len(numbers)
        arrays = self.arrays
        if used > len(arrays.numbers):
            arrays = _new_arrays(2 * used, len(arrays.dropped))
        if len(dropped) > len(arrays.dropped):
            arrays = arrays._replace(dropped=np.empty((2 * len(dropped), dropped.shape[1]), int64))
        arrays.numbers.view(int64).reshape(-1, MEMORY_NUMBERS)[:used] = numbers
        arrays.values.view(float64).reshape(-1, MEMORY_VALUES)[:used] = values
        arrays.dropped[: len(dropped)] = dropped
        arrays.dropped_count[0] = len(dropped)
        entities = self._tables.entities
        rows = {entity: row for row, entity in enumerate(owners.tolist()) if entity}
        known = arrays.numbers["since"]
        for entity, row in rows.items():
            if known[row] >= 0:
                known[row] = entities.placed_since[entities.slot_of[entity]]
        self._rows, self._used = rows, used
        self._free = sorted(set(range(used)).difference(rows.values()), reverse=True)
        self.arrays = arrays

    def forget(self) -> None:
        """Forget all characters."""
        self._rows, self._free, self._used = {}, [], 0
        self.arrays.dropped_count[0] = 0

    @property
    def numbers(self) -> NDArray[int64]:
        """The numbers of all rows that were ever used, with a column for each."""
        return self.arrays.numbers.view(int64).reshape(-1, MEMORY_NUMBERS)[: self._used]

    @property
    def values(self) -> NDArray[float64]:
        """Their values."""
        return self.arrays.values.view(float64).reshape(-1, MEMORY_VALUES)[: self._used]

    def make_room_for_dropped(self, needed: int) -> None:
        """Make room to remember this number of entities through which characters drop."""
        arrays = self.arrays
        dropped = np.empty((grown(needed), arrays.dropped.shape[1]), int64)
        dropped[: len(arrays.dropped)] = arrays.dropped
        self.arrays = arrays._replace(dropped=dropped)

    def _follow_database(self) -> None:
        """Forget all characters after the database was cleared."""
        if self._tables is not self._state.tables:
            self.forget()
            self._tables = self._state.tables

    def _add(self, entities: list[int]) -> None:
        """Give rows to characters without a row, if possible rows of deleted characters."""
        there = self._tables.entities.slot_of
        gone = [entity for entity in self._rows if entity not in there]
        for entity in gone:
            self._free.append(self._rows.pop(entity))
        for entity in entities:
            if entity in there and entity not in self._rows:
                self._rows[entity] = self._new_row()

    def _new_row(self) -> int:
        if self._free:
            row = self._free.pop()
        else:
            row = self._used
            held = self.arrays
            if row == len(held.numbers):
                arrays = _new_arrays(2 * row, len(held.dropped))
                arrays.numbers[:row], arrays.values[:row] = held.numbers, held.values
                self.arrays = arrays._replace(dropped=held.dropped, dropped_count=held.dropped_count)
            self._used += 1
        self.arrays.numbers["since"][row] = -1
        return row


def _new_arrays(rows: int, dropped: int) -> Memories:
    return Memories(
        np.zeros(rows, MEMORY_NUMBER),
        np.zeros(rows, MEMORY_VALUE),
        np.zeros((dropped, 2), int64),
        np.zeros(1, int64),
    )
