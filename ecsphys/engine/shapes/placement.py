"""From colliders to placed shapes: form and sizes, centre and axis, bounding box."""

from __future__ import annotations

import math

from numpy import float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import inlined_scalar, kernel
from ecsphys.engine.math.cos_sin import cos_sin
from ecsphys.engine.shapes.bounding_box import shape_box
from ecsphys.engine.shapes.layout import (
    AXIS_X,
    AXIS_Y,
    BOX,
    CAPSULE,
    CIRCLE,
    CX,
    CY,
    EXTENT,
    FAN,
    HALF_X,
    HALF_Y,
    KIND_AABB,
    KIND_CAPSULE,
    KIND_CIRCLE,
    KIND_FAN,
    KIND_OBB,
    POLYGON,
    POOL_X,
    POOL_Y,
    RADIUS,
    WIDE_FAN,
)


@inlined_scalar
def size_shape(
    i: int,
    kind: int,
    k: int,
    circle: NDArray[float64],
    aabb: NDArray[float64],
    obb: NDArray[float64],
    capsule: NDArray[float64],
    fan: NDArray[float64],
    polygon: NDArray[float64],
    polygon_vertices: NDArray[int64],
    pool: NDArray[float64],
    forms: NDArray[uint8],
    shapes: NDArray[float64],
) -> bool:
    """Write form and sizes of placed shape i, a collider of a kind, row k of its block; tells whether they changed."""
    form = BOX
    half_x = 0.0
    half_y = 0.0
    radius = 0.0
    widest = 0.0
    if kind == KIND_CIRCLE:
        form = CIRCLE
        radius = circle[0, k]
    elif kind == KIND_AABB:
        half_x = aabb[0, k]
        half_y = aabb[1, k]
    elif kind == KIND_OBB:
        half_x = obb[0, k]
        half_y = obb[1, k]
    elif kind == KIND_CAPSULE:
        half_x = 0.5 * capsule[0, k]
        radius = capsule[1, k]
        form = CAPSULE if half_x > 0.0 else CIRCLE
    elif kind == KIND_FAN:
        radius = fan[0, k]
        spread = fan[1, k]
        form = CIRCLE
        if spread < 2.0 * math.pi:
            form = FAN if spread <= math.pi else WIDE_FAN
            half_x = math.cos(0.5 * spread)
            half_y = math.sin(0.5 * spread)
    else:
        form = POLYGON
        radius = polygon[0, k]
        half_x = float(polygon_vertices[0, k])
        half_y = float(polygon_vertices[1, k])
        start = polygon_vertices[0, k]
        for v in range(start, start + polygon_vertices[1, k]):
            widest = max(widest, abs(pool[v, POOL_X]) + abs(pool[v, POOL_Y]))
    if form in (BOX, CAPSULE):
        widest = half_x + half_y
    # A polygon's vertices may have been assigned: they are not in the row.
    same = (
        (forms[i] == form)
        & (form != POLYGON)
        & (shapes[i, HALF_X] == half_x)
        & (shapes[i, HALF_Y] == half_y)
        & (shapes[i, RADIUS] == radius)
    )
    forms[i] = form
    shapes[i, HALF_X] = half_x
    shapes[i, HALF_Y] = half_y
    shapes[i, RADIUS] = radius
    shapes[i, EXTENT] = radius + widest
    return not same


@inlined_scalar
def turn_shape(
    i: int,
    angle: float,
    kind: int,
    k: int,
    circle: NDArray[float64],
    aabb: NDArray[float64],
    obb: NDArray[float64],
    capsule: NDArray[float64],
    fan: NDArray[float64],
    polygon: NDArray[float64],
    forms: NDArray[uint8],
    shapes: NDArray[float64],
) -> bool:
    """Write centre and axis of placed shape i, in a frame turned by ``angle``; tells whether they changed."""
    local_angle = 0.0
    if kind == KIND_CIRCLE:
        offset_x = circle[1, k]
        offset_y = circle[2, k]
    elif kind == KIND_AABB:
        offset_x = aabb[2, k]
        offset_y = aabb[3, k]
        angle = 0.0
    elif kind == KIND_OBB:
        offset_x = obb[2, k]
        offset_y = obb[3, k]
        local_angle = obb[4, k]
    elif kind == KIND_CAPSULE:
        offset_x = capsule[2, k]
        offset_y = capsule[3, k]
        local_angle = capsule[4, k]
    elif kind == KIND_FAN:
        offset_x = fan[3, k]
        offset_y = fan[4, k]
        local_angle = fan[2, k]
    else:
        offset_x = polygon[1, k]
        offset_y = polygon[2, k]
        local_angle = polygon[3, k]
    if angle != 0.0 and (offset_x != 0.0 or offset_y != 0.0):
        c, s = cos_sin(angle)
        offset_x, offset_y = c * offset_x - s * offset_y, s * offset_x + c * offset_y
    axis_x = 1.0
    axis_y = 0.0
    angle += local_angle
    if angle != 0.0 and forms[i] != CIRCLE:
        axis_x, axis_y = cos_sin(angle)
    same = (
        (shapes[i, CX] == offset_x)
        & (shapes[i, CY] == offset_y)
        & (shapes[i, AXIS_X] == axis_x)
        & (shapes[i, AXIS_Y] == axis_y)
    )
    shapes[i, CX] = offset_x
    shapes[i, CY] = offset_y
    shapes[i, AXIS_X] = axis_x
    shapes[i, AXIS_Y] = axis_y
    return not same


