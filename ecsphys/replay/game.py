"""``Game``: a physics, its inputs and its step, to record and replay; and the worlds that a file can describe alone.

A file describes worlds that have only stages of ecsphys, and are moved only by inputs. Others are replayed with their
game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, runtime_checkable

import esper

import ecsphys.systems as stages
from ecsphys.systems.motion.control import InputState
from ecsphys.systems.physics import Physics
from ecsphys.systems.settings import Settings
from ecsphys.systems.stepping.fixed_step import FixedStep, running_systems
from ecsphys.systems.world.esper_world import processors

Values = dict[str, Any]

_STAGES: Final[dict[str, type[Any]]] = {name: getattr(stages, name) for name in stages.__all__ if name != "Stage"}
# The number of threads changes no result.
_SETTINGS: Final = ("gravity", *(name for name in Settings._fields if name != "threads"))
_FIXED_STEP: Final = ("hz", "max_steps", "time_scale", "paused")


@runtime_checkable
class Inputs(Protocol):
    """The actions of a player in a step, as bytes. :class:`~ecsphys.InputState` is one; you may write your own."""

    def to_bytes(self) -> bytes:
        """The inputs of the step that is about to begin."""
        ...

    def read_bytes(self, data: bytes) -> None:
        """Take the inputs from bytes of :meth:`to_bytes`. Raises ValueError for other bytes."""
        ...


class Game:
    """A physics, and the parts of the game that a recording needs.

    Parameters
    ----------
    physics
        The physics of the current world.
    inputs
        Everything on which steps depend, except the world: :class:`Inputs`, always in the same order. None: the inputs
        of each ``ControlSystem`` in the world.
    step
        A function that makes a step of the game and takes its seconds; None for ``esper.process``.

    Raises
    ------
    TypeError
        If an argument has another type.

    Examples
    --------
    >>> physics, keys = ecsphys.install(), InputState()
    >>> esper.add_processor(ControlSystem(physics, keys), ecsphys.Priority.INPUT)
    >>> len(Game(physics).inputs)
    1
    """

    def __init__(
        self,
        physics: Physics,
        inputs: Sequence[Inputs] | None = None,
        step: Callable[[float], object] | None = None,
    ) -> None:
        if not isinstance(physics, Physics):
            raise TypeError(f"Game.physics must be a Physics, got {physics!r:.80}")
        for one in inputs or ():
            if not isinstance(one, Inputs):
                raise TypeError(f"Game.inputs must have the methods to_bytes and read_bytes, got {one!r:.80}")
        if step is not None and not callable(step):
            raise TypeError(f"Game.step must be a function that takes the seconds, got {step!r:.80}")
        if inputs is None:
            controls = [one for one in running_systems() if isinstance(one, stages.ControlSystem)]
            of_physics = [one.input_state for one in controls if one.physics is physics]
            inputs = list({id(one): one for one in of_physics}.values())
        self.physics = physics
        self.inputs: tuple[Inputs, ...] = tuple(inputs)
        self.step: Callable[[float], object] = esper.process if step is None else step


def game_of(made: Any) -> Game:
    """A game, or a new game for a physics alone. Raises TypeError for other values."""
    return made if isinstance(made, Game) else Game(made)


def describe(game: Game) -> Values:
    """The description from which :func:`build` makes the world; ``"missing"`` lists the parts that it cannot make."""
    missing = list[str]()

    def described(system: Any) -> list[Any]:
        kind, number = type(system), None
        if isinstance(system, FixedStep) and game.physics.fixed_step is system:
            return [kind.__name__, system.priority, [described(one) for one in system.systems]]
        if _STAGES.get(kind.__name__) is not kind or system.physics is not game.physics:
            missing.append(f"the processor {kind.__name__}")
        elif kind is stages.ControlSystem:
            number = next((k for k, one in enumerate(game.inputs) if one is system.input_state), None)
            if number is None:
                missing.append("an InputState that is not among the inputs")
        return [kind.__name__, system.priority, number]

    made = [described(system) for system in processors()]
    if game.step is not esper.process and game.step != game.physics.step:
        missing.append("a function that makes the steps")
    missing += [f"inputs of the class {type(one).__name__}" for one in game.inputs if type(one) is not InputState]
    if game.physics.pre_solve is not None:
        missing.append("pre_solve")
    is_processed = game.step is esper.process
    return {"systems": made, "inputs": len(game.inputs), "is_processed": is_processed, "missing": missing}


def build(description: Values, settings: Values) -> Game:
    """A game in the current, empty world, with its systems and settings, without entities."""
    physics = Physics()
    inputs = [InputState() for _ in range(description["inputs"])]

    def make(name: str, number: int | None) -> esper.Processor:
        made: esper.Processor = _STAGES[name](physics, *(() if number is None else (inputs[number],)))
        return made

    for name, priority, detail in description["systems"]:
        if name == FixedStep.__name__:
            fixed = physics._state.fixed_step = FixedStep((make(one, number), at) for one, at, number in detail)
            esper.add_processor(fixed, priority)
        else:
            esper.add_processor(make(name, detail), priority)
    put_settings(physics, settings)
    return Game(physics, inputs, None if description["is_processed"] else physics.step)


def settings_of(physics: Physics) -> Values:
    """All settings on which results depend, by name."""
    fixed = physics.fixed_step
    values = {name: getattr(physics.settings, name) for name in _SETTINGS}
    if fixed is not None:
        values |= {f"fixed_step.{name}": getattr(fixed, name) for name in _FIXED_STEP}
        values["fixed_step.asked"] = fixed.take_state()[1]
    return values


def put_settings(physics: Physics, values: Values) -> None:
    """Set the values of :func:`settings_of`. Raises the errors of the settings."""
    fixed = physics.fixed_step
    for name, value in values.items():
        owner, _, field = name.rpartition(".")
        if owner == "" and field in _SETTINGS:
            setattr(physics.settings, field, value)
        elif owner == "fixed_step" and fixed is not None and field in _FIXED_STEP:
            setattr(fixed, field, value)
        elif name == "fixed_step.asked" and fixed is not None:
            for _ in range(value - fixed.take_state()[1]):
                fixed.step_once()
        else:
            raise ValueError(f"this version of ecsphys has no setting {name!r}")
