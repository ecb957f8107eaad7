"""The mover of one move, the solids around it, and its casts at them.

Colliders are cast where they lie in the arrays of the world. While a move is computed, the mover's colliders are
shifted there. Solids are gathered in a *region* around the mover's way, and again in a larger one if a cast leaves it.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Final

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import Box, box_at
from ecsphys.engine.broadphase.pairs import overlaps_box
from ecsphys.engine.geometry.shape_cast import cast_pair
from ecsphys.engine.hits.contact_filter import EntityRows, FilterBlocks, may_collide, turned_normal
from ecsphys.engine.hits.hit_order import find_number, sort_numbers
from ecsphys.engine.hits.hit_tracking import Velocities
from ecsphys.engine.hits.touches import TouchArrays
from ecsphys.engine.kernels import NamedTuple, packed, scalar
from ecsphys.engine.kernels import arrays as types
from ecsphys.engine.shapes import placement
from ecsphys.engine.shapes.layout import KIND_AABB, ShapeArrays
from ecsphys.engine.shapes.segment import front_normal
from ecsphys.engine.spatial.overlapping import candidates_in
from ecsphys.engine.spatial.searched_world import SearchedWorld
from ecsphys.engine.tables.collider_slots import PRESENT, EntitySlots
from ecsphys.engine.tables.entity_rows import SOLID as SOLID_LINE
from ecsphys.engine.tables.entity_rows import row_of

# One move, a row for each mover. First its results: (x, y), how far it was moved from its place; the rest of the
# displacement; normal and velocity of its floor, an entity, −1 for none; by how much it was carried and pushed; how
# high it climbed by steps; and where its contacts end and begin. Then its order: the displacement, and up for a mover
# that slides; the slot of its entity; whether it walks, as a character, and drops. Then how it moves: ``up`` is a unit
# vector, or (0, 0) where every surface is a wall; floors are as steep as ``steepest``, with a normal that has
# ``least_height`` along up, at most; the fields of Character, and whether bodies feel its mass. And what is used on the
# way. memory: the row of its memory. way: the displacement with which it
# runs into solids. carry: its carrier's. size: the smaller side of the box round it. margin: how far around its way
# solids are known. snap: by how much it was put on its grid. inside_since: −1 if it is in no solid. sides: bits of the
# surfaces it ran into. needed: the rows for which there is no room. is_carried: not 0 while solids that have moved are
# not in its way.
MOVE: Final = types.record(
    "x y remaining_x remaining_y floor_normal_x floor_normal_y floor_velocity_x floor_velocity_y carried_x carried_y"
    " pushed_x pushed_y stepped ask_x ask_y ask_up_x ask_up_y"
    " up_x up_y steepest least_height step_height snap_distance wall_reach grid"
    " place_x place_y way_x way_y carry_x carry_y skin rounding size margin min_x min_y max_x max_y"
    " snap_x snap_y inside_since",
    "on_floor on_wall on_ceiling snapped crushed floor contacts first_contact owner walks drops"
    " has_mass memory row sides needed entity filter_row transform_row own solids moved dropped is_carried",
)
# one_way: the normal from which a solid blocks, NaN if it does from everywhere.
SOLID: Final = types.record("one_way_x one_way_y", "slot entity")
# The first impact of a collider, ``own``, and a solid: normal towards the mover, and point; the part of the way, and
# the gap at the start; the ways until the two touch, and until the mover enters the solid's skin, infinity if it does
# not; how steep it comes there; for contacts, bits how they meet.
HIT: Final = types.record("normal_x normal_y x y fraction gap touching stop approach", "entity slot own how")
# How a solid has moved since the character was moved last: the pose of its transform then and now, and the way by which
# it passed the mover.
MOTION: Final = types.record("then_x then_y then_angle x y angle way_x way_y", "slot pushes")
# The memory of a character: since when it has its transform, −1 if it was not moved with that, and the revision of the
# journal as of the last move, −1 before the first one; where it was left, and when; how fast its floor was then, and
# the floor; by how much it was put on its grid; since when it is inside a solid, −1 if it is not. Snapshots have these
# columns.
MEMORY_NUMBER: Final = types.record("", "since revision")
MEMORY_VALUE: Final = types.record(
    "place_x place_y clock floor_vx floor_vy slot entity normal_x normal_y x y snap_x snap_y inside_since"
)

Hits = Annotated[NDArray[np.void], types.Layout(HIT, 1)]

# The mover's ground before and after the move: rows of the feet.
ON, AFTER = range(2)

# Bits of ``how``: the move tells the game of the contact; the mover stands there; the contact is void.
IS_TOLD, IS_STANDING, IS_VOID = 1, 2, 4

# Numbers of a journal: its entries, those dropped before these, and the last reading, an even number.
ENTRIES, DROPPED, READING = 0, 1, 2
JOURNAL_NUMBERS = 3

# Counts of the memories: rows, and pairs of a character and a solid that it drops through.
ROWS, PAIRS = 0, 1

# Two normals that differ less are one.
SAME_NORMAL = 1e-6

# A one-way solid is met from outside if the mover is no deeper in it than this, in skins, and if the normal at the
# impact has at least this part along the solid's own: a round foot may come down beside a plank's end.
_STILL_OUTSIDE, _LEAST_ALONG = 100.0, 0.1

# What movers keep between themselves and solids, as a part of the smaller side of the box round the mover: far above
# the rounding of tiles' positions, far below the visible. Far from the origin, coordinates are coarser than that.
_SKIN = 1e-4
_ROUNDINGS = 64.0 * 2.0**-52

# Bits of a key to sort by: the slot's, below the bits of its rank.
_SLOT_BITS = 31


@packed
class Rules(NamedTuple):
    """What decides on which entities block which, and how they move.

    The entities, ascending, with a ``OneWay``, its rows and block; the same of Parent and of Character, with the bounds
    of the latter's fields; entities that are marked ``dead``. The floats of ``bodies``, the block of RigidBody. For
    each slot of an entity, ``placed_since`` is when it got its transform.
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
    placed_since: types.Int64s


