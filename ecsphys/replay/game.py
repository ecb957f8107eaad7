"""``Game``: what is recorded and replayed, a physics and what moves it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

import esper

from ecsphys.systems.motion.control import ControlSystem
from ecsphys.systems.physics import Physics
from ecsphys.systems.running_systems import running_systems


@runtime_checkable
class Inputs(Protocol):
    """What a player does in a step, as bytes: :class:`~ecsphys.InputState` is one, and a game may have its own."""

    def to_bytes(self) -> bytes:
        """The inputs of the step that is about to begin."""
        ...

    def read_bytes(self, data: bytes) -> None:
        """Be what :meth:`to_bytes` has made bytes of; ValueError for others."""
        ...


class Game:
    """A physics, and what a recording needs to know of the game around it.

    Parameters
    ----------
    physics
        The physics of the current world.
    inputs
        All that the steps depend on beside the world: :class:`Inputs`, always in the same order. None for those of the
        world's ``ControlSystem`` s.
    step
        Makes a step of the game, given its seconds; None for ``esper.process``.

    Raises
    ------
    TypeError
        For what is none of that.

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
            raise TypeError(f"a Game has a Physics, got {physics!r:.80}")
        for one in inputs or ():
            if not isinstance(one, Inputs):
                raise TypeError(f"inputs must have to_bytes and read_bytes, got {one!r:.80}")
        if step is not None and not callable(step):
            raise TypeError(f"step must be a function of the seconds, got {step!r:.80}")
        self.physics = physics
        self.inputs: tuple[Inputs, ...] = tuple(_controls_of(physics) if inputs is None else inputs)
        self.step: Callable[[float], object] = esper.process if step is None else step


def game_of(made: Any) -> Game:
    """A game, or that of a physics alone; TypeError for anything else."""
    return made if isinstance(made, Game) else Game(made)


def _controls_of(physics: Physics) -> list[Inputs]:
    found: list[Inputs] = []
    for system in running_systems():
        if isinstance(system, ControlSystem) and system.physics is physics:
            state = system.input_state
            if not any(state is known for known in found):
                found.append(state)
    return found
