"""A world whose entities, components, joints and filters come and go at random."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import esper

import ecsphys
from checks.attacked_world import AttackedWorld, Pair
from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    CollisionFilter,
    CompoundCollider,
    Disabled,
    DistanceJoint,
    LinearTrajectory,
    OBBCollider,
    Parent,
    RevoluteJoint,
    RigidBody,
    Transform,
    Velocity,
    WeldJoint,
)

_SIZE = 12.0
_FEWEST, _MOST = 20, 60
_JOINTS = (DistanceJoint, RevoluteJoint, WeldJoint)
_KINDS = ("dynamic", "kinematic", "static")
_REMOVABLE = (Velocity, RigidBody, CollisionFilter, Parent, Disabled, LinearTrajectory, *ecsphys.COLLIDER_CLASSES)


class LifecycleWorld(AttackedWorld):
    """An attacked world with more operations; nothing cuts its steps short.

    Attributes
    ----------
    made
        The names of all operations until now.
    steps
        How many steps were made.
    """

    def __init__(self, name: str, seed: int) -> None:
        super().__init__(name, seed, _FEWEST)
        self.seed = seed
        self.random = self._rng
        self.made: list[str] = []
        self.steps = 0
        self._joints: list[int] = []
        self._operations: tuple[Callable[[], None], ...] = (
            self.spawn,
            self.spawn_many,
            self.delete,
            self.delete_many,
            self.move,
            self.move_rows,
            self.disable,
            self.replace_collider,
            self.write_collider,
            self.remove_component,
            self.attach,
            self.make_body,
            self.switch_kind,
            self.write_material,
            self.write_filter,
            self.join_bodies,
            self.change_joint,
            self.push,
            self.query,
            self.start_again,
        )

    def enter(self) -> None:
        """Make this world esper's current one."""
        esper.switch_world(self.name)

    def step(self) -> None:
        """One step."""
        self.steps += 1
        super().step()

    def change(self) -> None:
        """One operation at random."""
        operation = self._operations[int(self.random.integers(len(self._operations)))]
        self.made.append(operation.__name__)
        operation()

    def _live(self) -> list[int]:
        """Entities that are there and not marked for deletion."""
        self._entities = [one for one in self._entities if esper.entity_exists(one) and one not in esper._dead_entities]
        return self._entities

    def _any(self, *classes: type[Any]) -> int | None:
        """An entity that has such components; None if there is none."""
        chosen = [one for one in self._live() if all(esper.has_component(one, cls) for cls in classes)]
        return int(self.random.choice(chosen)) if chosen else None

    def spawn(self) -> None:
        """Create an entity of any kind."""
        if len(self._live()) < _MOST:
            self._entities.append(self._create(int(self.random.integers(1000))))

    def spawn_many(self) -> None:
        """Create some alike."""
        count = int(self.random.integers(1, 9))
        if len(self._live()) + count <= _MOST:
            x, y = self.random.uniform(-_SIZE, _SIZE, (2, count))
            parts: list[Any] = [Transform.many(x=x, y=y), OBBCollider.many(0.7, 0.4)]
            if self.random.integers(2):
                parts.append(Velocity.many(x=self.random.uniform(-5.0, 5.0, count)))
            if self.random.integers(2):
                parts.append(RigidBody.many())
            self._entities += ecsphys.spawn_many(count, *parts).tolist()

    def delete(self) -> None:
        """Delete an entity, at once or in the next step."""
        if len(self._live()) > _FEWEST:
            esper.delete_entity(int(self.random.choice(self._entities)), immediate=bool(self.random.integers(2)))

    def delete_many(self) -> None:
        """Delete some at once."""
        count = int(self.random.integers(1, 6))
        if len(self._live()) - count > _FEWEST:
            ecsphys.despawn_many(self.random.choice(self._entities, count, replace=False))

    def move(self) -> None:
        """Write a place, by its fields."""
        chosen = self._any(Transform)
        if chosen is not None:
            place = esper.component_for_entity(chosen, Transform)
            place.x, place.y, place.angle = self.random.uniform(-_SIZE, _SIZE, 3).tolist()

    def move_rows(self) -> None:
        """Write places, as rows or in an array."""
        live = self._live()
        chosen = self.random.choice(live, min(len(live), 4), replace=False)
        rows = Transform.rows_of(chosen)
        if self.random.integers(2):
            Transform.write(rows, x=self.random.uniform(-_SIZE, _SIZE, len(rows)))
        else:
            Transform.column("y")[rows] = self.random.uniform(-_SIZE, _SIZE, len(rows))

    def disable(self) -> None:
        """Disable an entity, or enable it again."""
        chosen = self._any(Transform)
        if chosen is not None:
            if esper.has_component(chosen, Disabled):
                esper.remove_component(chosen, Disabled)
            else:
                esper.add_component(chosen, Disabled())

    def replace_collider(self) -> None:
        """Attach a collider, which replaces one of its class."""
        chosen = self._any(Transform)
        if chosen is not None:
            size = float(self.random.uniform(0.3, 1.5))
            colliders: tuple[Callable[[], Any], ...] = (
                lambda: CircleCollider(size),
                lambda: AABBCollider(size, 0.5),
                lambda: CapsuleCollider(size, 0.3),
                lambda: CompoundCollider([CircleCollider(size), OBBCollider(0.4, 0.9, 1.0)]),
            )
            esper.add_component(chosen, colliders[int(self.random.integers(len(colliders)))]())

    def write_collider(self) -> None:
        """Write a size, or switch a sensor on or off."""
        chosen = self._any(CircleCollider)
        if chosen is not None:
            collider = esper.component_for_entity(chosen, CircleCollider)
            if self.random.integers(2):
                collider.radius = float(self.random.uniform(0.3, 2.0))
            else:
                collider.sensor = not collider.sensor

    def remove_component(self) -> None:
        """Take a component away."""
        cls = _REMOVABLE[int(self.random.integers(len(_REMOVABLE)))]
        chosen = self._any(cls)
        if chosen is not None:
            esper.remove_component(chosen, cls)

    def attach(self) -> None:
        """Give an entity a parent that is older, or write its place in the parent's frame."""
        chosen = self._any(Transform)
        if chosen is None or esper.has_component(chosen, RigidBody):
            return
        older = [one for one in self._live() if one < chosen]
        if esper.has_component(chosen, Parent) and self.random.integers(2):
            esper.component_for_entity(chosen, Parent).x = float(self.random.uniform(-2.0, 2.0))
        elif older:
            esper.add_component(chosen, Parent(int(self.random.choice(older)), 1.0, 0.5))

    def make_body(self) -> None:
        """Make a body of an entity, or replace what it is."""
        chosen = self._any(Transform)
        if chosen is not None and not esper.has_component(chosen, Parent):
            kind: Any = _KINDS[int(self.random.integers(3))]
            esper.add_component(chosen, RigidBody(kind, mass=1.0))
            if not esper.has_component(chosen, Velocity):
                esper.add_component(chosen, Velocity(*self.random.uniform(-2.0, 2.0, 3)))

    def switch_kind(self) -> None:
        """Write a body's kind."""
        chosen = self._any(RigidBody)
        if chosen is not None:
            kind: Any = _KINDS[int(self.random.integers(3))]
            esper.component_for_entity(chosen, RigidBody).kind = kind

    def write_material(self) -> None:
        """Write a material, in one of three ways."""
        chosen = self._any(RigidBody)
        if chosen is not None:
            value, way = float(self.random.uniform(0.0, 1.0)), int(self.random.integers(3))
            rows = RigidBody.rows_of([chosen])
            if way == 0:
                esper.component_for_entity(chosen, RigidBody).friction = value
            elif way == 1:
                RigidBody.write(rows, restitution=value)
            else:
                RigidBody.column("friction")[rows] = value

    def write_filter(self) -> None:
        """Attach a filter, or write one, in one of three ways."""
        chosen, way = self._any(Transform), int(self.random.integers(4))
        if chosen is None:
            return
        layers, mask = self.random.integers(1, 4, 2).tolist()
        if not esper.has_component(chosen, CollisionFilter) or way == 0:
            esper.add_component(chosen, CollisionFilter(layers=layers, mask=mask))
        elif way == 1:
            esper.component_for_entity(chosen, CollisionFilter).mask = mask
        elif way == 2:
            CollisionFilter.write(CollisionFilter.rows_of([chosen]), layers=layers)
        else:
            CollisionFilter.column("mask")[CollisionFilter.rows_of([chosen])] = mask

    def join_bodies(self) -> None:
        """Join two dynamic bodies; the joint may break, and may let them collide."""
        bodies = [one for one in self._live() if _is_dynamic(one)]
        if len(bodies) < 2:
            return
        a, b = self.random.choice(bodies, 2, replace=False).tolist()
        cls: Any = _JOINTS[int(self.random.integers(len(_JOINTS)))]
        collide = bool(self.random.integers(2))
        force = float(self.random.choice((5.0, 1e9)))
        more = {"length": 1.0} if cls is DistanceJoint else {}
        self._joints.append(esper.create_entity(cls(a, b, collide_connected=collide, break_force=force, **more)))

    def change_joint(self) -> None:
        """Delete a joint, or write whether its bodies collide."""
        self._joints = [one for one in self._joints if esper.entity_exists(one) and _joint_of(one) is not None]
        if self._joints:
            chosen = int(self.random.choice(self._joints))
            joint = _joint_of(chosen)
            if self.random.integers(2) and joint is not None:
                joint.collide_connected = not joint.collide_connected
            else:
                esper.delete_entity(chosen, immediate=bool(self.random.integers(2)))

    def push(self) -> None:
        """Push, wake or stop a body."""
        bodies = [one for one in self._live() if _is_dynamic(one)]
        if bodies:
            chosen, way = int(self.random.choice(bodies)), int(self.random.integers(2))
            if way:
                esper.component_for_entity(chosen, Velocity).x = float(self.random.uniform(-5.0, 5.0))
            else:
                esper.component_for_entity(chosen, Velocity).x = 0.0

    def query(self) -> None:
        """Ask something between two steps."""
        x, y = self.random.uniform(-_SIZE, _SIZE, 2).tolist()
        found = self.physics.query_point((x, y))
        unknown = [one for one in found if not esper.entity_exists(int(getattr(one, "entity", one)))]
        if unknown:
            raise AssertionError(f"a query finds {unknown}, which are deleted")

    def start_again(self) -> None:
        """Rarely: delete everything, and build the world again; its hits end without events."""
        if self.random.random() < 0.02:
            esper.clear_database()
            self.open, self._open_events, self._seen = set(), set(), self.physics.hits
            self._told.clear()
            self._joints = []
            self._entities = [self._create(int(self.random.integers(1000))) for _ in range(_FEWEST)]

    def _truth(self) -> set[Pair]:
        """What brute force finds, without the pairs of two bodies that a joint keeps apart, their children included."""
        apart = {
            frozenset((joint.entity_a, joint.entity_b))
            for cls in _JOINTS
            for _, joint in esper.get_component(cls)
            if not joint.collide_connected
        }
        return {pair for pair in super()._truth() if frozenset(map(_body_of, pair[:2])) not in apart}


def _body_of(entity: int) -> int:
    """The body that an entity belongs to: itself, or the nearest ancestor that is one; itself if there is none."""
    carrier = entity
    while not esper.has_component(carrier, RigidBody):
        parent = esper.try_component(carrier, Parent)
        if parent is None or not esper.entity_exists(parent.entity):
            return entity
        carrier = parent.entity
    return carrier


def _is_dynamic(entity: int) -> bool:
    body = esper.try_component(entity, RigidBody)
    return body is not None and body.kind == "dynamic" and esper.has_component(entity, Velocity)


def _joint_of(entity: int) -> Any:
    return next((one for cls in _JOINTS if (one := esper.try_component(entity, cls)) is not None), None)