@packed
class Memories(NamedTuple):
    """The memories of characters. ``row_of``: for each slot of an entity the row of its memory, −1 for none; ``owner``:
    the slot that a row is of. ``dropped`` (n, 2): characters, and one-way entities that they are dropping through.
    ``counts`` (2,): how many rows and pairs are in use."""

    row_of: types.Int32s
    owner: types.Int32s
    numbers: Annotated[NDArray[np.void], types.Layout(MEMORY_NUMBER, 1)]
    values: Annotated[NDArray[np.void], types.Layout(MEMORY_VALUE, 1)]
    dropped: types.Int64Rows
    counts: types.Int64s


@packed
class Journal(NamedTuple):
    """Where solids were: ``slots`` (n,) of colliders, −1 for none, their ``poses`` before (n, 3), and ``numbers``.

    For each slot, ``born`` is the revision at which its collider came (older entries are of another collider), and
    ``read_by`` the last reading that has seen it, and 1 more if it has moved since the mover was moved last.
    """

    slots: types.Int32s
    poses: types.Float64Rows
    numbers: types.Int64s
    born: types.Int64s
    read_by: types.Int64s


@packed
class MoveArrays(NamedTuple):
    """The ``moves``, a row each; the ``walls`` (2 n,) to their left and right, entity −1 for none; their ``contacts``,
    one after the other.

    The others are scratch of a move: slots of its ``own`` colliders; ``solids``, and one more; hits of two casts; the
    ``motions`` of solids; ``dropped``: the one-way entities through which the mover is dropping; ``pairs`` for searches
    in grids, ``keys`` for sorting. These have one length, as the contacts have. Then the ``feet`` (2,), hits
    with its floor, slot −1 for none; normals of the ``planes`` (5, 2) at one place; and hulls.
    """

    moves: Annotated[NDArray[np.void], types.Layout(MOVE, 1)]
    walls: Hits
    contacts: Hits
    own: types.Int64s
    solids: Annotated[NDArray[np.void], types.Layout(SOLID, 1)]
    ahead: Hits
    aside: Hits
    motions: Annotated[NDArray[np.void], types.Layout(MOTION, 1)]
    dropped: types.Int64s
    pairs: types.Int32Rows
    keys: types.Int64s
    feet: Hits
    planes: types.Float64Rows
    hulls: types.Float64Rows


class Mover(NamedTuple):
    """A move, results and scratch, and all that moves read of a world, remember of it, and write."""

    move: Any
    work: MoveArrays
    searched: SearchedWorld
    shapes: ShapeArrays
    rules: Rules
    velocities: Velocities
    journal: Journal
    memories: Memories
    touches: TouchArrays


