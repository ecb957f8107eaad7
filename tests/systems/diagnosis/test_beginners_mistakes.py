"""No mistake of a beginner stays silent: each is an error that says what to do, or a finding of ``check()``.

They are those of people who come from pygame, pymunk, Box2D, Unity or Godot, written as they would write them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import esper
import pytest

import ecsphys
from ecsphys import (
    AABBCollider,
    Bullet,
    Character,
    CircleCollider,
    CircularTrajectory,
    CollisionFilter,
    CompoundCollider,
    Controller,
    DistanceJoint,
    FixedStep,
    Gravity,
    HitListener,
    Lifetime,
    LinearTrajectory,
    OBBCollider,
    OneWay,
    Parent,
    Physics,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    WheelJoint,
    WorldBounds,
)
from ecsphys.effects import Emitter
from ecsphys.systems import LifetimeSystem, WorldBoundsSystem

# What is called as no type checker would let it pass.
wrong: Any = ecsphys

Make = Callable[[Any], object]

create = esper.create_entity


@pytest.fixture
def physics() -> Physics:
    """A world with gravity and ground, entity 1."""
    physics = ecsphys.install(gravity=(0, -9.8))
    create(Transform(0, -1), OBBCollider(50, 1), RigidBody("static"))
    return physics


def make_box(*others: Any, x: float = 0.0, y: float = 0.5) -> int:
    return create(Transform(x, y), OBBCollider(0.5, 0.5), RigidBody(), *others)


def make_ball(*others: Any, x: float = 0.0, y: float = 9.0) -> int:
    return create(Transform(x, y), CircleCollider(0.5), *others)


def heard(*_: Any) -> Any:
    """A handler."""


def assign(target: Any, name: str, value: Any) -> object:
    setattr(target, name, value)
    return target


def run_statement(text: str) -> None:
    exec(text, {"ecsphys": ecsphys})


def in_new_world(**settings: Any) -> object:
    esper.switch_world("another")
    return wrong.install(**settings)


def delete(entity: int) -> int:
    esper.delete_entity(entity, immediate=True)
    return entity


def switch_away() -> object:
    esper.switch_world("another")
    return esper.current_world


def read_old_hits(physics: Physics) -> object:
    make_ball()
    ball = esper.component_for_entity(make_ball(), Transform)
    esper.process(0.01)
    hits = physics.hits
    ball.x = 0.1
    esper.process(0.01)
    ball.x = 99.0
    esper.process(0.01)
    return hits.depth


ERRORS: list[tuple[str, Make, type[Exception], str]] = [
    # Names
    ("Position", lambda _: wrong.Position(0, 0), AttributeError, "use Transform(x, y, angle)"),
    ("import Body", lambda _: run_statement("from ecsphys import Body"), ImportError, "'Body'; use RigidBody"),
    ("import a slip", lambda _: run_statement("from ecsphys import Tranform"), ImportError, "mean ecsphys.Transform"),
    ("BoxCollider", lambda _: wrong.BoxCollider(1, 1), AttributeError, "OBBCollider(half_width, half_height)"),
    ("Space", lambda _: wrong.Space(), AttributeError, "use install()"),
    ("ecsphys.bodies", lambda _: wrong.bodies.wake(1), AttributeError, "physics = ecsphys.install()"),
    # Arguments of components
    ("diameter", lambda _: wrong.CircleCollider(diameter=2), TypeError, "use radius, half of the diameter"),
    ("bounciness", lambda _: wrong.RigidBody(bounciness=0.5), TypeError, "'bounciness'; use restitution"),
    ("elasticity", lambda _: wrong.RigidBody(elasticity=0.5), TypeError, "use restitution"),
    ("width", lambda _: wrong.AABBCollider(width=3), TypeError, "use half_width, half of the width"),
    ("size", lambda _: wrong.OBBCollider(size=(2, 1)), TypeError, "from_size(width, height)"),
    ("position", lambda _: wrong.Transform(position=(1, 2)), TypeError, "use x and y, two numbers"),
    ("rotation", lambda _: wrong.Transform(rotation=90), TypeError, "math.radians(degrees)"),
    ("velocity vx", lambda _: wrong.Velocity(vx=3), TypeError, "'vx'; use x"),
    ("gravity of a body", lambda _: wrong.Gravity(y=-9.8), TypeError, "install(gravity=(x, y))"),
    ("friction of a collider", lambda _: wrong.CircleCollider(1, friction=1), TypeError, "RigidBody"),
    ("is_trigger", lambda _: wrong.CircleCollider(1, is_trigger=True), TypeError, "'is_trigger'; use sensor"),
    ("body type", lambda _: wrong.RigidBody(type="static"), TypeError, "'type'; use kind"),
    ("damping", lambda _: wrong.RigidBody(linear_damping=1), TypeError, "a Drag component"),
    ("moment", lambda _: wrong.RigidBody(mass=1, moment=2), TypeError, "use inertia"),
    ("layer", lambda _: wrong.CollisionFilter(layer=2), TypeError, "use layers, a bit for each"),
    ("points", lambda _: wrong.PolygonCollider(points=[(0, 0)]), TypeError, "use vertices"),
    ("on_collision", lambda _: wrong.HitListener(on_collision=heard), TypeError, "use on_started"),
    ("anchor", lambda _: wrong.RevoluteJoint(1, anchor=(0, 1)), TypeError, "at(a, b, …)"),
    ("spring of two", lambda _: wrong.Spring(entity_a=1, entity_b=2), TypeError, "a DistanceJoint"),
    ("speed of a hero", lambda _: wrong.Character(speed=3), TypeError, "move_character(entity, (x · dt, y · dt))"),
    ("slip", lambda _: wrong.Transform(angel=1), TypeError, "'angel'; use angle"),
    ("many", lambda _: wrong.CircleCollider.many(diameter=[1, 2]), TypeError, "use radius"),
    ("nothing", lambda _: wrong.CircleCollider(), TypeError, "CircleCollider needs radius"),
    # Values
    ("tuple", lambda _: wrong.Transform((0, 5)), TypeError, "Transform.x must be a number, got (0, 5)"),
    ("text", lambda _: wrong.Transform("3"), TypeError, "Transform.x must be a number, got '3'"),
    ("NaN", lambda _: Velocity(math.nan), ValueError, "Velocity.x must be finite"),
    ("radius 0", lambda _: CircleCollider(0), ValueError, "CircleCollider.radius must be greater than 0"),
    ("negative mass", lambda _: RigidBody(mass=-1), ValueError, "RigidBody.mass must be greater than 0"),
    ("mass 0 for static", lambda _: RigidBody(mass=0), ValueError, "RigidBody.mass must be greater than 0"),
    ("capital letter", lambda _: wrong.RigidBody("Static"), ValueError, "one of 'dynamic', 'kinematic', 'static'"),
    ("super ball", lambda _: RigidBody(restitution=2), ValueError, "at most 1"),
    ("concave", lambda _: ecsphys.PolygonCollider([(0, 0), (2, 0), (0.5, 0.5), (0, 2)]), ValueError, "from_outline"),
    ("flat list", lambda _: wrong.PolygonCollider([0, 0, 2, 0, 2, 2]), TypeError, "must be a pair of numbers (x, y)"),
    ("fan in degrees", lambda _: ecsphys.FanCollider(3, 90), ValueError, "at most 2π"),
    ("slope in degrees", lambda _: Character(slope_limit=45), ValueError, "at most 1.5708"),
    ("mask of all", lambda _: CollisionFilter(1, -1), ValueError, "write 0xFFFFFFFF"),
    ("layer name", lambda _: wrong.CollisionFilter("player"), TypeError, "must be an integer"),
    ("parent component", lambda _: wrong.Parent(Transform()), TypeError, "Parent.entity must be an integer"),
    ("joint of components", lambda _: wrong.RevoluteJoint(RigidBody(), RigidBody()), TypeError, "must be an integer"),
    ("one part", lambda _: wrong.CompoundCollider(CircleCollider(1)), TypeError, "must be colliders in a list"),
    # install and settings
    ("scalar gravity", lambda _: in_new_world(gravity=-9.8), TypeError, "pair of numbers (x, y), got -9.8"),
    ("dt as rate", lambda _: in_new_world(fixed_step=1 / 60), ValueError, "use fixed_step=60"),
    ("ms as rate", lambda _: in_new_world(fixed_step=0.016), ValueError, "use fixed_step=62"),
    ("twice", lambda _: ecsphys.install(), RuntimeError, "installed already"),
    ("gravty", lambda p: assign(p, "gravty", (0, -1)), AttributeError, "did you mean physics.gravity?"),
    ("gravity later", lambda p: assign(p, "gravity", -9.8), TypeError, "gravity must be a pair"),
    ("length_unit", lambda p: assign(p, "length_unit", 50), AttributeError, "use physics.settings.length_unit"),
    ("iterations", lambda p: assign(p, "iterations", 10), AttributeError, "physics.settings.solver_substeps"),
    ("setting slip", lambda p: assign(p.settings, "lenght_unit", 9), AttributeError, "settings.length_unit?"),
    ("body gravity", lambda p: assign(p.bodies, "gravity", (0, 1)), AttributeError, "use physics.settings.gravity"),
    ("contacts", lambda p: assign(p, "presolve", heard), AttributeError, "use physics.pre_solve"),
    ("pause", lambda _: assign(FixedStep(), "pause", True), AttributeError, "use paused = True"),
    ("add a body", lambda p: p.add(make_box()), AttributeError, "esper.create_entity"),
    ("collision handler", lambda p: p.add_collision_handler(1, 2), AttributeError, "esper.set_handler"),
    ("raycasts", lambda p: p.ray_cast((0, 9), (0, -1)), AttributeError, "use physics.raycast(origin, direction)"),
    # Steps
    ("no seconds", lambda _: esper.process(), TypeError, "call esper.process(dt)"),
    ("seconds as text", lambda _: esper.process("0.1"), TypeError, "dt must be a number"),
    ("backwards", lambda _: esper.process(-0.1), ValueError, "dt must be 0 or more seconds"),
    ("system class", lambda _: wrong_processor(), TypeError, "was added as a class"),
    ("another world", lambda p: (switch_away(), p.step(0.1)), RuntimeError, "belongs to the world"),
    # Calls
    ("missing entity", lambda p: p.bodies.apply_force(77, (1, 0)), ValueError, "apply_force: entity 77 does not exist"),
    ("missing of many", lambda p: p.bodies.wake([77]), ValueError, "wake: entity 77 does not exist"),
    ("static body", lambda p: p.bodies.apply_impulse(1, (1, 0)), ValueError, "its kind is 'static'"),
    (
        "no body",
        lambda p: p.bodies.apply_force(make_ball(), (1, 0)),
        ValueError,
        "entity 2 has no RigidBody",
    ),
    ("deleted body", lambda p: p.bodies.wake(delete(make_box())), ValueError, "entity 2 does not exist"),
    ("scalar force", lambda p: p.bodies.apply_force(make_box(), 5), ValueError, "must be a pair (x, y), or an array"),
    ("scalar force is shown", lambda p: p.bodies.apply_force(make_box(), 5), ValueError, "got 5"),
    ("force x, y", lambda p: p.bodies.apply_force(make_box(), 1, 2), ValueError, "got 1"),
    ("component", lambda p: p.bodies.apply_force(Transform(), (1, 0)), TypeError, "entity must be a whole number"),
    ("bytes of a snapshot", lambda p: p.restore(p.snapshot().to_bytes()), TypeError, "use Snapshot.from_bytes(data)"),
    ("no Character", lambda p: p.move_character(make_ball(), (1, 0)), ValueError, "has no Character"),
    ("scalar ray", lambda p: p.raycast((0, 0), 5), TypeError, "direction must be a pair of numbers"),
    ("name as filter", lambda p: p.raycast((0, 9), (0, 1), filter="wall"), TypeError, "must be a layer, a Collision"),
    ("one for many", lambda _: wrong.spawn_many(3, Transform()), TypeError, "Class.many(...)"),
    ("column", lambda _: Transform.column("position"), ValueError, "its columns are: x, y, angle"),
    ("old hits", read_old_hits, RuntimeError, "these hits are from an earlier step"),
    # Seen by the next step
    ("shared", lambda _: [create(one, CircleCollider(1)) for one in [Transform()] * 2], ValueError, "copy.copy"),
    ("own parent", lambda _: make_ball(Parent(2)), ValueError, "has itself as Parent.entity"),
    ("joint to itself", lambda _: create(RevoluteJoint(make_box(), 2)), ValueError, "must be two different entities"),
    ("no length", lambda _: create(DistanceJoint(make_box(), 1)), ValueError, "DistanceJoint.length"),
    ("two paths", lambda _: make_ball(LinearTrajectory(0, 0, 1, 1), CircularTrajectory(0, 0, 1, 1)), ValueError, "two"),
]


def wrong_processor() -> None:
    esper.add_processor(wrong.systems.LifetimeSystem)
    esper.process(0.1)


@pytest.mark.parametrize(("make", "error", "part"), [row[1:] for row in ERRORS], ids=[row[0] for row in ERRORS])
def test_a_mistake_is_an_error_that_says_what_to_do(
    physics: Physics, make: Make, error: type[Exception], part: str
) -> None:
    def play() -> None:
        make(physics)
        esper.process(1 / 60)

    with pytest.raises(error, match=re.escape(part)):
        play()
    # The world is still usable: what was created by then may be taken away.
    esper.switch_world(physics._state.world or "default")
    for entity in range(2, 9):
        if esper.entity_exists(entity):
            esper.delete_entity(entity, immediate=True)
    physics.step(1 / 60)


def write_each_frame(entity: int, x: float = 0.0, angle: float | None = None) -> object:
    place = esper.component_for_entity(entity, Transform)
    for _ in range(40):
        place.x += x
        if angle is not None:
            place.angle = angle
        esper.process(1 / 60)
    return place


def write_column_each_frame() -> None:
    row = Transform.rows_of([make_box()])
    for _ in range(40):
        Transform.column("x")[row] += 0.01
        esper.process(1 / 60)


def move_platform(*components: Any) -> None:
    platform = create(Transform(0, 1), OBBCollider(4, 0.2), *components)
    make_box(y=1.7)
    write_each_frame(platform, x=0.01)


def fall_into_the_ground() -> None:
    make_ball(Velocity(), Gravity(), y=1.0)
    for _ in range(25):
        esper.process(1 / 60)


def keep_a_column() -> object:
    create(Transform())
    kept = Transform.column("x")
    for _ in range(len(kept) + 5000):
        create(Transform())
    return kept


def in_pixels() -> None:
    for number in range(5):
        create(Transform(60 * number, 15), OBBCollider(15, 15), RigidBody())


def take_the_ground() -> object:
    return delete(1)


def make_plain_ground() -> None:
    take_the_ground()
    create(Transform(0, -1), OBBCollider(50, 1))
    make_box()


def add_in_frame(system: type[Any]) -> None:
    physics = esper.get_processor(ecsphys.systems.EulerMotionSystem).physics  # type: ignore[union-attr]
    esper.add_processor(system(physics))


def set_handler_elsewhere() -> None:
    world = esper.current_world
    esper.switch_world("menu")
    esper.set_handler("hit_started", heard)
    esper.switch_world(world)


FINDINGS: list[tuple[str, Make, str]] = [
    # What does nothing
    ("Gravity alone", lambda _: make_ball(Gravity()), "Gravity: does nothing without a Velocity"),
    ("no Transform", lambda _: create(CircleCollider(1)), "CircleCollider: does nothing without a Transform"),
    (
        "body without collider",
        lambda _: create(Transform(), RigidBody()),
        "RigidBody: touches nothing without a collider",
    ),
    ("Solid without collider", lambda _: create(Transform(), Solid()), "Solid: does nothing without a collider"),
    ("Bullet without collider", lambda _: create(Transform(), Bullet()), "Bullet: does nothing without a collider"),
    (
        "Character without collider",
        lambda _: create(Transform(), Character()),
        "Character: does nothing without a coll",
    ),
    ("OneWay alone", lambda _: make_ball(OneWay()), "OneWay: does nothing without Solid"),
    ("OneWay nowhere", lambda _: make_ball(OneWay(0, 0), Solid()), "OneWay.normal: must not be (0, 0)"),
    (
        "sensor body",
        lambda _: create(Transform(), CircleCollider(1, sensor=True), RigidBody()),
        "all colliders of the entity are",
    ),
    ("Velocity of a static body", lambda _: make_ball(RigidBody("static"), Velocity(1)), "kind='kinematic'"),
    ("path of a static body", lambda _: make_ball(RigidBody("static"), LinearTrajectory(0, 9, 1, 0)), "moves a static"),
    (
        "path of a dynamic body",
        lambda _: make_box(LinearTrajectory(0, 9, 1, 0)),
        "LinearTrajectory: places a dynamic body",
    ),
    ("carried body", lambda _: make_box(Parent(make_box(x=5))), "Parent: places a dynamic body"),
    ("Velocity of a child", lambda _: make_ball(Parent(1), Velocity(1)), "its Parent places it"),
    ("Parent that is gone", lambda _: make_ball(Parent(77)), "Parent.entity: entity 77 does not exist"),
    ("listener without function", lambda _: make_ball(HitListener()), "HitListener: calls nothing"),
    ("handler called", lambda _: make_ball(HitListener(on_started=heard())), "not its result"),
    ("impulse of no body", lambda _: make_ball(HitListener(on_impulse=heard)), "on_impulse: is never called"),
    ("filter that meets nothing", lambda _: make_ball(CollisionFilter(2, 4)), "match no other collider in this world"),
    ("layer number 0", lambda _: make_ball(CollisionFilter(0)), "layers is 0"),
    ("motor without strength", lambda _: create(WheelJoint(make_box(), 1, motor_speed=3)), "while max_torque is 0"),
    ("limits off", lambda _: create(RevoluteJoint(make_box(), 1, y_b=1.5, upper=1)), "has_limits=True"),
    ("joint of two static", lambda _: create(RevoluteJoint(1, -1, y_b=-1)), "RevoluteJoint: moves nothing"),
    # What is no component
    (
        "class",
        lambda _: create(Transform(), AABBCollider(1, 1), Solid),
        "you added the class Solid; add an instance, Solid()",
    ),
    ("list", lambda _: create([Transform(), CircleCollider(1)]), "esper.create_entity(*components)"),
    ("tuple", lambda _: create((Transform(), CircleCollider(1))), "tuple: contains components"),
    ("many for one", lambda _: create(Transform.many(x=[1, 2])), "ecsphys.spawn_many"),
    # Units
    ("degrees", lambda _: create(Transform(angle=90)), "Transform.angle: is in radians, but 90 looks like degrees"),
    ("degrees a second", lambda _: make_ball(Velocity(angular=180)), "Velocity.angular: is in radians"),
    ("degrees of a limit", lambda _: create(hinge(has_limits=True, lower=-45)), "RevoluteJoint.lower: is in radians"),
    ("degrees of an orbit", lambda _: make_ball(CircularTrajectory(0, 9, 1, 90)), "CircularTrajectory.angular_speed"),
    ("milliseconds", lambda _: esper.process(16), "pass dt in seconds, not milliseconds"),
    ("frames a second as dt", lambda _: esper.process(60), "the last step was 60 seconds long"),
    ("pixels", lambda _: in_pixels(), "bodies of 30 units are large for a physics.settings.length_unit of 1"),
    (
        "offset in the world",
        lambda _: create(Transform(), CircleCollider(1, 400, 300)),
        "offset: is far from its entity",
    ),
    # Where things are
    (
        "nothing below",
        lambda _: (take_the_ground(), make_box()),
        "falls forever, because nothing in this world stops bodies",
    ),
    ("ground without body", lambda _: make_plain_ground(), "a collider alone does not block"),
    ("y down", lambda p: (assign(p, "gravity", (0, 9.8)), make_box()), "pulls it away from all ground"),
    (
        "box on a turned body",
        lambda _: create(Transform(0, 9, 0.5), AABBCollider(1, 1), RigidBody()),
        "use an OBBCollider",
    ),
    ("turned part", lambda _: create(Transform(0, 9, 0.5), compound(), RigidBody()), "AABBCollider: never turns"),
    (
        "no gravity",
        lambda p: (assign(p, "gravity", (0, 0)), make_ball(Velocity(), Gravity())),
        "install(gravity=(0, -9.8",
    ),
    ("falls through", lambda _: fall_into_the_ground(), "Gravity: makes the entity fall through the ground"),
    # Two that move the same
    (
        "Character and Velocity",
        lambda _: make_ball(Character(), Velocity(1)),
        "Velocity: moves the Character through walls",
    ),
    ("Character and body", lambda _: make_box(Character()), "RigidBody: also moves the Character"),
    ("Character without Solid", lambda _: make_ball(Character()), "Character: walks through everything"),
    ("body written", lambda _: write_each_frame(make_box(), x=0.01), "Transform: is set in each frame"),
    ("kept upright", lambda _: write_each_frame(make_box(), angle=0), "lock_rotation=True keeps it upright"),
    ("column written", lambda _: write_column_each_frame(), "which moves the body without a velocity"),
    ("platform written", lambda _: move_platform(RigidBody("kinematic")), "while bodies touch the entity"),
    ("static platform", lambda _: move_platform(RigidBody("static")), "while bodies touch the entity"),
    ("solid platform", lambda _: move_platform(Solid()), "while bodies touch the entity"),
    ("child written", lambda _: write_each_frame(make_ball(Parent(make_box())), x=1), "the Parent then overwrites it"),
    (
        "path written",
        lambda _: (make_box(), write_each_frame(make_ball(LinearTrajectory(0, 9, 1, 0)), x=1)),
        "the LinearTrajectory then overwrites it",
    ),
    # Systems and events
    ("no LifetimeSystem", lambda _: make_ball(Lifetime(5)), "Lifetime: no LifetimeSystem runs"),
    ("no WorldBoundsSystem", lambda _: make_ball(WorldBounds(0, 0, 9, 9)), "WorldBounds: no WorldBoundsSystem runs"),
    ("no ControlSystem", lambda _: make_ball(Velocity(), Controller(1)), "Controller: no ControlSystem runs"),
    ("no ParticleSystem", lambda _: create(Transform(), Emitter(10)), "Emitter: no ParticleSystem runs"),
    ("hit_start", lambda _: esper.set_handler("hit_start", heard), "did you mean 'hit_started'?"),
    ("Unity's event", lambda _: esper.set_handler("on_collision_enter", heard), "did you mean 'hit_started'?"),
    ("Godot's event", lambda _: esper.set_handler("body_exited", heard), "did you mean 'hit_ended'?"),
    ("handler of the menu", lambda _: set_handler_elsewhere(), "'hit_started' are set in the world 'menu'"),
]


def hinge(**options: Any) -> RevoluteJoint:
    return RevoluteJoint.at(make_box(), None, 0, 2, **options)


def compound() -> CompoundCollider:
    return CompoundCollider([AABBCollider(1, 1), CircleCollider(1)])


@pytest.mark.parametrize(("make", "part"), [row[1:] for row in FINDINGS], ids=[row[0] for row in FINDINGS])
def test_a_mistake_is_a_finding_that_says_what_to_do(physics: Physics, make: Make, part: str) -> None:
    make(physics)
    assert [str(finding) for finding in physics.debug.check() if part in str(finding)], physics.debug.check()


def test_none_of_more_than_seventy_five_mistakes_is_silent() -> None:
    assert len({row[0] for row in ERRORS}) + len({row[0] for row in FINDINGS}) >= 75
    assert len({row[0] for row in ERRORS}) == len(ERRORS)
    assert len({row[0] for row in FINDINGS}) == len(FINDINGS)


@pytest.mark.parametrize("system", [LifetimeSystem, WorldBoundsSystem])
def test_a_system_outside_the_fixed_step_is_found(system: type[Any]) -> None:
    physics = ecsphys.install(fixed_step=60)
    esper.add_processor(system(physics))
    (finding,) = physics.debug.check()
    assert f"the {system.__name__} runs once per frame" in finding.message
    assert f"physics.fixed_step.add({system.__name__}(physics)" in finding.message
    esper.remove_processor(system)
    physics.fixed_step.add(system(physics))
    assert physics.debug.check() == []


def test_steps_of_a_minute_are_found() -> None:
    physics = ecsphys.install(fixed_step=60)
    physics.fixed_step.hz = 1 / 60
    (finding,) = physics.debug.check()
    assert "60 seconds long: give hz in steps per second" in finding.message


def test_no_stage_is_found_where_install_was_forgotten() -> None:
    physics = Physics()
    make_box()
    assert "no stage of ecsphys runs in this world" in str(physics.debug.check()[0])


@pytest.mark.parametrize("steps", [0, 1])
def test_a_joint_without_anchors_is_found_while_its_bodies_are_apart(physics: Physics, steps: int) -> None:
    joint = create(RevoluteJoint(make_box(), make_box(x=5)))
    for _ in range(steps):
        physics.detect()
    (finding,) = physics.debug.check()
    assert (finding.entity, finding.component) == (joint, "RevoluteJoint")
    assert "5 units apart" in finding.message
    assert "were not given. Use RevoluteJoint.at(a, b, x, y), which takes a point of the world" in finding.message


def test_anchors_of_the_world_in_the_fields_of_a_joint_are_found(physics: Physics) -> None:
    create(RevoluteJoint(make_box(x=3), make_box(x=5), x_a=4, y_a=0.5, x_b=4, y_b=0.5))
    (finding,) = physics.debug.check()
    assert "are in the frames of the two bodies" in finding.message


def test_a_joint_that_names_a_deleted_entity_is_found_before_the_step_takes_it(physics: Physics) -> None:
    create(RevoluteJoint(delete(make_box()), make_box(x=5)))
    assert any("names entity 2, which does not exist" in str(finding) for finding in physics.debug.check())


def test_a_column_that_is_kept_while_more_is_created_is_found(physics: Physics) -> None:
    kept = keep_a_column()
    (finding,) = physics.debug.check()
    assert (finding.component, "written to it are lost" in finding.message) == ("Transform", True)
    del kept
    assert physics.debug.check() == []
