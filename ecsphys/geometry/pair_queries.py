"""Questions about two colliders, without any world: do they overlap, how do they part, how far apart are they?"""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.components.collision.colliders import Collider
from ecsphys.components.motion.transform import Transform
from ecsphys.engine.contact.contact import find_contacts
from ecsphys.engine.distance.closest_points import find_closest_points
from ecsphys.engine.shapes.canonical_order import put_in_canonical_order
from ecsphys.geometry.arguments import size
from ecsphys.geometry.placement import PAIRS

Point = tuple[float, float]

# What a NamedTuple's own constructor does, in half the time.
_new = tuple.__new__


class Contact(NamedTuple):
    """How to separate two overlapping shapes: b moved by ``depth`` along ``normal`` just touches a.

    Attributes
    ----------
    normal
        Unit vector from a to b.
    depth
        In units; minus the distance of shapes that are apart, which only a ``prediction`` allows.
    points
        One or two points in the world, midway between the two surfaces.
    """

    normal: Point
    depth: float
    points: tuple[Point, ...]


def contact(
    collider_a: Collider,
    transform_a: Transform,
    collider_b: Collider,
    transform_b: Transform,
    prediction: float = 0.0,
) -> Contact | None:
    """The contact of two colliders; ``None`` where they are apart by ``prediction`` or more, or only touch.

    With a ``prediction``, in units, colliders that are less than that apart have a contact as well: its ``depth`` is 0
    or less, and its points, also those of an overlap (but with a fan wider than π), are where the surfaces are less
    than that apart.

    ``depth`` along ``normal`` is the shortest way apart. Only with a fan wider than π, which is not convex, it may be
    longer than that, but it always separates and never exceeds the way out of the fan's full circle.

    Exchanging a and b turns the normal round and changes nothing else. Concentric circles part along (0, 1), from
    the smaller to the larger (where offsets make them concentric: from the transform further left or below); a
    circle centred in a box or capsule goes out by a nearest side, other shapes along the normal of an edge. Equal
    shapes in one place part along the same normal in both orders.

    Accurate to 1e-9 of the shapes' size at any distance from the world's origin; an overlap smaller than about
    2e-15 of the sizes cannot be told from touching. Each point is at most half the depth, or half the prediction where
    that is more, from either collider. Raises ``TypeError`` for what is no collider or transform, ``ValueError`` for a
    prediction below 0 or not finite. Rows C3–C5, C10–C12, and the same for all 36 ordered pairs.

    Examples
    --------
    >>> geometry.contact(CircleCollider(1), Transform(0, 0), CircleCollider(1), Transform(1.5, 0)).depth
    0.5
    """
    margin = size("prediction", prediction)
    two = PAIRS.take()
    shapes = two.place(collider_a, transform_a, collider_b, transform_b)
    # Computed the same way round whichever comes first, so that both orders agree.
    order = two.order
    order[0], order[1] = 0, 1
    put_in_canonical_order(two.pair, shapes)
    if not find_contacts(two.pair, shapes, margin, two.contacts, 0):
        PAIRS.give_back(two)
        return None
    normal_x, normal_y, depth, count, x_0, y_0, x_1, y_1 = two.numbers.tolist()
    normal = (normal_x, normal_y) if order[0] == 0 else (0.0 - normal_x, 0.0 - normal_y)
    PAIRS.give_back(two)
    points = ((x_0, y_0), (x_1, y_1)) if count == 2.0 else ((x_0, y_0),)
    return _new(Contact, (normal, depth, points))


def overlaps(collider_a: Collider, transform_a: Transform, collider_b: Collider, transform_b: Transform) -> bool:
    """Whether the interiors of two colliders overlap. Touching is not enough. Decides and raises as :func:`contact`.

    Examples
    --------
    >>> geometry.overlaps(CircleCollider(1), Transform(0, 0), OBBCollider(1, 1), Transform(2, 0, angle=0.8))
    True
    """
    return contact(collider_a, transform_a, collider_b, transform_b) is not None


def closest_points(
    collider_a: Collider, transform_a: Transform, collider_b: Collider, transform_b: Transform
) -> tuple[float, Point, Point]:
    """(distance, point of a, point of b): the nearest points of two colliders, in the world.

    Where the colliders overlap: distance 0 and one point that lies in both, given twice. Accurate to 1e-9 of the
    shapes' size or of the distance, whichever is larger. Raises ``TypeError`` for what is no collider or transform.

    Examples
    --------
    >>> geometry.closest_points(CircleCollider(1), Transform(0, 0), CircleCollider(1), Transform(4, 0))
    (2.0, (1.0, 0.0), (3.0, 0.0))
    """
    two = PAIRS.take()
    shapes = two.place(collider_a, transform_a, collider_b, transform_b)
    distance, ax, ay, bx, by = find_closest_points(0, 1, shapes)
    PAIRS.give_back(two)
    return distance, (ax, ay), (bx, by)