class Found(NamedTuple):
    """The hits of a cast: how many, the first of those with the least fraction (−1: none), this fraction, 1 at most,
    and the least gap, infinity without any."""

    hits: int
    first: int
    fraction: float
    gap: float


@scalar
def dot(ax: float, ay: float, bx: float, by: float) -> float:
    """a · b."""
    return ax * bx + ay * by


@scalar
def shift(move: Any, x: float, y: float) -> None:
    """Move the mover, whatever is in the way."""
    move.x += x
    move.y += y


@scalar
def copy_foot(foot: Any, solid: Any) -> None:
    """Copy what memories have of a hit, from one or to one."""
    foot.normal_x, foot.normal_y = solid.normal_x, solid.normal_y
    foot.x, foot.y = solid.x, solid.y
    foot.entity, foot.slot = int(solid.entity), int(solid.slot)


@scalar
def no_foot(foot: Any) -> None:
    """Stand on nothing."""
    foot.slot = foot.entity = -1
    foot.normal_x = foot.normal_y = foot.x = foot.y = 0.0


@scalar
def swept_box(box: Box, x: float, y: float, margin: float) -> Box:
    """The box round a box on a way."""
    left, low = box.min_x + min(x, 0.0) - margin, box.min_y + min(y, 0.0) - margin
    return Box(left, low, box.max_x + max(x, 0.0) + margin, box.max_y + max(y, 0.0) + margin)


@scalar
def box_of(move: Any, margin: float) -> Box:
    """The box round the mover where it is now."""
    x, y = move.x, move.y
    return swept_box(Box(move.min_x + x, move.min_y + y, move.max_x + x, move.max_y + y), 0.0, 0.0, margin)


@scalar
def region_of(move: Any) -> Box:
    """The box in which all solids are known."""
    return swept_box(Box(move.min_x, move.min_y, move.max_x, move.max_y), move.ask_x, move.ask_y, move.margin)


@scalar
def begin_move(mover: Mover, first_contact: int) -> None:
    """Begin a move: lay out the colliders of its entity, but for sensors."""
    move, work, colliders, placed = mover.move, mover.work, mover.searched.colliders, mover.searched.placed
    mover.journal.numbers[READING] += 2
    move.on_floor = move.on_wall = move.on_ceiling = move.snapped = move.crushed = move.sides = move.is_carried = 0
    move.moved = move.dropped = move.solids = move.own = move.needed = 0
    move.first_contact = move.contacts = first_contact
    move.x = move.y = move.stepped = move.snap_x = move.snap_y = 0.0
    move.carried_x = move.carried_y = move.pushed_x = move.pushed_y = 0.0
    move.floor_velocity_x = move.floor_velocity_y = move.carry_x = move.carry_y = 0.0
    move.inside_since = -1.0
    no_foot(work.feet[ON])
    no_foot(work.feet[AFTER])
    move.min_x = move.min_y = math.inf
    move.max_x = move.max_y = -math.inf
    this = int(int64(mover.rules.entities.head[move.owner]))
    while this >= 0:
        if colliders.absence[this] == PRESENT and colliders.sensor[this] == 0:
            if move.own < work.own.shape[0]:
                work.own[move.own] = this
            box = box_at(placed.boxes, this)
            move.min_x, move.min_y = min(move.min_x, box.min_x), min(move.min_y, box.min_y)
            move.max_x, move.max_y = max(move.max_x, box.max_x), max(move.max_y, box.max_y)
            move.own += 1
        this = int(int64(colliders.following[this]))
    if move.own > work.own.shape[0]:
        move.needed, move.own = move.own, 0
    move.rounding = _ROUNDINGS * max(-move.min_x, -move.min_y, move.max_x, move.max_y)
    move.size = min(move.max_x - move.min_x, move.max_y - move.min_y)
    move.skin = max(_SKIN * move.size, move.rounding)
    slot = work.own[0]
    move.place_x, move.place_y = placed.positions[slot, 0], placed.positions[slot, 1]
    move.entity, move.filter_row = colliders.entity[slot], colliders.filter_row[slot]
    move.transform_row = colliders.transform_row[slot]


@scalar
def is_solid(mover: Mover, slot: int) -> bool:
    """Whether a collider's entity has a ``Solid``, and it is not a sensor."""
    colliders = mover.searched.colliders
    owner = colliders.owner[slot]
    return bool(colliders.sensor[slot] == 0 and row_of(SOLID_LINE, owner, mover.rules.entities.lines) >= 0)


