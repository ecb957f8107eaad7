"""How the yard looks: dusk behind it, dark ground, solid bodies, water in the gorge, and the slingshot."""

from __future__ import annotations

import math

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import Physics, Transform
from ecsphys.demo.scenes.car.livery import Livery
from ecsphys.demo.scenes.landscape import dusk
from ecsphys.demo.scenes.landscape.backdrop import Backdrop
from ecsphys.demo.scenes.landscape.ground import Ground
from ecsphys.demo.scenes.landscape.mesh import Mesh, tint
from ecsphys.demo.scenes.rigid.tint import Tints, hue
from ecsphys.demo.scenes.scene import STEP
from ecsphys.demo.scenes.sketch import Sketch
from ecsphys.demo.scenes.yard.balls import Balls
from ecsphys.demo.scenes.yard.edges import LitEdges
from ecsphys.demo.scenes.yard.ground import FLOOR, GORGE, LINES, WATER
from ecsphys.demo.scenes.yard.labels import paint_labels
from ecsphys.demo.scenes.yard.roof import paint_roof
from ecsphys.demo.scenes.yard.sling_picture import SlingPicture
from ecsphys.demo.scenes.yard.slingshot import RADIUS, Slingshot
from ecsphys.demo.scenes.yard.tally import Tally
from ecsphys.demo.scenes.yard.targets import Targets

_EYE = 7.0
_WATER_TOP, _WATER_DEEP = hue(0x4FC4C0), hue(0x131A44)
_TRAIL = 26
"""Steps that the trail of a flying ball is long."""
_FAST = 0.1
"""Units in two steps from which a ball has a trail."""


class YardPicture(esper.Processor):
    """Paints the yard; as a processor it follows the last ball that was thrown."""

    def __init__(self, sling: Slingshot, balls: Balls, tally: Tally, targets: Targets) -> None:
        self._livery = Livery(targets.car)
        self._roof = esper.component_for_entity(targets.roof, Transform)
        self._sling_picture = SlingPicture(sling)
        self._balls = balls
        self._tally = tally
        self._backdrop = Backdrop(_EYE, seed=3)
        self._ground = Ground((LINES[0], LINES[2]), seed=5)
        self._edges = LitEdges()
        self._mesh = Mesh()
        self._trail: list[tuple[float, float]] = []
        self._followed: int | None = None

    def process(self, dt: float) -> None:
        self._backdrop.time += dt
        self._sling_picture.advance(STEP if dt > 0.0 else 0.0)
        last = self._balls.thrown[-1] if self._balls.thrown else None
        if last != self._followed:
            self._followed, self._trail = last, []
        if last is not None and dt > 0.0:
            place = esper.component_for_entity(last, Transform)
            self._trail = [*self._trail, (place.x, place.y)][-_TRAIL:]

    def backdrop(self, sketch: Sketch) -> None:
        """Sky, hills and sea."""
        self._backdrop.paint(sketch)

    def below(self, sketch: Sketch) -> None:
        """The ground, and the far half of the slingshot."""
        self._ground.paint(sketch)
        self._livery.paint_light(sketch)
        self._paint_trail(sketch)
        self._sling_picture.paint_far(sketch)

    def above(self, sketch: Sketch) -> None:
        """The water, the near half of the slingshot, and points that rise."""
        self._edges.paint(sketch)
        paint_roof(sketch, self._roof)
        self._livery.paint(sketch)
        self._sling_picture.paint_near(sketch)
        self._paint_water(sketch)
        paint_labels(sketch, self._tally)

    def _paint_trail(self, sketch: Sketch) -> None:
        """A ribbon behind the last ball while it is fast; it narrows and fades to its end."""
        points = np.array(self._trail)
        if len(points) < 3 or math.dist(points[-1], points[-3]) < _FAST:
            return
        along = np.gradient(points, axis=0)
        length = np.hypot(along[:, 0], along[:, 1])[:, None]
        part = np.linspace(0.0, 1.0, len(points))[:, None]
        side = along[:, ::-1] * (-1.0, 1.0) / np.maximum(length, 1e-9) * (0.9 * RADIUS * part)
        tints = np.column_stack((np.broadcast_to(dusk.LAMP, (len(points), 3)), 0.5 * part**1.5))
        self._mesh.band(points + side, points - side, tints, tints)
        self._mesh.draw(sketch)

    def _paint_water(self, sketch: Sketch) -> None:
        time = self._backdrop.time
        x = np.linspace(*GORGE, 48)
        y = WATER + 0.1 * np.sin(1.3 * x + 1.7 * time) + 0.06 * np.sin(3.1 * x - 2.3 * time)
        top = np.column_stack((x, y))
        foot = np.column_stack((x, np.full(len(x), min(FLOOR, sketch.view[1]))))
        self._mesh.band(top, foot, tint(_WATER_TOP, 0.5), tint(_WATER_DEEP, 1.0))
        self._mesh.draw(sketch)
        sketch.strokes(top[:-1], top[1:], 0.09 / sketch.pixel, dusk.GRASS)


class YardLook(Tints):
    """Solid bodies; ground and car are painted elsewhere, and balls fade away."""

    def __init__(self, balls: Balls, hidden: list[int]) -> None:
        super().__init__(asleep=1.0, fill=1.0)
        self._balls = balls
        self._hidden = hidden

    def colors(self, physics: Physics) -> NDArray[float64]:
        colors = super().colors(physics)
        owners = physics.debug.colliders.entity
        colors[np.isin(owners, self._hidden), 3] = 0.0
        for ball, alpha in self._balls.alphas().items():
            colors[owners == ball, 3] = alpha
        return colors
