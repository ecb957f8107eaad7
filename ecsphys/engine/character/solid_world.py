"""The solids of a world as movers see them: where they are filed, and which of them are in a mover's way at all."""

from __future__ import annotations

import math
from typing import NamedTuple

from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import MAX_X, MAX_Y, MIN_X, MIN_Y, NO_LEVEL, Box
from ecsphys.engine.broadphase.pairs import overlaps_box, scan_box, walk_level
from ecsphys.engine.contacts.contact_filter import FilterBlocks, may_collide
from ecsphys.engine.contacts.contact_writing import Velocities
from ecsphys.engine.contacts.one_way import EntityRows, turned_normal
from ecsphys.engine.kernels.array_types import (
    Float64Rows,
    Float64s,
    Int32s,
    Int64Rows,
    Int64s,
    Uint8s,
)
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.math.sorted_numbers import find_number
from ecsphys.engine.shapes.layout import KIND_AABB, OF_B
from ecsphys.engine.shapes.placement import (
    ASIDE_COUNT,
    FILED_ASIDE,
    FILED_AWAKE,
    FILED_SLEEPING,
    PlacedShapes,
    PlacingNotes,
)
from ecsphys.engine.spatial.search_grid import END, FIRST, LEVEL, SearchArrays
from ecsphys.engine.tables.collider_slots import PRESENT, ColliderSlots, EntitySlots
from ecsphys.engine.tables.entity_rows import SOLID, EntityLines, row_of


class FiledSolids(NamedTuple):
    """The grids in which the colliders of a world are filed, and the list of those that are in neither."""

    awake: SearchArrays
    asleep: SearchArrays
    notes: PlacingNotes


class SolidRules(NamedTuple):
    """What decides on which entities block which.

    The block of OneWay and the entities that have one; the same of Parent; those that are marked ``dead``, ascending.
    The floats of ``bodies``, the block of RigidBody.
    """

    filters: FilterBlocks
    one_way: EntityRows
    one_way_normals: Float64Rows
    children: EntityRows
    parents: Int64Rows
    dead: Int64s
    bodies: Float64Rows


class SolidWorld(NamedTuple):
    """Everything that is read of a world to move movers in it, and what its stages have moved things by."""

    filed: FiledSolids
    entities: EntitySlots
    colliders: ColliderSlots
    placed: PlacedShapes
    pool: Float64Rows
    rules: SolidRules
    velocities: Velocities


class Solids(NamedTuple):
    """The part of a :class:`SolidWorld` that is read of colliders when they are found: less to hand on."""

    owner: Int32s
    entity: Int64s
    kind: Uint8s
    rank: Int32s
    filter_row: Int32s
    absence: Uint8s
    sensor: Uint8s
    lines: EntityLines
    forms: Uint8s
    positions: Float64Rows
    shapes: Float64Rows
    boxes: Float64Rows
    angles: Float64s
    pool: Float64Rows
    rules: SolidRules


@inlined_scalar
def solids_of(world: SolidWorld) -> Solids:
    """What is read of colliders in a world."""
    colliders, placed = world.colliders, world.placed
    return Solids(
        colliders.owner,
        colliders.entity,
        colliders.kind,
        colliders.rank,
        colliders.filter_row,
        colliders.absence,
        colliders.sensor,
        world.entities.lines,
        placed.forms,
        placed.positions,
        placed.shapes,
        placed.boxes,
        placed.angles,
        world.pool,
        world.rules,
    )


@scalar
def is_solid(solids: Solids, slot: int) -> bool:
    """Whether a collider's entity has a ``Solid``, and it is no sensor."""
    return bool(solids.sensor[slot] == 0 and row_of(SOLID, solids.owner[slot], solids.lines) >= 0)


@scalar
def is_carried(rules: SolidRules, entity: int, bearer: int) -> bool:
    """Whether an entity's ``Parent`` is a certain one, or one that this carries."""
    children = rules.children
    # As many steps as there are children: parents may form a cycle.
    for _ in range(children.entity.shape[0]):
        place = find_number(children.entity, entity)
        if place < 0:
            return False
        entity = int(rules.parents[0, children.row[place]])
        if entity == bearer:
            return True
    return False