@scalar
def has(entities: NDArray[int64], count: int, entity: int) -> bool:
    """Whether an entity is among the first of some."""
    found = False
    for k in range(count):
        found |= entities[k] == entity
    return bool(found)


@scalar
def may_block(mover: Mover, slot: int) -> bool:
    """Whether a collider stands in the way of the mover: of a solid that is neither itself, nor carried by it, nor
    dead, and through which it does not drop."""
    move, searched, rules = mover.move, mover.searched, mover.rules
    other = int(searched.colliders.entity[slot])
    filters = FilterBlocks(searched.layers_and_masks, searched.groups)
    filter_row = int(int64(searched.colliders.filter_row[slot]))
    if other == move.entity or not is_solid(mover, slot) or not may_collide(move.filter_row, filter_row, filters):
        return False
    if has(mover.work.dropped, move.dropped, other) or find_number(rules.dead, other) >= 0:
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
def angle_of(mover: Mover, slot: int) -> float:
    """How far a collider is turned with its entity: 0 for one that never turns."""
    searched = mover.searched
    return 0.0 if searched.colliders.kind[slot] == KIND_AABB else float(searched.placed.angles[slot])


@scalar
def put_solid(mover: Mover, row: int, slot: int) -> None:
    """List a solid."""
    shapes, rules, solid = mover.shapes, mover.rules, mover.work.solids[row]
    solid.slot, solid.entity = slot, mover.searched.colliders.entity[slot]
    one_way = EntityRows(rules.one_way, rules.one_way_rows)
    angle = angle_of(mover, slot)
    solid.one_way_x, solid.one_way_y = turned_normal(one_way, rules.one_way_normals, int(solid.entity), angle)
    if math.isnan(solid.one_way_x):
        form = int(shapes.forms[slot]) + 0
        solid.one_way_x, solid.one_way_y = front_normal(form, shapes.shapes, slot, shapes.pool)


@scalar
def gather_solids(mover: Mover) -> None:
    """List the solids around the mover's way that may stand in it, in the public order of colliders.

    Which slots they have depends on the past, as on a restored snapshot, and must not decide between equals.
    """
    move, work, searched, notes = mover.move, mover.work, mover.searched, mover.rules.notes
    keys, pairs, placed, rank = work.keys, work.pairs, searched.placed, searched.colliders.rank
    move.solids = 0
    region = region_of(move)
    zero = int(int64(0))  # a literal 0 would have the callees compiled once more for it
    awake = candidates_in(searched.awake, zero, region, pairs, zero)
    filed = candidates_in(searched.asleep, zero, region, pairs, awake)
    aside = int(notes.counts[placement.ASIDE_COUNT])
    # One row more, for a solid that is looked at by itself.
    if filed >= pairs.shape[0] or filed + aside + 1 > keys.shape[0]:
        move.needed = filed + aside + 1
        return
    count = 0
    for k in range(filed + aside):
        slot = int(int64(pairs[k, 1])) if k < filed else int(int64(notes.aside[k - filed]))
        grid = placement.FILED_AWAKE if k < awake else placement.FILED_SLEEPING
        is_there = placed.filed[slot] == (grid if k < filed else placement.FILED_ASIDE)
        if is_there and (k < filed or overlaps_box(placed.boxes, slot, region)):
            keys[count] = (int(int64(rank[slot])) << _SLOT_BITS) | slot
            count += 1
    sort_numbers(keys, zero, count)
    for k in range(count):
        slot = int(keys[k] & ((1 << _SLOT_BITS) - 1))
        if may_block(mover, slot):
            put_solid(mover, move.solids, slot)
            move.solids += 1
    # A cast hits each of them with each collider at most.
    if move.own * (move.solids + 1) > work.ahead.shape[0]:
        move.needed = move.own * (move.solids + 1)
        move.solids = 0


@scalar
def need(mover: Mover, box: Box) -> None:
    """See that the solids in a box are known: if it leaves the region, they are gathered in a larger one."""
    move, known = mover.move, region_of(mover.move)
    margin = move.margin
    # A NaN leaves nothing.
    while box.min_x < known.min_x or box.max_x > known.max_x or box.min_y < known.min_y or box.max_y > known.max_y:
        move.margin *= 4.0
        known = region_of(move)
    if move.margin > margin:
        gather_solids(mover)


