"""``physics.debug.check()``: what cannot be meant is found, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import esper
import pytest

import ecsphys
from ecsphys import (
    AABBCollider,
    Bullet,
    ChainCollider,
    Character,
    CircleCollider,
    CollisionFilter,
    CompoundCollider,
    Controller,
    DistanceJoint,
    Gravity,
    HitListener,
    LinearTrajectory,
    OBBCollider,
    OneWay,
    Parent,
    PrismaticJoint,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    WheelJoint,
)
from ecsphys.systems.diagnosis.world_checks import EVENT_NAMES

ALL = 0xFFFFFFFF


WORLD = -1


def heard(*_: Any) -> None:
    """A handler."""


def static_body() -> RigidBody:
    return RigidBody("static")


@pytest.fixture
def physics() -> ecsphys.Physics:
    return ecsphys.install(gravity=(0, -9.8))


def test_a_sound_world_has_no_findings(physics: ecsphys.Physics) -> None:
    esper.set_handler("hit_started", heard)
    esper.set_handler("level_won", heard)
    ball = esper.create_entity(Transform(angle=1.5), Velocity(), Gravity(), CircleCollider(1), HitListener(heard))
    esper.create_entity(Transform(), Parent(ball, 1), CompoundCollider([CircleCollider(1)]), Bullet())
    line = ((0, 0), (1, 0))
    carrier = esper.create_entity(Transform(), ChainCollider(line), RigidBody())
    esper.create_entity(Transform(), Parent(carrier), CircleCollider(1))
    for body in (RigidBody(mass=1.0), RigidBody("static"), RigidBody("kinematic")):
        esper.create_entity(Transform(), ChainCollider(line), body)
    esper.create_entity(Transform(5), AABBCollider(1, 1), RigidBody(), Gravity(), CollisionFilter(2, ALL))
    assert physics.debug.check() == []
    esper.process(1 / 60)
    assert physics.debug.check() == []


@pytest.mark.parametrize(
    ("components", "wanted"),
    [
        ((Transform(), Gravity()), "Gravity: does nothing without a Velocity: add one"),
        ((Transform(), Velocity(), LinearTrajectory(0, 0, 1, 1), Gravity()), "Gravity: does nothing on an entity with"),
        ((CircleCollider(1),), "CircleCollider: does nothing without a Transform"),
        ((CompoundCollider([CircleCollider(1)]),), "CompoundCollider: does nothing without a Transform"),
        ((Velocity(),), "Velocity: does nothing without a Transform"),
        ((Transform(), Solid()), "Solid: does nothing without a collider"),
        ((Transform(), RigidBody()), "RigidBody: touches nothing without a collider"),
        ((Transform(), CircleCollider(1), OneWay()), "OneWay: does nothing without Solid"),
        ((Transform(), Controller(1)), "Controller: does nothing without a Velocity: add one"),
        ((Transform(), Parent(99)), "Parent.entity: entity 99 does not exist"),
        ((Transform(angle=90),), "Transform.angle: is in radians, but 90 looks like degrees"),
        ((Transform(), OBBCollider(1, 1, angle=-45)), "OBBCollider.angle: is in radians, but -45 looks like degrees"),
        ((Transform(), Velocity(angular=180)), "Velocity.angular: is in radians"),
        ((Transform(), Velocity(), Controller(1)), "Controller: no ControlSystem runs"),
        ((Transform(), CircleCollider(1), Gravity(), static_body()), "Gravity: does nothing on a static body"),
        ((Transform(), CircleCollider(1), Velocity(1), static_body()), "Velocity: does nothing on a static body"),
        ((Transform(), LinearTrajectory(0, 0, 1, 1), static_body()), "LinearTrajectory: moves a static body"),
        (
            (Transform(), CircleCollider(1, sensor=True), Solid()),
            "Solid: blocks nothing, because all colliders of the entity are sens",
        ),
        (
            (Transform(), CircleCollider(1, sensor=True), RigidBody()),
            "RigidBody: touches nothing, because all colliders",
        ),
        ((Transform(), CircleCollider(1), HitListener(on_impulse=heard)), "HitListener.on_impulse: is never called"),
        ((Transform(), ChainCollider([(0, 0), (1, 0)]), RigidBody()), "RigidBody: has mass 1 and does not turn"),
        ((RevoluteJoint(WORLD, 1),), "RevoluteJoint: moves nothing: make entity_a or entity_b a dynamic"),
        ((WheelJoint(2, 1, motor_speed=3),), "WheelJoint.motor_speed: does nothing while max_torque is 0"),
        ((DistanceJoint(2, 1, motor_speed=3),), "DistanceJoint.motor_speed: does nothing while max_force is 0"),
        ((PrismaticJoint(2, 1, upper=3),), "PrismaticJoint.lower or upper: does nothing without has_limits"),
    ],
)
def test_what_does_nothing_is_found(physics: ecsphys.Physics, components: tuple[Any, ...], wanted: str) -> None:
    esper.create_entity(Transform(99), CircleCollider(1), Solid())
    esper.create_entity(Transform(99, 9), CircleCollider(1), RigidBody())
    entity = esper.create_entity(*components)
    assert any(str(finding).startswith(f"entity {entity}, {wanted}") for finding in physics.debug.check()), (
        physics.debug.check()
    )


def test_what_would_move_a_child_is_found_while_it_is_carried(physics: ecsphys.Physics) -> None:
    arm = esper.create_entity(Transform())
    hand = esper.create_entity(Transform(), Parent(arm), Velocity(1))
    (finding,) = physics.debug.check()
    assert (finding.entity, finding.component) == (hand, "Velocity")
    assert "its Parent places it" in finding.message
    esper.delete_entity(arm, immediate=True)
    assert [finding.component for finding in physics.debug.check()] == ["Parent"]


def test_the_colliders_of_a_child_are_those_of_its_body(physics: ecsphys.Physics) -> None:
    cart = esper.create_entity(Transform(), RigidBody(), CircleCollider(1, sensor=True))
    assert [finding.entity for finding in physics.debug.check()] == [cart]
    box = esper.create_entity(Transform(), Parent(cart), AABBCollider(1, 1), HitListener(on_impulse=heard))
    esper.create_entity(RevoluteJoint(WORLD, box))
    assert physics.debug.check() == []


def test_joints_need_the_stage_of_the_bodies_and_what_they_name(physics: ecsphys.Physics) -> None:
    body = esper.create_entity(Transform(), RigidBody(), CircleCollider(1))
    hinge = RevoluteJoint(WORLD, 99)
    esper.create_entity(hinge)
    assert any("the next step raises: entity 2: RevoluteJoint.entity_b" in str(one) for one in physics.debug.check())
    assert esper.has_component(2, RevoluteJoint)
    hinge.entity_b = body
    assert physics.debug.check() == []
    esper.remove_processor(ecsphys.systems.RigidBodySystem)
    found = [finding.component for finding in physics.debug.check() if "RigidBodySystem" in finding.message]
    assert found == ["RigidBody", "RevoluteJoint"]


def test_an_angle_that_has_turned_far_is_no_finding(physics: ecsphys.Physics) -> None:
    esper.create_entity(Transform(angle=40 * math.pi), Velocity(angular=20.5))
    assert physics.debug.check() == []


def test_equal_findings_are_one_that_counts_them(physics: ecsphys.Physics) -> None:
    first = esper.create_entity(Transform(), Gravity())
    for _ in range(999):
        esper.create_entity(Transform(), Gravity())
    (finding,) = physics.debug.check()
    assert finding == ecsphys.types.Finding("does nothing without a Velocity: add one", first, "Gravity", "", 1000)
    assert str(finding) == f"entity {first} and 999 more, Gravity: does nothing without a Velocity: add one"


def test_gravity_in_a_world_without_any_is_found() -> None:
    physics = ecsphys.Physics()
    esper.create_entity(Transform(), Velocity(), Gravity())
    assert any("physics.gravity is (0, 0)" in str(finding) for finding in physics.debug.check())


def test_filters_that_meet_nothing_are_found(physics: ecsphys.Physics) -> None:
    shot = esper.create_entity(Transform(), CircleCollider(1), CollisionFilter(4, 2))
    enemy = esper.create_entity(Transform(), CircleCollider(1), CollisionFilter(2, 1))
    esper.create_entity(Transform(), CircleCollider(1), CollisionFilter(8, 0))
    first, second = physics.debug.check()
    assert first.entity == shot
    assert "layers 0x4 and mask 0x2 match no other collider" in first.message
    assert f"entity {enemy}, for example, is in the mask, but its own mask leaves out these layers" in first.message
    assert second.entity == enemy
    esper.component_for_entity(enemy, CollisionFilter).mask = 4
    assert physics.debug.check() == []


def remove(cls: type) -> Callable[[], None]:
    return lambda: esper.remove_processor(cls)


@pytest.mark.parametrize(
    ("cls", "components"),
    [
        (ecsphys.systems.BroadphaseSystem, (Transform(), CircleCollider(1))),
        (ecsphys.systems.EulerMotionSystem, (Transform(), Velocity())),
        (ecsphys.systems.HitEventSystem, (Transform(), CircleCollider(1), HitListener(heard))),
    ],
)
def test_a_removed_stage_is_found(physics: ecsphys.Physics, cls: type, components: tuple[Any, ...]) -> None:
    esper.create_entity(*components)
    esper.remove_processor(cls)
    assert [finding.message for finding in physics.debug.check()] == [
        f"no {cls.__name__} runs, although other stages do: add it again"
    ]


def test_a_stage_of_the_game_stands_for_the_one_it_replaces(physics: ecsphys.Physics) -> None:
    class Own(esper.Processor):
        def process(self, dt: float) -> None:
            pass

    esper.create_entity(Transform(), CircleCollider(1))
    esper.remove_processor(ecsphys.systems.BroadphaseSystem)
    esper.add_processor(Own(), ecsphys.Priority.BROADPHASE)
    assert physics.debug.check() == []


@pytest.mark.parametrize("name", ["hit_start", "hit_begin", "hits_started", "pair_start", "joint_broke"])
def test_a_handler_of_an_event_that_is_never_sent_is_found(physics: ecsphys.Physics, name: str) -> None:
    esper.set_handler(name, heard)
    (finding,) = physics.debug.check()
    assert f"a handler is set for {name!r}, but ecsphys never sends" in finding.message


def test_a_step_of_milliseconds_is_found(physics: ecsphys.Physics) -> None:
    esper.process(16)
    assert [finding.message for finding in physics.debug.check()] == [
        "the last step was 16 seconds long: pass dt in seconds, not milliseconds"
    ]


def test_what_the_next_step_raises_is_found(physics: ecsphys.Physics) -> None:
    shared = Transform()
    esper.create_entity(shared, CircleCollider(1))
    esper.create_entity(shared, CircleCollider(1))
    assert any(
        str(finding).startswith("the next step raises: entities 1 and 2 share one Transform")
        for finding in physics.debug.check()
    )


def test_a_bad_value_in_a_column_is_found_and_the_step_still_raises_it(physics: ecsphys.Physics) -> None:
    place = Transform()
    esper.create_entity(place, CircleCollider(1))
    esper.process(0.1)
    Transform.column("x")[place._row] = math.nan
    assert any("Transform.x" in finding.message for finding in physics.debug.check())
    with pytest.raises(ValueError, match=r"Transform\.x"):
        esper.process(0.1)


def test_the_command_prints_the_findings(physics: ecsphys.Physics, capsys: pytest.CaptureFixture[str]) -> None:
    from ecsphys.__main__ import main

    entity = esper.create_entity(Transform(), Gravity())
    globals()["make_world"] = lambda: physics
    assert main(["check", f"{__name__}:make_world"]) == 1
    assert capsys.readouterr().out == f"entity {entity}, Gravity: does nothing without a Velocity: add one\n1 finding\n"
    assert main(["check", f"{__name__}:nothing"]) == 2


def test_a_class_in_place_of_a_component_is_found(physics: ecsphys.Physics) -> None:
    wall = esper.create_entity(Transform(), AABBCollider(1, 1), Solid)
    esper.create_entity(Transform(), AABBCollider(1, 1), Solid)
    (finding,) = physics.debug.check()
    assert str(finding) == f"entity {wall} and 1 more: you added the class Solid; add an instance, Solid()"


def test_no_event_is_named_twice(physics: ecsphys.Physics) -> None:
    assert len(set(EVENT_NAMES)) == len(EVENT_NAMES)


def test_a_solid_character_that_crates_touch_is_no_mistake() -> None:
    physics = ecsphys.install(gravity=(0, -10))
    esper.create_entity(Transform(0, -1), AABBCollider(20, 1), Solid())
    hero = esper.create_entity(Transform(0, 0.6), CircleCollider(0.5), Character(), Solid())
    crate = esper.create_entity(Transform(1.2, 0.5), OBBCollider(0.5, 0.5), RigidBody(), Solid())
    for _ in range(40):
        physics.move_character(hero, (0.02, -0.1))
        esper.process(1 / 60)
    assert physics.hits.has(hero, crate)
    assert physics.debug.check() == []
