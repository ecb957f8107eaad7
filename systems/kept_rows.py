"""Rows of components outside the physics' own index, for the systems that use them."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.components.component import Component
from ecsphys.components.join import join
from ecsphys.engine.validation import find_invalid
from ecsphys.systems.world_index import INDEXED_CLASSES


class KeptRows:
    """``join`` of the same classes each step: kept until the world changes structurally, and checked.

    esper drops the list that answers a query when an entity or component comes or goes; while it returns the very
    same list, the rows are still right. Holding that list keeps the instances alive, and so their rows.
    """

    def __init__(self, *classes: type[Component]) -> None:
        self._classes = classes
        self._answer: list[tuple[int, Any]] | None = None
        self._rows: tuple[NDArray[int64], ...] = ()

    def __call__(self) -> tuple[NDArray[int64], ...]:
        """``(entities, rows, rows, …)`` of the current world, as ``join`` gives them.

        ValueError naming the entity for a bad value that was written through a column, and naming both for one
        instance on two entities; the physics checks its own components itself.
        """
        answer = esper.get_component(self._classes[0])
        changed = answer is not self._answer
        if changed:
            self._rows = join(*self._classes)
            self._answer = answer
        entities = self._rows[0]
        for cls, rows in zip(self._classes, self._rows[1:], strict=True):
            if cls in INDEXED_CLASSES:
                continue
            if changed:
                _refuse_shared_instance(cls, entities, rows)
            columns = cls._columns
            found = find_invalid(columns.float64, rows, columns.low, columns.high)
            if found >= 0:
                position, field = divmod(found, len(columns.float_fields))
                message = columns.describe_violation(field, float(columns.float64[field, rows[position]]))
                raise ValueError(f"entity {int(entities[position])}: {message}")
        return self._rows


def _refuse_shared_instance(cls: type[Component], entities: NDArray[int64], rows: NDArray[int64]) -> None:
    order = np.argsort(rows, kind="stable")
    twice = np.flatnonzero(rows[order][1:] == rows[order][:-1])
    if twice.size:
        first, second = entities[order][twice[0] : twice[0] + 2].tolist()
        raise ValueError(
            f"one {cls.__name__} instance is on two entities, {first} and {second}:"
            " give each entity an instance of its own (copy.copy makes one)"
        )
