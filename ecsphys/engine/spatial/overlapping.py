"""The entities of a world with a collider that a point is in, or that a shape overlaps.

A point is tested at once. For shapes the candidates are gathered, their contacts found as in a step, and the entities
of the touching ones listed: three kernels, so that the second, which is large, is compiled but once.
"""

from __future__ import annotations

from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import MAX_X, MAX_Y, MIN_X, MIN_Y, NO_LEVEL, Box, box_at
from ecsphys.engine.broadphase.pairs import fits, is_too_many, scan_box, walk_level
from ecsphys.engine.geometry.projection import shape_contains
from ecsphys.engine.hits.hit_order import sort_distinct
from ecsphys.engine.kernels import NamedTuple, inlined_scalar, kernel, packed
from ecsphys.engine.kernels.arrays import Float64Rows, Int32Rows, Int32s, Int64s, Uint8s
from ecsphys.engine.manifold.contact import ContactRows
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y, OF_A, OF_B, SHAPE_COLUMNS
from ecsphys.engine.spatial import searched_world
from ecsphys.engine.tables.collider_slots import ColliderSlots


@packed
class Points(NamedTuple):
    """Points (n, 2)."""

    points: Float64Rows


@packed
class FoundEntities(NamedTuple):
    """Row of a query and entity (m,), sorted by both, each once; ``pairs`` (m + 1, 2) is scratch."""

    query: Int64s
    entity: Int64s
    pairs: Int32Rows


@packed
class AskedShapes(NamedTuple):
    """Placed shapes, one for each query, and their boxes (n, 4)."""

    forms: Uint8s
    positions: Float64Rows
    shapes: Float64Rows
    boxes: Float64Rows


@packed
class Candidates(NamedTuple):
    """What n shapes may overlap: the ``slot`` (m,) of each candidate; ``pairs`` (m + 1, 2) of a query and its candidate
    among the placed shapes (n + m) that follow, first the queries' shapes, as ``find_contacts`` takes them."""

    slot: Int32s
    pairs: Int32Rows
    forms: Uint8s
    positions: Float64Rows
    shapes: Float64Rows


@inlined_scalar
def candidates_in(search: searched_world.SearchArrays, r: int, box: Box, pairs: NDArray[int32], found: int) -> int:
    """Pair a query with what its box may overlap in a grid, behind the ``found`` pairs; returns how many then."""
    layers, bounds, many, grid, names = search
    for k in range(many[0]):
        if not (
            box.min_x <= bounds[k, MAX_X]
            and bounds[k, MIN_X] <= box.max_x
            and box.min_y <= bounds[k, MAX_Y]
            and bounds[k, MIN_Y] <= box.max_y
        ):
            continue
        level = layers[k, searched_world.LEVEL]
        if level < NO_LEVEL:
            found = walk_level(r, box, level, grid, names, pairs, found)
        else:
            found = scan_box(
                r, box, layers[k, searched_world.FIRST], layers[k, searched_world.END], names, grid.boxes, pairs, found
            )
    return found


@kernel
def find_containing(scope: searched_world.Scope, asked: Points, found: FoundEntities) -> int:
    """Find the entities with a collider that has a point inside.

    Returns how many were found, or more than there is room for: call again with room for as many.
    """
    world = scope.world
    forms, positions, shapes, pool = searched_world.shapes_of(world)
    points = asked.points
    pairs = found.pairs
    room = found.entity.shape[0]
    zero = int(int64(0))  # a literal 0 would have the callees compiled once more for it
    needed = zero
    total = 0
    for r in range(points.shape[0]):
        if is_too_many(total):
            return total
        x, y = points[r, ALONG_X], points[r, ALONG_Y]
        box = Box(x, y, x, y)
        first = total
        for number in range(searched_world.FIRST_GRID, searched_world.END_GRID):
            search = searched_world.grid_of(world, number)
            candidates = candidates_in(search, r, box, pairs, zero)
            if not fits(pairs, candidates):
                needed = max(needed, candidates)
                continue
            for k in range(candidates):
                i = int(int64(pairs[k, searched_world.SLOT]))
                if not searched_world.is_met(i, number, scope):
                    continue
                if shape_contains(forms[i], shapes, i, pool, x - positions[i, ALONG_X], y - positions[i, ALONG_Y]):
                    if total < room:
                        found.entity[total] = world.colliders.entity[i]
                    total += 1
        if first < total <= room:
            total = sort_distinct(found.entity, first, total)
            for k in range(first, total):
                found.query[k] = r
    return max(total, needed)


