"""``HitListener``, functions that are called with the hits of an entity; and ``Disabled``, an entity without hits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, final

from ecsphys.components.other_names import checks_arguments
from ecsphys.components.store.column import finite_number
from ecsphys.components.store.many import FinalBase, Marker

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
            if not isinstance(value, bool):
                raise TypeError(f"HitListener.entities_only must be True or False, got {value!r}")
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
