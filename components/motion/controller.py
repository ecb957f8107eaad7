"""``Controller``: an entity that a player moves."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.typed_components import FloatComponent


@final
class Controller(FloatComponent):
    """The entity's ``Velocity`` follows the input: the ``ControlSystem`` writes its x and y in each step.

    Parameters
    ----------
    speed
        Units/s at full deflection, >= 0, the same in every direction. Chapter A2.

    Examples
    --------
    >>> player = esper.create_entity(Transform(), Velocity(), Controller(speed=6))
    """

    speed: float = column(low=0.0)
