"""Hits of bodies that rest: which colliders sleep decides nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator

import esper
import pytest

import ecsphys
from ecsphys import (
    AABBCollider,
    CircleCollider,
    CircularTrajectory,
    OBBCollider,
    Physics,
    PolygonCollider,
    RigidBody,
    Solid,
    Transform,
)
from ecsphys.systems import BroadphaseSystem, BruteForceBroadphaseSystem
from ecsphys.types import Snapshot

DT = 1 / 60


def room(seed: int) -> Physics:
    """Bodies that fall and come to rest, and one thing that never does."""
    physics = ecsphys.install(gravity=(0.0, -9.8))
    rng = random.Random(seed)
    for x in range(-20, 20):
        esper.create_entity(Transform(x + 0.5, -0.5), AABBCollider(0.5, 0.5), Solid())
    for k in range(8):
        place = Transform(-14 + 3.5 * k, rng.uniform(0.6, 2.0), rng.uniform(-3.0, 3.0))
        shape = PolygonCollider([(-0.4, -0.3), (0.5, -0.3), (0.1, 0.5)]) if k % 2 else OBBCollider(0.4, 0.3)
        esper.create_entity(place, shape, RigidBody(restitution=rng.uniform(0.0, 0.5), friction=rng.random()))
    esper.create_entity(Transform(), CircularTrajectory(0.0, 30.0, 2.0, 1.0), CircleCollider(0.5))
    return physics


def frames(physics: Physics, count: int) -> Iterator[object]:
    for _ in range(count):
        esper.process(DT)
        yield physics.digest(), [(hit.entity_a, hit.entity_b, hit.depth) for hit in physics.hits]


@pytest.mark.parametrize("seed", [0, 1, 16])
def test_hits_of_bodies_that_fall_asleep_are_those_of_brute_force(seed: int) -> None:
    went = list(frames(room(seed), 200))
    esper.switch_world("brute force")
    physics = room(seed)
    esper.remove_processor(BroadphaseSystem)
    esper.add_processor(BruteForceBroadphaseSystem(physics), ecsphys.Priority.BROADPHASE)
    assert list(frames(physics, 200)) == went


@pytest.mark.parametrize("seed", [0, 1, 16])
def test_bodies_at_rest_go_on_with_the_same_bits_after_a_restore_from_bytes(seed: int) -> None:
    physics = room(seed)
    for _ in range(6):
        for _ in frames(physics, 20):
            pass
        saved = physics.snapshot().to_bytes()
        went = list(frames(physics, 60))
        for _ in range(2):
            physics.restore(Snapshot.from_bytes(saved))
            assert list(frames(physics, 60)) == went
        physics.restore(Snapshot.from_bytes(saved))