@scalar
def put_colliders(mover: Mover, x: float, y: float) -> None:
    """Place the colliders of the mover, by their shift from its place."""
    move = mover.move
    for k in range(move.own):
        mover.shapes.positions[mover.work.own[k], 0] = move.place_x + x
        mover.shapes.positions[mover.work.own[k], 1] = move.place_y + y


@scalar
def _cast_at(mover: Mover, first: int, end: int, x: float, y: float, hits: Hits) -> Found:
    """Cast the mover by (x, y) at the solids from ``first`` to ``end``. Solids that are farther than a skin from the
    way are left out, but not the one behind all others.

    Casts see the true shapes, not shapes grown by the skin: what slides over a row of flush tiles at a skin's distance
    meets no side of them.
    """
    move, work, bounds = mover.move, mover.work, mover.searched.placed.boxes
    put_colliders(mover, move.x, move.y)
    count = 0
    nearest = -1
    fraction = gap = math.inf
    for k in range(move.own):
        own = work.own[k]
        box = box_at(bounds, own)
        moved = Box(box.min_x + move.x, box.min_y + move.y, box.max_x + move.x, box.max_y + move.y)
        way = swept_box(moved, x, y, move.skin)
        for row in range(first, end):
            solid = work.solids[row]
            if row < move.solids and not overlaps_box(bounds, solid.slot, way):
                continue
            if move.is_carried != 0 and has_moved(mover, solid.slot):
                continue
            impact = cast_pair(own, solid.slot, x, y, mover.shapes, work.hulls)
            if not math.isnan(solid.one_way_x):
                along = -(impact.normal_x * solid.one_way_x + impact.normal_y * solid.one_way_y)
                is_outside = along > _LEAST_ALONG and impact.gap >= -_STILL_OUTSIDE * move.skin
                if not (is_outside and solid.one_way_x * x + solid.one_way_y * y <= 0.0):
                    continue
            hit = hits[count]
            hit.own, hit.slot, hit.entity = own, solid.slot, solid.entity
            hit.fraction, hit.gap = impact.fraction, impact.gap
            hit.normal_x, hit.normal_y = 0.0 - impact.normal_x, 0.0 - impact.normal_y
            hit.x, hit.y = impact.x, impact.y
            if nearest < 0 or impact.fraction < fraction:
                nearest = count
                fraction = impact.fraction
            gap = min(gap, impact.gap)
            count += 1
    return Found(count, nearest, min(fraction, 1.0), gap)


@scalar
def cast(mover: Mover, x: float, y: float, hits: Hits) -> Found:
    """Cast the mover by (x, y) at all solids; while it is carried, at unmoved ones."""
    need(mover, swept_box(box_of(mover.move, 0.0), x, y, mover.move.skin))
    return _cast_at(mover, 0, mover.move.solids, x, y, hits)


@scalar
def cast_beside(mover: Mover, slot: int, beside_x: float, beside_y: float, x: float, y: float) -> Found:
    """Cast the mover by (x, y), from a place beside its own, at one solid only."""
    move = mover.move
    here_x, here_y = move.x, move.y
    put_solid(mover, move.solids, slot)
    shift(move, beside_x, beside_y)
    found = _cast_at(mover, move.solids, move.solids + 1, x, y, mover.work.aside)
    move.x, move.y = here_x, here_y
    return found


@scalar
def gap_to(mover: Mover, slot: int) -> float:
    """The gap between the mover and a solid, on whichever side of it the mover is."""
    put_colliders(mover, mover.move.x, mover.move.y)
    gap = math.inf
    for k in range(mover.move.own):
        gap = min(gap, cast_pair(mover.work.own[k], slot, 0.0, 0.0, mover.shapes, mover.work.hulls).gap)
    return gap


@scalar
def has_moved(mover: Mover, slot: int) -> bool:
    """Whether a solid has moved since the mover was moved last: it has a motion."""
    return bool(mover.move.moved > 0 and mover.journal.read_by[slot] == mover.journal.numbers[READING] + 1)


@scalar
def add_contact(mover: Mover, hit: Any, how: int) -> None:
    """Add a hit to the contacts of the move; they are merged in the end."""
    move, contacts = mover.move, mover.work.contacts
    if move.contacts == contacts.shape[0]:
        move.needed = move.contacts + 1
        return
    contacts[move.contacts] = hit
    contacts[move.contacts].how = how
    move.contacts += 1
