"""What lies behind the game: dusk, the sun over the sea, chains of hills that pass at speeds of their own, waves."""

from __future__ import annotations

import math

import numpy as np
from numpy import float32, float64
from numpy.typing import NDArray

from ecsphys.demo.game import palette
from ecsphys.demo.game.level import ARENA_RIGHT, VIEW_BOTTOM, VIEW_HEIGHT, VIEW_WIDTH
from ecsphys.demo.game.paint import Block, Paint, moved
from ecsphys.demo.game.sea import wave_height
from ecsphys.demo.game.session import Session
from ecsphys.demo.game.triangles import FAN_VERTICES, RIM_VERTICES, premultiplied
from ecsphys.demo.game.vista import ROW_HEIGHT

HORIZON = 3.1
SUN_X = 21.5
"""Of the sun in its layer."""
_TOP = VIEW_BOTTOM + VIEW_HEIGHT
_BASES = (HORIZON, 1.3, -0.2)
_HEIGHTS = (3.0, 2.3, 2.0)
_WAVES = ((0.35, 0.31, 0.0), (0.8, 0.17, 1.3), (1.7, 0.09, 4.0))  # wave number, share of the height, phase


class Backdrop:
    """Paints everything behind and the water before the ground; the stars are drawn by lot once."""

    def __init__(self) -> None:
        rng = np.random.default_rng(7)
        self._stars = rng.uniform((0.0, 5.5), (VIEW_WIDTH, _TOP), (110, 2))
        self._twinkle = rng.uniform(0.0, math.tau, 110)
        self._glints = rng.uniform(0.0, 1.0, (70, 3))
        self._pixel = 0.0
        self._sky = Block(np.zeros((0, 2)), np.zeros((0, 4), float32))

    def paint(self, brush: Paint, session: Session) -> None:
        """Sky, sun, sea, hills and the lighthouse in the view."""
        vista, time = session.vista, session.time
        if vista is None:
            return
        corner = session.view_left
        left, right = corner - 1.0, corner + VIEW_WIDTH + 1.0
        # Where the left end of each layer's picture lies in the world, now.
        sun, *hills = (corner + layer.screen_x for layer in vista.layers)
        self._paint_sky(brush, left, right, time)
        self._paint_sun(brush, sun + SUN_X)
        self._paint_sea(brush, left, right, sun + SUN_X, time)
        _paint_reflection(brush, sun + SUN_X, session.scrolling.wave_shifts.of(vista.wave))
        for number, start in enumerate(hills):
            _paint_hills(brush, left, right, start, number)
        self._paint_lighthouse(brush, time, session.won_in is None)

    def paint_water(self, brush: Paint, view_x: float, time: float) -> None:
        """The sea in the gaps of the ground, before everything that falls into it."""
        x = np.linspace(view_x - 0.5 * VIEW_WIDTH - 1.0, view_x + 0.5 * VIEW_WIDTH + 1.0, 100)
        for offset, color, alpha in ((0.35, palette.WAVE_DEEP, 0.7), (0.0, palette.WAVE_TOP, 0.42)):
            top = np.column_stack((x, wave_height(x, time, offset)))
            foot = np.column_stack((x, np.full(len(x), VIEW_BOTTOM - 1.0)))
            brush.strip(top, foot, color, palette.WAVE_DEEP, alpha, 0.95)
            brush.line(top, 0.07, palette.LIGHT if offset == 0.0 else palette.GLINT, 0.5)

    def _paint_sky(self, brush: Paint, left: float, right: float, time: float) -> None:
        span = _TOP + 1.0 - HORIZON
        for (low, lower), (high, upper) in zip(palette.SKY, palette.SKY[1:], strict=False):
            ends = np.array(((left, 0.0), (right, 0.0)))
            brush.strip(moved(ends, 0.0, HORIZON + high * span), moved(ends, 0.0, HORIZON + low * span), upper, lower)
        self._paint_stars(brush, left + 1.0, time)

    def _paint_stars(self, brush: Paint, left: float, time: float) -> None:
        """They stand still in the view, and twinkle: their triangles are kept, with alphas of 1."""
        if brush.pixel != self._pixel:
            self._pixel = brush.pixel
            paint = Paint()
            paint.start(brush.pixel)
            paint.discs(self._stars, 0.016 + 0.024 * np.abs(np.sin(self._twinkle)), palette.STAR)
            self._sky = paint.block()
        height = (self._stars[:, 1] - 5.5) / (_TOP - 5.5)
        tints = premultiplied(np.array(palette.STAR), height * (0.55 + 0.4 * np.sin(1.7 * time + self._twinkle)))
        each = np.concatenate([np.repeat(tints, count, axis=0) for count in (FAN_VERTICES, RIM_VERTICES)])
        brush.triangles(moved(self._sky.points, left, 0.0), self._sky.tints[:, 3:] * each)

    def _paint_sun(self, brush: Paint, x: float) -> None:
        center = np.array([[x, HORIZON + 1.3]])
        for radius, alpha in ((11.0, 0.34), (5.5, 0.4), (3.2, 0.5)):
            brush.discs(center, radius, palette.SUN_GLOW, alpha, edge=0.0, light=True)
        brush.discs(center, 1.75, palette.SUN, 1.0)

    def _paint_sea(self, brush: Paint, left: float, right: float, sun_x: float, time: float) -> None:
        ends = np.array(((left, 0.0), (right, 0.0)))
        bottom = VIEW_BOTTOM - 1.0
        brush.strip(moved(ends, 0.0, HORIZON), moved(ends, 0.0, bottom), palette.SEA_FAR, palette.SEA_NEAR)
        # Glints lie denser and narrower towards the horizon, as on any sea, and thickest under the sun.
        depth = self._glints[:, 0] ** 1.6
        y = HORIZON - 0.06 - depth * (HORIZON - bottom)
        wander = np.sin(time * (0.5 + self._glints[:, 2]) + 9.0 * self._glints[:, 1])
        under_sun = np.arange(len(depth)) % 2 == 0
        spread = np.where(under_sun, 1.6 + 4.0 * depth, 0.5 * VIEW_WIDTH)
        x = np.where(under_sun, sun_x, 0.5 * (left + right)) + spread * (2.0 * self._glints[:, 1] - 1.0) + 0.3 * wander
        width = (0.35 + 1.1 * depth) * (0.7 + 0.3 * wander)
        alpha = np.where(under_sun, 0.75, 0.22) * (0.6 + 0.4 * wander)
        half = np.column_stack((width, np.zeros(len(width))))
        center = np.column_stack((x, y))
        thick = 0.05 + 0.05 * depth
        brush.dashes(center - half, center, thick, palette.GLINT, alpha)
        brush.dashes(center + half, center, thick, palette.GLINT, alpha)

    def _paint_lighthouse(self, brush: Paint, time: float, is_lit: bool) -> None:
        """Where the way ends: a tower on the point, with a light that turns until it is put out."""
        x, foot = ARENA_RIGHT - 5.0, -0.2
        tower = np.array(((x - 1.5, foot), (x + 1.5, foot), (x + 0.95, foot + 8.6), (x - 0.95, foot + 8.6)))
        brush.polygon(tower, palette.STONE, 1.0, palette.FOE)
        for low in (1.6, 4.4, 7.2):
            width_low, width_high = 1.5 - 0.064 * low, 1.5 - 0.064 * (low + 1.1)
            band = (
                (x - width_low, low),
                (x + width_low, low),
                (x + width_high, low + 1.1),
                (x - width_high, low + 1.1),
            )
            brush.polygon(moved(np.array(band), 0.0, foot), palette.CLOAK_DARK)
        lamp = foot + 9.5
        for turn in (0.0, math.pi) if is_lit else ():
            reach = 22.0 * math.cos(0.7 * time + turn)
            wide = 1.6 + 0.9 * abs(math.sin(0.7 * time + turn))
            ends = np.array(((x + reach, lamp + wide), (x + reach, lamp - wide)))
            tints = np.zeros((3, 4))
            tints[0, :3] = 0.36 * np.array(palette.SUN)
            brush.triangles(np.vstack(((x, lamp), ends)), tints)
        brush.box(x, foot + 8.7, (1.35, 0.14), 0.0, palette.INK)
        brush.box(x, lamp, (0.75, 0.75), 0.0, palette.SUN if is_lit else palette.EARTH_TOP)
        if is_lit:
            brush.discs(np.array([[x, lamp]]), 2.6, palette.SUN_GLOW, 0.7, edge=0.0, light=True)
        for side in (-0.72, 0.0, 0.72):
            brush.box(x + side, lamp, (0.06, 0.75), 0.0, palette.INK)
        roof = ((x - 1.15, lamp + 0.72), (x + 1.15, lamp + 0.72), (x, lamp + 1.9))
        brush.polygon(np.array(roof), palette.CLOAK_DARK)