@kernel
def gather_candidates(scope: searched_world.Scope, asked: AskedShapes, found: Candidates) -> int:
    """Gather what each of n shapes may overlap, for ``find_contacts``.

    Returns how many candidates there are, or more than there is room for: call again with room for as many.
    """
    world = scope.world
    forms, positions, shapes, _ = searched_world.shapes_of(world)
    count = asked.forms.shape[0]
    pairs = found.pairs
    for r in range(count):
        copy_shape(r, asked.forms, asked.positions, asked.shapes, r, found.forms, found.positions, found.shapes)
    zero = int(int64(0))  # as above
    needed = zero
    total = zero
    is_full = False
    for r in range(count):
        if is_too_many(total):
            return total
        box = box_at(asked.boxes, r)
        if not (box.min_x <= box.max_x and box.min_y <= box.max_y):
            continue
        for number in range(searched_world.FIRST_GRID, searched_world.END_GRID):
            search = searched_world.grid_of(world, number)
            while True:
                first = zero if is_full else total
                candidates = candidates_in(search, r, box, pairs, first)
                if is_full or fits(pairs, candidates):
                    break
                # From here on hits are only counted: so one more call has enough room.
                is_full = True
            needed = max(needed, total + candidates - first)
            if not fits(pairs, candidates):
                continue
            for k in range(first, candidates):
                i = int(int64(pairs[k, searched_world.SLOT]))
                if searched_world.is_met(i, number, scope) and is_full:
                    total += 1
                elif searched_world.is_met(i, number, scope):
                    found.slot[total] = i
                    pairs[total, searched_world.QUERY] = r
                    pairs[total, searched_world.SLOT] = count + total
                    target = count + total
                    copy_shape(i, forms, positions, shapes, target, found.forms, found.positions, found.shapes)
                    total += 1
    return max(total, needed) if is_full else total


@inlined_scalar
def copy_shape(
    i: int,
    forms: Uint8s,
    positions: Float64Rows,
    shapes: Float64Rows,
    target: int,
    to_forms: Uint8s,
    to_positions: Float64Rows,
    to_shapes: Float64Rows,
) -> None:
    """Copy placed shape i to a row of others."""
    to_forms[target] = forms[i]
    for column in range(2):
        to_positions[target, column] = positions[i, column]
    for column in range(SHAPE_COLUMNS):
        to_shapes[target, column] = shapes[i, column]


@kernel
def list_touching(
    colliders: ColliderSlots,
    candidates: Candidates,
    contacts: ContactRows,
    queries: int,
    touching: int,
    found: FoundEntities,
) -> int:
    """List the entities of the first so many ``touching`` of the contacts of candidates, by query, for so many
    ``queries``.

    Returns how many there are; there is room for as many as there are pairs.
    """
    pairs = contacts.pairs
    total = 0
    first = 0
    for k in range(touching):
        r = pairs[k, OF_A]
        slot = candidates.slot[int(pairs[k, OF_B]) + 0 - queries]
        found.query[total] = r
        found.entity[total] = colliders.entity[slot]
        total += 1
        if k + 1 == touching or pairs[k + 1, OF_A] != r:
            total = sort_distinct(found.entity, first, total)
            first = total
    return total
