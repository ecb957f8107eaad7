"""From colliders to placed shapes: form and sizes, centre and axis, bounding box.

The blocks of components have shape (fields, rows); their fields are named below, in their order.
"""

from __future__ import annotations

import math

from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.engine.kernels import NamedTuple, index, inlined_scalar, kernel, packed, scalar
from ecsphys.engine.kernels.arrays import Float64Rows, Float64s, Int32s, Int64Rows, Int64s, Uint8Rows, Uint8s
from ecsphys.engine.math.elementary import cos_sin, cosine_of, sine_of
from ecsphys.engine.shapes import layout
from ecsphys.engine.shapes.measures import shape_box

TRANSFORM_X, TRANSFORM_Y, TRANSFORM_ANGLE = range(3)
CIRCLE_RADIUS = 0
BOX_HALF_WIDTH, BOX_HALF_HEIGHT = 0, 1
CAPSULE_LENGTH, CAPSULE_RADIUS = 0, 1
FAN_RADIUS, FAN_SPREAD = 0, 1
POLYGON_RADIUS = 0
# By kind: the first of the two offsets; and the angle, which neither a circle nor an AABB has.
_OFFSETS = (1, 2, 2, 2, 3, 1, 1)
_ANGLES = (0, 4, 4, 4, 2, 3, 3)
POLYGON_START, POLYGON_COUNT = range(2)
# Of the bytes of every class.
SENSOR = 0

# The form of a shape that was not placed yet.
NO_FORM = 255

# Which grid a shape is filed in: none, the sleeping one, the awake one, or beside both, as it has changed since.
NOT_FILED, FILED_SLEEPING, FILED_AWAKE, FILED_ASIDE = 0, 1, 2, 3

# Counts: shapes in each list of PlacingNotes, and how many shapes have ever changed.
MOVED_COUNT, ASIDE_COUNT, CHANGE_COUNT = 0, 1, 2
NOTED_COUNTS = 3

# Three ways with shapes that are different: nothing is done, they are noted, or they are marked, to be noted
# afterwards.
NOT_NOTED, NOTED, MARKED = 0, 1, 2


@packed
class ColliderBlocks(NamedTuple):
    """The float64 blocks of the classes, the int64 block of the polygons (runs of vertices), the vertices; and the
    blocks of bytes."""

    circle: Float64Rows
    aabb: Float64Rows
    obb: Float64Rows
    capsule: Float64Rows
    fan: Float64Rows
    polygon: Float64Rows
    polygon_runs: Int64Rows
    pool: Float64Rows
    circle_bytes: Uint8Rows
    aabb_bytes: Uint8Rows
    obb_bytes: Uint8Rows
    capsule_bytes: Uint8Rows
    fan_bytes: Uint8Rows
    polygon_bytes: Uint8Rows


@packed
class ShapeSources(NamedTuple):
    """The source of each shape: kind, rows of transform and collider, and whether it must be read again; and
    whether it is a sensor, without numbers where nothing asks for that."""

    kind: Uint8s
    transform_row: Int32s
    collider_row: Int32s
    stale: Uint8s
    sensor: Uint8s


@packed
class PlacedShapes(NamedTuple):
    """Shapes in the world, a row each: see :mod:`ecsphys.engine.shapes.layout`.

    ``boxes`` are bounding boxes, ``angles`` the transforms' angles. ``moved`` is set where any of that changed, until
    the broadphase has seen it, with the bit MARKED until it is noted; ``filed`` tells which grid has the shape.
    """

    forms: Uint8s
    positions: Float64Rows
    shapes: Float64Rows
    boxes: Float64Rows
    angles: Float64s
    moved: Uint8s
    filed: Uint8s


@packed
class PlacingNotes(NamedTuple):
    """Lists with room for all: shapes that have ``moved``, shapes ``aside``, beside the grids; and the ``counts``
    (3,)."""

    moved: Int32s
    aside: Int32s
    counts: Int64s


