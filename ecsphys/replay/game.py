"""``Game``: a physics, its inputs and its step, to record and replay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

import esper

from ecsphys.systems.motion.control import ControlSystem
from ecsphys.systems.physics import Physics
from ecsphys.systems.stepping.running_systems import running_systems


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
        self.physics = physics
        self.inputs: tuple[Inputs, ...] = tuple(_controls_of(physics) if inputs is None else inputs)
        self.step: Callable[[float], object] = esper.process if step is None else step


def game_of(made: Any) -> Game:
    """A game, or a new game for a physics alone. Raises TypeError for other values."""
    return made if isinstance(made, Game) else Game(made)


def _controls_of(physics: Physics) -> list[Inputs]:
    found: list[Inputs] = []
    for system in running_systems():
        if isinstance(system, ControlSystem) and system.physics is physics:
            state = system.input_state
            if not any(state is known for known in found):
                found.append(state)
    return found
