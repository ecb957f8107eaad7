"""The demo's scenes: plain esper and ecsphys, without pyglet, so that tests and benchmarks can run them too."""

from __future__ import annotations

from ecsphys.demo.scenes import every_collider, motion, swarm
from ecsphys.demo.scenes.scene import LiveScene, Scene

SCENES: dict[str, Scene] = {
    scene.name: scene
    for scene in (
        Scene(
            "shapes",
            "Every collider",
            "Circles, boxes, capsules, fans and polygons on every kind of motion; what overlaps lights up.",
            every_collider.build,
        ),
        Scene(
            "motion",
            "Every motion",
            "Trajectories, exact at any time, beside stepped motion under forces.",
            motion.build,
        ),
        Scene(
            "swarm",
            "Swarm",
            f"{swarm.COUNT:,} movers of all kinds: broadphase and narrowphase under load.",
            swarm.build,
        ),
    )
}
"""All scenes by name, in the order in which the demo goes through them."""


def open_scene(name: str, seed: int = 0) -> LiveScene:
    """Build a scene in a world of its own and switch to it; KeyError for an unknown name."""
    return LiveScene(SCENES[name], seed)


__all__ = ["SCENES", "LiveScene", "Scene", "open_scene"]
