"""Circles and springs in closed form beside three ways to step them; the mouse pulls them, and the errors are seen."""

from __future__ import annotations

import math
from dataclasses import dataclass

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import (
    AABBCollider,
    CircleCollider,
    CircularTrajectory,
    HarmonicTrajectory,
    Orbit,
    Physics,
    Spring,
    Transform,
    Velocity,
)
from ecsphys.demo import palette
from ecsphys.demo.scenes.drawing.trails import Trails
from ecsphys.demo.scenes.parameter import Parameter, Reading
from ecsphys.demo.scenes.physics_parameters import method, substeps
from ecsphys.demo.scenes.scene import Box, Caption, Layout, Pointer
from ecsphys.demo.scenes.sketch import Sketch, polyline

ARENA: Box = (-17.0, -8.0, 17.0, 8.0)
RADIUS = 2.6
AMPLITUDE = 2.5
_MOST_RADIUS, _LEAST_RADIUS = 3.2, 0.5
_MOST_PULL = 3.4
_ANCHOR = 10.2
_HISTORY = 420  # steps of the springs' curves
_CIRCLE = (-11.2, 2.4)
_FORCE = (-2.6, 2.4)
_SPRINGS_LEFT = 2.4
_CHART_TOP = -1.6


@dataclass
class Settings:
    """Values that the parameters change; a change begins everything again."""

    period: float = 4.0
    stiffness: float = 6.0
    damping: float = 0.05
    mass: float = 1.0


class Comparison(esper.Processor):
    """The same circle and the same spring, in closed form and in steps, started together."""

    def __init__(self, physics: Physics) -> None:
        self.physics = physics
        self.settings = Settings()
        self.radius, self.angle = RADIUS, 0.0
        """Where the circles begin."""
        self.pull = AMPLITUDE
        """Where the springs are let go."""
        self.is_held = False
        """Whether the mouse holds them."""
        self.exact = Transform(), CircularTrajectory(*_CIRCLE, RADIUS, 1.0)
        self.forced = Transform(), Velocity(), Orbit(*_FORCE, 1.0)
        self.ghost = Transform(), CircularTrajectory(*_FORCE, RADIUS, 1.0)
        self.swing = Transform(), HarmonicTrajectory(_ANCHOR, 5.0, AMPLITUDE, 0.0, 1.0)
        self.spring = Transform(), Velocity(), Spring(_ANCHOR, 1.6, 1.0)
        self.entities = [
            esper.create_entity(*self.exact, CircleCollider(0.45)),
            esper.create_entity(*self.forced, CircleCollider(0.45)),
            esper.create_entity(*self.swing, AABBCollider(0.5, 0.5)),
            esper.create_entity(*self.spring, AABBCollider(0.5, 0.5)),
        ]
        esper.create_entity(*self.ghost)
        self.history: NDArray[float64] = np.full((_HISTORY, 2), np.nan)
        self.restart()

    def restart(self) -> None:
        """Begin again: a circle at c + R·(cos φ, sin φ) with v = R·ω·(−sin φ, cos φ), a spring at A at rest."""
        settings = self.settings
        turn = math.tau / settings.period
        for _, path in (self.exact, self.ghost):
            path.angular_speed, path.radius, path.phase, path.elapsed = turn, self.radius, self.angle, 0.0
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        transform, velocity, orbit = self.forced
        transform.x, transform.y = _FORCE[0] + self.radius * cos, _FORCE[1] + self.radius * sin
        velocity.x, velocity.y = -self.radius * turn * sin, self.radius * turn * cos
        orbit.angular_speed = turn
        # ω² = k/m, and the damping c of the ratio ζ is 2ζ·√(k·m).
        rate = math.sqrt(settings.stiffness / settings.mass)
        _, swing = self.swing
        swing.angular_frequency, swing.damping, swing.elapsed = rate, settings.damping, 0.0
        swing.phase, swing.amplitude_x = 0.5 * math.pi, self.pull
        transform, velocity, spring = self.spring
        transform.x, transform.y = spring.anchor_x + self.pull, spring.anchor_y
        velocity.x = velocity.y = 0.0
        spring.stiffness, spring.mass = settings.stiffness, settings.mass
        spring.damping = 2.0 * settings.damping * math.sqrt(settings.stiffness * settings.mass)
        self.history[:] = np.nan

    def begin_circles(self, x: float, y: float) -> None:
        """Begin with the circles through a place, given from their centers."""
        self.radius = min(max(math.hypot(x, y), _LEAST_RADIUS), _MOST_RADIUS)
        self.angle = math.atan2(y, x)
        self.restart()

    def begin_springs(self, pull: float) -> None:
        """Begin with the springs pulled so far."""
        self.pull = min(max(pull, -_MOST_PULL), _MOST_PULL)
        self.restart()

    def process(self, dt: float) -> None:
        if self.is_held:
            self.restart()
        self.history[1:] = self.history[:-1]
        self.history[0] = self.swing[0].x - _ANCHOR, self.spring[0].x - _ANCHOR
        # A method that gains energy without end begins again before it leaves the picture.
        if self.radius_error() > 0.6 * RADIUS or abs(self.spring[0].x - _ANCHOR) > 2.2 * AMPLITUDE:
            self.restart()

    def radius_error(self) -> float:
        """How far the stepped circle is from its radius, in units."""
        transform = self.forced[0]
        return abs(math.dist((transform.x, transform.y), _FORCE) - self.radius)

    def spring_error(self) -> float:
        """How far the stepped spring is from the exact one, in units."""
        return abs(self.swing[0].x - self.spring[0].x)

    def paint(self, sketch: Sketch) -> None:
        """The circle to be kept, where the exact one is, and the springs' curves over time."""
        sketch.circles(np.array([_FORCE]), self.radius, palette.GUIDE, 0.35, line=1.3)
        ghost = self.ghost[0]
        sketch.circles(np.array([[ghost.x, ghost.y]]), 0.45, palette.TEXT_SOFT, 0.5, line=1.2)
        time = -16.3 + 32.6 * (1.0 - np.arange(_HISTORY) / (_HISTORY - 1))
        base = -4.9
        sketch.strokes(np.array([[-16.3, base]]), np.array([[16.3, base]]), 1.2, palette.FRAME)
        for column, color in ((0, palette.COLLIDERS[1]), (1, palette.CONTACT)):
            known = ~np.isnan(self.history[:, column])
            curve = np.column_stack((time, base + 0.78 * self.history[:, column]))[known]
            polyline(sketch, curve, 2.2, color, 0.9)


