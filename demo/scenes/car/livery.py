"""How the car looks: body, windows, lamps and wheels with spokes, on top of its colliders."""

from __future__ import annotations

import math

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import Transform
from ecsphys.demo.scenes.car.vehicle import BARS, CABIN, HULL, PAINT, WHEEL_RADIUS, WHEELBASE, Car
from ecsphys.demo.scenes.landscape import dusk
from ecsphys.demo.scenes.landscape.mesh import Mesh, tint
from ecsphys.demo.scenes.rigid.tint import hue
from ecsphys.demo.scenes.sketch import Color, Points, Sketch, polyline

_SHADE, _SHINE = hue(0xA92A50), hue(0xFF9AA0)
_GLASS, _GLASS_LIT = hue(0x2A1A52), hue(0xFFB98A)
_CHROME, _TYRE, _HUB = hue(0xF4ECDD), hue(0x1B1230), hue(0xB9B0D0)
_BACK_LAMP = hue(0xFF3F6A)
_BEAM, _BEAM_WIDTH = 11.0, 1.7
_SPOKES = 5
_ARCH = np.column_stack([part(np.linspace(0.0, math.pi, 13)) for part in (np.cos, np.sin)])


def _fan(outline: list[tuple[float, float]], tints: list[tuple[float, float, float, float]]) -> Points:
    """The triangles of a convex outline, each corner (x, y, red, green, blue, alpha)."""
    rows = np.column_stack((np.array(outline), np.array(tints)))
    return np.concatenate([np.stack((rows[0], rows[k], rows[k + 1])) for k in range(1, len(rows) - 1)])


def _shaded(outline: list[tuple[float, float]], top: Color, bottom: Color) -> Points:
    """A convex outline whose colour goes from its highest to its lowest point."""
    y = np.array(outline)[:, 1]
    part = ((y - y.min()) / (y.max() - y.min())).tolist()
    tints = [tint((*(b + p * (a - b) for a, b in zip(top, bottom, strict=True)),)) for p in part]
    return _fan(outline, tints)


def _stamp() -> NDArray[float64]:
    """The body at the origin."""
    sill = [(-2.28, -0.16), (-2.2, -0.45), (2.2, -0.45), (2.45, -0.2)]
    roof = [(-1.38, 1.06), (0.42, 1.04), (0.45, 1.13), (-1.36, 1.16)]
    back_window = [(-1.52, 0.46), (-0.55, 0.46), (-0.55, 0.97), (-1.25, 0.97)]
    front_window = [(-0.42, 0.46), (0.95, 0.44), (0.4, 0.97), (-0.42, 0.97)]
    gleam = [(0.1, 0.46), (0.42, 0.45), (0.2, 0.97), (-0.1, 0.97)]
    parts = [
        _shaded(list(CABIN), _SHINE, PAINT),
        _shaded(back_window, _GLASS, _GLASS_LIT),
        _shaded(front_window, _GLASS, _GLASS_LIT),
        _fan(gleam, [tint(_CHROME, 0.28)] * 4),
        _fan(roof, [tint(_SHADE)] * 4),
        _shaded(list(HULL), PAINT, _SHADE),
        _fan(sill, [tint(_SHADE)] * 4),
        _fan([(-2.24, 0.28), (1.9, 0.24), (1.9, 0.29), (-2.24, 0.34)], [tint(_SHINE)] * 4),
        _fan([(-0.48, -0.3), (-0.44, -0.3), (-0.44, 0.38), (-0.48, 0.38)], [tint(_SHADE)] * 4),
        _fan([(-0.78, 0.12), (-0.56, 0.12), (-0.56, 0.17), (-0.78, 0.17)], [tint(_CHROME)] * 4),
        _fan([(2.2, -0.02), (2.41, -0.04), (2.38, 0.2), (2.2, 0.22)], [tint(dusk.LAMP)] * 4),
        _fan([(-2.31, 0.1), (-2.18, 0.1), (-2.18, 0.34), (-2.28, 0.34)], [tint(_BACK_LAMP)] * 4),
        *(_shaded(list(bar), _HUB, _TYRE) for bar in BARS),
    ]
    for side in (-0.5, 0.5):
        arch = [(WHEELBASE * side + 0.95 * x, -0.52 + 0.78 * y) for x, y in _ARCH.tolist()]
        parts.append(_fan(arch, [tint(_TYRE)] * len(arch)))
    return np.concatenate(parts)


_STAMP = _stamp()
_OUTLINE = np.array((*HULL[:5], (1.18, 0.4), *CABIN[2:], (-1.75, 0.44), *HULL[6:]))


class Livery:
    """Paints one car."""

    def __init__(self, car: Car) -> None:
        self._car = car
        self._mesh = Mesh()
        self._wheels = [esper.component_for_entity(wheel, Transform) for wheel in car.wheels]

    def paint_light(self, sketch: Sketch) -> None:
        """The beam of its headlight, before the car itself is drawn."""
        ends = np.array([(2.38 + _BEAM, 0.1 + _BEAM_WIDTH * side) for side in np.linspace(-1.0, 0.4, 6).tolist()])
        for alpha, first, last in ((0.16, 0, 5), (0.14, 1, 4), (0.12, 2, 3)):
            beam = np.array(((2.38, 0.1), ends[first], ends[last]))
            tints = np.array((tint(dusk.LAMP, alpha), tint(dusk.LAMP, 0.0), tint(dusk.LAMP, 0.0)))
            self._mesh.triangles(self._in_world(beam), tints)
        for x, y, radius, color in ((2.4, 0.1, 1.1, dusk.LAMP), (-2.3, 0.22, 0.7, _BACK_LAMP)):
            ((glow_x, glow_y),) = self._in_world(np.array([(x, y)])).tolist()
            self._mesh.glow(glow_x, glow_y, radius, tint(color, 0.6), tint(color, 0.0))
        self._mesh.draw(sketch)

    def paint(self, sketch: Sketch) -> None:
        """The car itself."""
        self._mesh.triangles(self._in_world(_STAMP[:, :2]), _STAMP[:, 2:])
        self._mesh.draw(sketch)
        polyline(sketch, self._in_world(_OUTLINE), 1.6, dusk.INK, 0.9, closed=True)
        self._paint_wheels(sketch)

    def _paint_wheels(self, sketch: Sketch) -> None:
        hubs = np.array([(place.x, place.y) for place in self._wheels])
        turns = np.array([place.angle for place in self._wheels])
        sketch.circles(hubs, WHEEL_RADIUS, _TYRE)
        sketch.circles(hubs, 0.66 * WHEEL_RADIUS, _HUB)
        sketch.circles(hubs, 0.55 * WHEEL_RADIUS, _SHADE)
        angles = turns[:, None] + np.arange(_SPOKES) * (math.tau / _SPOKES)
        ends = hubs[:, None] + 0.56 * WHEEL_RADIUS * np.stack((np.cos(angles), np.sin(angles)), axis=2)
        starts = np.repeat(hubs, _SPOKES, axis=0)
        sketch.strokes(starts, ends.reshape(-1, 2), 0.13 / sketch.pixel, _HUB)
        sketch.circles(hubs, 0.2 * WHEEL_RADIUS, _CHROME)

    def _in_world(self, points: Points) -> Points:
        place = self._car.place
        c, s = math.cos(place.angle), math.sin(place.angle)
        turned: Points = points @ np.array(((c, s), (-s, c))) + (place.x, place.y)
        return turned
