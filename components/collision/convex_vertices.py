"""The check of a polygon's vertices: three to sixteen, strictly convex, stored counter-clockwise."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from typing import Any, Final

from ecsphys.components.store.column import MISSING, make_field, show
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.shapes.layout import MAX_VERTICES

Vertices = tuple[tuple[float, float], ...]

# An edge this much shorter than the longest edge joins two equal points; a turn with a sine this small does not count.
_TOLERANCE: Final = 1e-9


def convex_vertices(owner: str, given: Any) -> Vertices:
    """The vertices as ``((x, y), …)``, counter-clockwise, starting with the first given.

    ``given``: points (x, y) in either winding, or an array of shape (n, 2). Raises ValueError unless all are finite and
    the polygon is strictly convex, without equal points, collinear vertices, or more than one turn around. Raises
    TypeError unless they are numbers. All messages start with ``owner``, "PolygonCollider.vertices".
    """
    vertices = read_points(owner, given)
    if not 3 <= len(vertices) <= MAX_VERTICES:
        raise ValueError(f"{owner} must have 3 to {MAX_VERTICES} points, got {len(vertices)}: {show(vertices)}")
    edges = _unit_edges(owner, vertices)
    sines = []
    for i, vertex in enumerate(vertices):
        (ax, ay), (bx, by) = edges[i - 1], edges[i]
        sine = ax * by - ay * bx
        if abs(sine) <= _TOLERANCE:
            raise ValueError(
                f"{owner} must be strictly convex, but the outline does not turn at point {i}, {vertex}:"
                f" {show(vertices)}"
            )
        sines.append(sine)
    for i, sine in enumerate(sines):
        if (sine > 0.0) != (sines[0] > 0.0):
            raise ValueError(
                f"{owner} must be convex, but the outline turns left and right, at points {i - 1} and {i}:"
                f" {show(vertices)};"
                " use CompoundCollider.from_outline for a concave outline, or ChainCollider for a line through"
                " the points"
            )
    # A closed path of left turns only is a convex polygon iff it goes around once (a pentagram does twice). Each turn
    # is below half a circle, so each time around, exactly one edge leads up after one that leads down.
    lead_up = [y > 0.0 or (y == 0.0 and x > 0.0) for x, y in edges]
    around = len([i for i, leads_up in enumerate(lead_up) if leads_up and not lead_up[i - 1]])
    if around != 1:
        raise ValueError(f"{owner} must go around once, but they go around {around} times: {show(vertices)}")
    return vertices if sines[0] > 0.0 else (vertices[0], *reversed(vertices[1:]))


def read_points(owner: str, given: Any) -> Vertices:
    """Any number of points as ``((x, y), …)``; errors as of :func:`convex_vertices`."""
    if hasattr(given, "tolist"):
        given = given.tolist()
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise TypeError(f"{owner} must be points (x, y), got {show(given)} ({type(given).__name__})")
    points = []
    for i, point in enumerate(given):
        try:
            x, y = point
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"{owner}[{i}] must be a point (x, y), got {show(point)}") from None
        points.append((_coordinate(owner, i, x), _coordinate(owner, i, y)))
    return tuple(points)


def _coordinate(owner: str, i: int, value: Any) -> float:
    if type(value) in (float, int) and -sys.float_info.max <= value <= sys.float_info.max:
        return float(value)
    component, name = owner.split(".")
    return float(make_field(component, f"{name}[{i}]", float, MISSING).checked(value))


def _unit_edges(owner: str, vertices: Vertices) -> list[tuple[float, float]]:
    """The direction of each edge, from point i to the next."""
    count = len(vertices)
    vectors = []
    for i, (x, y) in enumerate(vertices):
        next_x, next_y = vertices[(i + 1) % count]
        vectors.append((next_x - x, next_y - y))
    lengths = [hypot(x, y) for x, y in vectors]
    longest = max(lengths)
    if not math.isfinite(longest):
        raise ValueError(f"{owner} are too far apart: the length of an edge is infinite: {show(vertices)}")
    for i, length in enumerate(lengths):
        if length <= _TOLERANCE * longest:
            other = (i + 1) % count
            raise ValueError(
                f"{owner} must be distinct, but points {i} and {other} are both at {vertices[i]}: {show(vertices)}"
            )
    return [(x / length, y / length) for (x, y), length in zip(vectors, lengths, strict=True)]
