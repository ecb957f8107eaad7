"""One question to a searched world: whom it may meet, and the kernels that answer it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.components.collision.vertex_pool import VERTEX_POOL
from ecsphys.engine.broadphase.overlaps import find_overlaps_in_grid
from ecsphys.engine.broadphase.pair_table import PairTable, TooManyPairsError, is_too_many
from ecsphys.engine.contact.contact import CONTACT_COLUMNS, find_contacts
from ecsphys.engine.point.point_queries import keep_containing
from ecsphys.engine.spatial.nearest import NEAREST_COLUMNS, find_nearest
from ecsphys.engine.spatial.query_filter import sieve_pairs
from ecsphys.engine.spatial.rays import DISTANCE, RAY_COLUMNS, cast_rays
from ecsphys.engine.spatial.sweeps import FRACTION, SWEEP_COLUMNS, sweep_shapes
from ecsphys.systems.spatial_query.query_shapes import QueryShapes
from ecsphys.systems.spatial_query.searched_world import SearchedWorld
from ecsphys.systems.spatial_query.shared_work import share
from ecsphys.systems.world.crowds import queries_error, rays_error

_FIRST_CAPACITY = 256
_NO_ROWS: NDArray[int32] = np.zeros(0, int32)

# With fewer rays than these, handing them to another core takes longer than casting them.
_RAYS_AT_LEAST = 1024


class Search:
    """A query of a world that was just looked at.

    Parameters
    ----------
    world
        The world as it is now.
    filter_row
        Row of the query's ``CollisionFilter``, −1 for none.
    passed_over
        The entities, ascending, that it does not see.
    """

    __slots__ = ("_filter_row", "_passed_over", "world")

    def __init__(self, world: SearchedWorld, filter_row: int, passed_over: NDArray[int64]) -> None:
        self.world = world
        self._filter_row = filter_row
        self._passed_over = passed_over

    def first_on_rays(
        self, origins: NDArray[float64], directions: NDArray[float64], reach: NDArray[float64]
    ) -> tuple[NDArray[int32], NDArray[float64]]:
        """For each ray (n,) the proxy that it meets first, −1 for none, and its hit (n, 5), NaN for none.

        ``reach`` (n,), how far they go, is overwritten by the distance of the hit.
        """
        self.world.load(cast_rays)
        pairs = np.full((len(origins), 2), -1, int32)
        hits = np.full((len(origins), RAY_COLUMNS), np.nan)
        grids = self._common()

        def cast(rows: slice) -> None:
            rays = (origins[rows], directions[rows], reach[rows])
            for common in grids:
                cast_rays(*(*common, *rays, False, 0, pairs[rows], hits[rows]))

        share(cast, len(origins), _RAYS_AT_LEAST)
        return pairs[:, 1], hits

    def all_on_rays(
        self, origins: NDArray[float64], directions: NDArray[float64], reach: NDArray[float64]
    ) -> tuple[NDArray[int32], NDArray[float64]]:
        """Pairs (m, 2) of ray and proxy, and their hits (m, 5), sorted by ray, distance and proxy."""
        self.world.load(cast_rays)
        capacity = _FIRST_CAPACITY
        while True:
            pairs, hits = np.empty((capacity, 2), int32), np.empty((capacity, RAY_COLUMNS))
            found = 0
            for common in self._common():
                found = cast_rays(*(*common, origins, directions, reach, True, found, pairs, hits))
            if is_too_many(found):
                raise rays_error(len(origins))
            if found <= capacity:
                break
            capacity = found
        pairs, hits = pairs[:found], hits[:found]
        order = np.lexsort((pairs[:, 1], hits[:, DISTANCE], pairs[:, 0]))
        return pairs[order], hits[order]

    def nearest(
        self, points: NDArray[float64], wanted: int, max_distance: float
    ) -> tuple[NDArray[int64], NDArray[int32], NDArray[float64]]:
        """For each point how many entities (n,) were found, their proxies (n, k) and distances and points (n, k, 3)."""
        self.world.load(find_nearest)
        wanted = min(wanted, max(len(self.world.proxies), 1))
        counts = np.zeros(len(points), int64)
        proxies = np.full((len(points), wanted), -1, int32)
        found = np.empty((len(points), wanted, NEAREST_COLUMNS))
        for common in self._common():
            find_nearest(*(*common, points, max_distance, counts, proxies, found))
        return counts, proxies, found

    def containing(self, points: NDArray[float64]) -> NDArray[int32]:
        """Pairs (m, 2) of a point and a proxy that contains it, in no order."""
        self.world.load(keep_containing)
        pairs = self._overlapping(np.hstack((points, points)))
        placed = self.world.placed
        kept = keep_containing(pairs, placed.forms, placed.positions, placed.shapes, VERTEX_POOL.data, points)
        return pairs[:kept]

    def overlapping(self, shapes: QueryShapes) -> NDArray[int32]:
        """Pairs (m, 2) of a query's shape and a proxy whose interiors overlap, in no order."""
        pairs = self._overlapping(shapes.boxes)
        if not len(pairs):
            return pairs
        # Contacts are found among shapes in one array: here the queries', then the other side of each pair.
        placed, others, count = self.world.placed, pairs[:, 1], len(shapes.forms)
        together = np.empty((len(pairs), 2), int32)
        together[:, 0] = pairs[:, 0]
        together[:, 1] = np.arange(count, count + len(pairs))
        touching = np.empty((len(pairs), 2), int32)
        found = find_contacts(
            together,
            np.concatenate((shapes.forms, placed.forms[others])),
            np.concatenate((shapes.positions, placed.positions[others])),
            np.concatenate((shapes.shapes, placed.shapes[others])),
            VERTEX_POOL.data,
            touching,
            np.empty((len(pairs), CONTACT_COLUMNS)),
        )
        return pairs[touching[:found, 1] - count]

    def first_on_sweeps(
        self, shapes: QueryShapes, displacements: NDArray[float64]
    ) -> tuple[NDArray[int32], NDArray[float64]]:
        """For each moving shape (n,) the proxy that it meets first, −1 for none, and the impact (n, 5)."""
        self.world.load(sweep_shapes)
        count = len(displacements)
        proxies = np.full(count, -1, int32)
        impacts = np.empty((count, SWEEP_COLUMNS))
        impacts[:, FRACTION] = np.inf
        movers = (shapes.forms, shapes.positions, shapes.shapes, shapes.boxes, displacements)
        table = PairTable()
        for common in self._common():

            def sweep(pairs: NDArray[int32], common: Any = common) -> int:
                return sweep_shapes(*(*common, self.world.placed.boxes, *movers, pairs, proxies, impacts))

            table.fill(sweep)
        return proxies, impacts

    def _common(self) -> list[Any]:
        """For each grid what all kernels take first: the grid, placed shapes, and whom the query meets."""
        placed = self.world.placed
        shapes = (placed.forms, placed.positions, placed.shapes, VERTEX_POOL.data)
        return [(*grid.arrays, *shapes, *self._sieve(left)) for grid, left in self.world.grids]

    def _sieve(self, left: NDArray[uint8]) -> Any:
        """What ``is_met`` takes; ``left`` marks those that have left a grid."""
        proxies, filters = self.world.proxies, CollisionFilter._columns
        return (
            proxies.entity,
            proxies.filter_row if proxies.is_filtered else _NO_ROWS,
            filters.uint32,
            filters.int64,
            self._filter_row,
            self._passed_over,
            left,
        )

    def _overlapping(self, boxes: NDArray[float64]) -> NDArray[int32]:
        """Pairs (m, 2) of a box and a proxy whose box it overlaps or touches."""
        self.world.load(find_overlaps_in_grid)
        self.world.load(sieve_pairs)
        found = []
        for grid, left in self.world.grids:
            try:
                pairs = grid.find_overlaps(boxes)
            except TooManyPairsError:
                raise queries_error(boxes, self.world.placed.boxes) from None
            kept = np.empty((len(pairs), 2), int32)
            found.append(kept[: sieve_pairs(*(pairs, *self._sieve(left), kept))])
        return found[0] if len(found) == 1 else np.concatenate(found)


def by_query_and_entity(pairs: NDArray[int32], world: SearchedWorld) -> tuple[NDArray[int64], NDArray[int64]]:
    """Query and entity (m,) of pairs of a query and a proxy, sorted by both, each once."""
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    query = pairs[order, 0].astype(int64)
    entity = world.proxies.entity[pairs[order, 1]]
    # Proxies are in the order of their entities.
    new: NDArray[bool_] = np.ones(len(order), bool_)
    new[1:] = (query[1:] != query[:-1]) | (entity[1:] != entity[:-1])
    return query[new], entity[new]
