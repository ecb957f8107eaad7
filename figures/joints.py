"""One figure for each joint: what it holds, and the freedom that is left."""

from __future__ import annotations

import itertools
import math

import esper

from ecsphys import (
    CircleCollider,
    DistanceJoint,
    GearJoint,
    MotorJoint,
    MouseJoint,
    OBBCollider,
    PrismaticJoint,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    WeldJoint,
    WheelJoint,
)
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Board, Pair, turned
from ecsphys.demo.scenes.rigid.tint import COOL, MACHINE, STONE, WARM
from figures.marks import ANCHOR, WAY, anchor, arrow, dashes, hatch, rim, spring, turn
from figures.panel import Panel

SIZE = (480, 300)
_TEXT = 15
_BLUE, _TEAL, _ORANGE, _YELLOW = COOL[1], COOL[2], WARM[1], WARM[2]


def _open(*title: str, gravity: Pair = (0.0, -10.0)) -> Panel:
    """A panel 9.6 × 6 units large, its lower left corner at (−4.8, −1)."""
    panel = Panel.empty((0, 0, *SIZE), (-4.8, -1.0), 9.6, gravity)
    panel.title(*title, height=_TEXT)
    return panel


def _say(panel: Panel, text: str, x: float, y: float, color: tuple[float, float, float] = palette.TEXT_SOFT) -> None:
    panel.note(text, x, y, color, _TEXT)


def _floor(panel: Panel) -> None:
    panel.put(STONE, Transform(0.0, -0.5), OBBCollider(20.0, 0.5), Solid())


def distance() -> list[Panel]:
    panel = _open("DistanceJoint", "keeps the distance of two points")
    top = 3.0
    hatch(panel.above, (-4.2, top), (4.2, top))
    rod = panel.put(_BLUE, Transform(-2.7, 1.1), CircleCollider(0.42), RigidBody())
    held = panel.put(_YELLOW, Transform(0.3, 1.3), CircleCollider(0.42), RigidBody())
    roped = panel.put(_ORANGE, Transform(2.0, 2.6), CircleCollider(0.42), RigidBody())
    esper.create_entity(DistanceJoint.at(None, rod, -3.4, top, -2.7, 1.1))
    esper.create_entity(DistanceJoint.at(None, held, 0.0, top, 0.3, 1.3, length=1.6, frequency=1.2))
    esper.create_entity(DistanceJoint.at(None, roped, 3.0, top, 2.0, 2.6, max_length=2.4))
    panel.play(0.28)
    ends = [panel.where(body) for body in (rod, held, roped)]
    panel.above.line((-3.4, top), ends[0], ANCHOR, 3.0)
    spring(panel.above, (0.0, top), ends[1])
    # A rope that is not taut hangs in a curve.
    (x, y), middle = ends[2], (2.62, 1.2)
    parts = [k / 12 for k in range(13)]
    rope = [
        (
            (1 - t) ** 2 * 3.0 + 2 * t * (1 - t) * middle[0] + t * t * x,
            (1 - t) ** 2 * top + 2 * t * (1 - t) * middle[1] + t * t * y,
        )
        for t in parts
    ]
    for a, b in itertools.pairwise(rope):
        panel.above.line(a, b, ANCHOR, 2.0, 0.9)
    for point in [(-3.4, top), (0.0, top), (3.0, top), *ends]:
        anchor(panel.above, point)
    angle = math.atan2(ends[0][1] - top, ends[0][0] + 3.4)
    length = math.dist((-3.4, top), ends[0])
    turn(panel.above, (-3.4, top), length + 0.7, angle - 0.3, angle + 0.35, both=True)
    arrow(panel.above, (ends[1][0] + 0.75, ends[1][1] - 0.6), (ends[1][0] + 0.75, ends[1][1] + 0.6), both=True)
    arrow(panel.above, (x, y - 0.6), (x, y - 1.4))
    for x, name, detail in ((-3.2, "rod", "length"), (0.2, "spring", "+ frequency"), (3.2, "rope", "max_length")):
        _say(panel, name, x, -0.35, palette.TEXT)
        _say(panel, detail, x, -0.8)
    return [panel]


