"""The ``HitListener`` components of a world: who is to be told of which hits."""

from __future__ import annotations

import esper
import numpy as np
from numpy import bool_, int64
from numpy.typing import NDArray

from ecsphys.components.component_table import NO_ROWS
from ecsphys.components.hit_listener import HitCallback, HitListener
from ecsphys.systems.detection.hits import Hit, HitArrays, Phase
from ecsphys.systems.world.world_index import WorldIndex

_PHASES: tuple[Phase, ...] = ("started", "ongoing", "ended")
_NOBODY: NDArray[int64] = np.zeros(0, int64)


class HitListeners:
    """The listeners of one world as of its last step; who is gone since the step before is told of ends."""

    __slots__ = ("_changes", "_entities", "_gone", "_is_cleared", "_listeners", "_source", "_token")

    def __init__(self) -> None:
        self._source = NO_ROWS
        self._token: object = None
        self._listeners: dict[int, HitListener] = {}
        self._entities: dict[Phase, NDArray[int64]] = dict.fromkeys(_PHASES, _NOBODY)
        self._changes = -1
        self._gone: dict[int, HitListener] = {}
        self._is_cleared = False

    def update(self, index: WorldIndex) -> None:
        """Take on the listeners of the index of this step."""
        self._gone = {}
        # Where the database was cleared, an entity that has the number of an old one is another.
        self._is_cleared = self._token is not None and self._token is not index.token
        self._token = index.token
        if index.listeners is not self._source:
            old, source = self._listeners, index.listeners
            lost = self._source.entity if self._is_cleared else np.setdiff1d(self._source.entity, source.entity)
            self._gone = {e: old[e] for e in lost.tolist() if self._is_cleared or not esper.entity_exists(e)}
            self._listeners = dict(zip(source.entity.tolist(), source.instances, strict=True))
            self._source = source
            self._changes = -1
        if self._changes != HitListener.changes:
            self._changes = HitListener.changes
            for phase in _PHASES:
                told = (entity for entity, one in self._listeners.items() if _callback(one, phase) is not None)
                self._entities[phase] = np.fromiter(told, int64)

    def are_told(self, phase: Phase) -> bool:
        """Whether anybody wants to know of hits in a phase."""
        return self._entities[phase].size > 0 or (phase == "ended" and len(self._gone) > 0)

    def rows_told(self, phase: Phase, hits: HitArrays) -> NDArray[bool_]:
        """Which of some hits (n,) somebody wants to know of."""
        entities = self._entities[phase]
        return np.isin(hits.entity_a, entities) | np.isin(hits.entity_b, entities)

    def calls_for(self, hit: Hit) -> list[tuple[HitCallback, Hit]]:
        """The functions to be called for a hit, that of its first entity first, and what with."""
        if not self._listeners and not self._gone:
            return []
        calls = []
        for entity in (hit.entity_a, hit.entity_b):
            listener = self._gone.get(entity) if hit.phase == "ended" else None
            if listener is None and not (hit.phase == "ended" and self._is_cleared):
                listener = self._listeners.get(entity)
            callback = None if listener is None else _callback(listener, hit.phase)
            if callback is not None:
                calls.append((callback, hit.seen_from(entity)))
        return calls


def _callback(listener: HitListener, phase: Phase) -> HitCallback | None:
    if phase == "started":
        return listener.on_started
    return listener.on_ongoing if phase == "ongoing" else listener.on_ended
