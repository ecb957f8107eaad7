"""Scrolling: cameras and their views (rows B1–B7), as numbers and arrays for any renderer."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import esper
import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.components.effects.scrolling import Camera, ParallaxLayer, PerspectiveFloor, RasterWave
from ecsphys.components.effects.tile_map import TileMap, VisibleTiles
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.column import make_field, show
from ecsphys.components.store.component_table import rows_at
from ecsphys.components.store.standing_blocks import blocks_stay
from ecsphys.engine.effects import scrolling
from ecsphys.engine.math.elementwise import real_array
from ecsphys.systems.arguments import NO_SECONDS, checked_dt, refuse_arguments, whole_number
from ecsphys.systems.physics import Physics
from ecsphys.systems.stage import Stage
from ecsphys.systems.world.esper_world import NeverAttached
from ecsphys.systems.world.row_checks import KeptRows


@dataclass(frozen=True, slots=True)
class RowShifts:
    """Horizontal shifts, in units, of the rows of n entities' pictures, entity after entity.

    Attributes
    ----------
    entities
        (n,) int64, sorted.
    values
        (rows of all,) float64.
    starts
        (n + 1,) int64: the rows of entity i are ``values[starts[i]:starts[i + 1]]``, the bottom one first.
    """

    entities: NDArray[int64]
    starts: NDArray[int64]
    values: NDArray[float64]

    def of(self, entity: int) -> NDArray[float64]:
        """The shifts of one entity's rows, bottom row first. Raises KeyError if it has none."""
        number = whole_number("entity", entity)
        found = bisect.bisect_left(self.entities, number)
        if found == self.entities.size or self.entities[found] != number:
            raise KeyError(f"entity {number} has no RasterWave, so no rows of it are shifted")
        return self.values[self.starts[found] : self.starts[found + 1]]


def expand(counts: NDArray[int64]) -> tuple[NDArray[int64], NDArray[int64], NDArray[int64]]:
    """For pictures of ``counts`` (n,) rows: starts (n + 1,), each row's picture, and each row's number within it."""
    starts = np.concatenate(([0], np.cumsum(counts)))
    picture = np.repeat(np.arange(counts.size), counts)
    return starts, picture, np.arange(starts[-1]) - starts[picture]


NO_SHIFTS = RowShifts(np.zeros(0, int64), np.zeros(1, int64), np.zeros(0))


_AXES: Final[tuple[tuple[Literal["x", "y"], str], ...]] = (("x", "width"), ("y", "height"))
_SPEEDS: Final = [Camera._columns.names_in("float64").index(f"speed_{axis}") for axis, _ in _AXES]
_NO_ROWS: Final[NDArray[int64]] = np.zeros(0, int64)
_CAMERA = make_field("ScrollingSystem", "camera", int, -1)

PointsLike = NDArray[Any] | Sequence[Sequence[float]] | Sequence[float]


