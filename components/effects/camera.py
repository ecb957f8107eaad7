"""``Camera``: which part of the world is seen."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.component import Component


@final
class Camera(Component):
    """The view of ``view_width`` × ``view_height`` world units about its centre (x, y).

    ``world_width``, ``world_height``: the size of what there is to see, from its lower left corner (``world_x``,
    ``world_y``); the view stays within it, and in the middle of it where it is smaller than the view. 0 is without
    bounds. Row B1.

    ``target``: the entity whose ``Transform`` the camera follows, −1 for none. ``dead_zone_x``, ``dead_zone_y``: D,
    >= 0, how far the target may be from the centre before the camera moves; 0 keeps it in the centre. Rows B3, B4.

    ``speed_x``, ``speed_y``: units/s; a camera that follows nothing moves at this speed, from edge to edge. Row B1.
    """

    x: float
    y: float
    view_width: float = column(above=0.0)
    view_height: float = column(above=0.0)
    world_width: float = column(default=0.0, low=0.0)
    world_height: float = column(default=0.0, low=0.0)
    world_x: float = 0.0
    world_y: float = 0.0
    target: int = -1
    dead_zone_x: float = column(default=0.0, low=0.0)
    dead_zone_y: float = column(default=0.0, low=0.0)
    speed_x: float = 0.0
    speed_y: float = 0.0
