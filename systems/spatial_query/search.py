"""The kernels of queries, called again where they need more room."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.pair_table import PairTable, is_too_many
from ecsphys.engine.manifold.contact import find_contacts
from ecsphys.engine.spatial.overlapping import Points, find_containing, gather_candidates, list_touching
from ecsphys.engine.spatial.rays import RayHits, Rays, cast_rays
from ecsphys.engine.spatial.searched_world import Excluded, SearchedWorld
from ecsphys.engine.spatial.sweeps import Impacts, Movers, sweep_shapes
from ecsphys.systems.collision.candidate_pairs import queries_error, rays_error
from ecsphys.systems.spatial_query.single_rows import CastRow, EntityList, ShapeRow, ray_hits

_FIRST_HITS: Final = 256


def find_at_points(world: SearchedWorld, own_filter: int, excluded: Excluded, asked: Points, rows: EntityList) -> int:
    """Write the entities at some points to ``rows``; returns how many there are."""
    while (count := find_containing(world, own_filter, excluded, asked, rows.found)) > rows.room:
        _refuse_too_many(count, asked.points[:, (0, 1, 0, 1)], world)
        rows.make_room(count)
    return count


def find_at_shapes(world: SearchedWorld, own_filter: int, excluded: Excluded, rows: ShapeRow) -> int:
    """Write the entities that overlap the asked shapes of ``rows`` to these; returns how many there are."""
    while (count := gather_candidates(world, own_filter, excluded, rows.asked, rows.candidates)) > rows.room:
        _refuse_too_many(count, rows.asked.boxes, world)
        rows.make_room(count)
    if not count:
        return 0
    candidates = rows.candidates
    touching = find_contacts(candidates.pairs[:count], rows.shapes, 0.0, rows.contacts, 0)
    return list_touching(world.colliders, candidates, rows.contacts, rows.count, touching, rows.found)


def all_on_rays(world: SearchedWorld, own_filter: int, excluded: Excluded, rays: Rays) -> RayHits:
    """All hits of some rays, sorted by ray, distance and public order."""
    count, hits = len(rays.reach), ray_hits(_FIRST_HITS)
    while (found := cast_rays(world, own_filter, excluded, rays, 0, count, True, hits)) > len(hits.slot):
        if is_too_many(found):
            raise rays_error(count)
        hits = ray_hits(found)
    slot, distance, query = hits.slot[:found], hits.distance[:found], hits.query[:found]
    columns: tuple[NDArray[Any], ...] = hits
    order = np.lexsort((world.colliders.rank[slot], distance, query))
    sorted_hits: Any = (column[order] for column in columns)
    return RayHits(*sorted_hits)


def first_on_sweeps(world: SearchedWorld, own_filter: int, excluded: Excluded, movers: Movers) -> Impacts:
    """The first impact of each of some moving shapes."""
    count = len(movers.forms)
    impacts = Impacts(
        entity=np.empty(count, int64),
        collider=np.empty(count, int64),
        part=np.empty(count, int64),
        fraction=np.empty(count),
        point=np.empty((count, 2)),
        normal=np.empty((count, 2)),
        slot=np.empty(count, int32),
    )
    _sweep(world, own_filter, excluded, movers, PairTable(), impacts)
    return impacts


def first_on_sweep(world: SearchedWorld, own_filter: int, excluded: Excluded, row: CastRow) -> None:
    """Write the first impact of one moving shape to its row."""
    _sweep(world, own_filter, excluded, row.movers, row.table, row.impacts)


def _sweep(
    world: SearchedWorld, own_filter: int, excluded: Excluded, movers: Movers, table: PairTable, impacts: Impacts
) -> None:
    table.fill(lambda pairs: sweep_shapes(world, own_filter, excluded, movers, pairs, impacts))


def _refuse_too_many(count: int, boxes: NDArray[float64], world: SearchedWorld) -> None:
    """Raise RuntimeError if there are too many to count."""
    if is_too_many(count):
        raise queries_error(boxes, world.placed.boxes)
