"""Checks of what queries are given; every error names the argument and its value."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, SupportsIndex

import numpy as np
from numpy import float64, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import COLLIDER_KINDS, LooseShapes, place_loose, refuse_bad_values
from ecsphys.components.collision.collision_filter import ALL_LAYERS, CollisionFilter
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.column import as_float, number_pair, show, true_or_false
from ecsphys.engine.math.elementary import real_array
from ecsphys.engine.shapes.layout import AXIS_X, BOX, EXTENT, HALF_X, HALF_Y, SHAPE_COLUMNS
from ecsphys.engine.spatial.overlapping import AskedShapes
from ecsphys.engine.spatial.rays import Rays
from ecsphys.engine.spatial.searched_world import ANY, MUTUAL, Excluded, Found
from ecsphys.systems.arguments import whole_number
from ecsphys.systems.world.collider_placing import BOX_PADDING

NOTHING = Excluded(np.zeros(0, int64))


def ray(origin: Any, direction: Any, max_distance: Any) -> tuple[float, float, float, float, float]:
    """Origin and direction, which is not zero, and the distance from 0 to infinity."""
    x, y = number_pair("origin", origin)
    way_x, way_y = number_pair("direction", direction)
    if way_x == 0.0 and way_y == 0.0:
        raise ValueError(f"direction must not be zero, got {direction!r}")
    if type(max_distance) is float and max_distance >= 0.0:  # the usual case, without a call
        return x, y, way_x, way_y, max_distance
    return x, y, way_x, way_y, distance("max_distance", max_distance)


def distance(name: str, value: Any) -> float:
    """A number from 0 to infinity."""
    if type(value) is float and value >= 0.0:
        return value
    if type(value) is int and 0 <= value < 2**53:
        return float(value)
    number = as_float(name, value)
    if not number >= 0.0:
        raise ValueError(f"{name} must be 0 or more, got {show(value)}")
    return number


def count(name: str, value: Any) -> int:
    """A whole number from 1."""
    if type(value) is int and value > 0:  # the usual case, without a call
        return value
    number = whole_number(name, value)
    if number < 1:
        raise ValueError(f"{name} must be 1 or more, got {show(value)}")
    return number


def table(name: str, value: Any, columns: int, rows: int | None = None) -> NDArray[float64]:
    """Finite numbers of shape (n, columns), contiguous; n is the number of ``rows``, if it is given."""
    array = real_array(name, value, f"(n, {columns})")
    if array.size == 0 and array.ndim < 2:
        array = np.zeros((0, columns))
    if array.ndim != 2 or array.shape[1] != columns:
        raise ValueError(f"{name} must be of shape (n, {columns}), got {array.shape}")
    if not np.isfinite(array).all():
        bad = int(np.argmin(np.isfinite(array).all(axis=1)))
        raise ValueError(f"{name}[{bad}] must be finite, got {array[bad].tolist()}")
    if rows is not None and len(array) != rows:
        raise ValueError(f"{name} must have {rows} rows, one per query, got {len(array)}")
    return array


def rays(origins: Any, directions: Any, max_distance: Any, room: Callable[[int], Found]) -> Rays:
    """Rays of (n, 2) and (n, 2) numbers, the directions not zero; with one distance, or (n,), from 0 to infinity.
    ``room`` makes room for their results."""
    starts = table("origins", origins, 2)
    ways = table("directions", directions, 2, len(starts))
    zero = (ways[:, 0] == 0.0) & (ways[:, 1] == 0.0)
    if zero.any():
        raise ValueError(f"directions[{int(np.argmax(zero))}] must not be zero")
    name, wanted = "max_distance", len(starts)
    reach = real_array(name, max_distance, "(n,), or one number")
    if reach.ndim == 0:
        reach = np.full(wanted, float(reach))
    if reach.shape != (wanted,):
        raise ValueError(f"{name} must be one number or of shape ({wanted},), got {reach.shape}")
    valid = reach >= 0.0
    if not valid.all():
        bad = int(np.argmin(valid))
        raise ValueError(f"{name}[{bad}] must be 0 or more, got {float(reach[bad])!r}")
    return Rays(starts, ways, reach.copy(), room(wanted))


Filter = CollisionFilter | SupportsIndex | None
"""What a query may find: what a filter's mask allows, entities in the layers of an int, or all."""

Ignored = int | Iterable[int]
"""The entities that a query does not find."""

# For each mask that was given as a layer, the filter that stands for it.
_FILTERS_OF_LAYERS: dict[int, CollisionFilter] = {}


