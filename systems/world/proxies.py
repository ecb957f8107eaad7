"""``Proxies``: all colliders of a world as arrays, in the order in which stages exchange them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import esper
import numpy as np
from numpy import int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import COLLIDER_CLASSES
from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import ComponentRows
from ecsphys.engine.tables.entity_tables import join_colliders, match_colliders
from ecsphys.systems.world.collider_rows import ColliderRows

Entities = NDArray[int64]
Rows = NDArray[int32]

Number = TypeVar("Number", int32, int64)

_ABOVE_ALL: Entities = np.array([np.iinfo(int64).max])
_NO_ROW: Rows = np.array([-1], int32)


def _in_line(columns: Sequence[NDArray[Number]], end: NDArray[Number]) -> NDArray[Number]:
    """The columns of several tables one after another, each with the ``end`` (1,) behind it."""
    return np.concatenate([piece for column in columns for piece in (column, end)] or [end[:0]])


class Proxies:
    """Every collider of an entity with a :class:`Transform` that is not disabled, by entity, class and part.

    Arrays of equal length n; candidate pairs are pairs of indices into them.

    ``entity``
        (n,) int64, the esper entity.
    ``collider``
        (n,) uint8, index of the collider's class in ``COLLIDER_CLASSES``.
    ``part``
        (n,) int32, the collider's number in the entity's ``CompoundCollider``, −1 for one on its own.
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
        "part",
        "trajectory",
        "transform_row",
        "velocity_row",
    )

    def __init__(
        self,
        tables: dict[type[Component], ComponentRows],
        transforms: ComponentRows,
        colliders: Sequence[ColliderRows],
        path_entity: Entities,
        path: Rows,
    ) -> None:
        """``transforms`` are those whose entities are not disabled; ``colliders`` are of each class in its turn.

        ``path_entity``, ascending, are the entities on trajectories, ``path`` the places of these.
        """
        kinds = np.array([kind for kind, table in enumerate(colliders) if len(table.entity)], uint8)
        there = [colliders[kind] for kind in kinds.tolist()]
        starts = np.cumsum([0, *(len(table.entity) + 1 for table in there)])
        most = int(starts[-1])
        entity, collider, body = np.empty(most, int64), np.empty(most, uint8), np.empty(most, int64)
        part, transform_row, collider_row, velocity_row, filter_row, trajectory = np.empty((6, most), int32)
        velocities, filters = tables[Velocity], tables[CollisionFilter]
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
            _in_line([table.entity for table in there], _ABOVE_ALL),
            _in_line([table.row for table in there], _NO_ROW),
            _in_line([table.part for table in there], _NO_ROW),
            entity,
            collider,
            part,
            body,
            transform_row,
            collider_row,
            velocity_row,
            filter_row,
            trajectory,
        )
        self.entity: Entities = entity[:count]
        self.collider: NDArray[uint8] = collider[:count]
        self.part: Rows = part[:count]
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

    def is_attached(self, proxy: int) -> bool:
        """Whether the transform and the collider of a proxy are still the instances that its entity has."""
        entity, part = int(self.entity[proxy]), int(self.part[proxy])
        transform = esper.try_component(entity, Transform)
        if part < 0:
            collider = esper.try_component(entity, COLLIDER_CLASSES[self.collider[proxy]])
        else:
            compound = esper.try_component(entity, CompoundCollider)
            collider = compound.parts[part] if compound is not None and part < len(compound) else None
        return (
            transform is not None
            and collider is not None
            and type(collider) is COLLIDER_CLASSES[self.collider[proxy]]
            and transform._row == self.transform_row[proxy]
            and collider._row == self.collider_row[proxy]
        )

    def successors_in(self, new: Proxies) -> NDArray[int64]:
        """For each proxy its index in ``new``, −1 where its transform or collider instance is not there any more."""
        successor = np.empty(len(self), int64)
        match_colliders(
            self.entity,
            self.collider,
            self.part,
            self.transform_row,
            self.collider_row,
            new.entity,
            new.collider,
            new.part,
            new.transform_row,
            new.collider_row,
            successor,
        )
        return successor