def revolute() -> list[Panel]:
    panel = _open("RevoluteJoint", "a hinge: one point of both stays together")
    pin = (-1.0, 2.6)
    post = panel.put(STONE, Transform(-1.0, 1.0), OBBCollider(0.2, 2.4), Solid())
    arm = panel.put(_BLUE, Transform(0.6, 2.6), OBBCollider(1.9, 0.22), RigidBody())
    esper.create_entity(RevoluteJoint.at(post, arm, *pin, has_limits=True, lower=-1.2, upper=0.25))
    for seconds in (0.02, 0.2, 0.16):
        panel.play(seconds)
        panel.ghost(arm, _BLUE, 0.1)
    panel.play(0.16)
    angle = esper.component_for_entity(arm, Transform).angle
    for limit in (-1.2, 0.25):
        end = (pin[0] + 3.9 * math.cos(limit), pin[1] + 3.9 * math.sin(limit))
        dashes(panel.below, pin, end, alpha=0.6)
    turn(panel.above, pin, 3.75, angle + 0.3, angle - 0.3, both=True)
    anchor(panel.above, pin)
    _say(panel, "upper", 3.45, 3.45)
    _say(panel, "lower", 1.05, -0.75)
    _say(panel, "turns", 3.55, 0.9, WAY)
    return [panel]


def prismatic() -> list[Panel]:
    panel = _open("PrismaticJoint", "a slider: moves along an axis, does not turn")
    lift = panel.put(_TEAL, Transform(0.0, 0.2), OBBCollider(1.5, 0.16), RigidBody())
    esper.create_entity(
        PrismaticJoint.at(
            None, lift, 0.0, 0.2, (0.0, 1.0), has_limits=True, lower=-0.7, upper=3.0, motor_speed=1.5, max_force=500.0
        )
    )
    for x, color in ((-0.75, _ORANGE), (0.75, _YELLOW)):
        panel.put(color, Transform(x, 0.76), OBBCollider(0.4, 0.4), RigidBody())
    panel.play(0.15)
    panel.ghost(lift, _TEAL, 0.08)
    panel.play(0.7)
    dashes(panel.below, (0.0, -0.5), (0.0, 3.2))
    for y in (-0.5, 3.2):
        panel.below.line((-0.35, y), (0.35, y), palette.GUIDE, 2.4)
    height = panel.where(lift)[1]
    arrow(panel.above, (2.1, height - 0.9), (2.1, height + 0.9), both=True)
    anchor(panel.above, (0.0, height))
    _say(panel, "slides", 3.0, height - 0.1, WAY)
    _say(panel, "upper", -0.95, 3.05)
    _say(panel, "lower", -0.95, -0.6)
    return [panel]


def wheel() -> list[Panel]:
    panel = _open("WheelJoint", "turns freely, and springs along an axis of the car")
    _floor(panel)
    panel.put(STONE, Transform(0.95, -0.1, 0.0), CircleCollider(0.42), Solid())
    car = panel.put(_ORANGE, Transform(-2.1, 1.5), OBBCollider(1.9, 0.35), RigidBody())
    panel.put(_ORANGE, Transform(-2.3, 2.2), OBBCollider(0.9, 0.35), RigidBody())
    cabin = max(entity for entity, _ in esper.get_component(OBBCollider))
    esper.create_entity(WeldJoint.at(car, cabin, -2.3, 1.85))
    wheels = []
    for x in (-3.3, -0.9):
        made = panel.put(MACHINE, Transform(x, 0.62), CircleCollider(0.6), RigidBody(friction=1.0))
        joint = WheelJoint.at(
            car, made, x, 0.62, (0.0, 1.0), frequency=2.0, damping_ratio=0.6, motor_speed=-4.0, max_torque=30.0
        )
        esper.create_entity(joint)
        wheels.append((made, x + 2.1))
    panel.play(0.85)
    place = esper.component_for_entity(car, Transform)
    for body, x in wheels:
        hub = panel.where(body)
        up = turned((x, 0.1), place.angle)
        spring(panel.above, (place.x + up[0], place.y + up[1]), hub, 0.14, 4)
        anchor(panel.above, hub)
    hub = panel.where(wheels[1][0])
    turn(panel.above, hub, 0.95, 0.9, -0.75)
    _say(panel, "turns", hub[0] + 1.65, hub[1] + 0.1, WAY)
    rear = panel.where(wheels[0][0])
    arrow(panel.above, (rear[0] - 0.95, rear[1] - 0.5), (rear[0] - 0.95, rear[1] + 0.75), both=True)
    _say(panel, "springs", rear[0] - 1.0, rear[1] + 1.0, WAY)
    return [panel]


