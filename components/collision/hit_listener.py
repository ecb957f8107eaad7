"""``HitListener``: what an entity does about its own hits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, final

HitCallback = Callable[[Any], object]
"""Called with a :class:`~ecsphys.systems.collision.hits.Hit`; what it returns is ignored."""


@final
@dataclass(slots=True)
class HitListener:
    """Functions that are called with each hit of the entity, seen from it.

    The hit's ``entity_a`` is the entity itself, ``entity_b`` the other one, and ``normal`` points away from it (see
    ``Hit.seen_from``). ``on_started``, ``on_ongoing`` and ``on_ended`` are called in the steps in which the events of
    those names are sent, right after their handlers; None is not called. Unlike esper's handlers they are kept alive by
    the component: a lambda or a bound method will do.

    An entity that is gone still hears of the end of its hits. What a function may do, and what happens where it
    raises, is as for the handlers of the events. ``TypeError`` for what cannot be called.
    """

    changes: ClassVar[int] = 0
    """Counts assignments, to any listener."""

    on_started: HitCallback | None = None
    on_ongoing: HitCallback | None = None
    on_ended: HitCallback | None = None

    def __setattr__(self, name: str, value: Any) -> None:
        if value is not None and not callable(value):
            raise TypeError(f"HitListener.{name} must be callable or None, got {value!r}")
        object.__setattr__(self, name, value)
        HitListener.changes += 1
