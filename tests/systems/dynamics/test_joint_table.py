"""How joints come and go: breaks and their events, sleep, collisions, bad input, interrupts."""

from __future__ import annotations

import gc
import math
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, Literal

import esper
import numpy as np
import pytest
from interrupted_lines import Interrupt, interrupted_at
from jointed_scene import ball, box, chain, moving_scene, of, place, speed, state, steps

import ecsphys
from ecsphys import (
    AABBCollider,
    CircleCollider,
    DistanceJoint,
    GearJoint,
    MouseJoint,
    Parent,
    Physics,
    PrismaticJoint,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    WeldJoint,
    WheelJoint,
)
from ecsphys.types import JointBreak

sys.path.append(str(Path(__file__).resolve().parents[3]))  # the checks are not installed

from checks.joints import play

BROKEN: list[JointBreak] = []


class Health(ecsphys.Component):
    """Something of the game's."""

    points: float = 1.0


def note(found: JointBreak) -> None:
    BROKEN.append(found)


@pytest.fixture
def physics() -> Physics:
    BROKEN.clear()
    physics = ecsphys.install(gravity=(0.0, -10.0))
    esper.set_handler("joint_broken", note)
    return physics


@pytest.mark.parametrize(("strength", "holds"), [(1.02, True), (0.98, False)])
def test_a_rod_breaks_within_two_percent_of_the_weight_it_bears(physics: Physics, strength: float, holds: bool) -> None:
    body = box(0.0, -1.0, mass=7.0)
    joint = esper.create_entity(
        DistanceJoint.at(None, body, 0.0, 0.0, 0.0, -1.0, break_force=strength * 70.0, break_torque=1.0)
    )
    steps(120)
    assert esper.entity_exists(joint) is holds
    if not holds:
        (found,) = BROKEN
        assert (found.entity, found.entity_a, found.entity_b, found.reason) == (joint, -1, body, "force")
        assert math.hypot(*found.force) == pytest.approx(70.0, rel=0.02)
        assert type(found.joint) is DistanceJoint
        assert place(body)[1] < -2.0


@pytest.mark.parametrize(("strength", "holds"), [(1.02, True), (0.98, False)])
def test_a_weld_breaks_within_two_percent_of_the_moment_it_bears(
    physics: Physics, strength: float, holds: bool
) -> None:
    body = box(1.0, 0.0, 1.0, 0.1, mass=3.0, can_sleep=False)
    weld = WeldJoint.at(None, body, 0.0, 0.0)
    joint = esper.create_entity(weld)
    # It swings a little where it is loaded at once.
    steps(300)
    weld.break_torque = strength * 30.0
    steps(60)
    assert esper.entity_exists(joint) is holds
    assert [found.reason for found in BROKEN] == ([] if holds else ["torque"])


@pytest.mark.parametrize("immediate", [True, False])
def test_deleting_a_body_deletes_its_joints_and_tells(physics: Physics, immediate: bool) -> None:
    bodies, joints = chain(5, 1.0)
    steps(10)
    esper.delete_entity(bodies[2], immediate)
    steps(2)
    assert [(found.entity, found.reason) for found in BROKEN] == [(joint, "despawned") for joint in joints[2:4]]
    assert [esper.entity_exists(joint) for joint in joints] == [True, True, False, False, True, True]
    assert speed(bodies[3])[1] < -0.1
    steps(60)
    assert len(BROKEN) == 2


def test_a_joint_whose_body_goes_before_its_first_step_goes_with_its_event(physics: Physics) -> None:
    bodies = [box(2.0 * k, 0.0) for k in range(3)]
    steps(1)
    weld = WeldJoint.at(bodies[0], bodies[1], 1.0, 0.0)
    hinges = [esper.create_entity(RevoluteJoint.at(None, body, 0.0, 0.0)) for body in bodies[1:]]
    joints = [esper.create_entity(weld), *hinges, esper.create_entity(GearJoint(*hinges))]
    esper.delete_entity(bodies[1])
    steps(2)
    assert [(found.entity, found.reason) for found in BROKEN] == [
        (hinges[0], "despawned"),
        (joints[0], "despawned"),
        (joints[-1], "removed"),
    ]
    assert [esper.entity_exists(joint) for joint in joints] == [False, False, True, False]
    of(hinges[1], RevoluteJoint).entity_b = bodies[1]
    steps(2)
    assert [found.reason for found in BROKEN[3:]] == ["despawned"]


