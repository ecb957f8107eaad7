"""Outlines of tiles without inner seams, and few boxes that cover tiles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy import bool_, int64
from numpy.typing import NDArray

from ecsphys.components.store.column import show

Corner = tuple[int, int]  # column and row
Rectangle = tuple[int, int, int, int]  # first column, first row, columns, rows

# A step along x or y, by how often it was turned to the left.
_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def chosen_tiles(owner: str, tiles: NDArray[int64], solid: Any) -> NDArray[bool_]:
    """Bools (rows, columns) of the chosen tiles, which ``solid`` gives as ids or as an array of bools."""
    if isinstance(solid, np.ndarray) and solid.dtype == np.bool_:
        if solid.shape != tiles.shape:
            raise ValueError(f"{owner} must have the shape of the map, {tiles.shape}, got {solid.shape}")
        return solid
    if isinstance(solid, str | bytes) or not isinstance(solid, Iterable):
        raise TypeError(f"{owner} must be ids of tiles, or an array of bools, got {show(solid)}")
    try:
        ids = np.array(list(solid))
    except ValueError:  # rows of different lengths
        ids = np.zeros(1, object)
    if ids.size and (ids.ndim != 1 or ids.dtype.kind not in "iu"):
        raise TypeError(f"{owner} must be ids of tiles, or an array of bools, got {show(solid)}")
    chosen: NDArray[bool_] = np.isin(tiles, ids)
    return chosen


def outlines(chosen: NDArray[bool_]) -> list[list[Corner]]:
    """The closed outlines of the chosen tiles, as corners. The chosen tiles lie to the left of each outline.

    Tiles that only touch in a corner have separate outlines. The outlines are ordered by their rows, the lowest first.
    """
    framed = np.pad(chosen, 1)
    following: dict[tuple[Corner, int], bool] = {}
    # An edge is where it begins and how it is turned: along the lower sides, the right, the upper, the left ones.
    for turn, (beside_row, beside_column) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
        beside = np.roll(framed, (-beside_row, -beside_column), axis=(0, 1))
        rows, columns = np.nonzero(framed & ~beside)
        first_x, first_y = columns - 1 + (turn in (1, 2)), rows - 1 + (turn in (2, 3))
        following.update(
            dict.fromkeys(
                zip(zip(first_x.tolist(), first_y.tolist(), strict=True), [turn] * len(rows), strict=True), True
            )
        )
    found = []
    for start in sorted(following, key=lambda edge: (edge[0][1], edge[0][0], edge[1])):
        if not following[start]:
            continue
        corners: list[Corner] = []
        (x, y), turn = start
        before = -1
        while following.get(((x, y), turn)):
            following[(x, y), turn] = False
            if turn != before:
                corners.append((x, y))
            before = turn
            step_x, step_y = _STEPS[turn]
            x, y = x + step_x, y + step_y
            # To the left first, round the same tile.
            turn = next(t % 4 for t in (turn + 1, turn, turn + 3) if ((x, y), t % 4) in following)
        if before == start[1]:
            # It began in the middle of an edge.
            corners = corners[1:]
        found.append(corners)
    return found


def rectangles(chosen: NDArray[bool_]) -> list[Rectangle]:
    """Few rectangles that cover each chosen tile once: each as wide as possible, then as high as possible."""
    left = chosen.copy()
    rows, columns = left.shape
    found = []
    for row, column in zip(*(indices.tolist() for indices in np.nonzero(chosen)), strict=True):
        if not left[row, column]:
            continue
        end = column + 1
        while end < columns and left[row, end]:
            end += 1
        top = row + 1
        while top < rows and left[top, column:end].all():
            top += 1
        left[row:top, column:end] = False
        found.append((column, row, end - column, top - row))
    return found
