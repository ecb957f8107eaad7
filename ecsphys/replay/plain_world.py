"""A world that a recording can describe alone: only stages of ecsphys, moved only by inputs.

Other worlds are replayed with their game.
"""

from __future__ import annotations

from typing import Any, Final

import esper

from ecsphys.replay.game import Game
from ecsphys.replay.settings import put_settings
from ecsphys.systems.collision.broadphase import BruteForceBroadphaseSystem
from ecsphys.systems.effects.light import LightSystem
from ecsphys.systems.effects.particles import ParticleSystem
from ecsphys.systems.effects.scrolling import ScrollingSystem
from ecsphys.systems.fixed_step.fixed_step import FixedStep
from ecsphys.systems.install import STAGES
from ecsphys.systems.limits.lifetime import LifetimeSystem
from ecsphys.systems.limits.world_bounds import WorldBoundsSystem
from ecsphys.systems.motion.control import ControlSystem
from ecsphys.systems.motion.input_state import InputState
from ecsphys.systems.physics import Physics
from ecsphys.systems.stage import Stage
from ecsphys.systems.world.esper_world import processors

Description = dict[str, Any]

_MAKES: Final[dict[str, type[Any]]] = {
    cls.__name__: cls
    for cls in (
        *(stage for stage, _ in STAGES),
        BruteForceBroadphaseSystem,
        LightSystem,
        ParticleSystem,
        ScrollingSystem,
        LifetimeSystem,
        WorldBoundsSystem,
        ControlSystem,
    )
}
_FIXED_STEP: Final = "FixedStep"


def describe(game: Game) -> Description:
    """The description from which :func:`build` makes the world; ``"missing"`` lists the parts that it cannot make."""
    physics, missing = game.physics, list[str]()
    systems = [_describe_system(system, game, missing) for system in processors()]
    if game.step is not esper.process and game.step != physics.step:
        missing.append("a function that makes the steps")
    missing += [f"inputs of the class {type(one).__name__}" for one in game.inputs if type(one) is not InputState]
    if physics.pre_solve is not None:
        missing.append("pre_solve")
    return {
        "systems": systems,
        "inputs": len(game.inputs),
        "is_processed": game.step is esper.process,
        "missing": missing,
    }


def _describe_system(system: esper.Processor, game: Game, missing: list[str]) -> list[Any]:
    kind = type(system)
    if isinstance(system, FixedStep) and game.physics.fixed_step is system:
        return [_FIXED_STEP, system.priority, [_describe_system(one, game, missing) for one in system.systems]]
    if _MAKES.get(kind.__name__) is not kind or not (isinstance(system, Stage) and system.physics is game.physics):
        missing.append(f"the processor {kind.__name__}")
        return [kind.__name__, system.priority, None]
    number = None
    if isinstance(system, ControlSystem):
        number = next((k for k, one in enumerate(game.inputs) if one is system.input_state), None)
        if number is None:
            missing.append("an InputState that is not among the inputs")
    return [kind.__name__, system.priority, number]


def build(description: Description, settings: dict[str, Any]) -> Game:
    """A game in the current, empty world, with its systems and settings, without entities."""
    physics = Physics()
    inputs = [InputState() for _ in range(description["inputs"])]
    for name, priority, detail in description["systems"]:
        if name == _FIXED_STEP:
            fixed = FixedStep((_make(one, physics, inputs), one[1]) for one in detail)
            physics._state.fixed_step = fixed
            esper.add_processor(fixed, priority)
        else:
            esper.add_processor(_make([name, priority, detail], physics, inputs), priority)
    put_settings(physics, settings)
    return Game(physics, inputs, None if description["is_processed"] else physics.step)


def _make(described: list[Any], physics: Physics, inputs: list[InputState]) -> esper.Processor:
    name, _, number = described
    made: esper.Processor = _MAKES[name](physics, *(() if number is None else (inputs[number],)))
    return made
