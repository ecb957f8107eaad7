"""Rows that sway, a floor with depth, and points in perspective; the mouse stirs, scrolls and steers."""

from __future__ import annotations

import math

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import Priority
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Pair
from ecsphys.demo.scenes.boxes import is_inside
from ecsphys.demo.scenes.parameter import Parameter, Reading
from ecsphys.demo.scenes.scene import NO_GRID, Box, Caption, Layout, Pointer
from ecsphys.demo.scenes.sketch import Color, Sketch, rectangles
from ecsphys.effects import Camera, PerspectiveFloor, RasterWave, clip_at_near_plane, project_perspective
from ecsphys.systems import ScrollingSystem

ARENA: Box = (-17.0, -8.0, 17.0, 8.0)
WAVE: Box = (-16.7, -7.7, -0.3, 6.4)
FLOOR: Box = (0.3, -7.7, 16.7, -2.6)
SPACE: Box = (0.3, -1.1, 16.7, 6.4)
_SUN = (-8.5, 1.3, 3.6)  # x, y and radius
_HORIZON = -1.6
_WAVE_ROWS = 96
_FLOOR_ROWS = 64
_VIEW = FLOOR[2] - FLOOR[0]
_NEAR_WIDTH, _FAR_WIDTH = 58.0, 26.0
_NEAR = 1.0
_STRIPES = 24
_STIRRED_PER_UNIT, _MOST_STIRRED, _STIRRED_HEIGHT = 0.3, 1.3, 1.6
_CALM, _STEER = 0.9, 4.0
"""Rates in 1/s, at which the water comes to rest, and the flight follows the mouse."""
_LOWEST_EYE = -1.4
_FINE = 3.0
"""The height in pixels below which tiles are not told apart."""
_SKY: tuple[Color, Color] = ((0.09, 0.08, 0.20), (0.42, 0.19, 0.33))


