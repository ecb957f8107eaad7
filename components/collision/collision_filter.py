"""``CollisionFilter``: which pairs are tested at all."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.typed_components import MixedComponent


@final
class CollisionFilter(MixedComponent, tracked=True):
    """Which entities this one can hit. Without the component an entity is in layer 1 and can hit all.

    Two entities can hit if each one's ``mask`` has one of the other's ``layers``. A shared ``group`` other than 0
    decides alone. A change takes effect in the next step. To work with names instead of bits, see
    :func:`~ecsphys.collision_filter` and :class:`~ecsphys.CollisionTable`.

    Parameters
    ----------
    layers
        The layers the entity is in: 32 bits, 0 … 0xFFFFFFFF, or an ``IntFlag``.
    mask
        The layers it can hit: 32 bits. All but layer 1: ``0xFFFFFFFF & ~1``. With an ``IntFlag``, Python limits ``~``
        to the bits up to the highest that has a name.
    group
        Two entities of one positive group always hit, of one negative group never; a signed 64-bit integer.

    Examples
    --------
    >>> PLAYER, ENEMY = 0b01, 0b10
    >>> enemy = esper.create_entity(Transform(), CircleCollider(1), CollisionFilter(layers=ENEMY, mask=PLAYER))
    """

    layers: int = column(default=1, dtype="uint32")
    mask: int = column(default=0xFFFFFFFF, dtype="uint32")
    group: int = 0
