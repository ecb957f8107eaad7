"""The collider classes: what shape an entity has. An entity may carry several of different classes.

Every collider lies in the frame of its entity's ``Transform``: ``offset_x``, ``offset_y`` (world units) place it, and
``angle`` (radians, counter-clockwise) turns it about its own center, in addition to the transform's angle. Offsets
and angles are finite. A ``sensor`` reports hits without blocking: bodies, movers and bullets pass it, it has no mass,
and queries do not find it. The classes are final: systems find colliders by their exact class.
"""

from __future__ import annotations

import math
from typing import Any, Final, Self, final, get_args

import numpy as np
from numpy import float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.polygon_collider import VERTEX_POOL, ChainCollider
from ecsphys.components.collision.polygon_collider import PolygonCollider as PolygonCollider
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.column import column, finite_number, number_pair, show
from ecsphys.components.store.component import MixedComponent
from ecsphys.components.store.standing_blocks import while_blocks_stand
from ecsphys.engine.math.elementary import atan2, hypot
from ecsphys.engine.shapes import placement
from ecsphys.engine.shapes.layout import SHAPE_COLUMNS, ShapeArrays
from ecsphys.engine.shapes.placement import ColliderBlocks, FieldBounds, PlacedShapes, PlacingArrays, find_bad_shape

# Two lengths are equal up to this, and two directions whose sine is below the second cannot be told apart: rounding of
# the given coordinates alone turns them by as much.
_EQUAL_LENGTHS: Final = 1e-9
_EQUAL_DIRECTIONS: Final = 4.0 * 2.0**-52


@final
class CircleCollider(MixedComponent, tracked=True):
    """A disc.

    Parameters
    ----------
    radius
        World units, > 0.
    offset_x, offset_y
        Position of the center in the entity's frame, units; it turns with the entity. Chapters C3–C6.
    sensor
        Whether it reports hits without blocking: bodies, movers and bullets pass it, and queries do not find it.

    Examples
    --------
    >>> ball = esper.create_entity(Transform(0, 5), CircleCollider(0.5))
    """

    radius: float = column(above=0.0)
    offset_x: float = 0.0
    offset_y: float = 0.0
    sensor: bool = column(default=False, dtype="uint8")


class _Box(MixedComponent):
    """The fields of both boxes, and other ways to give them."""

    half_width: float = column(above=0.0)
    half_height: float = column(above=0.0)
    offset_x: float = 0.0
    offset_y: float = 0.0

    @classmethod
    def from_size(
        cls, width: float, height: float, offset_x: float = 0.0, offset_y: float = 0.0, sensor: bool = False
    ) -> Self:
        """The box with this full ``width`` and ``height``, > 0, centered at the offset."""
        return cls._of(*_halves(cls, width, height), offset_x, offset_y, sensor)

    @classmethod
    def from_corners(cls, ax: float, ay: float, bx: float, by: float, sensor: bool = False) -> Self:
        """The box with (ax, ay) and (bx, by) as opposite corners, in any order, in the entity's frame."""
        ax, ay, bx, by = _numbers(f"{cls.__name__} ", ax=ax, ay=ay, bx=bx, by=by)
        half_width, half_height = abs(0.5 * bx - 0.5 * ax), abs(0.5 * by - 0.5 * ay)
        for axis, half, one, other in (("x", half_width, ax, bx), ("y", half_height, ay, by)):
            if half <= 0.0:
                raise ValueError(f"{cls.__name__} a{axis} and b{axis} must differ, got {one!r} and {other!r}")
        return cls._of(half_width, half_height, 0.5 * ax + 0.5 * bx, 0.5 * ay + 0.5 * by, sensor)

    @classmethod
    def from_rect(cls, x: float, y: float, width: float, height: float, sensor: bool = False) -> Self:
        """The box from (x, y) to (x + width, y + height) in the entity's frame. With y down, (x, y) is the upper left
        corner. ``from_rect(0, 0, w, h)`` makes the Transform this corner.
        """
        half_width, half_height = _halves(cls, width, height)
        x, y = _numbers(f"{cls.__name__} ", x=x, y=y)
        return cls._of(half_width, half_height, x + half_width, y + half_height, sensor)

    @classmethod
    def _of(cls, half_width: float, half_height: float, offset_x: float, offset_y: float, sensor: bool) -> Self:
        box = cls(half_width, half_height, offset_x, offset_y)
        # A field of both boxes, after their own fields.
        box.sensor = sensor  # type: ignore[attr-defined]
        return box