@packed
class PlacingArrays(NamedTuple):
    """All that placing reads and writes.

    The entities that have the rows of Transform are ``owners``, by row, −1 for none; their colliders are a list, from
    ``head`` (by entity) from one ``following`` to the next; slots count whose ``absence`` is 0.
    """

    sources: ShapeSources
    transforms: Float64Rows
    blocks: ColliderBlocks
    placed: PlacedShapes
    notes: PlacingNotes
    owners: Int32s
    head: Int32s
    following: Int32s
    absence: Uint8s


@inlined_scalar
def size_shape(i: int, kind: int, k: int, blocks: ColliderBlocks, placed: PlacedShapes) -> bool:
    """Write form and sizes of placed shape i, a collider of a kind, row k of its block; returns whether they
    changed."""
    form = layout.BOX
    half_x = 0.0
    half_y = 0.0
    radius = 0.0
    widest = 0.0
    if kind == layout.KIND_CIRCLE:
        form = layout.CIRCLE
        radius = blocks.circle[CIRCLE_RADIUS, k]
    elif kind == layout.KIND_AABB:
        half_x = blocks.aabb[BOX_HALF_WIDTH, k]
        half_y = blocks.aabb[BOX_HALF_HEIGHT, k]
    elif kind == layout.KIND_OBB:
        half_x = blocks.obb[BOX_HALF_WIDTH, k]
        half_y = blocks.obb[BOX_HALF_HEIGHT, k]
    elif kind == layout.KIND_CAPSULE:
        half_x = 0.5 * blocks.capsule[CAPSULE_LENGTH, k]
        radius = blocks.capsule[CAPSULE_RADIUS, k]
        form = layout.CAPSULE if half_x > 0.0 else layout.CIRCLE
    elif kind == layout.KIND_FAN:
        radius = blocks.fan[FAN_RADIUS, k]
        spread = blocks.fan[FAN_SPREAD, k]
        form = layout.CIRCLE
        if spread < 2.0 * math.pi:
            form = layout.FAN if spread <= math.pi else layout.WIDE_FAN
            half_x = cosine_of(0.5 * spread)
            half_y = sine_of(0.5 * spread)
    else:
        form = layout.POLYGON
        radius = blocks.polygon[POLYGON_RADIUS, k]
        start = blocks.polygon_runs[POLYGON_START, k]
        count = blocks.polygon_runs[POLYGON_COUNT, k]
        half_x = float(start)
        half_y = float(count)
        for v in range(start, start + count):
            widest = max(widest, abs(blocks.pool[v, layout.POOL_X]) + abs(blocks.pool[v, layout.POOL_Y]))
    if form in (layout.BOX, layout.CAPSULE):
        widest = half_x + half_y
    # A polygon's vertices may have been assigned: they are not in the row.
    shapes = placed.shapes
    same = (
        (placed.forms[i] == form)
        & (form != layout.POLYGON)
        & (shapes[i, layout.HALF_X] == half_x)
        & (shapes[i, layout.HALF_Y] == half_y)
        & (shapes[i, layout.RADIUS] == radius)
    )
    placed.forms[i] = form
    shapes[i, layout.HALF_X] = half_x
    shapes[i, layout.HALF_Y] = half_y
    shapes[i, layout.RADIUS] = radius
    shapes[i, layout.EXTENT] = radius + widest
    return not same


@inlined_scalar
def _read_sensor(i: int, sources: ShapeSources, blocks: ColliderBlocks) -> bool:
    """Note whether shape i is a sensor; returns whether this changed."""
    kind = int(sources.kind[i]) + 0
    k = int(sources.collider_row[i]) + 0
    if kind == layout.KIND_CIRCLE:
        sensor = blocks.circle_bytes[SENSOR, k]
    elif kind == layout.KIND_AABB:
        sensor = blocks.aabb_bytes[SENSOR, k]
    elif kind == layout.KIND_OBB:
        sensor = blocks.obb_bytes[SENSOR, k]
    elif kind == layout.KIND_CAPSULE:
        sensor = blocks.capsule_bytes[SENSOR, k]
    elif kind == layout.KIND_FAN:
        sensor = blocks.fan_bytes[SENSOR, k]
    else:
        sensor = blocks.polygon_bytes[SENSOR, k]
    same = sources.sensor[i] == sensor
    sources.sensor[i] = sensor
    return not same


