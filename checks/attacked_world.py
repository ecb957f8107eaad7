"""A world that is stepped under attack, and the books that are kept of its hits."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import esper
import numpy as np

import ecsphys
from ecsphys import (
    AABBCollider,
    Bullet,
    CapsuleCollider,
    CircleCollider,
    CircularTrajectory,
    CollisionFilter,
    CompoundCollider,
    Disabled,
    FanCollider,
    HitListener,
    LinearTrajectory,
    OBBCollider,
    Parent,
    PolygonCollider,
    Transform,
    Velocity,
)
from ecsphys.components.store.standing_blocks import HOLDERS

STEP = 1 / 60
_SIZE = 12.0

Pair = tuple[int, ...]


class AttackedWorld:
    """A world under attack, and the books that are kept of its hits."""

    def __init__(self, name: str, seed: int, size: int = 40) -> None:
        self.name = name
        esper.switch_world(name)
        self._rng = np.random.default_rng(seed)
        self.physics = ecsphys.install()
        self.open: set[Pair] = set()
        self._told: list[ecsphys.types.Hit] = []
        self._open_events: set[Pair] = set()
        self.heard: set[Pair] = set()
        self._seen: ecsphys.types.HitArrays | None = None
        self._entities = [self._create(k) for k in range(size)]
        # Nothing of Python's runs in it: an interrupt comes before or after it.
        self._note = partial(list.append, self._told)
        for event in ("hit_started", "hit_ended"):
            esper.set_handler(event, self._note)
            esper.set_handler(event, self.heard_of)

    def close(self) -> None:
        """Leave nothing of it."""
        esper.switch_world("default")
        for name in (self.name, f"{self.name}: truth"):
            if name in esper.list_worlds():
                esper.delete_world(name)

    def _create(self, kind: int) -> int:
        rng = self._rng
        x, y, angle = rng.uniform(-_SIZE, _SIZE), rng.uniform(-_SIZE, _SIZE), rng.uniform(-3.0, 3.0)
        colliders: tuple[Callable[[], Any], ...] = (
            lambda: CircleCollider(rng.uniform(0.3, 1.5)),
            lambda: AABBCollider(rng.uniform(0.3, 1.5), 0.7),
            lambda: OBBCollider(rng.uniform(0.3, 2.0), 0.5, offset_x=0.2),
            lambda: CapsuleCollider(rng.uniform(0.0, 2.0), 0.4),
            lambda: FanCollider(1.5, rng.uniform(0.3, 6.2)),
            lambda: PolygonCollider([(0, 0), (1.5, 0), (0.4, 1.2)], radius=0.1),
            lambda: CompoundCollider([CircleCollider(0.5), OBBCollider(0.4, 0.9, 1.0), CircleCollider(0.6, -1.0)]),
        )
        parts: list[Any] = [Transform(x, y, angle), colliders[kind % len(colliders)]()]
        motion = int(rng.integers(6))
        if motion == 0:
            parts.append(Velocity(*rng.uniform(-6.0, 6.0, 3)))
        elif motion == 1:
            parts.append(LinearTrajectory(x, y, *rng.uniform(-4.0, 4.0, 2)))
        elif motion == 2:
            parts.append(CircularTrajectory(x, y, 2.0, 1.5))
        if kind % 9 == 4:
            parts.append(CollisionFilter(layers=int(rng.integers(1, 4)), mask=int(rng.integers(1, 4))))
        if kind % 7 == 3:
            parts.append(HitListener(on_started=self.heard_of, on_ended=self.heard_of))
        if kind % 11 == 5 and motion == 0:
            parts.append(Bullet())
        return esper.create_entity(*parts)

    def heard_of(self, hit: ecsphys.types.Hit) -> None:
        """A handler that may be cut short itself; the books of events tell whether what it hears of is right."""
        self.heard.add(key_of(hit))

    def change(self) -> None:
        """What a game does between steps."""
        rng, entities = self._rng, self._entities
        chosen = int(rng.choice(entities))
        what = int(rng.integers(10))
        if what == 0:
            entities.append(self._create(int(rng.integers(1000))))
        elif what == 1 and len(entities) > 20:
            entities.remove(chosen)
            esper.delete_entity(chosen, immediate=bool(rng.integers(2)))
        elif what == 2:
            transform = esper.component_for_entity(chosen, Transform)
            transform.x, transform.y = rng.uniform(-_SIZE, _SIZE, 2).tolist()
        elif what == 3:
            if esper.has_component(chosen, Disabled):
                esper.remove_component(chosen, Disabled)
            else:
                esper.add_component(chosen, Disabled())
        elif what == 4:
            esper.add_component(chosen, CircleCollider(rng.uniform(0.3, 2.0)))
        elif what == 5 and esper.has_component(chosen, CircleCollider):
            esper.component_for_entity(chosen, CircleCollider).radius = rng.uniform(0.3, 2.0)
        elif what == 6:
            Transform.column("y")[esper.component_for_entity(chosen, Transform)._row] += 0.5
        elif what == 7 and not esper.has_component(chosen, Parent) and chosen != entities[0]:
            esper.add_component(chosen, Parent(entities[0], 1.0, 1.0))

    def step(self) -> None:
        """One step, and what the arrays say of it, whether it was cut short or not."""
        esper.process(STEP)

    def check_books(self) -> None:
        """The arrays lead from the hits of the last time to those of now."""
        # A step that was cut short before it found its hits leaves those of the step before.
        if self.physics.hits is self._seen:
            return
        self._seen = self.physics.hits
        ended, started = keys_of(self.physics.hits.ended), keys_of(self.physics.hits.started)
        require(ended <= self.open, f"ends of {ended - self.open} that were not there")
        self.open -= ended
        require(not started & self.open, f"second starts of {started & self.open}")
        self.open |= started
        now = keys_of(self.physics.hits)
        require(self.open == now, f"the books have {self.open ^ now} on one side only")

    def check_whole(self) -> None:
        """After a whole step the events have told what the arrays have, and the hits are those of brute force."""
        require(not HOLDERS, f"blocks are held {len(HOLDERS)} times")
        self._read_events()
        require(self._open_events == self.open, f"the events differ in {self._open_events ^ self.open}")
        hits = self.physics.hits
        deep = hits.select(np.flatnonzero(hits.depth > 0.0))
        differing = keys_of(deep) ^ self._truth()
        require(not differing, f"brute force differs in {differing}")

    def _read_events(self) -> None:
        self._open_events = after_events(self._open_events, self._told)
        self._told.clear()

    def _truth(self) -> set[Pair]:
        """The hits of a copy of the world, found by brute force."""
        live = [entity for entity in sorted(self._entities) if esper.entity_exists(entity)]
        kinds = (*ecsphys.COLLIDER_CLASSES, Transform, CompoundCollider, CollisionFilter, Disabled)
        contents: list[list[Any]] = [
            [copy.deepcopy(one) for one in _components(entity) if type(one) in kinds] for entity in live
        ]
        esper.switch_world(f"{self.name}: truth")
        try:
            esper.clear_database()
            physics = ecsphys.Physics()
            for processor in (
                ecsphys.systems.BruteForceBroadphaseSystem(physics),
                ecsphys.systems.NarrowphaseSystem(physics),
            ):
                esper.remove_processor(type(processor))
                esper.add_processor(processor, 2 if isinstance(processor, ecsphys.systems.BroadphaseSystem) else 1)
            original = {
                esper.create_entity(*components): entity for entity, components in zip(live, contents, strict=True)
            }
            esper.process(0.0)
            hits = physics.hits
            a = [original[entity] for entity in hits.entity_a.tolist()]
            b = [original[entity] for entity in hits.entity_b.tolist()]
            rest = (hits.collider_a, hits.collider_b, hits.part_a, hits.part_b)
            return set(zip(a, b, *(column.tolist() for column in rest), strict=True))
        finally:
            esper.switch_world(self.name)


class FaultError(AssertionError):
    """What must not be."""


def _components(entity: int) -> tuple[Any, ...]:
    return esper.components_for_entity(entity)


def require(holds: bool, message: str) -> None:
    if not holds:
        raise FaultError(message)


def key_of(hit: ecsphys.types.Hit) -> Pair:
    kinds = ecsphys.COLLIDER_CLASSES.index(hit.collider_a), ecsphys.COLLIDER_CLASSES.index(hit.collider_b)
    parts = (-1 if part is None else part for part in (hit.part_a, hit.part_b))
    return (hit.entity_a, hit.entity_b, *kinds, *parts)


def after_events(before: Iterable[Pair], told: Iterable[ecsphys.types.Hit]) -> set[Pair]:
    """The pairs that are open after some events; a second start, and an end without a start, is a fault."""
    books = set(before)
    for hit in told:
        key = key_of(hit)
        if hit.phase == "started":
            require(key not in books, f"a second start of {key}")
            books.add(key)
        else:
            require(key in books, f"an end without a start of {key}")
            books.remove(key)
    return books


def keys_of(hits: ecsphys.types.HitArrays) -> set[Pair]:
    columns = (hits.entity_a, hits.entity_b, hits.collider_a, hits.collider_b, hits.part_a, hits.part_b)
    return set(zip(*(column.tolist() for column in columns), strict=True))
