"""Ten small worlds, written as a game would write them: each with ecsphys and with pymunk."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import esper
import pymunk

import ecsphys
from benchmarks.steps.turns import Step, take_turns
from ecsphys import (
    AABBCollider,
    CircleCollider,
    DistanceJoint,
    Drag,
    HitListener,
    MouseJoint,
    OBBCollider,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    WeldJoint,
    WheelJoint,
)

DT = 1 / 60
GRAVITY = (0.0, -9.8)

_numbers = count(1)


# What a game does in each step is the same for both sides.


def _paddle_at(tick: int) -> float:
    return 6.0 * math.sin(0.05 * tick)


def _mouse_at(tick: int) -> tuple[float, float]:
    return 4.0 * math.sin(0.05 * tick), 4.0 + math.cos(0.05 * tick)


def _motor_rate(tick: int) -> float:
    return 6.0 + math.sin(0.02 * tick)


def _kick(tick: int) -> tuple[float, float]:
    return 0.05 if tick % 2 else -0.05, 0.0


@dataclass(frozen=True)
class SmallWorld:
    """A scene: what builds it with ecsphys, in the current world, and with pymunk; each returns what makes a step."""

    name: str
    ours: Callable[[], Step]
    theirs: Callable[[], Step]


@dataclass(frozen=True)
class SmallWorldOutcome:
    """µs of a step."""

    name: str
    ours: float
    pymunk: float

    @property
    def ratio(self) -> float:
        return self.ours / self.pymunk


def measure_small_worlds(rounds: int = 25, calls: int = 60, warm_up: int = 240) -> list[SmallWorldOutcome]:
    """A step of each small world."""
    found = []
    for scene in SMALL_WORLDS:
        esper.switch_world(f"small world {next(_numbers)}")
        ours, theirs = take_turns((scene.ours(), scene.theirs()), warm_up, rounds, calls)
        found.append(SmallWorldOutcome(scene.name, ours, theirs))
        world = esper.current_world
        esper.switch_world("between small worlds")
        esper.delete_world(world)
    return found


def _step() -> None:
    esper.process(DT)


def _space(gravity: tuple[float, float] = GRAVITY) -> pymunk.Space:
    space = pymunk.Space()
    space.gravity = gravity
    space.sleep_time_threshold = 0.5
    return space


def _box(x: float, y: float, *others: Any, half: float = 0.5, **fields: Any) -> int:
    return esper.create_entity(Transform(x, y), Velocity(), OBBCollider(half, half), RigidBody(**fields), *others)


def _their_box(space: pymunk.Space, x: float, y: float, half: float = 0.5) -> pymunk.Body:
    body = pymunk.Body(1.0, pymunk.moment_for_box(1.0, (2 * half, 2 * half)))
    body.position = x, y
    shape = pymunk.Poly.create_box(body, (2 * half, 2 * half))
    shape.friction = 0.6
    space.add(body, shape)
    return body


def _floor(half_width: float = 100.0) -> int:
    return esper.create_entity(Transform(0, -1), AABBCollider(half_width, 1), Solid())


def _their_floor(space: pymunk.Space, half_width: float = 100.0) -> None:
    shape = pymunk.Segment(space.static_body, (-half_width, -1.0), (half_width, -1.0), 1.0)
    shape.friction = 0.6
    space.add(shape)


def _empty() -> Step:
    ecsphys.install(gravity=GRAVITY)
    return _step


def _their_empty() -> Step:
    space = _space()
    return lambda: space.step(DT)


def _sleeping() -> Step:
    ecsphys.install(gravity=GRAVITY)
    _floor()
    for k in range(40):
        _box(2.0 * k - 40.0, 0.5)
    return _step


def _their_sleeping() -> Step:
    space = _space()
    _their_floor(space)
    for k in range(40):
        _their_box(space, 2.0 * k - 40.0, 0.5)
    return lambda: space.step(DT)


def _awake() -> Step:
    ecsphys.install(gravity=GRAVITY)
    _floor()
    for k in range(50):
        _box(2.0 * (k % 25) - 25.0, 0.5 + k // 25, can_sleep=False)
    return _step


def _their_awake() -> Step:
    space = _space()
    space.sleep_time_threshold = math.inf
    _their_floor(space)
    for k in range(50):
        _their_box(space, 2.0 * (k % 25) - 25.0, 0.5 + k // 25)
    return lambda: space.step(DT)


def _breakout() -> Step:
    """A ball among walls, a paddle that moves, and 80 bricks that listen."""
    ecsphys.install()
    for x, y, half_width, half_height in ((-11, 8, 1, 12), (11, 8, 1, 12), (0, 19, 12, 1), (0, -3, 12, 1)):
        esper.create_entity(
            Transform(x, y), AABBCollider(half_width, half_height), RigidBody("static", restitution=1.0)
        )
    struck: list[int] = []
    for k in range(80):
        listener = HitListener(on_started=lambda hit: struck.append(hit.entity_b))
        place = Transform(-9.5 + k % 16 * 1.25, 13 + k // 16)
        esper.create_entity(place, AABBCollider(0.6, 0.45), RigidBody("static", restitution=1.0), listener)
    ball = RigidBody(mass=1.0, friction=0.0, restitution=1.0, can_sleep=False)
    esper.create_entity(Transform(0, 2), Velocity(5, 9), CircleCollider(0.3), ball)
    paddle = Transform(0, 0)
    esper.create_entity(paddle, AABBCollider(1.5, 0.25), RigidBody("kinematic", restitution=1.0))
    ticks = count()

    def step() -> None:
        paddle.x = _paddle_at(next(ticks))
        esper.process(DT)

    return step


def _their_breakout() -> Step:
    space = _space((0.0, 0.0))
    space.sleep_time_threshold = math.inf
    shapes: list[pymunk.Shape] = []
    for x, y, half_width, half_height in ((-11, 8, 1, 12), (11, 8, 1, 12), (0, 19, 12, 1), (0, -3, 12, 1)):
        body = pymunk.Body(body_type=pymunk.Body.STATIC)
        body.position = x, y
        shapes.append(pymunk.Poly.create_box(body, (2 * half_width, 2 * half_height)))
        space.add(body, shapes[-1])
    struck: list[int] = []
    for k in range(80):
        body = pymunk.Body(body_type=pymunk.Body.STATIC)
        body.position = -9.5 + k % 16 * 1.25, 13 + k // 16
        brick = pymunk.Poly.create_box(body, (1.2, 0.9))
        brick.collision_type = 2
        shapes.append(brick)
        space.add(body, brick)
    ball = pymunk.Body(1.0, pymunk.moment_for_circle(1.0, 0.0, 0.3))
    ball.position, ball.velocity = (0.0, 2.0), (5.0, 9.0)
    disc = pymunk.Circle(ball, 0.3)
    disc.collision_type = 1
    space.add(ball, disc)
    paddle = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
    shapes += (disc, pymunk.Poly.create_box(paddle, (3.0, 0.5)))
    space.add(paddle, shapes[-1])
    for shape in shapes:
        shape.elasticity, shape.friction = 1.0, 0.0
    space.on_collision(1, 2, begin=lambda *_: struck.append(1))
    ticks = count()

    def step() -> None:
        paddle.position = _paddle_at(next(ticks)), 0.0
        space.step(DT)

    return step


def _dragged() -> Step:
    ecsphys.install(gravity=GRAVITY)
    _floor()
    joint = MouseJoint.at(_box(0.0, 3.0), 0.0, 3.0, max_force=500.0)
    esper.create_entity(joint)
    ticks = count()

    def step() -> None:
        joint.target = _mouse_at(next(ticks))
        esper.process(DT)

    return step


def _their_dragged() -> Step:
    space = _space()
    _their_floor(space)
    mouse = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
    joint = pymunk.PivotJoint(mouse, _their_box(space, 0.0, 3.0), (0.0, 0.0), (0.0, 0.0))
    joint.max_force = 500.0
    space.add(joint)
    ticks = count()

    def step() -> None:
        mouse.position = _mouse_at(next(ticks))
        space.step(DT)

    return step


def _car() -> Step:
    """A chassis on two wheels, whose motors are set in every step."""
    ecsphys.install(gravity=GRAVITY)
    _floor(1e5)
    chassis = esper.create_entity(Transform(0, 1.2), Velocity(), OBBCollider(1.5, 0.3), RigidBody(mass=2.0))
    joints = []
    for x in (-1.0, 1.0):
        wheel = esper.create_entity(
            Transform(x, 0.5), Velocity(), CircleCollider(0.5), RigidBody(mass=0.5, friction=0.9)
        )
        joint = WheelJoint.at(chassis, wheel, x, 0.5, (0.0, 1.0), max_torque=50.0)
        joints.append(joint)
        esper.create_entity(joint)
    ticks = count()

    def step() -> None:
        speed = -_motor_rate(next(ticks))
        for joint in joints:
            joint.motor_speed = speed
        esper.process(DT)

    return step


def _their_car() -> Step:
    space = _space()
    _their_floor(space, 1e5)
    chassis = pymunk.Body(2.0, pymunk.moment_for_box(2.0, (3.0, 0.6)))
    chassis.position = 0.0, 1.2
    space.add(chassis, pymunk.Poly.create_box(chassis, (3.0, 0.6)))
    motors = []
    for x in (-1.0, 1.0):
        wheel = pymunk.Body(0.5, pymunk.moment_for_circle(0.5, 0.0, 0.5))
        wheel.position = x, 0.5
        disc = pymunk.Circle(wheel, 0.5)
        disc.friction = 0.9
        groove = pymunk.GrooveJoint(chassis, wheel, (x, -1.2), (x, 0.0), (0.0, 0.0))
        spring = pymunk.DampedSpring(chassis, wheel, (x, 0.3), (0.0, 0.0), 1.0, 300.0, 10.0)
        motor = pymunk.SimpleMotor(chassis, wheel, 6.0)
        motor.max_force = 50.0
        for joint in (groove, spring, motor):
            joint.collide_bodies = False
        motors.append(motor)
        space.add(wheel, disc, groove, spring, motor)
    ticks = count()

    def step() -> None:
        rate = _motor_rate(next(ticks))
        for motor in motors:
            motor.rate = rate
        space.step(DT)

    return step


def _cradle() -> Step:
    ecsphys.install(gravity=GRAVITY)
    for k in range(5):
        x, y = (1.001 * k, 0.0) if k else (-2.0, 1.0)
        body = RigidBody(mass=1.0, restitution=1.0, friction=0.0, can_sleep=False)
        ball = esper.create_entity(Transform(x, y), Velocity(), CircleCollider(0.5), body)
        esper.create_entity(DistanceJoint.at(ball, None, x, y, 1.001 * k, 4.0))
    return _step


def _their_cradle() -> Step:
    space = _space()
    space.sleep_time_threshold = math.inf
    for k in range(5):
        body = pymunk.Body(1.0, pymunk.moment_for_circle(1.0, 0.0, 0.5))
        body.position = (1.001 * k, 0.0) if k else (-2.0, 1.0)
        disc = pymunk.Circle(body, 0.5)
        disc.elasticity = 1.0
        space.add(body, disc, pymunk.PinJoint(body, space.static_body, (0.0, 0.0), (1.001 * k, 4.0)))
    return lambda: space.step(DT)


def _from_above() -> Step:
    """Sixty boxes that slide, seen from above."""
    ecsphys.install()
    for k in range(60):
        box = _box(3.0 * (k % 10), 3.0 * (k // 10), Drag(0.5, 0.5), can_sleep=False)
        velocity = esper.component_for_entity(box, Velocity)
        velocity.x, velocity.y, velocity.angular = math.sin(k), math.cos(k), 0.2 * math.sin(3 * k)
    return _step


def _their_from_above() -> Step:
    space = _space((0.0, 0.0))
    space.sleep_time_threshold = math.inf
    space.damping = math.exp(-0.5)
    for k in range(60):
        body = _their_box(space, 3.0 * (k % 10), 3.0 * (k // 10))
        body.velocity, body.angular_velocity = (math.sin(k), math.cos(k)), 0.2 * math.sin(3 * k)
    return lambda: space.step(DT)


def _pushed() -> Step:
    """Twenty boxes on a floor, of which ten are pushed in every step."""
    physics = ecsphys.install(gravity=GRAVITY)
    _floor()
    boxes = [_box(2.0 * k - 20.0, 0.5, can_sleep=False) for k in range(20)]
    push = physics.bodies.apply_impulse
    ticks = count()

    def step() -> None:
        impulse = _kick(next(ticks))
        for box in boxes[:10]:
            push(box, impulse)
        esper.process(DT)

    return step


def _their_pushed() -> Step:
    space = _space()
    space.sleep_time_threshold = math.inf
    _their_floor(space)
    boxes = [_their_box(space, 2.0 * k - 20.0, 0.5) for k in range(20)]
    ticks = count()

    def step() -> None:
        impulse = _kick(next(ticks))
        for box in boxes[:10]:
            box.apply_impulse_at_world_point(impulse, box.position)
        space.step(DT)

    return step


def _welded() -> Step:
    """A thousand welds between bodies that sleep."""
    ecsphys.install(gravity=GRAVITY)
    _floor(3000.0)
    for k in range(1000):
        a, b = _box(5.0 * k - 2500.0, 0.5), _box(5.0 * k - 2499.0, 0.5)
        esper.create_entity(WeldJoint(a, b, x_a=0.5, x_b=-0.5))
    return _step


def _their_welded() -> Step:
    space = _space()
    _their_floor(space, 3000.0)
    for k in range(1000):
        a, b = _their_box(space, 5.0 * k - 2500.0, 0.5), _their_box(space, 5.0 * k - 2499.0, 0.5)
        pivot, gear = pymunk.PivotJoint(a, b, (5.0 * k - 2499.5, 0.5)), pymunk.GearJoint(a, b, 0.0, 1.0)
        pivot.collide_bodies = gear.collide_bodies = False
        space.add(pivot, gear)
    return lambda: space.step(DT)


SMALL_WORLDS = (
    SmallWorld("an empty world", _empty, _their_empty),
    SmallWorld("40 boxes that sleep", _sleeping, _their_sleeping),
    SmallWorld("50 boxes that are awake", _awake, _their_awake),
    SmallWorld("breakout, 80 listening bricks", _breakout, _their_breakout),
    SmallWorld("a box dragged by a mouse joint", _dragged, _their_dragged),
    SmallWorld("a car, motors set each step", _car, _their_car),
    SmallWorld("Newton's cradle", _cradle, _their_cradle),
    SmallWorld("60 boxes seen from above", _from_above, _their_from_above),
    SmallWorld("ten pushes each step", _pushed, _their_pushed),
    SmallWorld("1,000 welds that sleep", _welded, _their_welded),
)
