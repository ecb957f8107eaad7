"""``PerspectiveFloor``: a floor with depth, drawn row by row from one picture of a trapezoid."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.typed_components import MixedComponent


@final
class PerspectiveFloor(MixedComponent):
    """A picture with ``row_count`` rows, as wide as the near (bottom) row, with a trapezoid in its middle.

    Each row scrolls as a layer of its own width: near rows move faster than far rows, and all reach their ends
    together. Rows that are narrower than the view stay in its middle. ``ScrollingSystem.floor_shifts`` has the shifts.

    Parameters
    ----------
    far_width, near_width
        Width of the last row and of row 0, at the bottom, units, > 0; the rows between change linearly.
    row_count
        1 to 1,000,000.
    camera
        The entity of its ``Camera``, −1 for the world's first. Chapter B7.

    Examples
    --------
    >>> floor = esper.create_entity(PerspectiveFloor(far_width=400, near_width=900, row_count=60))
    """

    far_width: float = column(above=0.0)
    near_width: float = column(above=0.0)
    row_count: int = column(low=1, high=1_000_000)
    camera: int = -1
