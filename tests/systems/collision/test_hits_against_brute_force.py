"""The world's hits over many random frames, against a model that knows no arrays, grid or index.

The model tests every two colliders by ``geometry.contact`` and remembers, per pair of collider *instances* and
transform instances, whether they overlapped: from that alone it foretells every start, every end and its reason.
Pairs nearer to touching than ``NEAR`` of their size are left open: both answers are right there. Only pairs whose
circumscribed circles are apart need no test.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import esper
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ecsphys
from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    CollisionFilter,
    FanCollider,
    OBBCollider,
    PolygonCollider,
    Transform,
    Velocity,
    geometry,
)
from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.systems import BroadphaseSystem, BruteForceBroadphaseSystem
from ecsphys.types import Hit

NEAR = 1e-9

Key = tuple[int, int, type, type]


def random_place(rng: np.random.Generator) -> Transform:
    return Transform(*rng.normal(size=3) * (12, 12, 2))


def random_collider(rng: np.random.Generator) -> Any:
    size = float(10.0 ** rng.uniform(-1, 1))
    offset: dict[str, Any] = {"offset_x": float(rng.normal()) * size, "offset_y": float(rng.normal()) * size}
    if rng.random() < 0.5:
        offset = {}
    angle = float(rng.uniform(-4, 4))
    match rng.integers(6):
        case 0:
            return CircleCollider(size, **offset)
        case 1:
            return AABBCollider(size, size * float(rng.uniform(0.1, 2)), **offset)
        case 2:
            return OBBCollider(size, size * float(rng.uniform(0.1, 2)), **offset, angle=angle)
        case 3:
            return CapsuleCollider(size, size * float(rng.uniform(0.1, 1)), **offset, angle=angle)
        case 4:
            return FanCollider(2 * size, float(rng.uniform(0.05, 2 * math.pi)), angle, **offset)
    count = int(rng.integers(3, 9))
    turns = np.sort(rng.uniform(0, 2 * math.pi, count)) + np.arange(count) * 0.3
    turns *= 2 * math.pi / (turns[-1] - turns[0] + 0.5)
    corners = [(size * math.cos(t), size * math.sin(t)) for t in turns]
    return PolygonCollider(corners, radius=float(rng.choice([0.0, 0.3 * size])), **offset, angle=angle)


def reach(collider: Any) -> float:
    """How far it may be from its transform's position."""
    if isinstance(collider, CircleCollider | FanCollider):
        size = collider.radius
    elif isinstance(collider, CapsuleCollider):
        size = 0.5 * collider.length + collider.radius
    elif isinstance(collider, PolygonCollider):
        size = max(math.hypot(*vertex) for vertex in collider.vertices) + collider.radius
    else:
        size = math.hypot(collider.half_width, collider.half_height)
    return math.hypot(collider.offset_x, collider.offset_y) + float(size)


@dataclass
class Model:
    """What should be hitting, by (entity, entity, class, class) with the instances that carry the hit."""

    running: dict[Key, tuple[Any, ...]] = field(default_factory=dict)

    def step(self) -> tuple[dict[Key, str], set[Key], set[Key]]:
        """(ends with reasons, starts, those too near touching to say) of the world as it is now."""
        bodies = []
        for entity in sorted(esper.get_entities()):
            transform = esper.try_component(entity, Transform)
            if transform is None or not esper.entity_exists(entity):
                continue
            for cls in SHAPE_CLASSES:
                collider = esper.try_component(entity, cls)
                if collider is not None:
                    bodies.append((entity, cls, transform, collider))
        present: dict[Key, tuple[Any, ...]] = {}
        open_keys: set[Key] = set()
        places = np.array([complex(transform.x, transform.y) for _, _, transform, _ in bodies])
        reaches = np.array([reach(collider) for _, _, _, collider in bodies])
        are_near = abs(places[:, None] - places) <= 1.001 * (reaches[:, None] + reaches)
        for one, two in np.argwhere(np.triu(are_near, 1)).tolist():
            (a, class_a, place_a, shape_a), (b, class_b, place_b, shape_b) = bodies[one], bodies[two]
            if a == b or not self.meet(a, b):
                continue
            key = (a, b, class_a, class_b)
            contact = geometry.contact(shape_a, place_a, shape_b, place_b)
            size = 2.0 * max(reaches[one], reaches[two])
            if contact is not None and contact.depth > NEAR * size:
                present[key] = (place_a, shape_a, place_b, shape_b)
            elif contact is not None or geometry.closest_points(shape_a, place_a, shape_b, place_b)[0] < NEAR * size:
                open_keys.add(key)
        ends = {
            key: self.reason(key, instances)
            for key, instances in self.running.items()
            if not self.same(instances, present.get(key))
        }
        starts = {key for key, instances in present.items() if not self.same(instances, self.running.get(key))}
        self.running = present
        return ends, starts, open_keys

    @staticmethod
    def same(one: tuple[Any, ...] | None, other: tuple[Any, ...] | None) -> bool:
        return one is not None and other is not None and all(x is y for x, y in zip(one, other, strict=True))

    @staticmethod
    def meet(a: int, b: int) -> bool:
        one = esper.try_component(a, CollisionFilter) or CollisionFilter()
        two = esper.try_component(b, CollisionFilter) or CollisionFilter()
        if one.group and one.group == two.group:
            return one.group > 0
        return bool(one.mask & two.layers and two.mask & one.layers)

    def reason(self, key: Key, instances: tuple[Any, ...]) -> str:
        a, b, class_a, class_b = key
        if not (esper.entity_exists(a) and esper.entity_exists(b)):
            return "despawned"
        now = (
            esper.try_component(a, Transform),
            esper.try_component(a, class_a),
            esper.try_component(b, Transform),
            esper.try_component(b, class_b),
        )
        if any(x is not y for x, y in zip(instances, now, strict=True)):
            return "removed"
        return "separated" if self.meet(a, b) else "filtered"