def _paint_reflection(brush: Paint, x: float, shifts: NDArray[float64]) -> None:
    """The sun's light on the sea: rows that sway, wider and fainter towards the shore."""
    depth = np.arange(shifts.size)[::-1] / shifts.size
    y = HORIZON - ROW_HEIGHT * (shifts.size - 1.0 - np.arange(shifts.size))
    half = (1.5 + 1.5 * depth) * (0.72 + 0.28 * np.sin(2.4 * np.arange(shifts.size)))
    middle = np.column_stack((x + shifts * (0.4 + 2.2 * depth), y))
    side = np.column_stack((half, np.zeros(half.size)))
    for edge in (middle - side, middle + side):
        brush.dashes(edge, middle, 0.75 * ROW_HEIGHT, palette.SUN, 0.75 * (1.0 - depth))


def _paint_hills(brush: Paint, left: float, right: float, start: float, number: int) -> None:
    x = np.linspace(left, right, 200)
    top, foot = palette.HILLS[number]
    base, height = _BASES[number], _HEIGHTS[number]
    y = base + height * _ridge(x - start + 61.0 * number, number)
    brush.ground(np.column_stack((x, y)), min(base, HORIZON) - (0.0 if number == 0 else 6.0), top, foot)
    if number:
        # Mist at the foot, which parts the chains.
        ends = np.array(((left, 0.0), (right, 0.0)))
        mist = palette.SKY[1][1]
        for end in (base + 1.3, base - 2.0):
            brush.strip(moved(ends, 0.0, end), moved(ends, 0.0, base - 0.4), mist, mist, 0.0, 0.25)


def _ridge(x: NDArray[float64], number: int) -> NDArray[float64]:
    """Heights of a chain of hills, about −0.6 … 1, 0 being the sea; the nearer, the more jagged."""
    height = (-0.25, 0.05, 0.3)[number] + np.zeros_like(x)
    for wave, share, phase in _WAVES:
        height += 1.4 * share * np.sin(wave * (0.8 + 0.35 * number) * x + phase * (number + 1))
    trees = np.abs(((x * (1.1 + 0.5 * number)) % 1.0) - 0.5) * (0.0, 0.1, 0.3)[number]
    return np.asarray(np.maximum(height - trees, 0.0 if number == 0 else -0.8))
