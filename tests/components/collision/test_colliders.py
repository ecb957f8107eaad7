"""The six colliders: their constructors, and which polygons are polygons."""

from __future__ import annotations

import copy
import inspect
import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from ecsphys import (
    COLLIDER_CLASSES,
    AABBCollider,
    CapsuleCollider,
    ChainCollider,
    CircleCollider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.engine.shapes import layout

SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))

CONTRACT = {
    CircleCollider: "radius, offset_x=0.0, offset_y=0.0, sensor=False",
    AABBCollider: "half_width, half_height, offset_x=0.0, offset_y=0.0, sensor=False",
    OBBCollider: "half_width, half_height, offset_x=0.0, offset_y=0.0, angle=0.0, sensor=False",
    CapsuleCollider: "length, radius, offset_x=0.0, offset_y=0.0, angle=0.0, sensor=False",
    FanCollider: "radius, spread, direction=0.0, offset_x=0.0, offset_y=0.0, sensor=False",
    PolygonCollider: "vertices, radius=0.0, offset_x=0.0, offset_y=0.0, angle=0.0, sensor=False",
}


def turned(vertices: Any, angle: float, scale: float = 1.0, dx: float = 0.0, dy: float = 0.0) -> list[Any]:
    c, s = math.cos(angle) * scale, math.sin(angle) * scale
    return [(c * x - s * y + dx, s * x + c * y + dy) for x, y in vertices]


def ring(count: int, step: int = 1) -> list[tuple[float, float]]:
    return [(math.cos(math.tau * step * i / count), math.sin(math.tau * step * i / count)) for i in range(count)]


@pytest.mark.parametrize(("cls", "parameters"), CONTRACT.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_constructor_has_the_parameters_of_the_contract(cls: Any, parameters: str) -> None:
    found = [
        name if parameter.default is inspect.Parameter.empty else f"{name}={parameter.default!r}"
        for name, parameter in inspect.signature(cls).parameters.items()
    ]
    assert ", ".join(found) == parameters


def test_classes_are_in_the_order_of_the_kinds() -> None:
    kinds = {
        CircleCollider: layout.KIND_CIRCLE,
        AABBCollider: layout.KIND_AABB,
        OBBCollider: layout.KIND_OBB,
        CapsuleCollider: layout.KIND_CAPSULE,
        FanCollider: layout.KIND_FAN,
        PolygonCollider: layout.KIND_POLYGON,
        ChainCollider: layout.KIND_CHAIN,
    }
    assert [kinds[cls] for cls in COLLIDER_CLASSES] == list(range(len(kinds)))


def test_blocks_have_the_field_order_of_the_engine() -> None:
    assert [cls._columns.names_in("float64") for cls in SHAPE_CLASSES] == [
        ("radius", "offset_x", "offset_y"),
        ("half_width", "half_height", "offset_x", "offset_y"),
        ("half_width", "half_height", "offset_x", "offset_y", "angle"),
        ("length", "radius", "offset_x", "offset_y", "angle"),
        ("radius", "spread", "direction", "offset_x", "offset_y"),
        ("radius", "offset_x", "offset_y", "angle"),
    ]
    polygon = PolygonCollider(SQUARE)
    start, count = PolygonCollider._columns.int64[:, polygon._row].tolist()
    assert VERTEX_POOL.data[start : start + count, :2].tolist() == [list(vertex) for vertex in SQUARE]


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda v: CircleCollider(v), "CircleCollider.radius"),
        (lambda v: AABBCollider(v, 1), "AABBCollider.half_width"),
        (lambda v: AABBCollider(1, v), "AABBCollider.half_height"),
        (lambda v: OBBCollider(v, 1), "OBBCollider.half_width"),
        (lambda v: OBBCollider(1, v), "OBBCollider.half_height"),
        (lambda v: CapsuleCollider(1, v), "CapsuleCollider.radius"),
        (lambda v: FanCollider(v, 1), "FanCollider.radius"),
        (lambda v: FanCollider(1, v), "FanCollider.spread"),
    ],
)
def test_sizes_are_greater_than_zero(make: Any, field: str) -> None:
    make(5e-324)
    for value in (0.0, -1.0):
        with pytest.raises(ValueError, match=f"^{field} must be greater than 0.*, got {value}$"):
            make(value)


