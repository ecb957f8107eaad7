"""Questions about two colliders, without any world: do they overlap, how do they part, how far apart are they?"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ecsphys.components.collision.colliders import Collider
from ecsphys.components.motion.transform import Transform
from ecsphys.engine.contact.contact import find_contacts
from ecsphys.engine.distance.closest_points import find_closest_points
from ecsphys.geometry.placement import PAIRS

Point = tuple[float, float]

_PAIR: Final = np.array([[0, 1]], np.int32)

# What a NamedTuple's own constructor does, in half the time.
_new = tuple.__new__


class Contact(NamedTuple):
    """How two overlapping shapes part: b moved by ``depth`` along ``normal`` just touches a.

    ``normal``: unit vector from a to b. ``points``: one or two points in the world, midway between the two surfaces.
    """

    normal: Point
    depth: float
    points: tuple[Point, ...]


def contact(
    collider_a: Collider, transform_a: Transform, collider_b: Collider, transform_b: Transform
) -> Contact | None:
    """The contact of two colliders; ``None`` where they are apart or only touch.

    ``depth`` along ``normal`` is the shortest way apart. Only with a fan wider than π, which is not convex, it may be
    longer than that, but it always separates and never exceeds the way out of the fan's full circle.

    Exchanging a and b turns the normal round and changes nothing else. Concentric circles part along (0, 1), from
    the smaller to the larger (where offsets make them concentric: from the transform further left or below); a
    circle centred in a box or capsule goes out by a nearest side, other shapes along the normal of an edge. Equal
    shapes in one place part along the same normal in both orders.

    Accurate to 1e-9 of the shapes' size at any distance from the world's origin; an overlap smaller than about
    2e-15 of the sizes cannot be told from touching. Each point is at most half the depth from either collider. Raises
    ``TypeError`` for what is no collider or transform.
    Rows C3–C5, C10–C12 and their like for all 36 ordered pairs.
    """
    two = PAIRS.take()
    shapes = two.place(collider_a, transform_a, collider_b, transform_b)
    if not find_contacts(_PAIR, shapes, two.pairs, two.contacts):
        PAIRS.give_back(two)
        return None
    normal_x, normal_y, depth, count, x_0, y_0, x_1, y_1 = two.numbers.tolist()
    PAIRS.give_back(two)
    points = ((x_0, y_0), (x_1, y_1)) if count == 2.0 else ((x_0, y_0),)
    return _new(Contact, ((normal_x, normal_y), depth, points))


def overlaps(collider_a: Collider, transform_a: Transform, collider_b: Collider, transform_b: Transform) -> bool:
    """Whether the interiors of two colliders overlap; touching is no overlap. As :func:`contact` decides it."""
    two = PAIRS.take()
    shapes = two.place(collider_a, transform_a, collider_b, transform_b)
    found = find_contacts(_PAIR, shapes, two.pairs, two.contacts)
    PAIRS.give_back(two)
    return found > 0


def closest_points(
    collider_a: Collider, transform_a: Transform, collider_b: Collider, transform_b: Transform
) -> tuple[float, Point, Point]:
    """(distance, point of a, point of b): the nearest points of two colliders, in the world.

    Where the colliders overlap: distance 0 and one point that lies in both, given twice. Accurate to 1e-9 of the
    shapes' size or of the distance, whichever is larger. Raises ``TypeError`` for what is no collider or transform.
    """
    two = PAIRS.take()
    shapes = two.place(collider_a, transform_a, collider_b, transform_b)
    distance, ax, ay, bx, by = find_closest_points(0, 1, shapes)
    PAIRS.give_back(two)
    return distance, (ax, ay), (bx, by)