@final
class AABBCollider(_Box, tracked=True):
    """A box along the world's axes: an axis-aligned bounding box. The box and its offset never turn.

    Parameters
    ----------
    half_width, half_height
        From the center to the sides, world units, > 0.
    offset_x, offset_y
        From the entity's position to the center, units, along the world's axes. Chapters C1, C4, C15.
    sensor
        Whether it reports hits without blocking: bodies, movers and bullets pass it, and queries do not find it.

    Examples
    --------
    >>> tile = esper.create_entity(Transform(8, 8), AABBCollider(8, 8))
    """

    sensor: bool = column(default=False, dtype="uint8")


@final
class OBBCollider(_Box, tracked=True):
    """A box that turns with its entity: an oriented bounding box.

    Parameters
    ----------
    half_width, half_height
        From the center to the sides along its own axes, world units, > 0.
    offset_x, offset_y
        Position of the center in the entity's frame, units; it turns with the entity.
    angle
        Radians, counter-clockwise about its own center, added to the entity's. Chapters C5, C7, C15.
    sensor
        Whether it reports hits without blocking: bodies, movers and bullets pass it, and queries do not find it.

    Examples
    --------
    >>> crate = esper.create_entity(Transform(2, 1, angle=0.3), OBBCollider(0.5, 0.5))
    """

    angle: float = 0.0
    sensor: bool = column(default=False, dtype="uint8")


@final
class CapsuleCollider(MixedComponent, tracked=True):
    """A thick line: all points nearer than ``radius`` to a core along the local x axis, centered.

    Parameters
    ----------
    length
        Length of the core, without the caps, world units, >= 0; 0 is a circle.
    radius
        World units, > 0.
    offset_x, offset_y
        Position of the center in the entity's frame, units; it turns with the entity.
    angle
        Radians, counter-clockwise about its own center, added to the entity's; π/2 stands upright. Chapter C11.
    sensor
        Whether it reports hits without blocking: bodies, movers and bullets pass it, and queries do not find it.

    Examples
    --------
    >>> hero = esper.create_entity(Transform(0, 1), CapsuleCollider(1.0, 0.4, angle=math.pi / 2))
    """

    length: float = column(low=0.0)
    radius: float = column(above=0.0)
    offset_x: float = 0.0
    offset_y: float = 0.0
    angle: float = 0.0
    sensor: bool = column(default=False, dtype="uint8")

    @classmethod
    def from_points(cls, ax: float, ay: float, bx: float, by: float, radius: float, sensor: bool = False) -> Self:
        """The capsule with a core from (ax, ay) to (bx, by), in the entity's frame; equal points give a circle.

        ``radius``: world units, > 0. Raises TypeError unless all are numbers, and ValueError unless all are finite and
        the radius is greater than 0.
        """
        ax, ay, bx, by = _numbers("CapsuleCollider.", ax=ax, ay=ay, bx=bx, by=by)
        length = hypot(bx - ax, by - ay)
        return cls(length, radius, 0.5 * ax + 0.5 * bx, 0.5 * ay + 0.5 * by, atan2(by - ay, bx - ax), sensor)

    @classmethod
    def upright(
        cls, height: float, radius: float, offset_x: float = 0.0, offset_y: float = 0.0, sensor: bool = False
    ) -> Self:
        """The capsule along y, ``height`` from end to end. Raises ValueError unless it is at least 2 · ``radius``."""
        height, radius = _numbers("CapsuleCollider.", height=height, radius=radius)
        if height < 2.0 * radius:
            raise ValueError(
                f"CapsuleCollider.upright: height must be at least 2·radius, got {height!r} and a radius of {radius!r}"
            )
        return cls(height - 2.0 * radius, radius, offset_x, offset_y, 0.5 * math.pi, sensor)