def test_capsule_length_and_polygon_radius_may_be_zero() -> None:
    assert CapsuleCollider(0, 1).length == 0.0
    assert PolygonCollider(SQUARE, 0).radius == 0.0
    with pytest.raises(ValueError, match=r"^CapsuleCollider\.length must be at least 0, got -1\.0$"):
        CapsuleCollider(-1, 1)
    with pytest.raises(ValueError, match=r"^PolygonCollider\.radius must be at least 0, got -1\.0$"):
        PolygonCollider(SQUARE, -1)


def test_a_spread_of_two_pi_is_the_most() -> None:
    assert FanCollider(1, 2 * math.pi).spread == math.tau
    with pytest.raises(ValueError, match=r"^FanCollider\.spread must be greater than 0 and at most 2π, got 6\.28318"):
        FanCollider(1, math.nextafter(math.tau, 7))


# --- capsule from points


@given(st.tuples(*[st.floats(-1e9, 1e9)] * 4))
@settings(max_examples=50, deadline=None)
def test_a_capsule_from_points_ends_in_them(points: tuple[float, float, float, float]) -> None:
    capsule = CapsuleCollider.from_points(*points, 2.0)
    ax, ay, bx, by = points
    half = 0.5 * capsule.length
    dx, dy = half * math.cos(capsule.angle), half * math.sin(capsule.angle)
    tolerance = 8e-15 * max(map(abs, points)) + 2e-323  # the latter for halves of the smallest floats
    assert math.dist((capsule.offset_x - dx, capsule.offset_y - dy), (ax, ay)) <= tolerance
    assert math.dist((capsule.offset_x + dx, capsule.offset_y + dy), (bx, by)) <= tolerance


def test_a_capsule_from_equal_points_is_a_circle() -> None:
    assert CapsuleCollider.from_points(3, 4, 3, 4, 2) == CapsuleCollider(0, 2, 3, 4, 0)


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ((0, math.nan, 1, 1, 1), ValueError, "CapsuleCollider.ay must be finite, got nan"),
        ((0, 0, "1", 1, 1), TypeError, "CapsuleCollider.bx must be a number, got '1'"),
        ((-1e308, 0, 1e308, 0, 1), ValueError, "CapsuleCollider.length must be finite, got inf"),
        ((0, 0, 1, 1, 0), ValueError, "CapsuleCollider.radius must be greater than 0"),
    ],
)
def test_bad_capsule_points(values: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=f"^{words}"):
        CapsuleCollider.from_points(*values)


# --- fan from vectors


@given(
    start=st.floats(-math.pi, math.pi),
    spread=st.floats(1e-12, math.tau - 1e-12),
    size=st.sampled_from([1e-300, 1e-9, 1.0, 1e9, 1e300]),
    ratio=st.sampled_from([1e-6, 1.0, 3.0]),
)
@settings(max_examples=100, deadline=None)
def test_a_fan_from_vectors_runs_counterclockwise_from_one_to_the_other(
    start: float, spread: float, size: float, ratio: float
) -> None:
    v1 = (size * math.cos(start), size * math.sin(start))
    v2 = (size * ratio * math.cos(start + spread), size * ratio * math.sin(start + spread))
    fan = FanCollider.from_vectors(v1, v2, 7.0)
    assert fan.radius == 7.0
    assert 0.0 < fan.spread < math.tau
    assert fan.spread == pytest.approx(spread, abs=1e-14)
    middle = fan.direction - (start + 0.5 * spread)
    assert math.remainder(middle, math.tau) == pytest.approx(0.0, abs=1e-14)
    assert -math.pi <= fan.direction <= math.pi


def test_a_fan_from_vectors_takes_its_radius_from_equal_lengths() -> None:
    assert FanCollider.from_vectors((3, 4), (-4, 3)).radius == 5.0
    assert FanCollider.from_vectors((3, 4), (0, 5 * (1 + 9e-10))).radius == 5.0
    with pytest.raises(ValueError, match=r"^FanCollider\.from_vectors needs a radius, .*: 5\.0 and 5\.00000001"):
        FanCollider.from_vectors((3, 4), (0, 5 * (1 + 2e-9)))


def test_a_fan_from_opposite_vectors_is_a_half_disc_on_the_left_of_the_first() -> None:
    assert FanCollider.from_vectors((1, 0), (-1, 0)) == FanCollider(1, math.pi, math.pi / 2)
    assert FanCollider.from_vectors((-1, 0), (1, 0)) == FanCollider(1, math.pi, -math.pi / 2)


