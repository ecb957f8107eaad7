"""The solids of a world as movers see them: which of them are in a mover's way; and laying out a move."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import Box, box_at
from ecsphys.engine.broadphase.pairs import overlaps_box
from ecsphys.engine.character import mover as movers
from ecsphys.engine.character.mover import MoverArrays, fail, no_support, put_support
from ecsphys.engine.contacts.contact_filter import FilterBlocks, may_collide
from ecsphys.engine.contacts.one_way import EntityRows, turned_normal
from ecsphys.engine.kernels.array_types import (
    Float64Rows,
    Float64s,
    Int32Rows,
    Int32s,
    Int64Rows,
    Int64s,
    Layout,
    record,
)
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.math.sorted_numbers import find_number, sort_numbers
from ecsphys.engine.shapes.layout import KIND_AABB, OF_B
from ecsphys.engine.shapes.placement import ASIDE_COUNT, FILED_ASIDE, FILED_AWAKE, FILED_SLEEPING, PlacingNotes
from ecsphys.engine.shapes.segment import front_normal
from ecsphys.engine.spatial.overlapping import candidates_in
from ecsphys.engine.spatial.searched_world import SearchedWorld
from ecsphys.engine.tables.collider_slots import PRESENT, EntitySlots
from ecsphys.engine.tables.entity_rows import SOLID, row_of

# What movers keep between themselves and solids, as a part of the smaller side of the box round the mover: far above
# the rounding of tiles' positions, far below what is seen.
_SKIN = 1e-4

# Far from the world's origin, coordinates themselves are coarser than that.
_ROUNDINGS = 64.0 * 2.0**-52

# Of a key to sort by: those of the slot, below those of its rank.
_SLOT_BITS = 31

# Where a solid was, and is now: the pose of its transform; and the way by which it passes a mover, if it ``pushes``.
MOTION = record("then_x then_y then_angle x y angle way_x way_y", "pushes")


@packed
class SolidRules(NamedTuple):
    """What decides on which entities block which, and how they move.

    The entities, ascending, with a ``OneWay``, its rows and block; the same of Parent and of Character, with the bounds
    of the latter's fields; those that are marked ``dead``. The floats of ``bodies``, the block of RigidBody.
    """

    entities: EntitySlots
    notes: PlacingNotes
    one_way: Int64s
    one_way_rows: Int32s
    one_way_normals: Float64Rows
    children: Int64s
    child_rows: Int32s
    parents: Int64Rows
    characters: Int64s
    character_rows: Int32s
    character_block: Float64Rows
    low: Float64s
    high: Float64s
    dead: Int64s
    bodies: Float64Rows


class World(NamedTuple):
    """All that is read of a world to move movers in it."""

    searched: SearchedWorld
    rules: SolidRules


@packed
class Scratch(NamedTuple):
    """Further scratch of a move: ``pairs`` for searches in grids, ``keys`` for sorting; ``moved`` solids, ascending,
    and their ``motions``; ``dropped``: the one-way entities through which the mover is dropping."""

    pairs: Int32Rows
    keys: Int64s
    moved: Int64s
    motions: Annotated[NDArray[np.void], Layout(MOTION, 1)]
    dropped: Int64s


@scalar
def is_solid(world: World, slot: int) -> bool:
    """Whether a collider's entity has a ``Solid``, and it is not a sensor."""
    colliders = world.searched.colliders
    return bool(colliders.sensor[slot] == 0 and row_of(SOLID, colliders.owner[slot], world.rules.entities.lines) >= 0)


@scalar
def _is_carried(rules: SolidRules, entity: int, bearer: int) -> bool:
    """Whether an entity's ``Parent`` is a certain one, or one that this carries."""
    # As many steps as there are children: parents may form a cycle.
    for _ in range(rules.children.shape[0]):
        place = find_number(rules.children, entity)
        if place < 0:
            return False
        entity = int(rules.parents[0, rules.child_rows[place]])
        if entity == bearer:
            return True
    return False


@scalar
def may_block(world: World, slot: int, state: Any) -> bool:
    """Whether a collider stands in the way of the mover: not if it is its own, is carried by it, or dead.

    That its entity is solid is not asked.
    """
    searched, dead = world.searched, world.rules.dead
    other = int(searched.colliders.entity[slot])
    filters = FilterBlocks(searched.layers_and_masks, searched.groups)
    if other == state.entity:
        return False
    if not may_collide(state.filter_row, int(int64(searched.colliders.filter_row[slot])), filters):
        return False
    if dead.shape[0] > 0 and find_number(dead, other) >= 0:
        return False
    return not _is_carried(world.rules, other, state.entity)


@scalar
def angle_of(searched: SearchedWorld, slot: int) -> float:
    """How far a collider is turned with its entity: 0 for one that never turns."""
    return 0.0 if searched.colliders.kind[slot] == KIND_AABB else float(searched.placed.angles[slot])


@scalar
def one_way_normal(world: World, slot: int) -> tuple[float, float]:
    """The unit vector from which a collider's entity blocks; NaN if it does from all sides."""
    rules = world.rules
    if rules.one_way.shape[0] == 0:
        return math.nan, math.nan
    entities = EntityRows(rules.one_way, rules.one_way_rows)
    entity = int(world.searched.colliders.entity[slot])
    return turned_normal(entities, rules.one_way_normals, entity, angle_of(world.searched, slot))


