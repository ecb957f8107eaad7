"""``OneWay``: a solid that blocks from one side only."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.component import Component


@final
class OneWay(Component):
    """Beside a ``Solid``: blocks only what comes from outside against the normal: a character jumps up through it.

    ``normal_x``, ``normal_y``: away from the side that blocks, a vector of any length but 0, in the entity's frame: it
    turns with the entity (but not for an ``AABBCollider``, which does not turn either). What is inside already, or
    comes from another side, passes.
    """

    normal_x: float = 0.0
    normal_y: float = 1.0
