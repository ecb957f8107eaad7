"""Which pairs of colliders may hit each other at all: filters, joints that keep their bodies from colliding, and
surfaces that block from one side only.

Whether a body passes a surface is decided when they first meet, and kept with the contact: an overlap whose normal
turns round, half-way through a plank, throws none out of it. What passes is blocked again once it is clear of the
surface, on the side that blocks.
"""

from __future__ import annotations

import math

from numpy import uint32

from ecsphys.engine.dynamics.bodies import VX, VY, BodyRows
from ecsphys.engine.hits.contact_table import ContactPoints
from ecsphys.engine.hits.hit_order import find_number
from ecsphys.engine.kernels import NamedTuple, arrays, inlined_scalar, kernel, packed, scalar
from ecsphys.engine.manifold.manifold import NO_FEATURE
from ecsphys.engine.math.elementary import cos_sin, hypot
from ecsphys.engine.shapes.layout import KIND_AABB
from ecsphys.engine.tables.collider_slots import PRESENT, ColliderSlots


@packed
class FilterBlocks(NamedTuple):
    """The blocks of CollisionFilter: layers and masks (2, rows), groups (1, rows)."""

    layers_and_masks: arrays.Uint32Rows
    groups: arrays.Int64Rows


@scalar
def may_collide(row_a: int, row_b: int, filters: FilterBlocks) -> bool:
    """Whether two filters let their entities meet; row −1 is an entity without one: layer 1, mask of all, no group.

    A shared group other than 0 decides alone, by its sign; else each mask must hold one of the other's layers.
    """
    if row_a >= 0 and row_b >= 0:
        group = filters.groups[0, row_a]
        if group != 0 and group == filters.groups[0, row_b]:
            return bool(group > 0)
    layers_a = filters.layers_and_masks[0, row_a] if row_a >= 0 else uint32(1)
    layers_b = filters.layers_and_masks[0, row_b] if row_b >= 0 else uint32(1)
    mask_a = filters.layers_and_masks[1, row_a] if row_a >= 0 else uint32(0xFFFFFFFF)
    mask_b = filters.layers_and_masks[1, row_b] if row_b >= 0 else uint32(0xFFFFFFFF)
    return bool((mask_a & layers_b) != 0 and (mask_b & layers_a) != 0)


@scalar
def is_sought(own_row: int, row: int, filters: FilterBlocks) -> bool:
    """Whether a query with a filter meets an entity: as :func:`may_collide`, but without a look at the other's mask."""
    if row >= 0:
        group = filters.groups[0, own_row]
        if group != 0 and group == filters.groups[0, row]:
            return bool(group > 0)
    layers = filters.layers_and_masks[0, row] if row >= 0 else uint32(1)
    return bool((filters.layers_and_masks[1, own_row] & layers) != 0)


@kernel
def filter_pairs(
    pairs: arrays.Int32Rows,
    colliders: ColliderSlots,
    dead: arrays.Uint8s,
    filters: FilterBlocks,
    tested: arrays.Int32Rows,
) -> int:
    """Copy the candidate pairs (m, 2) of slots worth testing to ``tested``, lower body first; returns how many.

    Left out are pairs of one body, of a collider that is absent or ``dead``, and of entities whose filters do not let
    them meet.
    """
    count = 0
    for k in range(pairs.shape[0]):
        a = pairs[k, 0]
        b = pairs[k, 1]
        if colliders.absence[a] != PRESENT or colliders.absence[b] != PRESENT or dead[a] or dead[b]:
            continue
        if colliders.body[a] == colliders.body[b]:
            continue
        if not may_collide(colliders.filter_row[a], colliders.filter_row[b], filters):
            continue
        in_order = colliders.body[a] < colliders.body[b]
        tested[count, 0] = a if in_order else b
        tested[count, 1] = b if in_order else a
        count += 1
    return count


@packed
class JoinedEnds(NamedTuple):
    """Which ends joints keep from colliding.

    ``end_of`` (slots,): the number of the end that a collider belongs to, −1 for none. ``others``: the ends, of higher
    numbers and ascending, that each is kept from; for end k from ``starts[k]`` to ``starts[k + 1]``.
    """

    end_of: arrays.Int32s
    starts: arrays.Int32s
    others: arrays.Int32s


@inlined_scalar
def _is_joined(a: int, b: int, joined: JoinedEnds) -> bool:
    """Whether the colliders in two slots are of ends that a joint keeps apart."""
    first = int(joined.end_of[a]) + 0
    second = int(joined.end_of[b]) + 0
    if first < 0 or second < 0 or first == second:
        return False
    lower = min(first, second)
    other = max(first, second)
    low = int(joined.starts[lower]) + 0
    end = int(joined.starts[lower + 1]) + 0
    high = end
    while low < high:
        middle = (low + high) // 2
        if joined.others[middle] < other:
            low = middle + 1
        else:
            high = middle
    return bool(low < end and joined.others[low] == other)


