"""``Parent``: an entity that is carried by another one."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.component import Component


@final
class Parent(Component):
    """Keeps an entity's ``Transform`` in the frame of another's: a sword in a hand, a turret on a tank.

    ``entity``: the one that carries. ``x``, ``y``: where in its frame, units, turned with it. ``angle``: radians, added
    to its angle. The child's transform is written in every step, after all motion: whatever else moves the child has no
    effect.
    """

    entity: int
    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0
