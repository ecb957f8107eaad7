"""The colliders of a world class by class: those that entities have on their own, and the parts of compounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.components.colliders import COLLIDER_CLASSES
from ecsphys.components.component_table import ComponentRows


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
    parts: dict[type, list[tuple[int, int, int]]] = {cls: [] for cls in COLLIDER_CLASSES}
    for entity, compound in zip(compounds.entity.tolist(), compounds.instances, strict=True):
        for number, part in enumerate(compound.parts):
            parts[type(part)].append((entity, part._row, number))
    return [_merge(table, parts[cls]) for cls, table in zip(COLLIDER_CLASSES, own, strict=True)]


def _merge(own: ComponentRows, parts: list[tuple[int, int, int]]) -> ColliderRows:
    columns = np.array(parts, int64).reshape(-1, 3).T
    entity = np.concatenate((own.entity, columns[0]))
    row = np.concatenate((own.row, columns[1].astype(int32)))
    part = np.concatenate((np.full(len(own), -1, int32), columns[2].astype(int32)))
    # Stable: an entity's own collider stands before its parts, and these are in order.
    order = np.argsort(entity, kind="stable")
    return ColliderRows(entity[order], row[order], part[order])


def _refuse_shared_compound(compounds: ComponentRows) -> None:
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
    return ComponentRows(table.entity[kept], table.row[kept], table.instances[kept])
