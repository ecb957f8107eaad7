"""Which entities of the current world have which components, as the checks ask it, and what the checks find."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import esper

from ecsphys.components.collision.colliders import COLLIDER_CLASSES
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.dynamics.rigid_body import RigidBody
from ecsphys.components.motion.transform import Parent
from ecsphys.components.store.component_table import dead_entities
from ecsphys.systems.world.entity_table import TRAJECTORY_CLASSES
from ecsphys.systems.world.esper_world import component_classes, has_entity

Kind = TypeVar("Kind")

WITH_SHAPES = (*COLLIDER_CLASSES, CompoundCollider)


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of ``physics.debug.check()``; ``str`` makes a line of it.

    ``message``: mistake and remedy. ``entity``: the first entity that has it, or None.
    ``component``, ``field``: the names of the component class and of its field, or "". ``count``: how many entities
    have it.
    """

    message: str
    entity: int | None = None
    component: str = ""
    field: str = ""
    count: int = 1

    def __str__(self) -> str:
        where = [] if self.entity is None else [f"entity {self.entity}"]
        if self.count > 1:
            where = [f"{where[0]} and {self.count - 1:,} more"]
        if self.component:
            where.append(f"{self.component}.{self.field}" if self.field else self.component)
        return f"{', '.join(where)}: {self.message}" if where else self.message


def found(entities: list[int], message: str, component: str = "", field: str = "") -> list[Finding]:
    """One finding for all of some entities, none without any."""
    return [Finding(message, entities[0], component, field, len(entities))] if entities else []


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

    def having_on(self, classes: Iterable[type], entities: Container[int], message: str) -> Iterator[Finding]:
        """A finding for each class that has a component on one of some ``entities``."""
        for cls in classes:
            yield from found([one for one in self.having(cls) if one in entities], message, cls.__name__)

    def having_without(self, classes: Iterable[type], entities: Container[int], message: str) -> Iterator[Finding]:
        """A finding for each class that has a component on an entity other than some ``entities``."""
        for cls in classes:
            yield from found([one for one in self.having(cls) if one not in entities], message, cls.__name__)

    def having_where(
        self, cls: type[Kind], is_wrong: Callable[[Kind], Any], message: str, field: str = ""
    ) -> Iterator[Finding]:
        """A finding if components of a class have wrong values."""
        wrong = [entity for entity, one in self.having(cls).items() if is_wrong(one)]
        yield from found(wrong, message, cls.__name__, field)

    @cached_property
    def kinds(self) -> dict[int, str]:
        """The kinds of all rigid bodies."""
        return {entity: body.kind for entity, body in self.having(RigidBody).items()}

    def of_kind(self, kind: str) -> list[int]:
        """The rigid bodies of a kind, ascending."""
        return [entity for entity, own in self.kinds.items() if own == kind]

    @cached_property
    def with_collider(self) -> set[int]:
        """The entities with any collider."""
        return self.with_any(*WITH_SHAPES)

    @cached_property
    def on_paths(self) -> set[int]:
        """The entities with a trajectory."""
        return self.with_any(*TRAJECTORY_CLASSES)

    @cached_property
    def carriers(self) -> dict[int, int]:
        """For each child the outermost entity that carries it."""
        parents = {entity: parent.entity for entity, parent in self.having(Parent).items()}
        outermost = {}
        for child in parents:
            seen, carrier = {child}, parents[child]
            while carrier in parents and carrier not in seen:
                seen.add(carrier)
                carrier = parents[carrier]
            outermost[child] = carrier
        return outermost

    def with_carried(self, entities: Iterable[int]) -> set[int]:
        """Some entities, and the children that they carry."""
        carrying = set(entities)
        return carrying | {child for child, carrier in self.carriers.items() if carrier in carrying}

    def with_carriers(self, entities: Iterable[int]) -> set[int]:
        """Some entities, and the outermost ones that carry them."""
        carried = set(entities)
        return carried | {carrier for child, carrier in self.carriers.items() if child in carried}
