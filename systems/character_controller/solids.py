"""The solid colliders of a world, placed where they are now, as movers see them."""

from __future__ import annotations

import numpy as np
from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.components.character.one_way import OneWay
from ecsphys.components.collision.colliders import COLLIDER_CLASSES, AABBCollider
from ecsphys.components.store.component_table import ComponentRows, rows_of
from ecsphys.engine.cast.shape_cast import cast_shapes
from ecsphys.engine.kernels.compilation import load_kernels
from ecsphys.systems.world.placed_colliders import PlacedColliders
from ecsphys.systems.world.proxies import Proxies
from ecsphys.systems.world.world_index import WorldIndex, rows_at


class Solids:
    """The colliders of all solid entities of an index, and those of the entities that have moved among them.

    ``proxies`` (n,) are the solid colliders, sorted by entity, and ``placed`` is where they were at the last
    :meth:`place`; ``angles`` (n,) how far they are turned, 0 for those that never turn. ``one_way_normals`` (n, 2) are
    unit vectors, NaN for what blocks from all sides; None where no entity is one-way.
    """

    __slots__ = ("_movers", "_one_way", "_turning", "index", "is_filtered", "one_way_normals", "placed", "proxies")

    def __init__(self, index: WorldIndex) -> None:
        self.index = index
        self.proxies = index.proxies.select(np.flatnonzero(np.isin(index.proxies.entity, index.solids)))
        self.is_filtered = bool((self.proxies.filter_row >= 0).any())
        self.placed = PlacedColliders()
        self.one_way_normals: NDArray[float64] | None = None
        self._turning = self.proxies.collider != COLLIDER_CLASSES.index(AABBCollider)
        self._one_way: tuple[ComponentRows, NDArray[np.intp], NDArray[int32]] | None = None
        self._movers: dict[int, tuple[Proxies, PlacedColliders]] = {}
        load_kernels((cast_shapes,))

    def place(self) -> None:
        """Place all of them where their transforms are now.

        ValueError where the normal of a one-way one is no direction.
        """
        # All, whatever is known of them: that costs 6 µs for 500, less than to find out who has moved.
        self.placed.place(self.proxies)
        table = rows_of(OneWay)
        if not len(table):
            self.one_way_normals = None
            return
        if self._one_way is None or self._one_way[0] is not table:
            found = rows_at(self.proxies.entity, table.entity, table.row)
            of_solids: NDArray[np.intp] = np.flatnonzero(found >= 0)
            self._one_way = (table, of_solids, found[of_solids])
        _, which, rows = self._one_way
        local = OneWay._columns.float64[:, rows]
        length = np.hypot(*local)
        bad = np.flatnonzero(~(np.isfinite(length) & (length > 0.0)))
        if bad.size:
            entity, normal = int(self.proxies.entity[which[bad[0]]]), tuple(local[:, bad[0]].tolist())
            raise ValueError(f"entity {entity}: the normal of a OneWay must be a direction, got {normal}")
        x, y = local / length
        angle = self.angles[which]
        cos, sin = np.cos(angle), np.sin(angle)
        self.one_way_normals = np.full((len(self.proxies), 2), np.nan)
        self.one_way_normals[which] = np.column_stack((cos * x - sin * y, sin * x + cos * y))

    @property
    def angles(self) -> NDArray[float64]:
        """How far each collider is turned with its entity."""
        return np.where(self._turning, self.placed.angles, 0.0)

    def mover(self, entity: int) -> tuple[Proxies, PlacedColliders] | None:
        """The colliders of any entity and the place for them; None where it has none, or no ``Transform``."""
        known = self._movers.get(entity)
        if known is None:
            first, end = np.searchsorted(self.index.proxies.entity, (entity, entity + 1)).tolist()
            if first == end:
                return None
            known = self._movers[entity] = (self.index.proxies.select(slice(first, end)), PlacedColliders())
        return known