def filter_row(value: Filter, mutual: bool) -> int:
    """The row of a query's filter, as ``Scope.own_filter``."""
    mutual = true_or_false("mutual", mutual)
    if value is None:
        return MUTUAL + 1 if mutual else ANY
    if type(value) is CollisionFilter:  # a subclass has rows of its own
        return MUTUAL - value._row if mutual else value._row
    layers = None
    if type(value) is not bool:
        with suppress(TypeError):
            layers = operator.index(value)
    if layers is None:
        raise TypeError(f"filter must be a layer, a CollisionFilter or None, got {show(value)}")
    if mutual:
        raise ValueError(
            f"mutual needs a CollisionFilter, which says in which layers the query itself is, got the layer {value!r}"
        )
    own = _FILTERS_OF_LAYERS.get(layers)
    if own is None:
        if not 0 < layers <= ALL_LAYERS:
            raise ValueError(f"filter must be one or more layers within 32 bits, got {layers!r}")
        own = _FILTERS_OF_LAYERS[layers] = CollisionFilter(mask=layers)
    return own._row


# The arrays of a few entities that were ignored: they take longer to make than a query takes.
_IGNORED: dict[Any, Excluded] = {}
_MOST_IGNORED = 256
_FEW = 16


def excluded(ignore: Ignored, dead: set[int]) -> Excluded:
    """The entities that a query does not see: those ignored, and the dead."""
    is_kept = not dead
    if is_kept:
        if type(ignore) is tuple:
            if not ignore:
                return NOTHING
            is_kept = len(ignore) <= _FEW and set(map(type, ignore)) == {int}
        else:
            is_kept = type(ignore) is int
        known = _IGNORED.get(ignore) if is_kept else None
        if known is not None:
            return known
    try:
        entities = [operator.index(ignore)]  # type: ignore[arg-type]
    except TypeError:
        try:
            entities = [operator.index(entity) for entity in ignore]  # type: ignore[union-attr]
        except TypeError:
            raise TypeError(f"ignore must be one entity or several, got {show(ignore)}") from None
    for entity in entities:
        if not -(2**63) <= entity < 2**63:
            raise ValueError(f"ignore must be entities (64-bit numbers), got {show(entity)}")
    found = Excluded(np.array(sorted({*entities, *dead}), int64))
    if is_kept:
        if len(_IGNORED) >= _MOST_IGNORED:
            _IGNORED.clear()
        _IGNORED[ignore] = found
    return found


def place(loose: LooseShapes, collider: Any, transform: Any) -> None:
    """Place a collider by a ``Transform``.

    Raises TypeError unless they are these, and ValueError for a value out of bounds that was written through a column.
    """
    kind = COLLIDER_KINDS.get(type(collider))
    if kind is None:
        raise TypeError(f"collider must be a collider, got {collider!r}")
    if type(transform) is not Transform:
        if not isinstance(transform, Transform):
            raise TypeError(f"transform must be a Transform, got {transform!r}")
        # A subclass has rows of its own.
        transform = Transform(transform.x, transform.y, transform.angle)
    loose.give(0, kind, collider, transform)
    if loose.place(BOX_PADDING) >= 0:
        refuse_bad_values(collider, transform)


def place_collider(collider: Any, transforms: NDArray[float64]) -> AskedShapes:
    """A collider once for each of ``transforms`` (n, 3): x, y, angle. Errors as of :func:`place`."""
    kind = COLLIDER_KINDS.get(type(collider))
    if kind is None:
        raise TypeError(f"collider must be a collider, got {collider!r}")
    collider._columns.check_floats(collider._row)
    every = np.arange(len(transforms), dtype=np.int32)
    placed = place_loose(
        np.full(len(every), kind, uint8),
        np.full(len(every), collider._row, np.int32),
        np.ascontiguousarray(transforms.T),
        every,
        BOX_PADDING,
    )
    return AskedShapes(*placed[:4])


def place_boxes(boxes: NDArray[float64]) -> AskedShapes:
    """Axis-aligned boxes (n, 4): min_x, min_y, max_x, max_y."""
    count = len(boxes)
    # Halved first: the sum of two large coordinates might be infinite.
    low, high = 0.5 * boxes[:, :2], 0.5 * boxes[:, 2:]
    shapes = np.zeros((count, SHAPE_COLUMNS))
    shapes[:, AXIS_X] = 1.0
    shapes[:, HALF_X : HALF_Y + 1] = high - low
    shapes[:, EXTENT] = shapes[:, HALF_X] + shapes[:, HALF_Y]
    return AskedShapes(np.full(count, BOX, uint8), low + high, shapes, boxes)
