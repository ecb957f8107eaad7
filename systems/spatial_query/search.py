"""One question to the filed colliders: what it may meet, and the kernels that answer it."""

from __future__ import annotations

import numpy as np
from numpy import bool_, float64, int32, int64
from numpy.typing import NDArray

from ecsphys.components.collision.collider_blocks import shape_arrays
from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.components.collision.vertex_pool import VERTEX_POOL
from ecsphys.engine.broadphase.overlaps import find_overlaps_in_grid
from ecsphys.engine.broadphase.pair_table import PairTable, TooManyPairsError, is_too_many
from ecsphys.engine.contact.contact import CONTACT_COLUMNS, POINT_COLUMNS, ContactRows, find_contacts
from ecsphys.engine.contacts.contact_filter import FilterBlocks
from ecsphys.engine.point.point_queries import keep_containing
from ecsphys.engine.shapes.layout import ShapeArrays
from ecsphys.engine.spatial.nearest import NEAREST_COLUMNS, find_nearest
from ecsphys.engine.spatial.query_filter import QueryFilter, filter_found
from ecsphys.engine.spatial.rays import DISTANCE, RAY_COLUMNS, Rays, cast_rays
from ecsphys.engine.spatial.search_grid import SearchArrays
from ecsphys.engine.spatial.sweeps import FRACTION, SWEEP_COLUMNS, Movers, sweep_shapes
from ecsphys.systems.spatial_query.filed_colliders import FiledColliders
from ecsphys.systems.spatial_query.query_shapes import QueryShapes
from ecsphys.systems.spatial_query.shared_work import share
from ecsphys.systems.world.collider_table import ColliderTable
from ecsphys.systems.world.crowds import queries_error, rays_error

# What kernels take first: a grid, placed shapes, and what the query meets.
_Common = tuple[SearchArrays, ShapeArrays, QueryFilter]

_FIRST_CAPACITY = 256

# With fewer rays than these, handing them to another core takes longer than casting them.
_RAYS_AT_LEAST = 1024


