"""Things that stand still beside the way: rivers in gorges, posts with lanterns, stands of seesaws, flags."""

from __future__ import annotations

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.demo.scenes.car.course import Course
from ecsphys.demo.scenes.car.seesaw import PIVOT, Seesaw
from ecsphys.demo.scenes.landscape import dusk
from ecsphys.demo.scenes.landscape.mesh import Mesh, tint
from ecsphys.demo.scenes.rigid.tint import hue
from ecsphys.demo.scenes.sketch import Color, Points, Sketch, rectangles

_WATER_DEPTH = 5.5
"""How far below the banks the water is."""
_WATER, _WATER_DEEP, _FOAM = hue(0x3C8FA0), hue(0x1A2050), hue(0x9FE8DC)
_POST, _LANTERN = 1.9, 0.16
_FLAGS_APART = 50.0
_FLAG, _FINISH = hue(0xF2495C), hue(0xFFE28A)


class Roadside:
    """Paints these things. They block nothing."""

    def __init__(self, course: Course, seesaws: list[Seesaw]) -> None:
        self._mesh = Mesh()
        self._rivers = [(left[0], right[0], min(left[1], right[1]) - _WATER_DEPTH) for left, right in course.gorges()]
        ends = [(x, span.height) for span in course.spans for x in (span.left - 0.4, span.right + 0.4)]
        self._lanterns = np.array([(x, y + _POST) for x, y in ends])
        wood = [(x - 0.09, y - 0.3, x + 0.09, y + _POST) for x, y in ends]
        flags = [(x, course.height(x)) for x in np.arange(_FLAGS_APART, course.end, _FLAGS_APART).tolist()]
        flags = [(x, y) for x, y in flags if course.is_ground(x)]
        poles = [(x - 0.05, y - 0.2, x + 0.05, y + 2.6) for x, y in flags]
        self._still, self._tints = _joined(
            (rectangles(np.array(wood)), dusk.WOOD_DARK),
            (rectangles(np.array(poles)), dusk.STONE_LIGHT),
            *((np.array(((x, y + 2.6), (x, y + 1.8), (x + 1.1, y + 2.2))), _FLAG) for x, y in flags),
            *((_stand(seesaw), dusk.WOOD_DARK) for seesaw in seesaws),
        )

    def paint(self, sketch: Sketch, time: float) -> None:
        """Paint the part that the picture shows."""
        left, bottom, right, _ = sketch.view
        mesh = self._mesh
        for start, end, surface in self._rivers:
            if start < right and end > left and surface > bottom:
                self._paint_river(start, end, surface, bottom, time)
        mesh.triangles(self._still, self._tints)
        seen = (self._lanterns[:, 0] > left - 3.0) & (self._lanterns[:, 0] < right + 3.0)
        lanterns = self._lanterns[seen]
        if len(lanterns):
            flicker = 1.0 + 0.06 * np.sin(7.0 * time + 5.0 * lanterns[:, 0])
            for radius, color, alpha in ((1.7, dusk.SUN_GLOW, 0.34), (0.6, dusk.LAMP, 0.7)):
                mesh.puffs(lanterns, radius * flicker, np.tile(tint(color, alpha), (len(lanterns), 1)))
            half = np.array((_LANTERN, _LANTERN))
            mesh.triangles(rectangles(np.hstack((lanterns - half, lanterns + half))), tint(dusk.SUN))
        mesh.draw(sketch)

    def _paint_river(self, start: float, end: float, surface: float, bottom: float, time: float) -> None:
        x = np.linspace(start, end, 24)
        y = surface + 0.09 * np.sin(1.9 * x + 1.6 * time) + 0.05 * np.sin(4.3 * x - 2.3 * time)
        top = np.column_stack((x, y))
        foot = np.column_stack((x, np.full(len(x), bottom)))
        self._mesh.band(top, foot, tint(_WATER, 0.85), tint(_WATER_DEEP))
        self._mesh.band_down(top, 0.12, tint(_FOAM, 0.9), tint(_WATER, 0.0))


def _stand(seesaw: Seesaw) -> Points:
    """The triangle under its pivot."""
    x, y = seesaw.x, seesaw.y
    return np.array(((x, y), (x - 0.6, y - PIVOT), (x + 0.6, y - PIVOT)))


def _joined(*parts: tuple[Points, Color]) -> tuple[Points, NDArray[float64]]:
    """Triangles in one array, with a tint for each of their corners."""
    points = np.concatenate([part for part, _ in parts])
    tints = np.concatenate([np.tile(tint(color), (len(part), 1)) for part, color in parts])
    return points, tints
