"""``CollisionFilter``: which entities can hit each other."""

from __future__ import annotations

from enum import IntFlag
from typing import Any, Final, TypeVar, final

from ecsphys.components.store.column import column, show
from ecsphys.components.store.typed_components import MixedComponent

Layers = TypeVar("Layers", bound=IntFlag)

ALL_LAYERS: Final = 0xFFFFFFFF
"""The bits of all 32 layers."""


@final
class CollisionFilter(MixedComponent, tracked=True):
    """Selects which entities this entity can hit. Without the component, an entity is in layer 1 and can hit all.

    Two entities can hit each other if the ``mask`` of each has a layer of the other. If both have the same ``group``,
    and it is not 0, only the group decides. A change takes effect in the next step. To work with names instead of bits,
    see :meth:`of` and :class:`~ecsphys.CollisionTable`.

    Parameters
    ----------
    layers
        The layers the entity is in: 32 bits, 0 … 0xFFFFFFFF, or an ``IntFlag``.
    mask
        The layers it can hit: 32 bits. For all except layer 1 use ``0xFFFFFFFF & ~1``. For an ``IntFlag``, Python's
        ``~`` has only the bits up to the highest bit with a name.
    group
        Two entities with the same positive group always hit, and with the same negative group never. A signed 64-bit
        integer.

    Examples
    --------
    >>> PLAYER, ENEMY = 0b01, 0b10
    >>> enemy = esper.create_entity(Transform(), CircleCollider(1), CollisionFilter(layers=ENEMY, mask=PLAYER))
    """

    layers: int = column(default=1, dtype="uint32")
    mask: int = column(default=0xFFFFFFFF, dtype="uint32")
    group: int = 0

    @classmethod
    def of(
        cls, layers: Layers, meets: Layers | None = None, avoids: Layers | None = None, group: int = 0
    ) -> CollisionFilter:
        """A filter for an entity in ``layers``, with the layers that it can hit, or never hits, by name.

        Two entities hit only if both filters allow it, so it is enough if one of them avoids the other.

        Parameters
        ----------
        layers
            The layers the entity is in: members of your own ``enum.IntFlag``.
        meets, avoids
            The layers it can hit, or the layers it never hits. Give one of the two; with neither it can hit all.
        group
            As in :class:`CollisionFilter`.

        Raises
        ------
        TypeError
            A value is not a member of an ``IntFlag``, or they are members of different ones.
        ValueError
            Both ``meets`` and ``avoids``, flags beyond 32 bits, or no layer and no group: it could hit nothing.

        Examples
        --------
        >>> Layer = enum.IntFlag("Layer", "DEFAULT PLAYER GHOST")
        >>> player = CollisionFilter.of(Layer.PLAYER, avoids=Layer.GHOST)
        """
        own = layer_bits("layers", layers, IntFlag)
        if meets is not None and avoids is not None:
            raise ValueError(f"CollisionFilter.of takes meets or avoids, not both, got {meets!r} and {avoids!r}")
        if not own and group <= 0:
            raise ValueError(
                "CollisionFilter.of: layers must name at least one layer, because an entity in no layer hits nothing"
            )
        mask = ALL_LAYERS
        if meets is not None:
            mask = layer_bits("meets", meets, type(layers))
        elif avoids is not None:
            mask = ALL_LAYERS & ~layer_bits("avoids", avoids, type(layers))
        return cls(own, mask, group)

    def layers_as(self, kind: type[Layers]) -> Layers:
        """The filter's layers as members of ``kind``; bits without a name in ``kind`` are left out.

        Raises TypeError unless ``kind`` is an ``IntFlag``.

        Examples
        --------
        >>> Layer = enum.IntFlag("Layer", "PLAYER ENEMY")
        >>> CollisionFilter.of(Layer.ENEMY).layers_as(Layer)
        <Layer.ENEMY: 2>
        """
        return kind(self.layers & named_bits(kind))

    def mask_as(self, kind: type[Layers]) -> Layers:
        """The layers that the filter can hit as members of ``kind``; bits without a name in ``kind`` are left out.

        Raises TypeError unless ``kind`` is an ``IntFlag``.

        Examples
        --------
        >>> Layer = enum.IntFlag("Layer", "PLAYER ENEMY")
        >>> CollisionFilter.of(Layer.ENEMY, meets=Layer.PLAYER).mask_as(Layer)
        <Layer.PLAYER: 1>
        """
        return kind(self.mask & named_bits(kind))


def named_bits(kind: type[IntFlag]) -> int:
    """The bits for which a flag has names. Raises TypeError unless ``kind`` is an ``IntFlag``."""
    if not (isinstance(kind, type) and issubclass(kind, IntFlag)):
        raise TypeError(f"kind must be an enum.IntFlag, got {show(kind)}")
    bits = 0
    for name, member in kind.__members__.items():
        bits |= layer_bits(f"{kind.__name__}.{name}", member, kind)
    return bits


def single_bits(bits: int) -> list[int]:
    return [1 << place for place in range(32) if bits >> place & 1]


def layer_bits(what: str, layers: Any, kind: type[IntFlag]) -> int:
    """The bits of a member of ``kind``."""
    if not isinstance(layers, kind):
        wanted = "an enum.IntFlag" if kind is IntFlag else kind.__name__
        raise TypeError(f"{what} must be members of {wanted}, got {show(layers)} ({type(layers).__name__})")
    bits = int(layers)
    if not 0 <= bits <= ALL_LAYERS:
        raise ValueError(f"{what} must fit in 32 bits, got {layers!r}")
    return bits
