"""``join``: the rows of entities that have several components at once, as arrays."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.components.store.column import show
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import rows_of

Rows = NDArray[int64]
Class = type[Component]


@overload
def join(first: Class, /) -> tuple[Rows, Rows]: ...
@overload
def join(first: Class, second: Class, /) -> tuple[Rows, Rows, Rows]: ...
@overload
def join(first: Class, second: Class, third: Class, /) -> tuple[Rows, Rows, Rows, Rows]: ...
@overload
def join(first: Class, second: Class, third: Class, fourth: Class, /) -> tuple[Rows, Rows, Rows, Rows, Rows]: ...
@overload
def join(*classes: Class) -> tuple[Rows, ...]: ...
def join(*classes: type[Component]) -> tuple[NDArray[int64], ...]:
    """The current world's entities that have a component of every class, and the rows of these components.

    Use the rows as indices into ``Class.column(name)``. They are valid until components are created, added or removed.
    As in esper's own queries, an entity marked by ``esper.delete_entity`` is included until the next ``esper.process``
    removes it.

    Parameters
    ----------
    classes
        One or more subclasses of :class:`~ecsphys.Component`.

    Returns
    -------
    tuple
        ``(entities, rows, rows, …)``: one array for each class after the entities, all (n,) int64, sorted by entity.

    Raises
    ------
    TypeError
        If no class is given, or a class is not a :class:`~ecsphys.Component`. For plain classes use
        ``esper.get_components``.

    Examples
    --------
    >>> swarm = ecsphys.spawn_many(100, Transform.many(x=np.arange(100.0)), Velocity.many())
    >>> entities, transforms, velocities = ecsphys.join(Transform, Velocity)
    >>> Velocity.column("x")[velocities] -= Transform.column("x")[transforms]
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


def rows_of_entities(cls: type[Component], entities: Any) -> Rows:
    """The rows (n,) of the components of some entities (n,); see ``Component.rows_of``."""
    try:
        wanted = np.asarray(entities)
    except ValueError:  # rows of different lengths
        wanted = np.zeros(1, object)
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
    found: Rows = rows[places]
    return found


def component_rows(cls: type[Component]) -> tuple[NDArray[int64], NDArray[int64]]:
    """The current world's entities with a component of exactly this class, sorted, and the rows of these components.

    Both are int64 of shape (n,). Raises TypeError, naming the entity, if its component is an instance of another class
    (``type_alias`` of ``esper.add_component``): its row is in the arrays of the other class.
    """
    if not (isinstance(cls, type) and issubclass(cls, Component)) or cls is Component:
        raise TypeError(
            f"join takes subclasses of Component, got {show(cls)}; for plain classes use esper.get_components, then"
            " Transform.rows_of(entities) for the rows of a component"
        )
    table = rows_of(cls)
    return table.entity.copy(), table.row.astype(int64)
