"""A hit: one contact between two colliders, as an object for event handlers."""

from __future__ import annotations

import operator
from struct import Struct
from typing import Any, Final, Literal, final

import numpy as np
from numpy import bool_, float64, int32, int64, uint8

from ecsphys.components.collision.colliders import COLLIDER_CLASSES, Collider
from ecsphys.components.collision.polygon_collider import ChainCollider
from ecsphys.components.store.column import show
from ecsphys.components.store.component_table import entities_with
from ecsphys.systems.arguments import whole_number

Phase = Literal["started", "ongoing", "ended"]
Reason = Literal["despawned", "removed", "disabled", "filtered", "separated"]


# Type and shape of each column of hits, in the order in which a row is documented.
HIT_COLUMNS: Final[dict[str, tuple[type[np.generic], tuple[int, ...]]]] = {
    "entity_a": (int64, ()),
    "entity_b": (int64, ()),
    "collider_a": (uint8, ()),
    "collider_b": (uint8, ()),
    "part_a": (int32, ()),
    "part_b": (int32, ()),
    "sensor_a": (bool_, ()),
    "sensor_b": (bool_, ()),
    "normal": (float64, (2,)),
    "depth": (float64, ()),
    "points": (float64, (2, 2)),
    "point_count": (uint8, ()),
    "approach_speed": (float64, ()),
    "time": (float64, ()),
    "impulse": (float64, ()),
    "tangent_impulse": (float64, ()),
    "strike_impulse": (float64, ()),
    "is_new": (bool_, ()),
}

# The values of a hit beyond its entities, as bytes: a hit outlives the arrays it was found in, and few are ever read.
HIT_RECORD = np.dtype([(name, *column) for name, column in list(HIT_COLUMNS.items())[2:-1]])
_AT = {name: field[1] for name, field in (HIT_RECORD.fields or {}).items()}
_NUMBER, _TWO, _FOUR, _INTEGER = Struct("=d"), Struct("=2d"), Struct("=4d"), Struct("=i")
_POINTS, _POINT_COUNT, _NORMAL, _PARTS = _AT["points"], _AT["point_count"], _AT["normal"], _AT["part_a"]
_COLLIDERS, _SENSORS = _AT["collider_a"], _AT["sensor_a"]


