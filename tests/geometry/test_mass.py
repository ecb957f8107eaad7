"""``mass_properties``, compared with line integrals around the outline (Green's theorem)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from outlines import colliders, outline

from ecsphys.components.collision.colliders import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    FanCollider,
    OBBCollider,
)
from ecsphys.components.collision.polygon_collider import PolygonCollider
from ecsphys.geometry import mass_properties

NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)


def integrals(collider: Collider, about: complex) -> tuple[float, complex, float]:
    """Area, centroid and polar moment about a point, by quadrature: exact to rounding for lines and arcs."""
    t = 0.5 * (NODES + 1.0)
    area, first_x, first_y, second = 0.0, 0.0, 0.0, 0.0
    for piece in outline(collider):
        z = piece.points(t) - about
        slope = piece.slopes(t)
        x, y, dx, dy = z.real, z.imag, slope.real, slope.imag
        w = 0.5 * WEIGHTS
        area += float(w @ (x * dy - y * dx)) / 2
        first_x += float(w @ (x * x * dy)) / 2
        first_y -= float(w @ (y * y * dx)) / 2
        second += float(w @ (x**3 * dy - y**3 * dx)) / 3
    return area, about + complex(first_x, first_y) / area, second


@given(colliders, st.floats(0.1, 10))
@settings(deadline=None, max_examples=200)
def test_mass_agrees_with_integrals_around_the_outline(collider: Collider, density: float) -> None:
    # Integrals around a sliver cancel; its mass does not, see below.
    assume(not (isinstance(collider, FanCollider) and collider.spread < 1e-3))
    mass, center, inertia = mass_properties(collider, density)
    area, centroid, _ = integrals(collider, complex(collider.offset_x, collider.offset_y))
    _, _, about_centroid = integrals(collider, centroid)
    assert mass == pytest.approx(density * area, rel=1e-11)
    assert complex(*center) == pytest.approx(centroid, abs=1e-11)
    assert inertia == pytest.approx(density * about_centroid, rel=1e-10)


# collider, area, center, inertia about the center
CASES: list[tuple[Collider, float, tuple[float, float], float]] = [
    (CircleCollider(2), 4 * math.pi, (0, 0), 8 * math.pi),
    (AABBCollider(2, 1, offset_x=5, offset_y=-3), 8, (5, -3), 8 * (16 + 4) / 12),
    (OBBCollider(2, 1, angle=1), 8, (0, 0), 8 * (16 + 4) / 12),
    (CapsuleCollider(0, 1), math.pi, (0, 0), math.pi / 2),
    (FanCollider(3, 2 * math.pi), 9 * math.pi, (0, 0), 81 * math.pi / 2),
    (
        FanCollider(1, math.pi, direction=math.pi / 2),
        math.pi / 2,
        (0, 4 / (3 * math.pi)),
        math.pi / 4 - 8 / (9 * math.pi),
    ),
    (PolygonCollider([(0, 0), (3, 0), (0, 3)]), 4.5, (1, 1), 4.5 * (9 + 9 + 18) / 36),
]


@pytest.mark.parametrize(("collider", "area", "center", "inertia"), CASES)
def test_named_cases(collider: Collider, area: float, center: tuple[float, float], inertia: float) -> None:
    found = mass_properties(collider, 2.0)
    assert found.mass == pytest.approx(2 * area, rel=1e-14)
    assert found.center == pytest.approx(center, abs=1e-14)
    assert found.inertia == pytest.approx(2 * inertia, rel=1e-14)


def test_a_rounded_square_is_rectangles_and_quarter_discs() -> None:
    mass, center, inertia = mass_properties(PolygonCollider([(-1, -1), (1, -1), (1, 1), (-1, 1)], radius=1), 1.0)
    # A 4×2 rectangle, two of 2×1 with their centres 1.5 away, and a quarter disc at each corner (±1, ±1).
    rectangles = 8 * (16 + 4) / 12 + 2 * (2 * (4 + 1) / 12 + 2 * 1.5**2)
    quarter, centroid = math.pi / 4, 4 / (3 * math.pi)
    own = math.pi / 8 - quarter * 2 * centroid**2
    corners = 4 * (own + quarter * 2 * (1 + centroid) ** 2)
    assert mass == pytest.approx(12 + math.pi, rel=1e-14)
    assert center == pytest.approx((0, 0), abs=1e-14)
    assert inertia == pytest.approx(rectangles + corners, rel=1e-14)


@pytest.mark.parametrize("spread", [1e-3, 1e-8, 1e-15])
def test_slivers_of_a_fan_are_thin_triangles(spread: float) -> None:
    mass, center, inertia = mass_properties(FanCollider(2, spread), 1.0)
    assert mass == pytest.approx(2 * spread, rel=1e-14)
    assert center == pytest.approx((4 / 3, 0), abs=1e-6)
    # r⁴·α·(1/2 − 4/9·(1 − α²/3)) with α = spread/2, to the next order
    half = spread / 2
    assert inertia == pytest.approx(16 * half * (1 / 18 + 4 / 27 * half**2), rel=1e-11)


def test_a_thin_polygon_far_off_in_its_own_frame_loses_nothing() -> None:
    thin = [(1000, 1000), (1001, 1000), (1001, 1000.0009765625), (1000, 1000.0009765625)]
    mass, center, inertia = mass_properties(PolygonCollider(thin), 1.0)
    assert mass == 0.0009765625
    assert center == pytest.approx((1000.5, 1000.00048828125), rel=1e-15)
    assert inertia == pytest.approx(mass * (1 + 0.0009765625**2) / 12, rel=1e-12)


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_tiny_and_huge(scale: float) -> None:
    mass, center, inertia = mass_properties(CapsuleCollider(2 * scale, scale), 1.0)
    reference = mass_properties(CapsuleCollider(2, 1), 1.0)
    assert mass == pytest.approx(reference.mass * scale**2)
    assert center == (0.0, 0.0)
    assert inertia == pytest.approx(reference.inertia * scale**4)
