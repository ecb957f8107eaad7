"""Rows of components outside the physics' own index, for the systems that use them."""

from __future__ import annotations

from typing import Any, TypeVar

import esper
import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import component_rows
from ecsphys.systems.world.row_checks import refuse_bad_values, refuse_shared_instance

RowType = TypeVar("RowType", int32, int64)


class KeptRows:
    """Rows of one class's instances, and of others on the same entities: kept until the world changes structurally.

    esper drops the list that answers a query when an entity or component comes or goes; while it returns the very
    same list, the rows are still right. Holding that list keeps the instances alive, and so their rows.

    Parameters
    ----------
    cls
        A class of which there are few: its entities are asked for the others one by one, which costs nothing beside
        reading all the others' instances.
    others
        Classes of the physics' index.
    """

    def __init__(self, cls: type[Component], *others: type[Component]) -> None:
        self._class = cls
        self._others = others
        self._answer: list[tuple[int, Any]] | None = None
        self._rows: tuple[NDArray[int64], ...] = ()

    def __call__(self) -> tuple[NDArray[int64], ...]:
        """``(entities, rows, rows of others, …)`` of the current world, int64 of shape (n,), sorted by entity.

        Rows of others are −1 where an entity lacks the component. ValueError naming the entity for a bad value that
        was written through a column, and naming both for one instance on two entities; the physics checks the others.
        """
        cls = self._class
        answer = esper.get_component(cls)
        if answer is not self._answer:
            entities, rows = component_rows(cls)
            refuse_shared_instance(cls, entities, rows)
            self._rows = entities, rows, *(_rows_of(other, entities) for other in self._others)
            self._answer = answer
        # In each step: systems write some of these fields, and a sum of theirs may become infinite.
        refuse_bad_values(cls, *self._rows[:2])
        return self._rows


def _rows_of(cls: type[Component], entities: NDArray[int64]) -> NDArray[int64]:
    found = (esper.try_component(entity, cls) for entity in entities.tolist())
    return np.fromiter((-1 if instance is None else instance._row for instance in found), int64, entities.size)


def rows_at(entities: NDArray[int64], of_entities: NDArray[int64], of_rows: NDArray[RowType]) -> NDArray[RowType]:
    """For each of ``entities`` its row among ``of_rows``, −1 where ``of_entities`` (sorted) has no such entity."""
    if not of_entities.size:
        return np.full(entities.size, -1, of_rows.dtype)
    found = np.minimum(np.searchsorted(of_entities, entities), of_entities.size - 1)
    rows: NDArray[RowType] = of_rows[found]
    rows[of_entities[found] != entities] = -1
    return rows
