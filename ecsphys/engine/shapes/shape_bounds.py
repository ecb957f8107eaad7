"""Which shapes have values that their classes do not allow."""

from __future__ import annotations

from typing import NamedTuple

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels.array_types import Float64Rows
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel
from ecsphys.engine.shapes.layout import KIND_AABB, KIND_CAPSULE, KIND_CIRCLE, KIND_FAN, KIND_OBB
from ecsphys.engine.shapes.placement import PlacingArrays


@packed
class FieldBounds(NamedTuple):
    """Of each kind of collider, and last of transforms, the least and the largest value (kinds + 1, fields) of each
    float."""

    low: Float64Rows
    high: Float64Rows


@inlined_scalar
def _is_within(block: NDArray[float64], k: int, kind: int, bounds: FieldBounds) -> bool:
    """Whether row k of a block has only values that its class allows."""
    for field in range(block.shape[0]):
        if not bounds.low[kind, field] <= block[field, k] <= bounds.high[kind, field]:
            return False
    return True


@kernel
def find_bad_shape(count: int, arrays: PlacingArrays, bounds: FieldBounds) -> int:
    """The first of ``count`` shapes with a value, in its transform or collider, that its class does not allow; −1 if
    there is none."""
    sources, transforms, blocks = arrays.sources, arrays.transforms, arrays.blocks
    for i in range(count):
        kind = int(sources.kind[i]) + 0
        k = sources.collider_row[i]
        block = blocks.circle
        if kind == KIND_AABB:
            block = blocks.aabb
        elif kind == KIND_OBB:
            block = blocks.obb
        elif kind == KIND_CAPSULE:
            block = blocks.capsule
        elif kind == KIND_FAN:
            block = blocks.fan
        elif kind != KIND_CIRCLE:
            block = blocks.polygon
        last = bounds.low.shape[0] - 1
        if not (_is_within(transforms, sources.transform_row[i], last, bounds) and _is_within(block, k, kind, bounds)):
            return i
    return -1
