"""Rings of light (row D5): quads, radii, the originals' fault, and texture coordinates on trapezoids."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest
from numpy import float64
from numpy.testing import assert_allclose
from numpy.typing import NDArray

import ecsphys
from ecsphys import Transform
from ecsphys.components.effects.light import RingBeam
from ecsphys.engine.effects.strips import ring_quads, ring_strips, strip_triangles
from ecsphys.systems.effects.light import LightSystem
from ecsphys.systems.stage import Priority

Vertices = NDArray[float64]


def ring(radius: float, width: float, quads: int) -> tuple[Vertices, Vertices, NDArray[float64]]:
    return ring_strips(np.zeros((1, 2)), np.array((radius,)), np.array((width,)), np.array((quads,)))


def signed_areas(vertices: Vertices, triangles: NDArray[np.int32]) -> NDArray[float64]:
    a, b, c = np.moveaxis(vertices[triangles], 1, 0)
    u, v = b - a, c - a
    result: NDArray[float64] = 0.5 * (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
    return result


def polygon_ring_area(inner: float, outer: float, quads: int) -> float:
    """The area between two regular polygons."""
    return 0.5 * quads * math.sin(math.tau / quads) * (outer * outer - inner * inner)


@pytest.mark.parametrize(
    ("radius", "segment", "quads"),
    [
        (0.0, 10.0, 16),
        (25.0, 10.0, 16),
        (100.0, 10.0, 63),
        (1000.0, 10.0, 629),
        (1e6, 10.0, 1024),
        (1e308, 1e-300, 1024),
    ],
)
def test_number_of_quads_by_the_circumference_with_a_floor_and_a_cap(radius: float, segment: float, quads: int) -> None:
    assert ring_quads(np.array((radius,)), np.array((segment,))).tolist() == [quads]


def test_every_vertex_is_on_its_own_circle() -> None:
    vertices, coordinates, _ = ring(10.0, 4.0, 20)
    radii = np.hypot(*vertices.T)
    assert_allclose(radii[0::2], 12.0, rtol=1e-15)
    assert_allclose(radii[1::2], 8.0, rtol=1e-15)
    assert coordinates[0::2, 1].tolist() == [1.0] * 21
    assert coordinates[1::2, 1].tolist() == [0.0] * 21
    assert_allclose(coordinates[0::2, 0], np.arange(21) / 20)


def test_the_last_rung_lies_exactly_on_the_first() -> None:
    vertices, _, _ = ring(10.0, 4.0, 37)
    assert vertices[-2:].tolist() == vertices[:2].tolist()


def test_all_quads_face_the_viewer_and_cover_the_ring_once() -> None:
    vertices, _, _ = ring(10.0, 4.0, 20)
    areas = signed_areas(vertices, strip_triangles(np.array((21,))))
    assert len(areas) == 40
    assert (areas > 0.0).all()
    assert areas.sum() == pytest.approx(polygon_ring_area(8.0, 12.0, 20), rel=1e-13)


def test_the_inner_radius_is_never_negative() -> None:
    vertices, _, q = ring(1.0, 10.0, 16)
    assert_allclose(np.hypot(*vertices.T)[1::2], 0.0)
    assert_allclose(np.hypot(*vertices.T)[0::2], 6.0)
    assert q[1::2].tolist() == [0.0] * 17


def ring_as_in_the_original(inner: float, outer: float, quads: int) -> Vertices:
    """Quads as the original builds them: outer, inner, next outer, next inner; the last with the *outer* radius."""
    corners = []
    for k in range(quads):
        here, there = -math.tau * k / quads, -math.tau * (k + 1) / quads
        for radius, angle in ((outer, here), (inner, here), (outer, there), (outer, there)):
            corners.append((radius * math.cos(angle), radius * math.sin(angle)))
    return np.array(corners)


def test_the_fault_of_the_original_is_seen_and_ours_is_free_of_it() -> None:
    """With one inner vertex at the outer radius, every quad loses a triangle: holes in the ring like saw teeth."""
    inner, outer, quads = 8.0, 12.0, 20
    triangles = np.concatenate([strip_triangles(np.array((2,))) + 4 * k for k in range(quads)])
    faulty = signed_areas(ring_as_in_the_original(inner, outer, quads), triangles)
    vertices, _, _ = ring(10.0, 4.0, quads)
    ours = signed_areas(vertices, strip_triangles(np.array((quads + 1,))))
    right = polygon_ring_area(inner, outer, quads)
    assert ours.sum() == pytest.approx(right, rel=1e-13)
    assert_allclose(faulty[1::2], 0.0, atol=1e-14)  # (next outer, inner, next outer): no area
    assert_allclose(faulty[0::2], ours[0::2], rtol=1e-12)
    missing = 0.5 * quads * math.sin(math.tau / quads) * inner * (outer - inner)
    assert right - faulty.sum() == pytest.approx(missing, rel=1e-12)
    assert missing / right > 0.35


def interpolated(weights: Vertices, corners: NDArray[float64]) -> NDArray[float64]:
    result: NDArray[float64] = weights @ corners
    return result


@pytest.mark.parametrize("width", [4.0, 19.0, 20.0, 60.0])
def test_texture_coordinates_do_not_smear(width: float) -> None:
    """u must be what the point's place between its two radii says, in both triangles; v what its depth says.

    Reference: across a trapezoid, u is the share of the chord at that depth.
    """
    quads = 16
    vertices, coordinates, q = ring(10.0, width, quads)
    outer, inner = 10.0 + 0.5 * width, max(0.0, 10.0 - 0.5 * width)
    half_angle = math.pi / quads
    rng = np.random.default_rng(5)
    worst_without_q = 0.0
    for number, triangle in enumerate(strip_triangles(np.array((quads + 1,)))):
        k = number // 2
        weights = rng.dirichlet((1.0, 1.0, 1.0), 50)
        points = interpolated(weights, vertices[triangle])
        u, v = coordinates[triangle].T
        exact_u = interpolated(weights, u * q[triangle]) / interpolated(weights, q[triangle])
        exact_v = interpolated(weights, v)
        middle = -(2 * k + 1) * half_angle
        depth = points @ (math.cos(middle), math.sin(middle))
        aside = points @ (math.sin(middle), -math.cos(middle))  # clockwise, as u runs
        expected_u = (k + 0.5 + 0.5 * aside / (depth * math.tan(half_angle))) / quads
        expected_v = (depth / math.cos(half_angle) - inner) / (outer - inner)
        assert_allclose(exact_u, expected_u, atol=1e-12)
        assert_allclose(exact_v, expected_v, atol=1e-12)
        worst_without_q = max(worst_without_q, float(np.abs(interpolated(weights, u) - expected_u).max()))
    assert worst_without_q <= 1.0 / quads
    if width >= 19.0:
        assert worst_without_q > 0.4 / quads  # what the q is for


def test_a_projective_v_would_shift_the_bright_middle_inwards() -> None:
    """Why v is not divided by q: halfway between radii 2 and 18 it would be 0.9, not 0.5."""
    inner, outer = 2.0, 18.0
    q_inner, q_outer = inner / outer, 1.0
    assert (0.5 * q_outer) / (0.5 * q_inner + 0.5 * q_outer) == pytest.approx(0.9)


def test_the_system_grows_rings_and_batches_them() -> None:
    light = LightSystem(ecsphys.install())
    esper.add_processor(light, Priority.LIGHT)
    growing, shrinking = RingBeam(10, 2, growth=20), RingBeam(1, 2, growth=-20)
    first = esper.create_entity(Transform(100, 50), growing)
    second = esper.create_entity(Transform(-100, 0), shrinking)
    esper.process(0.5)
    assert (growing.radius, shrinking.radius) == (20.0, 0.0)
    mesh = light.ring_mesh()
    assert mesh.entity.tolist() == [first, second]
    assert mesh.first_vertex.tolist() == [0, 34, 68]
    assert_allclose(np.hypot(*(mesh.positions[:34] - (100, 50)).T)[::2], 21.0)
    assert_allclose(np.hypot(*(mesh.positions[34:] - (-100, 0)).T)[::2], 1.0)
    areas = signed_areas(mesh.positions, mesh.triangles)
    expected = polygon_ring_area(19.0, 21.0, 16) + polygon_ring_area(0.0, 1.0, 16)
    assert areas.sum() == pytest.approx(expected, rel=1e-12)  # no triangle joins the two
