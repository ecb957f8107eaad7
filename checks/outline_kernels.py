"""How deep millions of pairs overlap: float64, compiled, shapes prepared once each.

An outline is what a point does as its normal turns once round from FIRST_NORMAL: a start, the radius of the arc there,
and sorted by the angle from there some events, an edge and a step of the radius each. That of the difference A − B has
the events of A's and of −B's, merged. The depth of an overlap is the least support of the difference in any direction,
which is minus the distance of shapes that are apart; it is least at an event, or in an arc that faces the origin. So
all directions that can be are looked at, and none is searched for.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy import float64, int64
from numpy.typing import NDArray

from checks.convex_overlap import FIRST_NORMAL, PI, Part, turns
from checks.shape_batches import Batch

Floats = NDArray[float64]

# Columns of an outline's head, and of its events: the angle after the first normal, the unit normal there, the edge,
# the step of the radius.
_HEAD = 3
_EVENT = 6

# The most events that any has: a polygon's edges. Three more divide arcs, for none may be longer than a quarter.
_EVENTS = 16
_QUARTERS = 3


class Outlines(NamedTuple):
    """The outlines of n shapes, of up to three convex parts each, and those of the shapes turned by π.

    ``heads`` (2, n, 3, 3): start and radius; ``events`` (2, n, 3, events, 6); ``counts`` (2, n, 3) of events;
    ``parts`` (n,). All are about the shapes' positions (n, 2).
    """

    heads: Floats
    events: Floats
    counts: NDArray[int64]
    parts: NDArray[int64]
    positions: Floats


def outlines_of(batches: list[Batch]) -> Outlines:
    """The outlines of the shapes of some batches, one behind the other."""
    total = sum(map(len, batches))
    found = Outlines(
        np.zeros((2, total, 3, _HEAD)),
        np.zeros((2, total, 3, _EVENTS, _EVENT)),
        np.zeros((2, total, 3), int64),
        np.zeros(total, int64),
        np.concatenate([batch.positions for batch in batches]),
    )
    begin = 0
    for batch in batches:
        rows = slice(begin, begin + len(batch))
        begin += len(batch)
        parts = batch.parts()
        found.parts[rows] = len(parts)
        for number, part in enumerate(parts):
            for side, one in enumerate((part, part.mirrored())):
                _write(found, side, rows, number, one)
    return found


def _write(found: Outlines, side: int, rows: slice, number: int, part: Part) -> None:
    outline = turns(part)
    count = outline.angles.shape[1]
    order = np.argsort(outline.angles, axis=1, kind="stable")
    angles = np.take_along_axis(outline.angles, order, 1)
    events = found.events[side, rows, number, :count]
    events[..., 0] = angles
    events[..., 1], events[..., 2] = np.cos(angles + FIRST_NORMAL), np.sin(angles + FIRST_NORMAL)
    events[..., 3:5] = np.take_along_axis(outline.edges, order[:, :, None], 1)
    events[..., 5] = np.take_along_axis(outline.steps, order, 1)
    found.heads[side, rows, number, :2] = outline.start
    found.heads[side, rows, number, 2] = outline.radius
    found.counts[side, rows, number] = count


def _quarters() -> Floats:
    events = np.zeros((_QUARTERS + 1, _EVENT))
    angles = np.arange(1, _QUARTERS + 2) * (PI / 2)
    events[:, 0] = angles
    # The last closes the outline.
    events[:, 1], events[:, 2] = np.cos(angles + FIRST_NORMAL), np.sin(angles + FIRST_NORMAL)
    return events


_QUARTER_EVENTS = _quarters()


@njit(cache=True)  # type: ignore[untyped-decorator]
def _of_parts(
    head_a: Any, events_a: Any, count_a: int, head_b: Any, events_b: Any, count_b: int, x: float, y: float
) -> float:
    """The overlap of two convex outlines, the second of −B, whose sum is moved by (x, y)."""
    px, py, radius = head_a[0] + head_b[0] + x, head_a[1] + head_b[1] + y, head_a[2] + head_b[2]
    quarters = _QUARTER_EVENTS
    nx, ny = quarters[3, 1], quarters[3, 2]
    i = j = k = 0
    least = math.inf
    while k <= 3:
        angle_a = events_a[i, 0] if i < count_a else math.inf
        angle_b = events_b[j, 0] if j < count_b else math.inf
        angle_k = quarters[k, 0]
        if angle_a <= angle_b and angle_a <= angle_k:
            event = events_a[i]
            i += 1
        elif angle_b <= angle_k:
            event = events_b[j]
            j += 1
        else:
            event = quarters[k]
            k += 1
        mx, my = event[1], event[2]
        # The arc from the last normal to the event's, about its centre. The support of it is least at one end, or where
        # its normal leads from the centre to the origin.
        cx, cy = px - radius * nx, py - radius * ny
        least = min(least, px * nx + py * ny, cx * mx + cy * my + radius)
        if cy * nx - cx * ny <= 0.0 and cx * my - cy * mx <= 0.0 and (nx + mx) * cx + (ny + my) * cy < 0.0:
            least = min(least, radius - math.hypot(cx, cy))
        px, py = cx + radius * mx + event[3], cy + radius * my + event[4]
        radius += event[5]
        nx, ny = mx, my
    return least


@njit(cache=True)  # type: ignore[untyped-decorator]
def overlap_at(outlines: Outlines, a: int, b: int, x: float, y: float) -> float:
    """The deepest overlap of any parts of shapes a and b, with b moved by (x, y); minus the distance of the shapes."""
    dx = outlines.positions[b, 0] - outlines.positions[a, 0] + x
    dy = outlines.positions[b, 1] - outlines.positions[a, 1] + y
    deepest = -math.inf
    for p in range(outlines.parts[a]):
        for q in range(outlines.parts[b]):
            found = _of_parts(
                outlines.heads[0, a, p],
                outlines.events[0, a, p],
                outlines.counts[0, a, p],
                outlines.heads[1, b, q],
                outlines.events[1, b, q],
                outlines.counts[1, b, q],
                -dx,
                -dy,
            )
            deepest = max(deepest, found)
    return deepest


_NO_HEAD = np.zeros(_HEAD)
_NO_EVENTS = np.zeros((1, _EVENT))


@njit(cache=True)  # type: ignore[untyped-decorator]
def _depth_in_part(outlines: Outlines, a: int, p: int, x: float, y: float) -> float:
    return float(
        _of_parts(
            outlines.heads[0, a, p],
            outlines.events[0, a, p],
            outlines.counts[0, a, p],
            _NO_HEAD,
            _NO_EVENTS,
            0,
            -x,
            -y,
        )
    )


@njit(cache=True)  # type: ignore[untyped-decorator]
def depth_of_point(outlines: Outlines, a: int, x: float, y: float) -> float:
    """How deep a point, relative to the position of shape a, lies in it; minus its distance."""
    deepest = -math.inf
    for p in range(outlines.parts[a]):
        deepest = max(deepest, _depth_in_part(outlines, a, p, x, y))
    return deepest


@njit(cache=True)  # type: ignore[untyped-decorator]
def overlaps_of(outlines: Outlines, pairs: Any, ways: Any) -> Any:
    """The overlap of each pair (m, 2), the second moved by its way (m, 2)."""
    found = np.empty(len(pairs))
    for k in range(len(pairs)):
        found[k] = overlap_at(outlines, pairs[k, 0], pairs[k, 1], ways[k, 0], ways[k, 1])
    return found


@njit(cache=True)  # type: ignore[untyped-decorator]
def depths_of_points(outlines: Outlines, shapes: Any, points: Any) -> Any:
    """How deep each point (m, 2), relative to its shape's position, lies in its shape (m,)."""
    found = np.empty(len(shapes))
    for k in range(len(shapes)):
        found[k] = depth_of_point(outlines, shapes[k], points[k, 0], points[k, 1])
    return found


