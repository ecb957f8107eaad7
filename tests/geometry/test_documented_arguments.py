"""What the documents' tests are given is checked: every error names the argument and the value."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ecsphys.geometry import documented_tests as tests

P, Q = (0.0, 0.0), (1.0, 2.0)
TRIANGLE = [(0, 0), (4, 0), (0, 3)]

# Every function with valid arguments, by name.
CALLS: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (tests.aabb_aabb, {"min_a": P, "max_a": Q, "min_b": P, "max_b": Q}),
    (tests.aabb_intersection, {"min_a": P, "max_a": Q, "min_b": P, "max_b": Q}),
    (tests.circle_circle, {"center_a": P, "radius_a": 1, "center_b": Q, "radius_b": 1}),
    (tests.circle_aabb, {"center": P, "radius": 1, "box_min": P, "box_max": Q}),
    (tests.circle_aabb_by_cases, {"center": P, "radius": 1, "box_min": P, "box_max": Q}),
    (tests.circle_aabb_by_growth, {"center": P, "radius": 1, "box_min": P, "box_max": Q}),
    (tests.circle_obb, {"center": P, "radius": 1, "box_center": P, "half_size": Q, "angle": 1}),
    (tests.circle_obb_by_transform, {"center": P, "radius": 1, "box_center": P, "half_size": Q, "angle": 1}),
    (tests.circle_polygon, {"center": P, "radius": 1, "vertices": TRIANGLE}),
    (tests.circle_capsule, {"center": P, "radius": 1, "a": P, "b": Q, "capsule_radius": 1}),
    (tests.circle_fan, {"center": P, "radius": 1, "apex": P, "fan_radius": 1, "spread": 1, "direction": 1}),
    (tests.between_vectors, {"p": P, "v1": Q, "v2": Q}),
    (tests.point_in_aabb, {"point": P, "box_min": P, "box_max": Q}),
    (tests.point_in_obb, {"point": P, "box_center": P, "half_size": Q, "angle": 1}),
    (tests.closest_point_on_segment, {"point": P, "a": P, "b": Q}),
    (tests.closest_point_on_obb, {"point": P, "box_center": P, "half_size": Q, "angle": 1}),
    (tests.segment_aabb, {"p": P, "q": Q, "box_min": P, "box_max": Q}),
    (tests.ray_aabb, {"origin": P, "direction": Q, "box_min": P, "box_max": Q}),
    (tests.line_aabb, {"point": P, "direction": Q, "box_min": P, "box_max": Q}),
    (tests.circle_segment, {"center": P, "radius": 1, "a": P, "b": Q}),
    (tests.box_center_half, {"box_min": P, "box_max": Q}),
    (tests.box_min_max, {"center": P, "half_size": Q}),
    (tests.box_axes, {"angle": 1}),
]
ARGUMENTS = [(call, name) for call, arguments in CALLS for name in arguments]
VALID = dict(CALLS)
IDS = [f"{call.__name__}-{name}" for call, name in ARGUMENTS]


@pytest.mark.parametrize(("call", "name"), ARGUMENTS, ids=IDS)
def test_bad_values_are_refused_by_name(call: Callable[..., Any], name: str) -> None:
    valid = VALID[call]
    call(**valid)
    is_pair = isinstance(valid[name], tuple)
    is_vertices = isinstance(valid[name], list)
    bad: Any
    for bad in (math.nan, math.inf, -math.inf, 10**400):
        value = [(0, 0), (1, bad), (1, 1)] if is_vertices else (1.0, bad) if is_pair else bad
        with pytest.raises(ValueError, match=name) as raised:
            call(**{**valid, name: value})
        assert repr(bad)[:20] in str(raised.value)
    for bad in ("1", None, 1j, [1.0]):
        value = [(0, 0), (1, bad), (1, 1)] if is_vertices else (1.0, bad) if is_pair else bad
        with pytest.raises(TypeError, match=name):
            call(**{**valid, name: value})


@pytest.mark.parametrize(("call", "name"), ARGUMENTS, ids=IDS)
def test_what_is_no_pair_and_what_is_negative_is_refused(call: Callable[..., Any], name: str) -> None:
    valid = VALID[call]
    if isinstance(valid[name], tuple):
        for no_pair, error in ((1.0, TypeError), ("ab", TypeError), ((1, 2, 3), ValueError), ((), ValueError)):
            with pytest.raises(error, match=name):
                call(**{**valid, name: no_pair})
    if "radius" in name or name == "half_size":
        with pytest.raises(ValueError, match=rf"{name} must not be negative.*-1"):
            call(**{**valid, name: (1.0, -1.0) if name == "half_size" else -1.0})
    if name in ("direction", "v1", "v2") and isinstance(valid[name], tuple):
        for zero in ((0, 0), (0.0, -0.0)):
            with pytest.raises(ValueError, match=f"{name} must not be zero"):
                call(**{**valid, name: zero})
    if "max" in name:
        with pytest.raises(ValueError, match=f"must not exceed {name}"):
            call(**{**valid, name: (1.0, -1.0)})


@pytest.mark.parametrize("spread", [0, -1, 6.2831853071795871])
def test_spread_is_above_zero_and_at_most_a_full_turn(spread: float) -> None:
    with pytest.raises(ValueError, match="spread"):
        tests.circle_fan(P, 1, P, 1, spread, 0)


def test_a_segment_without_length_has_no_direction_to_measure_t_by() -> None:
    with pytest.raises(ValueError, match="p and q must differ"):
        tests.segment_aabb(Q, Q, P, Q)
    with pytest.raises(ValueError, match="a and b must differ"):
        tests.circle_segment(P, 1, Q, Q)


def test_vertices_must_be_pairs() -> None:
    with pytest.raises(TypeError, match="vertices must be pairs"):
        tests.circle_polygon(P, 1, 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"vertices\[0\]"):
        tests.circle_polygon(P, 1, [1, 2, 3])  # type: ignore[list-item]
    assert tests.circle_polygon((1, 1), 0, (vertex for vertex in TRIANGLE))


def test_numpy_numbers_and_arrays_are_numbers_and_pairs_and_results_are_plain_floats() -> None:
    array: Any = np.array
    point, distance = tests.closest_point_on_obb(array([5.0, 0.5]), array([0, 0]), array([2, 1]), array(0.0))
    assert (point, distance) == ((2.0, 0.5), 3.0)
    results = [
        *point,
        distance,
        *(tests.ray_aabb(array([-1, 1]), array([1, 0]), P, Q) or ()),
        *tests.circle_segment(array([0, 0]), array(1), (-2, 0), (2, 0)),
        *tests.closest_point_on_segment(array([1, 1]), P, Q),
    ]
    assert {type(value) for value in results} == {float}
