"""``Controller``: an entity that a player moves."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.component import Component


@final
class Controller(Component):
    """The entity's ``Velocity`` follows the input: the ``ControlSystem`` writes its x and y each step.

    ``speed``: units/s at full deflection, >= 0, the same in every direction. Row A2.
    """

    speed: float = column(low=0.0)
