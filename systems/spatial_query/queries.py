"""Queries of a world: entities at a point, near a point, in a box, and on the way of a ray or a moving shape."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeVar

import esper
import numpy as np
from numpy import uint8

from ecsphys.components.collision.colliders import Collider
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.column import number_pair
from ecsphys.engine.broadphase.pairs import PairTable
from ecsphys.engine.shapes.layout import BOX
from ecsphys.engine.spatial.nearest import NearPoints, find_nearest
from ecsphys.engine.spatial.rays import Movers, cast_rays, sweep_shapes
from ecsphys.engine.spatial.searched_world import ANY, FOUND, Scope
from ecsphys.engine.threads.shared_work import part_count, share, slices
from ecsphys.systems.arguments import Spares, Vector
from ecsphys.systems.spatial_query import query_arguments as given
from ecsphys.systems.spatial_query import query_results as results
from ecsphys.systems.spatial_query import search
from ecsphys.systems.spatial_query.query_arguments import Filter, Ignored
from ecsphys.systems.spatial_query.search import FiledColliders
from ecsphys.systems.world.esper_world import refuse_other_world

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

Numbers = Any
Row = TypeVar("Row", search.PointRow, search.ShapeRow)

# With fewer rays than these, handing them to another core takes longer than casting them.
_RAYS_AT_LEAST = 1024

# The work of a NamedTuple's constructor, in half the time.
_new = tuple.__new__


class Queries:
    """The queries of :class:`~ecsphys.Physics`, which has these methods.

    A query finds entities in their present positions: between steps, while a game is paused, in a hit handler, in a
    processor, before the first step. It does not change later steps. It does not find disabled or deleted entities.

    All take these arguments:

    - ``filter``: a layer, or several: the query finds entities in these layers. Or a :class:`~ecsphys.CollisionFilter`:
      only its mask and group are used. None finds all.
    - ``mutual``: True uses the masks of the entities too. The query then finds all entities that an entity with the
      filter could hit (None: an entity in layer 1). In both cases, a shared group other than 0 decides by its sign.
    - ``ignore``: an entity, or several, to leave out.

    Raises ValueError or TypeError naming a bad argument, and RuntimeError in another esper world. A batch takes an
    array-like with a row for each query, and is much faster than as many calls.
    """

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        # The grids that are searched; Movers searches them too.
        self._filed = FiledColliders(state)
        # The filter of a query without one.
        self._whole: Scope | None = None
        self._batches = search.BatchRoom()
        self._rays = Spares(search.RayRow)
        self._points = Spares(search.PointRow)
        self._nearest = Spares(search.NearestRow)
        self._shapes = Spares(search.ShapeRow)
        self._casts = Spares(search.CastRow)

    def query_point(
        self, point: Vector, *, filter: Filter = None, ignore: Ignored = (), mutual: bool = False
    ) -> list[int]:
        """The entities, ascending, with ``point`` (x, y) inside a collider. A point on the boundary is outside.

        Examples
        --------
        >>> physics = ecsphys.install()
        >>> button = esper.create_entity(Transform(3, 4), AABBCollider(1, 0.5))
        >>> physics.query_point((3.2, 4.1)) == [button]
        True
        """
        x, y = number_pair("point", point)
        scope = self._scope(filter, ignore, mutual)
        row = self._points.take()
        row.ask(x, y)
        return _listed(self._points, row, scope)

    def query_point_batch(
        self, points: Numbers, *, filter: Filter = None, ignore: Ignored = (), mutual: bool = False
    ) -> results.OverlapArrays:
        """:meth:`query_point` for points (n, 2).

        Examples
        --------
        >>> found = physics.query_point_batch([(0, 0), (3, 4)])
        >>> found.entity[found.query == 1].tolist()
        []
        """
        table = given.table("points", points, 2)
        return _arrays(search.PointRow(table), self._scope(filter, ignore, mutual, len(table)))

    def query_aabb(
        self, box_min: Vector, box_max: Vector, *, filter: Filter = None, ignore: Ignored = (), mutual: bool = False
    ) -> list[int]:
        """The entities, ascending, with a collider whose interior overlaps an axis-aligned box; touching is not enough.

        ``box_min`` and ``box_max``: lower left and upper right corner (x, y). Raises ValueError if ``box_min`` exceeds
        ``box_max``.

        Examples
        --------
        >>> selected = physics.query_aabb((0, 0), (10, 5))
        """
        low, high = number_pair("box_min", box_min), number_pair("box_max", box_max)
        if low[0] > high[0] or low[1] > high[1]:
            raise ValueError(f"box_min must not exceed box_max, got {box_min!r} and {box_max!r}")
        scope = self._scope(filter, ignore, mutual)
        row = self._shapes.take()
        row.loose.forms[0] = BOX
        # As in place_boxes.
        (x, y), (right, top) = low, high
        low_x, low_y, high_x, high_y = 0.5 * x, 0.5 * y, 0.5 * right, 0.5 * top
        half_x, half_y = high_x - low_x, high_y - low_y
        row.ask_box(
            low_x + high_x, low_y + high_y, 0.0, 0.0, 1.0, 0.0, half_x, half_y, 0.0, half_x + half_y, x, y, right, top
        )
        return _listed(self._shapes, row, scope)

    def query_aabb_batch(
        self, boxes: Numbers, *, filter: Filter = None, ignore: Ignored = (), mutual: bool = False
    ) -> results.OverlapArrays:
        """:meth:`query_aabb` for boxes (n, 4): min_x, min_y, max_x, max_y."""
        table = given.table("boxes", boxes, 4)
        wrong = (table[:, :2] > table[:, 2:]).any(axis=1)
        if wrong.any():
            bad = int(np.argmax(wrong))
            raise ValueError(f"boxes[{bad}]: min must not exceed max, got {table[bad].tolist()}")
        rows = search.ShapeRow(given.place_boxes(table))
        return _arrays(rows, self._scope(filter, ignore, mutual, len(table)))

    def query_shape(
        self,
        collider: Collider,
        transform: Transform,
        *,
        filter: Filter = None,
        ignore: Ignored = (),
        mutual: bool = False,
    ) -> list[int]:
        """The entities, ascending, with a collider that ``collider`` would hit if it were at ``transform``.

        You need no entity for ``collider`` and ``transform``.

        Examples
        --------
        >>> blast = physics.query_shape(CircleCollider(3), Transform(2, 2))
        """
        row = self._shapes.take()
        given.place(row.loose, collider, transform)
        return _listed(self._shapes, row, self._scope(filter, ignore, mutual))

    def query_shape_batch(
        self,
        collider: Collider,
        transforms: Numbers,
        *,
        filter: Filter = None,
        ignore: Ignored = (),
        mutual: bool = False,
    ) -> results.OverlapArrays:
        """:meth:`query_shape` for one collider at many ``transforms`` (n, 3): x, y, angle."""
        table = given.table("transforms", transforms, 3)
        rows = search.ShapeRow(given.place_collider(collider, table))
        return _arrays(rows, self._scope(filter, ignore, mutual, len(table)))

    def nearest(
        self,
        point: Vector,
        k: int = 1,
        *,
        max_distance: float = math.inf,
        filter: Filter = None,
        ignore: Ignored = (),
        mutual: bool = False,
    ) -> list[results.Nearest]:
        """The ``k`` entities nearest to a point (x, y), by their nearest collider, up to ``max_distance`` away.

        Sorted by distance in units, then by entity. The distance is 0 inside a collider. An entity at exactly
        ``max_distance`` is included. If fewer than ``k`` entities are in reach, there are fewer results.

        Examples
        --------
        >>> physics = ecsphys.install()
        >>> foe = esper.create_entity(Transform(5, 0), CircleCollider(1))
        >>> physics.nearest((0, 0))[0].distance
        4.0
        """
        x, y = number_pair("point", point)
        wanted, reach = given.count("k", k), given.distance("max_distance", max_distance)
        scope = self._scope(filter, ignore, mutual)
        row = self._nearest.take()
        row.ask(x, y)
        near, records = row.near, row.records
        if wanted > search.ROOM:
            wanted = self._at_most(wanted)
            near = NearPoints(near.points, np.empty(wanted, FOUND))
            records = near.found.view(uint8).data
        found = results.nearest(records, find_nearest(scope, near, reach, wanted))
        self._nearest.give_back(row)
        return found

    def nearest_batch(
        self,
        points: Numbers,
        k: int = 1,
        *,
        max_distance: float = math.inf,
        filter: Filter = None,
        ignore: Ignored = (),
        mutual: bool = False,
    ) -> results.NearestArrays:
        """:meth:`nearest` for points (n, 2)."""
        table = given.table("points", points, 2)
        wanted, reach = given.count("k", k), given.distance("max_distance", max_distance)
        scope = self._scope(filter, ignore, mutual, len(table))
        wanted = self._at_most(wanted)
        most = len(table) * wanted
        found = self._batches.take(most)
        count = find_nearest(scope, NearPoints(table, found), reach, wanted)
        rows = slice(most) if count == most else np.flatnonzero(found["collider"][:most] >= 0)
        return results.NearestArrays(*self._batches.columns_of(found, rows)[:6])

    def _at_most(self, wanted: int) -> int:
        """No more than there are colliders."""
        return min(wanted, max(len(self._state.tables.colliders), 1))

    def raycast(
        self,
        origin: Vector,
        direction: Vector,
        max_distance: float = math.inf,
        *,
        filter: Filter = None,
        ignore: Ignored = (),
        mutual: bool = False,
    ) -> results.RayHit | None:
        """The first collider that a ray enters, or None.

        The direction (x, y) may have any length except 0; ``max_distance`` is in units. A ray that only touches a
        collider does not hit it. A ray that starts inside a collider hits at distance 0 with normal (0, 0). If several
        colliders have the same distance, the lowest entity is chosen, then the first class in ``COLLIDER_CLASSES``,
        then the lowest part.

        Examples
        --------
        >>> physics = ecsphys.install()
        >>> wall = esper.create_entity(Transform(4, 0), AABBCollider(0.5, 8))
        >>> hit = physics.raycast((0, 0), (1, 0))
        >>> hit.entity == wall, hit.distance, hit.normal
        (True, 3.5, (-1.0, 0.0))
        """
        ray = given.ray(origin, direction, max_distance)
        scope = self._scope(filter, ignore, mutual)
        row = self._rays.take()
        row.ask(*ray)
        cast_rays(scope, row.rays, 0, 1, False)
        found = row.answer()
        self._rays.give_back(row)
        return results.ray_hit(found) if found[results.COLLIDER] >= 0 else None

    def raycast_all(
        self,
        origin: Vector,
        direction: Vector,
        max_distance: float = math.inf,
        *,
        filter: Filter = None,
        ignore: Ignored = (),
        mutual: bool = False,
    ) -> list[results.RayHit]:
        """Every collider that a ray enters, sorted by distance, then in the order of :meth:`raycast`."""
        ray = given.ray(origin, direction, max_distance)
        scope = self._scope(filter, ignore, mutual)
        row = self._rays.take()
        row.ask(*ray)
        found, count = search.all_on_rays(scope, row.rays)
        hits = results.ray_hits(found[:count].view(uint8).data)
        self._rays.give_back(row)
        return hits

    def raycast_batch(
        self,
        origins: Numbers,
        directions: Numbers,
        max_distance: Numbers = math.inf,
        *,
        filter: Filter = None,
        ignore: Ignored = (),
        mutual: bool = False,
    ) -> results.RayHitArrays:
        """:meth:`raycast` for rays of ``origins`` and ``directions`` (n, 2); ``max_distance`` is a number or (n,)."""
        rays = given.rays(origins, directions, max_distance, self._batches.take)
        count = len(rays.reach)
        scope = self._scope(filter, ignore, mutual, count)

        def cast(part: slice) -> None:
            cast_rays(scope, rays, part.start, part.stop, False)

        threads = self._state.settings.threads
        share(cast, slices(count, part_count(count, _RAYS_AT_LEAST, threads)), threads)
        return results.RayHitArrays(*self._batches.columns_of(rays.found, slice(count)))

    def raycast_all_batch(
        self,
        origins: Numbers,
        directions: Numbers,
        max_distance: Numbers = math.inf,
        *,
        filter: Filter = None,
        ignore: Ignored = (),
        mutual: bool = False,
    ) -> results.RayHitArrays:
        """:meth:`raycast_all` for rays as in :meth:`raycast_batch`; a row for each hit, sorted by ray first."""
        rays = given.rays(origins, directions, max_distance, self._batches.take)
        scope = self._scope(filter, ignore, mutual, len(rays.reach))
        found, count = search.all_on_rays(scope, rays)
        order = np.lexsort([found[name][:count] for name in ("rank", "distance", "query")])
        return results.RayHitArrays(*self._batches.columns_of(found, order))

    def shapecast(
        self,
        collider: Collider,
        transform: Transform,
        displacement: Vector,
        *,
        filter: Filter = None,
        ignore: Ignored = (),
        mutual: bool = False,
    ) -> results.ShapecastHit | None:
        """The first collider that ``collider`` hits, moved from ``transform`` by ``displacement`` (x, y), not turning.

        A collider that overlaps at the start is hit at fraction 0 (see :class:`~ecsphys.types.ShapecastHit`). A
        collider that touches at the start is hit only if the displacement leads into it. With a displacement of (0, 0)
        only an overlap is a hit. If several colliders have the same fraction, the choice is as for :meth:`raycast`.

        Examples
        --------
        >>> physics = ecsphys.install()
        >>> wall = esper.create_entity(Transform(5, 0), AABBCollider(1, 8))
        >>> physics.shapecast(CircleCollider(1), Transform(0, 0), (6, 0)).fraction
        0.5
        """
        way_x, way_y = number_pair("displacement", displacement)
        row = self._casts.take()
        given.place(row.loose, collider, transform)
        row.ask(way_x, way_y)
        row.table.fill(sweep_shapes, self._scope(filter, ignore, mutual), row.movers)
        found = row.answer()
        self._casts.give_back(row)
        return results.shapecast_hit(found) if found[results.COLLIDER] >= 0 else None

    def shapecast_batch(
        self,
        collider: Collider,
        transforms: Numbers,
        displacements: Numbers,
        *,
        filter: Filter = None,
        ignore: Ignored = (),
        mutual: bool = False,
    ) -> results.ShapecastHitArrays:
        """:meth:`shapecast` for one collider from many ``transforms`` (n, 3): x, y, angle, by displacements (n, 2)."""
        table = given.table("transforms", transforms, 3)
        ways = given.table("displacements", displacements, 2, len(table))
        shapes = given.place_collider(collider, table)
        movers = Movers(shapes, ways, self._batches.take(len(table)))
        PairTable().fill(sweep_shapes, self._scope(filter, ignore, mutual, len(table)), movers)
        return results.ShapecastHitArrays(*self._batches.columns_of(movers.found, slice(len(table)))[1:])

    def _scope(self, filter: Filter, ignore: Ignored, mutual: bool, queries: int = 1) -> Scope:
        """What some queries see. Raises RuntimeError in another world."""
        world = self._state.world
        if world is not None and world != esper.current_world:
            refuse_other_world(world)
        dead = esper._dead_entities
        if filter is None and mutual is False and type(ignore) is tuple and not ignore and not dead:
            searched, scope = self._filed.look(queries), self._whole
            if scope is None or scope.world is not searched:
                scope = self._whole = _new(Scope, (searched, ANY, given.NOTHING))
            return scope
        own_filter, excluded = given.filter_row(filter, mutual), given.excluded(ignore, dead)
        return _new(Scope, (self._filed.look(queries), own_filter, excluded))


def _arrays(rows: search.PointRow | search.ShapeRow, scope: Scope) -> results.OverlapArrays:
    """The entities of many queries."""
    count = rows.find(scope)
    return results.OverlapArrays(rows.found.query[:count], rows.found.entity[:count])


def _listed(spares: Spares[Row], row: Row, scope: Scope) -> list[int]:
    """The entities of one query. Its row goes back to the pool."""
    count = row.find(scope)
    entities: list[int] = row.values[:count].tolist() if count else []
    if row.is_kept:
        spares.give_back(row)
    return entities