@kernel(
    "i8(i4[::1], u1[::1], u1[::1], i4[::1], i4[::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1],"
    " f8[:,::1], f8[:,::1], i8[:,::1], f8[:,::1], f8, u1[::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[::1], u1[::1])"
)
def place_shapes(
    which: NDArray[int32],
    stale: NDArray[uint8],
    kinds: NDArray[uint8],
    transform_rows: NDArray[int32],
    collider_rows: NDArray[int32],
    transform: NDArray[float64],
    circle: NDArray[float64],
    aabb: NDArray[float64],
    obb: NDArray[float64],
    capsule: NDArray[float64],
    fan: NDArray[float64],
    polygon: NDArray[float64],
    polygon_vertices: NDArray[int64],
    pool: NDArray[float64],
    padding: float,
    forms: NDArray[uint8],
    positions: NDArray[float64],
    shapes: NDArray[float64],
    boxes: NDArray[float64],
    angles: NDArray[float64],
    moved: NDArray[uint8],
) -> int:
    """Bring the last six arrays, one row for each of ``kinds``, up to date with the component blocks.

    The blocks have shape (fields, rows). Their fields, in order: transform x, y, angle; circle radius, offset_x,
    offset_y; aabb half_width, half_height, offsets; obb the same and angle; capsule length, radius, offsets, angle;
    fan radius, spread, direction, offsets; polygon radius, offsets, angle, with (start, count) in the pool as integers.

    Looked at are the rows of ``which``; written are those of them that are ``stale``, whose collider may have changed
    that is, and those whose transform is not the one of ``positions`` and ``angles`` any more. Where anything is
    different afterwards ``moved`` is set; ``stale`` is set back. Returns in how many rows that was so.

    ``boxes`` are in the world, widened by ``padding`` relative to their largest coordinate, so that rounding never
    parts two boxes whose shapes touch (0 for the box itself).
    """
    different = 0
    for j in range(which.shape[0]):
        i = int(int64(which[j]))
        t = transform_rows[i]
        x = transform[0, t]
        y = transform[1, t]
        angle = transform[2, t]
        turned = stale[i] != 0 or angle != angles[i]
        if not turned and x == positions[i, 0] and y == positions[i, 1]:
            continue
        changed = (x != positions[i, 0]) | (y != positions[i, 1])
        positions[i, 0] = x
        positions[i, 1] = y
        angles[i] = angle
        kind = kinds[i]
        if stale[i] != 0:
            stale[i] = 0
            changed |= size_shape(
                i, kind, collider_rows[i], circle, aabb, obb, capsule, fan, polygon, polygon_vertices, pool, forms,
                shapes,
            )  # fmt: skip
        else:
            # Turning changes nothing in a circle about the position, nor in what ignores rotation.
            centred = forms[i] == CIRCLE and shapes[i, CX] == 0.0 and shapes[i, CY] == 0.0
            turned = turned and not centred and kind != KIND_AABB
        if turned:
            changed |= turn_shape(
                i, angle, kind, collider_rows[i], circle, aabb, obb, capsule, fan, polygon, forms, shapes
            )  # fmt: skip
        if not changed:
            continue
        moved[i] = 1
        different += 1
        min_x, min_y, max_x, max_y = shape_box(forms[i], shapes, i, pool)
        pad_x = padding * (abs(x) + max(abs(min_x), abs(max_x)))
        pad_y = padding * (abs(y) + max(abs(min_y), abs(max_y)))
        boxes[i, 0] = x + min_x - pad_x
        boxes[i, 1] = y + min_y - pad_y
        boxes[i, 2] = x + max_x + pad_x
        boxes[i, 3] = y + max_y + pad_y
    return different
