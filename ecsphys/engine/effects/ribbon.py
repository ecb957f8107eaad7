"""Ribbons along polylines that do not fold over themselves where they bend (D7).

A ribbon is a strip of rungs across the line, one at each point. Rungs of full width cross on the inside of a bend that
is tighter than half the width; quads built on them overlap, turn over, and glow too brightly. Here each half of a rung
is cut where it would leave the part of the plane that belongs to its own point, in three steps:

1. *Touching balls.* Grow a ball that touches the line at p from the side n, with its centre at p + t·n. As long as it
   holds no other part of the line, its centre is nearest to p: it lies in the Voronoi cell of p. Cells are convex and
   apart, and so are rungs within them. A point q of the line is on the ball where |q − p − t·n| = t, or

       t = |d|² / (2 n·d),   d = q − p,   for n·d > 0 (else never),

   which near p is the line's radius of curvature, and between two arms of a hairpin half their distance. With a
   segment's line at distance h along its unit normal m, the ball's centre is at h − t·m·n from it, so t = h / (1 +
   m·n), if the point touched is on the segment; otherwise one of its ends is touched first.

2. *Neighbours.* Rungs of one quad must be on one side each of the other's line, or the quad is not convex: with the
   line's tangent T at the neighbour q, t ≤ (q − p)·T / (n·T) for n·T > 0 (ahead; behind, with the signs turned).

A quad between two rungs may still reach past the edge of their cells if it is bent between them. So

3. *Quads.* As long as two quads of one bend overlap, the ends of their rungs on the sides that face each other are
   drawn in by a quarter. This comes to an end: the ribbon without a width, the line itself, does not overlap.

The outside of a bend, and all of a gentle one, keep the full width: rungs there are longer by 1/cos(φ/2) where the line
turns by φ (a mitre), so that the ribbon between them is as wide as it should be.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.engine.effects.strip import interleaved
from ecsphys.engine.kernels.array_types import Float64Rows, Float64s, Int64s
from ecsphys.engine.kernels.compilation import kernel, scalar
from ecsphys.engine.math.elementwise import lengths_of
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y

REACH: Final = 4.0
"""How far along the line a ribbon looks for itself, in widths. A line that comes back later crosses itself."""

_MITRE_LIMIT = 1.25

# 0.75^48 is a millionth: what overlaps after so many rounds is the line itself, crossing itself within its reach.
_ROUNDS = 48
_DRAWN_IN = 0.75


@scalar
def point_limit(dx: float, dy: float, nx: float, ny: float) -> float:
    """Radius of the ball that touches the origin from the side of the unit n and reaches (dx, dy); inf for never."""
    ahead = 2.0 * (nx * dx + ny * dy)
    return (dx * dx + dy * dy) / ahead if ahead > 0.0 else math.inf


@scalar
def segment_limit(ax: float, ay: float, bx: float, by: float, nx: float, ny: float, side: float) -> float:
    """Radius of the ball that touches the origin from the side ``side``·n and reaches the segment from a to b.

    n is the unit vector to the left, ``side`` is 1 or −1. A segment through the origin lies to its left.
    """
    sx = side * nx
    sy = side * ny
    limit = min(point_limit(ax, ay, sx, sy), point_limit(bx, by, sx, sy))
    ex = bx - ax
    ey = by - ay
    length = math.sqrt(ex * ex + ey * ey)
    mx = -ey / length
    my = ex / length
    h = mx * ax + my * ay
    if h < 0.0 or (h == 0.0 and mx * nx + my * ny < 0.0):
        mx = -mx
        my = -my
        h = -h
    closing = 1.0 + (mx * sx + my * sy)
    if closing <= 1e-12:
        return limit
    t = h / closing
    # The point touched, relative to a, along the segment.
    along = ((sx + mx) * t - ax) * ex + ((sy + my) * t - ay) * ey
    if 0.0 <= along <= length * length:
        limit = min(limit, t)
    return limit


@scalar
def corner(
    points: NDArray[float64],
    normals: NDArray[float64],
    left: NDArray[float64],
    right: NDArray[float64],
    quad: int,
    number: int,
) -> tuple[float, float]:
    """Corner 0 … 3, in their order around it, of the quad between the rungs ``quad`` and ``quad`` + 1."""
    rung = quad + (1 if number >= 2 else 0)
    away = left[rung] if number == 0 or number == 3 else -right[rung]
    return points[rung, ALONG_X] + away * normals[rung, ALONG_X], points[rung, ALONG_Y] + away * normals[rung, ALONG_Y]


@scalar
def has_separating_side(
    points: NDArray[float64],
    normals: NDArray[float64],
    left: NDArray[float64],
    right: NDArray[float64],
    a: int,
    b: int,
    tolerance: float,
) -> bool:
    """Whether all of quad b is outside one side of quad a, up to a tolerance; a is convex, counter-clockwise."""
    for side in range(4):
        px, py = corner(points, normals, left, right, a, side)
        qx, qy = corner(points, normals, left, right, a, (side + 1) % 4)
        ex = qx - px
        ey = qy - py
        length = math.sqrt(ex * ex + ey * ey)
        if length <= tolerance:
            continue
        apart = True
        for number in range(4):
            x, y = corner(points, normals, left, right, b, number)
            if ex * (y - py) - ey * (x - px) > tolerance * length:
                apart = False
                break
        if apart:
            return True
    return False


@scalar
def draw_in(
    points: NDArray[float64],
    normals: NDArray[float64],
    left: NDArray[float64],
    right: NDArray[float64],
    quad: int,
    other: int,
    both: bool,
) -> None:
    """Shorten both rungs of a quad on the sides that face another quad, or on both sides."""
    middle_x = 0.5 * (points[other, ALONG_X] + points[other + 1, ALONG_X])
    middle_y = 0.5 * (points[other, ALONG_Y] + points[other + 1, ALONG_Y])
    for rung in (quad, quad + 1):
        dx = middle_x - points[rung, ALONG_X]
        dy = middle_y - points[rung, ALONG_Y]
        facing = normals[rung, ALONG_X] * dx + normals[rung, ALONG_Y] * dy
        if both or facing >= 0.0:
            left[rung] *= _DRAWN_IN
        if both or facing < 0.0:
            right[rung] *= _DRAWN_IN


@scalar
def separate_quads(
    points: NDArray[float64],
    arc: NDArray[float64],
    start: int,
    end: int,
    half: float,
    reach: float,
    normals: NDArray[float64],
    left: NDArray[float64],
    right: NDArray[float64],
) -> None:
    """Shorten rungs until no two quads of one ribbon overlap that are within reach and share no rung."""
    tolerance = 1e-12 * half
    for round_number in range(_ROUNDS):
        found = False
        for a in range(start, end - 3):
            for b in range(a + 2, end - 1):
                if arc[b] - arc[a + 1] >= reach:
                    break
                # A quad goes no farther from the middle of its line than half of that and the longest half rung.
                span = 0.5 * (arc[a + 1] - arc[a] + arc[b + 1] - arc[b]) + 2.0 * _MITRE_LIMIT * half
                dx = 0.5 * (points[b, ALONG_X] + points[b + 1, ALONG_X] - points[a, ALONG_X] - points[a + 1, ALONG_X])
                dy = 0.5 * (points[b, ALONG_Y] + points[b + 1, ALONG_Y] - points[a, ALONG_Y] - points[a + 1, ALONG_Y])
                if dx * dx + dy * dy > span * span:
                    continue
                if has_separating_side(points, normals, left, right, a, b, tolerance) or has_separating_side(
                    points, normals, left, right, b, a, tolerance
                ):
                    continue
                found = True
                # Around a corner the middle of a quad may be on the wrong side: in the end, take both.
                both = round_number >= _ROUNDS // 4
                draw_in(points, normals, left, right, a, b, both)
                draw_in(points, normals, left, right, b, a, both)
        if not found:
            return


@kernel
def cut_rungs(
    points: Float64Rows,
    arc: Float64s,
    first: Int64s,
    half_width: Float64s,
    reach: Float64s,
    normals: Float64Rows,
    left: Float64s,
    right: Float64s,
) -> None:
    """Fill the last three arrays: unit vectors to the left (n, 2), how far each rung goes to the left and right (n,).

    ``points`` (n, 2) are k polylines one after the other, from ``first[i]`` to ``first[i + 1]`` (k + 1,), without equal
    consecutive points; ``arc`` (n,) their lengths up to each point; ``half_width`` and ``reach`` (k,), both lengths.
    """
    for ribbon in range(half_width.shape[0]):
        start = first[ribbon]
        end = first[ribbon + 1]
        half = half_width[ribbon]
        for i in range(start, end):
            back = max(i, start + 1)
            ahead = min(i + 1, end - 1)
            if end - start < 2:
                normals[i, ALONG_X] = 0.0
                normals[i, ALONG_Y] = 1.0
                left[i] = half
                right[i] = half
                continue
            ux = points[back, ALONG_X] - points[back - 1, ALONG_X]
            uy = points[back, ALONG_Y] - points[back - 1, ALONG_Y]
            vx = points[ahead, ALONG_X] - points[ahead - 1, ALONG_X]
            vy = points[ahead, ALONG_Y] - points[ahead - 1, ALONG_Y]
            u = math.sqrt(ux * ux + uy * uy)
            v = math.sqrt(vx * vx + vy * vy)
            ux /= u
            uy /= u
            vx /= v
            vy /= v
            cosine = ux * vx + uy * vy
            # Across the bend: the sum of both directions is along it, their difference points into it. The longer of
            # the two is precise. A line that turns back exactly is taken to turn left.
            if cosine >= 0.0:
                nx = -(uy + vy)
                ny = ux + vx
            else:
                inward = 1.0 if ux * vy - uy * vx >= 0.0 else -1.0
                nx = inward * (vx - ux)
                ny = inward * (vy - uy)
            n = math.sqrt(nx * nx + ny * ny)
            normals[i, ALONG_X] = nx / n
            normals[i, ALONG_Y] = ny / n
            half_cosine = math.sqrt(max(0.0, 0.5 * (1.0 + cosine)))
            left[i] = half * min(_MITRE_LIMIT, 1.0 / half_cosine if half_cosine > 0.0 else _MITRE_LIMIT)
            right[i] = left[i]
        for i in range(start, end):
            x = points[i, ALONG_X]
            y = points[i, ALONG_Y]
            nx = normals[i, ALONG_X]
            ny = normals[i, ALONG_Y]
            for direction in (-1, 1):
                j = i + direction
                if not start <= j < end:
                    continue
                dx = points[j, ALONG_X] - x
                dy = points[j, ALONG_Y] - y
                # (q − p)·T and n·T with the tangent T = (n_y, −n_x) there, both as seen in this direction.
                tx = direction * normals[j, ALONG_Y]
                ty = -direction * normals[j, ALONG_X]
                room = max(0.0, dx * tx + dy * ty)
                lean = nx * tx + ny * ty
                if lean > 0.0:
                    left[i] = min(left[i], room / lean)
                elif lean < 0.0:
                    right[i] = min(right[i], room / -lean)
                left[i] = min(left[i], point_limit(dx, dy, nx, ny))
                right[i] = min(right[i], point_limit(dx, dy, -nx, -ny))
                while start <= j + direction < end and abs(arc[j] - arc[i]) < reach[ribbon]:
                    ax = points[j, ALONG_X] - x
                    ay = points[j, ALONG_Y] - y
                    j += direction
                    bx = points[j, ALONG_X] - x
                    by = points[j, ALONG_Y] - y
                    left[i] = min(left[i], segment_limit(ax, ay, bx, by, nx, ny, 1.0))
                    right[i] = min(right[i], segment_limit(ax, ay, bx, by, nx, ny, -1.0))
        separate_quads(points, arc, start, end, half, reach[ribbon], normals, left, right)


def ribbon_strips(
    points: NDArray[float64],
    counts: NDArray[int64],
    width: NDArray[float64],
    reach: NDArray[float64] | None = None,
) -> tuple[NDArray[float64], NDArray[float64]]:
    """Vertices (2n, 2) of ribbons along k polylines, in the order of strips, and the length so far (n,) of each (D7).

    ``points`` (n, 2): the polylines one after the other, ``counts`` (k,) points each, at least 1. ``width`` (k,), world
    units, > 0. ``reach`` (k,): how far along the line, in world units, the ribbon keeps clear of itself; None is 4
    widths. Bends of a radius from 0.6 widths keep the full width. Equal consecutive points share one rung. A rung
    stands at points only: where the line bends, they should not be much farther apart than half the width.
    """
    steps = np.zeros(len(points))
    first = np.cumsum(counts) - counts
    steps[1:] = lengths_of(*(points[1:] - points[:-1]).T)
    steps[first] = 0.0
    is_new = steps > 0.0
    is_new[first] = True
    source = np.cumsum(is_new) - 1
    arc = np.cumsum(steps)
    distinct = np.ascontiguousarray(points[is_new])
    bounds = np.append(source[first], len(distinct)).astype(int64)
    normals, left, right = np.empty_like(distinct), np.empty(len(distinct)), np.empty(len(distinct))
    half_width = np.ascontiguousarray(0.5 * width, float64)
    reach = REACH * width if reach is None else reach
    cut_rungs(distinct, arc[is_new], bounds, half_width, np.ascontiguousarray(reach, float64), normals, left, right)
    vertices = interleaved(distinct + left[:, None] * normals, distinct - right[:, None] * normals)
    lengths = arc - np.repeat(arc[first], counts)
    return vertices.reshape(-1, 2, 2)[source].reshape(-1, 2), lengths
