"""Surfaces that block from one side only: which way they face, and what becomes of bodies that meet them.

Whether a body passes such a surface is decided when they first meet, and kept with the contact: an overlap whose normal
turns round, half-way through a plank, throws none out of it. What passes is blocked again once it is clear of the
surface, on the side that blocks.
"""

from __future__ import annotations

import math

from ecsphys.engine.dynamics.bodies import VX, VY, BodyRows
from ecsphys.engine.hits.contact_table import ContactPoints
from ecsphys.engine.kernels import Float64Rows, Float64s, Int32Rows, Int32s, Int64s, NamedTuple, Uint8s, kernel, scalar
from ecsphys.engine.manifold.manifold import NO_FEATURE
from ecsphys.engine.math.elementary import cos_sin, hypot
from ecsphys.engine.math.sorted_numbers import find_number
from ecsphys.engine.shapes.layout import KIND_AABB

# The decision on a contact.
UNDECIDED, BLOCKS, PASSES = 0, 1, 2

# Rows of the block of OneWay.
_NORMAL_X, _NORMAL_Y = 0, 1

# The least cosine between the normals of a surface and of a contact on the side that blocks.
_FACING = math.sqrt(0.5)


class EntityRows(NamedTuple):
    """The entities (n,), ascending, that have a component of a class, and the rows of these."""

    entity: Int64s
    row: Int32s


class OneWaySurfaces(NamedTuple):
    """The entities with a ``OneWay`` and its block, (2, rows); and for each slot of a collider its entity, its class,
    how far its entity is turned, and its body, −1 for none."""

    rows: EntityRows
    normals: Float64Rows
    entity: Int64s
    kind: Uint8s
    angles: Float64s
    body_of: Int32s


@scalar
def turned_normal(rows: EntityRows, normals: Float64Rows, entity: int, angle: float) -> tuple[float, float]:
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
    pairs: Int32Rows,
    normals: Float64Rows,
    points: ContactPoints,
    count: int,
    surfaces: OneWaySurfaces,
    bodies: BodyRows,
    dt: float,
    slop: float,
    is_vetoed: Uint8s,
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