@pytest.mark.parametrize("immediate", [True, False])
def test_a_joint_on_a_body_goes_with_it_unsaid_and_one_on_another_entity_leaves_that(
    physics: Physics, immediate: bool
) -> None:
    bodies = [box(float(2 * k), 0.0) for k in range(4)]
    esper.add_component(bodies[0], WeldJoint.at(bodies[0], bodies[1], 1.0, 0.0))
    esper.add_component(bodies[3], RevoluteJoint.at(bodies[1], bodies[2], 3.0, 0.0))
    steps(2)
    esper.delete_entity(bodies[0], immediate)
    esper.delete_entity(bodies[2], immediate)
    steps(2)
    assert [(found.entity, found.reason) for found in BROKEN] == [(bodies[3], "despawned")]
    assert not esper.has_component(bodies[3], RevoluteJoint)
    assert esper.has_component(bodies[3], RigidBody)


def test_clearing_the_database_tells_of_no_joint_and_the_world_goes_on(physics: Physics) -> None:
    chain(3, 1.0)
    steps(2)
    esper.clear_database()
    bodies, _ = chain(3, 1.0)
    steps(2)
    assert BROKEN == []
    steps(60)
    assert place(bodies[-1])[1] == pytest.approx(-1.5, abs=0.01)


def test_taking_a_joint_away_tells_nothing_and_a_body_that_is_none_any_more_does(physics: Physics) -> None:
    one, two = box(0.0, 0.0), box(2.0, 0.0)
    joints = [esper.create_entity(WeldJoint.at(None, body, 0.0, 0.0)) for body in (one, two)]
    steps(2)
    esper.delete_entity(joints[0])
    steps(2)
    assert BROKEN == []
    esper.remove_component(two, Transform)
    steps(2)
    assert [(found.entity, found.reason) for found in BROKEN] == [(joints[1], "removed")]


def test_a_joint_in_the_row_of_one_of_a_world_that_is_gone_has_carried_nothing() -> None:
    name = esper.current_world
    rows: set[int] = set()
    for number in range(3):
        esper.switch_world(f"world {number}")
        ecsphys.install(gravity=(0.0, -10.0))
        joint = RevoluteJoint.at(None, box(0.0, 0.0), 0.0, 0.0)
        assert (joint.force, joint.torque) == ((0.0, 0.0), 0.0)
        rows.add(joint._row)
        esper.create_entity(joint)
        steps(3)
        assert joint.force[1] > 0.0
        esper.switch_world(name)
        del joint
        esper.delete_world(f"world {number}")
        gc.collect()
    assert len(rows) < 3


def delete_deferred(entity: int) -> None:
    esper.delete_entity(entity)


def delete_at_once(entity: int) -> None:
    esper.delete_entity(entity, immediate=True)


def take_the_joint(entity: int) -> None:
    esper.remove_component(entity, RevoluteJoint)


@pytest.mark.parametrize("take_body", [delete_deferred, delete_at_once])
@pytest.mark.parametrize("take_joint", [delete_deferred, delete_at_once, take_the_joint])
@pytest.mark.parametrize("is_joint_first", [True, False])
@pytest.mark.parametrize("within_a_step", [True, False])
def test_a_joint_that_the_game_takes_away_with_a_body_tells_nothing(
    physics: Physics,
    take_body: Callable[[int], None],
    take_joint: Callable[[int], None],
    is_joint_first: bool,
    within_a_step: bool,
) -> None:
    one, two = box(0.0, 0.0), box(2.0, 0.0)
    joint = esper.create_entity(RevoluteJoint.at(one, two, 1.0, 0.0), Health())
    steps(2)

    class Taker(esper.Processor):
        def process(self, dt: float) -> None:
            for take, entity in ((take_joint, joint), (take_body, two))[:: 1 if is_joint_first else -1]:
                take(entity)
            esper.remove_processor(Taker)

    if within_a_step:
        esper.add_processor(Taker(), ecsphys.Priority.HIERARCHY)
    else:
        Taker().process(0.0)
    steps(3)
    assert BROKEN == []