class Raster:
    """The three pictures with their components."""

    def __init__(self, rng: np.random.Generator) -> None:
        height = (WAVE[3] - WAVE[1]) / _WAVE_ROWS
        self.wave = RasterWave(0.55, 3.0, 4.5, _WAVE_ROWS, height)
        self.waving = esper.create_entity(self.wave)
        self.ripple = RasterWave(0.0, 0.9, 1.3, _WAVE_ROWS, height)
        """The waves that the mouse stirs up, about a height of the picture."""
        self.rippling = esper.create_entity(self.ripple)
        self.stirred_at = _HORIZON
        self.camera = Camera(0.5 * _NEAR_WIDTH, 0.0, _VIEW, 5.0, _NEAR_WIDTH, 5.0, speed_x=6.0)
        esper.create_entity(self.camera)
        self.flooring = esper.create_entity(PerspectiveFloor(_FAR_WIDTH, _NEAR_WIDTH, _FLOOR_ROWS))
        self.distance = 9.0
        self.speed = 7.0
        self.stars = np.column_stack(
            (rng.uniform(-26.0, 26.0, 300), rng.uniform(-1.2, 14.0, 300), rng.uniform(1.0, 60.0, 300))
        )
        self.scrolled = 0.0
        self.eye: Pair = (0.0, 0.0)
        """Where the flight is, beside its straight way."""
        self.aim: Pair = (0.0, 0.0)
        """Where the mouse wants it."""
        self.floor_is_held = False
        self._floor_speed = self.camera.speed_x

    def stir(self, y: float, way: float) -> None:
        """Stir the rows about a height, the more the longer the way."""
        self.stirred_at = y
        self.ripple.amplitude = min(self.ripple.amplitude + _STIRRED_PER_UNIT * way, _MOST_STIRRED)

    def shifts(self, system: ScrollingSystem) -> NDArray[float64]:
        """By how much each row of the water sways: the wave, and the ripple where it was stirred up."""
        low = np.linspace(WAVE[1], WAVE[3], _WAVE_ROWS + 1)[:-1]
        near = np.exp(-(((low - self.stirred_at) / _STIRRED_HEIGHT) ** 2))
        shifts: NDArray[float64] = system.wave_shifts.of(self.waving) + near * system.wave_shifts.of(self.rippling)
        return shifts

    def advance(self, dt: float) -> None:
        """Turn the camera at its ends, fly on, and let the water come to rest."""
        self.ripple.amplitude *= math.exp(-_CALM * dt)
        share = 1.0 - math.exp(-_STEER * dt)
        (x, y), (aim_x, aim_y) = self.eye, self.aim
        self.eye = x + share * (aim_x - x), y + share * (aim_y - y)
        if self.camera.x <= 0.5 * _VIEW or self.camera.x >= _NEAR_WIDTH - 0.5 * _VIEW:
            self._floor_speed = math.copysign(self._floor_speed, 0.5 * _NEAR_WIDTH - self.camera.x)
        self.camera.speed_x = 0.0 if self.floor_is_held else self._floor_speed
        self.stars[:, 2] -= self.speed * dt
        self.stars[self.stars[:, 2] < _NEAR, 2] += 59.0
        self.scrolled = (self.scrolled + self.speed * dt) % 12.0

    def paint(self, sketch: Sketch, system: ScrollingSystem) -> None:
        """All three; what leaves a frame is covered before its neighbours are drawn."""
        self._paint_space(sketch)
        left, bottom, right, top = SPACE
        around = (
            (ARENA[0], ARENA[1], left, ARENA[3]),
            (right, ARENA[1], ARENA[2], ARENA[3]),
            (left, ARENA[1], right, bottom),
            (left, top, right, ARENA[3]),
        )
        _cover(sketch, around)
        self._paint_wave(sketch, self.shifts(system))
        self._paint_floor(sketch, system.floor_shifts.of(self.flooring))
        _cover(sketch, ((ARENA[0], ARENA[1], WAVE[0], ARENA[3]), (WAVE[2], ARENA[1], FLOOR[0], ARENA[3])))
        sketch.boxes(np.array((WAVE, FLOOR, SPACE)), palette.FRAME, line=1.5)

    def _paint_wave(self, sketch: Sketch, shifts: NDArray[float64]) -> None:
        """A sunset over water, drawn row by row; only the rows of the water sway fully."""
        left, bottom, right, top = WAVE
        low = np.linspace(bottom, top, _WAVE_ROWS + 1)[:-1]
        high = low + (top - bottom) / _WAVE_ROWS
        middle = 0.5 * (low + high)
        water = middle < _HORIZON
        up = (middle - bottom) / (top - bottom)
        sky = np.array(_SKY[1]) + np.clip(1.35 * (up[:, None] - 0.42), 0.0, 1.0) * np.subtract(*_SKY)
        sea = np.array((0.05, 0.13, 0.26)) + up[:, None] * np.array((0.25, 0.20, 0.30))
        colors = np.where(water[:, None], sea, sky)
        rows = np.column_stack((np.full(_WAVE_ROWS, left), low, np.full(_WAVE_ROWS, right), high))
        self._fill(sketch, rows, colors)
        # The sun, and its image in the water, which is lower than the mirror's and broken into strips.
        mirrored = np.where(water, 2.0 * _HORIZON - middle - 0.4, middle)
        half = np.sqrt(np.maximum(_SUN[2] ** 2 - (mirrored - _SUN[1]) ** 2, 0.0))
        strips = 0.75 + 0.25 * np.sin(2.4 * np.arange(_WAVE_ROWS))
        half = np.where(water, strips * half, half)
        shift = np.where(water, shifts, 0.12 * shifts)
        seen = half > 0.0
        discs = np.column_stack((_SUN[0] + shift - half, low, _SUN[0] + shift + half, high))[seen]
        sinking = np.clip(_SUN[1] + 2.6 - mirrored, 0.0, 6.0)[:, None]
        warm = np.array((1.0, 0.82, 0.45)) + sinking * np.array((0.0, -0.085, -0.02))
        dim = np.where(water, 0.8, 1.0)[:, None]
        self._fill(sketch, discs, (warm * dim)[seen])
        self._paint_masts(sketch, low, high, shift, water)

    def _paint_masts(
        self,
        sketch: Sketch,
        low: NDArray[float64],
        high: NDArray[float64],
        shift: NDArray[float64],
        water: NDArray[np.bool_],
    ) -> None:
        """Dark posts that stand in the water: upright lines show best how rows are shifted."""
        for x, width, up, down in ((-15.0, 0.5, 3.2, -5.2), (-13.6, 0.35, 1.6, -3.8), (-2.6, 0.6, 4.0, -5.9)):
            tall = (low < up) & (low > down)
            posts = np.column_stack((x - width + shift, low, x + width + shift, high))[tall]
            shade = np.where(water[:, None], (0.03, 0.07, 0.15), (0.07, 0.06, 0.13))[tall]
            self._fill(sketch, posts, shade)

    def _paint_floor(self, sketch: Sketch, shifts: NDArray[float64]) -> None:
        """Row B7: each row of a picture of stripes, shifted; the row's inset in the picture is its left."""
        left, bottom, right, top = FLOOR
        height = (top - bottom) / _FLOOR_ROWS
        edges = np.linspace(0.0, 1.0, _STRIPES + 1)
        widths = np.linspace(_NEAR_WIDTH, _FAR_WIDTH, _FLOOR_ROWS)
        inset = 0.5 * (_NEAR_WIDTH - widths)
        x = left + shifts[:, None] + inset[:, None] + widths[:, None] * edges
        # Lines across the floor are spaced as in perspective. Bands of few rows fade to the mean of light and dark.
        distance = _FLOOR_ROWS + 18.0 - np.arange(_FLOOR_ROWS)
        rows_of_band = distance**2 / 260.0
        contrast = np.clip((rows_of_band - 1.5) / 3.0, 0.0, 1.0)[:, None]
        odd = (np.arange(_STRIPES) + np.floor(260.0 / distance)[:, None]) % 2
        bright = 0.5 + contrast * (odd - 0.5)
        low = bottom + height * np.arange(_FLOOR_ROWS)[:, None] + np.zeros_like(x[:, 1:])
        boxes = np.stack((np.clip(x[:, :-1], left, right), low, np.clip(x[:, 1:], left, right), low + height), axis=2)
        fade = np.linspace(1.0, 0.45, _FLOOR_ROWS)[:, None, None]
        dark, light = np.array((0.16, 0.24, 0.36)), np.array((0.47, 0.62, 0.78))
        colors = (dark + bright[:, :, None] * (light - dark)) * fade
        self._fill(sketch, boxes.reshape(-1, 4), colors.reshape(-1, 3))

    def _paint_space(self, sketch: Sketch) -> None:
        """Row B8: stars and a tiled floor, x = h·X/Z, y = h·Y/Z from the picture's middle."""
        center = np.array((0.5 * (SPACE[0] + SPACE[2]), 0.62 * SPACE[3] + 0.38 * SPACE[1]))
        sketch.triangles(rectangles(np.array([SPACE])), np.array([[0.03, 0.04, 0.09, 1.0]]))
        columns = np.arange(-6, 6)
        points, shades = [], []
        for row in range(13):
            z = 6.0 * row - self.scrolled
            tile = clip_at_near_plane(
                [(0.0, -2.2, z), (4.0, -2.2, z), (4.0, -2.2, z + 6.0), (0.0, -2.2, z + 6.0)], _NEAR
            )
            if len(tile) < 3:
                continue
            # All tiles of a row are clipped alike.
            corners = np.repeat(tile[None], len(columns), axis=0)
            corners[:, :, 0] += 4.0 * columns[:, None]
            fan = [index for k in range(1, len(tile) - 1) for index in (0, k, k + 1)]
            points.append(corners[:, fan].reshape(-1, 3))
            # Tiles that are hardly higher than a pixel would flicker: they fade to the mean of light and dark.
            height = self.distance * 2.2 * (1.0 / max(z, _NEAR) - 1.0 / (z + 6.0)) / sketch.pixel
            contrast = min(max((height - _FINE) / _FINE, 0.0), 1.0)
            bright = (0.5 + contrast * ((columns + row) % 2 - 0.5)) * max(1.0 - z / 66.0, 0.0)
            tints = np.array(((0.05, 0.07, 0.15, 1.0),)) + bright[:, None] * ((0.20, 0.28, 0.40, 0.0),)
            shades.append(np.repeat(tints, len(fan), axis=0))
        eye = np.array((*self.eye, 0.0))
        screen, _, _ = project_perspective(np.concatenate(points) - eye, self.distance, _NEAR)
        sketch.triangles(screen + center, np.concatenate(shades))
        screen, scale, visible = project_perspective(self.stars - eye, self.distance, _NEAR)
        places = center + screen
        inside = visible & (np.abs(places[:, 0] - center[0]) < 0.5 * (SPACE[2] - SPACE[0]) - 0.1)
        inside &= (places[:, 1] > SPACE[1] + 0.1) & (places[:, 1] < SPACE[3] - 0.1)
        radius = np.clip(0.045 * scale[inside], 1.0 * sketch.pixel, 0.28)
        sketch.circles(places[inside], radius, palette.STARTED, np.clip(0.25 + 0.4 * scale[inside], 0.0, 1.0))

    @staticmethod
    def _fill(sketch: Sketch, boxes: NDArray[float64], colors: NDArray[float64]) -> None:
        opaque = np.column_stack((colors, np.ones(len(colors))))
        sketch.triangles(rectangles(boxes), np.repeat(opaque, 6, axis=0))