@njit(cache=True)  # type: ignore[untyped-decorator]
def deepest_on_rays(outlines: Outlines, shapes: Any, origins: Any, directions: Any, ends: Any) -> Any:
    """How deep each ray comes to lie in its shape, from its origin (m, 2) to its end, a distance along a unit vector.

    In a convex part the depth has one maximum along a ray. Wide fans have three parts.
    """
    found = np.empty(len(shapes))
    for k in range(len(shapes)):
        a = shapes[k]
        best = -math.inf
        for p in range(outlines.parts[a]):
            low, high = 0.0, ends[k]
            for _ in range(60):
                one, other = low + (high - low) * 0.4, low + (high - low) * 0.6
                at_one = _ray_depth(outlines, a, p, origins, directions, k, one)
                at_other = _ray_depth(outlines, a, p, origins, directions, k, other)
                best = max(best, at_one, at_other)
                if at_one < at_other:
                    low = one
                else:
                    high = other
        found[k] = best
    return found


@njit(cache=True)  # type: ignore[untyped-decorator]
def _ray_depth(outlines: Outlines, a: int, p: int, origins: Any, directions: Any, k: int, t: float) -> float:
    x, y = origins[k, 0] + t * directions[k, 0], origins[k, 1] + t * directions[k, 1]
    return float(_depth_in_part(outlines, a, p, x, y))
