"""Where the menu's cards are: as many in a row as make their pictures largest."""

from __future__ import annotations

import math

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.demo.scenes.scene import Box

MARGIN = 32.0
HEAD, FOOT = 100.0, 82.0
"""The heights of the title and of the lines below the cards."""
STRIP = 32.0
"""The height of a card's title, below its picture."""
GAP = 14.0
_MOST_COLUMNS = 7


def fit_cards(count: int, aspect: float, width: float, height: float) -> tuple[int, NDArray[float64]]:
    """How many of ``count`` cards are in a row, and the boxes (count, 4) of all, row by row from the top.

    ``aspect`` is the width of a picture by its height. The measures are in units of text, and so are the boxes.
    """
    room = width - 2.0 * MARGIN, height - HEAD - FOOT
    best = (1, 0.0)
    for columns in range(2, min(count, _MOST_COLUMNS) + 1):
        rows = math.ceil(count / columns)
        widest = (room[0] - (columns - 1) * GAP) / columns
        highest = (room[1] - (rows - 1) * GAP) / rows - STRIP
        picture = min(widest / aspect, highest)
        if picture > best[1]:
            best = (columns, picture)
    columns, picture = best
    across, down = picture * aspect, picture + STRIP
    rows = math.ceil(count / columns)
    left = 0.5 * (width - columns * (across + GAP) + GAP)
    # Space that is left over is below and above the cards, twice as much below.
    top = height - HEAD - (room[1] - rows * (down + GAP) + GAP) / 3.0
    row, column = np.divmod(np.arange(count), columns)
    x, y = left + column * (across + GAP), top - row * (down + GAP)
    return columns, np.column_stack((x, y - down, x + across, y))


def box_at(boxes: list[Box], x: float, y: float) -> int | None:
    """The number of the box that a point is in."""
    for number, (left, bottom, right, top) in enumerate(boxes):
        if left <= x < right and bottom <= y < top:
            return number
    return None