def _cover(sketch: Sketch, boxes: tuple[Box, ...]) -> None:
    sketch.triangles(rectangles(np.array(boxes)), np.array([[*palette.ARENA, 1.0]]))


class Touch(Pointer):
    """Stirs the water, drags the floor, and steers the flight over which the mouse is."""

    def __init__(self, raster: Raster) -> None:
        self.raster = raster
        self._stirs = False
        self._last: Pair = (0.0, 0.0)

    def press(self, x: float, y: float) -> bool:
        self._stirs = is_inside(WAVE, x, y)
        self.raster.floor_is_held = is_inside(FLOOR, x, y)
        self._last = (x, y)
        if self._stirs:
            self.raster.stir(y, 1.0)
        return self._stirs or self.raster.floor_is_held

    def move(self, x: float, y: float) -> None:
        raster = self.raster
        if self._stirs:
            raster.stir(y, math.dist((x, y), self._last))
        if raster.floor_is_held:
            raster.camera.x -= x - self._last[0]
        middle_x, middle_y = 0.5 * (SPACE[0] + SPACE[2]), 0.5 * (SPACE[1] + SPACE[3])
        steers = is_inside(SPACE, x, y)
        raster.aim = (0.7 * (x - middle_x), max(0.7 * (y - middle_y), _LOWEST_EYE)) if steers else (0.0, 0.0)
        self._last = (x, y)

    def release(self) -> None:
        self._stirs = self.raster.floor_is_held = False