class Pull(Pointer):
    """Puts the balls on the circles through the mouse, or pulls the springs to it, until the button goes up."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._is_spring = False

    def press(self, x: float, y: float) -> bool:
        if y < _CHART_TOP:
            return False
        self._is_spring = x > _SPRINGS_LEFT
        self._comparison.is_held = True
        self.move(x, y)
        return True

    def move(self, x: float, y: float) -> None:
        if not self._comparison.is_held:
            return
        if self._is_spring:
            self._comparison.begin_springs(x - _ANCHOR)
        else:
            center = min((_CIRCLE, _FORCE), key=lambda center: math.dist(center, (x, y)))
            self._comparison.begin_circles(x - center[0], y - center[1])

    def release(self) -> None:
        self._comparison.is_held = False


def build(rng: np.random.Generator) -> Layout:
    """Nothing here is random."""
    physics = ecsphys.install(integrator="explicit")
    comparison = Comparison(physics)
    esper.add_processor(comparison)
    settings = comparison.settings

    def setter(name: str) -> Parameter:
        choices, form = _CHOICES[name]

        def put(value: float) -> None:
            setattr(settings, name, value)
            comparison.restart()

        return Parameter(name, lambda: float(getattr(settings, name)), put, choices, form)

    captions = [
        Caption(-16.7, 7.8, "An exact circle: drag its ball", "CircularTrajectory"),
        Caption(-6.3, 7.8, "A circle in steps", "Velocity + Orbit; ring: exact"),
        Caption(4.4, 7.8, "An exact spring: pull it", "HarmonicTrajectory"),
        Caption(4.4, 3.6, "A spring in steps", "Velocity + Spring, with the method below"),
        Caption(-16.7, -1.5, "Both springs over seven seconds", "green: exact, red: in steps"),
    ]
    return Layout(
        physics,
        ARENA,
        captions,
        Trails(comparison.entities[:2]),
        show_contacts=False,
        parameters=[
            method(physics, comparison.restart),
            substeps(physics, comparison.restart),
            *(setter(name) for name in _CHOICES),
        ],
        readings=[
            Reading("radius error", lambda: f"{comparison.radius_error():.4f}"),
            Reading("spring error", lambda: f"{comparison.spring_error():.4f}"),
        ],
        paint_below=comparison.paint,
        pointer=Pull(comparison),
    )


_CHOICES: dict[str, tuple[tuple[float, ...], str]] = {
    "period": ((1.0, 1.5, 2.0, 3.0, 4.0, 6.0), "{:g} s"),
    "stiffness": ((1.0, 3.0, 6.0, 12.0, 25.0, 50.0), "{:g}"),
    "damping": ((0.0, 0.05, 0.2, 0.5, 1.0, 2.0), "{:g}"),
}