@scalar
def find_bad_one_way(rules: SolidRules) -> int:
    """The place of the first one-way entity of which the normal is no direction; −1 if all are."""
    for place in range(rules.one_way.shape[0]):
        row = rules.one_way_rows[place]
        length = hypot(rules.one_way_normals[0, row], rules.one_way_normals[1, row])
        if not 0.0 < length < math.inf:
            return place
    return -1


@scalar
def begin_move(world: World, arrays: MoverArrays, head: int) -> None:
    """Begin a move: lay out the colliders of an entity, from the slot ``head`` on, but for sensors."""
    searched, state, own = world.searched, arrays.state[0], arrays.own
    colliders, boxes = searched.colliders, searched.placed.boxes
    state.status = movers.FINE
    state.on_floor = state.on_wall = state.on_ceiling = state.snapped = 0
    state.contacts = state.moved = state.dropped = state.solids = 0
    state.x = state.y = state.stepped = state.snap_x = state.snap_y = 0.0
    state.way_x = state.way_y = state.carry_x = state.carry_y = 0.0
    state.inside_since = -1.0
    for side in range(2):
        arrays.walls[side].entity = -1
        put_support(arrays.feet[side], no_support())
    count = 0
    box = Box(math.inf, math.inf, -math.inf, -math.inf)
    this = head
    while this >= 0:
        if colliders.absence[this] == PRESENT and colliders.sensor[this] == 0:
            if count < own.shape[0]:
                own[count] = this
            other = box_at(boxes, this)
            box = Box(
                min(box.min_x, other.min_x),
                min(box.min_y, other.min_y),
                max(box.max_x, other.max_x),
                max(box.max_y, other.max_y),
            )
            count += 1
        this = int(int64(colliders.following[this]))
    if count > own.shape[0]:
        fail(state, movers.NO_ROWS, count)
        count = 0
    state.own = count
    movers.put_box(arrays.boxes, movers.OWN, box)
    state.rounding = _ROUNDINGS * max(-box.min_x, -box.min_y, box.max_x, box.max_y)
    state.size = min(box.max_x - box.min_x, box.max_y - box.min_y)
    state.skin = max(_SKIN * state.size, state.rounding)
    slot = own[0]
    state.place_x = searched.placed.positions[slot, 0]
    state.place_y = searched.placed.positions[slot, 1]
    state.entity = colliders.entity[slot]
    state.filter_row = colliders.filter_row[slot]
    state.transform_row = colliders.transform_row[slot]


@scalar
def put_solid(world: World, arrays: MoverArrays, row: int, slot: int) -> None:
    """List a solid."""
    searched, solid = world.searched, arrays.solids[row]
    solid.slot = slot
    solid.entity = searched.colliders.entity[slot]
    solid.passes = 0
    normal_x, normal_y = one_way_normal(world, slot)
    if math.isnan(normal_x):
        form = int(searched.placed.forms[slot]) + 0
        normal_x, normal_y = front_normal(form, searched.placed.shapes, slot, searched.pool)
    solid.one_way_x = normal_x
    solid.one_way_y = normal_y


@scalar
def gather_solids(world: World, arrays: MoverArrays, scratch: Scratch, region: Box) -> None:
    """List the solids in a region that may stand in the mover's way, in the public order of colliders.

    Which slots they have depends on the past, as on a restored snapshot, and must not decide between equals.
    """
    searched, state, keys = world.searched, arrays.state[0], scratch.keys
    placed, notes, pairs = searched.placed, world.rules.notes, scratch.pairs
    movers.put_box(arrays.boxes, movers.REGION, region)
    zero = int(int64(0))  # a literal 0 would have the callees compiled once more for it
    awake = candidates_in(searched.awake, zero, region, pairs, zero)
    filed = candidates_in(searched.asleep, zero, region, pairs, awake)
    aside = int(notes.counts[ASIDE_COUNT])
    # One row more, for a solid that is looked at by itself.
    needed = filed + aside + 1
    if filed >= pairs.shape[0] or needed > keys.shape[0]:
        fail(state, movers.NO_ROWS, needed)
        return
    count = 0
    for k in range(filed):
        slot = int(int64(pairs[k, OF_B]))
        if placed.filed[slot] == (FILED_AWAKE if k < awake else FILED_SLEEPING):
            keys[count] = slot
            count += 1
    for k in range(aside):
        slot = int(int64(notes.aside[k]))
        if placed.filed[slot] == FILED_ASIDE and overlaps_box(placed.boxes, slot, region):
            keys[count] = slot
            count += 1
    for k in range(count):
        keys[k] |= int(int64(searched.colliders.rank[keys[k]])) << _SLOT_BITS
    sort_numbers(keys, count)
    for k in range(count):
        slot = int(keys[k] & ((1 << _SLOT_BITS) - 1))
        if is_solid(world, slot) and may_block(world, slot, state):
            put_solid(world, arrays, state.solids, slot)
            state.solids += 1
