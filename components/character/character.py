"""``Character``: how an entity walks when ``physics.move_character`` moves it."""

from __future__ import annotations

import math
from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.component import Component


@final
class Character(Component):
    """What an entity can walk on, climb and follow; ``physics.move_character`` moves it.

    ``slope_limit``: the steepest slope that is a floor, radians in (0, π/2]; steeper ones are walls.
    ``step_height``: how high a step it climbs in walking, units, >= 0. ``snap_distance``: how far down the floor may
    fall away within a quarter of its size for it to stay on it, down slopes and stairs, units, >= 0.
    ``up_x``, ``up_y``: which way is up, a vector of any length but 0.
    """

    slope_limit: float = column(default=0.25 * math.pi, above=0.0, high=0.5 * math.pi)
    step_height: float = column(default=0.0, low=0.0)
    snap_distance: float = column(default=0.0, low=0.0)
    up_x: float = 0.0
    up_y: float = 1.0