@kernel
def tell_joined(pairs: arrays.Int32Rows, joined: JoinedEnds, found: arrays.Uint8s) -> None:
    """Write for each of the pairs (m, 2) of slots whether a joint keeps them from colliding, 1 or 0."""
    for k in range(pairs.shape[0]):
        found[k] = _is_joined(int(pairs[k, 0]) + 0, int(pairs[k, 1]) + 0, joined)


@kernel
def leave_out_joined(pairs: arrays.Int32Rows, joined: JoinedEnds, kept: arrays.Int32Rows) -> int:
    """Copy the pairs (m, 2) of slots that no joint keeps from colliding to ``kept``, in their order; how many."""
    count = 0
    for k in range(pairs.shape[0]):
        a = int(pairs[k, 0]) + 0
        b = int(pairs[k, 1]) + 0
        if not _is_joined(a, b, joined):
            kept[count, 0] = a
            kept[count, 1] = b
            count += 1
    return count


# The decision on a contact.
UNDECIDED, BLOCKS, PASSES = 0, 1, 2

# Rows of the block of OneWay.
_NORMAL_X, _NORMAL_Y = 0, 1

# The least cosine between the normals of a surface and of a contact on the side that blocks.
_FACING = math.sqrt(0.5)


class EntityRows(NamedTuple):
    """The entities (n,), ascending, that have a component of a class, and the rows of these."""

    entity: arrays.Int64s
    row: arrays.Int32s


class OneWaySurfaces(NamedTuple):
    """The entities with a ``OneWay`` and its block, (2, rows); and for each slot of a collider its entity, its class,
    how far its entity is turned, and its body, −1 for none."""

    rows: EntityRows
    normals: arrays.Float64Rows
    entity: arrays.Int64s
    kind: arrays.Uint8s
    angles: arrays.Float64s
    body_of: arrays.Int32s


@scalar
def turned_normal(rows: EntityRows, normals: arrays.Float64Rows, entity: int, angle: float) -> tuple[float, float]:
    """The unit vector from which an entity that is turned blocks; NaN for one that does from all sides."""
    place = find_number(rows.entity, entity)
    if place < 0:
        return math.nan, math.nan
    row = rows.row[place]
    x, y = normals[_NORMAL_X, row], normals[_NORMAL_Y, row]
    length = hypot(x, y)
    x = x / length
    y = y / length
    c, s = cos_sin(angle)
    return c * x - s * y, s * x + c * y


@kernel
def veto_passing(
    pairs: arrays.Int32Rows,
    normals: arrays.Float64Rows,
    points: ContactPoints,
    count: int,
    surfaces: OneWaySurfaces,
    bodies: BodyRows,
    dt: float,
    slop: float,
    is_vetoed: arrays.Uint8s,
) -> None:
    """Veto each of the first ``count`` contacts at which a body passes a surface, and note each decision.

    A body that comes from the side that blocks is blocked also where it overlaps by no more than it moves in ``dt``
    seconds, and by ``slop``.
    """
    rows = bodies.bodies
    for k in range(count):
        passes = False
        is_one_way = False
        for side in range(2):
            slot = int(pairs[k, side]) + 0
            angle = 0.0 if surfaces.kind[slot] == KIND_AABB else surfaces.angles[slot]
            x, y = turned_normal(surfaces.rows, surfaces.normals, int(surfaces.entity[slot]), angle)
            if math.isnan(x):
                continue
            is_one_way = True
            if points.one_way[k] == BLOCKS:
                continue
            sign = 1.0 if side == 0 else -1.0
            allowed = 0.0
            if points.one_way[k] == UNDECIDED:
                own = max(int(surfaces.body_of[slot]), 0)
                other = max(int(surfaces.body_of[pairs[k, 1 - side]]), 0)
                leaving = (rows[other, VX] - rows[own, VX]) * x + (rows[other, VY] - rows[own, VY]) * y
                allowed = max(-leaving, 0.0) * dt + slop
            apart = points.separations[k, 0]
            if points.features[k, 1] != NO_FEATURE:
                apart = min(apart, points.separations[k, 1])
            passes |= not (sign * (normals[k, 0] * x + normals[k, 1] * y) >= _FACING and apart >= -allowed)
        if is_one_way:
            points.one_way[k] = PASSES if passes else BLOCKS
            if passes:
                is_vetoed[k] = 1
