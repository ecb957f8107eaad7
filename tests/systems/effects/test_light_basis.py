"""Turning and scaling by basis vectors (rows D1, D2), against trigonometry and the rotation matrix."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ecsphys.engine.effects.strips import place, quarter_turned, turn_about, unit

SQUARE = np.array(((1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)))


def test_a_quarter_turn_is_exact_and_counter_clockwise() -> None:
    assert quarter_turned(np.array(((1.0, 0.0), (3.0, 4.0)))).tolist() == [[0.0, 1.0], [-4.0, 3.0]]


def test_d1_corners_by_numbers() -> None:
    """i′ = (3, 4), j′ = (−4, 3): (1, 1) goes to (−1, 7), five times as large and turned by atan(4/3)."""
    placed = place(SQUARE, np.array((3.0, 4.0)), np.zeros(2))
    assert placed.tolist() == [[-1.0, 7.0], [-7.0, -1.0], [1.0, -7.0], [7.0, 1.0]]


@pytest.mark.parametrize("angle", [0.0, 0.3, 2.0, -1.1])
def test_d1_a_unit_basis_is_the_rotation_matrix(angle: float) -> None:
    rotation = np.array(((math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))))
    placed = place(SQUARE, rotation[:, 0], np.zeros(2))
    assert_allclose(placed, SQUARE @ rotation.T, atol=1e-15)


def test_d2_the_origin_is_added_after_the_turn() -> None:
    placed = place(np.array(((1.0, 0.0), (0.0, 2.0))), np.array((0.0, 2.0)), np.array((10.0, 20.0)))
    assert placed.tolist() == [[10.0, 22.0], [6.0, 20.0]]


def test_d2_about_any_point_which_stays() -> None:
    centre = np.array((5.0, 7.0))
    points = np.array(((5.0, 7.0), (6.0, 7.0), (5.0, 9.0)))
    assert turn_about(points, np.array((0.0, 1.0)), centre).tolist() == [[5.0, 7.0], [5.0, 8.0], [3.0, 7.0]]


def test_many_frames_at_once() -> None:
    forward = np.array(((1.0, 0.0), (0.0, 1.0)))
    origin = np.array(((0.0, 0.0), (1.0, 1.0)))
    placed = place(SQUARE, forward[:, None], origin[:, None])
    assert placed.shape == (2, 4, 2)
    assert placed[1, 0].tolist() == [0.0, 2.0]


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_unit_vectors_of_any_length(scale: float) -> None:
    directions, lengths = unit(np.array(((3.0, -4.0),)) * scale)
    assert_allclose(directions, ((0.6, -0.8),), rtol=1e-15)
    assert_allclose(lengths, (5.0 * scale,), rtol=1e-15)


def test_the_zero_vector_points_along_x() -> None:
    directions, lengths = unit(np.zeros((1, 2)))
    assert directions.tolist() == [[1.0, 0.0]]
    assert lengths.tolist() == [0.0]
