"""Questions to a world: what is here, what is near, what does a ray or a moving shape meet?"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import COLLIDER_CLASSES, Collider
from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.components.motion.transform import Transform
from ecsphys.engine.spatial.nearest import DISTANCE as NEAREST_DISTANCE
from ecsphys.engine.spatial.nearest import POINT as NEAREST_POINT
from ecsphys.engine.spatial.rays import DISTANCE, NORMAL, POINT
from ecsphys.engine.spatial.sweeps import FRACTION
from ecsphys.engine.spatial.sweeps import NORMAL as SWEEP_NORMAL
from ecsphys.engine.spatial.sweeps import POINT as SWEEP_POINT
from ecsphys.systems.settings import Vector, pair_of_numbers
from ecsphys.systems.spatial_query import query_arguments as given
from ecsphys.systems.spatial_query.filed_colliders import FiledColliders
from ecsphys.systems.spatial_query.query_results import (
    Nearest,
    NearestArrays,
    OverlapArrays,
    RayHit,
    RayHitArrays,
    ShapecastHit,
    ShapecastHitArrays,
)
from ecsphys.systems.spatial_query.query_shapes import place_boxes, place_collider, transform_row
from ecsphys.systems.spatial_query.search import Search
from ecsphys.systems.world.esper_world import dead_entities, refuse_other_world

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

Ignored = int | Iterable[int]
Numbers = Any


class Queries:
    """What can be asked of a world's colliders; see :class:`~ecsphys.Physics`, which has these methods.

    Everything is seen where it is now: between steps, while a game is paused, in a hit handler, in a processor, before
    the first step. Nothing of a later step is changed by asking. Entities marked dead and disabled ones are not seen.

    All take ``filter``, whose :class:`CollisionFilter` decides whom the query meets, as if it were an entity with it
    (None: in layer 1, meets all), and ``ignore``, an entity or several to be excluded.

    ValueError and TypeError name the argument that is bad; RuntimeError in another esper world than the one this
    physics belongs to. A batch takes an array-like with a row for each query, and costs far less than as many calls.
    """

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self.filed = FiledColliders(state)
        """The grids that are searched; also by what moves among solids."""

    def query_point(self, point: Vector, *, filter: CollisionFilter | None = None, ignore: Ignored = ()) -> list[int]:
        """The entities, ascending, that have ``point`` (x, y) inside a collider; on a boundary it is outside."""
        points = given.row("point", point)
        search = self._search(filter, ignore)
        return _entities(search.containing(points), search)

    def query_point_batch(
        self, points: Numbers, *, filter: CollisionFilter | None = None, ignore: Ignored = ()
    ) -> OverlapArrays:
        """:meth:`query_point` for points (n, 2)."""
        table = given.table("points", points, 2)
        search = self._search(filter, ignore)
        return OverlapArrays(*search.by_query_and_entity(search.containing(table)))

    def query_aabb(
        self, box_min: Vector, box_max: Vector, *, filter: CollisionFilter | None = None, ignore: Ignored = ()
    ) -> list[int]:
        """The entities, ascending, with a collider whose interior overlaps an axis-aligned box; not if it only touches.

        ValueError where ``box_min`` exceeds ``box_max``.
        """
        low, high = pair_of_numbers("box_min", box_min), pair_of_numbers("box_max", box_max)
        if low[0] > high[0] or low[1] > high[1]:
            raise ValueError(f"box_min must not exceed box_max, got {box_min!r} and {box_max!r}")
        search = self._search(filter, ignore)
        return _entities(search.overlapping(place_boxes(np.array(((*low, *high),)))), search)

    def query_aabb_batch(
        self, boxes: Numbers, *, filter: CollisionFilter | None = None, ignore: Ignored = ()
    ) -> OverlapArrays:
        """:meth:`query_aabb` for boxes (n, 4): min_x, min_y, max_x, max_y."""
        table = given.table("boxes", boxes, 4)
        wrong = (table[:, :2] > table[:, 2:]).any(axis=1)
        if wrong.any():
            bad = int(np.argmax(wrong))
            raise ValueError(f"boxes[{bad}] has a min that exceeds its max: {table[bad].tolist()}")
        search = self._search(filter, ignore)
        return OverlapArrays(*search.by_query_and_entity(search.overlapping(place_boxes(table))))

    def query_shape(
        self,
        collider: Collider,
        transform: Transform,
        *,
        filter: CollisionFilter | None = None,
        ignore: Ignored = (),
    ) -> list[int]:
        """The entities, ascending, with a collider that ``collider`` would hit, placed by ``transform``."""
        shapes = place_collider(collider, transform_row(transform))
        search = self._search(filter, ignore)
        return _entities(search.overlapping(shapes), search)

    def query_shape_batch(
        self, collider: Collider, transforms: Numbers, *, filter: CollisionFilter | None = None, ignore: Ignored = ()
    ) -> OverlapArrays:
        """:meth:`query_shape` for one collider at many ``transforms`` (n, 3): x, y, angle."""
        shapes = place_collider(collider, given.table("transforms", transforms, 3))
        search = self._search(filter, ignore)
        return OverlapArrays(*search.by_query_and_entity(search.overlapping(shapes)))

    def nearest(
        self,
        point: Vector,
        k: int = 1,
        *,
        max_distance: float = math.inf,
        filter: CollisionFilter | None = None,
        ignore: Ignored = (),
    ) -> list[Nearest]:
        """The ``k`` entities nearest to a point, by their nearest collider; fewer if there are no more in reach.

        Sorted by distance, then by entity; the distance is 0 inside a collider. ``max_distance`` counts as in reach.
        """
        found = self._nearest(given.row("point", point), k, max_distance, filter, ignore)
        return [
            Nearest(entity, COLLIDER_CLASSES[kind], _part(part), distance, (x, y))
            for entity, kind, part, distance, (x, y) in zip(
                found.entity.tolist(),
                found.collider.tolist(),
                found.part.tolist(),
                found.distance.tolist(),
                found.point.tolist(),
                strict=True,
            )
        ]

    def nearest_batch(
        self,
        points: Numbers,
        k: int = 1,
        *,
        max_distance: float = math.inf,
        filter: CollisionFilter | None = None,
        ignore: Ignored = (),
    ) -> NearestArrays:
        """:meth:`nearest` for points (n, 2)."""
        return self._nearest(given.table("points", points, 2), k, max_distance, filter, ignore)

    def _nearest(
        self,
        points: NDArray[np.float64],
        k: int,
        max_distance: float,
        filter: CollisionFilter | None,
        ignore: Ignored,
    ) -> NearestArrays:
        wanted, reach = given.count("k", k), given.distance("max_distance", max_distance)
        search = self._search(filter, ignore)
        counts, slots, found = search.nearest(points, wanted, reach)
        there = np.arange(slots.shape[1]) < counts[:, None]
        query = np.repeat(np.arange(len(points)), counts)
        rows = found[there]
        columns = self.filed.describe(slots[there])
        return NearestArrays(query, *columns, rows[:, NEAREST_DISTANCE], rows[:, NEAREST_POINT : NEAREST_POINT + 2])

    def raycast(
        self,
        origin: Vector,
        direction: Vector,
        max_distance: float = math.inf,
        *,
        filter: CollisionFilter | None = None,
        ignore: Ignored = (),
    ) -> RayHit | None:
        """The first collider that a ray enters, or None.

        As for ``ecsphys.geometry.raycast``: the direction need not be normalised and must not be (0, 0), touching is no
        hit, a ray that starts inside hits at distance 0 with normal (0, 0). Of several at one distance it is the one of
        the lowest entity, then of the first collider class in ``COLLIDER_CLASSES``, then of the lowest part.
        """
        ray = _ray(origin, direction, max_distance)
        search = self._search(filter, ignore)
        slots, hits = search.first_on_rays(*ray)
        slot = int(slots[0])
        return None if slot < 0 else self._ray_hit(slot, hits[0].tolist())

    def raycast_all(
        self,
        origin: Vector,
        direction: Vector,
        max_distance: float = math.inf,
        *,
        filter: CollisionFilter | None = None,
        ignore: Ignored = (),
    ) -> list[RayHit]:
        """Every collider that a ray enters, sorted by distance, then as :meth:`raycast` chooses."""
        ray = _ray(origin, direction, max_distance)
        search = self._search(filter, ignore)
        pairs, hits = search.all_on_rays(*ray)
        return [self._ray_hit(slot, hit) for slot, hit in zip(pairs[:, 1].tolist(), hits.tolist(), strict=True)]

    def raycast_batch(
        self,
        origins: Numbers,
        directions: Numbers,
        max_distance: Numbers = math.inf,
        *,
        filter: CollisionFilter | None = None,
        ignore: Ignored = (),
    ) -> RayHitArrays:
        """:meth:`raycast` for rays of ``origins`` and ``directions`` (n, 2); ``max_distance`` is a number or (n,)."""
        starts, ways, reach = _rays(origins, directions, max_distance)
        search = self._search(filter, ignore)
        slots, hits = search.first_on_rays(starts, ways, reach)
        # What is left of its reach where a ray hit nothing is all of it.
        hits[:, DISTANCE] = reach
        return self._ray_arrays(np.arange(len(starts)), slots, hits)

    def raycast_all_batch(
        self,
        origins: Numbers,
        directions: Numbers,
        max_distance: Numbers = math.inf,
        *,
        filter: CollisionFilter | None = None,
        ignore: Ignored = (),
    ) -> RayHitArrays:
        """:meth:`raycast_all` for rays as in :meth:`raycast_batch`; a row for each hit, sorted by ray first."""
        rays = _rays(origins, directions, max_distance)
        search = self._search(filter, ignore)
        pairs, hits = search.all_on_rays(*rays)
        return self._ray_arrays(pairs[:, 0].astype(np.int64), pairs[:, 1], hits)

    def shapecast(
        self,
        collider: Collider,
        transform: Transform,
        displacement: Vector,
        *,
        filter: CollisionFilter | None = None,
        ignore: Ignored = (),
    ) -> ShapecastHit | None:
        """The first collider that ``collider`` meets, moved from ``transform`` by ``displacement`` without turning.

        What overlaps at the start is met at fraction 0 (see :class:`ShapecastHit`), what only touches there if the
        displacement leads into it. With a displacement of (0, 0) only what overlaps is met. Of several at one fraction
        it is the one :meth:`raycast` would choose.
        """
        way = given.row("displacement", displacement)
        shapes = place_collider(collider, transform_row(transform))
        search = self._search(filter, ignore)
        slots, impacts = search.first_on_sweeps(shapes, way)
        slot = int(slots[0])
        if slot < 0:
            return None
        fraction, x, y, normal_x, normal_y = impacts[0].tolist()
        return ShapecastHit(*self._describe(slot), fraction, (x, y), (normal_x, normal_y))

    def shapecast_batch(
        self,
        collider: Collider,
        transforms: Numbers,
        displacements: Numbers,
        *,
        filter: CollisionFilter | None = None,
        ignore: Ignored = (),
    ) -> ShapecastHitArrays:
        """:meth:`shapecast` for one collider from many ``transforms`` (n, 3): x, y, angle, by displacements (n, 2)."""
        table = given.table("transforms", transforms, 3)
        ways = given.same_length("displacements", given.table("displacements", displacements, 2), len(table))
        shapes = place_collider(collider, table)
        search = self._search(filter, ignore)
        slots, impacts = search.first_on_sweeps(shapes, ways)
        missed = slots < 0
        impacts[missed] = np.nan
        impacts[missed, FRACTION] = 1.0
        return ShapecastHitArrays(
            *self.filed.describe(slots),
            impacts[:, FRACTION],
            impacts[:, SWEEP_POINT : SWEEP_POINT + 2],
            impacts[:, SWEEP_NORMAL : SWEEP_NORMAL + 2],
        )

    def _search(self, filter: CollisionFilter | None, ignore: Ignored) -> Search:
        state = self._state
        refuse_other_world(state.world)
        filter_row = given.filter_row(filter)
        excluded = given.excluded(ignore, dead_entities())
        self.filed.look()
        return Search(self.filed, state.tables.colliders, filter_row, excluded)

    def _ray_hit(self, slot: int, hit: list[float]) -> RayHit:
        distance, x, y, normal_x, normal_y = hit
        return RayHit(distance, (x, y), (normal_x, normal_y), *self._describe(slot))

    def _describe(self, slot: int) -> tuple[int, type[Collider], int | None]:
        slots = self._state.tables.colliders.slots
        return int(slots.entity[slot]), COLLIDER_CLASSES[slots.kind[slot]], _part(int(slots.part[slot]))

    def _ray_arrays(
        self, query: NDArray[np.int64], slots: NDArray[np.int32], hits: NDArray[np.float64]
    ) -> RayHitArrays:
        return RayHitArrays(
            query,
            *self.filed.describe(slots),
            hits[:, DISTANCE],
            hits[:, POINT : POINT + 2],
            hits[:, NORMAL : NORMAL + 2],
        )


def _part(number: int) -> int | None:
    """The number of a part as single results have it."""
    return None if number < 0 else number


def _entities(pairs: NDArray[np.int32], search: Search) -> list[int]:
    entities: list[int] = search.by_query_and_entity(pairs)[1].tolist()
    return entities


def _ray(
    origin: Vector, direction: Vector, max_distance: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    start, way = given.row("origin", origin), given.direction_row(direction)
    return start, way, np.array((given.distance("max_distance", max_distance),))


def _rays(
    origins: Numbers, directions: Numbers, max_distance: Numbers
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    starts = given.table("origins", origins, 2)
    ways = given.directions_table(directions, len(starts))
    return starts, ways, given.distances("max_distance", max_distance, len(starts))
