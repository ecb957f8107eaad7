"""The short path for two boxes gives what the general formulas for hulls give: normal, depth, points and features."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from numpy import uint8

from ecsphys.engine.manifold.contact import hull_contact
from ecsphys.engine.manifold.convex import HULLS_SHAPE
from ecsphys.engine.manifold.manifold import ContactNumbers
from ecsphys.engine.manifold.round_and_box import ShapeNumbers, box_box
from ecsphys.engine.math.rounding import rounding_slop
from ecsphys.engine.shapes.layout import BOX, SHAPE_COLUMNS, ShapeArrays

ACCURACY = 1e-12
FAMILIES = ("any", "lattice", "angles in eighths", "face to face", "far away")


class BoxPair(NamedTuple):
    """Half sizes and angles of two boxes, the offset of their centres, and how far apart contacts are looked for."""

    half_a: tuple[float, float]
    angle_a: float
    half_b: tuple[float, float]
    angle_b: float
    x: float
    y: float
    prediction: float


def drawn(family: str, rng: np.random.Generator) -> BoxPair:
    half_a, half_b = rng.uniform(0.1, 2.0, 2), rng.uniform(0.1, 2.0, 2)
    angle_a, angle_b = rng.uniform(-7.0, 7.0, 2)
    x, y = rng.uniform(-3.0, 3.0, 2)
    if family in ("lattice", "angles in eighths"):
        half_a, half_b = rng.choice([0.5, 1.0, 2.0], 2), rng.choice([0.5, 1.0, 2.0], 2)
        x, y = rng.choice(np.arange(-3.0, 3.5, 0.5), 2)
        angle_a = angle_b = 0.0
        if family == "angles in eighths":
            angle_a, angle_b = rng.integers(-8, 9, 2) * (math.pi / 8.0)
    elif family == "face to face":
        angle_b = angle_a + rng.integers(0, 4) * (math.pi / 2.0) + rng.choice([0.0, 1e-9, 1e-4, -1e-6])
        across = half_a[0] + half_b[0] + rng.choice([0.0, 0.01, -0.01, 1e-14])
        along = rng.uniform(-1.0, 1.0)
        c, s = math.cos(angle_a), math.sin(angle_a)
        x, y = across * c - along * s, across * s + along * c
    elif family == "far away":
        x, y = (1e7 + x) - 1e7, (1e7 + y) - 1e7
    half_a, half_b = half_a.tolist(), half_b.tolist()
    prediction = float(rng.choice([0.0, 0.02, 0.5]))
    return BoxPair(tuple(half_a), float(angle_a), tuple(half_b), float(angle_b), float(x), float(y), prediction)


def both_paths(pair: BoxPair) -> tuple[bool, ContactNumbers, ContactNumbers]:
    """Whether the short path knows the contact, what it says, and what the general one says."""
    shapes = np.zeros((2, SHAPE_COLUMNS))
    for row, half, angle in ((shapes[0], pair.half_a, pair.angle_a), (shapes[1], pair.half_b, pair.angle_b)):
        row[:] = (0.0, 0.0, math.cos(angle), math.sin(angle), *half, 0.0, math.hypot(*half))
    placed = ShapeArrays(np.full(2, BOX, uint8), np.zeros((2, 2)), shapes, np.zeros((1, 4)))
    size_a, size_b = math.hypot(*pair.half_a), math.hypot(*pair.half_b)
    slop = rounding_slop(size_a, size_b, pair.x, pair.y)
    size = min(size_a, size_b)
    boxes = ShapeNumbers(*shapes[0]), ShapeNumbers(*shapes[1])
    is_known, short = box_box(*boxes, pair.x, pair.y, slop, size, pair.prediction, 0)
    how = (pair.x, pair.y, 1.0, slop, size, pair.prediction)
    return is_known == 1.0, short, hull_contact(0, 1, placed, *how, np.zeros(HULLS_SHAPE))


def points_of(contact: ContactNumbers) -> list[tuple[float, ...]]:
    """(feature, x, y, separation) of each point, the deeper first, and in the order of features where they tie."""
    (_, _, _, count, *points), (apart_0, apart_1, feature_0, feature_1) = contact
    both = [(feature_0, points[0], points[1], apart_0), (feature_1, points[2], points[3], apart_1)][: int(count)]
    return sorted(both, key=lambda point: (round(point[3], 9), point[0]))


@pytest.mark.parametrize("family", FAMILIES)
def test_two_boxes_have_the_contact_that_the_general_formulas_give(family: str) -> None:
    rng = np.random.default_rng(FAMILIES.index(family))
    contacts = known = ties = 0
    for _ in range(250):
        pair = drawn(family, rng)
        is_known, short, general = both_paths(pair)
        if general[0][0] == -math.inf:
            assert not is_known or short[0][0] == -math.inf, pair
            continue
        contacts += 1
        if not is_known:
            continue
        known += 1
        assert short[0][0] == pytest.approx(general[0][0], abs=ACCURACY), pair
        if family == "angles in eighths" and short[0][1:3] != pytest.approx(general[0][1:3], abs=ACCURACY):
            ties += 1  # of two edges that are as deep but for rounding, either is right
            continue
        assert short[0][1:4] == pytest.approx(general[0][1:4], abs=ACCURACY), pair
        for one, other in zip(points_of(short), points_of(general), strict=True):
            assert one[0] == other[0], pair
            assert one == pytest.approx(other, abs=10.0 * ACCURACY), pair
        if short[0][3] == 1:
            assert short[0][4:6] == short[0][6:8]
    assert known > 0.85 * contacts > 50
    assert ties < 0.02 * contacts


def test_touching_boxes_and_those_met_at_a_corner_are_left_to_the_general_formulas() -> None:
    corner_on_corner = BoxPair((0.5, 0.5), 0.0, (0.5, 0.5), 0.0, 1.01, 1.01, 0.1)
    assert not both_paths(corner_on_corner)[0]
    beside_each_other = BoxPair((0.5, 0.5), 0.0, (0.5, 0.5), 0.3, 1.2, 0.1, 0.5)
    assert both_paths(beside_each_other)[0]


def test_the_features_of_stacked_boxes_stay_when_the_other_face_becomes_the_reference() -> None:
    def features(tilt: float, other_tilt: float) -> set[int]:
        is_known, short, _ = both_paths(BoxPair((0.5, 0.5), tilt, (0.4, 0.5), other_tilt, 0.02, 0.999, 0.02))
        assert is_known
        return set(short[1][2:])

    assert features(0.0, 0.0) == features(1e-5, 0.0) == features(0.0, 1e-5) == features(-1e-5, 1e-5)
