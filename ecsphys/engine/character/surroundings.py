"""The solids of a world as movers see them: which of them are in a mover's way; and laying out a move."""

from __future__ import annotations

import math
from typing import Annotated, Any, Final

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import box_at
from ecsphys.engine.broadphase.pairs import overlaps_box
from ecsphys.engine.character import casts
from ecsphys.engine.character.casts import Workspace
from ecsphys.engine.hits.contact_filter import FilterBlocks, may_collide
from ecsphys.engine.hits.contact_scene import Velocities
from ecsphys.engine.hits.one_way import EntityRows, turned_normal
from ecsphys.engine.kernels import array_types as types
from ecsphys.engine.kernels.building import NamedTuple
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.sorted_numbers import find_number, sort_numbers
from ecsphys.engine.shapes import placement
from ecsphys.engine.shapes.layout import KIND_AABB
from ecsphys.engine.shapes.segment import front_normal
from ecsphys.engine.spatial.overlapping import candidates_in
from ecsphys.engine.spatial.searched_world import SearchedWorld
from ecsphys.engine.tables.collider_slots import PRESENT, EntitySlots
from ecsphys.engine.tables.entity_rows import SOLID, row_of

# What movers keep between themselves and solids, as a part of the smaller side of the box round the mover: far above
# the rounding of tiles' positions, far below the visible. Far from the origin, coordinates are coarser than that.
_SKIN = 1e-4
_ROUNDINGS = 64.0 * 2.0**-52

# Bits of a key to sort by: the slot's, below the bits of its rank.
_SLOT_BITS = 31

# The memory of a character: its transform, and the revision of the journal as of the last move, −1 before the first
# one; where it was left, and when; how fast its floor was then, and the floor; by how much it was put on its grid;
# since when it is inside a solid, −1 if it is not. Snapshots have these columns.
MEMORY_NUMBER: Final = types.record("", "transform_row revision")
MEMORY_VALUE: Final = types.record(
    "place_x place_y clock floor_vx floor_vy slot entity normal_x normal_y x y snap_x snap_y inside_since"
)


@packed
class Rules(NamedTuple):
    """What decides on which entities block which, and how they move.

    The entities, ascending, with a ``OneWay``, its rows and block; the same of Parent and of Character, with the bounds
    of the latter's fields; entities that are marked ``dead``. The floats of ``bodies``, the block of RigidBody.
    """

    entities: EntitySlots
    notes: placement.PlacingNotes
    one_way: types.Int64s
    one_way_rows: types.Int32s
    one_way_normals: types.Float64Rows
    children: types.Int64s
    child_rows: types.Int32s
    parents: types.Int64Rows
    characters: types.Int64s
    character_rows: types.Int32s
    character_block: types.Float64Rows
    low: types.Float64s
    high: types.Float64s
    dead: types.Int64s
    bodies: types.Float64Rows


@packed
class Memories(NamedTuple):
    """The memories of characters, a row each. ``dropped`` (n, 2): rows of characters, and the one-way entities they are
    dropping through; ``dropped_count`` (1,): how many."""

    numbers: Annotated[NDArray[np.void], types.Layout(MEMORY_NUMBER, 1)]
    values: Annotated[NDArray[np.void], types.Layout(MEMORY_VALUE, 1)]
    dropped: types.Int64Rows
    dropped_count: types.Int64s


@packed
class Journal(NamedTuple):
    """Where solids were: ``slots`` (n,) of colliders, −1 for ones that are gone, and their ``poses`` before (n, 3);
    ``numbers``: entries it has, entries it has dropped before these, and the last reading.

    For each slot, ``born`` is the revision at which its collider came (older entries are of another collider), and
    ``read_by`` the last reading that has seen it.
    """

    slots: types.Int32s
    poses: types.Float64Rows
    numbers: types.Int64s
    born: types.Int64s
    read_by: types.Int64s


class World(NamedTuple):
    """All data that moves read of a world, their memory, and scratch."""

    searched: SearchedWorld
    rules: Rules
    velocities: Velocities
    journal: Journal
    memories: Memories
    work: Workspace


@scalar
def is_solid(world: World, slot: int) -> bool:
    """Whether a collider's entity has a ``Solid``, and it is not a sensor."""
    colliders = world.searched.colliders
    return bool(colliders.sensor[slot] == 0 and row_of(SOLID, colliders.owner[slot], world.rules.entities.lines) >= 0)


@scalar
def may_block(world: World, slot: int, move: Any) -> bool:
    """Whether a collider stands in the way of the mover: not if it is its own, is carried by it, or dead.

    That its entity is solid is not asked.
    """
    searched, rules = world.searched, world.rules
    other = int(searched.colliders.entity[slot])
    filters = FilterBlocks(searched.layers_and_masks, searched.groups)
    if other == move.entity or not may_collide(
        move.filter_row, int(int64(searched.colliders.filter_row[slot])), filters
    ):
        return False
    if rules.dead.shape[0] > 0 and find_number(rules.dead, other) >= 0:
        return False
    # Up the parents, by as many steps as there are children: parents may form a cycle.
    for _ in range(rules.children.shape[0]):
        place = find_number(rules.children, other)
        if place < 0:
            return True
        other = int(rules.parents[0, rules.child_rows[place]])
        if other == move.entity:
            return False
    return True


