"""References to components that a game keeps stay valid over a snapshot from bytes."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
import pytest
from whole_world import Brain, WholeWorld

import ecsphys
from ecsphys import (
    AABBCollider,
    ChainCollider,
    CircleCollider,
    CompoundCollider,
    OBBCollider,
    PathTrajectory,
    PolygonCollider,
    RigidBody,
    Solid,
    Transform,
)
from ecsphys.types import Snapshot

TRIANGLE = [(0, 0), (1, 0), (0, 1)]


def kept() -> dict[tuple[int, type[Any]], Any]:
    """All components of the world that bytes have."""
    found: dict[tuple[int, type[Any]], Any] = {}
    for entity in esper.get_entities():
        components: tuple[Any, ...] = esper.components_for_entity(entity)
        found |= {(entity, type(one)): one for one in components if type(one) is not ecsphys.HitListener}
    return found


def test_every_component_of_an_entity_that_is_there_still_is_the_same_object() -> None:
    world = WholeWorld()
    world.save_plain()
    world.step(20)
    saved, own, before = world.physics.snapshot().to_bytes(), world.own_state(), kept()
    wanted = world.run(15)
    gone = {key for key, one in before.items() if kept().get(key) is not one}
    assert 0 < len(gone) < 0.1 * len(before)
    world.physics.restore(Snapshot.from_bytes(saved))
    after = kept()
    assert after.keys() == before.keys()
    for key, one in before.items():
        assert (after[key] is one) == (key not in gone), key
    world.put_own_state(own)
    world.listen()
    assert world.run(15) == wanted


def test_values_come_back_to_kept_components_of_every_kind() -> None:
    physics = ecsphys.install()
    physics.add_to_snapshots(Brain, lambda brain: brain.plan, lambda brain, plan: setattr(brain, "plan", plan))
    place, brain = Transform(1, 2), Brain("wait")
    circle = CircleCollider(1)
    polygon, path = PolygonCollider(TRIANGLE), PathTrajectory([(0, 0), (1, 1)], 2.0)
    compound, chain = (
        CompoundCollider([circle, AABBCollider(1, 1)]),
        ChainCollider([(0, 0), (1, 0), (2, 1)], radius=0.1),
    )
    body, solid = RigidBody(mass=3), Solid()
    esper.create_entity(place, compound, brain)
    esper.create_entity(Transform(), polygon, path, solid)
    esper.create_entity(Transform(), chain)
    esper.create_entity(Transform(), body)
    esper.process(0.0)
    saved, instances, hits = physics.snapshot().to_bytes(), kept(), physics.hits.depth.tolist()
    place.x, brain.plan, circle.radius, chain.radius, body.mass = 9.0, "run", 7.0, 3.0, 8.0
    polygon.radius = 2.0
    esper.process(0.1)
    state = Snapshot.from_bytes(saved)
    for _ in range(2):
        physics.restore(state)
        assert kept() == instances
        assert all(kept()[key] is one for key, one in instances.items())
        assert (place.x, brain.plan, circle.radius, chain.radius, body.mass) == (1.0, "wait", 1.0, 0.1, 3.0)
        assert (polygon.radius, path.elapsed) == (0.0, 0.0)
        assert physics.hits.depth.tolist() == hits
        place.x, chain.radius, circle.radius = 5.0, 4.0, 2.0
        esper.process(0.1)
    assert physics.snapshot().to_bytes() != saved
    physics.restore(state)
    assert physics.snapshot().to_bytes() == saved


def test_what_is_of_another_shape_is_another_component() -> None:
    physics = ecsphys.install()
    compound, chain = CompoundCollider([CircleCollider(1), CircleCollider(1)]), ChainCollider([(0, 0), (1, 0)])
    one, two = esper.create_entity(Transform(), compound), esper.create_entity(Transform(9), chain)
    saved = physics.snapshot().to_bytes()
    big = CircleCollider(5)
    other, longer = CompoundCollider([big, OBBCollider(1, 1)]), ChainCollider([(0, 0), (2, 0), (3, 3)])
    esper.add_component(one, other)
    esper.add_component(two, longer)
    physics.restore(Snapshot.from_bytes(saved))
    assert esper.component_for_entity(one, CompoundCollider) == compound
    assert esper.component_for_entity(two, ChainCollider) == chain
    assert big.radius == 5.0
    assert longer.points[1] == (2.0, 0.0)


def test_after_a_clear_the_components_of_the_new_world_take_the_values() -> None:
    physics = ecsphys.install()
    place = Transform(3, 0)
    ball = esper.create_entity(place, CircleCollider(1))
    saved = physics.snapshot().to_bytes()
    esper.clear_database()
    other = Transform(8, 8)
    assert esper.create_entity(other) == ball
    physics.restore(Snapshot.from_bytes(saved))
    assert esper.component_for_entity(ball, Transform) is other
    assert (other.x, other.y, place.x) == (3.0, 0.0, 3.0)
    assert len(physics.debug.colliders) == 1


def test_bytes_that_are_refused_leave_the_values_of_kept_components() -> None:
    physics = ecsphys.install()
    place = Transform(3, 0)
    esper.create_entity(place, CircleCollider(1), RigidBody())
    esper.process(0.1)
    state = Snapshot.from_bytes(physics.snapshot().to_bytes())
    assert state._tree is not None
    tables = state._tree["physics"]["tables"]
    for name in ("bodies", "masses"):
        tables[name] = {field: np.concatenate((array, array)) for field, array in tables[name].items()}
    place.x = 7.0
    with pytest.raises(ValueError, match="snapshot describes an impossible world"):
        physics.restore(state)
    assert place.x == 7.0
    assert esper.component_for_entity(1, Transform) is place