@inlined_scalar
def turn_shape(i: int, angle: float, kind: int, k: int, blocks: ColliderBlocks, placed: PlacedShapes) -> bool:
    """Write centre and axis of placed shape i, in a frame turned by ``angle``; returns whether they changed."""
    block = blocks.circle
    if kind == layout.KIND_AABB:
        block = blocks.aabb
        angle = 0.0
    elif kind == layout.KIND_OBB:
        block = blocks.obb
    elif kind == layout.KIND_CAPSULE:
        block = blocks.capsule
    elif kind == layout.KIND_FAN:
        block = blocks.fan
    elif kind != layout.KIND_CIRCLE:
        block = blocks.polygon
    offset = index(_OFFSETS[kind])
    offset_x, offset_y = block[offset, k], block[offset + 1, k]
    local_angle = 0.0 if kind <= layout.KIND_AABB else block[index(_ANGLES[kind]), k]
    if angle != 0.0 and (offset_x != 0.0 or offset_y != 0.0):
        c, s = cos_sin(angle)
        offset_x, offset_y = c * offset_x - s * offset_y, s * offset_x + c * offset_y
    axis_x = 1.0
    axis_y = 0.0
    angle += local_angle
    if angle != 0.0 and placed.forms[i] != layout.CIRCLE:
        axis_x, axis_y = cos_sin(angle)
    shapes = placed.shapes
    same = (
        (shapes[i, layout.CX] == offset_x)
        & (shapes[i, layout.CY] == offset_y)
        & (shapes[i, layout.AXIS_X] == axis_x)
        & (shapes[i, layout.AXIS_Y] == axis_y)
    )
    shapes[i, layout.CX] = offset_x
    shapes[i, layout.CY] = offset_y
    shapes[i, layout.AXIS_X] = axis_x
    shapes[i, layout.AXIS_Y] = axis_y
    return not same


@inlined_scalar
def _list_aside(i: int, placed: PlacedShapes, notes: PlacingNotes) -> None:
    """List a shape that no grid has any more, unless it is listed."""
    count = int(int64(notes.counts[ASIDE_COUNT]))
    if placed.filed[i] != FILED_ASIDE and count < notes.aside.shape[0]:
        placed.filed[i] = FILED_ASIDE
        notes.aside[count] = i
        notes.counts[ASIDE_COUNT] = count + 1


@inlined_scalar
def _list_moved(i: int, placed: PlacedShapes, notes: PlacingNotes) -> None:
    """List a shape that has moved, and is in no grid any more, unless it is listed."""
    count = int(int64(notes.counts[MOVED_COUNT]))
    if placed.moved[i] == 0 and count < notes.moved.shape[0]:
        placed.moved[i] = 1
        notes.moved[count] = i
        notes.counts[MOVED_COUNT] = count + 1
    _list_aside(i, placed, notes)


@inlined_scalar
def _put_box(i: int, x: float, y: float, padding: float, placed: PlacedShapes, pool: NDArray[float64]) -> None:
    """Write the box of a shape at (x, y); see :func:`place_shapes` for the padding."""
    min_x, min_y, max_x, max_y = shape_box(placed.forms[i], placed.shapes, i, pool)
    pad_x = padding * (abs(x) + max(abs(min_x), abs(max_x)))
    pad_y = padding * (abs(y) + max(abs(min_y), abs(max_y)))
    placed.boxes[i, 0] = x + min_x - pad_x
    placed.boxes[i, 1] = y + min_y - pad_y
    placed.boxes[i, 2] = x + max_x + pad_x
    placed.boxes[i, 3] = y + max_y + pad_y