@scalar
def angle_of(searched: SearchedWorld, slot: int) -> float:
    """How far a collider is turned with its entity: 0 for one that never turns."""
    return 0.0 if searched.colliders.kind[slot] == KIND_AABB else float(searched.placed.angles[slot])


@scalar
def one_way_normal(world: World, slot: int) -> tuple[float, float]:
    """The unit vector from which a collider's entity blocks; NaN if it does from all sides."""
    rules, entity = world.rules, int(world.searched.colliders.entity[slot])
    if rules.one_way.shape[0] == 0:
        return math.nan, math.nan
    entities = EntityRows(rules.one_way, rules.one_way_rows)
    return turned_normal(entities, rules.one_way_normals, entity, angle_of(world.searched, slot))


@scalar
def begin_move(world: World, work: Workspace, move: Any, first_contact: int) -> None:
    """Begin a move: lay out the colliders of its entity, but for sensors."""
    colliders, placed = world.searched.colliders, world.searched.placed
    move.status = casts.FINE
    move.on_floor = move.on_wall = move.on_ceiling = move.snapped = move.crushed = 0
    move.moved = move.dropped = move.solids = move.own = 0
    move.first_contact = move.contacts = first_contact
    move.x = move.y = move.stepped = move.snap_x = move.snap_y = 0.0
    move.carried_x = move.carried_y = move.pushed_x = move.pushed_y = 0.0
    move.floor_velocity_x = move.floor_velocity_y = move.carry_x = move.carry_y = 0.0
    move.inside_since = -1.0
    for foot in range(2):
        casts.no_foot(work.feet[foot])
    move.min_x = move.min_y = math.inf
    move.max_x = move.max_y = -math.inf
    this = int(int64(world.rules.entities.head[move.owner])) if move.owner >= 0 else -1
    while this >= 0:
        if colliders.absence[this] == PRESENT and colliders.sensor[this] == 0:
            if move.own < work.own.shape[0]:
                work.own[move.own] = this
            box = box_at(placed.boxes, this)
            move.min_x, move.min_y = min(move.min_x, box.min_x), min(move.min_y, box.min_y)
            move.max_x, move.max_y = max(move.max_x, box.max_x), max(move.max_y, box.max_y)
            move.own += 1
        this = int(int64(colliders.following[this]))
    if move.own == 0:
        return
    if move.own > work.own.shape[0]:
        casts.fail(move, casts.NO_ROWS, move.own)
        move.own = 0
    move.rounding = _ROUNDINGS * max(-move.min_x, -move.min_y, move.max_x, move.max_y)
    move.size = min(move.max_x - move.min_x, move.max_y - move.min_y)
    move.skin = max(_SKIN * move.size, move.rounding)
    slot = work.own[0]
    move.place_x, move.place_y = placed.positions[slot, 0], placed.positions[slot, 1]
    move.entity, move.filter_row = colliders.entity[slot], colliders.filter_row[slot]
    move.transform_row = colliders.transform_row[slot]


@scalar
def put_solid(world: World, work: Workspace, row: int, slot: int) -> None:
    """List a solid."""
    searched, solid = world.searched, work.solids[row]
    solid.slot, solid.entity, solid.passes = slot, searched.colliders.entity[slot], 0
    solid.one_way_x, solid.one_way_y = one_way_normal(world, slot)
    if math.isnan(solid.one_way_x):
        form = int(searched.placed.forms[slot]) + 0
        solid.one_way_x, solid.one_way_y = front_normal(form, searched.placed.shapes, slot, searched.pool)


@scalar
def gather_solids(world: World, work: Workspace, move: Any) -> None:
    """List the solids around the mover's way that may stand in it, in the public order of colliders.

    Which slots they have depends on the past, as on a restored snapshot, and must not decide between equals.
    """
    searched, placed, notes = world.searched, world.searched.placed, world.rules.notes
    keys, pairs = world.work.keys, world.work.pairs
    region = casts.region_of(move)
    zero = int(int64(0))  # a literal 0 would have the callees compiled once more for it
    awake = candidates_in(searched.awake, zero, region, pairs, zero)
    filed = candidates_in(searched.asleep, zero, region, pairs, awake)
    aside = int(notes.counts[placement.ASIDE_COUNT])
    # One row more, for a solid that is looked at by itself.
    if filed >= pairs.shape[0] or filed + aside + 1 > keys.shape[0]:
        casts.fail(move, casts.NO_ROWS, filed + aside + 1)
        return
    count = 0
    for k in range(filed):
        slot = int(int64(pairs[k, 1]))
        if placed.filed[slot] == (placement.FILED_AWAKE if k < awake else placement.FILED_SLEEPING):
            keys[count] = (int(int64(searched.colliders.rank[slot])) << _SLOT_BITS) | slot
            count += 1
    for k in range(aside):
        slot = int(int64(notes.aside[k]))
        if placed.filed[slot] == placement.FILED_ASIDE and overlaps_box(placed.boxes, slot, region):
            keys[count] = (int(int64(searched.colliders.rank[slot])) << _SLOT_BITS) | slot
            count += 1
    sort_numbers(keys, zero, count)
    for k in range(count):
        slot = int(keys[k] & ((1 << _SLOT_BITS) - 1))
        if is_solid(world, slot) and may_block(world, slot, move):
            put_solid(world, work, move.solids, slot)
            move.solids += 1
