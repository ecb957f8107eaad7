"""Scenes of the demo as numbers, to compare what compiled kernels make of them with what plain Python does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import esper
import numpy as np
from numpy.typing import NDArray
from odd_worlds import WORLDS, ask_pairs, play_world

import ecsphys
from ecsphys.demo.scenes import LiveScene, open_scene

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


def play(scene: str, frames: int) -> dict[str, NDArray[np.float64]]:
    """Where all is after some frames, which hits there are, and what rays and questions for the nearest find."""
    live = open_scene(scene, seed=3)
    for _ in range(frames):
        live.step()
    physics = live.physics
    found = {"positions": placed_positions(physics)}
    hits = physics.hits
    for name in ("entity_a", "entity_b", "normal", "depth", "points"):
        found[name] = np.asarray(getattr(hits, name), np.float64)
    angles = np.arange(16) * (np.pi / 8)
    directions = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    rays = physics.raycast_batch(np.zeros((16, 2)), directions, 50.0)
    found["rays"] = np.column_stack((rays.entity, rays.distance, rays.point, rays.normal))
    nearest = physics.nearest_batch(directions * 5.0)
    found["nearest"] = np.column_stack((nearest.entity, nearest.distance, nearest.point))
    cast = physics.shapecast(ecsphys.CircleCollider(0.3), ecsphys.Transform(-6.0, 5.0), (12.0, -10.0))
    found["cast"] = np.array([] if cast is None else [cast.entity, cast.fraction, *cast.normal])
    light: Any = esper.get_processor(ecsphys.systems.LightSystem)
    if light is not None:
        found["beams"] = light.beam_mesh().positions.copy()
        found["rings"] = light.ring_mesh().positions.copy()
    particles: Any = esper.get_processor(ecsphys.systems.ParticleSystem)
    if particles is not None:
        found["particles"] = particles.position.copy()
    live.close()
    return found


def play_all() -> dict[str, NDArray[np.float64]]:
    """All scenes, and the worlds and pairs of ``odd_worlds.py``: each array by a name of its own."""
    played = {scene: play(scene, frames) for scene, frames in SCENES.items()}
    played |= {world: play_world(world) for world in WORLDS}
    played["pairs"] = ask_pairs()
    return {f"{scene} {name}": found[name] for scene, found in played.items() for name in found}


def save(path: Path) -> None:
    """All that is played, written to a file."""
    arrays: dict[str, Any] = {**play_all()}
    np.savez(path, **arrays)
