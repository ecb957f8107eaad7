"""``ColliderArrays``: all colliders of a world as arrays in the public order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy import float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.store.column_store import read_only

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.world.collider_table import ColliderTable


class ColliderArrays:
    """Every collider of an entity with a :class:`Transform` that is not disabled, by entity, class and part.

    Each attribute is a new read-only array of the world as it is now; ``len`` is the number of colliders.
    ``physics.debug.candidate_pairs`` are pairs of indices into these arrays.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> ball = esper.create_entity(Transform(3, 0), CircleCollider(1))
    >>> physics.debug.colliders.boxes.round(6)
    array([[ 2., -1.,  4.,  1.]])
    """

    __slots__ = ("_state",)

    def __init__(self, state: PhysicsState) -> None:
        self._state = state

    def __len__(self) -> int:
        return len(self._table())

    def __repr__(self) -> str:
        return f"<{len(self)} colliders>"

    @property
    def entity(self) -> NDArray[int64]:
        """(n,) int64, the esper entity."""
        table = self._table()
        return read_only(table.slots.entity[table.order])

    @property
    def collider(self) -> NDArray[uint8]:
        """(n,) uint8, index of the collider's class in ``COLLIDER_CLASSES``."""
        table = self._table()
        return read_only(table.slots.kind[table.order])

    @property
    def part(self) -> NDArray[int32]:
        """(n,) int32, the collider's number in the entity's compound or chain, −1 for one on its own."""
        table = self._table()
        return read_only(table.slots.part[table.order])

    @property
    def body(self) -> NDArray[int64]:
        """(n,) int64, number of the entity in the order of entities: equal for colliders of one entity."""
        table = self._table()
        return read_only(table.slots.body[table.order].astype(int64))

    @property
    def transform_row(self) -> NDArray[int32]:
        """(n,) int32, row in the blocks of Transform."""
        table = self._table()
        return read_only(table.slots.transform_row[table.order])

    @property
    def collider_row(self) -> NDArray[int32]:
        """(n,) int32, row in the blocks of the collider's class."""
        table = self._table()
        return read_only(table.slots.collider_row[table.order])

    @property
    def velocity_row(self) -> NDArray[int32]:
        """(n,) int32, row in the blocks of Velocity, −1 without one."""
        table = self._table()
        return read_only(table.slots.velocity_row[table.order])

    @property
    def filter_row(self) -> NDArray[int32]:
        """(n,) int32, row in the blocks of CollisionFilter, −1 without one."""
        table = self._table()
        return read_only(table.slots.filter_row[table.order])

    @property
    def boxes(self) -> NDArray[float64]:
        """(n, 4) float64, bounding boxes where the colliders are now: min_x, min_y, max_x, max_y."""
        table = self._table()
        self._state.place()
        return read_only(table.placed.boxes[table.order])

    def _table(self) -> ColliderTable:
        self._state.update()
        return self._state.tables.colliders