@pytest.mark.parametrize("others", [(), (Solid(),), (RigidBody("static"),)])
@pytest.mark.parametrize("side", [0, 1])
def test_a_joint_ends_as_removed_when_an_end_loses_its_body_whatever_it_has_besides(
    physics: Physics, others: tuple[Any, ...], side: int
) -> None:
    bodies = [box(0.0, 0.0), box(2.0, 0.0)]
    joint = esper.create_entity(RevoluteJoint.at(bodies[0], bodies[1], 1.0, 0.0))
    steps(2)
    esper.remove_component(bodies[side], RigidBody)
    for other in others:
        esper.add_component(bodies[side], other)
    steps(2)
    # Another RigidBody in its place is one all the same.
    is_body = esper.has_component(bodies[side], RigidBody)
    assert [(found.entity, found.reason) for found in BROKEN] == ([] if is_body else [(joint, "removed")])
    assert esper.entity_exists(joint) is is_body


def test_restored_joints_hold_what_was_no_body_then(physics: Physics) -> None:
    mover, body = esper.create_entity(Transform(0.0, 0.0), Velocity(0.5, 0.0)), box(2.0, 0.0)
    joint = esper.create_entity(RevoluteJoint.at(mover, body, 1.0, 0.0))
    steps(2)
    before = physics.snapshot()
    esper.add_component(mover, RigidBody("kinematic"))
    steps(2)
    physics.restore(before)
    steps(2)
    assert BROKEN == []
    assert esper.entity_exists(joint)


@pytest.mark.parametrize("is_solid", [True, False])
@pytest.mark.parametrize("depth", [1, 2])
def test_a_joint_between_a_body_and_what_it_carries_is_refused_by_name(
    physics: Physics, is_solid: bool, depth: int
) -> None:
    body = child = box(0.0, 0.0)
    for _ in range(depth):
        child = esper.create_entity(Transform(), Parent(child, 1.0, 0.0), CircleCollider(0.2))
    if is_solid:
        esper.add_component(child, Solid())
    steps(1)
    before = state()
    for a, b in ((body, child), (child, body)):
        joint = esper.create_entity(WeldJoint(a, b))
        words = f"entity {joint}: WeldJoint: entity {child} is a descendant of entity {body} "
        with pytest.raises(ValueError, match=words):
            steps(1)
        assert state() == before
        esper.delete_entity(joint)
    twin = esper.create_entity(Transform(), Parent(body, -1.0, 0.0), CircleCollider(0.2))
    joint = esper.create_entity(WeldJoint(child, twin))
    words = f"entity {joint}: WeldJoint: entities {child} and {twin} are both descendants of entity {body} "
    with pytest.raises(ValueError, match=words):
        steps(1)
    esper.delete_entity(joint)
    steps(1)
    assert BROKEN == []


def test_a_gear_goes_with_a_joint_that_it_names(physics: Physics) -> None:
    wheels = [ball(2.0 * k, 0.0) for k in range(2)]
    joints = [esper.create_entity(RevoluteJoint.at(None, wheel, 2.0 * k, 0.0)) for k, wheel in enumerate(wheels)]
    gear = esper.create_entity(GearJoint(joints[0], joints[1]))
    steps(2)
    esper.delete_entity(joints[1])
    steps(2)
    assert [(found.entity, found.reason) for found in BROKEN] == [(gear, "despawned")]


