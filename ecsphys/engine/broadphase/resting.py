"""Boxes at rest: filed in a grid once, and from then on only looked up by those that move.

A box that has not moved for some steps is given a *berth*: its place in the sorted order of a grid that is kept. One
that moves again leaves its berth, which stays empty until the grid is made anew.
"""

from __future__ import annotations

import math

from numpy import float64, int32, int64, uint8, uint32
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import COUNT, END_STRAY, FIRST_STRAY, LEVELS
from ecsphys.engine.broadphase.pair_table import fits
from ecsphys.engine.broadphase.pairs import scan_box, walk_level
from ecsphys.engine.kernels.compilation import kernel

# Steps without a motion after which a box is given a berth: less than that, and it may just be turning round.
CALM = 3

# Name of who has left its berth.
NOBODY = 0xFFFFFFFF


@kernel("UniTuple(i8, 2)(i4[::1], u1[::1], u1[::1], i4[::1], u4[::1], f8[:,::1], i4[::1], i8)")
def wake_moved(
    which: NDArray[int32],
    moved: NDArray[uint8],
    stillness: NDArray[uint8],
    berths: NDArray[int32],
    names: NDArray[uint32],
    sorted_boxes: NDArray[float64],
    awake: NDArray[int32],
    count: int,
) -> tuple[int, int]:
    """Wake those of ``which`` that have moved, and count the steps in which the others have not.

    ``moved`` and ``stillness`` (n,), the steps without a motion, up to CALM, and ``berths`` (n,), −1 for who is awake,
    are of all boxes; ``moved`` is set back. ``sorted_boxes`` are those of the kept grid, ``names`` (k,) the boxes in
    its berths, or NOBODY. The first ``count`` of ``awake`` (n,) are awake; those that wake are appended.

    Returns how many are awake, and how many of them are calm.
    """
    for j in range(which.shape[0]):
        i = which[j]
        if moved[i] and berths[i] >= 0:
            berth = berths[i]
            berths[i] = -1
            names[berth] = NOBODY
            for k in range(4):
                sorted_boxes[berth, k] = math.nan
            awake[count] = i
            count += 1
    calm = 0
    for k in range(count):
        i = awake[k]
        if moved[i]:
            moved[i] = 0
            stillness[i] = 0
        elif stillness[i] < CALM:
            stillness[i] += 1
        calm += stillness[i] >= CALM
    return count, calm


@kernel("i8(f8[:,::1], i4[::1], i8[::1], u4[::1], f8[:,::1], i8[:,::1], u4[::1], f8[:,::1], f8[::1], i4[:,::1], i8)")
def find_pairs_at_rest(
    boxes: NDArray[float64],
    awake: NDArray[int32],
    bodies: NDArray[int64],
    names: NDArray[uint32],
    floats: NDArray[float64],
    integers: NDArray[int64],
    starts: NDArray[uint32],
    sorted_boxes: NDArray[float64],
    statistics: NDArray[float64],
    pairs: NDArray[int32],
    found: int,
) -> int:
    """Append to the ``found`` rows of ``pairs`` those of an awake box and an overlapping one at rest, lower one first.

    ``boxes`` (m, 4) are those of ``awake`` (m,); ``bodies`` (n,) are of all boxes; ``names`` (k,) are the boxes in the
    berths of the kept grid, which the other arrays are from. Returns how many rows there are, which must fit
    (:mod:`ecsphys.engine.broadphase.pair_table`).
    """
    before = found
    first = int(int64(statistics[FIRST_STRAY]))
    end = int(int64(statistics[END_STRAY]))
    for level in range(LEVELS):
        for p in range(boxes.shape[0] if integers[level, COUNT] > 0 else 0):
            found = walk_level(
                p, int(int64(awake[p])), boxes, level, floats, integers, starts, names, sorted_boxes, pairs, found
            )  # fmt: skip
    for p in range(boxes.shape[0] if end > first else 0):
        found = scan_box(
            int(int64(awake[p])), boxes[p, 0], boxes[p, 1], boxes[p, 2], boxes[p, 3], first, end, names, sorted_boxes,
            pairs, found,
        )  # fmt: skip
    if not fits(pairs, found):
        return found
    kept = before
    for k in range(before, found):
        a = pairs[k, 0]
        b = pairs[k, 1]
        pairs[kept, 0] = min(a, b)
        pairs[kept, 1] = max(a, b)
        kept += bodies[a] != bodies[b]
    return kept
