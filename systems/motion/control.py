"""Control by the player: the input becomes the velocity of the entities that follow it (row A2)."""

from __future__ import annotations

import math

import numpy as np

from ecsphys.components.motion.transform import Controller, Velocity
from ecsphys.engine.motion.eight_way import eight_way_velocity
from ecsphys.systems.motion.input_state import InputState
from ecsphys.systems.physics import Physics
from ecsphys.systems.stage import Stage
from ecsphys.systems.world.kept_rows import KeptRows


class ControlSystem(Stage):
    """Writes x and y of the ``Velocity`` of every entity with a ``Controller``, at equal speed in all directions.

    Add it at ``Priority.INPUT``, before everything moves.

    Parameters
    ----------
    physics
        The physics of the world.
    input_state
        The player's input: write its ``x`` and ``y`` from keys, a stick or a script.

    Raises
    ------
    ValueError
        In a step, if the input is not finite. Nothing changes then.

    Examples
    --------
    >>> physics, keys = ecsphys.install(), InputState()
    >>> esper.add_processor(ControlSystem(physics, keys), ecsphys.Priority.INPUT)
    >>> player = esper.create_entity(Transform(), Velocity(), Controller(speed=6))
    >>> keys.x = 1.0
    >>> esper.process(0.5)
    >>> esper.component_for_entity(player, Transform).x
    3.0
    """

    def __init__(self, physics: Physics, input_state: InputState) -> None:
        super().__init__(physics)
        self.input_state = input_state
        self._controlled = KeptRows(Controller, Velocity)

    def run(self, dt: float) -> None:
        state = self.input_state
        if not (math.isfinite(state.x) and math.isfinite(state.y)):
            raise ValueError(f"InputState.x and InputState.y must be finite, got {state.x!r} and {state.y!r}")
        _, controllers, velocities = self._controlled()
        controllers, velocities = controllers[velocities >= 0], velocities[velocities >= 0]
        state.begin_step()
        if not velocities.size:
            return
        direction = np.array(eight_way_velocity(state.x, state.y, 1.0))
        speed = Controller._columns.row_of_block("speed")[controllers]
        Velocity._columns.float64[:2, velocities] = speed * direction[:, None]
        Velocity._columns.mark_written(velocities)