@scalar
def shift_shape(
    i: int, x: float, y: float, padding: float, placed: PlacedShapes, pool: NDArray[float64], notes: PlacingNotes
) -> None:
    """Place shape i, which is up to date otherwise, at (x, y), and list it, as :func:`place_shapes` does."""
    placed.positions[i, 0] = x
    placed.positions[i, 1] = y
    _list_moved(i, placed, notes)
    notes.counts[CHANGE_COUNT] += 1
    _put_box(i, x, y, padding, placed, pool)


# Lists and flags change together, in one call each: no interrupt comes between them.


@kernel
def put_aside(which: Int32s, placed: PlacedShapes, notes: PlacingNotes) -> None:
    """List some shapes that no grid has any more."""
    for k in range(which.shape[0]):
        _list_aside(int(int64(which[k])), placed, notes)


@kernel
def note_marked(which: Int32s, placed: PlacedShapes, notes: PlacingNotes) -> None:
    """Note the shapes, among some, that :func:`place_shapes` has marked."""
    for k in range(which.shape[0]):
        i = int(int64(which[k]))
        if placed.moved[i] & MARKED:
            placed.moved[i] &= ~MARKED
            _list_moved(i, placed, notes)


@scalar
def _forget_moved(placed: PlacedShapes, notes: PlacingNotes) -> None:
    for k in range(notes.counts[MOVED_COUNT]):
        placed.moved[notes.moved[k]] = 0
    notes.counts[MOVED_COUNT] = 0


@kernel
def note_filed(filed: Int32s, placed: PlacedShapes, notes: PlacingNotes, are_seen: bool) -> None:
    """Empty the list of unfiled shapes; the ``filed`` ones are in the grid of awake shapes.

    Where they ``are_seen``, by the broadphase, the list of moved shapes is emptied as well.
    """
    if are_seen:
        _forget_moved(placed, notes)
    for k in range(notes.counts[ASIDE_COUNT]):
        if placed.filed[notes.aside[k]] == FILED_ASIDE:
            placed.filed[notes.aside[k]] = NOT_FILED
    notes.counts[ASIDE_COUNT] = 0
    for k in range(filed.shape[0]):
        placed.filed[filed[k]] = FILED_AWAKE


@kernel
def forget_moved(placed: PlacedShapes, notes: PlacingNotes) -> None:
    """Empty the list of moved shapes."""
    _forget_moved(placed, notes)


@inlined_scalar
def _place_shape(i: int, arrays: PlacingArrays, padding: float) -> bool:
    """Bring placed shape i up to date; returns whether it is different then."""
    sources, transforms, blocks, placed = arrays.sources, arrays.transforms, arrays.blocks, arrays.placed
    t = sources.transform_row[i]
    x = transforms[TRANSFORM_X, t]
    y = transforms[TRANSFORM_Y, t]
    angle = transforms[TRANSFORM_ANGLE, t]
    turned = sources.stale[i] != 0 or angle != placed.angles[i]
    changed = (x != placed.positions[i, 0]) | (y != placed.positions[i, 1])
    if not turned and not changed:
        return False
    placed.positions[i, 0] = x
    placed.positions[i, 1] = y
    placed.angles[i] = angle
    kind = sources.kind[i]
    if sources.stale[i] != 0:
        sources.stale[i] = 0
        changed |= size_shape(i, kind, sources.collider_row[i], blocks, placed)
        if sources.sensor.shape[0] > 0:
            changed |= _read_sensor(i, sources, blocks)
    else:
        # Turning changes nothing in a circle about the position, nor in what ignores rotation.
        centred = (
            placed.forms[i] == layout.CIRCLE
            and placed.shapes[i, layout.CX] == 0.0
            and placed.shapes[i, layout.CY] == 0.0
        )
        turned = turned and not centred and kind != layout.KIND_AABB
    if turned:
        changed |= turn_shape(i, angle, kind, sources.collider_row[i], blocks, placed)
    if not changed:
        return False
    _put_box(i, x, y, padding, placed, blocks.pool)
    return True