@scalar
def may_block(solids: Solids, slot: int, entity: int, filter_row: int) -> bool:
    """Whether a collider stands in the way of an entity with a filter: not if it is its own, is carried by it, or dead.

    That its entity is solid is not asked.
    """
    rules = solids.rules
    other = int(solids.entity[slot])
    if other == entity:
        return False
    if not may_collide(filter_row, int(int64(solids.filter_row[slot])), rules.filters):
        return False
    if rules.dead.shape[0] > 0 and find_number(rules.dead, other) >= 0:
        return False
    return not is_carried(rules, other, entity)


@scalar
def angle_of(solids: Solids, slot: int) -> float:
    """How far a collider is turned with its entity: 0 for one that never turns."""
    return 0.0 if solids.kind[slot] == KIND_AABB else float(solids.angles[slot])


@scalar
def one_way_normal(solids: Solids, slot: int) -> tuple[float, float]:
    """The unit vector from which a collider blocks; NaN for one that does from all sides."""
    rules = solids.rules
    return turned_normal(rules.one_way, rules.one_way_normals, int(solids.entity[slot]), angle_of(solids, slot))


@scalar
def find_bad_one_way(rules: SolidRules) -> int:
    """The place of the first one-way entity of which the normal is no direction; −1 where all are."""
    for place in range(rules.one_way.entity.shape[0]):
        row = rules.one_way.row[place]
        length = hypot(rules.one_way_normals[0, row], rules.one_way_normals[1, row])
        if not (length > 0.0 and length < math.inf):
            return place
    return -1


@scalar
def _search_grid(search: SearchArrays, box: Box, pairs: NDArray[int32], found: int) -> int:
    """Append (0, slot) for each box of a grid that overlaps or touches another; returns how many there are then."""
    layers, bounds, many, grid, names = search
    for k in range(int(many[0])):
        apart_x = bounds[k, MIN_X] > box.max_x or bounds[k, MAX_X] < box.min_x
        if apart_x or bounds[k, MIN_Y] > box.max_y or bounds[k, MAX_Y] < box.min_y:
            continue
        level = int(layers[k, LEVEL])
        if level < NO_LEVEL:
            found = walk_level(0, box, level, grid, names, pairs, found)
        else:
            found = scan_box(0, box, int(layers[k, FIRST]), int(layers[k, END]), names, grid.boxes, pairs, found)
    return found


@scalar
def find_colliders(
    filed: FiledSolids, placed: PlacedShapes, box: Box, pairs: NDArray[int32], keys: NDArray[int64]
) -> tuple[int, int]:
    """List the colliders whose boxes overlap or touch a box, as they are now.

    Returns how many are in ``keys``, in no order, and how many ``pairs`` and keys there should be room for at least:
    where there is less, none is listed.
    """
    zero = int(int64(0))  # a literal 0 would have the callees compiled once more for it
    awake = _search_grid(filed.awake, box, pairs, zero)
    found = _search_grid(filed.asleep, box, pairs, awake)
    aside = int(filed.notes.counts[ASIDE_COUNT])
    if found >= pairs.shape[0] or found + aside > keys.shape[0]:
        return 0, found + aside + 1
    count = 0
    for k in range(found):
        slot = int(int64(pairs[k, OF_B]))
        if placed.filed[slot] == (FILED_AWAKE if k < awake else FILED_SLEEPING):
            keys[count] = slot
            count += 1
    for k in range(aside):
        slot = int(int64(filed.notes.aside[k]))
        if placed.filed[slot] == FILED_ASIDE and overlaps_box(placed.boxes, slot, box):
            keys[count] = slot
            count += 1
    return count, 0


@scalar
def is_there(solids: Solids, slot: int, entity: int) -> bool:
    """Whether a slot has a collider of a certain entity, still or again."""
    return bool(solids.absence[slot] == PRESENT and solids.entity[slot] == entity)
