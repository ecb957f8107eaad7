"""The demo's scenes: plain esper and ecsphys, without pyglet, so that tests and benchmarks can run them too."""

from __future__ import annotations

from ecsphys.demo.scenes import every_collider, motion, stress
from ecsphys.demo.scenes.scene import LiveScene, Scene

SCENES: dict[str, Scene] = {
    scene.name: scene
    for scene in (
        Scene(
            "shapes",
            "Every collider",
            "Circles, boxes, capsules, fans, polygons in every motion; what overlaps lights up.",
            every_collider.build,
        ),
        Scene(
            "motion",
            "Every motion",
            "Trajectories, exact at any time, beside stepped motion under forces.",
            motion.build,
        ),
        Scene(
            "stress",
            "Stress",
            f"{stress.COUNT:,} shapes of all kinds in motion: simulation and drawing are timed apart.",
            stress.build,
        ),
    )
}
"""All scenes by name, in the order in which the demo goes through them."""


MENU = "menu"
"""The name under which the menu is opened, in place of a scene's."""

DEFAULT = MENU
"""What the window opens with."""

HEADLESS_SCENE = next(iter(SCENES))
"""What a run without a window plays unless it is told."""


def open_scene(name: str, seed: int = 0) -> LiveScene:
    """Build a scene in a world of its own and switch to it; KeyError for an unknown name."""
    return LiveScene(SCENES[name], seed)


__all__ = ["DEFAULT", "HEADLESS_SCENE", "MENU", "SCENES", "LiveScene", "Scene", "open_scene"]
