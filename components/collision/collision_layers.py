"""``CollisionTable``: which layers of a game hit which, in one table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic

from ecsphys.components.collision.collision_filter import CollisionFilter, Layers, layer_bits, named_bits, single_bits
from ecsphys.components.store.column import show


class CollisionTable(Generic[Layers]):
    """A table of the layers that can hit each other; each entry holds for both sides::

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
        If ``kind`` is not an ``IntFlag``, or a layer is not a member of it.
    ValueError
        If a flag is beyond 32 bits.
    """

    def __init__(self, kind: type[Layers], meets: Mapping[Layers, Layers]) -> None:
        named = named_bits(kind)
        self._kind = kind
        self._masks = dict.fromkeys(single_bits(named), 0)
        if not isinstance(meets, Mapping):
            raise TypeError(f"meets must be a mapping from layers to layers, got {show(meets)}")
        for some, others in meets.items():
            # Python's ~ has bits without a name as well, where there are any between those with one.
            for a in single_bits(named & layer_bits("layers", some, kind)):
                for b in single_bits(named & layer_bits(f"the layers that {some!r} meets", others, kind)):
                    self._masks[a] |= b
                    self._masks[b] |= a

    def mask(self, layers: Layers) -> Layers:
        """All layers that any of ``layers`` can hit. Raises ValueError for a layer without a name."""
        return self._mask("layers", layers)

    def _mask(self, what: str, layers: Layers) -> Layers:
        bits, mask = layer_bits(what, layers, self._kind), 0
        for bit in single_bits(bits):
            if bit not in self._masks:
                raise ValueError(f"{self._kind.__name__} has no layer {hex(bit)}, got {layers!r}")
            mask |= self._masks[bit]
        return self._kind(mask)

    def meets(self, some: Layers, others: Layers) -> bool:
        """Whether an entity in the layers ``some`` can hit one in the layers ``others``."""
        return bool(self._mask("some", some) & layer_bits("others", others, self._kind))

    def filter(self, layers: Layers, group: int = 0) -> CollisionFilter:
        """A new filter for an entity in ``layers``. Make a filter for each entity."""
        return CollisionFilter.of(layers, self.mask(layers), group=group)

    def __str__(self) -> str:
        names = {bit: self._kind(bit).name or hex(bit) for bit in self._masks}
        width = max(map(len, names.values()), default=0)
        lines = [" ".join((" " * width, *names.values()))]
        for bit, mask in self._masks.items():
            cells = (("x" if mask & other else "-").center(len(name)) for other, name in names.items())
            lines.append(" ".join((names[bit].ljust(width), *cells)).rstrip())
        return "\n".join(lines)