def disturb(rng: np.random.Generator) -> None:
    """Create, delete, replace, remove, filter and teleport at random."""
    entities = list(esper.get_entities())
    for _ in range(int(rng.integers(0, 6))):
        entity = int(rng.choice(entities)) if entities else 0
        action = int(rng.integers(9)) if entities else 0
        if entities and not esper.entity_exists(entity):
            continue
        if action in (0, 1):
            speed = Velocity(*rng.normal(size=3) * (30, 30, 3))
            entities.append(esper.create_entity(random_place(rng), speed, random_collider(rng)))
        elif action == 2:
            esper.delete_entity(entity)
        elif action == 3:
            esper.delete_entity(entity, immediate=True)
            entities.remove(entity)
        elif action == 4:
            esper.add_component(entity, random_collider(rng))
        elif action == 5:
            for cls in SHAPE_CLASSES:
                esper.try_remove_component(entity, cls)
        elif action == 6:
            old = esper.component_for_entity(entity, Transform)
            esper.add_component(entity, Transform(old.x, old.y, old.angle))
        elif action == 7:
            esper.add_component(
                entity,
                CollisionFilter(
                    layers=int(rng.integers(0, 4)), mask=int(rng.integers(0, 4)), group=int(rng.integers(-1, 2))
                ),
            )
        else:
            esper.try_remove_component(entity, CollisionFilter)


@pytest.mark.parametrize("broadphase", [BroadphaseSystem, BruteForceBroadphaseSystem])
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32 - 1))
def test_hits_starts_ends_and_reasons_agree_with_the_model_over_random_frames(
    broadphase: type[BroadphaseSystem], seed: int
) -> None:
    esper.switch_world(f"model {seed} {broadphase.__name__} {len(esper.list_worlds())}")
    rng = np.random.default_rng(seed)
    physics = ecsphys.install()
    if broadphase is not BroadphaseSystem:
        esper.remove_processor(BroadphaseSystem)
        esper.add_processor(broadphase(physics), ecsphys.Priority.BROADPHASE)
    events: list[Hit] = []

    def record(hit: Hit) -> None:
        events.append(hit)

    esper.set_handler("hit_started", record)
    esper.set_handler("hit_ended", record)
    model = Model()
    for _ in range(12):
        for _ in range(3):
            esper.create_entity(random_place(rng), random_collider(rng))
        disturb(rng)
        events.clear()
        # The model must see what the narrowphase sees: after the motion, with the dead of this step not yet gone.
        esper.process(0.02)
        ends, starts, open_keys = model.step()
        got_starts = {key_of(hit) for hit in events if hit.phase == "started"}
        got_ends = {key_of(hit): hit.reason for hit in events if hit.phase == "ended"}
        running = {
            (int(a), int(b), ecsphys.COLLIDER_CLASSES[ca], ecsphys.COLLIDER_CLASSES[cb])
            for a, b, ca, cb in zip(
                physics.hits.entity_a,
                physics.hits.entity_b,
                physics.hits.collider_a,
                physics.hits.collider_b,
                strict=True,
            )
        }
        assert running - open_keys == set(model.running)
        if not open_keys:
            assert got_starts == starts
            assert got_ends == ends
        for key in running & open_keys:
            # Believe the world where both are right, so that the next frame's starts and ends can be compared again.
            a, b, class_a, class_b = key
            model.running[key] = (
                esper.component_for_entity(a, Transform),
                esper.component_for_entity(a, class_a),
                esper.component_for_entity(b, Transform),
                esper.component_for_entity(b, class_b),
            )
        order = [(h.phase == "started", h.entity_a, h.entity_b) for h in events]
        assert order == sorted(order)


def key_of(hit: Hit) -> Key:
    return hit.entity_a, hit.entity_b, hit.collider_a, hit.collider_b