def test_a_handler_may_create_and_delete_and_what_it_raises_is_raised_in_the_end(physics: Physics) -> None:
    bodies, joints = chain(4, 1.0)
    steps(2)
    made: list[int] = []

    def mend(found: JointBreak) -> None:
        made.append(esper.create_entity(RevoluteJoint.at(None, bodies[-1], *place(bodies[-1])[:2])))
        esper.delete_entity(joints[0], immediate=True)
        raise KeyError("mend")

    esper.set_handler("joint_broken", mend)
    esper.delete_entity(bodies[1], immediate=True)
    with pytest.raises(ExceptionGroup):
        steps(1)
    assert len(made) == len(BROKEN) == 2
    steps(30)
    assert place(bodies[-1])[1] == pytest.approx(-2.0, abs=0.02)


def test_joined_bodies_do_not_collide_unless_they_are_to(physics: Physics) -> None:
    pairs = [(box(5.0 * k, 0.0), box(5.0 * k + 0.5, 0.0)) for k in range(2)]
    joints = [
        esper.create_entity(WeldJoint.at(*pair, 5.0 * k, 0.0, collide_connected=k == 1)) for k, pair in enumerate(pairs)
    ]
    steps(2)
    assert physics.hits.entity_a.tolist() == [pairs[1][0]]
    of(joints[0], WeldJoint).collide_connected = True
    of(joints[1], WeldJoint).collide_connected = False
    ended: list[Any] = []

    def end(hit: Any) -> None:
        ended.append(hit)

    esper.set_handler("hit_ended", end)
    steps(1)
    assert physics.hits.entity_a.tolist() == [pairs[0][0]]
    assert [hit.reason for hit in ended] == ["filtered"]
    of(joints[0], WeldJoint).collide_connected = False
    steps(1)
    assert len(physics.hits) == 0
    esper.delete_entity(joints[0])
    steps(1)
    assert physics.hits.entity_a.tolist() == [pairs[0][0]]


def test_a_broken_joint_lets_its_bodies_collide_in_the_same_step(physics: Physics) -> None:
    one, two = box(0.0, 0.0), box(0.5, 0.0)
    weld = WeldJoint.at(one, two, 0.0, 0.0)
    esper.create_entity(weld)
    steps(3)
    weld.break_force = 1e-9
    physics.bodies.apply_impulse(two, (0.3, 0.0))
    steps(1)
    assert len(BROKEN) == 1
    assert physics.hits.has(one, two)


def test_islands_with_joints_sleep_as_a_whole_and_wake_when_a_joint_goes_or_moves(physics: Physics) -> None:
    bodies, joints = chain(3, 1.0)
    steps(400)
    assert all(map(physics.bodies.is_asleep, bodies))
    before = state()
    force = of(joints[0], RevoluteJoint).force
    steps(30)
    assert state() == before
    assert of(joints[0], RevoluteJoint).force == force
    physics.bodies.wake(bodies[0])
    steps(1)
    assert not any(map(physics.bodies.is_asleep, bodies))
    steps(120)
    assert all(map(physics.bodies.is_asleep, bodies))
    esper.delete_entity(joints[2])
    steps(1)
    assert not any(map(physics.bodies.is_asleep, bodies))
    assert speed(bodies[-1])[1] < -0.1


def test_what_hangs_on_something_wakes_when_that_moves_or_the_joint_is_changed(physics: Physics) -> None:
    wall = esper.create_entity(Transform(0.0, 0.0), AABBCollider(0.2, 0.2), Solid())
    body = box(0.0, -1.0)
    joint = esper.create_entity(DistanceJoint.at(wall, body, 0.0, 0.0, 0.0, -1.0))
    steps(120)
    assert physics.bodies.is_asleep(body)
    of(wall, Transform).y += 0.5
    steps(120)
    assert place(body)[1] == pytest.approx(-0.5, abs=1e-2)
    steps(120)
    assert physics.bodies.is_asleep(body)
    of(joint, DistanceJoint).length = 2.0
    steps(120)
    assert place(body)[1] == pytest.approx(-1.5, abs=1e-2)


def test_a_joint_may_be_written_in_the_frame_in_which_a_body_goes(physics: Physics) -> None:
    bodies = [box(3.0 * k, 0.0) for k in range(5)]
    joint = WeldJoint.at(bodies[3], bodies[4], 10.5, 0.0)
    esper.create_entity(joint)
    steps(1)
    joint.collide_connected = True
    esper.remove_component(bodies[0], RigidBody)
    esper.delete_entity(bodies[1])
    steps(2)
    assert len(physics._state.joints) == 1


