"""Where the crowd is: for the error that says that there are too many pairs."""

from __future__ import annotations

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

# Boxes that are compared with all others: some of the fullest cell, and some from all over.
_FROM_CELL, _FROM_ALL = 32, 96


def find_crowd(askers: NDArray[float64], boxes: NDArray[float64]) -> tuple[int, int]:
    """The row of one of ``askers`` (k, 4), k > 0, that overlaps as many of ``boxes`` (n, 4) as any, and how many.

    Near enough for a message: it is the best of some in the cell with the most centres, and of some others.
    """
    everywhere = np.linspace(0, len(askers) - 1, min(_FROM_ALL, len(askers))).astype(int64)
    best, most = 0, -1
    for row in np.concatenate((_in_fullest_cell(askers)[:_FROM_CELL], everywhere)).tolist():
        min_x, min_y, max_x, max_y = askers[row].tolist()
        meets = (boxes[:, 0] <= max_x) & (min_x <= boxes[:, 2]) & (boxes[:, 1] <= max_y) & (min_y <= boxes[:, 3])
        count = int(np.count_nonzero(meets))
        if count > most:
            best, most = row, count
    return best, most


def _in_fullest_cell(boxes: NDArray[float64]) -> NDArray[int64]:
    """The rows with their centres in the fullest cell of a grid as wide as half of the boxes at most."""
    with np.errstate(all="ignore"):
        width = np.median(np.maximum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]))
        cells = np.floor((0.5 * boxes[:, :2] + 0.5 * boxes[:, 2:]) / (width if 0.0 < width < np.inf else 1.0))
    _, which, counts = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
    return np.flatnonzero(which.ravel() == counts.argmax())
