"""Piles that stand, and that are the same to the bit whenever they are built."""

from __future__ import annotations

import numpy as np
import pytest
from rigid_scene import RigidScene, pyramid


def test_a_column_of_twenty_boxes_stands_at_eight_substeps() -> None:
    scene = RigidScene(substeps=8)
    scene.ground()
    for k in range(20):
        scene.box(0.5, 0.5, 0.0, 0.5 + k)
    scene.step(60 * 60)
    assert abs(scene.centers[2:, 0]).max() < 0.01
    assert scene.centers[2:, 1] == pytest.approx(np.arange(20) + 0.5, abs=0.05)


def test_a_pyramid_comes_to_rest_and_stays_where_it_is() -> None:
    scene = pyramid(20)
    scene.step(120)
    before = scene.centers.copy()
    scene.step(60 * 20)
    assert abs(scene.centers - before).max() < 1e-3
    # What is left is what single precision leaves of separations: a metre in some years.
    assert abs(scene.velocities).max() < 1e-8


def test_two_worlds_have_the_same_bits() -> None:
    played = []
    for _ in range(2):
        scene = pyramid(8)
        scene.circle(0.7, 0.1, 12.0, velocity=(0.0, -20.0, 3.0), density=5.0, restitution=0.5)
        scene.step(150)
        played.append(scene.bodies.tobytes() + scene.centers.tobytes())
    assert played[0] == played[1]