def test_a_new_joint_wakes_what_it_holds(physics: Physics) -> None:
    esper.create_entity(Transform(0.0, -1.0), AABBCollider(20.0, 0.5), Solid())
    body = box(0.0, 0.0)
    steps(90)
    assert physics.bodies.is_asleep(body)
    pull = MouseJoint.at(body, 0.0, 0.0)
    pull.target = 0.0, 3.0
    esper.create_entity(pull)
    steps(90)
    assert place(body)[1] == pytest.approx(3.0, abs=0.2)


def test_impulses_live_on_while_other_joints_come_and_go(physics: Physics) -> None:
    _, joints = chain(6, 20.0)
    steps(300)
    force = of(joints[0], RevoluteJoint).force
    for k in range(10):
        other = box(5.0, float(k))
        joint = esper.create_entity(WeldJoint.at(None, other, 5.0, float(k)))
        steps(1)
        assert of(joints[0], RevoluteJoint).force == pytest.approx(force, rel=1e-2)
        if k % 2:
            esper.delete_entity(joint)


def _good() -> dict[str, Any]:
    return {"one": box(0.0, 0.0), "two": box(2.0, 0.0), "ghost": esper.create_entity(Transform()), "gone": 9999}


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda e: RevoluteJoint(e["one"], e["one"]), "entity_a and entity_b must be two different"),
        (lambda e: RevoluteJoint(-1, -1), "must not both be −1, the world"),
        (lambda e: RevoluteJoint(e["one"], 0), "must be entities"),
        (lambda e: WeldJoint(e["one"], e["gone"]), r"WeldJoint\.entity_b: entity 9999 does not exist"),
        (
            lambda e: DistanceJoint(e["ghost"], e["one"], length=1.0),
            r"DistanceJoint\.entity_a: .* needs a Transform, and a RigidBody or Solid",
        ),
        (lambda e: RevoluteJoint(e["one"], has_limits=True, lower=1.0, upper=0.5), "lower must be at most upper"),
        (lambda e: PrismaticJoint(e["one"], axis_x=0.0), "axis_x and axis_y must not both be 0"),
        (lambda e: DistanceJoint(e["one"]), "length, min_length, max_length or max_force must be"),
        (
            lambda e: DistanceJoint(e["one"], frequency=2.0, max_length=3.0),
            "length must be greater than 0 for a spring",
        ),
        (lambda e: DistanceJoint(e["one"], min_length=3.0, max_length=2.0), "min_length must be at most"),
        (lambda e: GearJoint(e["one"], e["two"]), r"GearJoint\.entity_a: .* has no RevoluteJoint"),
        (lambda e: GearJoint(e["one"], e["two"], 0.0), "ratio must not be 0"),
    ],
)
def test_what_is_no_joint_is_refused_before_anything_moves(physics: Physics, make: Any, said: str) -> None:
    entities = _good()
    steps(1)
    before = state()
    joint = esper.create_entity(make(entities))
    for _ in range(2):
        with pytest.raises(ValueError, match=said) as caught:
            steps(1)
        assert f"entity {joint}: " in str(caught.value)
        assert state() == before
    esper.delete_entity(joint, immediate=True)
    steps(1)
    assert state() != before


def _at(joint: Any, *arguments: Any) -> object:
    return joint.at(*arguments)


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda body: _at(PrismaticJoint, None, body, 0, 0, (0, 0)), ValueError, r"axis must not be \(0, 0\)"),
        (
            lambda body: _at(PrismaticJoint, None, body, 0, 0, (0, math.nan)),
            ValueError,
            "axis y must be finite, got nan",
        ),
        (lambda body: _at(WheelJoint, None, body, 0, 0, (1, 2, 3)), ValueError, "axis must be a pair"),
        (lambda body: _at(WheelJoint, None, body, 0, 0, 5), TypeError, "axis must be a pair"),
        (lambda body: _at(RevoluteJoint, np.ones(2), body, 0, 0), TypeError, "a must be an entity"),
        (lambda body: _at(WeldJoint, body, {}, 0, 0), TypeError, "b must be an entity"),
        (lambda body: _at(MouseJoint, 1.5, 0, 0), TypeError, "entity must be an entity"),
        (lambda body: _at(DistanceJoint, None, body, 0, 0, "1", 0), TypeError, "x_b must be a number"),
        (
            lambda body: _at(RevoluteJoint, body, esper.create_entity(), 0, 0),
            ValueError,
            "b: entity 2 has no Transform",
        ),
    ],
)
def test_a_joint_at_a_bad_place_is_refused_by_name(
    physics: Physics, make: Callable[[int], object], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=r"Joint\.at: " + message):
        make(box(0.0, 0.0))


