"""The formulas of the documents, to compare machine code and Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from ecsphys.engine.geometry import predicates

# Every formula with the number of its arguments; what these call is compiled with them.
FORMULAS: Final[tuple[tuple[Callable[..., Any], int], ...]] = (
    (predicates.aabb_aabb, 8),
    (predicates.aabb_intersection, 8),
    (predicates.point_in_aabb, 6),
    (predicates.point_in_obb, 7),
    (predicates.closest_point_on_obb, 7),
    (predicates.box_center_half, 4),
    (predicates.box_min_max, 4),
    (predicates.box_axes, 1),
    (predicates.circle_aabb_by_cases, 7),
    (predicates.circle_aabb_by_growth, 7),
    (predicates.circle_obb, 8),
    (predicates.circle_obb_by_transform, 8),
    (predicates.between_vectors, 6),
    (predicates.circle_fan, 8),
    (predicates.closest_point_on_segment, 6),
    (predicates.circle_capsule, 8),
    (predicates.circle_segment, 7),
    (predicates.clip_to_aabb, 10),
)


def places_in(result: Any, place: str = "") -> Iterator[str]:
    """What leads to each number of a result: "" for a number, "[0]" … for those of a tuple."""
    if isinstance(result, tuple):
        for k, part in enumerate(result):
            yield from places_in(part, f"{place}[{k}]")
    else:
        yield place
