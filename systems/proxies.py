"""``Proxies``: all colliders of a world as arrays, in the order in which stages exchange them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.colliders import COLLIDER_CLASSES
from ecsphys.components.collision_filter import CollisionFilter
from ecsphys.components.component import Component
from ecsphys.components.component_table import ComponentRows
from ecsphys.components.transform import Transform, Velocity
from ecsphys.engine.entity_tables import join_colliders, match_colliders

Entities = NDArray[int64]
Rows = NDArray[int32]

_NOBODY: Entities = np.zeros(0, int64)
_ABOVE_ALL: Entities = np.array([np.iinfo(int64).max])
_NO_ROW: Rows = np.array([-1], int32)


class Proxies:
    """Every collider of an entity with a :class:`Transform`, sorted by entity, then by collider class.

    Arrays of equal length n; candidate pairs are pairs of indices into them.

    ``entity``
        (n,) int64, the esper entity.
    ``collider``
        (n,) uint8, index of the collider's class in ``COLLIDER_CLASSES``.
    ``body``
        (n,) int64, number of the entity in the order of entities: equal for colliders of one entity.
    ``transform_row``, ``collider_row``
        (n,) int32, rows in the blocks of Transform and of the collider's class.
    ``velocity_row``, ``filter_row``
        (n,) int32, rows in the blocks of Velocity and CollisionFilter, −1 without one.
    ``trajectory``
        (n,) int32, position of the entity's trajectory among ``WorldIndex.trajectories``, −1 without one.
    ``is_filtered``
        Whether any entity has a CollisionFilter.
    """

    __slots__ = (
        "body",
        "collider",
        "collider_row",
        "entity",
        "filter_row",
        "is_filtered",
        "trajectory",
        "transform_row",
        "velocity_row",
    )

    def __init__(self, tables: dict[type[Component], ComponentRows], path_entity: Entities, path: Rows) -> None:
        """``path_entity``, ascending, are the entities on trajectories, ``path`` the places of these."""
        kinds = np.array([kind for kind, cls in enumerate(COLLIDER_CLASSES) if len(tables[cls])], uint8)
        colliders = [tables[COLLIDER_CLASSES[kind]] for kind in kinds.tolist()]
        starts = np.cumsum([0, *(len(table) + 1 for table in colliders)])
        most = int(starts[-1])
        entity, collider, body = np.empty(most, int64), np.empty(most, uint8), np.empty(most, int64)
        transform_row, collider_row, velocity_row, filter_row, trajectory = np.empty((5, most), int32)
        transforms, velocities, filters = tables[Transform], tables[Velocity], tables[CollisionFilter]
        count = join_colliders(
            transforms.entity,
            transforms.row,
            velocities.entity,
            velocities.row,
            filters.entity,
            filters.row,
            path_entity,
            path,
            kinds,
            starts,
            np.concatenate([_NOBODY, *(part for table in colliders for part in (table.entity, _ABOVE_ALL))]),
            np.concatenate([_NO_ROW, *(part for table in colliders for part in (table.row, _NO_ROW))])[1:],
            entity,
            collider,
            body,
            transform_row,
            collider_row,
            velocity_row,
            filter_row,
            trajectory,
        )
        self.entity: Entities = entity[:count]
        self.collider: NDArray[uint8] = collider[:count]
        self.body: NDArray[int64] = body[:count]
        self.transform_row: Rows = transform_row[:count]
        self.collider_row: Rows = collider_row[:count]
        self.velocity_row: Rows = velocity_row[:count]
        self.filter_row: Rows = filter_row[:count]
        self.trajectory: Rows = trajectory[:count]
        self.is_filtered = bool((self.filter_row >= 0).any())

    def __len__(self) -> int:
        return int(self.entity.size)

    def select(self, which: NDArray[Any] | slice) -> Proxies:
        """Some of the proxies, by their indices; their ``body`` numbers stay what they are here."""
        selected = object.__new__(Proxies)
        for name in self.__slots__:
            if name != "is_filtered":
                setattr(selected, name, getattr(self, name)[which])
        selected.is_filtered = bool((selected.filter_row >= 0).any())
        return selected

    def successors_in(self, new: Proxies) -> NDArray[int64]:
        """For each proxy its index in ``new``, −1 where its transform or collider instance is not there any more."""
        successor = np.empty(len(self), int64)
        match_colliders(
            self.entity,
            self.collider,
            self.transform_row,
            self.collider_row,
            new.entity,
            new.collider,
            new.transform_row,
            new.collider_row,
            successor,
        )
        return successor
