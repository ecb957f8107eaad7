"""Light as strips of quads: beams, rings, ribbons along polylines, and homing lasers.

A strip of k rungs has 2k vertices: left and right end of each rung in turn, seen along the strip. Between two rungs
lies one quad of two counter-clockwise triangles, (left, right, next left) and (next left, right, next right). Texture
coordinates are (u, v): u runs along the strip, v across it from 0 on the right to 1 on the left, so that a picture
stands upright on a strip that runs along +x. Several strips lie one after the other; no triangle joins them.

Turning and scaling without trigonometry (D1, D2): a picture point (x, y) lies at x·i′ + y·j′ + origin, with i′ the
forward vector and j′ = (−i′_y, i′_x). So the frame is turned and scaled as i′ is, and nothing is sheared.

Beams (D3, D4): a picture stretched from a start to an end, with the corners start ± side and end ± side. In proportion
(D3) the side is end − start turned a quarter, halved and multiplied by the picture's height over its width: no root.
At a fixed width (D4) it is the unit normal times half the width.

Rings (D5): n quads between an inner and an outer circle. A quad is a trapezoid, whose outer side is the longer one.
With (u, v) at the corners of its two triangles, lines of equal u, which should be radii, break at the diagonal; at
inner radius 0 half of the picture is gone. But on the trapezoid u·q is affine, with q the distance from the ring's
centre along the quad's axis, as q is itself. So interpolate (u·q, q), with q of a vertex its radius, and divide for
each pixel. v is affine and must *not* be divided: that would pull the bright middle of the picture inwards. A renderer
without a q uses (u, v) as they are; as u runs on round the whole ring, it is off by at most one quad's share of a lap.

Ribbons (D7) are strips of rungs across a line, one at each point. Rungs of full width cross on the inside of a bend
that is tighter than half the width, and quads on them overlap. So each half of a rung is cut where it would leave the
part of the plane that belongs to its own point, in three steps:

1. *Touching balls.* Grow a ball that touches the line at p from the side n, with its centre at p + t·n. As long as it
   holds no other part of the line, its centre is nearest to p: it lies in the Voronoi cell of p. Cells are convex and
   apart, and so are rungs within them. A point q of the line is on the ball where |q − p − t·n| = t, or

       t = |d|² / (2 n·d),   d = q − p,   for n·d > 0 (else never).

   A segment's line at distance h along its unit normal m is h − t·m·n from the centre, so t = h / (1 + m·n), if the
   point touched is on the segment; otherwise one of its ends is touched first.
2. *Neighbours.* Rungs of one quad must be on one side each of the other's line, or the quad is not convex: with the
   line's tangent T at the neighbour q, t ≤ (q − p)·T / (n·T) for n·T > 0 (ahead; behind, with the signs turned).
3. *Quads.* As long as two quads of one bend overlap, the ends of their rungs on the sides that face each other are
   drawn in by a quarter. This comes to an end: the ribbon without a width, the line itself, does not overlap.

The outside of a bend, and all of a gentle one, keep the full width: rungs there are longer by 1/cos(φ/2) where the line
turns by φ (a mitre).

Homing lasers (D6) are chains of short segments that turn towards a target at every joint. With the unit vectors f,
forward, and a, from the head to the target, f·a = cos θ and f × a = sin θ tell where the target is. The turn at a joint
is at most ``limit`` radians, by one of two rules:

* by sign: the whole limit to the side of the target. Once it is ahead, the chain swings from side to side for ever;
* by sine: sin φ = sin θ, no more than the limit's. Ahead, φ = θ: the chain points at the target and settles.

The sine alone cannot tell ahead from behind: a target behind (f·a < 0) turns by the whole limit, to the left where the
cross product is 0. f′ = cos φ · f + sin φ · (f turned a quarter), with cos φ = √(1 − sin² φ): the limit is at most a
quarter.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy import bool_, float64, int32, int64
from numpy.typing import NDArray

from ecsphys.engine.kernels import Float64Rows, Float64s, Int64s, NamedTuple, kernel, scalar
from ecsphys.engine.math.elementary import cos_sin_of, lengths_of
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y


def interleaved(left: NDArray[float64], right: NDArray[float64]) -> NDArray[float64]:
    """Vertices (2n, 2) of rungs with the ends ``left`` and ``right`` (n, 2)."""
    return np.stack((left, right), axis=1).reshape(-1, 2)


def strip_coordinates(u: NDArray[float64]) -> NDArray[float64]:
    """Texture coordinates (2n, 2) of rungs at ``u`` (n,): v is 1 on the left and 0 on the right."""
    coordinates = np.empty((u.size, 2, 2))
    coordinates[:, :, 0] = u[:, None]
    coordinates[:, :, 1] = (1.0, 0.0)
    return coordinates.reshape(-1, 2)


def strip_triangles(rungs: NDArray[int64]) -> NDArray[int32]:
    """Vertex indices (m, 3) of strips with the given numbers of rungs (k,), one strip after the other."""
    total = int(rungs.sum())
    starts_quad = np.ones(total, np.bool_)
    starts_quad[np.cumsum(rungs)[rungs > 0] - 1] = False  # no quad begins at a strip's last rung
    first = 2 * np.flatnonzero(starts_quad).astype(int32)
    return (first[:, None] + np.array((0, 1, 2, 2, 1, 3), int32)).reshape(-1, 3)


Vectors = NDArray[float64]


def quarter_turned(vectors: Vectors) -> Vectors:
    """Vectors (…, 2) turned counter-clockwise by a quarter: (x, y) becomes (−y, x), exactly."""
    turned = np.empty_like(vectors)
    np.negative(vectors[..., 1], out=turned[..., 0])
    turned[..., 1] = vectors[..., 0]
    return turned


def place(points: Vectors, forward: Vectors, origin: Vectors) -> Vectors:
    """Points (…, 2) of a frame in the world (D1, D2): origin + x·i′ + y·j′.

    ``forward`` (…, 2) is i′, the image of (1, 0): its direction turns, its length scales. ``origin`` (…, 2) is the
    image of (0, 0). All three broadcast.
    """
    result: Vectors = origin + points[..., :1] * forward + points[..., 1:] * quarter_turned(forward)
    return result


def turn_about(points: Vectors, forward: Vectors, centre: Vectors) -> Vectors:
    """Points (…, 2) of the world turned and scaled about any point, which stays where it is (D2)."""
    return place(points - centre, forward, centre)


def unit(vectors: Vectors) -> tuple[Vectors, NDArray[float64]]:
    """Directions (…, 2) and lengths (…) of vectors; a zero vector points along (1, 0).

    Scaled by the larger component first, so that neither squares overflow nor tiny vectors vanish.
    """
    largest = np.abs(vectors).max(axis=-1)
    scaled = vectors / np.where(largest > 0.0, largest, 1.0)[..., None]
    lengths = lengths_of(scaled[..., 0], scaled[..., 1])
    directions = scaled / np.where(lengths > 0.0, lengths, 1.0)[..., None]
    directions[..., 0] = np.where(lengths > 0.0, directions[..., 0], 1.0)
    return directions, lengths * largest


def proportional_beams(starts: Vectors, ends: Vectors, proportion: NDArray[float64] | float = 1.0) -> Vectors:
    """Corners (n, 4, 2) of beams whose width is ``proportion`` times their length (D3).

    Corners lie in the order of a strip: start left, start right, end left, end right. A beam of length zero is a point.
    """
    side = quarter_turned(ends - starts) * (0.5 * np.asarray(proportion)[..., None])
    return _corners(starts, ends, side)


def fixed_beams(starts: Vectors, ends: Vectors, width: NDArray[float64] | float) -> Vectors:
    """Corners (n, 4, 2) of beams of a fixed ``width`` (D4), in the order of :func:`proportional_beams`.

    A beam of length zero has no direction: it is taken to point along +x, and its corners form a line across, of no
    area and without a NaN.
    """
    direction, _ = unit(ends - starts)
    side = quarter_turned(direction) * (0.5 * np.asarray(width)[..., None])
    return _corners(starts, ends, side)


def _corners(starts: Vectors, ends: Vectors, side: Vectors) -> Vectors:
    return np.stack((starts + side, starts - side, ends + side, ends - side), axis=-2)


FEWEST_QUADS: Final = 16
MOST_QUADS: Final = 1024


def ring_quads(radius: NDArray[float64], segment_length: NDArray[float64]) -> NDArray[int64]:
    """Numbers of quads (k,) of rings (D5): as many as make none longer than its segment length, 16 to 1,024."""
    with np.errstate(over="ignore"):
        wanted = np.ceil(2.0 * np.pi * radius / segment_length)
    return np.clip(wanted, FEWEST_QUADS, MOST_QUADS).astype(int64)


def ring_strips(
    centre: NDArray[float64], radius: NDArray[float64], width: NDArray[float64], quads: NDArray[int64]
) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
    """Vertices (n, 2), texture coordinates (n, 2) and q (n,) of k rings, each a strip of quads + 1 rungs (D5).

    ``centre`` (k, 2), ``radius``, ``width`` and ``quads`` (k,). The strip runs clockwise, from +x, so that its left is
    the outside: v = 0 on the inner radius max(0, r − w/2), 1 on the outer, r + w/2. u runs from 0 to 1 once round; the
    last rung lies exactly where the first does. q is the vertex's radius over the outer radius.
    """
    rungs = quads + 1
    ring = np.repeat(np.arange(quads.size), rungs)
    number = np.arange(ring.size) - (np.cumsum(rungs) - rungs)[ring]
    angle = -2.0 * np.pi * (number % quads[ring]) / quads[ring]
    direction = np.column_stack(cos_sin_of(angle))
    outer = radius + 0.5 * width
    inner = np.maximum(0.0, radius - 0.5 * width)
    vertices = interleaved(centre[ring] + outer[ring, None] * direction, centre[ring] + inner[ring, None] * direction)
    weights = np.column_stack((np.ones(quads.size), inner / outer))
    return vertices, strip_coordinates(number / quads[ring]), weights[ring].reshape(-1)


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


class Ribbons(NamedTuple):
    """k polylines, one after the other, and their rungs.

    ``points`` (n, 2), without equal consecutive ones, and ``arc`` (n,): lengths up to each. Polyline i is from
    ``first[i]`` to ``first[i + 1]`` (k + 1,). ``half_width``, ``reach`` (k,) are lengths. ``normals`` (n, 2): unit
    vectors to the left. ``left``, ``right`` (n,): how far each rung goes.
    """

    points: Float64Rows
    arc: Float64s
    first: Int64s
    half_width: Float64s
    reach: Float64s
    normals: Float64Rows
    left: Float64s
    right: Float64s


@scalar
def corner(ribbons: Ribbons, quad: int, number: int) -> tuple[float, float]:
    """Corner 0 … 3, in their order around it, of the quad between the rungs ``quad`` and ``quad`` + 1."""
    rung = quad + (1 if number >= 2 else 0)
    points, normals = ribbons.points, ribbons.normals
    away = ribbons.left[rung] if number == 0 or number == 3 else -ribbons.right[rung]
    return points[rung, ALONG_X] + away * normals[rung, ALONG_X], points[rung, ALONG_Y] + away * normals[rung, ALONG_Y]


@scalar
def has_separating_side(ribbons: Ribbons, a: int, b: int, tolerance: float) -> bool:
    """Whether all of quad b is outside one side of quad a, up to a tolerance; a is convex, counter-clockwise."""
    for side in range(4):
        px, py = corner(ribbons, a, side)
        qx, qy = corner(ribbons, a, (side + 1) % 4)
        ex = qx - px
        ey = qy - py
        length = math.sqrt(ex * ex + ey * ey)
        if length <= tolerance:
            continue
        apart = True
        for number in range(4):
            x, y = corner(ribbons, b, number)
            if ex * (y - py) - ey * (x - px) > tolerance * length:
                apart = False
                break
        if apart:
            return True
    return False


@scalar
def draw_in(ribbons: Ribbons, quad: int, other: int, both: bool) -> None:
    """Shorten both rungs of a quad on the sides that face another quad, or on both sides."""
    points, normals = ribbons.points, ribbons.normals
    middle_x = 0.5 * (points[other, ALONG_X] + points[other + 1, ALONG_X])
    middle_y = 0.5 * (points[other, ALONG_Y] + points[other + 1, ALONG_Y])
    for rung in (quad, quad + 1):
        dx = middle_x - points[rung, ALONG_X]
        dy = middle_y - points[rung, ALONG_Y]
        facing = normals[rung, ALONG_X] * dx + normals[rung, ALONG_Y] * dy
        if both or facing >= 0.0:
            ribbons.left[rung] *= _DRAWN_IN
        if both or facing < 0.0:
            ribbons.right[rung] *= _DRAWN_IN


@scalar
def separate_quads(ribbons: Ribbons, ribbon: int) -> None:
    """Shorten rungs until no two quads of one ribbon overlap that are within reach and share no rung."""
    points, arc, half, reach = ribbons.points, ribbons.arc, ribbons.half_width[ribbon], ribbons.reach[ribbon]
    start, end = ribbons.first[ribbon], ribbons.first[ribbon + 1]
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
                if has_separating_side(ribbons, a, b, tolerance) or has_separating_side(ribbons, b, a, tolerance):
                    continue
                found = True
                # Around a corner the middle of a quad may be on the wrong side: in the end, take both.
                both = round_number >= _ROUNDS // 4
                draw_in(ribbons, a, b, both)
                draw_in(ribbons, b, a, both)
        if not found:
            return


@kernel
def cut_rungs(ribbons: Ribbons) -> None:
    """Fill the last three arrays of the ribbons."""
    points, arc, normals, left, right = ribbons.points, ribbons.arc, ribbons.normals, ribbons.left, ribbons.right
    for ribbon in range(ribbons.half_width.shape[0]):
        start = ribbons.first[ribbon]
        end = ribbons.first[ribbon + 1]
        half = ribbons.half_width[ribbon]
        reach = ribbons.reach[ribbon]
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
                while start <= j + direction < end and abs(arc[j] - arc[i]) < reach:
                    ax = points[j, ALONG_X] - x
                    ay = points[j, ALONG_Y] - y
                    j += direction
                    bx = points[j, ALONG_X] - x
                    by = points[j, ALONG_Y] - y
                    left[i] = min(left[i], segment_limit(ax, ay, bx, by, nx, ny, 1.0))
                    right[i] = min(right[i], segment_limit(ax, ay, bx, by, nx, ny, -1.0))
        separate_quads(ribbons, ribbon)


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
    reach = REACH * width if reach is None else reach
    lengths = arc[is_new], bounds, np.ascontiguousarray(0.5 * width, float64), np.ascontiguousarray(reach, float64)
    cut_rungs(Ribbons(distinct, *lengths, normals, left, right))
    vertices = interleaved(distinct + left[:, None] * normals, distinct - right[:, None] * normals)
    return vertices.reshape(-1, 2, 2)[source].reshape(-1, 2), arc - np.repeat(arc[first], counts)


MOST_JOINTS: Final = 1024
"""Segments a laser can lay in one step; a longer flight ends there."""


def turn_sines(
    forward: NDArray[float64], aim: NDArray[float64], limit: NDArray[float64], by_sign: NDArray[bool_]
) -> NDArray[float64]:
    """Sines (n,) of the turns from unit ``forward`` towards unit ``aim`` (n, 2), ``limit`` (n,) in [0, π/2] (D6)."""
    sine = forward[:, 0] * aim[:, 1] - forward[:, 1] * aim[:, 0]
    cosine = forward[:, 0] * aim[:, 0] + forward[:, 1] * aim[:, 1]
    most = cos_sin_of(limit)[1]
    whole = np.where(sine < 0.0, -most, most)
    by_sine = np.where(cosine < 0.0, whole, np.clip(sine, -most, most))
    return np.where(by_sign & ~((sine == 0.0) & (cosine >= 0.0)), whole, by_sine)


def turned(forward: NDArray[float64], sine: NDArray[float64]) -> NDArray[float64]:
    """Unit vectors (n, 2) turned by the angles in [−π/2, π/2] with these sines (n,)."""
    turn = np.column_stack((np.sqrt((1.0 - sine) * (1.0 + sine)), sine))
    direction, _ = unit(place(turn, forward, np.zeros(2)))  # normalised, so that rounding does not add up
    return direction


def fly(
    joints: NDArray[float64],
    joint_counts: NDArray[int64],
    forward: NDArray[float64],
    beyond: NDArray[float64],
    distance: NDArray[float64],
    target: NDArray[float64],
    segment_length: NDArray[float64],
    limit: NDArray[float64],
    by_sign: NDArray[bool_],
) -> None:
    """Advance the heads of n chains by ``distance`` (n,), laying joints and turning at each; the first four change.

    ``joints`` (n, c, 2): the newest joint first. ``joint_counts`` (n,): how many were laid, at most c. ``forward``
    (n, 2): the unit direction of flight. ``beyond`` (n,): how far the head is past the newest joint, below
    ``segment_length``. ``target`` (n, 2). A target at the joint itself leaves the direction as it is.
    """
    beyond += np.minimum(distance, MOST_JOINTS * segment_length)
    while (due := np.flatnonzero(beyond >= segment_length)).size:
        newest = joints[due, 0] + segment_length[due, None] * forward[due]
        joints[due, 1:] = joints[due, :-1]
        joints[due, 0] = newest
        joint_counts[due] = np.minimum(joint_counts[due] + 1, joints.shape[1])
        aim, away = unit(target[due] - newest)
        aim = np.where(away[:, None] > 0.0, aim, forward[due])
        forward[due] = turned(forward[due], turn_sines(forward[due], aim, limit[due], by_sign[due]))
        beyond[due] -= segment_length[due]


def heads(joints: NDArray[float64], forward: NDArray[float64], beyond: NDArray[float64]) -> NDArray[float64]:
    """Where the heads (n, 2) of chains are, see :func:`fly`."""
    position: NDArray[float64] = joints[:, 0] + beyond[:, None] * forward
    return position
