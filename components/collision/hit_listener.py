"""``HitListener``: what an entity does about its own hits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, final

from ecsphys.components.store.final import FinalBase

HitCallback = Callable[..., object]
"""Called with a :class:`~ecsphys.systems.collision.hits.Hit`, or with two entities; what it returns is ignored."""


@final
@dataclass(slots=True)
class HitListener(FinalBase):
    """Functions that are called with each hit of the entity, seen from it.

    The hit's ``entity_a`` is the entity itself, ``entity_b`` the other one, and ``normal`` points away from it (see
    ``Hit.seen_from``). ``on_started``, ``on_ongoing`` and ``on_ended`` are called in the steps in which the events of
    those names are sent, right after their handlers; None is not called. Unlike esper's handlers they are kept alive by
    the component: a lambda or a bound method will do.

    With ``entities_only`` they are called with two numbers instead, the entity itself and the other one, which takes
    half the time.

    An entity that is gone still hears of the end of its hits. What a function may do, and what happens where it
    raises, is as for the handlers of the events. ``TypeError`` for what cannot be called, and for an ``entities_only``
    that is no bool.
    """

    changes: ClassVar[int] = 0
    """Counts assignments, to any listener."""

    on_started: HitCallback | None = None
    on_ongoing: HitCallback | None = None
    on_ended: HitCallback | None = None
    entities_only: bool = False

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "entities_only":
            if not isinstance(value, bool):
                raise TypeError(f"HitListener.entities_only must be True or False, got {value!r}")
        elif value is not None and not callable(value):
            raise TypeError(f"HitListener.{name} must be callable or None, got {value!r}")
        object.__setattr__(self, name, value)
        HitListener.changes += 1
