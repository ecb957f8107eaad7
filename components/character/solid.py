"""``Solid``: marks what blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from ecsphys.components.store.final import FinalBase


@final
@dataclass(frozen=True, slots=True)
class Solid(FinalBase):
    """Marks an entity whose colliders block movers, as walls, floors and crates do.

    ``physics.move_and_slide`` stops at solid entities only. All others are sensors, whose hits are events and nothing
    more: sword swings, pickups, bullets. A solid one has hits as well.
    """
