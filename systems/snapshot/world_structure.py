"""Which entities of a world have which components: taken at some moment, and brought back later.

What is taken keeps the instances, and with them their rows: nothing is copied for an entity. Where nothing has come or
gone in between, neither taking nor bringing back looks at any.
"""

from __future__ import annotations

from operator import is_
from typing import Any

import esper
import numpy as np
from numpy import bool_, int32, int64
from numpy.typing import NDArray

from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import (
    NO_ROWS,
    ComponentRows,
    ComponentTable,
    Reading,
    components_of,
    reading_of,
    rows_of,
    table_of,
)


class _NeverAttached:
    """A class that is never attached: esper's answer to it is the same list until something comes or goes."""


def structure_token() -> object:
    """An object that is another one as soon as a component of the current world has come or gone."""
    return esper.get_component(_NeverAttached)


class WorldStructure:
    """The components of all entities of a world at some moment, by their class.

    ``of_class``: the entities and the instances of each class that is attached. ``bare``: the entities without any.
    """

    __slots__ = ("_answer", "_readings", "bare", "of_class")

    def __init__(
        self,
        answer: object,
        of_class: dict[type[Any], ComponentRows],
        readings: dict[type[Any], Reading],
        bare: frozenset[int],
    ) -> None:
        self._answer = answer
        self._readings = readings
        self.of_class = of_class
        self.bare = bare

    def is_current(self) -> bool:
        """Whether the current world is like this, as far as can be told at once."""
        return structure_token() is self._answer

    @classmethod
    def of_world(cls, last: WorldStructure | None = None) -> WorldStructure:
        """The structure of the current world: ``last`` itself if nothing was added or removed since.

        TypeError where a column component is attached under another class than its own (esper's ``type_alias``).
        """
        answer = structure_token()
        if last is not None and last._answer is answer:
            return last
        of_class: dict[type[Any], ComponentRows] = {}
        readings: dict[type[Any], Reading] = {}
        for attached in tuple(esper._components):
            if issubclass(attached, Component):
                of_class[attached] = rows_of(attached)
                continue
            table = table_of(attached)
            reading = readings[attached] = reading_of(table)
            if last is not None and table is not None and last._readings.get(attached) == reading:
                of_class[attached] = last.of_class[attached]
            else:
                of_class[attached] = _plain_rows(attached)
        bare = frozenset([entity for entity, components in esper._entities.items() if not components])
        return cls(answer, of_class, readings, bare)

    @classmethod
    def made(cls, of_class: dict[type[Any], ComponentRows], bare: frozenset[int]) -> WorldStructure:
        """One that no world has yet."""
        return cls(object(), of_class, {}, bare)

    def bring_back(self) -> None:
        """Let the current world have these entities and instances, and no others.

        Where it is cut short it can be called again. The order in which esper's queries go through entities may be
        another afterwards.
        """
        if self.is_current():
            return
        now = self.of_world()
        plan = []
        for cls in {**self.of_class, **now.of_class}:
            there, wanted = now.of_class.get(cls, NO_ROWS), self.of_class.get(cls, NO_ROWS)
            if there is not wanted:
                plan.append((cls, *_differences(cls, there, wanted)))
        entities, tables = esper._entities, esper._components
        touched: set[int] = set()
        for cls, gone, come in plan:
            table = tables.get(cls)
            if table is None:
                table = tables[cls] = ComponentTable(cls, ())
            for entity in gone:
                entities.get(entity, {}).pop(cls, None)
                table.discard(entity)
            for entity, instance in come:
                entities.setdefault(entity, {})[cls] = instance
                table.add(entity)
            touched.update(gone)
            if not table:
                del tables[cls]
        for entity in touched.union(now.bare) - self.bare:
            if not entities.get(entity, True):
                del entities[entity]
        for entity in self.bare:
            entities.setdefault(entity, {})
        esper.clear_cache()
        for cls, rows in self.of_class.items():
            table = table_of(cls)
            if table is None:
                continue
            if issubclass(cls, Component):
                table.adopt(rows)
            else:
                self._readings[cls] = reading_of(table)
        self._answer = structure_token()


def _plain_rows(cls: type[Any]) -> ComponentRows:
    """The components under a plain class, whatever they are."""
    listed = sorted(esper._components[cls])
    found = list(zip(listed, components_of(listed, cls), strict=True))
    # Where a creation was cut short, esper lists an entity that is not there.
    entities = [entity for entity, instance in found if instance is not None]
    instances = [instance for _, instance in found if instance is not None]
    return ComponentRows(np.array(entities, int64), np.zeros(len(entities), int32), instances)


def _differences(
    cls: type[Any], there: ComponentRows, wanted: ComponentRows
) -> tuple[list[int], list[tuple[int, Any]]]:
    """The entities with unwanted components, and the entities that lack a wanted component, with the component."""
    count = min(len(there), len(wanted))
    same = _are_same(cls, there, wanted, slice(count), slice(count))
    first = count if same.all() else int(np.argmin(same))
    now, then = there.entity[first:], wanted.entity[first:]
    if not then.size:
        return now.tolist(), []
    place = np.minimum(np.searchsorted(then, now), then.size - 1)
    is_kept = _are_same(cls, there, wanted, np.arange(first, len(there)), first + place)
    is_missing = np.ones(then.size, bool_)
    is_missing[place[is_kept]] = False
    missing = (first + np.flatnonzero(is_missing)).tolist()
    come = [(int(wanted.entity[k]), wanted.instances[k]) for k in missing]
    return now[~is_kept].tolist(), come


def _are_same(
    cls: type[Any],
    there: ComponentRows,
    wanted: ComponentRows,
    at: slice | NDArray[int64],
    at_wanted: slice | NDArray[int64],
) -> NDArray[bool_]:
    """Whether entities are the same, and have the same instances."""
    same: NDArray[bool_] = there.entity[at] == wanted.entity[at_wanted]
    if issubclass(cls, Component):
        # Both are alive: an equal row is the same instance.
        same &= there.row[at] == wanted.row[at_wanted]
        return same
    instances = _chosen(there.instances, at)
    same &= np.fromiter(map(is_, instances, _chosen(wanted.instances, at_wanted)), bool_, same.size)
    return same


def _chosen(instances: Any, at: slice | NDArray[int64]) -> list[Any]:
    return list(instances[at]) if isinstance(at, slice) else [instances[k] for k in at.tolist()]
