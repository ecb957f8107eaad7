"""``join``: the rows of entities that have several components at once, as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.components.store.column import show
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import rows_of


def join(*classes: type[Component]) -> tuple[NDArray[int64], ...]:
    """The current world's entities that have a component of every class, and the rows of these components.

    Returns ``(entities, rows, rows, …)``: one array for each class after the entities, all int64 of shape (n,), sorted
    by entity. The arrays hold until components are created, added or removed::

        entities, transforms, velocities = join(Transform, Velocity)
        Velocity.column("x")[velocities] -= Transform.column("x")[transforms]

    As in esper's own queries, an entity marked by ``esper.delete_entity`` counts until it is really removed, at the
    start of the next ``esper.process``. ``TypeError`` for anything but column components.
    """
    if not classes:
        raise TypeError("join needs at least one component class")
    tables = [component_rows(cls) for cls in classes]
    entities = min((table[0] for table in tables), key=len)
    for other, _ in tables:
        if len(other) != len(entities) or not np.array_equal(other, entities):
            entities = np.intersect1d(entities, other, assume_unique=True)
    # As many owners as entities are the same ones.
    return entities, *(
        rows if len(owners) == len(entities) else rows[np.searchsorted(owners, entities)] for owners, rows in tables
    )


def rows_of_entities(cls: type[Component], entities: Any) -> NDArray[int64]:
    """The rows (n,) of the components of some entities (n,); see ``Component.rows_of``."""
    wanted = np.asarray(entities)
    if wanted.ndim != 1 or (wanted.size and wanted.dtype.kind not in "iu"):
        raise TypeError(f"{cls.__name__}.rows_of() takes entities, whole numbers of shape (n,), got {show(entities)}")
    owners, rows = component_rows(cls)
    wanted = wanted.astype(int64)
    if not owners.size:
        owners, rows = np.full(1, -1), np.full(1, -1)
    places = np.minimum(np.searchsorted(owners, wanted), owners.size - 1)
    strange = np.flatnonzero(owners[places] != wanted)
    if strange.size:
        raise KeyError(f"entity {int(wanted[strange[0]])} has no {cls.__name__}")
    found: NDArray[int64] = rows[places]
    return found


def component_rows(cls: type[Component]) -> tuple[NDArray[int64], NDArray[int64]]:
    """The current world's entities with a component of exactly this class, sorted, and the rows of these components.

    Both int64 of shape (n,). ``TypeError`` naming the entity if it carries an instance of another class under this one
    (``type_alias`` of ``esper.add_component``), for such an instance has its row in another class's arrays.
    """
    if not (isinstance(cls, type) and issubclass(cls, Component)) or cls is Component:
        raise TypeError(
            f"rows are kept only for subclasses of Component, not for {show(cls)}: derive it from ecsphys.Component,"
            " or take its entities from esper.get_component, and their other rows by Transform.rows_of(entities)"
        )
    table = rows_of(cls)
    return table.entity.copy(), table.row.astype(int64)
