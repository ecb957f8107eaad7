"""Pairs in blocks: in lanes the same bits as one by one, in the order of the pairs, whatever is listed beside them."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest
from kernels_of_tests import kernel_of_tests
from numpy import float64, int32, uint8
from numpy.typing import NDArray

from ecsphys.engine.manifold.contact import (
    CONTACT_COLUMNS,
    DEPTH,
    LISTED,
    NORMAL,
    POINT_COLUMNS,
    ContactRows,
    find_contacts,
)
from ecsphys.engine.shapes.layout import (
    AXIS_X,
    AXIS_Y,
    BOX,
    CAPSULE,
    CIRCLE,
    COUNT,
    EXTENT,
    HALF_X,
    HALF_Y,
    POLYGON,
    RADIUS,
    SHAPE_COLUMNS,
    START,
    ShapeArrays,
)

FAMILIES = ("any", "lattice", "at rest", "huge and tiny")
SHAPES = 60


class Found(NamedTuple):
    """Contacts: their pairs, rows and points."""

    pairs: NDArray[int32]
    rows: NDArray[float64]
    points: NDArray[float64]


def contacts(pairs: NDArray[int32], placed: ShapeArrays, prediction: float, is_plain: bool = False) -> Found:
    m = len(pairs)
    room = ContactRows(np.zeros((m, 2), int32), np.zeros((m, CONTACT_COLUMNS)), np.zeros((m, POINT_COLUMNS)))
    count = (kernel_of_tests("pair_blocks.find_one_by_one") if is_plain else find_contacts)(
        pairs, placed, prediction, room, 0
    )
    return Found(room.pairs[:count].copy(), room.rows[:count].copy(), room.points[:count].copy())


def put(placed: ShapeArrays, i: int, form: int, size: tuple[float, float], angle: float = 0.0) -> None:
    """Let shape i have a form with these half sizes; what is round has the second for its radius."""
    width, height = size
    row = placed.shapes[i]
    row[:] = 0.0
    row[AXIS_X], row[AXIS_Y] = (1.0, 0.0) if form == CIRCLE else (math.cos(angle), math.sin(angle))
    placed.forms[i] = form
    if form == CIRCLE:
        row[RADIUS] = row[EXTENT] = height
    elif form == CAPSULE:
        row[HALF_X], row[RADIUS], row[EXTENT] = width, height, width + height
    elif form == BOX:
        row[HALF_X], row[HALF_Y], row[EXTENT] = width, height, math.hypot(width, height)
    else:
        row[START], row[COUNT] = 0, 3
        row[EXTENT] = 1.0


def drawn(family: str, rng: np.random.Generator) -> ShapeArrays:
    pool = np.array([(math.cos(t), math.sin(t), math.cos(t + 1.0), math.sin(t + 1.0)) for t in (0.0, 2.0, 4.0)])
    for k in range(3):
        edge = pool[(k + 1) % 3, :2] - pool[k, :2]
        pool[k, 2:] = np.array((edge[1], -edge[0])) / math.hypot(*edge)
    placed = ShapeArrays(np.zeros(SHAPES, uint8), np.zeros((SHAPES, 2)), np.zeros((SHAPES, SHAPE_COLUMNS)), pool)
    for i in range(SHAPES):
        form = int(rng.choice([CIRCLE, BOX, BOX, CAPSULE, POLYGON]))
        size = tuple(rng.uniform(0.2, 1.0, 2).tolist())
        angle = float(rng.uniform(-4.0, 4.0))
        at: NDArray[Any] = rng.uniform(-3.0, 3.0, 2)
        if family == "lattice":
            size, angle = tuple(rng.choice([0.5, 1.0], 2).tolist()), float(rng.integers(0, 4)) * (math.pi / 2.0)
            at = rng.integers(-4, 5, 2) * 0.5
        elif family == "at rest":
            size, angle = (0.5, 0.5), float(rng.choice([0.0, 1e-9, -1e-6]))
            at = np.array((rng.integers(-3, 4), rng.integers(-3, 4) * 0.9995))
        elif family == "huge and tiny":
            scale = float(rng.choice([1e-75, 1e-3, 1.0, 1e70]))
            size, at = (size[0] * scale, size[1] * scale), at * scale
            if form == POLYGON:
                form = BOX
        put(placed, i, form, size, angle)
        placed.positions[i] = at
    return placed


@pytest.mark.parametrize("family", FAMILIES)
def test_lanes_find_the_same_bits_as_one_pair_after_the_other(family: str) -> None:
    rng = np.random.default_rng(FAMILIES.index(family))
    total = 0
    for _ in range(12):
        placed = drawn(family, rng)
        count = int(rng.integers(1, 4 * LISTED))
        pairs = rng.integers(0, SHAPES, (count, 2)).astype(int32)
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        prediction = float(rng.choice([0.0, 0.05, 0.4]))
        in_lanes = contacts(pairs, placed, prediction)
        plain = contacts(pairs, placed, prediction, is_plain=True)
        for name in Found._fields:
            assert getattr(in_lanes, name).tobytes() == getattr(plain, name).tobytes()
        total += len(in_lanes.pairs)
    assert total > 100


def test_contacts_are_in_the_order_of_their_pairs_whatever_their_kinds() -> None:
    rng = np.random.default_rng(5)
    placed = drawn("any", rng)
    pairs = rng.integers(0, SHAPES, (3 * LISTED + 7, 2)).astype(int32)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    found = contacts(pairs, placed, 0.0)
    alone = [contacts(pairs[k : k + 1], placed, 0.0) for k in range(len(pairs))]
    for name in Found._fields:
        assert getattr(found, name).tobytes() == b"".join(getattr(one, name).tobytes() for one in alone)
    assert len({(placed.forms[a], placed.forms[b]) for a, b in found.pairs.tolist()}) > 8


def test_circles_whose_centres_are_closer_than_squares_can_tell_part_along_their_offset() -> None:
    placed = ShapeArrays(np.zeros(4, uint8), np.zeros((4, 2)), np.zeros((4, SHAPE_COLUMNS)), np.zeros((1, 4)))
    for i in range(4):
        put(placed, i, CIRCLE, (0.0, 1.0))
    placed.positions[1:] = (3e-170, 4e-170), (0.5, 0.0), (0.0, 0.0)
    found = contacts(np.array([(0, 2), (0, 1), (1, 0), (0, 3)], int32), placed, 0.0)
    assert found.rows[:, NORMAL : NORMAL + 2].tolist() == [
        [1.0, 0.0],
        pytest.approx([0.6, 0.8]),
        pytest.approx([-0.6, -0.8]),
        [0.0, 1.0],
    ]
    assert found.rows[:, DEPTH].tolist() == [1.5, 2.0, 2.0, 2.0]
