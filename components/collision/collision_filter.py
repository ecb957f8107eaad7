"""Which entities can hit each other, and which hear of it: filters and tables, ``Disabled``, ``HitListener``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntFlag
from typing import Any, ClassVar, Final, Generic, TypeVar, final

from ecsphys.components.other_names import checks_arguments
from ecsphys.components.store.column import column, finite_number, show, true_or_false
from ecsphys.components.store.component import FinalBase, Marker, MixedComponent
from ecsphys.components.store.standing_blocks import while_blocks_stand
from ecsphys.engine.hits.contact_filter import FilterBlocks

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


@while_blocks_stand
def filter_blocks() -> FilterBlocks:
    """The blocks of CollisionFilter; valid until the next filter is created. The same object while they are."""
    return FilterBlocks(CollisionFilter._columns.uint32, CollisionFilter._columns.int64)


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


HitCallback = Callable[..., object]
"""Called with a :class:`~ecsphys.systems.hits.hit.Hit`, or with two entities; its result is ignored."""


@checks_arguments
@final
@dataclass(slots=True)
class HitListener(FinalBase):
    """Functions that are called with each hit of the entity, as seen from the entity.

    In the hit, ``entity_a`` is the entity itself, ``entity_b`` is the other one, and ``normal`` points away from the
    entity (see :meth:`Hit.seen_from`). The component keeps its functions alive, so a lambda or a bound method works;
    esper's handlers do not. When an entity is deleted, its ``on_ended`` is still called for each hit whose start it was
    told. The rules for event handlers, and for errors in them, apply here too.

    Parameters
    ----------
    on_started, on_ongoing, on_ended
        Called with the hits of the events "hit_started", "hit_ongoing" and "hit_ended", right after their handlers.
        None calls nothing.
    on_impulse, min_impulse
        ``on_impulse`` is called once for each strike of two bodies whose ``Hit.strike_impulse`` is at least
        ``min_impulse``. A strike is a blow; the weight of a body at rest is not. The call comes in the step in which
        the strike is complete: its first step or the next one. It comes after all events, or before all events if the
        hit ends in that step. There is no event for strikes.
    entities_only
        True calls the functions with two numbers, the entity and the other one, instead of a hit. This takes half the
        time.

    Raises
    ------
    TypeError
        If a function is not callable, ``entities_only`` is not a bool, or ``min_impulse`` is not a number; also when
        assigned.
    ValueError
        If ``min_impulse`` is negative or not finite; also when assigned.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> listener = HitListener(on_started=lambda hit: print("coin touched by", hit.entity_b))
    >>> coin = esper.create_entity(Transform(), CircleCollider(0.3), listener)
    >>> player = esper.create_entity(Transform(0.5, 0), CircleCollider(0.5))
    >>> esper.process(1 / 60)
    coin touched by 2
    """

    _changes: ClassVar[int] = 0
    """Counts assignments, to any listener."""

    on_started: HitCallback | None = None
    on_ongoing: HitCallback | None = None
    on_ended: HitCallback | None = None
    entities_only: bool = False
    on_impulse: HitCallback | None = None
    min_impulse: float = 0.0

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "entities_only":
            value = true_or_false("HitListener.entities_only", value)
        elif name == "min_impulse":
            value = finite_number("HitListener.min_impulse", value)
            if value < 0.0:
                raise ValueError(f"HitListener.min_impulse must be at least 0, got {value!r}")
        elif value is not None and not callable(value):
            raise TypeError(f"HitListener.{name} must be callable or None, got {value!r}")
        object.__setattr__(self, name, value)
        HitListener._changes += 1


@final
@dataclass(frozen=True, slots=True)
class Disabled(Marker):
    """Turns the collisions of an entity off while the entity has this component.

    Its colliders hit nothing and block nothing, and queries do not find them. Its hits end with the reason "disabled"
    and start again when you remove the component. The entity still moves, and a body keeps its mass. Its children are
    not disabled.

    Examples
    --------
    >>> ghost = esper.create_entity(Transform(), CircleCollider(1), Disabled())
    >>> esper.remove_component(ghost, Disabled)
    Disabled()
    """
