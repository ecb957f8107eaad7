"""Where the colliders of the demo's scenes are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import ecsphys
from ecsphys.demo.scenes import LiveScene

# Between them they have every collider and motion, queries, bullets, characters, light, particles and scrolling.
SCENES = {"shapes": 6, "motion": 6, "queries": 3, "bullets": 20, "platformer": 8, "light": 8, "splash": 6, "raster": 4}


def placed_positions(physics: ecsphys.Physics) -> NDArray[np.float64]:
    """Where all colliders are, in the public order."""
    physics._state.update()
    physics._state.place()
    colliders = physics._state.tables.colliders
    positions: NDArray[np.float64] = colliders.placed.positions[colliders.order]
    return positions


def assert_in_view(live: LiveScene) -> None:
    min_x, min_y, max_x, max_y = live.layout.arena
    x, y = placed_positions(live.physics).T
    # What crosses the picture waits outside, by less than two units; bodies are dropped from below a ceiling.
    assert x.min() > min_x - 2.0
    assert x.max() < max_x + 2.0
    assert y.min() > min_y - 2.0
    assert y.max() < max_y + (7.0 if live.layout.has_bodies else 2.0)
