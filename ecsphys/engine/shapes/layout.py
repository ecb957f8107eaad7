"""Placed shapes: what every collider becomes before any geometry is computed.

A *placed shape* is one row of three arrays, in the frame of its entity's position (axes as in the world, origin at
the transform's x, y), so that a position far from the world's origin costs the geometry no precision:

* ``forms[i]``: one of the six forms below;
* ``positions[i]``: the transform's x, y in the world;
* ``shapes[i]``: eight numbers, one cache line, named by the constants below; EXTENT bounds the distance of the shape's
  points from its centre or apex.

===========  ==========================================================================================
form         meaning of the row (all: centre or apex at CX, CY; unit axis AXIS_X, AXIS_Y)
===========  ==========================================================================================
CIRCLE       radius RADIUS
BOX          half sizes HALF_X along the axis and HALF_Y across it
CAPSULE      core segment centre ± HALF_X · axis, rounded by RADIUS
POLYGON      vertices START … START + COUNT − 1 of the vertex pool, turned by the axis, rounded by RADIUS
FAN          apex at the centre, arc of radius RADIUS about it, axis pointing to the middle of the arc;
             COS_HALF and SIN_HALF of half the spread; spread at most π: convex
WIDE_FAN     the same with π < spread < 2π: not convex
===========  ==========================================================================================

A full fan is a CIRCLE and a capsule without length too: each degenerate collider has one form only.

A segment of a chain is a POLYGON with two vertices, which no other polygon has. Behind them in the pool are the points
before and after it (:mod:`ecsphys.engine.shapes.segment`).
"""

from __future__ import annotations

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels import Float64Rows, Int32Rows, NamedTuple, Uint8s, inlined_scalar, kernel, packed, scalar
from ecsphys.engine.math.elementary import cos_sin
from ecsphys.engine.shapes import layout

# Collider kinds, in the order of the public collider classes.
KIND_CIRCLE, KIND_AABB, KIND_OBB, KIND_CAPSULE, KIND_FAN, KIND_POLYGON, KIND_CHAIN = 0, 1, 2, 3, 4, 5, 6

# Forms, in the order in which a pair is computed (lower form first).
CIRCLE, BOX, CAPSULE, POLYGON, FAN, WIDE_FAN = 0, 1, 2, 3, 4, 5

# Columns of a shape's row; columns that a form does not name are 0.
CX, CY, AXIS_X, AXIS_Y, HALF_X, HALF_Y, RADIUS, EXTENT = 0, 1, 2, 3, 4, 5, 6, 7
COS_HALF, SIN_HALF = HALF_X, HALF_Y
START, COUNT = HALF_X, HALF_Y
SHAPE_COLUMNS = 8

# Columns of positions, and of all other points and vectors.
ALONG_X, ALONG_Y = 0, 1

# Columns of pairs.
OF_A, OF_B = 0, 1

MAX_VERTICES = 16

# Columns of the vertex pool: vertices in the collider's frame, counter-clockwise, and the outward unit normal of the
# edge from each vertex to the next.
POOL_X, POOL_Y, POOL_NORMAL_X, POOL_NORMAL_Y = 0, 1, 2, 3
POOL_COLUMNS = 4


@packed
class ShapeArrays(NamedTuple):
    """Placed shapes: three arrays with a row for each, and the vertex pool."""

    forms: Uint8s
    positions: Float64Rows
    shapes: Float64Rows
    pool: Float64Rows


@scalar
def _is_lower(shapes: NDArray[float64], pool: NDArray[float64], polygons: bool, a: int, b: int) -> bool:
    """Whether shape a comes before b of the same form: by their rows from the end, then their vertices, their index."""
    for column in range(layout.SHAPE_COLUMNS - 1, -1, -1):
        if shapes[a, column] != shapes[b, column] and not (polygons and column == layout.START):
            return bool(shapes[a, column] < shapes[b, column])
    if polygons:
        start_a = int(shapes[a, layout.START])
        start_b = int(shapes[b, layout.START])
        for k in range(int(shapes[a, layout.COUNT])):
            for row in range(layout.POOL_X, layout.POOL_Y + 1):
                if pool[start_a + k, row] != pool[start_b + k, row]:
                    return bool(pool[start_a + k, row] < pool[start_b + k, row])
    return a <= b


@inlined_scalar
def is_canonical(placed: ShapeArrays, a: int, b: int) -> bool:
    """Whether the pair is computed as (a, b) rather than (b, a), decided by the shapes alone.

    Both orders of a pair are computed the same way round, so that they agree to the last bit: the lower form comes
    first, then the shape further left, or below, then the smaller; equal shapes in one place go by their index.
    """
    forms, positions, shapes, pool = placed
    if forms[a] != forms[b]:
        return bool(forms[a] < forms[b])
    if positions[a, layout.ALONG_X] != positions[b, layout.ALONG_X]:
        return bool(positions[a, layout.ALONG_X] < positions[b, layout.ALONG_X])
    if positions[a, layout.ALONG_Y] != positions[b, layout.ALONG_Y]:
        return bool(positions[a, layout.ALONG_Y] < positions[b, layout.ALONG_Y])
    return _is_lower(shapes, pool, forms[a] == layout.POLYGON, a, b)


@kernel
def put_in_canonical_order(pairs: Int32Rows, placed: ShapeArrays) -> None:
    """Turn each pair (m, 2) of placed shapes the way round that it is computed, whichever is asked about first."""
    for k in range(pairs.shape[0]):
        a = int(pairs[k, layout.OF_A]) + 0
        b = int(pairs[k, layout.OF_B]) + 0
        in_order = is_canonical(placed, a, b)
        pairs[k, layout.OF_A] = a if in_order else b
        pairs[k, layout.OF_B] = b if in_order else a


@scalar
def turn_shape_row(shapes: NDArray[float64], i: int, angle: float) -> None:
    """Turn placed shape i about its position."""
    if angle != 0.0:
        c, s = cos_sin(angle)
        x, y = shapes[i, CX], shapes[i, CY]
        shapes[i, CX], shapes[i, CY] = c * x - s * y, s * x + c * y
        x, y = shapes[i, AXIS_X], shapes[i, AXIS_Y]
        shapes[i, AXIS_X], shapes[i, AXIS_Y] = c * x - s * y, s * x + c * y


@inlined_scalar
def edge_of(pool: NDArray[float64], start: int, count: int, k: int, scale: float) -> tuple[float, float, float, float]:
    """Both ends of edge k of a polygon in the vertex pool, scaled: from vertex k to the next."""
    a = start + k
    b = start + (k + 1) % count
    return scale * pool[a, POOL_X], scale * pool[a, POOL_Y], scale * pool[b, POOL_X], scale * pool[b, POOL_Y]
