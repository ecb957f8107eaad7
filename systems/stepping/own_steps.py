"""Steps without ``esper.process``: for games that have a loop of their own and no processors."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from math import inf
from typing import TYPE_CHECKING

import esper

from ecsphys.components.store.many import dead_entities
from ecsphys.systems.stage import Stage
from ecsphys.systems.stepping.fixed_step import running_systems
from ecsphys.systems.stepping.stage_runs import LOOPS
from ecsphys.systems.world.esper_world import refuse_other_world

if TYPE_CHECKING:
    from ecsphys.systems.physics import Physics


def run_stages(physics: Physics, dt: float, highest: float = inf) -> None:
    """Run the stages of a physics once, those up to a priority; RuntimeError in another world than the physics'."""
    refuse_other_world(physics._state.world)
    if not physics._state.progress.calling and dead_entities():
        esper.clear_dead_entities()
    shift = 0 if physics.fixed_step else physics._state.stepping.priority
    stages = [stage for stage in stages_of(physics) if stage.priority - shift <= highest]
    physics._state.stepping.own_loop = stages
    for stage in stages:
        stage.process(dt)


def stages_of(physics: Physics) -> tuple[Stage, ...]:
    """The stages in the order in which they run.

    If the world has no stage of ``install()``, its stages run with a set of new stages of ``install()``.
    """
    running = [one for one in running_systems() if isinstance(one, Stage) and one.physics is physics]
    # Stages know Physics: their list is imported when it is needed.
    table = import_module("ecsphys.systems.install").STAGES
    if not running:
        return _own_stages(physics, table)
    installed = tuple(cls for cls, _ in table)
    if any(isinstance(one, installed) for one in running):
        return tuple(running)
    return tuple(sorted((*_own_stages(physics, table), *running), key=lambda one: -one.priority))


def _own_stages(physics: Physics, table: Sequence[tuple[type[Stage], int]]) -> tuple[Stage, ...]:
    """A set of the stages of ``install()`` that is in no world; the same in each step."""
    state = physics._state
    if not state.stepping.own_stages:
        stages = []
        for cls, priority in table:
            stage = cls(physics)
            stage.priority = priority
            stages.append(stage)
        state.stepping.own_stages = tuple(stages)
    return state.stepping.own_stages


LOOPS[run_stages.__code__] = lambda state: (state.stepping, "own_loop")
