"""Particles: a uniform and a normal splash side by side, with their histograms, and more of them at the mouse."""

from __future__ import annotations

import math
from dataclasses import dataclass

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import CircleCollider, Priority, Transform, Velocity
from ecsphys.demo import palette
from ecsphys.demo.scenes.parameter import Parameter, Reading
from ecsphys.demo.scenes.scene import Box, Caption, Layout, Pointer
from ecsphys.demo.scenes.sketch import Sketch
from ecsphys.effects import Emitter, Splash
from ecsphys.systems import ParticleSystem

ARENA: Box = (-17.0, -8.0, 17.0, 8.0)
GRAVITY = 4.0
_PLACES = {Splash.UNIFORM: -8.5, Splash.NORMAL: 8.5}
_COLORS = {Splash.UNIFORM: palette.COLLIDERS[0], Splash.NORMAL: palette.COLLIDERS[4]}
_BINS = 40
_HISTOGRAM_BOTTOM = -7.6
_SPRAY_SECONDS = 0.1
_SPRAY_PART = 0.1
"""How many particles the held mouse sprays at once, as a part of a burst."""


@dataclass
class Settings:
    """Values that the parameters change."""

    count: int = 2000
    spread: float = 1.6
    period: float = 2.0
    rate: float = 90.0


class Fountain(esper.Processor):
    """A burst of each kind every few seconds, and a jet between them."""

    def __init__(self, particles: ParticleSystem) -> None:
        self.particles = particles
        self.settings = Settings()
        self.mouse: tuple[float, float] | None = None
        """Where the mouse sprays."""
        self._spray_clock = 0.0
        self._clock = math.inf
        self.bins = {splash: np.zeros(_BINS) for splash in _PLACES}
        self.measured = dict.fromkeys(_PLACES, (0.0, 0.0))
        self.styles = {
            splash: Emitter(
                splash=splash,
                vy=2.6,
                vx_spread=self.settings.spread,
                vy_spread=self.settings.spread,
                lifetime=2.4,
                lifetime_spread=0.5,
                gravity_scale=1.0,
                style=int(splash),
            )
            for splash in _PLACES
        }
        self.jet = Emitter(
            rate=self.settings.rate,
            vy=6.0,
            vx_spread=0.35,
            vy_spread=0.5,
            splash=Splash.NORMAL,
            lifetime=2.2,
            gravity_scale=1.0,
            style=2,
        )
        esper.create_entity(Transform(0.0, -1.9), Velocity(), self.jet, CircleCollider(0.25))

    def burst(self, x: float, y: float, part: float = 1.0) -> None:
        """A burst, or a part of it, at a place: uniform in the left half of the picture, normal in the right."""
        style = self.styles[Splash.UNIFORM if x < 0.0 else Splash.NORMAL]
        style.vx_spread = style.vy_spread = self.settings.spread
        self.particles.burst(x, y, max(round(part * self.settings.count), 1), style)

    def _spray(self, dt: float) -> None:
        self._spray_clock += dt
        if self.mouse is not None and self._spray_clock >= _SPRAY_SECONDS:
            self._spray_clock = 0.0
            self.burst(*self.mouse, _SPRAY_PART)

    def process(self, dt: float) -> None:
        self._spray(dt)
        self._clock += dt
        if self._clock < self.settings.period:
            return
        self._clock = 0.0
        for splash, x in _PLACES.items():
            before = len(self.particles)
            self.burst(x, 1.2)
            speeds = self.particles.velocity[before:, 0]
            self.bins[splash], _ = np.histogram(speeds / self.settings.spread, _BINS, (-4.0, 4.0))
            self.measured[splash] = float(speeds.mean()), float(speeds.std())

    def paint(self, sketch: Sketch) -> None:
        """Each particle a dot that fades with age, and the histograms of vx at the last burst."""
        particles = self.particles
        fading = 1.0 - particles.age / particles.lifetime
        colors = (*_COLORS.values(), palette.COLLIDERS[5])
        for style, color in enumerate(colors):
            own = particles.style == style
            sketch.circles(particles.position[own], 2.1 * sketch.pixel, color, 0.85 * fading[own])
        for splash, x in _PLACES.items():
            self._paint_histogram(sketch, x, self.bins[splash], splash)

    def _paint_histogram(self, sketch: Sketch, x: float, bins: NDArray[float64], splash: Splash) -> None:
        edges = np.linspace(-4.0, 4.0, _BINS + 1)
        # As high as the density is, 0.5 at most for the uniform splash and 0.4 for the normal one.
        density = bins / max(bins.sum(), 1.0) / (edges[1] - edges[0])
        wide, high = 1.6, 6.0
        bottom = np.full(_BINS, _HISTOGRAM_BOTTOM)
        boxes = np.column_stack((x + wide * edges[:-1], bottom, x + wide * edges[1:] - 0.04, bottom + high * density))
        sketch.boxes(boxes, _COLORS[splash], 0.9, fill=0.6)
        places = np.linspace(-4.0, 4.0, 201)
        wanted = _density(splash, places)
        curve = np.column_stack((x + wide * places, _HISTOGRAM_BOTTOM + high * wanted))
        sketch.strokes(curve[:-1], curve[1:], 1.8, palette.TEXT, 0.8)


