"""Queries of a single collider, without any world.

A ``Transform`` places a collider, as in a world. All geometry is computed relative to the transform's position, so a
collider far from the origin is as precise as a collider at the origin, except for the rounding of points.
"""

from __future__ import annotations

import math

from ecsphys.components.collision.colliders import Collider
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.column import as_float, finite_number, show, true_or_false
from ecsphys.engine.geometry.projection import project_points
from ecsphys.engine.geometry.raycast import raycast_shapes
from ecsphys.engine.shapes.measures import shape_mass
from ecsphys.geometry.arguments import Pair, pair, vector
from ecsphys.geometry.placement import SINGLES
from ecsphys.systems.dynamics.bodies import MassProperties
from ecsphys.systems.spatial_query.query_results import RayHit


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
    origin = pair("origin", origin)
    direction = vector("direction", direction)
    reach = as_float("max_distance", max_distance)
    if not reach >= 0.0:
        raise ValueError(f"max_distance must be 0 or more, got {show(max_distance)}")
    one = SINGLES.take()
    shapes = one.place(collider, transform)
    one.ask(*origin, *direction, reach)
    raycast_shapes(shapes, one.points, one.directions, one.reach, one.distances, one.nearest, one.normals)
    distance, x, y, normal_x, normal_y = one.numbers.tolist()
    SINGLES.give_back(one)
    if distance == math.inf:
        return None
    if normal_x == 0.0 and normal_y == 0.0:
        return RayHit(0.0, origin, (0.0, 0.0))
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
    one.ask(*point, 0.0, 0.0, 0.0)
    project_points(shapes, one.points, one.nearest, one.distances)
    distance, x, y, _, _ = one.numbers.tolist()
    SINGLES.give_back(one)
    return (x, y), distance
