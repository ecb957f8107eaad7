"""Which of two placed shapes is computed first, whatever order they are asked about in."""

from __future__ import annotations

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels.array_types import Int32Rows
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel, scalar
from ecsphys.engine.shapes import layout
from ecsphys.engine.shapes.layout import ShapeArrays


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
