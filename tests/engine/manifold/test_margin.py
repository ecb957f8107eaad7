"""The margin within which contacts are looked for: the same in all directions, however shapes move."""

from __future__ import annotations

import numpy as np
import pytest
from numpy import float64, int32, uint8
from numpy.typing import NDArray

from ecsphys.engine.manifold.contact import CONTACT_COLUMNS, POINT_COLUMNS, ContactRows, find_contacts
from ecsphys.engine.shapes.layout import CIRCLE, EXTENT, RADIUS, SHAPE_COLUMNS, ShapeArrays
from ecsphys.engine.shapes.measures import grow_boxes

MARGIN = 0.02


@pytest.mark.parametrize(("gap", "expected"), [(-0.5, 1), (0.0, 1), (0.0199, 1), (0.0201, 0), (0.5, 0)])
@pytest.mark.parametrize("offset", [0.0, 1e7])
def test_circles_are_near_if_they_are_less_than_the_margin_apart(gap: float, expected: int, offset: float) -> None:
    shapes = np.zeros((2, SHAPE_COLUMNS))
    shapes[:, RADIUS] = shapes[:, EXTENT] = 1.0
    positions = np.array([(offset, offset), (offset + 2.0 + gap, offset)])
    placed = ShapeArrays(np.full(2, CIRCLE, uint8), positions, shapes, np.zeros((1, 4)))
    found = ContactRows(np.zeros((1, 2), int32), np.zeros((1, CONTACT_COLUMNS)), np.zeros((1, POINT_COLUMNS)))
    pairs: NDArray[int32] = np.array([(0, 1)], int32)
    assert find_contacts(pairs, placed, MARGIN, found, 0) == expected


def test_boxes_grow_by_the_margin_on_all_sides() -> None:
    boxes: NDArray[float64] = np.array([(0.0, 0.0, 1.0, 1.0), (2.0, 2.0, 3.0, 4.0)])
    grown = np.zeros((2, 4))
    grow_boxes(boxes, np.zeros(0, int32), 2, 0.0, grown)
    assert grown.tolist() == boxes.tolist()
    grow_boxes(boxes, np.array([1], int32), 1, MARGIN, grown)
    assert grown[0].tolist() == pytest.approx([1.98, 1.98, 3.02, 4.02])