def weld() -> list[Panel]:
    panel = _open("WeldJoint", "holds all: two bodies act as one")
    _floor(panel)
    long = panel.put(_BLUE, Transform(0.2, 2.2, 0.5), OBBCollider(1.6, 0.28), RigidBody(), Velocity(angular=1.2))
    offset = turned((1.32, 0.9), 0.5)
    place = Transform(0.2 + offset[0], 2.2 + offset[1], 0.5)
    short = panel.put(_ORANGE, place, OBBCollider(0.28, 0.62), RigidBody(), Velocity(angular=1.2))
    corner = turned((1.32, 0.28), 0.5)
    esper.create_entity(WeldJoint.at(long, short, 0.2 + corner[0], 2.2 + corner[1]))
    for seconds in (0.02, 0.25):
        panel.play(seconds)
        for body in (long, short):
            panel.ghost(body, _BLUE if body == long else _ORANGE, 0.08)
    panel.play(0.25)
    place = esper.component_for_entity(long, Transform)
    corner = turned((1.32, 0.28), place.angle)
    anchor(panel.above, (place.x + corner[0], place.y + corner[1]))
    _say(panel, "no freedom is left", -2.6, 2.0, WAY)
    return [panel]


def motor() -> list[Panel]:
    panel = _open("MotorJoint", "moves a body to a place and an angle", gravity=(0.0, 0.0))
    target = (2.6, 1.8)
    drone = panel.put(_TEAL, Transform(-3.2, 0.4, -0.7), OBBCollider(0.75, 0.45), RigidBody())
    joint = MotorJoint.at(None, drone, -3.2, 0.4, max_force=9.0, max_torque=3.0, frequency=0.6)
    esper.create_entity(joint)
    joint.x_a, joint.y_a, joint.angle = *target, 0.0
    panel.follow(drone, _TEAL)
    for seconds in (0.02, 0.55, 0.4):
        panel.play(seconds)
        panel.ghost(drone, _TEAL, 0.08)
    panel.play(0.4)
    corners = [(target[0] + x, target[1] + y) for x, y in ((0.75, 0.45), (-0.75, 0.45), (-0.75, -0.45), (0.75, -0.45))]
    for a, b in itertools.pairwise([*corners, corners[0]]):
        dashes(panel.below, a, b)
    here = panel.where(drone)
    arrow(panel.above, here, (here[0] + 0.72 * (target[0] - here[0]), here[1] + 0.72 * (target[1] - here[1])))
    anchor(panel.above, here)
    anchor(panel.above, target)
    _say(panel, "pulls with max_force at most", 0.4, -0.4, WAY)
    _say(panel, "x_a, y_a, angle", target[0], target[1] + 0.8)
    return [panel]


