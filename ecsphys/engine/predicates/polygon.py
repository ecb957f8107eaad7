"""C6: a circle against a convex polygon of either winding."""

from __future__ import annotations

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.exact import orientation
from ecsphys.engine.predicates.segment import closer_to_segment

Coordinates = NDArray[float64] | list[float]


@scalar
def convex_winding(xs: Coordinates, ys: Coordinates) -> int:
    """1 for a convex polygon given counter-clockwise, −1 for a clockwise one, 0 if it is not convex or has no area.

    Exact. Convex: all turns go one way (vertices in line turn neither way), and the edges run through all directions
    only once. Going round once, x has one rising and one falling run; a star has more, though it never turns back.
    """
    count = len(xs)
    winding = 0
    runs = 0
    last = 0
    for k in range(count):
        j = (k + 1) % count
        m = (k + 2) % count
        turn = orientation(xs[k], ys[k], xs[j], ys[j], xs[m], ys[m])
        if turn * winding < 0:
            return 0
        if turn != 0:
            winding = turn
    for k in range(2 * count):
        here = xs[k % count]
        there = xs[(k + 1) % count]
        heading = 1 if there > here else (-1 if there < here else last)
        # The first round only finds out how the last run ends.
        if k >= count and heading != last:
            runs += 1
        last = heading
    return winding if runs == 2 else 0


@scalar
def point_in_convex(px: float, py: float, xs: Coordinates, ys: Coordinates, winding: int) -> bool:
    """C6: strictly inside: on the inner side of every edge; exact, unlike a sum of signed angles."""
    count = len(xs)
    for k in range(count):
        j = (k + 1) % count
        repeated = xs[k] == xs[j] and ys[k] == ys[j]
        if not repeated and winding * orientation(xs[k], ys[k], xs[j], ys[j], px, py) <= 0:
            return False
    return True


@scalar
def circle_polygon(cx: float, cy: float, radius: float, xs: Coordinates, ys: Coordinates, winding: int) -> bool:
    """C6: the centre inside, or any edge nearer than r. ``winding`` as :func:`convex_winding` says."""
    if point_in_convex(cx, cy, xs, ys, winding):
        return True
    count = len(xs)
    for k in range(count):
        j = (k + 1) % count
        if closer_to_segment(cx, cy, xs[k], ys[k], xs[j], ys[j], radius, 0.0):
            return True
    return False
