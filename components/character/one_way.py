"""``OneWay``: a solid that blocks from one side only."""

from __future__ import annotations

from ecsphys.components.store.component import Component


class OneWay(Component):
    """Beside a ``Solid`` or a ``RigidBody``: blocks only what comes from outside against the normal. Characters and
    bodies jump up through it, and land on it.

    ``normal_x``, ``normal_y``: away from the side that blocks, a vector of any length but 0, in the entity's frame: it
    turns with the entity (but not for an ``AABBCollider``, which does not turn either). What is inside already, or
    comes from another side, passes. What becomes of a body is decided when the two meet, and kept until they part, or
    until it is clear of the side that blocks.
    """

    normal_x: float = 0.0
    normal_y: float = 1.0
