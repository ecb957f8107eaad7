"""``Solid``: marks entities that block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from ecsphys.components.store.many import Marker


@final
@dataclass(frozen=True, slots=True)
class Solid(Marker):
    """Marks an entity that blocks ``physics.move_and_slide`` and ``physics.move_character``: a wall, a floor, a crate.

    The two methods stop at solid entities only, and never at a collider with ``sensor=True``. Other entities, such as
    sword swings, pickups and bullets, only report hits. A solid entity reports hits as well.

    Examples
    --------
    >>> wall = esper.create_entity(Transform(4, 0), AABBCollider(0.5, 8), Solid())
    """
