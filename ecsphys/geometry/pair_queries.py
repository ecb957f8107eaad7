"""Queries of two colliders, without any world: their overlap, their separation and their distance."""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.components.collision.colliders import Collider
from ecsphys.components.motion.transform import Transform
from ecsphys.engine.geometry.closest_points import find_closest_points
from ecsphys.engine.manifold.contact import find_contacts
from ecsphys.engine.shapes.layout import put_in_canonical_order
from ecsphys.geometry.arguments import size
from ecsphys.geometry.placement import PAIRS

Point = tuple[float, float]

# The work of a NamedTuple's constructor, in half the time.
_new = tuple.__new__


class Contact(NamedTuple):
    """How to separate two overlapping shapes: b moved by ``depth`` along ``normal`` just touches a.

    Attributes
    ----------
    normal
        Unit vector from a to b.
    depth
        In units. With a ``prediction``, shapes that are apart have a negative depth: minus their distance.
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
    """The contact of two colliders that overlap, or are nearer than ``prediction``; else None.

    With a ``prediction``, in units, colliders with a smaller distance have a contact as well. Its ``depth`` is 0 or
    less. Its points are positions where the surfaces are nearer than the prediction. This holds for overlaps too,
    except with a fan wider than π.

    ``depth`` along ``normal`` is the shortest way apart. A fan wider than π is not convex: its depth may be longer than
    the shortest way, but it always separates, and never exceeds the way out of the fan's full circle.

    If you exchange a and b, only the normal is reversed. Some cases have several shortest ways:

    - Concentric circles part along (0, 1), from the smaller to the larger. If offsets make them concentric, they part
      from the transform further left or below.
    - A circle centered in a box or capsule goes out by a nearest side, and other shapes along the normal of an edge.
    - Equal shapes in the same position part along the same normal in both orders.

    The result is accurate to 1e-9 of the shapes' size at any distance from the world's origin. An overlap smaller than
    about 2e-15 of the sizes may count as touching. Each point is at most half the depth, or half the prediction if this
    is more, from either collider. Raises TypeError unless the arguments are colliders and transforms, and ValueError
    unless the prediction is finite and 0 or more. Rows C3–C5, C10–C12, and the same for all 36 ordered pairs.

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
    """Whether the interiors of two colliders overlap, more than only touching. It agrees with :func:`contact`.

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

    If the colliders overlap, the distance is 0, and both points are the same point inside both. Accurate to 1e-9 of the
    shapes' size or of the distance, whichever is larger. Raises TypeError unless the arguments are colliders and
    transforms.

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
