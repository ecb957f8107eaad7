"""A sketch that keeps the calls of its methods, with one row for each line, circle, box or shape."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import float64
from numpy.typing import NDArray


class NotedSketch:
    """Stands for the painter of a picture; ``pixel`` is a pixel's side in units, ``view`` the visible box."""

    def __init__(
        self, view: tuple[float, float, float, float] = (-20.0, -20.0, 20.0, 20.0), pixel: float = 0.03
    ) -> None:
        self.view = view
        self.pixel = pixel
        self.calls: list[tuple[str, dict[str, NDArray[float64]]]] = []

    def _note(self, name: str, count: int, **values: Any) -> None:
        each = {key: np.asarray(value, float64) for key, value in values.items()}
        self.calls.append((name, {key: np.broadcast_to(one, (count, *one.shape[1:])) for key, one in each.items()}))

    def strokes(self, starts: Any, ends: Any, width: Any, color: Any, alpha: Any = 1.0) -> None:
        self._note("strokes", len(starts), starts=starts, ends=ends, width=width, color=_rows(color), alpha=alpha)

    def circles(self, centers: Any, radius: Any, color: Any, alpha: Any = 1.0, line: float = 0.0) -> None:
        name = "rings" if line else "discs"
        self._note(name, len(centers), centers=centers, radius=radius, color=_rows(color), alpha=alpha)

    def boxes(self, boxes: Any, color: Any, alpha: Any = 1.0, line: float = 0.0, fill: float = 0.0) -> None:
        self._note("boxes", len(boxes), boxes=boxes, color=_rows(color), alpha=alpha, fill=fill)

    def triangles(self, points: Any, colors: Any, across: Any = None) -> None:
        self._note("triangles", len(points), points=points, color=colors)

    def shapes(
        self, positions: Any, shapes: Any, forms: Any, angles: Any, colors: Any, heat: Any = 0.0, fill: Any = 0.2
    ) -> None:
        self._note("shapes", len(positions), positions=positions, color=colors, fill=fill)

    def count(self, name: str) -> int:
        """How many of something have been drawn."""
        return sum(len(next(iter(values.values()))) for call, values in self.calls if call == name)

    def all(self, name: str, value: str) -> NDArray[float64]:
        """A value of all that has been drawn of something."""
        return np.concatenate([values[value] for call, values in self.calls if call == name])


def _rows(color: Any) -> NDArray[float64]:
    return np.atleast_2d(np.asarray(color, float64))
