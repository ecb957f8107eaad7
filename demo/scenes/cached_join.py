"""``ecsphys.join`` for every frame: its rows are kept until the world changes structurally."""

from __future__ import annotations

from typing import Any

import esper
from numpy import int64
from numpy.typing import NDArray

import ecsphys


class CachedJoin:
    """``join`` of the same classes, again and again.

    esper keeps the list that answers a query and drops it when an entity or component comes or goes: while it returns
    the very same list, in any world, the rows are still right.
    """

    def __init__(self, *classes: type[ecsphys.Component]) -> None:
        self._classes = classes
        self._answer: list[tuple[int, Any]] | None = None
        self._rows: tuple[NDArray[int64], ...] = ()

    def __call__(self) -> tuple[NDArray[int64], ...]:
        """``(entities, rows, rows, …)`` of the current world."""
        answer = esper.get_component(self._classes[0])
        if answer is not self._answer:
            self._rows = ecsphys.join(*self._classes)
            self._answer = answer
        return self._rows
