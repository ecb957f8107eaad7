"""Static things side by side keep no contacts: nothing would ever solve them."""

from __future__ import annotations

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import AABBCollider, CircleCollider, OBBCollider, RigidBody, Solid, Transform, Velocity

STEP = 1 / 60


def tiles(count: int, half: float = 0.5) -> ecsphys.Physics:
    physics = ecsphys.install(gravity=(0.0, -9.8))
    rows, columns = np.divmod(np.arange(count), 10)
    ecsphys.spawn_many(count, Transform.many(x=columns, y=-rows), AABBCollider.many(half, half), Solid.many())
    return physics


def contact_count(physics: ecsphys.Physics) -> int:
    return int(physics._state.hits.found.counts.contacts)


def test_tiles_side_by_side_keep_none_beside_bodies() -> None:
    physics = tiles(100)
    esper.create_entity(Transform(4, 2), Velocity(), OBBCollider(0.4, 0.4), RigidBody())
    for _ in range(120):
        esper.process(STEP)
    # One tile carries the body, and its neighbours are near at most.
    assert 0 < contact_count(physics) <= 4


def test_tiles_that_overlap_hit() -> None:
    physics = tiles(100, 0.5001)
    esper.create_entity(Transform(4, 2), Velocity(), OBBCollider(0.4, 0.4), RigidBody())
    for _ in range(120):
        esper.process(STEP)
    # Neighbours along both axes and both diagonals.
    assert np.count_nonzero(physics.hits.entity_b <= 100) == 90 + 90 + 81 + 81


@pytest.mark.parametrize("steps", [1, 30, 200])
def test_a_static_body_that_becomes_dynamic_is_carried_by_its_neighbour(steps: int) -> None:
    physics = ecsphys.install(gravity=(0.0, -9.8))
    esper.create_entity(Transform(0, -1), AABBCollider(9, 1), Solid())
    body, place = RigidBody("static"), Transform(0, 0.5)
    esper.create_entity(place, OBBCollider(0.5, 0.5), body)
    esper.create_entity(Transform(6, 3), CircleCollider(0.5), RigidBody())
    for _ in range(steps):
        esper.process(STEP)
    body.kind = "dynamic"
    for _ in range(60):
        esper.process(STEP)
        assert place.y == pytest.approx(0.5, abs=2e-3)
    assert contact_count(physics) > 0