def test_bad_numbers_are_refused_where_they_are_given_and_in_columns(physics: Physics) -> None:
    body = box(0.0, 0.0)
    with pytest.raises(ValueError, match=r"RevoluteJoint\.x_a must be finite"):
        RevoluteJoint(body, x_a=math.inf)
    with pytest.raises(ValueError, match=r"RevoluteJoint\.break_force must be greater than 0"):
        RevoluteJoint(body, break_force=-1.0)
    with pytest.raises(ValueError, match=r"MouseJoint\.frequency must be greater than 0"):
        MouseJoint(body, frequency=0.0)
    with pytest.raises(ValueError, match=r"RevoluteJoint\.at: x must be finite"):
        RevoluteJoint.at(body, None, math.nan, 0.0)
    with pytest.raises(ValueError, match=r"RevoluteJoint\.at: b: entity 77 does not exist"):
        RevoluteJoint.at(body, 77, 0.0, 0.0)
    joint = esper.create_entity(RevoluteJoint.at(None, body, 0.0, 0.0))
    steps(1)
    before = state()
    RevoluteJoint.column("max_torque")[of(joint, RevoluteJoint)._row] = math.nan
    with pytest.raises(ValueError, match=rf"entity {joint}: RevoluteJoint\.max_torque must be finite"):
        steps(1)
    assert state() == before
    of(joint, RevoluteJoint).max_torque = 1.0
    steps(1)
    for name, bad in (("joint_iterations", 0), ("joint_hertz", -1.0), ("joint_damping_ratio", math.nan)):
        with pytest.raises(ValueError, match=name):
            setattr(physics.settings, name, bad)


def test_one_instance_on_two_entities_is_refused(physics: Physics) -> None:
    joint = RevoluteJoint.at(None, box(0.0, 0.0), 0.0, 0.0)
    esper.create_entity(joint)
    esper.create_entity(joint)
    with pytest.raises(ValueError, match="share one RevoluteJoint instance"):
        steps(1)


def test_two_joints_may_hold_one_pair(physics: Physics) -> None:
    one, two = box(0.0, 0.0), box(1.0, 0.0)
    for y in (-0.5, 0.5):
        esper.create_entity(RevoluteJoint.at(one, two, 0.5, y))
    esper.create_entity(WeldJoint.at(None, one, -0.5, 0.0))
    steps(300)
    assert place(two) == pytest.approx((1.0, 0.0, 0.0), abs=0.02)


@pytest.mark.parametrize("seed", range(4))
def test_joints_and_bodies_may_come_go_and_change_in_any_order(seed: int) -> None:
    assert play(seed, 40)[0] is None


