"""Fixed steps: the same motion in few steps drawn as it is and interpolated, and in as many steps as frames.

The mouse leads the balls, so that the delay of few steps is felt.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

import esper
import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

import ecsphys
from ecsphys import (
    CircleCollider,
    CircularTrajectory,
    FixedStep,
    HarmonicTrajectory,
    OBBCollider,
    Physics,
    Spring,
    Transform,
    Velocity,
)
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Pair
from ecsphys.demo.scenes.parameter import Parameter, Reading
from ecsphys.demo.scenes.scene import Box, Caption, Layout, Pointer
from ecsphys.demo.scenes.sketch import Points, Sketch, polyline
from ecsphys.systems.stepping.fixed_step import PoseField

ARENA: Box = (-17.0, -8.0, 17.0, 8.0)
SLOW, FAST = 10.0, 60.0
_MIDDLES = (-11.2, 0.0, 11.2)  # of the three panels: the physics is in the first, the others are drawn beside it
_HALF_PANEL, _PANEL_LOW, _PANEL_HIGH = 5.2, -4.2, 6.4
_CIRCLE, _RADIUS, _BALL, _TURN = 3.1, 2.5, 0.44, 3.4
_SWING, _AMPLITUDE, _HALF_BAR, _FREQUENCY = -2.1, 3.7, 1.1, 3.0
_STIFFNESS = 140.0
"""Of the spring that pulls a ball to the mouse; its damping is critical."""
_SUBSTEPS = 8
_LEAST_RADIUS, _MOST_RADIUS = 0.6, 3.0
_IMAGES = 42  # frames whose pictures are still seen
_FRAMES = 200  # of the chart
_CHART_LEFT, _CHART_WIDTH, _CHART_LOW, _CHART_HIGH = -16.4, 32.8, -7.5, -6.0


@dataclass(frozen=True)
class Ball:
    """The ball of one world: it circles, or a spring pulls it to the mouse."""

    world: str
    entity: int
    place: Transform

    def pull(self, x: float, y: float) -> None:
        """Leave the circle for a spring whose anchor is at a place; or move the anchor."""
        spring = esper.try_component(self.entity, Spring)
        if spring is not None:
            spring.anchor_x, spring.anchor_y = x, y
            return
        esper.remove_component(self.entity, CircularTrajectory)
        damping = 2.0 * math.sqrt(_STIFFNESS)
        esper.add_component(self.entity, Velocity())
        esper.add_component(self.entity, Spring(x, y, _STIFFNESS, damping=damping))

    def let_go(self) -> None:
        """Circle again, from here on."""
        esper.remove_component(self.entity, Spring)
        esper.remove_component(self.entity, Velocity)
        x, y = self.place.x - _MIDDLES[0], self.place.y - _CIRCLE
        radius = min(max(math.hypot(x, y), _LEAST_RADIUS), _MOST_RADIUS)
        circle = CircularTrajectory(_MIDDLES[0], _CIRCLE, radius, _TURN, math.atan2(y, x))
        esper.add_component(self.entity, circle)


class Lead(Pointer):
    """Pulls the ball of each world to the mouse: to the same place of its panel."""

    def __init__(self, balls: list[Ball]) -> None:
        self._balls = balls
        self._is_held = False

    def press(self, x: float, y: float) -> bool:
        self._is_held = y > _PANEL_LOW
        self.move(x, y)
        return self._is_held

    def move(self, x: float, y: float) -> None:
        if self._is_held:
            place = _in_first_panel(x, y)
            self._in_each_world(lambda ball: ball.pull(*place))

    def release(self) -> None:
        if self._is_held:
            self._is_held = False
            self._in_each_world(Ball.let_go)

    def _in_each_world(self, change: Callable[[Ball], None]) -> None:
        home = esper.current_world
        for ball in self._balls:
            esper.switch_world(ball.world)
            change(ball)
        esper.switch_world(home)


def _in_first_panel(x: float, y: float) -> Pair:
    """The place in the first panel that is beside a place in any of them."""
    middle = min(_MIDDLES, key=lambda middle: abs(middle - x))
    reach = _HALF_PANEL - _BALL
    inset = min(max(x - middle, -reach), reach)
    return _MIDDLES[0] + inset, min(max(y, _PANEL_LOW + _BALL), _PANEL_HIGH - _BALL)


def _fill(physics: Physics) -> tuple[FixedStep, NDArray[int64], Ball]:
    """The movers in the current world; its fixed step, the rows of the transforms of ball and bar, and the ball."""
    physics.settings.motion_substeps = _SUBSTEPS
    fixed = physics.fixed_step
    assert fixed is not None
    circle = CircularTrajectory(_MIDDLES[0], _CIRCLE, _RADIUS, _TURN)
    place = Transform(_MIDDLES[0] + _RADIUS, _CIRCLE)
    ball = Ball(esper.current_world, esper.create_entity(place, circle, CircleCollider(_BALL)), place)
    swing = HarmonicTrajectory(_MIDDLES[0], _SWING, _AMPLITUDE, 0.0, _FREQUENCY)
    esper.create_entity(Transform(_MIDDLES[0], _SWING), swing, Velocity(angular=1.7), OBBCollider(_HALF_BAR, 0.14))
    return fixed, ecsphys.join(Transform)[1], ball


class Beside(esper.Processor):
    """Plays another world in the frames of this one."""

    def __init__(self, world: str) -> None:
        self.world = world

    def process(self, dt: float) -> None:
        home = esper.current_world
        esper.switch_world(self.world)
        try:
            esper.process(dt)
        finally:
            esper.switch_world(home)


class Film(esper.Processor):
    """Takes a picture of each frame, after everything has moved, and draws the last ones over each other."""

    def __init__(self, slow: FixedStep, slow_rows: NDArray[int64], fast_rows: NDArray[int64], ball: Ball) -> None:
        self.slow = slow
        self._ball = ball
        self._slow_rows = slow_rows
        self._fast_rows = fast_rows
        # Newest first: frames, panels, x y angle, ball and bar.
        self._poses: NDArray[float64] = np.full((_IMAGES, 3, 3, 2), np.nan)
        self._alpha: NDArray[float64] = np.full(_FRAMES, np.nan)
        self._steps: NDArray[int64] = np.zeros(_FRAMES, int64)

    def process(self, dt: float) -> None:
        self._poses[1:] = self._poses[:-1]
        for field, name in enumerate(get_args(PoseField)):
            as_it_is = Transform.column(name, writable=False)
            self._poses[0, 0, field] = as_it_is[self._slow_rows]
            self._poses[0, 1, field] = self.slow.interpolated(name)[self._slow_rows]
            self._poses[0, 2, field] = as_it_is[self._fast_rows]
        self._poses[0, :, 0] += np.subtract(_MIDDLES, _MIDDLES[0])[:, None]
        for history, value in ((self._alpha, self.slow.alpha), (self._steps, self.slow.steps)):
            history[1:] = history[:-1]
            history[0] = value

    def paint(self, sketch: Sketch) -> None:
        """Panels, pictures, and the chart."""
        middles = np.array(_MIDDLES)
        edges = np.column_stack(
            (middles - _HALF_PANEL, np.full(3, _PANEL_LOW), middles + _HALF_PANEL, np.full(3, _PANEL_HIGH))
        )
        sketch.boxes(edges, palette.FRAME, 0.9, line=1.2, fill=0.12)
        circle = esper.try_component(self._ball.entity, CircularTrajectory)
        if circle is not None:
            centers = np.column_stack((middles, np.full(3, _CIRCLE)))
            sketch.circles(centers, circle.radius, palette.GUIDE, 0.3, line=1.2)
        swing = np.full(3, _SWING)
        left, right = np.column_stack((middles - _AMPLITUDE, swing)), np.column_stack((middles + _AMPLITUDE, swing))
        sketch.strokes(left, right, 1.2, palette.GUIDE, 0.3)
        known = int(np.count_nonzero(~np.isnan(self._poses[:, 0, 0, 0])))
        # Oldest first, each ball and bar in three panels.
        x, y, angle = self._poses[known - 1 :: -1].transpose(2, 3, 0, 1).reshape(3, 2, -1)
        age = np.repeat(np.arange(known)[::-1], 3)
        light = np.where(age > 0, 0.1 * (1.0 - age / _IMAGES), 1.0)
        sketch.circles(np.column_stack((x[0], y[0])), _BALL, palette.COLLIDERS[0], light)
        middle = np.column_stack((x[1], y[1]))
        along = _HALF_BAR * np.column_stack((np.cos(angle[1]), np.sin(angle[1])))
        sketch.strokes(middle - along, middle + along, 0.28 / sketch.pixel, palette.COLLIDERS[2], light)
        self._paint_chart(sketch)

    def _paint_chart(self, sketch: Sketch) -> None:
        """The remainder over time, and a mark where a step took from it."""
        time = _CHART_LEFT + _CHART_WIDTH * (1.0 - np.arange(_FRAMES) / (_FRAMES - 1))
        stepped = time[self._steps > 0]
        low, high = np.full(stepped.size, _CHART_LOW), np.full(stepped.size, _CHART_HIGH)
        sketch.strokes(np.column_stack((stepped, low)), np.column_stack((stepped, high)), 1.2, palette.ACCENT, 0.35)
        base: Points = np.array([(_CHART_LEFT, _CHART_LOW), (_CHART_LEFT + _CHART_WIDTH, _CHART_LOW)])
        sketch.strokes(base[:1], base[1:], 1.2, palette.FRAME)
        known = ~np.isnan(self._alpha)
        height = _CHART_LOW + (_CHART_HIGH - _CHART_LOW) * self._alpha
        polyline(sketch, np.column_stack((time, height))[known], 2.0, palette.LIT, 0.95)


def build(rng: np.random.Generator) -> Layout:
    """Nothing here is random; the comparison is in a world of its own, whose name begins with this one's."""
    home = esper.current_world
    beside = f"{home} beside"
    esper.switch_world(beside)
    fast, fast_rows, fast_ball = _fill(ecsphys.install(fixed_step=FAST))
    esper.switch_world(home)
    physics = ecsphys.install(fixed_step=SLOW)
    slow, slow_rows, slow_ball = _fill(physics)
    film = Film(slow, slow_rows, fast_rows, slow_ball)
    esper.add_processor(Beside(beside), 1)
    esper.add_processor(film)

    def set_rate(value: float) -> None:
        slow.hz = value

    def set_time_scale(value: float) -> None:
        slow.time_scale = fast.time_scale = value

    lefts = [middle - _HALF_PANEL + 0.1 for middle in _MIDDLES]
    return Layout(
        physics,
        ARENA,
        [
            Caption(lefts[0], 7.8, "Few steps: it jerks", "Transform.column, drawn as it is", room=1.2),
            Caption(lefts[1], 7.8, "The same, drawn in between", "fixed_step.interpolated: a step late", room=1.2),
            Caption(lefts[2], 7.8, "Drag a ball: which is late?", "60 steps a second, drawn as it is", room=1.2),
            Caption(_CHART_LEFT, -4.6, "Time since the last step", "fixed_step.alpha; each line is a step"),
        ],
        paints_itself=True,
        parameters=[
            Parameter("steps", lambda: slow.hz, set_rate, (3, 5, 10, 20, 30, 60), "{:g}/s"),
            Parameter("time scale", lambda: slow.time_scale, set_time_scale, (0.0, 0.25, 0.5, 1.0, 2.0), "× {:g}"),
        ],
        readings=[
            Reading("steps in this frame", lambda: f"{slow.steps}"),
            Reading("alpha", lambda: f"{slow.alpha:.2f}"),
            Reading("turned by", lambda: f"{math.degrees(_TURN * slow.dt):.0f}° a step"),
        ],
        paint_below=film.paint,
        pointer=Lead([slow_ball, fast_ball]),
    )