@final
class Hit:
    """Two colliders of two entities that overlap. Handlers of hit events receive one.

    It is a copy of the values: keep it as long as you like. Do not assign to its attributes.

    Attributes
    ----------
    entity_a, entity_b
        The esper entities, ``entity_a < entity_b``. A ``HitListener`` gets its own entity first.
    phase
        "started", "ongoing" or "ended".
    reason
        Why the hit ended: "despawned", "removed", "disabled", "filtered" or "separated"; None in the other phases. A
        hit that ended has the values of its last step.

    Examples
    --------
    >>> def on_hit(hit):
    ...     print(hit.entity_a, hit.entity_b, hit.normal, hit.depth)
    >>> esper.set_handler("hit_started", on_hit)
    >>> physics = ecsphys.install()
    >>> a = esper.create_entity(Transform(0, 0), CircleCollider(1))
    >>> b = esper.create_entity(Transform(1.5, 0), CircleCollider(1))
    >>> esper.process(1 / 60)
    1 2 (1.0, 0.0) 0.5
    """

    __slots__ = ("_is_turned", "_record", "entity_a", "entity_b", "phase", "reason")

    def __init__(
        self, entity_a: int, entity_b: int, phase: Phase, reason: Reason | None, record: bytes, is_turned: bool = False
    ) -> None:
        self.entity_a: Final = entity_a
        self.entity_b: Final = entity_b
        self.phase: Final[Phase] = phase
        self.reason: Final[Reason | None] = reason
        self._record = record
        # Whether entity_a is the b of the record.
        self._is_turned = is_turned

    @property
    def collider_a(self) -> type[Collider | ChainCollider]:
        """The class of the collider of ``entity_a``."""
        return COLLIDER_CLASSES[self._record[_COLLIDERS + self._is_turned]]

    @property
    def collider_b(self) -> type[Collider | ChainCollider]:
        """The class of the collider of ``entity_b``."""
        return COLLIDER_CLASSES[self._record[_COLLIDERS + 1 - self._is_turned]]

    @property
    def normal(self) -> tuple[float, float]:
        """Unit vector from a to b."""
        x, y = _TWO.unpack_from(self._record, _NORMAL)
        return (0.0 - x, 0.0 - y) if self._is_turned else (x, y)

    @property
    def depth(self) -> float:
        """How far b must move along ``normal`` (or a against it) to end the overlap.

        In units, greater than 0. It is 0 if a ``Bullet`` touched on its path, and 0 or less if bodies were pushed apart
        before they overlapped.
        """
        return _number(self._record, "depth")

    @property
    def points(self) -> tuple[tuple[float, float], ...]:
        """One or two contact points in the world, midway between the two surfaces."""
        x0, y0, x1, y1 = _FOUR.unpack_from(self._record, _POINTS)
        return ((x0, y0),) if self._record[_POINT_COUNT] == 1 else ((x0, y0), (x1, y1))

    @property
    def approach_speed(self) -> float:
        """How fast the surfaces approach each other along ``normal``, in units/s: positive when closing.

        For a strike it is the speed before the bounce. For other hits it is −(v_b − v_a)·normal at the mean of the
        points, spin included.
        """
        return _number(self._record, "approach_speed")

    @property
    def time(self) -> float:
        """When in the step the two touched, from 0 to 1.

        For a strike this is the moment of the strike: 0 if the two touched as the step began. For a fast body that was
        stopped on its way, it is when the body got there; the impulse comes in the next step. All other hits have 1.
        """
        return _number(self._record, "time")

    @property
    def impulse(self) -> float:
        """How strongly two rigid bodies were pushed apart along ``normal`` in this step, mass · units/s; else 0.

        A hit that ended has the impulse of the step in which it ended: 0 if the two were apart before.
        """
        return _number(self._record, "impulse")

    @property
    def tangent_impulse(self) -> float:
        """The impulse of friction on b in this step, along (normal_y, −normal_x); 0 unless two bodies touch."""
        return _number(self._record, "tangent_impulse")

    @property
    def strike_impulse(self) -> float:
        """The impulse of a complete strike of the two entities, mass · units/s; else 0.

        A strike takes one step or two. Its impulse is the sum over all colliders and parts of the two, beyond their
        *load*, which is their impulse in the last calm step. If the two have several hits, one hit has it; ``time`` and
        ``approach_speed`` of this hit are from the first step of the strike. A strike through both centers of mass has
        the impulse m·v·(1 + e) at a wall, and m·M/(m + M)·v·(1 + e) between free bodies.
        """
        return _number(self._record, "strike_impulse")

    @property
    def part_a(self) -> int | None:
        """The number of ``entity_a``'s collider in its compound or chain, None for a collider on its own."""
        return _part(self._record, self._is_turned)

    @property
    def part_b(self) -> int | None:
        """The number of ``entity_b``'s collider in its compound or chain, None for a collider on its own."""
        return _part(self._record, not self._is_turned)

    @property
    def sensor_a(self) -> bool:
        """Whether the collider of ``entity_a`` is a sensor."""
        return self._record[_SENSORS + self._is_turned] != 0

    @property
    def sensor_b(self) -> bool:
        """Whether the collider of ``entity_b`` is a sensor."""
        return self._record[_SENSORS + 1 - self._is_turned] != 0

    def seen_from(self, entity: int) -> Hit:
        """The same hit with ``entity`` as ``entity_a``, so that ``normal`` points away from it.

        Raises ValueError unless ``entity`` is one of the two.
        """
        if self.other(entity) == self.entity_b:
            return self
        return Hit(self.entity_b, self.entity_a, self.phase, self.reason, self._record, not self._is_turned)

    def other(self, entity: int) -> int:
        """The other entity. Raises ValueError unless ``entity`` is one of the two, and TypeError unless it is a
        number."""
        number = whole_number("entity", entity)
        if number == self.entity_a:
            return self.entity_b
        if number == self.entity_b:
            return self.entity_a
        raise ValueError(f"entity {entity} is not in this hit of entities {self.entity_a} and {self.entity_b}")

    def entity_with(self, component: type[Any]) -> int | None:
        """The entity of the two that has a component of this class now; ``entity_a`` if both have one.

        None if neither has one, or if the entity was deleted. Raises TypeError unless ``component`` is a class.
        """
        refuse_no_class("component", component)
        owners = entities_with(component)
        return self.entity_a if self.entity_a in owners else self.entity_b if self.entity_b in owners else None

    def __eq__(self, other: object) -> bool:
        return _values(self) == _values(other) if isinstance(other, Hit) else NotImplemented

    def __hash__(self) -> int:
        return hash(_values(self))

    def __repr__(self) -> str:
        fields = zip(_FIELDS, _values(self), strict=True)
        shown = (f"{name}={value.__name__ if isinstance(value, type) else repr(value)}" for name, value in fields)
        return f"Hit({', '.join(shown)})"


# Its fields in the order in which they are shown.
_PROPERTIES = [name for name, one in vars(Hit).items() if isinstance(one, property)]
_FIELDS = "entity_a", "entity_b", *_PROPERTIES[:6], "phase", "reason", *_PROPERTIES[6:]
_values = operator.attrgetter(*_FIELDS)

# The arguments of ``Hit``.
HitArguments = tuple[int, int, Phase, Reason | None, bytes]


def refuse_no_class(name: str, asked: Any) -> None:
    """Raise TypeError unless ``asked`` is a class."""
    if not isinstance(asked, type):
        raise TypeError(f"{name} must be a component class, got {show(asked)}")


def _number(record: bytes, name: str) -> float:
    number: float
    (number,) = _NUMBER.unpack_from(record, _AT[name])
    return number


def _part(record: bytes, side: int) -> int | None:
    part: int
    (part,) = _INTEGER.unpack_from(record, _PARTS + 4 * side)
    return None if part < 0 else part
