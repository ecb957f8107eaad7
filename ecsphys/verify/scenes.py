"""``SCENES``: all scenes by name, and how one is run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import esper

from ecsphys.verify import body_scenes as bodies
from ecsphys.verify import contact_scenes as contacts
from ecsphys.verify import motion_scenes as motion
from ecsphys.verify import other_scenes as others
from ecsphys.verify.scene_run import SceneRun

SCENES: Final[dict[str, Callable[[SceneRun], None]]] = {
    scene.__name__: scene
    for scene in (
        *(bodies.pile, bodies.materials, bodies.sleep, bodies.crowd, bodies.rain, bodies.joints, bodies.chains),
        *(motion.trajectories, motion.semi_implicit_forces, motion.explicit_forces, motion.verlet_forces),
        motion.parents,
        *(contacts.shapes, contacts.hits, contacts.bullets, contacts.queries),
        *(motion.walk, motion.crowd_of_characters),
        *(others.snapshots, others.particles, others.light, others.scrolling),
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
