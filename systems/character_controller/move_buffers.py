"""The arrays for moves, kept from call to call; they grow with the number of obstacles."""

from __future__ import annotations

import numpy as np
from numpy import int32, int64, uint8

from ecsphys.engine.broadphase.pair_table import MOST_PAIRS, TooManyPairsError
from ecsphys.engine.character.carrying import PUSHER_COLUMNS
from ecsphys.engine.character.gathering import Scratch
from ecsphys.engine.character.move_kernel import (
    NO_RESULTS,
    RESULT_NUMBERS,
    RESULT_VALUES,
    WALL_COLUMNS,
    MoveOrders,
    MoveResults,
)
from ecsphys.engine.character.mover import (
    CONTACT_COLUMNS,
    COUNTS,
    IMPACT_COLUMNS,
    LISTED_COLUMNS,
    NO_CONTACTS,
    NO_IMPACTS,
    PLANE_COLUMNS,
    ROW_BOUNDS,
    ROW_NUMBERS,
    STATE_NUMBERS,
    Mover,
)
from ecsphys.engine.character.solid_motion import POSE_COLUMNS
from ecsphys.engine.contact.shape_pieces import HULLS_SHAPE
from ecsphys.engine.kernels.capacity import grown
from ecsphys.engine.shapes.layout import SHAPE_COLUMNS

_FIRST_ROWS = 256
_FIRST_CONTACTS = 32


class MoveBuffers:
    """Room for moves.

    ``mover`` and ``scratch`` are used again for each mover; ``orders`` and ``results`` have a row for each.
    """

    __slots__ = ("_contacts", "_impacts", "_rows", "mover", "orders", "results", "scratch")

    def __init__(self) -> None:
        self._rows, self._impacts, self._contacts = _FIRST_ROWS, _FIRST_ROWS, _FIRST_CONTACTS
        self.mover, self.scratch = self._new_mover(), self._new_scratch()
        self.orders, self.results = _new_orders(1), _new_results(1, _FIRST_CONTACTS)

    def make_room_for(self, movers: int) -> None:
        """See that there is a row for each of some movers."""
        if movers > len(self.orders.owners):
            rows = grown(movers)
            self.orders, self.results = _new_orders(rows), _new_results(rows, len(self.results.contacts))

    def make_room(self, why: int, needed: int, entity: int) -> None:
        """Grow for a move that had no room. The kernel returns ``why`` and ``needed``.

        TooManyPairsError where an ``entity`` has too many solids around it.
        """
        if needed > MOST_PAIRS:
            raise TooManyPairsError(
                f"entity {entity}: more than {MOST_PAIRS:,} solids are on its path; move it less far in one call"
            )
        if why == NO_RESULTS:
            held = self.results
            contacts = np.empty((grown(needed), CONTACT_COLUMNS))
            contacts[: len(held.contacts)] = held.contacts
            self.results = held._replace(contacts=contacts)
            return
        if why == NO_IMPACTS:
            self._impacts = grown(needed)
        elif why == NO_CONTACTS:
            self._contacts = grown(needed)
        else:
            self._rows = grown(needed)
            self.scratch = self._new_scratch()
        self.mover = self._new_mover()

    def _new_mover(self) -> Mover:
        rows = self._rows
        return Mover(
            np.zeros(STATE_NUMBERS),
            np.zeros(COUNTS, int64),
            np.zeros((rows, ROW_NUMBERS), int64),
            np.zeros((rows, ROW_BOUNDS)),
            np.zeros(rows, uint8),
            np.zeros((rows, 2)),
            np.zeros((rows, SHAPE_COLUMNS)),
            np.zeros((2, self._impacts, IMPACT_COLUMNS)),
            np.zeros((self._impacts, PLANE_COLUMNS)),
            np.zeros((3, self._contacts, LISTED_COLUMNS)),
            np.zeros(HULLS_SHAPE),
        )

    def _new_scratch(self) -> Scratch:
        rows = self._rows
        return Scratch(
            np.zeros((rows, 2), int32),
            np.zeros(rows, int64),
            np.zeros(rows, int64),
            np.zeros((rows, POSE_COLUMNS)),
            np.zeros((rows, PUSHER_COLUMNS)),
            np.zeros(rows, int64),
        )


def _new_orders(rows: int) -> MoveOrders:
    return MoveOrders(np.zeros(rows, int32), np.full(rows, -1, int32), np.zeros((rows, 2)), np.zeros(rows, uint8))


def _new_results(rows: int, contacts: int) -> MoveResults:
    return MoveResults(
        np.zeros((rows, RESULT_VALUES)),
        np.zeros((rows, RESULT_NUMBERS), int64),
        np.zeros((rows, WALL_COLUMNS)),
        np.zeros((contacts, CONTACT_COLUMNS)),
    )
