"""The sky at dusk: stars, a low sun with its glow, long thin clouds."""

from __future__ import annotations

import math

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.demo.scenes.landscape import dusk
from ecsphys.demo.scenes.landscape.mesh import Mesh, strip, tint
from ecsphys.demo.scenes.landscape.plane import Plane

SUN_X, SUN_Y, SUN_RADIUS = 4.5, 1.25, 1.7
"""The sun's middle, from the picture's middle and above the horizon, and its radius."""
_HEIGHT = 12.5
_ROWS, _COLUMNS = 14, 14
_STARS, _STARS_FROM = 120, 4.2
_CLOUDS, _PERIOD, _DRIFT = 9, 64.0, 0.12
_DIAMOND = np.array(((-1.0, 0.0), (0.0, -1.0), (0.0, 1.0), (0.0, 1.0), (0.0, -1.0), (1.0, 0.0)))
_PARTS, _LEVELS = np.array([part for part, _ in dusk.SKY]), np.array([color for _, color in dusk.SKY])


class Sky:
    """Paints the sky; stars and clouds are placed by lot, once."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._stars = rng.uniform((-0.5, _STARS_FROM), (0.5, _HEIGHT), (_STARS, 2))
        self._star_corners = rng.uniform(0.02, 0.055, _STARS)[:, None, None] * _DIAMOND
        self._twinkle = rng.uniform(0.0, math.tau, _STARS)
        self._star_tints = np.broadcast_to(np.array(tint(dusk.STAR)), (_STARS, 6, 4)).copy()
        self._cloud_x = (np.arange(_CLOUDS) + rng.uniform(-0.4, 0.4, _CLOUDS)) * (_PERIOD / _CLOUDS)
        self._cloud_lengths = rng.uniform(2.4, 5.2, _CLOUDS)
        sizes = zip(self._cloud_lengths, rng.uniform(0.16, 0.4, _CLOUDS), rng.uniform(1.9, 6.4, _CLOUDS), strict=True)
        clouds, tints = zip(*(_cloud(*size) for size in sizes), strict=True)
        self._clouds, self._cloud_tints = np.array(clouds), np.array(tints)

    def paint(self, mesh: Mesh, plane: Plane, time: float) -> None:
        """Paint all of it into a plane that stands almost still."""
        self._paint_air(mesh, plane)
        self._paint_stars(mesh, plane, time)
        x, y = plane.to_world(np.array([(plane.plane_x + SUN_X, SUN_Y)]))[0]
        radius = SUN_RADIUS * plane.unit
        mesh.glow(x, y, 1.14 * radius, tint(dusk.SUN, 0.55), tint(dusk.SUN, 0.0))
        mesh.glow(x, y, radius, tint(dusk.SUN), tint(dusk.SUN))
        self._paint_clouds(mesh, plane, time)

    def _paint_air(self, mesh: Mesh, plane: Plane) -> None:
        """A grid whose colours hold the sun's glow: each pixel is painted once."""
        y, x = np.linspace(max(plane.top, 1.0), 0.0, _ROWS), np.linspace(plane.left, plane.right, _COLUMNS)
        tints = np.ones((_ROWS, _COLUMNS, 4))
        tints[..., :3] = np.column_stack([np.interp(y / _HEIGHT, _PARTS, level) for level in _LEVELS.T])[:, None]
        away = np.hypot(x - plane.plane_x - SUN_X, (y - SUN_Y)[:, None]) / SUN_RADIUS
        glow = 0.62 * np.exp(-((away / 2.2) ** 2)) + 0.38 * np.exp(-((away / 4.6) ** 2))
        tints[..., :3] += glow[..., None] * (np.array(dusk.SUN_GLOW) - tints[..., :3])
        points = np.empty((_ROWS, _COLUMNS, 2))
        points[..., 0], points[..., 1] = x, y[:, None]
        mesh.grid(plane.to_world(points), tints)

    def _paint_stars(self, mesh: Mesh, plane: Plane, time: float) -> None:
        """Small diamonds, the brighter the higher they are; they stand still in the picture."""
        places = (plane.plane_x, 0.0) + self._stars * (plane.right - plane.left, 1.0)
        height = (self._stars[:, 1] - _STARS_FROM) / (_HEIGHT - _STARS_FROM)
        shine = np.minimum(1.3 * height, 1.0) * (0.62 + 0.38 * np.sin(1.7 * time + self._twinkle))
        self._star_tints[..., 3] = shine[:, None]
        corners = places[:, None] + self._star_corners
        mesh.triangles(plane.to_world(corners.reshape(-1, 2)), self._star_tints.reshape(-1, 4))

    def _paint_clouds(self, mesh: Mesh, plane: Plane, time: float) -> None:
        away = (self._cloud_x + _DRIFT * time - plane.plane_x + 0.5 * _PERIOD) % _PERIOD - 0.5 * _PERIOD
        seen = np.abs(away) - self._cloud_lengths < 0.5 * (plane.right - plane.left)
        corners = self._clouds[seen]
        corners[..., 0] += plane.plane_x + away[seen, None]
        mesh.triangles(plane.to_world(corners.reshape(-1, 2)), self._cloud_tints[seen].reshape(-1, 4))


def _cloud(length: float, thick: float, height: float) -> tuple[NDArray[float64], NDArray[float64]]:
    """A cloud about x = 0, dark above and lit by the sun from below: corners and tints of triangles."""
    along = np.linspace(-1.0, 1.0, 15)
    bulge = thick * (1.0 - along**2) * (1.0 + 0.35 * np.cos(7.0 * along))
    line, upper, lower = (np.column_stack((length * along, height + lift * bulge)) for lift in (0.0, 2.0, -0.5))
    rim = np.sqrt(1.0 - along**2)
    dark, lit, above, below = (
        np.column_stack((np.tile(dusk.SKY[level][1], (len(along), 1)), alpha * rim))
        for level, alpha in ((2, 0.5), (1, 0.65), (3, 0.0), (0, 0.0))
    )
    corners = np.concatenate((strip(upper, line), strip(line, lower)))
    return corners, np.concatenate((strip(above, dark), strip(lit, below)))