class ScrollingSystem(Stage):
    """Moves the cameras, then computes the positions of layers, tile maps, waves and floors in their views.

    Add it at ``Priority.SCROLLING``: after the hits and your own processors, which may still push a character out of a
    wall. A camera that moved earlier would lag behind by this push, and the character would jitter.

    Screen coordinates are in world units from the lower left corner of the camera's view. A layer keeps its last values
    if its camera is deleted.

    Parameters
    ----------
    physics
        The physics of the world.
    interpolated
        Use True in a world with a fixed step, if this system runs once per frame: cameras then follow the interpolated
        poses of :meth:`FixedStep.interpolated`.

    Attributes
    ----------
    wave_shifts, floor_shifts
        :class:`RowShifts` of all ``RasterWave`` and ``PerspectiveFloor``. Layers and tile maps hold their own results.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> scrolling = ScrollingSystem(physics)
    >>> esper.add_processor(scrolling, ecsphys.Priority.SCROLLING)
    >>> player = esper.create_entity(Transform(100, 50))
    >>> camera = esper.create_entity(Camera(0, 0, 40, 20, target=player))
    >>> esper.process(1 / 60)
    >>> scrolling.to_screen((100, 50))
    array([20., 10.])
    """

    def __init__(self, physics: Physics, interpolated: bool = False) -> None:
        super().__init__(physics)
        self.interpolated = interpolated
        # All that a run depends on, where the last one changed nothing of it and there are at most cameras and layers:
        # then the next run would change nothing either. First what esper answers; None if that is enough.
        self._still: tuple[object, tuple[bytes, ...] | None] | None = None
        # Seconds of that run, where they matter.
        self._seconds: float | None = None
        self._camera_list = self._layer_list = self._targets = _NO_ROWS
        self.forget_world()
        self._cameras = KeptRows(Camera)
        self._layers = KeptRows(ParallaxLayer)
        self._waves = KeptRows(RasterWave)
        self._floors = KeptRows(PerspectiveFloor)

    def forget_world(self) -> None:
        self._still = None
        self.wave_shifts = NO_SHIFTS
        self.floor_shifts = NO_SHIFTS

    def process(self, dt: float = NO_SECONDS, *others: Any, **named: Any) -> None:
        """Run this stage. Raises TypeError unless ``dt`` is a number, and ValueError unless it is finite and 0 or
        more."""
        # Without Physics.enter: it would index new entities, which is not needed here, and the world would be indexed
        # again when the next step removes dead entities.
        if others or named:
            refuse_arguments(others, named)
        seconds = checked_dt(dt)
        if type(self) is ScrollingSystem and self._is_still(seconds):
            return
        self.follow_database()
        state, steps = self.physics._state, self.physics.fixed_step
        is_over = state.progress.is_over if steps is None else not steps.is_frame_of(state.token)
        with blocks_stay():
            # A world that was made within this frame begins with the next one.
            self.run(0.0 if is_over else seconds)

    def run(self, dt: float) -> None:
        self._still, answer = None, esper.get_component(NeverAttached)
        # All are read first: a bad value stops the step before anything changes.
        cameras, layers, waves, floors = self._cameras(), self._layers(), self._waves(), self._floors()
        if not (cameras[0].size or layers[0].size or waves[0].size or floors[0].size):
            self.wave_shifts = self.floor_shifts = NO_SHIFTS
            self._still, self._seconds = (answer, None), None
            return
        tile_maps = esper.get_component(TileMap)
        targets = _target_rows(cameras[1])
        self._camera_list, self._layer_list, self._targets = cameras[1], layers[1], targets[targets >= 0]
        before = self._sight()
        self._move_cameras(cameras[1], targets, dt)
        self._place_layers(layers[1])
        for _, tile_map in tile_maps:
            self._find_visible_tiles(tile_map)
        self.wave_shifts = _wave_shifts(waves[0], waves[1], dt)
        self.floor_shifts = self._floor_shifts(floors[0], floors[1])
        # Games may change the arrays of tiles, waves and floors: so these are made in each run.
        if not (tile_maps or waves[0].size or floors[0].size) and before == self._sight():
            self._still = answer, before
            self._seconds = dt if Camera._columns.float64[_SPEEDS][:, cameras[1]].any() else None

    def _is_still(self, dt: float) -> bool:
        """Whether a run would change nothing."""
        still = self._still
        return (
            still is not None
            and still[0] is esper.get_component(NeverAttached)
            and (self._seconds is None or self._seconds == dt)
            and (still[1] is None or still[1] == self._sight())
        )

    def _sight(self) -> tuple[bytes, ...]:
        """All that cameras and layers depend on but seconds, and where they are, as bits."""
        cameras, layers, rows = Camera._columns, ParallaxLayer._columns, self._camera_list
        sight: tuple[bytes, ...] = cameras.float64[:, rows].tobytes(), cameras.int64[:, rows].tobytes()
        if self._layer_list.size:
            rows = self._layer_list
            sight += layers.float64[:, rows].tobytes(), layers.int64[:, rows].tobytes()
        if self._targets.size:
            sight += tuple(self._places(axis)[self._targets].tobytes() for axis, _ in _AXES)
        return sight

    def _places(self, axis: Literal["x", "y"]) -> NDArray[float64]:
        """Where cameras see all transforms along an axis."""
        steps = self.physics.fixed_step if self.interpolated else None
        return Transform._columns.row_of_block(axis) if steps is None else steps.interpolated(axis)

    def to_screen(self, points: PointsLike, camera: int | None = None) -> NDArray[float64]:
        """The positions on a camera's screen of points (n, 2) or (2,) of the world, in the same shape.

        ``camera`` is the entity of the camera, None for the world's first camera. Raises KeyError without a camera,
        TypeError unless the points are real numbers, and ValueError for another shape.
        """
        return _points(points) - self._corner(camera)

    def to_world(self, points: PointsLike, camera: int | None = None) -> NDArray[float64]:
        """The positions in the world of points (n, 2) or (2,) on a camera's screen, for example of the mouse.

        Arguments and errors as for :meth:`to_screen`.
        """
        return _points(points) + self._corner(camera)

    def _corner(self, camera: int | None) -> NDArray[float64]:
        """The view's lower left corner in the world, (2,)."""
        wanted = -1 if camera is None else _CAMERA.checked(camera)
        row = int(self._camera_rows(np.array([wanted]))[0])
        if row < 0:
            raise KeyError(
                f"camera must be an entity with a Camera, got {show(camera)}"
                if camera is not None
                else "no entity has a Camera: add one"
            )
        camera_field = Camera._columns.row_of_block
        return np.array([camera_field(axis)[row] - 0.5 * camera_field(f"view_{extent}")[row] for axis, extent in _AXES])

    def _camera_rows(self, wanted: NDArray[int64]) -> NDArray[int64]:
        """Rows of the cameras of the ``wanted`` entities (n,), where −1 is the first camera; −1 without a camera."""
        entities, rows = self._cameras()
        if not rows.size:
            return np.full(wanted.shape, -1)
        return np.where(wanted == -1, rows[0], rows_at(wanted, entities, rows))

    def _move_cameras(self, rows: NDArray[int64], targets: NDArray[int64], dt: float) -> None:
        if not rows.size:
            return
        cameras = Camera._columns
        follows = targets >= 0
        for axis, extent in _AXES:
            center, speed, dead_zone = cameras.values(rows, axis, f"speed_{axis}", f"dead_zone_{axis}")
            start, width, view = cameras.values(rows, f"world_{axis}", f"world_{extent}", f"view_{extent}")
            center += np.where(follows, 0.0, speed * dt)
            center[follows] = scrolling.follow(center[follows], self._places(axis)[self._targets], dead_zone[follows])
            clamped = start + scrolling.clamp_camera(center - start, view, width)
            cameras.row_of_block(axis)[rows] = np.where(width > 0.0, clamped, center)

    def _place_layers(self, rows: NDArray[int64]) -> None:
        layer_field = ParallaxLayer._columns.row_of_block
        cameras = self._camera_rows(layer_field("camera")[rows])
        rows, cameras = rows[cameras >= 0], cameras[cameras >= 0]
        for axis, extent in _AXES:
            width = layer_field(extent)[rows]
            layer_field(f"screen_{axis}")[rows] = _layer_position(cameras, axis, extent, width)

    def _find_visible_tiles(self, tile_map: TileMap) -> None:
        row = int(self._camera_rows(np.array([tile_map.camera]))[0])
        if row < 0:
            return
        camera_field = Camera._columns.row_of_block
        size = tile_map.tile_size
        found = []
        for (axis, extent), count, start in zip(
            _AXES, reversed(tile_map.tiles.shape), (tile_map.x, tile_map.y), strict=True
        ):
            camera = float(camera_field(axis)[row]) - start
            view = float(camera_field(f"view_{extent}")[row])
            first, number = scrolling.visible_range(camera, view, size, count)
            found.append(
                (first, number, scrolling.screen_position(size * np.arange(first, first + number), camera, view))
            )
        (column, columns, screen_x), (line, lines, screen_y) = found
        tiles = tile_map.tiles[line : line + lines, column : column + columns]
        tile_map.visible = VisibleTiles(column, line, screen_x, screen_y, tiles)

    def _floor_shifts(self, entities: NDArray[int64], rows: NDArray[int64]) -> RowShifts:
        floors = PerspectiveFloor._columns
        cameras = self._camera_rows(floors.row_of_block("camera")[rows])
        entities, rows, cameras = entities[cameras >= 0], rows[cameras >= 0], cameras[cameras >= 0]
        counts, near, far = floors.values(rows, "row_count", "near_width", "far_width")
        base, view = _layer_position(cameras, "x", "width", near), Camera._columns.row_of_block("view_width")[cameras]
        starts, floor, number = expand(counts)
        widths = scrolling.floor_widths(near[floor], far[floor], number, counts[floor])
        return RowShifts(entities, starts, scrolling.floor_shift(base[floor], view[floor], near[floor], widths))