class Search:
    """A query of colliders that were just looked at.

    Parameters
    ----------
    filed
        The grids they are in.
    colliders
        The colliders themselves.
    filter_row
        Row of the query's ``CollisionFilter``, −1 for none.
    excluded
        The entities, ascending, that it does not see.
    """

    __slots__ = ("_colliders", "_excluded", "_filter_row", "filed")

    def __init__(
        self, filed: FiledColliders, colliders: ColliderTable, filter_row: int, excluded: NDArray[int64]
    ) -> None:
        self.filed = filed
        self._colliders = colliders
        self._filter_row = filter_row
        self._excluded = excluded

    def first_on_rays(
        self, origins: NDArray[float64], directions: NDArray[float64], reach: NDArray[float64]
    ) -> tuple[NDArray[int32], NDArray[float64]]:
        """For each ray (n,) the slot that it meets first, −1 for none, and its hit (n, 5), NaN for none.

        ``reach`` (n,), how far they go, is overwritten by the distance of the hit.
        """
        self.filed.load(cast_rays)
        pairs = np.full((len(origins), 2), -1, int32)
        hits = np.full((len(origins), RAY_COLUMNS), np.nan)
        grids = self._common()

        def cast(rows: slice) -> None:
            rays = Rays(origins[rows], directions[rows], reach[rows])
            for common in grids:
                cast_rays(*common, rays, False, 0, pairs[rows], hits[rows])

        share(cast, len(origins), _RAYS_AT_LEAST)
        return pairs[:, 1], hits

    def all_on_rays(
        self, origins: NDArray[float64], directions: NDArray[float64], reach: NDArray[float64]
    ) -> tuple[NDArray[int32], NDArray[float64]]:
        """Pairs (m, 2) of ray and slot, and their hits (m, 5), sorted by ray, distance and slot."""
        self.filed.load(cast_rays)
        capacity = _FIRST_CAPACITY
        while True:
            pairs, hits = np.empty((capacity, 2), int32), np.empty((capacity, RAY_COLUMNS))
            found = 0
            for common in self._common():
                found = cast_rays(*common, Rays(origins, directions, reach), True, found, pairs, hits)
            if is_too_many(found):
                raise rays_error(len(origins))
            if found <= capacity:
                break
            capacity = found
        pairs, hits = pairs[:found], hits[:found]
        rank = self._colliders.slots.rank
        order = np.lexsort((rank[pairs[:, 1]], hits[:, DISTANCE], pairs[:, 0]))
        return pairs[order], hits[order]

    def nearest(
        self, points: NDArray[float64], wanted: int, max_distance: float
    ) -> tuple[NDArray[int64], NDArray[int32], NDArray[float64]]:
        """For each point how many entities (n,) were found, their slots (n, k) and distances and points (n, k, 3)."""
        self.filed.load(find_nearest)
        wanted = min(wanted, max(len(self._colliders), 1))
        counts = np.zeros(len(points), int64)
        slots = np.full((len(points), wanted), -1, int32)
        found = np.empty((len(points), wanted, NEAREST_COLUMNS))
        for common in self._common():
            find_nearest(*common, points, max_distance, counts, slots, found)
        return counts, slots, found

    def containing(self, points: NDArray[float64]) -> NDArray[int32]:
        """Pairs (m, 2) of a point and a slot that contains it, in no order."""
        self.filed.load(keep_containing)
        pairs = self._overlapping(np.hstack((points, points)))
        kept = keep_containing(pairs, shape_arrays(self._colliders.placed), points)
        return pairs[:kept]

    def overlapping(self, shapes: QueryShapes) -> NDArray[int32]:
        """Pairs (m, 2) of a query's shape and a slot whose interiors overlap, in no order."""
        pairs = self._overlapping(shapes.boxes)
        if not len(pairs):
            return pairs
        # Contacts are found among shapes in one array: here the queries', then the other side of each pair.
        placed, others, count = self._colliders.placed, pairs[:, 1], len(shapes.forms)
        together = np.empty((len(pairs), 2), int32)
        together[:, 0] = pairs[:, 0]
        together[:, 1] = np.arange(count, count + len(pairs))
        touching = ContactRows(
            np.empty((len(pairs), 2), int32), np.empty((len(pairs), CONTACT_COLUMNS)), np.empty((0, POINT_COLUMNS))
        )
        found = find_contacts(
            together,
            ShapeArrays(
                np.concatenate((shapes.forms, placed.forms[others])),
                np.concatenate((shapes.positions, placed.positions[others])),
                np.concatenate((shapes.shapes, placed.shapes[others])),
                VERTEX_POOL.data,
            ),
            0.0,
            touching,
        )
        return pairs[touching.pairs[:found, 1] - count]

    def first_on_sweeps(
        self, shapes: QueryShapes, displacements: NDArray[float64]
    ) -> tuple[NDArray[int32], NDArray[float64]]:
        """For each moving shape (n,) the slot that it meets first, −1 for none, and the impact (n, 5)."""
        self.filed.load(sweep_shapes)
        count = len(displacements)
        slots = np.full(count, -1, int32)
        impacts = np.empty((count, SWEEP_COLUMNS))
        impacts[:, FRACTION] = np.inf
        placed = ShapeArrays(shapes.forms, shapes.positions, shapes.shapes, VERTEX_POOL.data)
        movers = Movers(placed, shapes.boxes, displacements)
        table = PairTable()
        for common in self._common():

            def sweep(pairs: NDArray[int32], common: _Common = common) -> int:
                return sweep_shapes(*common, self._colliders.placed.boxes, movers, pairs, slots, impacts)

            table.fill(sweep)
        return slots, impacts

    def _common(self) -> list[_Common]:
        """For each grid what all kernels take first: the grid, placed shapes, and what the query meets."""
        shapes = shape_arrays(self._colliders.placed)
        filled = ((grid, number) for grid, number in self.filed.grids if len(grid.arrays.layers))
        return [(grid.arrays, shapes, self._filter(number)) for grid, number in filled]

    def _filter(self, grid: int) -> QueryFilter:
        """What the query meets in a grid, by the grid's number."""
        filters = CollisionFilter._columns
        return QueryFilter(
            self._colliders.slots,
            self._colliders.placed.filed,
            grid,
            FilterBlocks(filters.uint32, filters.int64),
            self._filter_row,
            self._excluded,
        )

    def _overlapping(self, boxes: NDArray[float64]) -> NDArray[int32]:
        """Pairs (m, 2) of a box and a slot whose box it overlaps or touches."""
        self.filed.load(find_overlaps_in_grid)
        self.filed.load(filter_found)
        found = []
        for grid, number in self.filed.grids:
            try:
                pairs = grid.find_overlaps(boxes)
            except TooManyPairsError:
                raise queries_error(boxes, self._colliders.placed.boxes) from None
            kept = np.empty((len(pairs), 2), int32)
            found.append(kept[: filter_found(pairs, self._filter(number), kept)])
        if len(found) == 1:
            return found[0]
        return np.concatenate(found) if found else np.zeros((0, 2), int32)

    def by_query_and_entity(self, pairs: NDArray[int32]) -> tuple[NDArray[int64], NDArray[int64]]:
        """Query and entity (m,) of pairs of a query and a slot, sorted by both, each once."""
        entity = self._colliders.slots.entity[pairs[:, 1]]
        order = np.lexsort((entity, pairs[:, 0]))
        query, entity = pairs[order, 0].astype(int64), entity[order]
        new: NDArray[bool_] = np.ones(len(order), bool_)
        new[1:] = (query[1:] != query[:-1]) | (entity[1:] != entity[:-1])
        return query[new], entity[new]
