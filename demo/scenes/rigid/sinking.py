"""How bodies leave a scene in sight: they sink through the floor, darken, and are gone."""

from __future__ import annotations

import math

import esper

from ecsphys import CollisionFilter, Drag, RigidBody
from ecsphys.demo.scenes.rigid.tint import Tint

_SECONDS = 1.6
_DARKENS, _SYRUP = 2.2, 8.0
"""How fast a body darkens, and is slowed down while it sinks, 1/s."""


class Sinking:
    """Groups of entities that nothing holds up any more; each is deleted after a while."""

    def __init__(self) -> None:
        self._groups: list[tuple[float, list[int]]] = []
        """The seconds that are left, and the entities."""

    def add(self, entities: list[int]) -> None:
        """Let bodies sink, with the joints between them."""
        left = [entity for entity in entities if esper.entity_exists(entity)]
        for entity in left:
            if esper.has_component(entity, RigidBody):
                esper.add_component(entity, CollisionFilter(mask=0))
                esper.add_component(entity, Drag(_SYRUP))
        self._groups.append((_SECONDS, left))

    def advance(self, dt: float) -> None:
        """Let time go by."""
        self._groups = [(seconds - dt, entities) for seconds, entities in self._groups]
        bright = math.exp(-dt * _DARKENS)
        for seconds, entities in self._groups:
            for entity in filter(esper.entity_exists, entities):
                tint = esper.try_component(entity, Tint)
                if seconds <= 0.0:
                    esper.delete_entity(entity, immediate=True)
                elif tint is not None:
                    tint.red, tint.green, tint.blue = bright * tint.red, bright * tint.green, bright * tint.blue
        self._groups = [group for group in self._groups if group[0] > 0.0]
