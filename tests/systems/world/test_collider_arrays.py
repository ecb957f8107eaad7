"""``physics.debug.colliders``: every collider of a world as arrays."""

from __future__ import annotations

import esper
import pytest

import ecsphys
from ecsphys import AABBCollider, CircleCollider, CollisionFilter, CompoundCollider, Transform, Velocity


def test_they_are_listed_by_entity_class_and_part() -> None:
    physics = ecsphys.install()
    first = esper.create_entity(
        Transform(), CompoundCollider([CircleCollider(1), AABBCollider(1, 1)]), AABBCollider(2, 2), Velocity()
    )
    second = esper.create_entity(Transform(9, 0), CircleCollider(1), CollisionFilter())
    colliders = physics.debug.colliders
    assert colliders.entity.tolist() == [first] * 3 + [second]
    classes = [ecsphys.COLLIDER_CLASSES[k] for k in colliders.collider.tolist()]
    assert classes == [CircleCollider, AABBCollider, AABBCollider, CircleCollider]
    assert colliders.part.tolist() == [0, -1, 1, -1]
    assert colliders.body.tolist() == [0, 0, 0, 1]
    assert [row >= 0 for row in colliders.velocity_row.tolist()] == [True, True, True, False]
    assert [row >= 0 for row in colliders.filter_row.tolist()] == [False, False, False, True]
    assert CircleCollider.column("radius")[colliders.collider_row[[0, 3]]].tolist() == [1.0, 1.0]
    assert Transform.column("x")[colliders.transform_row].tolist() == [0.0, 0.0, 0.0, 9.0]
    assert repr(colliders) == "<4 colliders>"


def test_they_are_as_the_world_is_when_they_are_read() -> None:
    physics = ecsphys.install()
    place = Transform(3, 4)
    esper.create_entity(place, CircleCollider(1))
    colliders = physics.debug.colliders
    assert colliders.boxes[0].tolist() == pytest.approx([2, 3, 4, 5])
    place.x = 10.0
    assert colliders.boxes[0].tolist() == pytest.approx([9, 3, 11, 5])
    before = colliders.entity
    esper.create_entity(Transform(), CircleCollider(1))
    assert (len(before), len(colliders), len(colliders.entity)) == (1, 2, 2)