class Spray(Pointer):
    """A click bursts at the mouse; while the button is down, it sprays from there."""

    def __init__(self, fountain: Fountain) -> None:
        self._fountain = fountain

    def press(self, x: float, y: float) -> bool:
        self._fountain.burst(x, y)
        self._fountain.mouse = (x, y)
        return True

    def move(self, x: float, y: float) -> None:
        if self._fountain.mouse is not None:
            self._fountain.mouse = (x, y)

    def release(self) -> None:
        self._fountain.mouse = None


def _density(splash: Splash, places: NDArray[float64]) -> NDArray[float64]:
    """What the histogram comes near: even over ± spread, or the bell of σ = spread; places in units of it."""
    if splash is Splash.UNIFORM:
        return np.where(np.abs(places) <= 1.0, 0.5, 0.0)
    bell: NDArray[float64] = np.exp(-0.5 * places**2) / math.sqrt(math.tau)
    return bell


def build(rng: np.random.Generator) -> Layout:
    """Particles are no entities: the only one is the jet."""
    physics = ecsphys.install(gravity=(0.0, -GRAVITY))
    particles = ParticleSystem(physics, seed=int(rng.integers(2**31)))
    esper.add_processor(particles, Priority.PARTICLE)
    fountain = Fountain(particles)
    esper.add_processor(fountain)
    settings = fountain.settings

    def set_count(value: float) -> None:
        settings.count = round(value)

    def set_spread(value: float) -> None:
        settings.spread = value

    def set_period(value: float) -> None:
        settings.period = value

    def set_rate(value: float) -> None:
        fountain.jet.rate = value

    def deviation(splash: Splash) -> str:
        mean, sigma = fountain.measured[splash]
        return f"mean {mean:+z.3f}, σ {sigma:.3f}"

    captions = [
        Caption(-16.7, 7.8, "Uniform: click for a burst", "Splash.UNIFORM: a box with sharp edges"),
        Caption(0.3, 7.8, "Normal: hold to spray", "Splash.NORMAL: a round cloud"),
        Caption(-16.7, -3.4, "Their speeds to the side", "evenly spread", room=1.2),
        Caption(0.3, -3.4, "Their speeds to the side", "a bell curve", room=1.2),
    ]
    return Layout(
        physics,
        ARENA,
        captions,
        show_contacts=False,
        parameters=[
            Parameter("burst", lambda: settings.count, set_count, (100, 500, 1000, 2000, 5000), "{:.0f}"),
            Parameter("spread", lambda: settings.spread, set_spread, (0.4, 0.8, 1.2, 1.6), "{:g}/s"),
            Parameter("every", lambda: settings.period, set_period, (0.5, 1.0, 2.0, 4.0), "{:g} s"),
            Parameter("jet", lambda: fountain.jet.rate, set_rate, (0, 30, 90, 300, 1000), "{:g}/s"),
        ],
        readings=[
            Reading("particles", lambda: f"{len(particles):,}"),
            Reading("uniform", lambda: deviation(Splash.UNIFORM)),
            Reading("normal", lambda: deviation(Splash.NORMAL)),
        ],
        paint_above=fountain.paint,
        pointer=Spray(fountain),
    )
