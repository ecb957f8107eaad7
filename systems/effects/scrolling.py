"""Scrolling: cameras, pictures shifted row by row, and perspective (rows B1–B8), as numbers for any renderer.

The formulas are of one axis; the other one is the same. V is the view's width, P a picture's width, C the camera's
place: the world's coordinate in the middle of the view. A world of width P begins at 0. Screen coordinates begin at the
view's left edge. Arguments are numbers or arrays that broadcast.

Perspective (B8): the eye is at the origin and looks along +Z; X is right, Y up. A point (X, Y, Z) is seen where the
line to the eye meets the screen, the plane Z = h: by similar triangles x/h = X/Z and y/h = Y/Z, from the screen's
centre. A thing is drawn h/Z times its size.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import esper
import numpy as np
from numpy import bool_, float64, int64
from numpy.typing import NDArray

from ecsphys.components.effects.scrolling import (
    Camera,
    ParallaxLayer,
    PerspectiveFloor,
    RasterWave,
    TileMap,
    VisibleTiles,
)
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.column import make_field, show
from ecsphys.components.store.component_table import rows_at
from ecsphys.components.store.standing_blocks import blocks_stay
from ecsphys.engine.math.elementary import cos_sin_of, real_array, real_number
from ecsphys.systems.arguments import NO_SECONDS, checked_dt, refuse_arguments, whole_number
from ecsphys.systems.stage import Stage
from ecsphys.systems.world.esper_world import NeverAttached
from ecsphys.systems.world.row_checks import KeptRows

if TYPE_CHECKING:
    from ecsphys.systems.physics import Physics

Reals = float | NDArray[Any]
PointsLike = NDArray[Any] | Sequence[Sequence[float]] | Sequence[float]


def clamp_camera(camera: Reals, view: Reals, width: Reals) -> NDArray[float64]:
    """C in [V/2, P − V/2]; P/2 where P < V. Rows B1, B3."""
    half = 0.5 * view
    return np.where(width < view, 0.5 * width, np.minimum(np.maximum(camera, half), width - half))


def follow(camera: Reals, target: Reals, dead_zone: Reals) -> NDArray[float64]:
    """C moved only as far as keeps the target s within ±D of it: C in [s − D, s + D]. Row B4; B3 with D = 0."""
    return np.asarray(np.minimum(np.maximum(camera, target - dead_zone), target + dead_zone))


def screen_position(place: Reals, camera: Reals, view: Reals) -> NDArray[float64]:
    """Where a place s of the world is on the screen: s − C + V/2. Row B3.

    The world's own picture, whose left edge is at s = 0, is drawn at x₁ = V/2 − C (B1).
    """
    return np.asarray((place - camera) + 0.5 * view)


def layer_position(first: Reals, view: Reals, first_width: Reals, width: Reals) -> NDArray[float64]:
    """Where layer k's left edge is drawn: x₁·(P_k − V)/(P₁ − V); (V − P_k)/2 where P₁ = V. Row B2.

    ``first`` is x₁ and ``first_width`` P₁, of the world. At the world's left end x₁ = 0 and every layer is at 0;
    at its right end x₁ = V − P₁ and every layer is at V − P_k: all show their last column together.
    """
    spare = np.asarray(first_width - view)
    # + 0.0: no negative zero.
    scrolled = first * (width - view) / np.where(spare == 0.0, 1.0, spare) + 0.0
    return np.where(spare == 0.0, 0.5 * (view - width), scrolled)


def visible_range(camera: float, view: float, size: float, count: int) -> tuple[int, int]:
    """First visible tile and number of visible tiles of a map of ``count`` tiles, its left edge at 0. Row B5.

    The first is ⌊(C − V/2)/size⌋; there are never more than ⌈V/size⌉ + 1, and none outside the map, wherever the camera
    is.
    """
    left = camera - 0.5 * view
    first = math.floor(left / size)
    end = min(math.ceil((left + view) / size), first + math.ceil(view / size) + 1)
    first, end = min(max(first, 0), count), min(max(end, 0), count)
    return first, end - first


def wave_shift(amplitude: Reals, period: Reals, wavelength: Reals, time: Reals, y: Reals) -> NDArray[float64]:
    """A·sin(2π(t/T − y/λ)). Row B6."""
    turns = np.asarray(time / period - y / wavelength)
    # Whole turns are taken off, which is exact, so that the sine stays precise however long the wave has run.
    return np.asarray(amplitude * cos_sin_of(math.tau * (turns - np.rint(turns)))[1])


def floor_widths(near_width: Reals, far_width: Reals, row: Reals, row_count: Reals) -> NDArray[float64]:
    """Width w of a floor's row: near at row 0, far at the last, linear between. Row B7."""
    return np.asarray(near_width + row / np.maximum(row_count - 1.0, 1.0) * (far_width - near_width))


def floor_shift(base: Reals, view: Reals, near_width: Reals, width: Reals) -> NDArray[float64]:
    """How far a floor's row is shifted: base·(w − V)/(w_bottom − V) − left, with left = (w_bottom − w)/2. Row B7.

    ``base`` is the bottom row's x in [V − w_bottom, 0], ``near_width`` w_bottom, ``width`` w. The row's pixels lie in
    the picture from ``left`` to left + w, so drawn with this shift the row is where a layer of its width is (B2). A row
    that is narrower than the view stands in its middle.
    """
    begin = np.where(width < view, 0.5 * (view - width), layer_position(base, view, near_width, width))
    return np.asarray(begin - 0.5 * (near_width - width))


