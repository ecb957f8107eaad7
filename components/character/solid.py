"""``Solid``: marks what blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Solid:
    """Marks an entity whose colliders block movers, as walls, floors and crates do.

    ``physics.move_and_slide`` stops at solid entities only, and not at their colliders that are a ``sensor``. The hits
    of all others are events and nothing more: sword swings, pickups, bullets. A solid one has hits as well.
    """