def test_an_interrupt_at_any_line_leaves_joints_that_work() -> None:
    def is_meant(frame: FrameType) -> bool:
        name = frame.f_code.co_filename
        return "joint" in name and "ecsphys" in frame.f_globals.get("__name__", "")

    reached = 0
    for line in range(1, 2000, 37):
        esper.switch_world(f"interrupt {line}")
        ecsphys.install(gravity=(0.0, -10.0))
        bodies, joints = chain(3, 1.0)
        hung = box(3.0, -1.0, mass=2.0)
        weak = esper.create_entity(DistanceJoint.at(None, hung, 3.0, 0.0, 3.0, -1.0, break_force=19.0))
        other = box(9.0, 0.0)
        esper.create_entity(WeldJoint.at(None, other, 9.0, 0.0))
        try:
            with interrupted_at(line, is_meant):
                steps(2)
                esper.delete_entity(other)
                steps(2)
                hinge = of(joints[0], RevoluteJoint)
                hinge.motor_speed, hinge.max_torque = 1.0, 1e-9
                steps(1)
        except Interrupt:
            reached += 1
        steps(1)
        if esper.entity_exists(other):
            esper.delete_entity(other)
        steps(60)
        assert not esper.entity_exists(weak)
        assert len(esper.get_component(WeldJoint)) == 0
        assert [esper.entity_exists(joint) for joint in joints] == [True] * 4
        assert place(bodies[-1])[1] == pytest.approx(-1.5, abs=0.01)
        if reached < line // 37:
            break
    assert reached > 5


def test_a_scene_of_many_joints_plays_on(physics: Physics) -> None:
    esper.switch_world("many")
    moving_scene()
    steps(240)
    assert np.isfinite(np.frombuffer(state())).all()


def test_a_capsule_child_of_a_joined_body_does_not_collide_either(physics: Physics) -> None:
    one, two = box(0.0, 0.0), box(2.0, 0.0)
    esper.create_entity(Transform(), ecsphys.Parent(one, x=1.8), CircleCollider(0.5))
    esper.create_entity(WeldJoint.at(one, two, 1.0, 0.0))
    steps(3)
    assert len(physics.hits) == 0


def test_a_child_that_is_given_to_another_parent_collides_as_that_one_does(physics: Physics) -> None:
    one, two, apart = box(0.0, 0.0), box(2.0, 0.0), esper.create_entity(Transform(), RigidBody(mass=1.0, inertia=1.0))
    carried = ecsphys.Parent(one, x=1.8)
    child = esper.create_entity(Transform(), carried, CircleCollider(0.5))
    esper.create_entity(WeldJoint.at(one, two, 1.0, 0.0))
    steps(3)
    assert len(physics.hits) == 0
    carried.entity = apart
    steps(1)
    assert physics.hits.entity_b.tolist() == [child] * len(physics.hits) != []
    carried.entity = one
    steps(3)
    assert len(physics.hits) == 0


def test_ends_are_found_where_the_tables_are_read_again_without_a_change() -> None:
    physics = ecsphys.install()
    mover = esper.create_entity(Transform(0.0, 2.0), Velocity(1.0, 0.0))
    hung = box(0.0, 0.0)
    esper.create_entity(DistanceJoint.at(mover, hung, 0.0, 2.0, 0.0, 0.0))
    steps(2)
    tables = physics._state.tables
    # As an interrupt leaves them.
    tables._is_whole, tables.answer = False, None
    steps(2)
    assert tables._is_whole
    assert physics._state.body_table.is_current()
    assert place(hung)[0] == pytest.approx(3.0 / 60.0, abs=0.05)


@pytest.mark.parametrize("kind", ["dynamic", "kinematic"])
@pytest.mark.parametrize("change", ["deleted", "collides", "holds another"])
def test_bodies_that_a_joint_kept_apart_hit_each_other_without_it_though_they_are_still(
    kind: Literal["dynamic", "kinematic"], change: str
) -> None:
    physics = ecsphys.install()
    one, other, third = (
        esper.create_entity(Transform(x, 0.0), Velocity(), CircleCollider(1.0), RigidBody(kind)) for x in (0, 1, 9)
    )
    joint = RevoluteJoint.at(one, other, 0.5, 0.0)
    holder = esper.create_entity(joint)
    for _ in range(90):
        esper.process(1.0 / 60.0)
        assert not len(physics.hits)
    if change == "deleted":
        esper.delete_entity(holder)
    elif change == "collides":
        joint.collide_connected = True
    else:
        esper.delete_entity(holder, immediate=True)
        esper.create_entity(RevoluteJoint.at(one, third, 0.0, 0.0))
    esper.process(1.0 / 60.0)
    assert [(hit.entity_a, hit.entity_b) for hit in physics.hits.started] == [(one, other)]