def project_perspective(
    points: PointsLike, distance: float, near: float
) -> tuple[NDArray[float64], NDArray[float64], NDArray[bool_]]:
    """Project ``points`` (n, 3). Row B8.

    Parameters
    ----------
    points
        X, Y, Z from the eye.
    distance
        h > 0, from the eye to the screen, in the points' units.
    near
        > 0; things with Z < near are not seen.

    Returns
    -------
    screen
        (n, 2), x and y from the screen's centre; NaN for points that are not seen.
    scale
        (n,), h/Z; NaN for points that are not seen.
    visible
        (n,) bool.

    Raises
    ------
    ValueError
        Points of another shape, or a distance or near plane that is not positive and finite.
    TypeError
        A value that is not a real number.
    """
    array = _points("points", points, 3, "(n, 3)")
    distance, near = _positive("distance", distance), _positive("near", near)
    z = array[:, 2]
    visible = z >= near
    scale = np.full(z.shape, math.nan)
    np.divide(distance, z, out=scale, where=visible)
    return array[:, :2] * scale[:, None], scale, visible


def clip_at_near_plane(polygon: PointsLike, near: float) -> NDArray[float64]:
    """The part of a convex polygon (n, 3) with Z >= near, as corners (m, 3) in their order; m = 0 where none is.

    Corners are made where edges pass the plane (Sutherland and Hodgman, 1974), so that a floor that runs under the
    viewer can be projected. ValueError and TypeError as above.
    """
    corners = _points("polygon", polygon, 3, "(n, 3)")
    near = _positive("near", near)
    kept = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if start[2] >= near:
            kept.append(start)
        if (start[2] >= near) != (end[2] >= near):
            crossing = start + (near - start[2]) / (end[2] - start[2]) * (end - start)
            crossing[2] = near
            kept.append(crossing)
    return np.array(kept, float64).reshape(-1, 3)


def _points(name: str, points: PointsLike, size: int, shape: str) -> NDArray[float64]:
    array = real_array(name, points, shape)
    if array.ndim not in ((2,) if size == 3 else (1, 2)) or array.shape[-1] != size:
        raise ValueError(f"{name} must be of shape {shape}, got {array.shape}")
    return array


def _positive(name: str, value: float) -> float:
    number = real_number(name, value)
    if not 0.0 < number < math.inf:
        raise ValueError(f"{name} must be greater than 0 and finite, got {value!r}")
    return number


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
        named = Camera._columns.row_of_block("target")[cameras[1]].tolist()
        found = [esper.try_component(target, Transform) for target in named]
        targets = np.array([-1 if target is None else target._row for target in found], int64)
        self._camera_list, self._layer_list, self._targets = cameras[1], layers[1], targets[targets >= 0]
        before = self._sight()
        self._move_cameras(cameras[1], targets, dt)
        layer_field = ParallaxLayer._columns.row_of_block
        seen_by = self._camera_rows(layer_field("camera")[layers[1]])
        rows, seen_by = layers[1][seen_by >= 0], seen_by[seen_by >= 0]
        for axis, extent in _AXES:
            layer_field(f"screen_{axis}")[rows] = _layer_position(seen_by, axis, extent, layer_field(extent)[rows])
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
        return _points("points", points, 2, "(n, 2) or (2,)") - self._corner(camera)

    def to_world(self, points: PointsLike, camera: int | None = None) -> NDArray[float64]:
        """The positions in the world of points (n, 2) or (2,) on a camera's screen, for example of the mouse.

        Arguments and errors as for :meth:`to_screen`.
        """
        return _points("points", points, 2, "(n, 2) or (2,)") + self._corner(camera)

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
            center[follows] = follow(center[follows], self._places(axis)[self._targets], dead_zone[follows])
            clamped = start + clamp_camera(center - start, view, width)
            cameras.row_of_block(axis)[rows] = np.where(width > 0.0, clamped, center)

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
            first, number = visible_range(camera, view, size, count)
            found.append((first, number, screen_position(size * np.arange(first, first + number), camera, view)))
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
        widths = floor_widths(near[floor], far[floor], number, counts[floor])
        return RowShifts(entities, starts, floor_shift(base[floor], view[floor], near[floor], widths))


def _layer_position(cameras: NDArray[int64], axis: str, extent: str, width: NDArray[float64]) -> NDArray[float64]:
    """Screen coordinates (n,) of layers of ``width`` (n,) through the ``cameras`` of these rows (n,)."""
    names = f"view_{extent}", f"world_{extent}", f"world_{axis}", axis
    view, world, start, center = Camera._columns.values(cameras, *names)
    first = screen_position(start, center, view)
    # Through an endless world a picture with ends cannot move: it is treated as where there is no way to go, P₁ = V.
    return layer_position(first, view, np.where(world > 0.0, world, view), width)


def _wave_shifts(entities: NDArray[int64], rows: NDArray[int64], dt: float) -> RowShifts:
    """Advance the waves by ``dt`` and shift their rows."""
    waves = RasterWave._columns
    waves.row_of_block("elapsed")[rows] += dt
    names = "row_count", "amplitude", "period", "wavelength", "elapsed", "row_height"
    counts, *others = waves.values(rows, *names)
    starts, wave, number = expand(counts)
    amplitude, period, wavelength, elapsed, row_height = (array[wave] for array in others)
    return RowShifts(entities, starts, wave_shift(amplitude, period, wavelength, elapsed, number * row_height))
