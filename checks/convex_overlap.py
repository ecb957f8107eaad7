"""How deep two convex shapes overlap, or how far they are apart, in extended precision, without the engine.

The engine looks for the direction in which two shapes part. Here, the outline of their Minkowski difference K = A − B
is built, piece by piece in the order of its normals: edges of A and of −B, and between two of them an arc, whose radius
is the sum of all roundings and arcs that have points with such normals. The shapes overlap where the origin is inside
K, and its distance from the outline is the depth or the distance. Noise in the input moves the outline by as much,
whatever is parallel, in line or in one place: no decision is made that could go wrong.

All arrays have a row for each of n pairs. Reals are ``numpy.longdouble``: 64 bits of mantissa on x86, at least as
many as float64 has elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.longdouble]
Booleans = NDArray[np.bool_]

PI = np.longdouble("3.14159265358979323846264338327950288")

# The outline begins at the point with this normal: an angle that is no multiple of anything.
FIRST_NORMAL = np.longdouble("0.1234567")

# The points of the outline have rounding errors relative to its furthest one, and so has the side of the origin.
_ROUNDING = 32 * np.finfo(np.longdouble).eps


@dataclass(frozen=True)
class Part:
    """n convex shapes with equally many corners, rounded. One with an arc is a sector: apex, arc's start, arc's end.

    ``corners`` (n, k, 2) run counter-clockwise, ``normals`` are the angles of the edges' outward normals: (n, k), from
    each corner to the next; (n, 0) for points; (n, 2) for sectors, of apex to start and end to apex. ``arc`` (n, 2)
    are the angles of its start and end, the end being larger by up to π.
    """

    corners: Reals
    normals: Reals
    rounding: Reals
    arc: Reals | None = None

    def moved(self, by: Reals) -> Part:
        return Part(self.corners + by[:, None, :], self.normals, self.rounding, self.arc)

    def mirrored(self) -> Part:
        """Turned by π about the origin."""
        return Part(-self.corners, self.normals + PI, self.rounding, None if self.arc is None else self.arc + PI)

    def rows(self, which: NDArray[Any]) -> Part:
        arc = None if self.arc is None else self.arc[which]
        return Part(self.corners[which], self.normals[which], self.rounding[which], arc)

    def support(self, angle: Reals) -> Reals:
        """The largest p · n over its points p, for the unit vector n of each angle (n,)."""
        n = unit(angle)
        reach = (self.corners * n[:, None, :]).sum(-1).max(-1)
        if self.arc is not None:
            apex = self.corners[:, 0]
            on_arc = np.mod(angle - self.arc[:, 0], 2 * PI) <= self.arc[:, 1] - self.arc[:, 0]
            reach = np.where(on_arc, np.maximum(reach, (apex * n).sum(-1) + self.arc_radius()), reach)
        return np.asarray(reach + self.rounding)

    def arc_radius(self) -> Reals:
        edge = self.corners[:, 1] - self.corners[:, 0]
        return np.asarray(np.hypot(edge[:, 0], edge[:, 1]))


def unit(angle: Reals) -> Reals:
    return np.stack((np.cos(angle), np.sin(angle)), -1)


def point_part(points: Reals) -> Part:
    """Points (n, 2) as parts."""
    return Part(points[:, None, :], np.zeros((len(points), 0), np.longdouble), np.zeros(len(points), np.longdouble))


@dataclass(frozen=True)
class Turns:
    """What happens to an outline as its normal turns once round from FIRST_NORMAL.

    Where it begins (n, 2), the radius of its arc there (n,); and at ``angles`` (n, m) after the first normal, unsorted,
    an edge (n, m, 2) and a step of the radius (n, m).
    """

    start: Reals
    radius: Reals
    angles: Reals
    edges: Reals
    steps: Reals


def turns(part: Part) -> Turns:
    count = len(part.corners)
    rows = np.arange(count)
    first = unit(np.array([FIRST_NORMAL]))
    if part.arc is None:
        angles = np.mod(part.normals - FIRST_NORMAL, 2 * PI)
        start = part.corners[:, 0]
        edges = np.roll(part.corners, -1, axis=1) - part.corners
        if angles.shape[1]:
            start = part.corners[rows, np.argmin(angles, axis=1)]
        else:
            edges = edges[:, :0]
        return Turns(start + part.rounding[:, None] * first, part.rounding, angles, edges, np.zeros_like(angles))
    apex, arc_start, arc_end = np.moveaxis(part.corners, 1, 0)
    radius = part.arc_radius()
    still = np.zeros_like(apex)
    none = np.zeros_like(radius)
    angles = np.stack((part.normals[:, 0], part.arc[:, 0], part.arc[:, 1], part.normals[:, 1]), -1)
    angles = np.mod(angles - FIRST_NORMAL, 2 * PI)
    edges = np.stack((arc_start - apex, still, still, apex - arc_end), 1)
    steps = np.stack((none, radius, -radius, none), -1)
    # What comes first tells where the outline is before it.
    coming = np.argmin(angles, axis=1)
    before = np.stack((apex, arc_start, apex + radius[:, None] * first, arc_end), 1)
    inside = np.where(coming == 2, radius, none)
    return Turns(before[rows, coming] + part.rounding[:, None] * first, part.rounding + inside, angles, edges, steps)


def _cross(a: Reals, b: Reals) -> Reals:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def _dot(a: Reals, b: Reals) -> Reals:
    return np.asarray(a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1])


def overlap(a: Part, b: Part) -> Reals:
    """The penetration depth of each pair (n,); minus the distance where they are apart."""
    one, other = turns(a), turns(b.mirrored())
    count = len(one.start)
    quarters = np.broadcast_to(np.arange(1, 4) * (PI / 2), (count, 3))  # no arc is longer than that
    angles = np.concatenate((one.angles, other.angles, quarters), 1)
    edges = np.concatenate((one.edges, other.edges, np.zeros((count, 3, 2), np.longdouble)), 1)
    steps = np.concatenate((one.steps, other.steps, np.zeros((count, 3), np.longdouble)), 1)
    order = np.argsort(angles, axis=1, kind="stable")
    angles = np.take_along_axis(angles, order, 1)
    edges = np.take_along_axis(edges, order[:, :, None], 1)
    steps = np.take_along_axis(steps, order, 1)

    # Arc i leads to edge i; one more arc closes the outline.
    first = np.broadcast_to(unit(np.array([FIRST_NORMAL])), (count, 1, 2))
    ends = np.concatenate((unit(angles + FIRST_NORMAL), first), 1)
    starts = np.concatenate((first, ends[:, :-1]), 1)
    radius = (one.radius + other.radius)[:, None]
    radii = np.concatenate((radius, radius + np.cumsum(steps, axis=1)), 1)
    ways = np.zeros((count, 2 * ends.shape[1], 2), np.longdouble)
    ways[:, 0::2] = radii[:, :, None] * (ends - starts)
    ways[:, 1:-1:2] = edges
    start = (one.start + other.start)[:, None]
    points = np.concatenate((start, start + np.cumsum(ways, axis=1)), 1)

    before, after = points[:, :-1], points[:, 1:]
    reach = np.hypot(points[..., 0], points[..., 1])
    noise = _ROUNDING * np.maximum(reach[:, :-1], reach[:, 1:]) * reach.max(1)[:, None]
    passed = _cross(before, after) < -noise
    centres = before[:, 0::2] - radii[:, :, None] * starts
    from_centre = np.hypot(centres[..., 0], centres[..., 1])
    in_cap = passed[:, 0::2] & (from_centre < radii)
    inside = ~passed.any(1) | in_cap.any(1)

    facing = (_cross(starts, -centres) >= 0) & (_cross(-centres, ends) >= 0) & (_dot(starts + ends, -centres) > 0)
    to_arcs = np.where(facing, np.abs(from_centre - radii), np.inf).min(1)
    squares = np.maximum(_dot(ways, ways), np.finfo(np.longdouble).tiny)
    along = np.clip(-_dot(before, ways) / squares, 0, 1)
    nearest = before + along[:, :, None] * ways
    # Chords of arcs count by their ends only.
    nearest[:, 0::2] = before[:, 0::2]
    to_edges = np.sqrt(_dot(nearest, nearest).min(1))
    distance = np.minimum(to_arcs, to_edges)
    return np.asarray(np.where(inside, distance, -distance))
