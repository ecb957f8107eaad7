"""The turns of one hit event: for each hit the handlers, then the listeners of its first and second entity."""

from __future__ import annotations

from itertools import repeat, starmap

from numpy import bool_, int64
from numpy.typing import NDArray

from ecsphys.systems.hits.hit import Hit, HitArguments
from ecsphys.systems.hits.hit_arrays import HitArrays

# Whose turn it is. A hit that nothing listens to has one turn, of none.
OF_NONE = -1
OF_HANDLERS = 0
OF_A = 1
OF_B = 2

Turn = tuple[int, int, int, int, int, int]
"""Whose it is, the number of the hit, its row in the arrays, its entities (first that whose listener it is), and the
number of the first turn of the next hit."""


class HitTurns:
    """The hits of an event in their order, each made when it is first asked for, and their turns.

    Parameters
    ----------
    arrays, rows
        The hits are these rows (n,) of the arrays.
    has_handlers
        Whether the event has handlers.
    is_a_told, is_b_told
        (n,) whether the entity has a listener with a function for the event.
    """

    __slots__ = ("_are_all_wanted", "_arguments", "_arrays", "_hit", "_hits", "_number", "_rows", "turns")

    def __init__(
        self,
        arrays: HitArrays,
        rows: NDArray[int64],
        has_handlers: bool,
        is_a_told: NDArray[bool_],
        is_b_told: NDArray[bool_],
    ) -> None:
        self._arrays, self._rows = arrays, rows
        # All of them, where somebody receives each.
        self._are_all_wanted = has_handlers or bool((is_a_told | is_b_told).all())
        self._hits: list[Hit] | None = None
        self._arguments: list[HitArguments] | None = None
        self._hit: Hit | None = None
        self._number = -1
        self.turns: list[Turn] = []
        columns = rows.tolist(), arrays.entity_a[rows].tolist(), arrays.entity_b[rows].tolist()
        if has_handlers and not is_a_told.any() and not is_b_told.any():
            count = rows.size
            self.turns = list(zip(repeat(OF_HANDLERS), range(count), *columns, range(1, count + 1), strict=False))
            return
        hits = zip(*columns, is_a_told.tolist(), is_b_told.tolist(), strict=True)
        turns, end = self.turns, 0
        for number, (row, a, b, a_told, b_told) in enumerate(hits):
            end += 1 + a_told + b_told
            # The first turn of a hit says where it is suppressed, also where nothing listens.
            turns.append((OF_HANDLERS if has_handlers or a_told or b_told else OF_NONE, number, row, a, b, end))
            if a_told:
                turns.append((OF_A, number, row, a, b, end))
            if b_told:
                turns.append((OF_B, number, row, b, a, end))

    def hit(self, number: int) -> Hit:
        """One of the hits; the same object until another one is asked for."""
        if self._hits is not None:
            return self._hits[number]
        if self._are_all_wanted:
            self._hits = list(starmap(Hit, self._arrays._hit_arguments(self._rows)))
            return self._hits[number]
        hit = self._hit
        if hit is None or number != self._number:
            if self._arguments is None:
                self._arguments = list(self._arrays._hit_arguments(self._rows))
            hit = Hit(*self._arguments[number])
            self._hit, self._number = hit, number
        return hit
