"""``Census``: which entities have which components, as the checks ask it, and the list of findings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar

import esper

from ecsphys.components.collision.colliders import COLLIDER_CLASSES
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.dynamics.rigid_body import RigidBody
from ecsphys.components.motion.transform import Parent, Velocity
from ecsphys.components.store.many import dead_entities
from ecsphys.systems.diagnosis.debug import Finding
from ecsphys.systems.world.entity_table import TRAJECTORY_CLASSES
from ecsphys.systems.world.esper_world import component_classes, has_entity

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

Kind = TypeVar("Kind")

WITH_SHAPES: Final = (*COLLIDER_CLASSES, CompoundCollider)


class Census:
    """The components of the entities that are alive; each class is asked for once. Checks report to it."""

    def __init__(self, state: PhysicsState) -> None:
        self.state = state
        self.findings: list[Finding] = []
        self._dead = dead_entities()
        self._known: dict[type, dict[int, object]] = {}

    def report(self, entities: Collection[int], message: str, cls: type | None = None, field: str = "") -> None:
        """Add one finding for all of some entities, none without any."""
        if entities:
            component = "" if cls is None else cls.__name__
            self.findings.append(Finding(message, min(entities), component, field, len(entities)))

    def report_world(self, message: str, cls: type | None = None) -> None:
        """Add a finding that names no entity."""
        self.findings.append(Finding(message, component="" if cls is None else cls.__name__))

    def report_on(self, classes: Iterable[type], entities: Container[int], message: str) -> None:
        """Report each class that has a component on one of some ``entities``."""
        for cls in classes:
            self.report([one for one in self.having(cls) if one in entities], message, cls)

    def report_without(self, classes: Iterable[type], entities: Container[int], message: str) -> None:
        """Report each class that has a component on an entity other than some ``entities``."""
        for cls in classes:
            self.report([one for one in self.having(cls) if one not in entities], message, cls)

    def report_values(self, cls: type[Kind], is_wrong: Callable[[Kind], Any], message: str, field: str = "") -> None:
        """Report components of a class with wrong values."""
        self.report([entity for entity, one in self.having(cls).items() if is_wrong(one)], message, cls, field)

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

    @cached_property
    def kinds(self) -> dict[int, str]:
        """The kinds of all rigid bodies."""
        return {entity: body.kind for entity, body in self.having(RigidBody).items()}

    @cached_property
    def static(self) -> set[int]:
        """The static bodies."""
        return {entity for entity, kind in self.kinds.items() if kind == "static"}

    @cached_property
    def dynamic(self) -> set[int]:
        """The dynamic bodies."""
        return {entity for entity, kind in self.kinds.items() if kind == "dynamic"}

    @cached_property
    def with_collider(self) -> set[int]:
        """The entities with any collider."""
        return self.with_any(*WITH_SHAPES)

    @cached_property
    def on_paths(self) -> set[int]:
        """The entities with a trajectory."""
        return self.with_any(*TRAJECTORY_CLASSES)

    @cached_property
    def speeding(self) -> set[int]:
        """The entities whose Velocity is not 0."""
        return {entity for entity, one in self.having(Velocity).items() if one.x or one.y or one.angular}

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

    def carrier_of(self, entity: int) -> int:
        """The outermost entity that carries an entity; the entity itself if nothing does."""
        return self.carriers.get(entity, entity)
