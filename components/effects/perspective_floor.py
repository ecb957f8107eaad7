"""``PerspectiveFloor``: a floor with depth, drawn row by row from one picture of a trapezoid."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.component import Component


@final
class PerspectiveFloor(Component):
    """A picture with ``row_count`` rows, of the near (bottom) row's width, in which a trapezoid stands in the middle.

    Row 0, at the bottom, is ``near_width`` units wide and the last ``far_width``; the rows between grow linearly. Each
    row scrolls as a layer of its own width, so near rows run faster than far ones and all reach their ends together;
    rows narrower than the view stand in its middle. ``camera``: the entity of its ``Camera``, −1 for the world's first.
    The shifts are in the ``floor_shifts`` of the ``ScrollingSystem``. Row B7.
    """

    far_width: float = column(above=0.0)
    near_width: float = column(above=0.0)
    row_count: int = column(low=1, high=1_000_000)
    camera: int = -1
