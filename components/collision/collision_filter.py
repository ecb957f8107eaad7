"""``CollisionFilter``: which pairs are tested at all."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.component import Component


@final
class CollisionFilter(Component, tracked=True):
    """Which entities this one can hit. Without the component: in layer 1, meets all.

    A pair is tested if each side's ``mask`` has one of the other's ``layers``. A shared non-zero ``group`` decides
    alone: positive always, negative never. A change takes effect in the next step.

    ``layers``, ``mask``: 32 bits, 0 … 0xFFFFFFFF; an ``IntFlag`` will do. All layers but layer 1:
    ``0xFFFFFFFF & ~1``; with an ``IntFlag``, Python itself limits ``~`` to bits up to the highest that has a name.
    ``group``: any signed 64-bit integer. By names: :func:`~ecsphys.collision_filter`,
    :class:`~ecsphys.CollisionTable`.
    """

    layers: int = column(default=1, dtype="uint32")
    mask: int = column(default=0xFFFFFFFF, dtype="uint32")
    group: int = 0
