"""The colliders of a world class by class: those that entities have on their own, and the parts of compounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy import bool_, int32, int64, object_
from numpy.typing import NDArray

from ecsphys.components.store.component_table import ComponentRows


class ColliderRows(NamedTuple):
    """Colliders of one class, by entity and then by part.

    ``entity`` (n,) int64, ascending; ``row`` (n,) int32, their rows; ``part`` (n,) int32, their numbers in the entity's
    ``CompoundCollider``, −1 for those on their own.
    """

    entity: NDArray[int64]
    row: NDArray[int32]
    part: NDArray[int32]


def rows_of_colliders(own: Sequence[ComponentRows], compounds: ComponentRows) -> list[ColliderRows]:
    """The colliders of each class, from the tables of the classes and that of ``CompoundCollider``.

    ValueError naming both entities where one compound is on two.
    """
    if not len(compounds):
        return [ColliderRows(table.entity, table.row, np.full(len(table), -1, int32)) for table in own]
    _refuse_shared_compound(compounds)
    lines = [compound._lines for compound in compounds.instances]
    counts = np.fromiter(map(len, lines), int64, len(lines))
    kind, row = np.concatenate(lines).T
    entity = np.repeat(compounds.entity, counts)
    number = np.arange(len(kind)) - np.repeat(np.cumsum(counts) - counts, counts)
    parts = ColliderRows(entity, row, number.astype(int32))
    return [_merge(table, parts, kind == which) for which, table in enumerate(own)]


def _merge(own: ComponentRows, parts: ColliderRows, which: NDArray[bool_]) -> ColliderRows:
    """The colliders of a class: those on their own, and some of the parts."""
    entity = np.concatenate((own.entity, parts.entity[which]))
    row = np.concatenate((own.row, parts.row[which]))
    part = np.concatenate((np.full(len(own), -1, int32), parts.part[which]))
    # Stable: an entity's own collider stands before its parts, and these are in order.
    order = np.argsort(entity, kind="stable")
    return ColliderRows(entity[order], row[order], part[order])


def _refuse_shared_compound(compounds: ComponentRows) -> None:
    if len(set(map(id, compounds.instances))) == len(compounds):
        return
    owner: dict[int, int] = {}
    for entity, compound in zip(compounds.entity.tolist(), compounds.instances, strict=True):
        other = owner.setdefault(id(compound), entity)
        if other != entity:
            raise ValueError(
                f"one CompoundCollider instance is on two entities, {other} and {entity}:"
                " give each entity an instance of its own (copy.deepcopy makes one)"
            )


def without(table: ComponentRows, entities: NDArray[int64]) -> ComponentRows:
    """A table without some entities, ascending."""
    if not entities.size:
        return table
    kept = ~np.isin(table.entity, entities)
    instances = np.asarray(table.instances, object_)[kept]
    return ComponentRows(table.entity[kept], table.row[kept], instances)
