"""Workloads: worlds of any number of entities, the same for tests, benchmarks and the demo; no pyglet here."""

from __future__ import annotations

from ecsphys.demo.scenes.workloads.body import Body
from ecsphys.demo.scenes.workloads.border import Border
from ecsphys.demo.scenes.workloads.bullets import Bullets
from ecsphys.demo.scenes.workloads.churn import Churn
from ecsphys.demo.scenes.workloads.still_bodies import giants, movers_alone, rest, tiles
from ecsphys.demo.scenes.workloads.swarm_bodies import SPACING, circle_bodies, square, swarm_bodies
from ecsphys.demo.scenes.workloads.workload import LiveWorkload, Pairs, Recipe, Turnover, Workload

WORKLOADS: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe(
            "swarm",
            "circles, boxes, capsules, fans and polygons, moving and spinning",
            lambda rng, count: Workload(square(count), swarm_bodies(rng, count, square(count))),
        ),
        Recipe(
            "swarm_circles",
            "circles only, moving",
            lambda rng, count: Workload(square(count), circle_bodies(rng, count, square(count))),
        ),
        Recipe(
            "crowd",
            "the swarm, four times as dense",
            lambda rng, count: Workload(
                square(count, 0.5 * SPACING), swarm_bodies(rng, count, square(count, 0.5 * SPACING))
            ),
        ),
        Recipe("giants", "the swarm, and ten floors a thousand times as long as its shapes", giants),
        Recipe("tiles", "static boxes in rows and columns, and 500 movers over them", tiles),
        Recipe("bullets", "bullets through enemies; those that hit are deleted and others fired", Bullets),
        Recipe("churn", "the swarm, of which 1% are deleted and as many created in every frame", Churn),
        Recipe("rest", "the swarm, of which only 5% move", rest),
    )
}
"""All workloads by name."""

MOVERS_ALONE = Recipe("movers_alone", "the movers of the tiles, without the tiles", movers_alone)
"""What the frame of the tiles is compared with."""

__all__ = [
    "MOVERS_ALONE",
    "WORKLOADS",
    "Body",
    "Border",
    "LiveWorkload",
    "Pairs",
    "Recipe",
    "Turnover",
    "Workload",
    "swarm_bodies",
]
