"""The arrays of all colliders, as the engine takes them; and colliders without an entity, for geometry and queries."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy import float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import SHAPE_CLASSES, Collider
from ecsphys.components.collision.polygon_collider import VERTEX_POOL, PolygonCollider
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.standing_blocks import while_blocks_stand
from ecsphys.engine.shapes import placement
from ecsphys.engine.shapes.layout import SHAPE_COLUMNS, ShapeArrays
from ecsphys.engine.shapes.placement import ColliderBlocks, FieldBounds, PlacedShapes, PlacingArrays, find_bad_shape

Rows = NDArray[int32]

_NO_ROWS: Final = np.zeros(0, int32)
_NO_FLAGS: Final = np.zeros(0, uint8)
_NO_NOTES: Final = placement.PlacingNotes(_NO_ROWS, _NO_ROWS, np.zeros(placement.NOTED_COUNTS, int64))
_TRANSFORMS: Final = Transform._columns

# How many numbers of a shape end with its position, form and box.
_ENDS: Final = np.cumsum((2, SHAPE_COLUMNS, 4))


@while_blocks_stand
def collider_blocks() -> ColliderBlocks:
    """The blocks of all collider classes; valid until the next collider is created. The same object while they are."""
    # As a list: a checker of types counts what two stars give.
    flags = [cls._columns.uint8 for cls in SHAPE_CLASSES]
    blocks = [
        *(cls._columns.float64 for cls in SHAPE_CLASSES),
        PolygonCollider._columns.int64,
        VERTEX_POOL.data,
        *flags,
    ]
    return ColliderBlocks(*blocks)


def shape_arrays(placed: PlacedShapes) -> ShapeArrays:
    """Placed shapes with the vertices of their polygons, as geometry takes them."""
    return ShapeArrays(placed.forms, placed.positions, placed.shapes, VERTEX_POOL.data)


def _field_bounds() -> FieldBounds:
    stores = [*(cls._columns for cls in SHAPE_CLASSES), _TRANSFORMS]
    most = max(store.low.size for store in stores)
    low, high = np.full((len(stores), most), -np.inf), np.full((len(stores), most), np.inf)
    for line, store in enumerate(stores):
        low[line, : store.low.size], high[line, : store.high.size] = store.low, store.high
    return FieldBounds(low, high)


_BOUNDS: Final = _field_bounds()


def _arrays_for(
    kinds: NDArray[uint8],
    transforms: NDArray[float64],
    transform_rows: Rows,
    rows: Rows,
    blocks: ColliderBlocks | None = None,
) -> tuple[NDArray[float64], PlacingArrays]:
    """The arrays for placing colliders. Positions, shapes, boxes and angles are one behind the other."""
    count = len(kinds)
    numbers = np.zeros(count * (2 + SHAPE_COLUMNS + 4 + 1))
    positions, shapes, boxes, angles = np.split(numbers, _ENDS * count)
    flags = np.zeros((3, count), uint8)
    placed = PlacedShapes(
        flags[0], positions.reshape(-1, 2), shapes.reshape(-1, SHAPE_COLUMNS), boxes.reshape(-1, 4), angles, *flags[1:]
    )
    sources = placement.ShapeSources(kinds, transform_rows, rows, np.ones(count, uint8), _NO_FLAGS)
    no_entities = _NO_ROWS, _NO_ROWS, _NO_ROWS, _NO_FLAGS
    return numbers, PlacingArrays(sources, transforms, blocks or collider_blocks(), placed, _NO_NOTES, *no_entities)


class LooseShapes:
    """Space for some shapes: :meth:`give` each its collider and transform, then :meth:`place` them all.

    ``numbers``: positions, shapes, boxes and angles of all, one behind the other; ``forms``: theirs.
    """

    __slots__ = (
        *("_arrays", "_collider_rows", "_kinds", "_numbers", "_stale", "_transform_rows", "_which"),
        *("forms", "numbers", "placed"),
    )

    def __init__(self, count: int) -> None:
        rows = np.zeros((2, count), int32)
        self.numbers, self._arrays = _arrays_for(np.zeros(count, uint8), _TRANSFORMS.float64, *rows)
        sources, self.placed = self._arrays.sources, self._arrays.placed
        self._kinds, self._transform_rows, self._collider_rows, self._stale = (array.data for array in sources[:4])
        self.forms = self.placed.forms.data
        self._numbers: Any = self.numbers.data
        self._which = np.arange(count, dtype=int32)

    def give(self, i: int, kind: int, collider: Collider, transform: Transform) -> None:
        """Let shape i be a collider, of this kind, at a transform; no subclass of it."""
        self._kinds[i] = kind
        self._collider_rows[i] = collider._row
        self._transform_rows[i] = transform._row
        self._stale[i] = 1
        self._numbers[2 * i] = math.nan  # of another position than this: so all is placed
        arrays = self._arrays
        if (
            arrays.blocks[kind] is not collider._columns.float64
            or arrays.blocks.pool is not VERTEX_POOL.data
            or arrays.transforms is not _TRANSFORMS.float64
        ):
            self._arrays = arrays._replace(blocks=collider_blocks(), transforms=_TRANSFORMS.float64)

    def place(self, padding: float = 0.0) -> int:
        """Place all; ``padding`` as of ``place_shapes``. −1, or the first with a value out of its bounds, if any."""
        arrays = self._arrays
        bad = find_bad_shape(len(self._which), arrays, _BOUNDS)
        if bad < 0:
            placement.place_shapes(self._which, -1, arrays, padding, placement.NOT_NOTED)
        return bad


def refuse_bad_values(collider: Collider, transform: Transform) -> None:
    """ValueError for a value, written through a column, that no assignment accepts."""
    collider._columns.check_floats(collider._row)
    transform._columns.check_floats(transform._row)


def place_loose(
    kinds: NDArray[uint8],
    rows: Rows,
    transforms: NDArray[float64],
    transform_rows: Rows,
    padding: float = 0.0,
    blocks: ColliderBlocks | None = None,
) -> PlacedShapes:
    """n colliders of some ``kinds`` (n,) in ``rows`` (n,) of their blocks, by rows (n,) of ``transforms`` (3, m).

    ``padding``: see ``place_shapes``. ``blocks``: default the blocks of the collider classes.
    """
    _, arrays = _arrays_for(kinds, transforms, transform_rows, rows, blocks)
    placement.place_shapes(np.arange(len(kinds), dtype=int32), -1, arrays, padding, placement.NOT_NOTED)
    return arrays.placed