def _target_rows(cameras: NDArray[int64]) -> NDArray[int64]:
    """The rows of the transforms that cameras follow, by the cameras' rows (n,); −1 for none."""
    targets = Camera._columns.row_of_block("target")[cameras].tolist()
    found = (esper.try_component(target, Transform) for target in targets)
    return np.fromiter((-1 if target is None else target._row for target in found), int64, cameras.size)


def _points(points: PointsLike) -> NDArray[float64]:
    array = real_array("points", points, "(n, 2) or (2,)")
    if array.ndim not in (1, 2) or array.shape[-1] != 2:
        raise ValueError(f"points must be of shape (n, 2) or (2,), got {array.shape}")
    return array


def _layer_position(cameras: NDArray[int64], axis: str, extent: str, width: NDArray[float64]) -> NDArray[float64]:
    """Screen coordinates (n,) of layers of ``width`` (n,) through the ``cameras`` of these rows (n,)."""
    names = f"view_{extent}", f"world_{extent}", f"world_{axis}", axis
    view, world, start, center = Camera._columns.values(cameras, *names)
    first = scrolling.screen_position(start, center, view)
    # Through an endless world a picture with ends cannot move: it is treated as where there is no way to go, P₁ = V.
    return scrolling.layer_position(first, view, np.where(world > 0.0, world, view), width)


def _wave_shifts(entities: NDArray[int64], rows: NDArray[int64], dt: float) -> RowShifts:
    """Advance the waves by ``dt`` and shift their rows."""
    wave_field = RasterWave._columns.row_of_block
    wave_field("elapsed")[rows] += dt
    starts, wave, number = expand(wave_field("row_count")[rows])
    amplitude, period, wavelength, elapsed, row_height = (
        wave_field(name)[rows][wave] for name in ("amplitude", "period", "wavelength", "elapsed", "row_height")
    )
    return RowShifts(
        entities, starts, scrolling.wave_shift(amplitude, period, wavelength, elapsed, number * row_height)
    )
