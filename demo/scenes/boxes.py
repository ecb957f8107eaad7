"""Places in boxes of the world."""

from __future__ import annotations

import math

from ecsphys.demo.scenes.scene import Box


def is_inside(box: Box, x: float, y: float) -> bool:
    """Whether a place is in a box, or on its edge."""
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def clamped(box: Box, x: float, y: float, margin: float = 0.0) -> tuple[float, float]:
    """The place in a box, at least ``margin`` from its edges, that is nearest to (x, y)."""
    min_x, min_y, max_x, max_y = box
    return min(max(x, min_x + margin), max_x - margin), min(max(y, min_y + margin), max_y - margin)


def shortened(x: float, y: float, longest: float) -> tuple[float, float]:
    """A vector in its direction, at most ``longest``."""
    length = math.hypot(x, y)
    factor = longest / length if length > longest else 1.0
    return factor * x, factor * y
