"""Collision layers by names, out of an ``enum.IntFlag`` of the game's, instead of by bits."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntFlag
from typing import Any, Generic, TypeVar

from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.components.store.column import show

Layers = TypeVar("Layers", bound=IntFlag)

_ALL = 0xFFFFFFFF


def collision_filter(
    layers: Layers, meets: Layers | None = None, avoids: Layers | None = None, group: int = 0
) -> CollisionFilter:
    """A :class:`CollisionFilter` for an entity in ``layers`` that can hit, or never hits, entities in other layers::

        class Layer(enum.IntFlag):
            DEFAULT = enum.auto()
            PLAYER = enum.auto()
            GHOST = enum.auto()

        esper.create_entity(Transform(), CircleCollider(1), collision_filter(Layer.PLAYER, avoids=Layer.GHOST))

    Two entities hit only if both filters allow it, so it is enough if one of them avoids the other.

    Parameters
    ----------
    layers
        The layers the entity is in: members of the game's own ``enum.IntFlag``.
    meets, avoids
        The layers it can hit, or all but these. Give one of the two; with neither it can hit all.
    group
        As in :class:`CollisionFilter`.

    Raises
    ------
    TypeError
        What is no member of an ``IntFlag``, or members of different ones.
    ValueError
        Both ``meets`` and ``avoids``, flags beyond 32 bits, or no layer and no group: it could hit nothing.
    """
    own = _bits("layers", layers, IntFlag)
    if meets is not None and avoids is not None:
        raise ValueError(f"a filter takes meets or avoids, not both, got {meets!r} and {avoids!r}")
    if not own and group <= 0:
        raise ValueError("layers must name at least one layer: an entity in none hits nothing")
    mask = _ALL
    if meets is not None:
        mask = _bits("meets", meets, type(layers))
    elif avoids is not None:
        mask = _ALL & ~_bits("avoids", avoids, type(layers))
    return CollisionFilter(own, mask, group)


def layers_of(own: CollisionFilter, kind: type[Layers]) -> Layers:
    """The layers of a filter as members of ``kind``, without the bits that have no name there.

    TypeError for what is no ``CollisionFilter``, and for a ``kind`` that is no ``IntFlag``.

    Examples
    --------
    >>> Layer = enum.IntFlag("Layer", "PLAYER ENEMY")
    >>> layers_of(collision_filter(Layer.ENEMY), Layer)
    <Layer.ENEMY: 2>
    """
    return kind(_filter(own).layers & _named(kind))


def mask_of(own: CollisionFilter, kind: type[Layers]) -> Layers:
    """The layers that a filter allows, as members of ``kind``, without the bits that have no name there.

    TypeError for what is no ``CollisionFilter``, and for a ``kind`` that is no ``IntFlag``.

    Examples
    --------
    >>> Layer = enum.IntFlag("Layer", "PLAYER ENEMY")
    >>> mask_of(collision_filter(Layer.ENEMY, meets=Layer.PLAYER), Layer)
    <Layer.PLAYER: 1>
    """
    return kind(_filter(own).mask & _named(kind))


class CollisionTable(Generic[Layers]):
    """Which layers of a game can hit which, in one table; each entry holds for both sides::

        table = CollisionTable(Layer, {Layer.PLAYER: Layer.ENEMY | Layer.WALL, Layer.ENEMY: Layer.WALL})
        esper.create_entity(Transform(), CircleCollider(1), table.filter(Layer.ENEMY))  # meets players and walls

    Two layers that no entry names together do not hit. A layer does not hit itself unless an entry says so.
    ``print(table)`` shows all of it.

    Parameters
    ----------
    kind
        The game's ``IntFlag``, its flags within 32 bits.
    meets
        For a layer, or several together, the layers that they can hit. Bits without a name, which ``~`` may bring in,
        are left out.

    Raises
    ------
    TypeError
        What is no ``IntFlag``, or no member of it.
    ValueError
        Flags beyond 32 bits.
    """

    def __init__(self, kind: type[Layers], meets: Mapping[Layers, Layers]) -> None:
        named = _named(kind)
        self._kind = kind
        self._masks = dict.fromkeys(_single_bits(named), 0)
        if not isinstance(meets, Mapping):
            raise TypeError(f"meets must be a mapping from layers to layers, got {show(meets)}")
        for some, others in meets.items():
            # Python's ~ has bits without a name as well, where there are any between those with one.
            for a in _single_bits(named & _bits("layers", some, kind)):
                for b in _single_bits(named & _bits(f"what {some!r} meets", others, kind)):
                    self._masks[a] |= b
                    self._masks[b] |= a

    def mask(self, layers: Layers) -> Layers:
        """All layers that any of ``layers`` can hit; ValueError for a layer without a name."""
        return self._mask("layers", layers)

    def _mask(self, what: str, layers: Layers) -> Layers:
        bits, mask = _bits(what, layers, self._kind), 0
        for bit in _single_bits(bits):
            if bit not in self._masks:
                raise ValueError(f"{self._kind.__name__} has no layer {hex(bit)}, got {layers!r}")
            mask |= self._masks[bit]
        return self._kind(mask)

    def meets(self, some: Layers, others: Layers) -> bool:
        """Whether an entity in the layers ``some`` can hit one in the layers ``others``."""
        return bool(self._mask("some", some) & _bits("others", others, self._kind))

    def filter(self, layers: Layers, group: int = 0) -> CollisionFilter:
        """A new filter for an entity in ``layers``; each entity needs one of its own."""
        return collision_filter(layers, self.mask(layers), group=group)

    def __str__(self) -> str:
        names = {bit: self._kind(bit).name or hex(bit) for bit in self._masks}
        width = max(map(len, names.values()), default=0)
        lines = [" ".join((" " * width, *names.values()))]
        for bit, mask in self._masks.items():
            cells = (("x" if mask & other else "-").center(len(name)) for other, name in names.items())
            lines.append(" ".join((names[bit].ljust(width), *cells)).rstrip())
        return "\n".join(lines)


def _filter(own: Any) -> CollisionFilter:
    if not isinstance(own, CollisionFilter):
        raise TypeError(f"own must be a CollisionFilter, got {show(own)}")
    return own


def _named(kind: type[IntFlag]) -> int:
    """The bits for which a flag has names; TypeError for what is no flag."""
    if not (isinstance(kind, type) and issubclass(kind, IntFlag)):
        raise TypeError(f"kind must be an enum.IntFlag, got {show(kind)}")
    bits = 0
    for name, member in kind.__members__.items():
        bits |= _bits(f"{kind.__name__}.{name}", member, kind)
    return bits


def _single_bits(bits: int) -> list[int]:
    return [1 << place for place in range(32) if bits >> place & 1]


def _bits(what: str, layers: Any, kind: type[IntFlag]) -> int:
    """The bits of a member of ``kind``."""
    if not isinstance(layers, kind):
        wanted = "an enum.IntFlag" if kind is IntFlag else kind.__name__
        raise TypeError(f"{what} must be members of {wanted}, got {show(layers)} ({type(layers).__name__})")
    bits = int(layers)
    if not 0 <= bits <= _ALL:
        raise ValueError(f"{what} must fit in 32 bits, got {layers!r}")
    return bits
