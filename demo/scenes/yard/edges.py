"""The edges of boxes, lit from above: they make boxes solid, and show how they turn."""

from __future__ import annotations

import numpy as np

from ecsphys import OBBCollider, Transform
from ecsphys.demo.scenes.cached_join import CachedJoin
from ecsphys.demo.scenes.rigid.tint import Tint
from ecsphys.demo.scenes.sketch import Sketch

_WIDTH = 0.1
"""In units; half of it is inside of the edge's line."""
_LIGHT = np.array((0.35, 0.94))
"""The direction to the light."""
_DARK, _BRIGHT = 0.62, 0.75
"""The brightness of an edge away from the light, and the gain towards the light."""


class LitEdges:
    """Paints the edges of all boxes in the current world, in one call."""

    def __init__(self) -> None:
        self._boxes = CachedJoin(OBBCollider, Transform, Tint)

    def paint(self, sketch: Sketch) -> None:
        """Paint them over the boxes."""
        _, boxes, places, tints = self._boxes()
        half, middle, color = (
            np.column_stack([component.column(name, writable=False)[rows] for name in names])
            for component, rows, names in (
                (OBBCollider, boxes, ("half_width", "half_height")),
                (Transform, places, ("x", "y")),
                (Tint, tints, ("red", "green", "blue")),
            )
        )
        angle = Transform.column("angle", writable=False)[places]
        across = np.column_stack((np.cos(angle), np.sin(angle)))
        up = np.column_stack((-across[:, 1], across[:, 0]))
        right, top = across * (half[:, :1] - 0.5 * _WIDTH), up * (half[:, 1:] - 0.5 * _WIDTH)
        starts = np.concatenate(
            (middle - right - top, middle + right - top, middle + right + top, middle - right + top)
        )
        ends = np.roll(starts, -len(middle), axis=0)
        # One row after the other: the lower, the right, the upper and the left edges.
        shade = np.maximum(np.concatenate((-up, across, up, -across)) @ _LIGHT, 0.0)
        tinted = np.minimum(np.tile(color, (4, 1)) * (_DARK + _BRIGHT * shade)[:, None], 1.0)
        sketch.strokes(starts, ends, _WIDTH / sketch.pixel, tinted)
