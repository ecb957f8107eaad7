"""The demo's scenes: plain esper and ecsphys, without pyglet, so that tests and benchmarks can run them too."""

from __future__ import annotations

import numpy as np

from ecsphys.demo.scenes import (
    bullets,
    collision,
    control,
    entities,
    every_collider,
    light,
    methods,
    motion,
    platformer,
    queries,
    raster,
    scrolling,
    splash,
    steps,
    stress,
)
from ecsphys.demo.scenes.playground.world import build as build_playground
from ecsphys.demo.scenes.rigid import (
    breaking,
    bridge,
    car,
    card_house,
    cradle,
    dominoes,
    hills,
    materials,
    pyramid,
    ragdolls,
    sorting,
    tumbler,
)
from ecsphys.demo.scenes.scene import Layout, LiveScene, Scene
from ecsphys.demo.scenes.workloads import WORKLOADS

GAME = "game"
PLAYGROUND = "playground"

CHAPTERS = "Motion, hits, light"
BODIES = "Rigid bodies"
"""The pages of the menu."""


def _build_game(rng: np.random.Generator) -> Layout:
    # Late, as the game is built upon this package.
    from ecsphys.demo.game.world import build

    return build(rng)


SCENES: dict[str, Scene] = {
    scene.name: scene
    for scene in (
        Scene(
            PLAYGROUND,
            "Playground",
            "Throw, draw and blast up to 20,000 bodies.",
            build_playground,
            CHAPTERS,
        ),
        Scene(
            GAME,
            "Tidelight",
            "A little game: a knight, a coast at dusk, and a lighthouse gone wrong.",
            _build_game,
            CHAPTERS,
        ),
        Scene(
            "shapes",
            "Every collider",
            "Circles, boxes, capsules, fans, polygons in every motion; what overlaps lights up.",
            every_collider.build,
            CHAPTERS,
        ),
        Scene(
            "motion",
            "Every motion",
            "Trajectories, exact at any time, beside stepped motion under forces.",
            motion.build,
            CHAPTERS,
        ),
        Scene(
            "control",
            "Motion and control",
            "Even motion, eight ways by W A S D, any direction, and gravity in steps and exact.",
            control.build,
            CHAPTERS,
            ("A1", "A2", "A3", "A4", "A5"),
        ),
        Scene(
            "splash",
            "Splashes of particles",
            "Thousands at once, uniform and normal, with their histograms and densities.",
            splash.build,
            CHAPTERS,
            ("A6", "A7"),
        ),
        Scene(
            "methods",
            "Circles, springs, methods",
            "The same circle and spring in closed form and in steps: watch each method's error.",
            methods.build,
            CHAPTERS,
            ("A8", "A9", "A10", "A11"),
        ),
        Scene(
            "scrolling",
            "Scrolling",
            "From edge to edge before three layers of hills, and a tile map both ways.",
            scrolling.build,
            CHAPTERS,
            ("B1", "B2", "B3", "B4", "B5"),
        ),
        Scene(
            "raster",
            "Raster and perspective",
            "Rows that sway like water, a floor with depth, and a flight through space.",
            raster.build,
            CHAPTERS,
            ("B6", "B7", "B8"),
        ),
        Scene(
            "collision",
            "Collision tests",
            "Each classic test in a cell, lit when it says True; the mouse takes over its cell.",
            collision.build,
            CHAPTERS,
            tuple(f"C{number}" for number in range(1, 16)),
        ),
        Scene(
            "light",
            "Light",
            "Beams, rings, homing lasers and a ribbon that does not fold; what they hit lights up.",
            light.build,
            CHAPTERS,
            tuple(f"D{number}" for number in range(1, 8)),
        ),
        Scene(
            "steps",
            "Fixed steps",
            "Physics at 10 Hz, drawn as it is and interpolated, beside 60 Hz.",
            steps.build,
            CHAPTERS,
        ),
        Scene(
            "platformer",
            "Platformer",
            "Slopes, stairs, rides, one-way planks, machines that push; W A S D for the hero.",
            platformer.build,
            CHAPTERS,
        ),
        Scene(
            "queries",
            "Queries",
            "What a ray hits first, what is nearest to the mouse, where a moving shape stops.",
            queries.build,
            CHAPTERS,
        ),
        Scene(
            "bullets",
            "Bullets",
            "Fast bodies at thin walls, in slow motion: without Bullet, and swept along their path.",
            bullets.build,
            CHAPTERS,
        ),
        Scene(
            "entities",
            "Entities and their hits",
            "Disabled, hits as their owner sees them, layers by a table, and parts with names.",
            entities.build,
            CHAPTERS,
        ),
        Scene(
            "stress",
            f"{stress.COUNT:,} shapes",
            "Circles, boxes, capsules, fans, polygons in motion: all hits, in every step.",
            stress.build,
            CHAPTERS,
        ),
        Scene(
            "materials",
            "Materials",
            "Restitution, friction and rolling resistance, from none to much, side by side.",
            materials.build,
            BODIES,
        ),
        Scene(
            "pyramid",
            "A pyramid",
            "210 boxes come to rest and sleep, until a ball hits them; pick any up and throw it.",
            pyramid.build,
            BODIES,
        ),
        Scene(
            "dominoes",
            "Dominoes",
            "Three floors of dominoes: each row that falls sends a ball down to the next.",
            dominoes.build,
            BODIES,
        ),
        Scene(
            "cards",
            "A house of cards",
            "Thin boxes lean on each other, held by friction alone, until a marble falls in.",
            card_house.build,
            BODIES,
        ),
        Scene(
            "tumbler",
            "Tumbler",
            "A drum turns hundreds of bodies over: circles, boxes, fans, polygons, compounds.",
            tumbler.build,
            BODIES,
        ),
        Scene(
            "sorting",
            "Sorting machine",
            "Belts carry every shape over trapdoors; each of them lets one kind through.",
            sorting.build,
            BODIES,
        ),
        Scene(
            "cradle",
            "Newton's cradle",
            "Balls on threads pass their momentum on: as many go out as came in.",
            cradle.build,
            BODIES,
        ),
        Scene(
            "ragdolls",
            "Ragdolls",
            "Limbs hang together by hinges with limits; the dolls tumble through pegs.",
            ragdolls.build,
            BODIES,
        ),
        Scene(
            "bridge",
            "A bridge",
            "Planks and hinges carry all that falls on them; pull at any of it with the mouse.",
            bridge.build,
            BODIES,
        ),
        Scene(
            "breaking",
            "A bridge that breaks",
            "Each hinge bears so much force and no more; the weights that fall grow heavier.",
            breaking.build,
            BODIES,
        ),
        Scene(
            "hills",
            "Hills",
            "Ground of one line with many joints: bodies roll and a walker walks, and catch on none.",
            hills.build,
            BODIES,
        ),
        Scene(
            "car",
            "A car",
            "Sprung wheels with motors, over hills, a seesaw and a bridge; A and D drive.",
            car.build,
            BODIES,
        ),
    )
}
"""All scenes by name, in the order in which the demo goes through them."""


MENU = "menu"
"""The name under which the menu is opened, in place of a scene's."""

DEFAULT = MENU
"""What the window opens with."""

HEADLESS_SCENE = GAME
"""What a run without a window plays unless it is told."""


def open_scene(name: str, seed: int = 0, autoplay: bool = False) -> LiveScene:
    """Build a scene in a world of its own and switch to it; KeyError for an unknown name.

    With ``autoplay`` a script plays what can be played.
    """
    if name == GAME:
        from ecsphys.demo.game import open_game

        return open_game(seed, autoplay)
    return LiveScene(SCENES[name], seed)


__all__ = ["DEFAULT", "HEADLESS_SCENE", "MENU", "SCENES", "WORKLOADS", "LiveScene", "Scene", "open_scene"]
