"""Queries of colliders without any world: of one, and of two.

A ``Transform`` places a collider, as in a world. All geometry is computed relative to the transform's position, so a
collider far from the origin is as precise as a collider at the origin, except for the rounding of points. Colliders and
transforms, given as instances, become placed shapes of the engine. The arrays for it are kept from call to call: see
:class:`~ecsphys.systems.arguments.Spares`.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple, NoReturn, overload

import numpy as np
from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import (
    COLLIDER_KINDS,
    Collider,
    LooseShapes,
    refuse_bad_values,
    shape_arrays,
)
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.polygon_collider import VERTEX_POOL, ChainCollider
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.column import finite_number, show, true_or_false
from ecsphys.engine.geometry.closest_points import find_closest_points
from ecsphys.engine.geometry.projection import project_one
from ecsphys.engine.geometry.raycast import raycast_one
from ecsphys.engine.manifold.contact import CONTACT_COLUMNS, POINT_COLUMNS, ContactRows, find_contacts
from ecsphys.engine.math.elementary import cos_sin_of
from ecsphys.engine.shapes.layout import ShapeArrays, put_in_canonical_order
from ecsphys.engine.shapes.measures import shape_mass
from ecsphys.geometry.documented_tests import Pair, pair, size
from ecsphys.systems.arguments import Spares
from ecsphys.systems.diagnosis.debug_lines import checked_segments, outlines_of
from ecsphys.systems.dynamics.bodies import MassProperties
from ecsphys.systems.spatial_query.query_arguments import ray
from ecsphys.systems.spatial_query.query_results import RayHit


class OneShape:
    """One placed collider."""

    __slots__ = ("loose", "shapes")

    def __init__(self) -> None:
        self.loose = LooseShapes(1)
        self.shapes = shape_arrays(self.loose.placed)

    def place(self, collider: Collider, transform: Transform) -> ShapeArrays:
        """Place a collider by its transform.

        Raises TypeError unless they are a collider and a ``Transform``. Raises ValueError, naming component and field,
        for a value that was written through a column and is out of its bounds.
        """
        kind = COLLIDER_KINDS.get(type(collider))
        # A subclass of Transform has rows of its own.
        if kind is None or type(transform) is not Transform:
            _refuse(collider, transform, "")
        loose = self.loose
        loose.give(0, kind, collider, transform)
        if loose.place() >= 0:
            refuse_bad_values(collider, transform)
        if self.shapes.pool is not VERTEX_POOL.data:
            self.shapes = shape_arrays(loose.placed)
        return self.shapes


class TwoShapes:
    """Two placed colliders, and arrays for their contact."""

    __slots__ = ("contacts", "loose", "numbers", "order", "pair", "shapes")

    def __init__(self) -> None:
        self.loose = LooseShapes(2)
        self.shapes = shape_arrays(self.loose.placed)
        self.pair = np.zeros((1, 2), int32)
        self.order = self.pair[0].data
        """The numbers of the pair."""
        row = np.zeros((1, CONTACT_COLUMNS))
        self.contacts = ContactRows(np.zeros((1, 2), int32), row, np.zeros((0, POINT_COLUMNS)))
        self.numbers = row[0].data
        """The row of the contact."""

    def place(
        self, collider_a: Collider, transform_a: Transform, collider_b: Collider, transform_b: Transform
    ) -> ShapeArrays:
        """Place both; errors as for :meth:`OneShape.place`."""
        kind_a, kind_b = COLLIDER_KINDS.get(type(collider_a)), COLLIDER_KINDS.get(type(collider_b))
        if kind_a is None or type(transform_a) is not Transform:
            _refuse(collider_a, transform_a, "_a")
        if kind_b is None or type(transform_b) is not Transform:
            _refuse(collider_b, transform_b, "_b")
        loose = self.loose
        loose.give(0, kind_a, collider_a, transform_a)
        loose.give(1, kind_b, collider_b, transform_b)
        if loose.place() >= 0:
            refuse_bad_values(collider_a, transform_a)
            refuse_bad_values(collider_b, transform_b)
        if self.shapes.pool is not VERTEX_POOL.data:
            self.shapes = shape_arrays(loose.placed)
        return self.shapes


SINGLES = Spares(OneShape)
PAIRS = Spares(TwoShapes)


def _refuse(collider: Any, transform: Any, side: str) -> NoReturn:
    if type(collider) not in COLLIDER_KINDS:
        raise TypeError(f"collider{side} must be a collider, got {show(collider)}")
    raise TypeError(f"transform{side} must be a Transform, got {show(transform)}")


def aabb(collider: Collider, transform: Transform) -> tuple[float, float, float, float]:
    """The collider's bounding box in the world: (min_x, min_y, max_x, max_y).

    Raises TypeError unless the arguments are a collider and a ``Transform``.

    Examples
    --------
    >>> low_x, low_y, high_x, high_y = geometry.aabb(CircleCollider(1), Transform(3, 0))
    >>> round(low_x, 6), round(high_x, 6)
    (2.0, 4.0)
    """
    one = SINGLES.take()
    one.place(collider, transform)
    min_x, min_y, max_x, max_y = one.loose.placed.boxes[0].tolist()
    SINGLES.give_back(one)
    return min_x, min_y, max_x, max_y


def raycast(
    collider: Collider, transform: Transform, origin: Pair, direction: Pair, max_distance: float = math.inf
) -> RayHit | None:
    """The first point at which a ray enters the collider, or None.

    The direction may have any length except 0; distances are in world units.

    - A ray that starts inside hits at distance 0 with normal (0, 0).
    - A ray that only touches does not hit: a tangent, a ray along an edge or past a corner, or a ray that starts on the
      boundary and leaves.
    - A ray that starts on the boundary and goes inside hits at distance 0.
    - At a corner the normal is the normal of one of its edges.
    - A hit beyond ``max_distance`` (units, >= 0, may be infinite) gives None.

    Raises ValueError for a direction of (0, 0), a negative distance, or numbers that are not finite. Raises TypeError
    unless the arguments are a collider, a ``Transform`` and pairs.

    Examples
    --------
    >>> geometry.raycast(CircleCollider(1), Transform(5, 0), (0, 0), (2, 0)).distance
    4.0
    """
    asked = ray(origin, direction, max_distance)
    one = SINGLES.take()
    shapes = one.place(collider, transform)
    distance, x, y, normal_x, normal_y = raycast_one(shapes, 0, *asked)
    SINGLES.give_back(one)
    if distance == math.inf:
        return None
    if normal_x == 0.0 and normal_y == 0.0:
        return RayHit(0.0, asked[:2], (0.0, 0.0))
    return RayHit(distance, (x, y), (normal_x, normal_y))


def contains(collider: Collider, transform: Transform, point: Pair) -> bool:
    """Whether a point (x, y) is inside the collider, not on its boundary. Errors as for :func:`raycast`.

    Examples
    --------
    >>> geometry.contains(AABBCollider(2, 1), Transform(0, 0), (1.5, 0.5))
    True
    """
    _, distance = _project(collider, transform, pair("point", point))
    return math.copysign(1.0, distance) < 0.0  # −0 too: inside, nearer to the boundary than float64 can tell


def project_point(collider: Collider, transform: Transform, point: Pair, solid: bool = True) -> tuple[Pair, float]:
    """The collider's point nearest to ``point`` (x, y), and its distance in units.

    If ``solid``, a point inside is its own projection, at distance 0. Otherwise it is projected to the boundary, and
    its distance is negative. If several boundary points are nearest, the choice is fixed: the center of a circle is
    projected along +y of the world; a point on a capsule's core segment to the side of +y in its frame; the center of a
    box to its y sides, unless the x sides are nearer; and always to the positive side of a pair. Errors as for
    :func:`raycast`.

    Examples
    --------
    >>> geometry.project_point(CircleCollider(1), Transform(0, 0), (3, 0))
    ((1.0, 0.0), 2.0)
    """
    point = pair("point", point)
    nearest, distance = _project(collider, transform, point)
    if true_or_false("solid", solid) and math.copysign(1.0, distance) < 0.0:
        return point, 0.0
    return nearest, distance


def mass_properties(collider: Collider, density: float) -> MassProperties:
    """(mass, center, inertia about the center) of a collider of uniform density, mass per area.

    The center is in the frame of the entity that has the collider; offset and angle are included. The result is exact
    for all shapes, rounded polygons too. Raises ValueError unless the density is finite and greater than 0, and
    TypeError unless the arguments are a collider and a number.

    Examples
    --------
    >>> geometry.mass_properties(AABBCollider(1, 0.5), density=3).mass
    6.0
    """
    if finite_number("density", density) <= 0.0:
        raise ValueError(f"density must be greater than 0, got {show(density)}")
    one = SINGLES.take()
    forms, _, shapes, pool = one.place(collider, Transform())
    area, x, y, inertia = shape_mass(int(forms[0]), shapes, 0, pool)
    SINGLES.give_back(one)
    return MassProperties(float(density * area), (float(x), float(y)), float(density * inertia))


def _project(collider: Collider, transform: Transform, point: Pair) -> tuple[Pair, float]:
    one = SINGLES.take()
    shapes = one.place(collider, transform)
    distance, x, y = project_one(shapes, 0, *point)
    SINGLES.give_back(one)
    return (x, y), distance


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

    normal: Pair
    depth: float
    points: tuple[Pair, ...]


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
) -> tuple[float, Pair, Pair]:
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


_DEFAULT_SEGMENTS: Final = 48


@overload
def outline(collider: Collider, transform: Transform, segments: int = ...) -> NDArray[float64]: ...
@overload
def outline(
    collider: CompoundCollider | ChainCollider, transform: Transform, segments: int = ...
) -> list[NDArray[float64]]: ...
def outline(
    collider: Collider | CompoundCollider | ChainCollider, transform: Transform, segments: int = _DEFAULT_SEGMENTS
) -> NDArray[float64] | list[NDArray[float64]]:
    """The closed outline of a collider in the world: points (n, 2), counter-clockwise, the first not repeated.

    Every point lies on the boundary. Boxes and polygons are exact. An arc becomes straight lines: ``segments`` is the
    number of lines of a full circle, 3 to 1024, and other arcs have their part of it. For a pie slice (a fan) the
    first point is the apex.

    A compound gives a list: the outline of each part. A chain gives a list too: the points (n, 2) of each of its lines,
    in the order in which the chain has them. Its ``radius`` is left out. If the chain is closed, the last point leads
    back to the first.

    Raises TypeError if an argument has the wrong type, and ValueError if ``segments`` is out of range.

    Examples
    --------
    >>> geometry.outline(AABBCollider(2, 1), Transform(10, 0)).tolist()
    [[8.0, -1.0], [12.0, -1.0], [12.0, 1.0], [8.0, 1.0]]
    >>> len(geometry.outline(CircleCollider(1), Transform(), segments=16))
    16
    """
    count = checked_segments(segments)
    if isinstance(collider, CompoundCollider):
        return [_outline(part, transform, count) for part in collider.parts]
    if isinstance(collider, ChainCollider):
        if type(transform) is not Transform:
            raise TypeError(f"transform must be a Transform, got {show(transform)}")
        return [_placed(np.array(line), transform) for line in collider.lines]
    return _outline(collider, transform, count)


def _outline(collider: Collider, transform: Transform, segments: int) -> NDArray[float64]:
    one = SINGLES.take()
    (found,) = outlines_of(one.place(collider, transform), segments)
    SINGLES.give_back(one)
    points: NDArray[float64] = found.points[0]
    return points


def _placed(points: NDArray[float64], transform: Transform) -> NDArray[float64]:
    """Points (n, 2) of the entity's frame in the world."""
    cosines, sines = cos_sin_of(np.array([transform.angle]))
    x, y = points.T
    turned = np.column_stack((cosines * x - sines * y, sines * x + cosines * y))
    placed: NDArray[float64] = np.array((transform.x, transform.y)) + turned
    return placed
