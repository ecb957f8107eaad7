"""Blocks of contacts: no body twice in a colour, and in lanes the same bits as one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from kernels_of_tests import kernel_of_tests
from numpy import float64
from numpy.typing import NDArray
from rigid_scene import KINEMATIC, STATIC, RigidScene

from ecsphys.engine.dynamics.contacts.contact_blocks import BLOCK_COUNT, COLORS, HAS_TWO_POINTS
from ecsphys.engine.math.lanes import LANES


def _heap(seed: int) -> RigidScene:
    """All that there is in one heap."""
    rng = np.random.default_rng(seed)
    scene = RigidScene(margin=0.1)
    scene.ground(tangent_speed=0.5)
    scene.box(1.0, 8.0, -7.0, 8.0, kind=STATIC)
    scene.box(1.0, 8.0, 7.0, 8.0, kind=KINEMATIC, velocity=(-0.2, 0.0, 0.0))
    for _ in range(90):
        at = rng.uniform([-5.5, 0.5], [5.5, 14.0])
        sizes = rng.uniform(0.2, 0.6, 2).tolist()
        more: dict[str, Any] = {
            "velocity": tuple(rng.uniform(-4.0, 4.0, 3)),
            "restitution": float(rng.choice([0.0, 0.6])),
            "rolling_resistance": float(rng.choice([0.0, 0.0, 0.02])),
            "dominance": int(rng.choice([0, 0, 0, 1])),
            "locks": int(rng.choice([0, 0, 0, 0, 1, 4])),
            "density": float(rng.uniform(0.3, 3.0)),
            "damping": (float(rng.choice([0.0, 0.3])), 0.0),
        }
        if rng.uniform() < 0.5:
            scene.box(sizes[0], sizes[1], *at, angle=rng.uniform(0.0, 3.0), **more)
        else:
            scene.circle(sizes[0], *at, **more)
    # More at one body than there are colours.
    scene.box(5.0, 0.1, 0.0, 15.0)
    for k in range(60):
        scene.circle(0.08, -4.8 + 0.16 * k, 15.18)
    scene.build()
    return scene


@pytest.mark.parametrize("seed", range(3))
def test_lanes_compute_the_same_bits_as_one_contact_after_the_other(seed: int) -> None:
    played: list[list[NDArray[float64]]] = []
    for solve in (None, kernel_of_tests("one_by_one.solve_one_by_one")):
        scene = _heap(seed)
        if solve is not None:
            scene.solver._solve = solve
        scene.step(80)
        count = scene.count
        assert count > 100
        assert np.isfinite(scene.bodies).all()
        played.append(
            [scene.bodies, scene.centers, scene.contacts.points.impulses[:count], scene.contacts.points.totals[:count]]
        )
    for one, other in zip(*played, strict=True):
        assert one.tobytes() == other.tobytes()


def test_contacts_of_one_colour_move_no_body_twice() -> None:
    scene = _heap(5)
    scene.step(40)
    _, blocks, tables = scene.solver.room
    starts, places = tables.starts, tables.places[: scene.count]
    moves = (scene.bodies[:, 3] != 0.0) | (scene.bodies[:, 7] != 0.0)
    solved = places >= 0
    assert len(set(places[solved].tolist())) == solved.sum()
    groups = np.searchsorted(starts[: COLORS + 2], places[solved] // LANES, side="right") - 1
    rows = scene.body_of[scene.contacts.pairs[: scene.count][solved]]
    without = 0
    for color in range(COLORS + 1):
        # What has no colour is alone in its block.
        chosen = groups == color
        if color == COLORS:
            without = int(chosen.sum())
            assert len(set((places[solved] // LANES)[chosen].tolist())) == without
            continue
        touched = rows[chosen].ravel()
        touched = touched[moves[touched]]
        assert len(set(touched.tolist())) == len(touched)
    assert without > 10
    # Blocks where all contacts have one point are known as such.
    two = scene.contacts.points.features[: scene.count, 1] >= 0
    for block in range(starts[BLOCK_COUNT]):
        there = solved & (places // LANES == block)
        assert bool(blocks.kinds[block] & HAS_TWO_POINTS) == bool(two[there].any())
