"""How far ahead contacts are looked for: towards where shapes move, in every direction as far as they turn."""

from __future__ import annotations

import numpy as np
import pytest
from numpy import float64, int32, uint8
from numpy.typing import NDArray

from ecsphys.engine.contact.contact import CONTACT_COLUMNS, POINT_COLUMNS, ContactRows, find_contacts
from ecsphys.engine.contact.reach import grow_boxes
from ecsphys.engine.shapes.layout import CIRCLE, EXTENT, RADIUS, SHAPE_COLUMNS, ShapeArrays

GAP, MARGIN = 0.5, 0.02
MOST = 10.0


def is_near(left: tuple[float, float, float, float], right: tuple[float, float, float, float]) -> bool:
    """Whether two circles, one to the right of the other, are near each other by their rows of reach."""
    shapes = np.zeros((2, SHAPE_COLUMNS))
    shapes[:, RADIUS] = shapes[:, EXTENT] = 1.0
    positions = np.array([(0.0, 0.0), (2.0 + GAP, 0.0)])
    placed = ShapeArrays(np.full(2, CIRCLE, uint8), positions, shapes, np.zeros((1, 4)))
    found = ContactRows(np.zeros((1, 2), int32), np.zeros((1, CONTACT_COLUMNS)), np.zeros((1, POINT_COLUMNS)))
    pairs: NDArray[int32] = np.array([(0, 1)], int32)
    return find_contacts(pairs, placed, MARGIN, np.array([left, right]), found, 0) == 1


STILL = (0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (STILL, STILL, False),
        ((0.6, 0.0, 0.0, MOST), STILL, True),
        ((-0.6, 0.0, 0.0, MOST), STILL, False),
        (STILL, (-0.6, 0.0, 0.0, MOST), True),
        (STILL, (0.6, 0.0, 0.0, MOST), False),
        ((0.0, 5.0, 0.0, MOST), STILL, False),
        ((0.3, 0.0, 0.0, MOST), (-0.3, 0.0, 0.0, MOST), True),
        # What falls behind another that flees may catch it up, where something stops that one.
        ((0.6, 0.0, 0.0, MOST), (0.6, 0.0, 0.0, MOST), True),
        ((0.0, 0.0, 0.6, MOST), STILL, True),
        ((-3.0, 0.0, 0.6, MOST), STILL, True),
        ((5.0, 0.0, 5.0, 0.1), STILL, False),
    ],
)
def test_shapes_are_near_that_may_meet_as_they_move_and_turn(
    left: tuple[float, float, float, float], right: tuple[float, float, float, float], expected: bool
) -> None:
    assert is_near(left, right) == expected


def test_boxes_grow_towards_where_their_shapes_move() -> None:
    boxes: NDArray[float64] = np.array([(0.0, 0.0, 1.0, 1.0), (2.0, 2.0, 3.0, 4.0), (5.0, 5.0, 6.0, 6.0)])
    reach = np.array([STILL, (0.5, -0.25, 0.1, MOST), (9.0, 0.0, 0.0, 1.0)])
    grown = np.zeros((3, 4))
    grow_boxes(boxes, np.zeros(0, int32), 3, 0.0, reach, grown)
    assert grown.tolist() == [[0.0, 0.0, 1.0, 1.0], pytest.approx([1.9, 1.65, 3.6, 4.1]), [5.0, 5.0, 7.0, 6.0]]
    grow_boxes(boxes, np.array([1], int32), 1, MARGIN, np.zeros((0, 4)), grown)
    assert grown[0].tolist() == pytest.approx([1.98, 1.98, 3.02, 4.02])
