"""The ``HitListener`` components of a world: which functions are called for which hits."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Final, Literal

import esper
import numpy as np
from numpy import bool_, float64, int64
from numpy.typing import NDArray

from ecsphys.components.collision.collision_filter import HitCallback, HitListener
from ecsphys.components.store.component_table import ComponentRows
from ecsphys.systems.hits.hit import Phase
from ecsphys.systems.world.esper_world import has_entity

Occasion = Phase | Literal["struck"]
"""When a listener is called: in a phase of a hit, or for a strike that is strong enough."""

CALLBACK_NAMES: Final[dict[Occasion, str]] = {
    "started": "on_started",
    "ongoing": "on_ongoing",
    "ended": "on_ended",
    "struck": "on_impulse",
}
"""The field of a listener for each occasion."""

CALLBACKS: Final[dict[Occasion, Callable[[HitListener], HitCallback | None]]] = {
    occasion: operator.attrgetter(name) for occasion, name in CALLBACK_NAMES.items()
}
"""Asks a listener for its function for an occasion."""


class HitListeners:
    """The listeners of one world as of one step; the next step has another object, or the same if nothing changed."""

    __slots__ = ("_changes", "_entities", "_gone", "_least_impulses", "_listeners", "_source")

    def __init__(self, source: ComponentRows, listeners: dict[int, HitListener]) -> None:
        self._source = source
        self._listeners = listeners
        self._gone: dict[int, HitListener] = {}
        self._changes = HitListener._changes
        self._entities: dict[Occasion, NDArray[int64]] = {
            phase: np.fromiter((e for e, one in listeners.items() if callback_of(one) is not None), int64)
            for phase, callback_of in CALLBACKS.items()
        }
        struck = self._entities["struck"].tolist()
        self._least_impulses = np.array([listeners[entity].min_impulse for entity in struck])

    @classmethod
    def of(cls, source: ComponentRows, last: HitListeners) -> HitListeners:
        """The listeners of a step. Listeners of ``last`` whose entities have gone are still called with ends."""
        if source is last._source:
            if last._changes == HitListener._changes and not last._gone:
                return last
            return cls(source, last._listeners)
        listeners = cls(source, dict(zip(source.entity.tolist(), source.instances, strict=True)))
        lost = np.setdiff1d(last._source.entity, source.entity)
        listeners._gone = {entity: last._listeners[entity] for entity in lost.tolist() if not has_entity(entity)}
        return listeners

    @property
    def are_none(self) -> bool:
        """Whether there is no listener at all."""
        return not self._listeners and not self._gone

    def are_told(self, phase: Occasion) -> bool:
        """Whether any listener has a function for hits in a phase."""
        return self._entities[phase].size > 0 or (phase == "ended" and len(self._gone) > 0)

    def are_entities_told(self, phase: Phase, entities: NDArray[int64]) -> NDArray[bool_]:
        """Which of some entities (n,) have a listener with a function for hits in a phase."""
        told = self._entities[phase]
        if phase == "ended" and self._gone:
            told = np.append(told, list(self._gone))
        return np.isin(entities, told)

    def are_entities_struck(self, entities: NDArray[int64], impulses: NDArray[float64]) -> NDArray[bool_]:
        """Which of some entities (n,) have a listener that is called for strikes with these impulses (n,)."""
        told = self._entities["struck"]
        place = np.minimum(np.searchsorted(told, entities), told.size - 1)
        found: NDArray[bool_] = (told[place] == entities) & (impulses >= self._least_impulses[place])
        return found

    def find(self, entity: int, phase: Occasion) -> HitListener | None:
        """The listener of an entity, if it is still attached; one whose entity is gone is called with ends."""
        if phase == "ended" and (gone := self._gone.get(entity)) is not None:
            return gone
        listener = self._listeners.get(entity)
        if listener is None:
            return None
        # This is asked for each hit, so not by esper's own function.
        components = esper._entities.get(entity)
        if components is not None and components.get(HitListener) is listener:
            return listener
        # A handler of this step has removed or replaced it, or deleted its entity.
        return listener if phase == "ended" and not has_entity(entity) else None
