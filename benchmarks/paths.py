"""Balls that fly past things, and bodies that slide over flush tiles: the paths they take."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import esper

import ecsphys
from benchmarks.rigid.engine import STEP
from ecsphys import CapsuleCollider, CircleCollider, OBBCollider, RigidBody, Transform, Velocity

Obstacle = Literal["disc", "box", "moving ball"]
Slider = Literal["ball", "box", "capsule"]
Points = list[tuple[float, float]]

BEFORE = Path(__file__).parent / "paths_before.json"
"""The paths in the code before near misses and seams were mended, written there by ``--paths FOLDER --json PATH``."""

BALL = 0.3
DISC = 1.2
HALF_BOX = 1.0
"""Half the side of the box."""

BOX_ANGLE = math.radians(30.0)
MOVING_BALL = 1.0
MOVING_VELOCITY = (0.0, 4.0)

REACH = 4.4
"""How far from the obstacle a flight begins and ends."""

SLIDER = 0.5
"""The radius of what slides, or half its height."""

SLIDING_SPEED = 20.0
SLIDING_STEPS = 120
SLIDING_FROM = 2.5
TILES = 46

_world_numbers = itertools.count(1)


@dataclass(frozen=True)
class Miss:
    """A ball that flies past an obstacle on its left.

    The direction is in degrees. The gap is between the two where they are closest.
    """

    obstacle: Obstacle
    direction: float
    speed: float
    gap: float


MISSES = (
    Miss("disc", 17.0, 60.0, 0.2),
    Miss("disc", 80.0, 12.0, 0.01),
    Miss("disc", 135.0, 30.0, 0.05),
    Miss("disc", 206.0, 45.0, 0.1),
    Miss("disc", 252.0, 25.0, 0.02),
    Miss("disc", 312.0, 5.0, 0.002),
    Miss("box", 52.0, 60.0, 0.4),
    Miss("box", 142.0, 8.0, 0.01),
    Miss("box", 232.0, 20.0, 0.05),
    Miss("box", 322.0, 45.0, 0.15),
    Miss("moving ball", 0.0, 60.0, 0.6),
    Miss("moving ball", 60.0, 30.0, 0.05),
    Miss("moving ball", 127.0, 45.0, 0.1),
    Miss("moving ball", 180.0, 25.0, 0.03),
    Miss("moving ball", 237.0, 40.0, 0.02),
    Miss("moving ball", 300.0, 15.0, 0.005),
)


@dataclass(frozen=True)
class Paths:
    """The places at each step: of the flights in the order of ``MISSES``, and of what slides."""

    misses: list[Points]
    seams: dict[Slider, Points]

    def write(self, path: Path) -> None:
        """Write a JSON file."""
        content = {"misses": self.misses, "seams": self.seams}
        path.write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Paths:
        """The paths of a JSON file."""
        content = json.loads(path.read_text(encoding="utf-8"))
        return cls(content["misses"], content["seams"])


def play_paths() -> Paths:
    """Play both scenes: each flight and each slide in a world of its own."""
    sliders: tuple[Slider, ...] = ("ball", "box", "capsule")
    return Paths([_fly(miss) for miss in MISSES], {slider: _slide(slider) for slider in sliders})


def box_corners() -> Points:
    """The corners of the box that is flown past."""
    c, s = math.cos(BOX_ANGLE), math.sin(BOX_ANGLE)
    h = HALF_BOX
    return [(c * x - s * y, s * x + c * y) for x, y in ((-h, -h), (h, -h), (h, h), (-h, h))]


def speed_kept(points: Points) -> float:
    """The speed along x over the last step, in parts of that at first."""
    return (points[-1][0] - points[-2][0]) / STEP / SLIDING_SPEED


def _fly(miss: Miss) -> Points:
    angle = math.radians(miss.direction)
    vx, vy = miss.speed * math.cos(angle), miss.speed * math.sin(angle)
    ox, oy = MOVING_VELOCITY if miss.obstacle == "moving ball" else (0.0, 0.0)
    # Seen from the obstacle the ball flies along this direction, and the obstacle is on its left.
    relative = math.hypot(vx - ox, vy - oy)
    left_x, left_y = -(vy - oy) / relative, (vx - ox) / relative
    apart = BALL + miss.gap + _reach(miss.obstacle, -left_x, -left_y)
    seconds = REACH / miss.speed
    with _world((0.0, 0.0)):
        esper.create_entity(Transform(-seconds * ox, -seconds * oy, BOX_ANGLE), *_obstacle(miss.obstacle))
        x, y = -apart * left_x - seconds * vx, -apart * left_y - seconds * vy
        ball = esper.create_entity(Transform(x, y), CircleCollider(BALL), RigidBody(), Velocity(vx, vy))
        return _trace(ball, round(2.0 * seconds / STEP))


def _slide(slider: Slider) -> Points:
    with _world((0.0, -10.0)):
        for number in range(TILES):
            tile = OBBCollider(0.5, 0.5)
            esper.create_entity(Transform(number + 0.5, -0.5), tile, RigidBody("static", friction=0.0))
        match slider:
            case "ball":
                collider: CircleCollider | OBBCollider | CapsuleCollider = CircleCollider(SLIDER)
            case "box":
                collider = OBBCollider(SLIDER, SLIDER)
            case "capsule":
                collider = CapsuleCollider(2.0 * SLIDER, SLIDER)
        body = esper.create_entity(
            Transform(SLIDING_FROM, SLIDER),
            collider,
            RigidBody(friction=0.0, lock_rotation=slider != "ball"),
            Velocity(SLIDING_SPEED, 0.0),
        )
        return _trace(body, SLIDING_STEPS)


def _reach(obstacle: Obstacle, x: float, y: float) -> float:
    """How far an obstacle reaches from its center in a direction."""
    match obstacle:
        case "disc":
            return DISC
        case "box":
            return max(x * corner_x + y * corner_y for corner_x, corner_y in box_corners())
        case "moving ball":
            return MOVING_BALL


def _obstacle(obstacle: Obstacle) -> tuple[ecsphys.Component, ...]:
    match obstacle:
        case "disc":
            return CircleCollider(DISC), RigidBody("static")
        case "box":
            return OBBCollider(HALF_BOX, HALF_BOX), RigidBody("static")
        case "moving ball":
            return CircleCollider(MOVING_BALL), RigidBody("kinematic"), Velocity(*MOVING_VELOCITY)


def _trace(body: int, steps: int) -> Points:
    """Where a body is at first and after each step."""
    transform = esper.component_for_entity(body, Transform)
    points = [(round(transform.x, 3), round(transform.y, 3))]
    for _ in range(steps):
        esper.process(STEP)
        points.append((round(transform.x, 3), round(transform.y, 3)))
    return points


@contextmanager
def _world(gravity: tuple[float, float]) -> Iterator[None]:
    """An esper world of one's own."""
    before, name = esper.current_world, f"paths {next(_world_numbers)}"
    esper.switch_world(name)
    ecsphys.install(gravity=gravity, threads=1)
    try:
        yield
    finally:
        esper.switch_world(before)
        esper.delete_world(name)