def mouse() -> list[Panel]:
    panel = _open("MouseJoint", "pulls a point of a body to a target")
    _floor(panel)
    for x in (-3.4, -2.5):
        panel.put(STONE, Transform(x, 0.4), OBBCollider(0.4, 0.4), RigidBody())
    crate = panel.put(_YELLOW, Transform(-0.8, 0.75), OBBCollider(0.75, 0.75), RigidBody())
    grip = MouseJoint.at(crate, -0.25, 1.25, max_force=120.0, frequency=0.9)
    esper.create_entity(grip)
    panel.play(0.02)
    panel.ghost(crate, _YELLOW, 0.08)
    target = (2.2, 3.2)
    steps = iter(range(1000))

    def drag() -> None:
        part = min(next(steps) / 36, 1.0)
        grip.target = (-0.25 + part * (target[0] + 0.25), 1.25 + part * (target[1] - 1.25))

    panel.play(0.72, drag)
    place = esper.component_for_entity(crate, Transform)
    own = turned((0.55, 0.5), place.angle)
    held = (place.x + own[0], place.y + own[1])
    spring(panel.above, held, grip.target, 0.12, 5)
    anchor(panel.above, held)
    _cursor(panel, grip.target)
    turn(panel.above, held, 1.9, -1.0, -2.0, both=True)
    _say(panel, "target", grip.target[0] + 1.2, grip.target[1] - 0.5)
    _say(panel, "swings", held[0] + 1.75, held[1] - 1.5, WAY)
    return [panel]


def _cursor(panel: Panel, tip: Pair) -> None:
    """A mouse's arrow that points at ``tip``."""
    shape = [(0.0, 0.0), (0.0, -0.78), (0.18, -0.6), (0.31, -0.9), (0.43, -0.84), (0.31, -0.56), (0.55, -0.55)]
    corners = [(tip[0] + x, tip[1] + y) for x, y in shape]
    panel.fill(corners, palette.TEXT, 0.9)
    rim(panel.above, corners, ANCHOR)


def gear() -> list[Panel]:
    panel = _open("GearJoint", "couples two joints by a ratio", gravity=(0.0, 0.0))
    centers, radii, teeth = ((-1.5, 1.4), (1.5, 1.4)), (1.0, 2.0), (10, 20)
    wheels = [
        panel.put(color, Transform(*center), CircleCollider(0.88 * radius), RigidBody())
        for color, center, radius in zip((_ORANGE, _BLUE), centers, radii, strict=True)
    ]
    first, second = (
        esper.create_entity(RevoluteJoint.at(None, body, *center, **options))
        for body, center, options in zip(wheels, centers, ({"motor_speed": 4.0, "max_torque": 50.0}, {}), strict=True)
    )
    esper.create_entity(GearJoint(first, second, ratio=2.0))
    panel.play(0.6)
    for number, (body, color) in enumerate(zip(wheels, (_ORANGE, _BLUE), strict=True)):
        angle = esper.component_for_entity(body, Transform).angle + (0.0 if number == 0 else math.pi / teeth[1])
        _teeth(panel.above, centers[number], radii[number], teeth[number], angle, color)
        anchor(panel.above, centers[number])
    turn(panel.above, centers[0], 0.55, -0.4, 2.9, head=0.2)
    turn(panel.above, centers[1], 1.2, 2.4, 0.7)
    _say(panel, "2 turns", centers[0][0] - 0.1, centers[0][1] - 1.65, WAY)
    _say(panel, "1 turn back", centers[1][0] - 0.1, centers[1][1] - 0.95, WAY)
    _say(panel, "ratio = 2", -3.2, -0.7)
    return [panel]


def _teeth(
    board: Board, center: Pair, radius: float, count: int, angle: float, color: tuple[float, float, float]
) -> None:
    """The rim of a gear wheel; between two teeth there is room for one."""
    inner, outer, pitch = radius - 0.12, radius + 0.08, math.tau / count
    points: list[Pair] = []
    for number in range(count):
        start = angle + pitch * number
        for part, way in ((-0.27, inner), (-0.16, outer), (0.16, outer), (0.27, inner)):
            turn_to = start + part * pitch
            points.append((center[0] + way * math.cos(turn_to), center[1] + way * math.sin(turn_to)))
    rim(board, points, color, 2.2)


JOINTS = {
    "distance": distance,
    "revolute": revolute,
    "prismatic": prismatic,
    "wheel": wheel,
    "weld": weld,
    "motor": motor,
    "mouse": mouse,
    "gear": gear,
}
