"""A plane behind the world, which passes slower the farther away it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.demo.scenes.scene import Box
from ecsphys.demo.scenes.sketch import Points

HEIGHT = 18.0
"""The height of the picture in units of a plane that stands still."""
_RISE = 0.14 * HEIGHT
"""The height of the picture's middle above the horizon."""


@dataclass(frozen=True)
class Plane:
    """Where a plane is in the world, in a picture. A plane has x to the right and y up, with the horizon at 0.

    ``x``, ``y`` are the picture's middle in the world, ``plane_x``, ``plane_y`` the same in the plane, ``unit`` the
    plane's unit in the world, and ``left``, ``right``, ``bottom``, ``top`` what the picture shows of the plane.
    """

    x: float
    y: float
    plane_x: float
    plane_y: float
    unit: float
    left: float
    right: float
    bottom: float
    top: float

    @classmethod
    def seen(cls, view: Box, eye: float, share: float) -> Plane:
        """The plane that goes along with the world by ``share``, from 0 to 1, if ``view`` is seen.

        A picture whose middle is at the height ``eye`` shows the horizon a little below its middle.
        """
        min_x, min_y, max_x, max_y = view
        x, y = 0.5 * (min_x + max_x), 0.5 * (min_y + max_y)
        unit = ((max_y - min_y) / HEIGHT) ** (1.0 - share)
        half_width, half_height = 0.5 * (max_x - min_x) / unit, 0.5 * (max_y - min_y) / unit
        plane_x, plane_y = share * x, _RISE + share * (y - eye)
        return cls(
            x,
            y,
            plane_x,
            plane_y,
            unit,
            plane_x - half_width,
            plane_x + half_width,
            plane_y - half_height,
            plane_y + half_height,
        )

    def columns(self, step: float) -> NDArray[float64]:
        """Places in the plane from left to right, all multiples of ``step``, so that hills do not flicker."""
        first, last = np.floor(self.left / step), np.ceil(self.right / step)
        return step * np.arange(first, last + 1.0)

    def to_world(self, points: Points) -> Points:
        """Points of the plane in the world."""
        return (self.x, self.y) + self.unit * (points - (self.plane_x, self.plane_y))

    def line(self, x: NDArray[float64], y: NDArray[float64] | float) -> Points:
        """The points (x, y) of the plane in the world."""
        return self.to_world(np.column_stack((x, np.broadcast_to(y, x.shape))))

    def level(self, y: float) -> Points:
        """A horizontal line across the picture."""
        return self.line(np.array((self.left, self.right)), y)
