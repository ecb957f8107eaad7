"""Rows of components outside the physics' own index, for the systems that use them."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.components.component import Component
from ecsphys.components.join import component_rows
from ecsphys.engine.validation import find_invalid


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
            _refuse_shared_instance(cls, entities, rows)
            self._rows = entities, rows, *(_rows_of(other, entities) for other in self._others)
            self._answer = answer
        entities, rows = self._rows[:2]
        columns = cls._columns
        found = find_invalid(columns.float64, rows, columns.low, columns.high)
        if found >= 0:
            position, field = divmod(found, len(columns.float_fields))
            message = columns.describe_violation(field, float(columns.float64[field, rows[position]]))
            raise ValueError(f"entity {int(entities[position])}: {message}")
        return self._rows


def _rows_of(cls: type[Component], entities: NDArray[int64]) -> NDArray[int64]:
    found = (esper.try_component(entity, cls) for entity in entities.tolist())
    return np.fromiter((-1 if instance is None else instance._row for instance in found), int64, entities.size)


def _refuse_shared_instance(cls: type[Component], entities: NDArray[int64], rows: NDArray[int64]) -> None:
    order = np.argsort(rows, kind="stable")
    twice = np.flatnonzero(rows[order][1:] == rows[order][:-1])
    if twice.size:
        first, second = entities[order][twice[0] : twice[0] + 2].tolist()
        raise ValueError(
            f"one {cls.__name__} instance is on two entities, {first} and {second}:"
            " give each entity an instance of its own (copy.copy makes one)"
        )
