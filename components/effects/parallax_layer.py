"""``ParallaxLayer``: a background picture that scrolls slower, or a foreground that scrolls faster, than the world."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.component import Component


@final
class ParallaxLayer(Component):
    """A picture of ``width`` × ``height`` units that reaches its ends when the camera reaches those of its world.

    ``camera``: the entity of its ``Camera``, −1 for the world's first. ``screen_x``, ``screen_y``: where its lower left
    corner is drawn, from the view's; written by the ``ScrollingSystem``. Along an axis on which the camera's world has
    no bounds, and on one that the view shows all of, the picture stands in the middle of the view. Row B2.
    """

    width: float = column(above=0.0)
    height: float = column(above=0.0)
    camera: int = -1
    screen_x: float = 0.0
    screen_y: float = 0.0
