"""``Camera``: the visible part of the world."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.typed_components import MixedComponent


@final
class Camera(MixedComponent):
    """A view into the world that follows an entity; needs a :class:`ScrollingSystem`.

    Parameters
    ----------
    x, y
        The center of the view, in the world.
    view_width, view_height
        The size of the view, world units, > 0.
    world_width, world_height
        The size of the level, >= 0. The view stays inside the level; if the level is smaller than the view, the view
        stays in its middle. 0: no bounds. Chapter B1.
    world_x, world_y
        The lower left corner of the level.
    target
        The entity whose ``Transform`` the camera follows, −1 for none.
    dead_zone_x, dead_zone_y
        How far the target may be from the center before the camera moves, units, >= 0; 0 keeps it in the center.
        Chapters B3, B4.
    speed_x, speed_y
        Speed of a camera without a target, units/s: it moves from edge to edge. Chapter B1.

    Examples
    --------
    >>> player = esper.create_entity(Transform(4, 4))
    >>> camera = esper.create_entity(Camera(0, 0, 320, 180, target=player, dead_zone_x=20))
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
