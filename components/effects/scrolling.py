"""Scrolling: cameras, pictures that move with them, and ``TileMap``, which draws only its visible tiles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy import bool_, float64, int64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import AABBCollider
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.polygon_collider import ChainCollider
from ecsphys.components.other_names import checks_arguments
from ecsphys.components.store.column import column, make_field, show
from ecsphys.components.store.component import FinalBase, MixedComponent


@final
class Camera(MixedComponent):
    """A view into the world that follows an entity; needs a :class:`ScrollingSystem`.

    Parameters
    ----------
    x, y
        The center of the view, in the world.
    view_width, view_height
        The size of the view, world units, > 0.
    world_width, world_height
        The size of the level, >= 0. The view stays inside the level; if the level is smaller than the view, the view
        stays in its middle. 0: no bounds. Chapter B1.
    world_x, world_y
        The lower left corner of the level.
    target
        The entity whose ``Transform`` the camera follows, −1 for none.
    dead_zone_x, dead_zone_y
        How far the target may be from the center before the camera moves, units, >= 0; 0 keeps it in the center.
        Chapters B3, B4.
    speed_x, speed_y
        Speed of a camera without a target, units/s: it moves from edge to edge. Chapter B1.

    Examples
    --------
    >>> player = esper.create_entity(Transform(4, 4))
    >>> camera = esper.create_entity(Camera(0, 0, 320, 180, target=player, dead_zone_x=20))
    """

    x: float
    y: float
    view_width: float = column(above=0.0)
    view_height: float = column(above=0.0)
    world_width: float = column(default=0.0, low=0.0)
    world_height: float = column(default=0.0, low=0.0)
    world_x: float = 0.0
    world_y: float = 0.0
    target: int = -1
    dead_zone_x: float = column(default=0.0, low=0.0)
    dead_zone_y: float = column(default=0.0, low=0.0)
    speed_x: float = 0.0
    speed_y: float = 0.0


@final
class ParallaxLayer(MixedComponent):
    """A picture of ``width`` × ``height`` units that reaches its ends when the camera reaches the ends of its world.

    On an axis on which the level has no bounds, or fits into the view, the picture stays in the middle of the view.

    Parameters
    ----------
    width, height
        The picture's size, world units, > 0.
    camera
        The entity of its ``Camera``, −1 for the world's first.
    screen_x, screen_y
        Position at which its lower left corner is drawn, from the view's lower left corner, units. The
        :class:`ScrollingSystem` writes it. Chapter B2.

    Examples
    --------
    >>> hills = esper.create_entity(ParallaxLayer(width=480, height=180))
    """

    width: float = column(above=0.0)
    height: float = column(above=0.0)
    camera: int = -1
    screen_x: float = 0.0
    screen_y: float = 0.0


@final
class PerspectiveFloor(MixedComponent):
    """A picture with ``row_count`` rows, as wide as the near (bottom) row, with a trapezoid in its middle.

    Each row scrolls as a layer of its own width: near rows move faster than far rows, and all reach their ends
    together. Rows that are narrower than the view stay in its middle. ``ScrollingSystem.floor_shifts`` has the shifts.

    Parameters
    ----------
    far_width, near_width
        Width of the last row and of row 0, at the bottom, units, > 0; the rows between change linearly.
    row_count
        1 to 1,000,000.
    camera
        The entity of its ``Camera``, −1 for the world's first. Chapter B7.

    Examples
    --------
    >>> floor = esper.create_entity(PerspectiveFloor(far_width=400, near_width=900, row_count=60))
    """

    far_width: float = column(above=0.0)
    near_width: float = column(above=0.0)
    row_count: int = column(low=1, high=1_000_000)
    camera: int = -1


@final
class RasterWave(MixedComponent):
    """Each of ``row_count`` rows is shifted by amplitude·sin(2π(t/period − y/wavelength)).

    ``ScrollingSystem.wave_shifts`` has the shifts.

    Parameters
    ----------
    amplitude
        Units.
    period
        Seconds, > 0.
    wavelength
        Units, > 0.
    row_count
        1 to 1,000,000.
    row_height
        Units, > 0; row r, counted from the bottom, is at y = r·``row_height``.
    elapsed
        t in seconds, settable. Chapter B6.

    Examples
    --------
    >>> water = esper.create_entity(RasterWave(amplitude=3, period=2, wavelength=40, row_count=64))
    """

    amplitude: float
    period: float = column(above=0.0)
    wavelength: float = column(above=0.0)
    row_count: int = column(low=1, high=1_000_000)
    row_height: float = column(default=1.0, above=0.0)
    elapsed: float = 0.0


# The attributes that are checked when they are assigned.
_FIELDS: Final = {
    "tile_size": make_field("TileMap", "tile_size", float, column(above=0.0)),
    "x": make_field("TileMap", "x", float, 0.0),
    "y": make_field("TileMap", "y", float, 0.0),
    "camera": make_field("TileMap", "camera", int, -1),
}


@dataclass(frozen=True, slots=True)
class VisibleTiles:
    """The part of a tile map that a camera sees.

    Attributes
    ----------
    first_column, first_row
        Indices of the lower left visible tile in the map.
    screen_x, screen_y
        (columns,) and (rows,) float64: left edges of the visible columns and lower edges of the rows, units from the
        view's lower left corner.
    tiles
        (rows, columns) int64: the ids of the visible tiles, a live view of the map.
    """

    first_column: int
    first_row: int
    screen_x: NDArray[float64]
    screen_y: NDArray[float64]
    tiles: NDArray[int64]

    @property
    def columns(self) -> int:
        """Number of visible columns."""
        return self.screen_x.size

    @property
    def rows(self) -> int:
        """Number of visible rows."""
        return self.screen_y.size


@checks_arguments
@final
class TileMap(FinalBase):
    """Tile ids in a grid of square tiles, for drawing; :meth:`chain` and :meth:`boxes` make colliders of them.

    Parameters
    ----------
    tiles
        (rows, columns) of integers or bools, at least one tile; True is 1. Row 0 has the smallest y, so give a map that
        is written from the top down as ``rows[::-1]``, unless y points down. The map keeps its own copy, int64. You may
        write tiles in it; the change shows at once.
    tile_size
        Side of a tile, world units, > 0.
    x, y
        The map's lower left corner in the world.
    camera
        The entity of its ``Camera``, −1 for the world's first. Chapter B5.

    Attributes
    ----------
    visible
        The :class:`VisibleTiles` that the ``ScrollingSystem`` found, None before its first step.

    Raises
    ------
    ValueError, TypeError
        For a bad value; also when assigned.

    Examples
    --------
    >>> level = TileMap([[1, 1, 1], [0, 0, 2]], tile_size=16)
    >>> level.tiles.shape
    (2, 3)
    """

    __slots__ = ("_tiles", "camera", "tile_size", "visible", "x", "y")

    tile_size: float
    x: float
    y: float
    camera: int
    visible: VisibleTiles | None

    def __init__(
        self,
        tiles: NDArray[Any] | Sequence[Sequence[int]],
        tile_size: float,
        x: float = 0.0,
        y: float = 0.0,
        camera: int = -1,
    ) -> None:
        try:
            array = np.asarray(tiles)
        except ValueError:
            raise ValueError(f"TileMap.tiles must have rows of equal length, got {show(tiles)}") from None
        if array.dtype.kind not in "biu" and array.size:
            raise TypeError(f"TileMap.tiles must be whole numbers, got {show(tiles)}")
        if array.ndim != 2 or not array.size:
            raise ValueError(f"TileMap.tiles must have the shape (rows, columns), at least (1, 1), got {array.shape}")
        self._tiles = np.array(array, int64)
        self.tile_size = tile_size
        self.x = x
        self.y = y
        self.camera = camera
        self.visible = None

    def __setattr__(self, name: str, value: Any) -> None:
        field = _FIELDS.get(name)
        object.__setattr__(self, name, value if field is None else field.checked(value))

    def __repr__(self) -> str:
        rows, columns = self._tiles.shape
        return f"TileMap(<{rows} × {columns} tiles>, tile_size={self.tile_size!r}, x={self.x!r}, y={self.y!r})"

    def chain(self, solid: Iterable[int] | NDArray[bool_], sensor: bool = False) -> ChainCollider:
        """The outline of the solid tiles, for an entity with ``Transform(tile_map.x, tile_map.y)`` and a ``Solid``.

        It blocks from outside and has no seams, so bodies and characters do not snag between tiles. The interior of a
        solid area is empty; :meth:`boxes` makes filled areas. After you change a tile, add the chain again.

        ``solid``: the ids of the solid tiles, or an array of bools of the shape of ``tiles``. Raises ValueError if no
        tile is solid or the shape differs, and TypeError for other values.

        >>> level = TileMap([[1, 1, 1], [0, 0, 2]], tile_size=16)
        >>> len(level.chain({1, 2}))
        6
        """
        found = outlines(chosen_tiles("TileMap.chain: solid", self._tiles, solid))
        if not found:
            raise ValueError(f"TileMap.chain: no tile of the map is in solid, got {show(solid)}")
        size = self.tile_size
        lines = [[(x * size, y * size) for x, y in line] for line in found]
        return ChainCollider.from_lines(lines, closed=True, side="right", sensor=sensor)

    def boxes(self, chosen: Iterable[int] | NDArray[bool_], sensor: bool = False) -> CompoundCollider:
        """The chosen tiles as few boxes, for an entity with ``Transform(tile_map.x, tile_map.y)``: areas such as water.

        Arguments and errors: see :meth:`chain`.

        >>> level = TileMap([[3, 3, 3], [0, 0, 3]], tile_size=16)
        >>> len(level.boxes({3}, sensor=True))
        2
        """
        found = rectangles(chosen_tiles("TileMap.boxes: chosen", self._tiles, chosen))
        if not found:
            raise ValueError(f"TileMap.boxes: no tile of the map is in chosen, got {show(chosen)}")
        size = self.tile_size
        parts = [
            AABBCollider.from_rect(size * x, size * y, size * width, size * height) for x, y, width, height in found
        ]
        return CompoundCollider(parts, sensor)

    @property
    def tiles(self) -> NDArray[int64]:
        """All tile ids, (rows, columns), row 0 lowest."""
        return self._tiles


Corner = tuple[int, int]  # column and row
Rectangle = tuple[int, int, int, int]  # first column, first row, columns, rows

# A step along x or y, by how often it was turned to the left.
_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def chosen_tiles(owner: str, tiles: NDArray[int64], solid: Any) -> NDArray[bool_]:
    """Bools (rows, columns) of the chosen tiles, which ``solid`` gives as ids or as an array of bools."""
    if isinstance(solid, np.ndarray) and solid.dtype == np.bool_:
        if solid.shape != tiles.shape:
            raise ValueError(f"{owner} must have the shape of the map, {tiles.shape}, got {solid.shape}")
        return solid
    if isinstance(solid, str | bytes) or not isinstance(solid, Iterable):
        raise TypeError(f"{owner} must be ids of tiles, or an array of bools, got {show(solid)}")
    try:
        ids = np.array(list(solid))
    except ValueError:  # rows of different lengths
        ids = np.zeros(1, object)
    if ids.size and (ids.ndim != 1 or ids.dtype.kind not in "iu"):
        raise TypeError(f"{owner} must be ids of tiles, or an array of bools, got {show(solid)}")
    chosen: NDArray[bool_] = np.isin(tiles, ids)
    return chosen


def outlines(chosen: NDArray[bool_]) -> list[list[Corner]]:
    """The closed outlines of the chosen tiles, as corners. The chosen tiles lie to the left of each outline.

    Tiles that only touch in a corner have separate outlines. The outlines are ordered by their rows, the lowest first.
    """
    framed = np.pad(chosen, 1)
    following: dict[tuple[Corner, int], bool] = {}
    # An edge is where it begins and how it is turned: along the lower sides, the right, the upper, the left ones.
    for turn, (beside_row, beside_column) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
        beside = np.roll(framed, (-beside_row, -beside_column), axis=(0, 1))
        rows, columns = np.nonzero(framed & ~beside)
        first_x, first_y = columns - 1 + (turn in (1, 2)), rows - 1 + (turn in (2, 3))
        following |= {((x, y), turn): True for x, y in zip(first_x.tolist(), first_y.tolist(), strict=True)}
    found = []
    for start in sorted(following, key=lambda edge: (edge[0][1], edge[0][0], edge[1])):
        if not following[start]:
            continue
        corners: list[Corner] = []
        (x, y), turn = start
        before = -1
        while following.get(((x, y), turn)):
            following[(x, y), turn] = False
            if turn != before:
                corners.append((x, y))
            before = turn
            step_x, step_y = _STEPS[turn]
            x, y = x + step_x, y + step_y
            # To the left first, round the same tile.
            turn = next(t % 4 for t in (turn + 1, turn, turn + 3) if ((x, y), t % 4) in following)
        if before == start[1]:
            # It began in the middle of an edge.
            corners = corners[1:]
        found.append(corners)
    return found


def rectangles(chosen: NDArray[bool_]) -> list[Rectangle]:
    """Few rectangles that cover each chosen tile once: each as wide as possible, then as high as possible."""
    left = chosen.copy()
    rows, columns = left.shape
    found = []
    for row, first in zip(*(indices.tolist() for indices in np.nonzero(chosen)), strict=True):
        if not left[row, first]:
            continue
        end = first + 1
        while end < columns and left[row, end]:
            end += 1
        top = row + 1
        while top < rows and left[top, first:end].all():
            top += 1
        left[row:top, first:end] = False
        found.append((first, row, end - first, top - row))
    return found
