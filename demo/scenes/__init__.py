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
from ecsphys.demo.scenes.car.scene import build as build_car
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
from ecsphys.demo.scenes.yard import world as yard

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
            yard.build,
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
            "Drive over hills, jumps and bridges and through crates. A and D drive, S brakes.",
            build_car,
            START,
        ),
        Scene(
            "dominoes",
            "Dominoes",
            "Three floors of dominoes: each row that falls sends a ball down to the next.",
            dominoes.build,
            START,
        ),
        Scene(
            "ragdolls",
            "Ragdolls",
            "Dolls tumble through pegs, their limbs held by hinges. Catch one and throw it.",
            ragdolls.build,
            START,
        ),
        Scene(
            "breaking",
            "Breaking bridge",
            "Every hinge can bear so much and no more. Heavier and heavier weights fall on it.",
            breaking.build,
            START,
        ),
        Scene(
            "tumbler",
            "Tumbler",
            "A drum turns hundreds of bodies over. Reach in with the mouse, and change its speed.",
            tumbler.build,
            START,
        ),
        Scene(
            "pyramid",
            "Pyramid",
            "210 boxes rest and sleep until a ball hits them. Pick up any of them and throw it.",
            pyramid.build,
            BODIES,
        ),
        Scene(
            "materials",
            "Materials",
            "Bouncy, slippery, sticky: the same bodies side by side, from none of it to much.",
            materials.build,
            BODIES,
        ),
        Scene(
            "cards",
            "House of cards",
            "Thin cards lean on each other, held by friction alone, until a marble falls in.",
            card_house.build,
            BODIES,
        ),
        Scene(
            "sorting",
            "Sorting machine",
            "Belts carry all kinds of shapes over trapdoors. Each door lets one kind through.",
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
            "Planks and hinges carry everything that falls on them. Pull at any of it.",
            bridge.build,
            BODIES,
        ),
        Scene(
            "hills",
            "Hills",
            "Bodies roll and a walker walks over smooth ground. Nothing catches on its joints.",
            hills.build,
            BODIES,
        ),
        Scene(
            "shapes",
            "Every collider",
            "Circles, boxes, capsules, fans and polygons in motion. What overlaps lights up.",
            every_collider.build,
            CHAPTERS,
        ),
        Scene(
            "motion",
            "Every motion",
            "Circles, swings, throws and chases: exact formulas beside steps under forces.",
            motion.build,
            CHAPTERS,
        ),
        Scene(
            "control",
            "Steering",
            "Steer shapes with W, A, S and D: in eight directions, in any direction, with gravity.",
            control.build,
            CHAPTERS,
            ("A1", "A2", "A3", "A4", "A5"),
        ),
        Scene(
            "splash",
            "Splashes",
            "Thousands of particles at once, spread evenly or like a bell, with their curves.",
            splash.build,
            CHAPTERS,
            ("A6", "A7"),
        ),
        Scene(
            "methods",
            "Integrators",
            "A circle and a spring, exact and in steps. Watch how far each method goes astray.",
            methods.build,
            CHAPTERS,
            ("A8", "A9", "A10", "A11"),
        ),
        Scene(
            "scrolling",
            "Scrolling",
            "A world that is wider than the window: layers of hills, and a map of tiles.",
            scrolling.build,
            CHAPTERS,
            ("B1", "B2", "B3", "B4", "B5"),
        ),
        Scene(
            "raster",
            "Raster effects",
            "A picture that sways like water, a floor that reaches far, and a flight through stars.",
            raster.build,
            CHAPTERS,
            ("B6", "B7", "B8"),
        ),
        Scene(
            "collision",
            "Collision tests",
            "Fifteen classic tests, each in a cell that lights up when two shapes touch.",
            collision.build,
            CHAPTERS,
            tuple(f"C{number}" for number in range(1, 16)),
        ),
        Scene(
            "light",
            "Light",
            "Beams, rings, homing lasers and a ribbon that never folds. What they hit lights up.",
            light.build,
            CHAPTERS,
            tuple(f"D{number}" for number in range(1, 8)),
        ),
        Scene(
            "steps",
            "Fixed steps",
            "Physics at 10 steps a second, drawn as it is and smoothed, beside 60 a second.",
            steps.build,
            CHAPTERS,
        ),
        Scene(
            "platformer",
            "Platformer",
            "Slopes, stairs, rides and one-way planks. Run and jump with W, A, S and D.",
            platformer.build,
            CHAPTERS,
        ),
        Scene(
            "queries",
            "Queries",
            "What does a ray hit first? What is nearest? Where does a moving shape stop?",
            queries.build,
            CHAPTERS,
        ),
        Scene(
            "bullets",
            "Bullets",
            "Fast bullets at thin walls, in slow motion: some pass through, swept ones never do.",
            bullets.build,
            CHAPTERS,
        ),
        Scene(
            "entities",
            "Hits by entity",
            "Who hits whom: hits by entity, by layer and by part, switched on and off.",
            entities.build,
            CHAPTERS,
        ),
        Scene(
            "stress",
            f"{stress.COUNT:,} shapes",
            "Circles, boxes, capsules, fans and polygons, and every hit among them in every step.",
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
"""What is filmed unless another scene is named."""


def open_scene(name: str, seed: int = 0, autoplay: bool = False) -> LiveScene:
    """Build a scene in a world of its own and switch to it; KeyError for an unknown name.

    With ``autoplay`` a script plays what can be played.
    """
    if name == GAME:
        from ecsphys.demo.game import open_game

        return open_game(seed, autoplay)
    return LiveScene(SCENES[name], seed)


__all__ = ["DEFAULT", "HEADLESS_SCENE", "MENU", "SCENES", "WORKLOADS", "LiveScene", "Scene", "open_scene"]
