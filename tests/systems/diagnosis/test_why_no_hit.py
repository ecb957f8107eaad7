"""``physics.why_no_hit``: each thing that keeps two entities apart has its sentence."""

from __future__ import annotations

from typing import Any

import esper
import pytest

import ecsphys
from ecsphys import ChainCollider, CircleCollider, CollisionFilter, CompoundCollider, Disabled, Transform


@pytest.fixture
def physics() -> ecsphys.Physics:
    return ecsphys.install()


CASES: list[tuple[tuple[Any, ...], str]] = [
    ((Transform(0.5), CircleCollider(1)), "entities 1 and 2 did hit each other in the last step"),
    ((CircleCollider(1),), "entity 2 has no Transform"),
    ((Transform(),), "entity 2 has no collider"),
    ((Transform(), CircleCollider(1), Disabled()), "entity 2 is Disabled"),
    ((Transform(5), CircleCollider(1)), "their colliders are 3 apart"),
    ((Transform(5), CompoundCollider([CircleCollider(1), CircleCollider(1, -1)])), "their colliders are 2 apart"),
    ((Transform(2), CircleCollider(1)), "their colliders only touch"),
    (
        (Transform(0, 0.5), ChainCollider([(-2, 0), (2, 0)], side="left")),
        "the one-sided ChainCollider lets others pass",
    ),
    (
        (Transform(), CircleCollider(1), CollisionFilter(2)),
        "the mask 0x1 of entity 1 includes no layer of entity 2, which has 0x2",
    ),
    (
        (Transform(), CircleCollider(1), CollisionFilter(1, 2)),
        "the mask 0x2 of entity 2 includes no layer of entity 1, which has 0x1",
    ),
    ((Transform(), CircleCollider(1), CollisionFilter(1, 1, -7)), "both have the group -7"),
]


@pytest.mark.parametrize(("components", "wanted"), CASES)
def test_the_reason_is_said(physics: ecsphys.Physics, components: tuple[Any, ...], wanted: str) -> None:
    esper.create_entity(Transform(), CircleCollider(1), CollisionFilter(1, 1, -7))
    esper.create_entity(*components)
    esper.process(0.1)
    assert wanted in physics.debug.why_no_hit(1, 2)


BODY = ecsphys.RigidBody
PUSHES: list[tuple[tuple[Any, ...], str]] = [
    ((Transform(0.5), CircleCollider(1), BODY()), "did hit each other in the last step"),
    (
        (Transform(0.5), CircleCollider(1, sensor=True), BODY()),
        "neither was pushed: all colliders of entity 2 are sensors",
    ),
    ((Transform(0.5), CircleCollider(1)), "neither was pushed: entity 2 has neither RigidBody nor Solid"),
    (
        (Transform(0.5), CircleCollider(1), ecsphys.Parent(1, 0.5)),
        "one body: one is a child of the other, or both are children of a third entity (Parent)",
    ),
]


@pytest.mark.parametrize(("components", "wanted"), PUSHES)
def test_why_a_hit_pushed_nothing_is_said(physics: ecsphys.Physics, components: tuple[Any, ...], wanted: str) -> None:
    esper.create_entity(Transform(), CircleCollider(1), BODY())
    esper.create_entity(*components)
    esper.process(0.01)
    assert physics.debug.why_no_hit(1, 2).endswith(wanted)


def test_bodies_that_nothing_moves_and_vetoed_contacts_push_nothing(physics: ecsphys.Physics) -> None:
    for kind in ("static", "kinematic", "dynamic"):
        esper.create_entity(Transform(), CircleCollider(1), BODY(kind))

    def veto(contacts: ecsphys.types.SolverContacts) -> None:
        contacts.is_vetoed[:] = True

    physics.pre_solve = veto
    for _ in range(2):
        esper.process(0.01)
    assert physics.debug.why_no_hit(1, 2).endswith("neither was pushed: neither has a dynamic RigidBody")
    assert physics.debug.why_no_hit(1, 3).endswith("a OneWay or physics.pre_solve vetoed their contact")


def test_a_joint_that_keeps_two_apart_is_named(physics: ecsphys.Physics) -> None:
    a, b = (esper.create_entity(Transform(), CircleCollider(1), BODY()) for _ in range(2))
    hinge = ecsphys.RevoluteJoint(a, b)
    owner = esper.create_entity(hinge)
    esper.process(0.01)
    assert physics.debug.why_no_hit(b, a).startswith(f"the RevoluteJoint of entity {owner} joins them")
    hinge.collide_connected = True
    esper.process(0.01)
    assert physics.debug.why_no_hit(b, a).startswith("entities 2 and 1 did hit")


def test_what_is_not_there_is_said(physics: ecsphys.Physics) -> None:
    esper.create_entity(Transform(), CircleCollider(1))
    gone = esper.create_entity(Transform(), CircleCollider(1))
    assert "one entity" in physics.debug.why_no_hit(1, 1)
    assert physics.debug.why_no_hit(1, 9) == "entity 9 does not exist"
    assert "the next step will report a hit" in physics.debug.why_no_hit(1, gone)
    esper.remove_processor(ecsphys.systems.NarrowphaseSystem)
    assert "no NarrowphaseSystem runs" in physics.debug.why_no_hit(1, gone)
    esper.delete_entity(gone)
    assert physics.debug.why_no_hit(1, gone) == "entity 2 is deleted, so it hits nothing"
    with pytest.raises(TypeError, match="a must be a whole number"):
        physics.debug.why_no_hit("hero", 1)  # type: ignore[arg-type]


def test_hits_are_gone_as_soon_as_the_database_is_cleared(physics: ecsphys.Physics) -> None:
    for _ in range(2):
        esper.create_entity(Transform(), CircleCollider(1))
    esper.process(0.1)
    kept = physics.hits
    assert (len(kept), len(physics.hits.started)) == (1, 1)
    esper.clear_database()
    assert (len(physics.hits), len(physics.hits.started), len(physics.hits.ended)) == (0, 0, 0)
    assert physics.hits.ended.reason.shape == (0,)
    esper.process(0.1)
    assert (len(physics.hits), physics.hits.ended.reason.tolist()) == (0, [])


def test_hits_of_a_deleted_world_are_gone_with_it(physics: ecsphys.Physics) -> None:
    home = esper.current_world
    esper.switch_world("level")
    level = ecsphys.install()
    for _ in range(2):
        esper.create_entity(Transform(), CircleCollider(1))
    esper.process(0.1)
    esper.switch_world(home)
    assert (len(level.hits), len(level.hits.started)) == (1, 1)
    esper.delete_world("level")
    assert (len(level.hits), len(level.hits.started), len(level.hits.ended)) == (0, 0, 0)
    esper.switch_world("level")
    assert len(level.hits) == 0
    esper.switch_world(home)
    esper.delete_world("level")


def test_hits_of_another_world_than_the_current_one_stay(physics: ecsphys.Physics) -> None:
    for _ in range(2):
        esper.create_entity(Transform(), CircleCollider(1))
    esper.process(0.1)
    world = esper.current_world
    esper.switch_world("elsewhere")
    try:
        assert len(physics.hits) == 1
    finally:
        esper.switch_world(world)
        esper.delete_world("elsewhere")
