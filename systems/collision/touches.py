"""``Touches`` keeps what characters touched until the narrowphase makes contacts of it."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.engine.hits import touches
from ecsphys.engine.hits.contact_table import SWEPT_COLUMNS
from ecsphys.engine.hits.touches import SweptContacts, TouchArrays, TouchMarks, gather_touches
from ecsphys.engine.kernels import grown
from ecsphys.engine.manifold.contact import CONTACT_COLUMNS
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.systems.world.world_tables import WorldTables

_FIRST_ROOM = 64


class Touches:
    """The touches of the characters of a world in their moves; ``arrays`` go to the kernel that moves characters.

    The narrowphase takes them in two steps: :meth:`beside` makes contacts, and :meth:`use_up` ends the list. If it is
    cut short in between, the next one finds the same list.
    """

    __slots__ = ("_calls", "_contacts", "_marks", "_next", "_tables", "arrays")

    def __init__(self, tables: WorldTables) -> None:
        self._tables = tables
        self._calls = 0
        self.arrays, self._next = _new_list(_FIRST_ROOM), _new_list(_FIRST_ROOM)
        self._contacts = _new_contacts(_FIRST_ROOM)
        self._marks = TouchMarks(np.zeros(0, int64), np.zeros(0, int32), np.zeros(0, int64), np.zeros(0, int32))

    def __len__(self) -> int:
        return self.arrays.counts.item(touches.TOUCHES)

    @property
    def is_any(self) -> bool:
        """Whether anything was touched."""
        return self.arrays.counts.item(touches.TOUCHES) > 0

    def make_room(self, count: int) -> None:
        """Make room for so many more. Without a step for a long time, each pair stays listed once."""
        self._leave_out_repeated()
        rows = len(self)
        if 4 * (rows + count) > len(self.arrays.numbers):
            longer = _new_list(grown(8 * (rows + count)))
            longer.numbers[:rows], longer.values[:rows] = self.arrays.numbers[:rows], self.arrays.values[:rows]
            longer.counts[:] = self.arrays.counts
            self.arrays = longer

    def find_movers(self) -> NDArray[int32]:
        """The slots of the movers' colliders that have touches, each once."""
        numbers = self.arrays.numbers[: len(self)]
        numbers = numbers[numbers[:, touches.OTHER] != touches.MARK]
        slots, own = self._tables.colliders.slots, numbers[:, touches.OWN]
        is_there = (slots.absence[own] == PRESENT) & (slots.entity[own] == numbers[:, touches.OWN_ENTITY])
        return np.unique(own[is_there]).astype(int32)

    def beside(self, swept: SweptContacts, dt: float) -> SweptContacts:
        """The contacts of a sweep and of the touches in a step of ``dt`` seconds."""
        count = len(self)
        self._reserve(count)
        colliders = self._tables.colliders
        self._calls += 1
        found = gather_touches(
            self.arrays,
            self._next,
            self._marks,
            colliders.slots,
            colliders.placed.boxes,
            swept.pairs,
            self._contacts,
            1.0 / dt if dt > 0.0 else 0.0,
            self._calls,
        )
        if not found:
            return swept
        contacts = self._contacts
        pairs, rows, besides = contacts.pairs[:found], contacts.rows[:found], contacts.besides[:found]
        if len(swept.pairs):
            pairs, rows = np.concatenate((swept.pairs, pairs)), np.concatenate((swept.rows, rows))
            besides = np.concatenate((swept.besides, besides))
        return SweptContacts(pairs, rows, besides)

    def use_up(self) -> None:
        """Go on with the touches that :meth:`beside` has kept."""
        self.arrays, self._next = self._next, self.arrays

    def take_state(self) -> tuple[NDArray[int64], NDArray[float64], int]:
        """The numbers and values of all touches of present colliders, and how many of them are kept."""
        numbers, kept = self.arrays.numbers[: len(self)], int(self.arrays.counts[touches.KEPT])
        slots = self._tables.colliders.slots
        own, other, own_entity, other_entity = numbers.T
        is_there = (slots.absence[own] == PRESENT) & (slots.entity[own] == own_entity)
        is_there &= (other == touches.MARK) | (
            (slots.absence[other] == PRESENT) & (slots.entity[other] == other_entity)
        )
        return numbers[is_there], self.arrays.values[: len(self)][is_there], int(np.count_nonzero(is_there[:kept]))

    def put_state(self, numbers: NDArray[int64], values: NDArray[float64], kept: int) -> None:
        """Take these touches instead of all others."""
        count = len(numbers)
        if count > len(self.arrays.numbers):
            self.arrays = _new_list(grown(count))
        self.arrays.numbers[:count], self.arrays.values[:count] = numbers, values
        self.arrays.counts[:] = count, kept

    def _leave_out_repeated(self) -> None:
        """Leave only the hardest touch of each pair among those not kept yet; the last of equal ones."""
        count, kept = self.arrays.counts.tolist()
        numbers, values = self.arrays.numbers[:count], self.arrays.values[:count]
        pending = numbers[kept:]
        order = np.lexsort((values[kept:, touches.TOUCH_CLOSING], pending[:, touches.OTHER], pending[:, touches.OWN]))
        is_last = np.ones(len(order), np.bool_)
        is_last[:-1] = (np.diff(pending[order][:, (touches.OWN, touches.OTHER)], axis=0) != 0).any(axis=1)
        rows = kept + np.sort(order[is_last])
        numbers[kept : kept + len(rows)], values[kept : kept + len(rows)] = numbers[rows], values[rows]
        self.arrays.counts[touches.TOUCHES] = kept + len(rows)

    def _reserve(self, count: int) -> None:
        """Make room for so many touches, and for the slots of the world."""
        marks, colliders = self._marks, self._tables.colliders.capacity
        entities = len(self._tables.entities.slots.entity)
        # Lists take turns, and one may be much longer.
        if len(self._next.numbers) < count:
            self._next = _new_list(grown(count))
        if len(self._contacts.pairs) < count:
            self._contacts = _new_contacts(grown(count))
        if (
            len(marks.first) < colliders
            or len(marks.moved) < entities
            or len(marks.following) < len(self._next.numbers)
        ):
            self._marks = TouchMarks(
                np.zeros(entities, int64),
                np.zeros(colliders, int32),
                np.zeros(colliders, int64),
                np.zeros(len(self._next.numbers), int32),
            )


def _new_list(room: int) -> TouchArrays:
    return TouchArrays(
        np.zeros((room, touches.TOUCH_NUMBERS), int64),
        np.zeros((room, touches.TOUCH_VALUES)),
        np.zeros(touches.TOUCH_COUNTS, int64),
    )


def _new_contacts(room: int) -> SweptContacts:
    return SweptContacts(np.zeros((room, 2), int32), np.zeros((room, CONTACT_COLUMNS)), np.zeros((room, SWEPT_COLUMNS)))


NO_SWEPT: Final = _new_contacts(0)
