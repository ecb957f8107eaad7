"""The formulas of the documents, to compare machine code and Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from ecsphys.engine.predicates import box as box_tests
from ecsphys.engine.predicates import circle as circle_tests
from ecsphys.engine.predicates import fan as fan_tests
from ecsphys.engine.predicates import segment as segment_tests
from ecsphys.engine.predicates import slab

# Every formula with the number of its arguments; what these call is compiled with them.
FORMULAS: Final[tuple[tuple[Callable[..., Any], int], ...]] = (
    (box_tests.aabb_aabb, 8),
    (box_tests.aabb_intersection, 8),
    (box_tests.point_in_aabb, 6),
    (box_tests.point_in_obb, 7),
    (box_tests.closest_point_on_obb, 7),
    (box_tests.box_center_half, 4),
    (box_tests.box_min_max, 4),
    (box_tests.box_axes, 1),
    (circle_tests.circle_aabb_by_cases, 7),
    (circle_tests.circle_aabb_by_growth, 7),
    (circle_tests.circle_obb, 8),
    (circle_tests.circle_obb_by_transform, 8),
    (fan_tests.between_vectors, 6),
    (fan_tests.circle_fan, 8),
    (segment_tests.closest_point_on_segment, 6),
    (segment_tests.circle_capsule, 8),
    (segment_tests.circle_segment, 7),
    (slab.clip_to_aabb, 10),
)


def places_in(result: Any, place: str = "") -> Iterator[str]:
    """What leads to each number of a result: "" for a number, "[0]" … for those of a tuple."""
    if isinstance(result, tuple):
        for k, part in enumerate(result):
            yield from places_in(part, f"{place}[{k}]")
    else:
        yield place
