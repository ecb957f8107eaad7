"""The picture of the car's world: the landscape behind, the bodies, and the car on top."""

from __future__ import annotations

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import Physics
from ecsphys.demo.scenes.car.course import Course
from ecsphys.demo.scenes.car.dust import Dust
from ecsphys.demo.scenes.car.livery import Livery
from ecsphys.demo.scenes.car.obstacles import Obstacles
from ecsphys.demo.scenes.car.roadside import Roadside
from ecsphys.demo.scenes.landscape.backdrop import Backdrop
from ecsphys.demo.scenes.landscape.ground import Ground
from ecsphys.demo.scenes.rigid.tint import Tints
from ecsphys.demo.scenes.sketch import Sketch

_EYE = 4.5


class CarView(esper.Processor):
    """Paints everything but the colliders, and says which of those are drawn; as a processor it lets time go by."""

    def __init__(self, course: Course, obstacles: Obstacles, livery: Livery, dust: Dust) -> None:
        self._backdrop = Backdrop(_EYE)
        self._ground = Ground(course.lines)
        self._roadside = Roadside(course, obstacles.seesaws)
        self._livery = livery
        self._dust = dust

    def process(self, dt: float) -> None:
        self._backdrop.time += dt

    def paint_behind(self, sketch: Sketch) -> None:
        """The layout's ``backdrop``."""
        self._backdrop.paint(sketch)
        self._roadside.paint(sketch, self._backdrop.time)
        self._livery.paint_light(sketch)
        self._ground.paint(sketch)

    def paint_above(self, sketch: Sketch) -> None:
        self._livery.paint(sketch)
        self._dust.paint(sketch)


class SolidLook:
    """Solid colours for bodies, in place of lines; the colliders of some entities are painted by the scene itself."""

    fill = 1.0

    def __init__(self, painted: list[int]) -> None:
        self._tints = Tints(asleep=1.0)
        self._painted = np.array(sorted(painted))

    def colors(self, physics: Physics) -> NDArray[float64]:
        """Red, green, blue and alpha (n, 4) of ``physics.debug.colliders``."""
        found = self._tints.colors(physics)
        found[np.isin(physics.debug.colliders.entity, self._painted), 3] = 0.0
        return found
