"""``Parent``: an entity that is carried by another one."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.typed_components import MixedComponent


@final
class Parent(MixedComponent, pushing=True):
    """Attaches an entity to another one: a sword in a hand, a turret on a tank.

    Each step writes the child's ``Transform`` after all motion, so nothing else can move the child.

    Parameters
    ----------
    entity
        The parent: the entity that carries this one.
    x, y
        Position in the parent's frame, units; it turns with the parent.
    angle
        Radians, added to the parent's angle.

    Examples
    --------
    >>> tank = esper.create_entity(Transform(), Velocity(2, 0))
    >>> turret = esper.create_entity(Transform(), Parent(tank, x=0.5, y=0.2))
    """

    entity: int
    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0
