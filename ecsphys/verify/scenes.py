"""``SCENES``: all scenes by name, and how one is run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import esper

from ecsphys.verify import (
    body_scenes,
    character_scenes,
    contact_scenes,
    joint_scenes,
    motion_scenes,
    other_scenes,
)
from ecsphys.verify.scene_run import SceneRun

SCENES: Final[dict[str, Callable[[SceneRun], None]]] = {
    scene.__name__: scene
    for scene in (
        body_scenes.pile,
        body_scenes.materials,
        body_scenes.sleep,
        body_scenes.crowd,
        body_scenes.rain,
        joint_scenes.joints,
        joint_scenes.chains,
        motion_scenes.trajectories,
        motion_scenes.semi_implicit_forces,
        motion_scenes.explicit_forces,
        motion_scenes.verlet_forces,
        motion_scenes.parents,
        contact_scenes.shapes,
        contact_scenes.hits,
        contact_scenes.bullets,
        contact_scenes.queries,
        character_scenes.walk,
        character_scenes.crowd_of_characters,
        other_scenes.snapshots,
        other_scenes.particles,
        other_scenes.light,
        other_scenes.scrolling,
    )
}


def digest_of(name: str, threads: int = 1) -> str:
    """The digest of a scene, run in an esper world of its own."""
    before, own = esper.current_world, f"ecsphys.verify: {name}"
    esper.switch_world(own)
    try:
        run = SceneRun(threads)
        SCENES[name](run)
        return run.digest
    finally:
        esper.switch_world(before)
        esper.delete_world(own)
