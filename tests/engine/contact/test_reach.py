"""How far ahead contacts are looked for: towards where shapes move, in every direction as far as they turn."""

from __future__ import annotations

import numpy as np
import pytest
from numpy import float64, int32, uint8
from numpy.typing import NDArray

from ecsphys.engine.contact.contact import CONTACT_COLUMNS, POINT_COLUMNS, ContactRows, find_contacts
from ecsphys.engine.contact.reach import NO_REACH, grow_boxes
from ecsphys.engine.shapes.layout import (
    AXIS_X,
    AXIS_Y,
    BOX,
    CAPSULE,
    CIRCLE,
    EXTENT,
    HALF_X,
    HALF_Y,
    RADIUS,
    SHAPE_COLUMNS,
    ShapeArrays,
)

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


@pytest.mark.parametrize("offset", [0.0, 1e7])
def test_of_what_is_apart_only_that_is_left_out_which_does_not_reach_along_its_normal(offset: float) -> None:
    rng = np.random.default_rng(11)
    count = 4000
    forms = rng.choice([CIRCLE, BOX, CAPSULE], count).astype(uint8)
    angles = rng.uniform(0.0, 7.0, count)
    half = rng.uniform(0.2, 1.0, (count, 2)) * (forms != CIRCLE)[:, None]
    half[forms == CAPSULE, 1] = 0.0
    radius = rng.uniform(0.2, 1.0, count) * (forms != BOX)
    shapes = np.zeros((count, SHAPE_COLUMNS))
    shapes[:, AXIS_X], shapes[:, AXIS_Y] = np.cos(angles), np.sin(angles)
    shapes[:, HALF_X : HALF_Y + 1], shapes[:, RADIUS] = half, radius
    shapes[:, EXTENT] = np.hypot(*half.T) + radius
    placed = ShapeArrays(forms, offset + rng.uniform(0.0, 2.5, (count, 2)), shapes, np.zeros((1, 4)))
    pairs = np.arange(count, dtype=int32).reshape(-1, 2)
    moves = rng.uniform(-0.5, 0.5, (count, 2)) * rng.choice([0.0, 1.0], (count, 2))
    reach = np.column_stack((moves, rng.choice([0.0, 0.1], count), np.full(count, 0.4)))

    def contacts(prediction: float, rows: NDArray[float64]) -> dict[int, tuple[bytes, bytes]]:
        room = ContactRows(np.zeros((count, 2), int32), np.zeros((count, 8)), np.zeros((count, POINT_COLUMNS)))
        found = find_contacts(pairs, placed, prediction, rows, room, 0)
        return {int(room.pairs[k, 0]): (room.rows[k].tobytes(), room.points[k].tobytes()) for k in range(found)}

    # The same with all that could be near, and then chosen one by one.
    expected = {}
    for a, (row, points) in contacts(MARGIN + 2 * 0.4, NO_REACH).items():
        nx, ny, depth = np.frombuffer(row)[:3]
        ahead = [
            min(max(reach[slot, 0] * x + reach[slot, 1] * y, 0.0) + reach[slot, 2], 0.4)
            for slot, x, y in ((a, nx, ny), (a + 1, -nx, -ny))
        ]
        if depth > -MARGIN - ahead[0] - ahead[1]:
            expected[a] = row, points
    assert contacts(MARGIN, reach) == expected
    assert 200 < len(expected) < count // 2 - 200