@pytest.mark.parametrize("vectors", [((1, 3), (2, 6)), ((0.1, 0.3), (0.3, 0.9)), ((1e-320, 0), (1e300, 0))])
def test_equal_directions_are_refused_even_when_rounding_parts_them(vectors: Any) -> None:
    for v1, v2 in (vectors, vectors[::-1]):
        with pytest.raises(ValueError, match=r"^FanCollider\.from_vectors: v1 and v2 must have different directions"):
            FanCollider.from_vectors(v1, v2, 1.0)


@pytest.mark.parametrize(
    ("v1", "v2", "error", "words"),
    [
        ((0, 0), (1, 0), ValueError, "v1 must not be the zero vector"),
        ((1, 0), (0.0, -0.0), ValueError, "v2 must not be the zero vector"),
        ((1, math.inf), (1, 0), ValueError, "v1 [xy] must be finite, got inf"),
        ((1, "0"), (1, 0), TypeError, "v1 [xy] must be a number, got '0'"),
        (1.0, (1, 0), TypeError, r"v1 must be a pair of numbers \(x, y\), got 1.0"),
        ((1, 2, 3), (1, 0), ValueError, r"v1 must be a pair"),
    ],
)
def test_bad_fan_vectors(v1: Any, v2: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=f"^FanCollider.*{words}"):
        FanCollider.from_vectors(v1, v2, 1.0)


# --- polygons


def test_vertices_in_either_winding_are_stored_counterclockwise_from_the_first() -> None:
    assert PolygonCollider(SQUARE).vertices == SQUARE
    assert PolygonCollider((SQUARE[0], *SQUARE[:0:-1])).vertices == SQUARE
    assert PolygonCollider(SQUARE[::-1]).vertices == (SQUARE[3], *SQUARE[:3])


@pytest.mark.parametrize("kind", [list, np.array, lambda v: np.array(v, dtype=np.float32), lambda v: map(list, v)])
def test_vertices_may_be_any_points(kind: Any) -> None:
    polygon = PolygonCollider(kind(SQUARE))
    assert polygon.vertices == SQUARE
    assert all(type(value) is float for vertex in polygon.vertices for value in vertex)
    mixed: Any = [(0, 0), (Fraction(1, 2), 0), np.array([0, 1])]
    assert PolygonCollider(mixed).vertices == ((0.0, 0.0), (0.5, 0.0), (0.0, 1.0))


def test_repr_equality_and_copies_include_the_vertices() -> None:
    polygon = PolygonCollider(SQUARE[:3], 0.25, 1, 2, 3)
    assert repr(polygon) == (
        "PolygonCollider(vertices=((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)), radius=0.25, "
        "offset_x=1.0, offset_y=2.0, angle=3.0, sensor=False)"
    )
    assert eval(repr(polygon)) == polygon
    assert polygon != PolygonCollider(SQUARE, 0.25, 1, 2, 3)
    assert polygon != PolygonCollider(SQUARE[:3], 0.5, 1, 2, 3)
    for twin in (copy.copy(polygon), copy.deepcopy(polygon), pickle.loads(pickle.dumps(polygon))):
        assert twin == polygon
        twin.vertices = SQUARE
        assert polygon.vertices == SQUARE[:3]


def test_vertices_can_be_assigned_in_another_number() -> None:
    polygon, neighbour = PolygonCollider(SQUARE, 0.5), PolygonCollider(SQUARE)
    for count in (16, 3, 7, 4):
        polygon.vertices = ring(count)
        assert len(polygon.vertices) == count
        assert polygon.vertices == tuple(ring(count))
        assert neighbour.vertices == SQUARE
        assert polygon.radius == 0.5
    with pytest.raises(ValueError, match=r"^PolygonCollider\.vertices"):
        polygon.vertices = SQUARE[:2]
    assert polygon.vertices == tuple(ring(4))


def test_vertices_are_assigned_whole_and_pool_places_are_hidden() -> None:
    polygon = PolygonCollider(SQUARE)
    with pytest.raises(TypeError, match="item assignment"):
        polygon.vertices[0] = (1.0, 2.0)  # type: ignore[index]
    with pytest.raises(ValueError, match=r"its columns are: radius, offset_x, offset_y, angle, sensor$"):
        PolygonCollider.column("_start")