class Advance(esper.Processor):
    """Moves what the scene itself moves."""

    def __init__(self, raster: Raster) -> None:
        self.raster = raster

    def process(self, dt: float) -> None:
        self.raster.advance(dt)


def build(rng: np.random.Generator) -> Layout:
    """Nothing collides here."""
    physics = ecsphys.install()
    raster = Raster(rng)
    system = ScrollingSystem(physics)
    esper.add_processor(Advance(raster), Priority.SCROLLING + 1)
    esper.add_processor(system, Priority.SCROLLING)
    wave = raster.wave

    def set_amplitude(value: float) -> None:
        wave.amplitude = value

    def set_wavelength(value: float) -> None:
        wave.wavelength = value

    def set_period(value: float) -> None:
        wave.period = value

    def set_distance(value: float) -> None:
        raster.distance = value

    def set_speed(value: float) -> None:
        raster.speed = value

    captions = [
        Caption(-16.7, 7.8, "Water of swaying rows: stir it", "RasterWave shifts each row of the picture", room=1.2),
        Caption(0.3, 7.8, "A flight: steer with the mouse", "project_perspective, clip_at_near_plane", room=1.2),
        Caption(
            0.3, -1.25, "A floor with depth: drag it", "PerspectiveFloor: each row scrolls at its own speed", room=1.2
        ),
    ]
    return Layout(
        physics,
        ARENA,
        captions,
        show_contacts=False,
        grid=NO_GRID,
        show_guides=False,
        parameters=[
            Parameter("sway", lambda: wave.amplitude, set_amplitude, (0.0, 0.25, 0.55, 1.0), "{:g} units"),
            Parameter("wave", lambda: wave.wavelength, set_wavelength, (1.5, 3.0, 4.5, 9.0), "{:g} units"),
            Parameter("period", lambda: wave.period, set_period, (1.0, 2.0, 3.0, 6.0), "{:g} s"),
            Parameter("zoom", lambda: raster.distance, set_distance, (4.0, 6.0, 9.0, 14.0)),
            Parameter("flight", lambda: raster.speed, set_speed, (0.0, 3.0, 7.0, 15.0), "{:g} units/s"),
        ],
        readings=[Reading("floor's camera", lambda: f"{raster.camera.x:.2f}")],
        paint_below=lambda sketch: raster.paint(sketch, system),
        pointer=Touch(raster),
    )