@final
class FanCollider(MixedComponent, tracked=True):
    """A sector of a disc, such as a sword's swing or a field of view: ``direction`` ± ``spread``/2 about its apex.

    Parameters
    ----------
    radius
        World units, > 0.
    spread
        The whole angle, radians in (0, 2π]; 2π is the full disc. Above π the fan is not convex.
    direction
        Angle of its middle: radians, counter-clockwise from the local x axis.
    offset_x, offset_y
        Position of the apex in the entity's frame, units; it turns with the entity. Chapters C12, C13.
    sensor
        Whether it reports hits without blocking: bodies, movers and bullets pass it, and queries do not find it.

    Examples
    --------
    >>> guard = esper.create_entity(Transform(), FanCollider(6, spread=math.radians(90)))
    """

    radius: float = column(above=0.0)
    spread: float = column(above=0.0, high=math.tau)
    direction: float = 0.0
    offset_x: float = 0.0
    offset_y: float = 0.0
    sensor: bool = column(default=False, dtype="uint8")

    @classmethod
    def from_vectors(
        cls, v1: tuple[float, float], v2: tuple[float, float], radius: float | None = None, sensor: bool = False
    ) -> Self:
        """The fan from the direction of ``v1`` counter-clockwise to the direction of ``v2``; its spread is in (0, 2π).

        With ``radius`` None, the radius is the length of ``v1``, and ``v2`` must have the same length (relative error
        1e-9). Raises TypeError unless both are pairs of numbers. Raises ValueError for a zero vector, for different
        lengths without a radius, and for equal directions: rounding would decide between an empty and a full fan.
        """
        x1, y1 = _vector("v1", v1)
        x2, y2 = _vector("v2", v2)
        length1, length2 = hypot(x1, y1), hypot(x2, y2)
        if radius is None:
            if abs(length1 - length2) > _EQUAL_LENGTHS * length1:
                raise ValueError(
                    f"FanCollider.from_vectors needs a radius, because the lengths of v1 and v2 differ: {length1!r} and"
                    f" {length2!r}"
                )
            radius = length1
        # Scaled by powers of two, which is exact: parallel vectors keep a cross product of exactly 0.
        scale1, scale2 = math.frexp(max(abs(x1), abs(y1)))[1], math.frexp(max(abs(x2), abs(y2)))[1]
        x1, y1 = math.ldexp(x1, -scale1), math.ldexp(y1, -scale1)
        x2, y2 = math.ldexp(x2, -scale2), math.ldexp(y2, -scale2)
        cross, dot = x1 * y2 - y1 * x2, x1 * x2 + y1 * y2
        if dot > 0.0 and abs(cross) <= _EQUAL_DIRECTIONS * dot:
            raise ValueError(
                f"FanCollider.from_vectors: v1 and v2 must have different directions, got {v1!r} and {v2!r}"
            )
        spread = atan2(cross, dot) % math.tau
        return cls(radius, spread, math.remainder(atan2(y1, x1) + 0.5 * spread, math.tau), sensor=sensor)


Collider = CircleCollider | AABBCollider | OBBCollider | CapsuleCollider | FanCollider | PolygonCollider
"""Any collider, for annotations."""

SHAPE_CLASSES: Final[tuple[type[Collider], ...]] = get_args(Collider)
"""The classes of single shapes, in the order of their kinds 0 … 5."""

COLLIDER_CLASSES: Final[tuple[type[Collider] | type[ChainCollider], ...]] = (*SHAPE_CLASSES, ChainCollider)
"""All collider classes, in the order of their kinds 0 … 6, by which hits are ordered. The last is the chain, whose
segments are its parts."""


COLLIDER_KINDS: Final = {cls: kind for kind, cls in enumerate(SHAPE_CLASSES)}
"""The kind of each class of single shapes."""

ROW_KINDS: Final = (*COLLIDER_KINDS.values(), COLLIDER_KINDS[PolygonCollider])
"""By the kind of a collider, the kind of the class whose block has its row: the segments of chains are polygons."""


def _numbers(owner: str, **values: float) -> list[float]:
    """Finite floats; errors begin with ``owner`` and the name."""
    return [finite_number(owner + name, value) for name, value in values.items()]


def _halves(cls: type[_Box], width: float, height: float) -> tuple[float, float]:
    """Half of a width and a height. Raises ValueError unless both are greater than 0."""
    for name, size in zip(("width", "height"), _numbers(f"{cls.__name__} ", width=width, height=height), strict=True):
        if size <= 0.0:
            raise ValueError(f"{cls.__name__} {name} must be greater than 0, got {size!r}")
    return 0.5 * width, 0.5 * height


def _vector(name: str, value: Any) -> tuple[float, float]:
    x, y = number_pair(f"FanCollider.from_vectors: {name}", value)
    if x == 0.0 and y == 0.0:
        raise ValueError(f"FanCollider.from_vectors: {name} must not be the zero vector, got {show(value)}")
    return x, y


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