@pytest.mark.parametrize(
    ("vertices", "words"),
    [
        (SQUARE[:2], "must have 3 to 16 points, got 2"),
        ([], "must have 3 to 16 points, got 0"),
        (ring(17), "must have 3 to 16 points, got 17"),
        ([(0, 0), (4, 0), (1, 1), (0, 4)], "turns left and right"),
        ([(0, 0), (1, 1), (1, 0), (0, 1)], "turns left and right"),
        ([(0, 0), (1, 0), (2, 0)], "does not turn at point"),
        ([(0, 0), (1, 0), (2, 0), (2, 2)], "does not turn at point 1"),
        ([(0, 0), (2, 0), (1, 0), (1, 1)], "does not turn at point 1"),
        ([(0, 0), (0, 0), (0, 0)], "must be distinct"),
        ([(0, 0), (1, 0), (1, 0), (0, 1)], "must be distinct, but points 1 and 2"),
        ([*SQUARE, SQUARE[0]], "must be distinct, but points 4 and 0"),
        (ring(5, 2), "must go around once, but they go around 2 times"),
        (ring(7, 3), "must go around once, but they go around 3 times"),
        ([*SQUARE, *SQUARE], "must go around once, but they go around 2 times"),
        (ring(7, 2) * 2, "must go around once, but they go around 4 times"),
    ],
)
def test_what_is_not_strictly_convex_is_refused(vertices: Any, words: str) -> None:
    with pytest.raises(ValueError, match=rf"^PolygonCollider\.vertices .*{words}"):
        PolygonCollider(vertices)
    for scale in (1e-200, 1e-9, 1e9, 1e200):
        with pytest.raises(ValueError, match=r"^PolygonCollider\.vertices must "):
            PolygonCollider([(scale * x, scale * y) for x, y in reversed(vertices)])


def test_edges_beyond_float64_are_refused() -> None:
    assert len(PolygonCollider([(0, 0), (1e308, 0), (0, 1e308)]).vertices) == 3
    with pytest.raises(ValueError, match=r"^PolygonCollider\.vertices .* too far apart"):
        PolygonCollider([(-1e308, 0), (1e308, 0), (0, 1e308)])


@pytest.mark.usefixtures("no_garbage")
@pytest.mark.parametrize(
    ("vertices", "error", "words"),
    [
        ([(0, 0), (math.nan, 0), (0, 1)], ValueError, r"PolygonCollider\.vertices\[1\] [xy] must be finite, got nan"),
        ([(0, 0), (1, math.inf), (0, 1)], ValueError, r"PolygonCollider\.vertices\[1\] [xy] must be finite, got inf"),
        ([(0, 0), (1, 0), (0, 10**400)], ValueError, r"PolygonCollider\.vertices\[2\] [xy] must be finite"),
        ([(0, 0), (1, "0"), (0, 1)], TypeError, r"PolygonCollider\.vertices\[1\] [xy] must be a number, got '0'"),
        (
            [(0, 0), None, (0, 1)],
            TypeError,
            r"PolygonCollider\.vertices\[1\] must be a pair of numbers .* got None",
        ),
        ([(0, 0), (1, 0, 0), (0, 1)], ValueError, r"PolygonCollider\.vertices\[1\] must be a pair"),
        (np.zeros((4, 3)), ValueError, r"PolygonCollider\.vertices\[0\] must be a pair"),
        (np.zeros(4), TypeError, r"PolygonCollider\.vertices\[0\] must be a pair"),
        (7, TypeError, r"PolygonCollider\.vertices must be points \(x, y\), got 7"),
        ("abc", TypeError, r"PolygonCollider\.vertices must be points"),
    ],
)
def test_what_is_no_point_is_refused(vertices: Any, error: Any, words: str) -> None:
    before = VERTEX_POOL.high_water, PolygonCollider._columns.live_rows
    with pytest.raises(error, match=f"^{words}"):
        PolygonCollider(vertices)
    assert (VERTEX_POOL.high_water, PolygonCollider._columns.live_rows) == before


