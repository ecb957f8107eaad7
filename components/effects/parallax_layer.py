"""``ParallaxLayer``: a background picture that scrolls slower, or a foreground that scrolls faster, than the world."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.typed_components import MixedComponent


@final
class ParallaxLayer(MixedComponent):
    """A picture of ``width`` × ``height`` units that reaches its ends when the camera reaches the ends of its world.

    On an axis on which the level has no bounds, or fits into the view, the picture stays in the middle of the view.

    Parameters
    ----------
    width, height
        The picture's size, world units, > 0.
    camera
        The entity of its ``Camera``, −1 for the world's first.
    screen_x, screen_y
        Position at which its lower left corner is drawn, from the view's lower left corner, units. The
        :class:`ScrollingSystem` writes it. Chapter B2.

    Examples
    --------
    >>> hills = esper.create_entity(ParallaxLayer(width=480, height=180))
    """

    width: float = column(above=0.0)
    height: float = column(above=0.0)
    camera: int = -1
    screen_x: float = 0.0
    screen_y: float = 0.0
