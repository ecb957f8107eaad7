"""The demo's scenes: plain esper and ecsphys, without pyglet, so that tests and benchmarks can run them too."""

from __future__ import annotations

import numpy as np

from ecsphys.demo.scenes.bullets.scene import build as build_bullets
from ecsphys.demo.scenes.car.scene import build as build_car
from ecsphys.demo.scenes.chapters import (
    every_collider,
    light,
    methods,
    queries,
    raster,
    scrolling,
    splash,
    steps,
    stress,
)
from ecsphys.demo.scenes.collision.scene import build as build_collision
from ecsphys.demo.scenes.control.scene import build as build_control
from ecsphys.demo.scenes.entities.scene import build as build_entities
from ecsphys.demo.scenes.motion.scene import build as build_motion
from ecsphys.demo.scenes.platformer.scene import build as build_platformer
from ecsphys.demo.scenes.playground.world import build as build_playground
from ecsphys.demo.scenes.rigid import (
    breaking,
    bridge,
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
from ecsphys.demo.scenes.yard.world import build as build_yard

GAME = "game"
PLAYGROUND = "playground"

START = "Start here"
BODIES = "Rigid bodies"
CHAPTERS = "Motion, hits, light"
"""The pages of the menu."""


def _build_game(rng: np.random.Generator) -> Layout:
    # Late, as the game is built upon this package.
    from ecsphys.demo.game.world import build

    return build(rng)


SCENES: dict[str, Scene] = {
    scene.name: scene
    for scene in (
        Scene(
            "yard",
            "Wrecking yard",
            "Pull the ball back, let go, and bring down a pyramid, a bridge, a house and a car.",
            build_yard,
            START,
        ),
        Scene(
            PLAYGROUND,
            "Playground",
            "Throw, draw and blast up to 20,000 bodies. Every switch of the physics is on one panel.",
            build_playground,
            START,
        ),
        Scene(
            GAME,
            "Tidelight",
            "A small game: a knight, a coast at dusk, and a lighthouse that has gone wrong.",
            _build_game,
            START,
        ),
        Scene(
            "car",
            "Car",
            "Drive over hills, jumps and bridges and through crates: arrow keys, or A, D and S.",
            build_car,
            START,
        ),
        Scene(
            "dominoes",
            "Dominoes",
            "Click any domino. Each row that falls sends a ball down to the next.",
            dominoes.build,
            START,
        ),
        Scene(
            "ragdolls",
            "Ragdolls",
            "Dolls tumble through pegs and lie limp. Catch one and throw it.",
            ragdolls.build,
            START,
        ),
        Scene(
            "breaking",
            "Breaking bridge",
            "Every hinge bears so much and no more. Pull until one breaks.",
            breaking.build,
            START,
        ),
        Scene(
            "tumbler",
            "Tumbler",
            "A drum turns hundreds of bodies over. Reach in, and change its speed.",
            tumbler.build,
            START,
        ),
        Scene(
            "pyramid",
            "Pyramid",
            "210 boxes, asleep until touched. Pull one out, or throw the ball.",
            pyramid.build,
            BODIES,
        ),
        Scene(
            "materials",
            "Materials",
            "Bouncy, slippery, sticky: the same bodies side by side. Tilt the slopes.",
            materials.build,
            BODIES,
        ),
        Scene(
            "cards",
            "House of cards",
            "A house of cards, held by friction alone. Pull one out, gently.",
            card_house.build,
            BODIES,
        ),
        Scene(
            "sorting",
            "Sorting machine",
            "Each door lets one shape through. Shapes that miss it fly back. Click a floor.",
            sorting.build,
            BODIES,
        ),
        Scene(
            "cradle",
            "Newton's cradle",
            "Pull balls aside and let go: as many fly out on the other side.",
            cradle.build,
            BODIES,
        ),
        Scene(
            "bridge",
            "Rope bridge",
            "Wheels roll over planks and hinges. Pull at the planks, or drop things on them.",
            bridge.build,
            BODIES,
        ),
        Scene(
            "hills",
            "Hills",
            "Walk with A and D, jump with W. Nothing catches on the smooth ground.",
            hills.build,
            BODIES,
        ),
        Scene(
            "shapes",
            "Every collider",
            "Drag and throw any shape; whatever overlaps lights up.",
            every_collider.build,
            CHAPTERS,
        ),
        Scene(
            "motion",
            "Every motion",
            "Fling a body: its twin flies the same way, one exact, one in steps.",
            build_motion,
            CHAPTERS,
        ),
        Scene(
            "control",
            "Steering",
            "Drag balls, lead the square, aim a throw, fire all round; W A S D walk.",
            build_control,
            CHAPTERS,
            ("A1", "A2", "A3", "A4", "A5"),
        ),
        Scene(
            "splash",
            "Splashes",
            "Click for a burst, hold to spray: even boxes on the left, round clouds on the right.",
            splash.build,
            CHAPTERS,
            ("A6", "A7"),
        ),
        Scene(
            "methods",
            "Integrators",
            "Pull springs and circles, and watch how far each method drifts from the exact motion.",
            methods.build,
            CHAPTERS,
            ("A8", "A9", "A10", "A11"),
        ),
        Scene(
            "scrolling",
            "Scrolling",
            "Drag the hills and the map; three layers scroll at their own speeds.",
            scrolling.build,
            CHAPTERS,
            ("B1", "B2", "B3", "B4", "B5"),
        ),
        Scene(
            "raster",
            "Raster effects",
            "Stir the water, drag the floor, steer the flight with the mouse.",
            raster.build,
            CHAPTERS,
            ("B6", "B7", "B8"),
        ),
        Scene(
            "collision",
            "Collision tests",
            "Fifteen tests in cells, lit when they say yes; the mouse takes over its cell.",
            build_collision,
            CHAPTERS,
            tuple(f"C{number}" for number in range(1, 16)),
        ),
        Scene(
            "light",
            "Light",
            "Lasers chase the mouse; aim beams, send rings, bend a ribbon of light.",
            light.build,
            CHAPTERS,
            tuple(f"D{number}" for number in range(1, 8)),
        ),
        Scene(
            "steps",
            "Fixed steps",
            "Drag a ball: 10 steps a second, the same drawn smoothly, and 60 beside them.",
            steps.build,
            CHAPTERS,
        ),
        Scene(
            "platformer",
            "Platformer",
            "Hold the button and the hero comes, or carry people about; W A S D walk and jump.",
            build_platformer,
            CHAPTERS,
        ),
        Scene(
            "queries",
            "Queries",
            "The lamp, the nearest shapes and the aim of a capsule follow the mouse.",
            queries.build,
            CHAPTERS,
        ),
        Scene(
            "bullets",
            "Bullets",
            "Fast bodies at thin walls in slow motion: drag guns, plates and pegs.",
            build_bullets,
            CHAPTERS,
        ),
        Scene(
            "entities",
            "Hits by entity",
            "Switch a hexagon, click who meets whom, drag targets, stone a ship.",
            build_entities,
            CHAPTERS,
        ),
        Scene(
            "stress",
            f"{stress.COUNT:,} shapes",
            "Thousands of moving shapes and all their hits; hold the button to sweep them away.",
            stress.build,
            CHAPTERS,
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

FILM_SCENE = "yard"
"""The scene that ``--film`` takes by default."""


def open_scene(name: str, seed: int = 0, autoplay: bool = False) -> LiveScene:
    """Build a scene in a world of its own and switch to it; KeyError for an unknown name.

    With ``autoplay`` a script plays what can be played.
    """
    if name == GAME:
        from ecsphys.demo.game import open_game

        return open_game(seed, autoplay)
    return LiveScene(SCENES[name], seed)


__all__ = ["DEFAULT", "HEADLESS_SCENE", "MENU", "SCENES", "WORKLOADS", "LiveScene", "Scene", "open_scene"]