@kernel
def hide_shapes(slots: Int32s, placed: PlacedShapes) -> None:
    """Let some slots have no shape.

    Unfiled slots stay listed: no slot may be listed twice.
    """
    for k in range(slots.shape[0]):
        slot = int(slots[k]) + 0
        for side in range(4):
            placed.boxes[slot, side] = math.nan
        placed.forms[slot] = NO_FORM
        if placed.filed[slot] != FILED_ASIDE:
            placed.filed[slot] = NOT_FILED


@kernel
def place_shapes(which: Int32s, row: int, arrays: PlacingArrays, padding: float, noting: int) -> int:
    """Bring some placed shapes up to date with the blocks of components.

    Looked at are the shapes ``which`` (k,) or, if there is a ``row`` (else −1), the shapes of the entity that has this
    row of Transform. It writes the ``stale`` ones among them, whose collider may have changed, and those
    whose transform is not the one that they were placed by. ``stale`` is set back. Returns how many are different then.

    If these must be NOTED they are ``moved``, and in the notes, each once. Else the notes stay as they are, and
    several threads may place shapes at once, each its own; where these are MARKED, :func:`note_marked` notes them.

    ``boxes`` are in the world, widened by ``padding`` relative to their largest coordinate, so that rounding never
    parts two boxes whose shapes touch (0 for the box itself).
    """
    different = 0
    placed, notes, owners = arrays.placed, arrays.notes, arrays.owners
    by_entity = row >= 0
    owner = int(owners[row]) + 0 if 0 <= row < owners.shape[0] else -1
    following = int(arrays.head[owner]) + 0 if owner >= 0 else -1
    j = 0
    while True:
        i = following
        if by_entity:
            if i < 0:
                break
            following = int(arrays.following[i]) + 0
            if arrays.absence[i] != 0:
                continue
        else:
            if j == which.shape[0]:
                break
            i = int(int64(which[j]))
            j += 1
        if _place_shape(i, arrays, padding):
            different += 1
            if noting == MARKED:
                placed.moved[i] |= MARKED
            if noting == NOTED:
                _list_moved(i, placed, notes)
    if noting == NOTED:
        notes.counts[CHANGE_COUNT] += different
    return different


@inlined_scalar
def place_rows(rows: Int64s, count: int, slots: Int32s, arrays: PlacingArrays, padding: float) -> int:
    """Bring the shapes of the entities with the first ``count`` of some rows of Transform up to date, and note those
    that are different then, as :func:`place_shapes` does.

    Writes the slots of all to ``slots``. Returns how many there are: if more than have room, only some are placed.
    """
    found = 0
    for k in range(count):
        row = int(rows[k]) + 0
        owner = int(arrays.owners[row]) + 0 if row < arrays.owners.shape[0] else -1
        slot = int(arrays.head[owner]) + 0 if owner >= 0 else -1
        while slot >= 0:
            if arrays.absence[slot] == 0:
                if found == slots.shape[0]:
                    return found + 1
                slots[found] = slot
                found += 1
                if _place_shape(slot, arrays, padding):
                    _list_moved(slot, arrays.placed, arrays.notes)
                    arrays.notes.counts[CHANGE_COUNT] += 1
            slot = int(arrays.following[slot]) + 0
    return found


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
        if kind == layout.KIND_AABB:
            block = blocks.aabb
        elif kind == layout.KIND_OBB:
            block = blocks.obb
        elif kind == layout.KIND_CAPSULE:
            block = blocks.capsule
        elif kind == layout.KIND_FAN:
            block = blocks.fan
        elif kind != layout.KIND_CIRCLE:
            block = blocks.polygon
        last = bounds.low.shape[0] - 1
        if not (_is_within(transforms, sources.transform_row[i], last, bounds) and _is_within(block, k, kind, bounds)):
            return i
    return -1