@pytest.mark.usefixtures("no_garbage")
def test_a_polygon_initialised_again_keeps_its_row_and_its_vertices_place() -> None:
    polygon = PolygonCollider([(0, 0), (1, 0), (0, 1)], 0.5)
    before = polygon._row, VERTEX_POOL.high_water, PolygonCollider._columns.live_rows
    for _ in range(3):
        polygon.__init__([(0, 0), (2, 0), (0, 2)], 0.25, 1.0)
    assert polygon == PolygonCollider([(0, 0), (2, 0), (0, 2)], 0.25, 1.0)
    with pytest.raises(ValueError, match=r"^PolygonCollider\.offset_x must be finite"):
        polygon.__init__([(0, 0), (3, 0), (0, 3)], 0.125, math.inf)
    assert polygon == PolygonCollider([(0, 0), (2, 0), (0, 2)], 0.25, 1.0)
    assert before[0] == polygon._row
    assert VERTEX_POOL.high_water <= before[1] + 3
    assert PolygonCollider._columns.live_rows == before[2]


@pytest.mark.parametrize("scale", [1e-200, 1e-9, 1.0, 1e9, 1e200])
@pytest.mark.parametrize("angle", [0.0, 0.3, 2.0])
def test_tolerances_follow_the_size(scale: float, angle: float) -> None:
    for bend, fine in ((1e-8, True), (1e-10, False)):
        nearly_flat = turned([(0, 0), (1, -bend), (2, 0), (1, 1)], angle, scale)
        if fine:
            assert len(PolygonCollider(nearly_flat).vertices) == 4
        else:
            with pytest.raises(ValueError, match="does not turn at point 1"):
                PolygonCollider(nearly_flat)
    for edge, fine in ((1e-7, True), (1e-10, False)):
        bevelled = turned([(0, 0), (1, 0), (1 + edge, edge), (1, 1)], angle, scale)
        if fine:
            assert len(PolygonCollider(bevelled).vertices) == 4
        else:
            with pytest.raises(ValueError, match="must be distinct, but points 1 and 2"):
                PolygonCollider(bevelled)


def test_a_polygon_far_from_its_origin_is_judged_by_its_own_size() -> None:
    polygon = PolygonCollider(turned(SQUARE, 0.0, 1.0, 2.0**50, -(2.0**50)))
    run = slice(polygon._start, polygon._start + 4)
    assert VERTEX_POOL.data[run, 2:].tolist() == [[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]


def exactly_convex(points: list[tuple[int, int]]) -> bool:
    """Whether all other points lie strictly on one side of every edge: exact in integers, no turns, no angles."""
    count = len(points)
    sides = set()
    for i, (ax, ay) in enumerate(points):
        bx, by = points[(i + 1) % count]
        for k, (x, y) in enumerate(points):
            if k not in (i, (i + 1) % count):
                cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
                sides.add((cross > 0) - (cross < 0))
    return sides in ({1}, {-1})


grid_points = st.tuples(st.integers(-3, 3), st.integers(-3, 3))


@given(st.lists(grid_points, min_size=3, max_size=7))
@example([(0, 0), (1, 0), (0, 1)])
@example([(3, 0), (-2, 2), (1, -3), (1, 3), (-2, -2)])
@settings(max_examples=400, deadline=None)
def test_polygons_are_accepted_iff_every_point_is_on_one_side_of_every_edge(points: list[tuple[int, int]]) -> None:
    try:
        PolygonCollider(points)
    except ValueError:
        accepted = False
    else:
        accepted = True
    assert accepted == exactly_convex(points)


@given(
    angles=st.lists(st.floats(0.0, math.tau, exclude_max=True), min_size=3, max_size=16, unique=True),
    center=st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)),
    scale=st.sampled_from([1e-3, 1.0, 1e6]),
    clockwise=st.booleans(),
)
@settings(max_examples=100, deadline=None)
def test_points_of_a_circle_are_convex_and_their_normals_point_outward(
    angles: list[float], center: tuple[float, float], scale: float, clockwise: bool
) -> None:
    angles.sort()
    gaps = np.diff([*angles, angles[0] + math.tau])
    assume(gaps.min() > 1e-2)
    points = [(center[0] + scale * math.cos(a), center[1] + scale * math.sin(a)) for a in angles]
    polygon = PolygonCollider(points[::-1] if clockwise else points)
    assert sorted(polygon.vertices) == sorted(points)
    x, y, normal_x, normal_y = VERTEX_POOL.data[polygon._start : polygon._start + polygon._count].T
    assert np.hypot(normal_x, normal_y) == pytest.approx(1.0, abs=1e-15)
    # No vertex lies before any edge; the tolerance is the rounding of the points themselves, far from the origin.
    depths = normal_x[:, None] * (x[None] - x[:, None]) + normal_y[:, None] * (y[None] - y[:, None])
    assert depths.max() <= 2e-15 * scale
