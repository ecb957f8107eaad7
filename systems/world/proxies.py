"""``Proxies``: all colliders of a world as arrays in the public order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy import int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.store.read_only import read_only

if TYPE_CHECKING:
    from ecsphys.systems.world.world_tables import WorldTables


class Proxies:
    """Every collider of an entity with a :class:`Transform` that is not disabled, by entity, class and part.

    Read-only arrays of equal length n as they were when asked for; ``physics.candidate_pairs`` are pairs of indices
    into them.

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
    """

    __slots__ = (
        "body",
        "collider",
        "collider_row",
        "entity",
        "filter_row",
        "part",
        "transform_row",
        "velocity_row",
    )

    def __init__(self, tables: WorldTables) -> None:
        slots, order = tables.colliders.slots, tables.colliders.order
        self.entity: NDArray[int64] = read_only(slots.entity[order])
        self.collider: NDArray[uint8] = read_only(slots.kind[order])
        self.part: NDArray[int32] = read_only(slots.part[order])
        self.body: NDArray[int64] = read_only(slots.body[order])
        self.transform_row: NDArray[int32] = read_only(slots.transform_row[order])
        self.collider_row: NDArray[int32] = read_only(slots.collider_row[order])
        self.velocity_row: NDArray[int32] = read_only(slots.velocity_row[order])
        self.filter_row: NDArray[int32] = read_only(slots.filter_row[order])

    def __len__(self) -> int:
        return int(self.entity.size)
