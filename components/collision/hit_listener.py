"""``HitListener``: functions that an entity calls with its own hits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, final

from ecsphys.components.argument_names import names_arguments
from ecsphys.components.store.column import finite_number
from ecsphys.components.store.final import FinalBase

HitCallback = Callable[..., object]
"""Called with a :class:`~ecsphys.systems.hits.hit.Hit`, or with two entities; what it returns is ignored."""


@names_arguments
@final
@dataclass(slots=True)
class HitListener(FinalBase):
    """Functions that are called with each hit of the entity, as seen from it.

    The hit's ``entity_a`` is the entity itself, ``entity_b`` the other one, and ``normal`` points away from the entity
    (see :meth:`Hit.seen_from`). The component keeps its functions alive, unlike esper's handlers: a lambda or a bound
    method works. A deleted entity still gets the ends of its hits. What a function may do, and what happens if it
    raises, is the same as for the handlers of the events.

    Parameters
    ----------
    on_started, on_ongoing, on_ended
        Called in the steps in which the event of that name is sent, right after its handlers; None calls nothing.
    on_impulse, min_impulse
        ``on_impulse`` is called once for each strike of two bodies whose ``Hit.strike_impulse`` is at least
        ``min_impulse``: a blow, not the weight of a body at rest. That is in the step in which the strike is complete,
        its first or the one after. It is called after all others, but before the end of a hit that ends in that step.
        There is no event of that kind.
    entities_only
        True calls them with two numbers, the entity and the other one, in half the time.

    Raises
    ------
    TypeError
        A function that cannot be called, an ``entities_only`` that is no bool, or a ``min_impulse`` that is no number;
        also when assigned.
    ValueError
        A ``min_impulse`` that is negative or not finite.

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
