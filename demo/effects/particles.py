"""The particles of effects: sparks that fall, and dust that spreads. They have a world of their own.

A style of a particle is its colour and its kind in one number, so that bodies of every colour share one system.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import esper
import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

import ecsphys
from ecsphys.demo.scenes.sketch import Color, Sketch
from ecsphys.effects import Emitter, Splash
from ecsphys.systems import ParticleSystem

MOST_SPARKS, MOST_DUST = 420, 140
"""There are never more particles than these."""

_DUST = 1 << 24
"""Set in the style of dust; the bits below are red, green and blue."""
_TRAIL_SECONDS = 0.045
"""A spark is as long as its way in this time."""
_SPARK_WIDTH = 0.085
_DUST_RADII = 0.16, 0.62
"""Of dust when it is new, and when it is gone. These lengths are in sizes of a body."""


class Particles:
    """Sparks and dust over one world.

    They are in a world of their own: the game's world, its digest and its recordings do not know them. The name of
    that world begins with the name of the game's world, so that it is deleted with it.
    """

    def __init__(self, gravity: tuple[float, float]) -> None:
        self._home = esper.current_world
        self._world = f"{self._home} effects"
        self._physics = ecsphys.Physics(gravity=gravity)
        self._system = ParticleSystem(self._physics)
        self._style = Emitter(splash=Splash.NORMAL)
        self._born = {False: 0, True: 0}
        with self.open():
            # Its first step binds the system to that world: it can be read in others from then on.
            self._system.process(0.0)

    def __len__(self) -> int:
        return len(self._system)

    @contextmanager
    def open(self) -> Iterator[None]:
        """Their world is the current one inside: bursts need it."""
        esper.switch_world(self._world)
        try:
            yield
        finally:
            esper.switch_world(self._home)

    def step(self, dt: float, gravity: tuple[float, float]) -> None:
        """Move all, and forget the old ones."""
        if len(self._system):
            self._physics.gravity = gravity
            with self.open():
                self._system.process(dt)
        is_dust = self._system.style >= _DUST
        self._born = {True: int(is_dust.sum()), False: int((~is_dust).sum())}

    def clear(self) -> None:
        """Remove all."""
        self._system.clear()

    def add_sparks(
        self, x: float, y: float, count: float, speed: float, color: Color, angle: float = 0.0, flat: float = 1.0
    ) -> None:
        """Sparks that fly off at about a ``speed``; along a surface that is turned by ``angle`` if ``flat`` < 1."""
        style = self._style
        style.vx_spread, style.vy_spread, style.vy = 0.6 * speed, 0.6 * speed * flat, 0.35 * speed * (1.0 - flat)
        style.lifetime, style.lifetime_spread = 0.42, 0.24
        style.gravity_scale, style.drag = 1.0, 1.2
        self._burst(x, y, count, color, angle, is_dust=False)

    def add_dust(self, x: float, y: float, count: float, speed: float, color: Color, angle: float = 0.0) -> None:
        """Dust that spreads at about a ``speed``, soon slower, along a surface that is turned by ``angle``."""
        style = self._style
        style.vx_spread, style.vy_spread, style.vy = speed, 0.3 * speed, 0.25 * speed
        style.lifetime, style.lifetime_spread = 0.7, 0.3
        style.gravity_scale, style.drag = -0.03, 3.5
        self._burst(x, y, count, color, angle, is_dust=True)

    def _burst(self, x: float, y: float, count: float, color: Color, angle: float, is_dust: bool) -> None:
        room = (MOST_DUST if is_dust else MOST_SPARKS) - self._born[is_dust]
        number = min(round(count), room)
        if number > 0:
            self._style.style = _packed(color) | (_DUST if is_dust else 0)
            self._system.burst(x, y, number, self._style, angle)
            self._born[is_dust] += number

    def paint(self, sketch: Sketch, size: float) -> None:
        """Draw all; ``size`` is the size of a usual body, in units."""
        system = self._system
        if not len(system):
            return
        part = system.age / system.lifetime
        colors = _unpacked(system.style)
        dust = system.style >= _DUST
        if dust.any():
            age = part[dust]
            radius = size * (_DUST_RADII[0] + (_DUST_RADII[1] - _DUST_RADII[0]) * np.sqrt(age))
            sketch.circles(system.position[dust], radius, colors[dust], 0.26 * (1.0 - age) ** 1.5)
        sparks = ~dust
        if sparks.any():
            width = max(_SPARK_WIDTH * size, 1.6 * sketch.pixel)
            _paint_sparks(sketch, system.position[sparks], system.velocity[sparks], part[sparks], colors[sparks], width)


def _paint_sparks(
    sketch: Sketch,
    places: NDArray[float64],
    speeds: NDArray[float64],
    part: NDArray[float64],
    colors: NDArray[float64],
    width: float,
) -> None:
    """Each spark is one triangle of light: hot and wide at its head, dark and pointed at its tail."""
    fast = np.maximum(np.hypot(speeds[:, 0], speeds[:, 1]), 1e-9)[:, None]
    along = speeds / fast
    across = width * np.column_stack((-along[:, 1], along[:, 0]))
    tails = places - along * np.maximum(_TRAIL_SECONDS * fast, 3.0 * width)
    heads = places + along * width
    points = np.stack((heads + across, heads - across, tails), axis=1).reshape(-1, 2)
    lights = np.zeros((len(places), 3, 4))
    # New sparks are nearly white; they take the colour of their body as they cool.
    heat = (1.0 - part[:, None]) ** 2
    lights[:, :, :3] = (colors + 0.4 * heat * (1.0 - colors))[:, None, :]
    lights[:, :2, 3] = np.minimum(1.3 * (1.0 - part), 0.9)[:, None]
    sketch.triangles(points, lights.reshape(-1, 4), np.tile((-1.0, 1.0, 0.0), len(places)))


def _packed(color: Color) -> int:
    red, green, blue = (round(255 * min(max(part, 0.0), 1.0)) for part in color)
    return red << 16 | green << 8 | blue


def _unpacked(styles: NDArray[int64]) -> NDArray[float64]:
    bits = np.column_stack((styles >> 16 & 255, styles >> 8 & 255, styles & 255))
    return bits / 255.0
