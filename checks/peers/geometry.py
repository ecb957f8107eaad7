"""How far shapes reach, and how deep they are in each other, by exact geometry."""

from __future__ import annotations

import math
from itertools import combinations

from checks.peers.scene import Box, Capsule, Chain, Disc, Fan, Point, Polygon, Shape, Thing, turned


def reach(thing: Thing, x: float, y: float) -> float:
    """The greatest product of a point of a thing at the origin, turned by its angle, and a unit vector."""
    c, s = math.cos(thing.angle), math.sin(thing.angle)
    # The vector in the frame of the thing.
    own_x, own_y = c * x + s * y, c * y - s * x
    return max(_reach(shape, own_x, own_y) for shape in thing.shapes)


def deepest_overlap(things: list[Thing]) -> float:
    """How deep any two of some discs and boxes, each a thing of its own, are in each other; 0 where none are."""
    if not all(math.isfinite(thing.x + thing.y + thing.angle) for thing in things):
        return math.inf
    return max((max(0.0, _overlap(a, b)) for a, b in combinations(things, 2)), default=0.0)


def _overlap(a: Thing, b: Thing) -> float:
    """The least depth along all directions that can be that of the least."""
    x, y = b.x - a.x, b.y - a.y
    directions = [*_sides(a), *_sides(b)]
    discs = [thing for thing in (a, b) if isinstance(thing.shapes[0], Disc)]
    for disc in discs:
        other = b if disc is a else a
        directions += [(px - disc.x, py - disc.y) for px, py in _corners(other)]
    least = math.inf
    for way_x, way_y in directions:
        length = math.hypot(way_x, way_y)
        if length == 0.0:
            continue
        nx, ny = way_x / length, way_y / length
        sign = 1.0 if nx * x + ny * y >= 0.0 else -1.0
        nx, ny = sign * nx, sign * ny
        least = min(least, reach(a, nx, ny) + reach(b, -nx, -ny) - (nx * x + ny * y))
    return least


def _corners(thing: Thing) -> list[Point]:
    """In the world; of a disc its center."""
    shape = thing.shapes[0]
    if isinstance(shape, Disc):
        return [(thing.x, thing.y)]
    assert isinstance(shape, Box)
    return [turned(x, y, thing.angle, thing.x, thing.y) for x, y in shape.corners()]


def _sides(thing: Thing) -> list[Point]:
    """The normals of a box."""
    if isinstance(thing.shapes[0], Disc):
        return []
    c, s = math.cos(thing.angle), math.sin(thing.angle)
    return [(c, s), (-s, c)]


def _reach(shape: Shape, x: float, y: float) -> float:
    match shape:
        case Disc():
            return shape.x * x + shape.y * y + shape.radius
        case Box():
            points = shape.corners()
        case Capsule():
            return max(px * x + py * y for px, py in shape.ends()) + shape.radius
        case Fan():
            half = 0.5 * shape.spread
            if abs(math.atan2(y, x)) <= half:
                return shape.radius
            ends = ((shape.radius * math.cos(a), shape.radius * math.sin(a)) for a in (-half, half))
            points = [(0.0, 0.0), *ends]
        case Polygon():
            points = list(shape.corners)
        case Chain():
            points = list(shape.points)
    return max(px * x + py * y for px, py in points)
