"""How far shapes reach, by exact geometry."""

from __future__ import annotations

import math

from checks.peers.scene import Box, Capsule, Chain, Disc, Fan, Polygon, Shape, Thing


def reach(thing: Thing, x: float, y: float) -> float:
    """The greatest product of a point of a thing at the origin, turned by its angle, and a unit vector."""
    c, s = math.cos(thing.angle), math.sin(thing.angle)
    # The vector in the frame of the thing.
    own_x, own_y = c * x + s * y, c * y - s * x
    return max(_reach(shape, own_x, own_y) for shape in thing.shapes)


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
