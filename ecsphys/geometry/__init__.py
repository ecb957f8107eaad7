"""Geometry without any world: queries of colliders, and the classic collision tests by name.

* Two colliders, each placed by a ``Transform``: :func:`contact`, :func:`overlaps`, :func:`closest_points`.
* One collider: :func:`aabb`, :func:`raycast`, :func:`contains`, :func:`project_point`, :func:`mass_properties`,
  :func:`outline`.
* Tests on plain tuples and floats (rows C1–C15), from :func:`circle_circle` to :func:`between_vectors`.

Points and vectors are pairs ``(x, y)``, angles radians, counter-clockwise, y up. Results are plain Python floats.
Every function raises TypeError unless the arguments are numbers, and ValueError for NaN, infinity, negative sizes and
directions of (0, 0). Messages name the argument and the value.
"""

from ecsphys.geometry.documented_tests import (
    aabb_aabb,
    aabb_intersection,
    between_vectors,
    box_axes,
    box_center_half,
    box_min_max,
    circle_aabb,
    circle_aabb_by_cases,
    circle_aabb_by_growth,
    circle_capsule,
    circle_circle,
    circle_fan,
    circle_obb,
    circle_obb_by_transform,
    circle_polygon,
    circle_segment,
    closest_point_on_obb,
    closest_point_on_segment,
    line_aabb,
    point_in_aabb,
    point_in_obb,
    ray_aabb,
    segment_aabb,
)
from ecsphys.geometry.queries import (
    Contact,
    aabb,
    closest_points,
    contact,
    contains,
    mass_properties,
    outline,
    overlaps,
    project_point,
    raycast,
)
from ecsphys.systems.dynamics.bodies import MassProperties
from ecsphys.systems.spatial_query.query_results import RayHit

__all__ = [
    "Contact",
    "MassProperties",
    "RayHit",
    "aabb",
    "aabb_aabb",
    "aabb_intersection",
    "between_vectors",
    "box_axes",
    "box_center_half",
    "box_min_max",
    "circle_aabb",
    "circle_aabb_by_cases",
    "circle_aabb_by_growth",
    "circle_capsule",
    "circle_circle",
    "circle_fan",
    "circle_obb",
    "circle_obb_by_transform",
    "circle_polygon",
    "circle_segment",
    "closest_point_on_obb",
    "closest_point_on_segment",
    "closest_points",
    "contact",
    "contains",
    "line_aabb",
    "mass_properties",
    "outline",
    "overlaps",
    "point_in_aabb",
    "point_in_obb",
    "project_point",
    "ray_aabb",
    "raycast",
    "segment_aabb",
]
