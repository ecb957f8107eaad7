"""Which entities of the current world have which components, as the checks ask it."""

from __future__ import annotations

from typing import TypeVar

import esper

from ecsphys.components.collision.colliders import COLLIDER_CLASSES
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.store.component_table import dead_entities
from ecsphys.systems.world.esper_world import component_classes, has_entity

Kind = TypeVar("Kind")

WITH_SHAPES = (*COLLIDER_CLASSES, CompoundCollider)


class Census:
    """The components of the entities that are alive; each class is asked for once."""

    def __init__(self) -> None:
        self._dead = dead_entities()
        self._known: dict[type, dict[int, object]] = {}

    def having(self, cls: type[Kind]) -> dict[int, Kind]:
        """The entities with a component of a class, ascending, and the components."""
        if cls not in self._known:
            answer = esper.get_component(cls)
            self._known[cls] = dict(sorted((entity, one) for entity, one in answer if entity not in self._dead))
        return self._known[cls]  # type: ignore[return-value]

    def classes_given(self) -> dict[int, type]:
        """The entities that have a class where a component should be, ascending, and one such class of each."""
        found: dict[int, type] = {}
        for cls in component_classes():
            if issubclass(cls, type):
                found.update(self.having(cls))
        return dict(sorted(found.items()))

    def is_alive(self, entity: int) -> bool:
        """Whether an entity exists and is not marked dead."""
        return has_entity(entity) and entity not in self._dead

    def with_any(self, *classes: type) -> set[int]:
        """The entities with a component of at least one of some classes."""
        return {entity for cls in classes for entity in self.having(cls)}

    def with_collider(self) -> set[int]:
        """The entities with any collider."""
        return self.with_any(*WITH_SHAPES)
