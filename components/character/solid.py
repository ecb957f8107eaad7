"""``Solid``: marks what blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from ecsphys.components.store.many import Marker


@final
@dataclass(frozen=True, slots=True)
class Solid(Marker):
    """Marks an entity that blocks ``physics.move_and_slide`` and ``physics.move_character``: a wall, a floor, a crate.

    These two stop at solid entities only, and not at their colliders that are a ``sensor``. Other entities only report
    hits: sword swings, pickups, bullets. A solid entity reports hits as well.

    Examples
    --------
    >>> wall = esper.create_entity(Transform(4, 0), AABBCollider(0.5, 8), Solid())
    """
