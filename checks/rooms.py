"""Fast bodies and bullets of all shapes in closed rooms, alone and in crowds: none ever leaves, or is thrown about.

A room has walls of one kind, thin ones too. A body's center of mass may be far from its position, it may spin many
times in a step, and the game changes velocities at random.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import esper

import ecsphys
from ecsphys import (
    AABBCollider,
    Bullet,
    CapsuleCollider,
    ChainCollider,
    CircleCollider,
    CollisionFilter,
    CompoundCollider,
    DistanceJoint,
    FanCollider,
    OBBCollider,
    PolygonCollider,
    RevoluteJoint,
    RigidBody,
    Transform,
    Velocity,
)

HELP = "fast bodies of all shapes in closed rooms: none gets out, and none jumps"

WALLS = ("two-sided chain", "one-sided chain", "AABB", "OBB", "capsule", "polygon", "kinematic")

# Half the size of a room, and how far beyond it the position of a body may be that touches a wall.
_HALF, _BEYOND = 5.0, 0.85

_STEPS = 120


class Room(NamedTuple):
    """A room and what is in it: the kind of its walls, and how fast its bodies get and spin, in units and radians a
    second; whether they meet each other, how many they are, whether some are joined."""

    walls: str
    speed: float
    spin: float
    meet: bool
    bodies: int
    joined: bool
    dt: float

    @classmethod
    def at_random(cls, chance: random.Random) -> Room:
        """Any room."""
        choose = chance.choice
        return cls(
            choose(WALLS),
            choose((20.0, 60.0, 200.0, 600.0)),
            choose((0.0, 10.0, 100.0)),
            choose((True, False)),
            choose((3, 10, 25)),
            choose((False, False, True)),
            choose((1 / 30, 1 / 60, 1 / 60, 1 / 120)),
        )


def leaver(seed: int) -> str:
    """What body of a random room leaves it, and when; "" if none does. It plays in an esper world of its own."""
    chance = random.Random(seed)
    room = Room.at_random(chance)
    before = esper.current_world
    esper.switch_world(f"room {seed}")
    try:
        return _played(room, chance)
    finally:
        esper.switch_world(before)
        esper.delete_world(f"room {seed}")


def _played(room: Room, chance: random.Random) -> str:
    ecsphys.install(gravity=chance.choice(((0.0, 0.0), (0.0, -9.8), (0.0, -50.0))), threads=1)
    _build_walls(room, chance)
    bodies = [_throw(room, chance) for _ in range(room.bodies)]
    if room.joined:
        for _ in range(3):
            (a, at_a, _), (b, at_b, _) = chance.sample(bodies, 2)
            middle = (at_a.x + at_b.x) / 2, (at_a.y + at_b.y) / 2
            joint = DistanceJoint(a, b, length=1.0) if chance.random() < 0.5 else RevoluteJoint.at(a, b, *middle)
            esper.create_entity(joint)
    for step in range(_STEPS):
        for _, _, velocity in bodies:
            if chance.random() < 0.03:
                velocity.x, velocity.y = (chance.uniform(-room.speed, room.speed) for _ in range(2))
        esper.process(room.dt)
        for number, (_, at, _) in enumerate(bodies):
            if not max(abs(at.x), abs(at.y)) < _HALF + _BEYOND:
                return f"step {step}, body {number}: {at}, {room}"
    return ""


def _build_walls(room: Room, chance: random.Random) -> None:
    half = _HALF
    if room.walls.endswith("chain"):
        corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
        side: Any = "both" if room.walls.startswith("two") else "left"
        esper.create_entity(Transform(), ChainCollider(corners, closed=True, side=side), RigidBody("static"))
        return
    thin = chance.choice((0.02, 0.05, 0.2))
    kind: Any = "kinematic" if room.walls == "kinematic" else "static"
    for x, y in ((-half - thin, 0.0), (half + thin, 0.0), (0.0, -half - thin), (0.0, half + thin)):
        size = (thin, half + 1.0) if x else (half + 1.0, thin)
        esper.create_entity(Transform(x, y), _wall(room.walls, *size), RigidBody(kind))


def _wall(walls: str, w: float, h: float) -> Any:
    if walls == "AABB":
        return AABBCollider(w, h)
    if walls == "capsule":
        return CapsuleCollider(2.0 * max(w, h), min(w, h), angle=0.0 if w > h else math.pi / 2.0)
    if walls == "polygon":
        return PolygonCollider([(-w, -h), (w, -h), (w, h), (-w, h)])
    return OBBCollider(w, h)


def _throw(room: Room, chance: random.Random) -> tuple[int, Transform, Velocity]:
    u = chance.uniform
    shapes: tuple[Callable[[], Any], ...] = (
        lambda: CircleCollider(u(0.1, 0.4)),
        lambda: CircleCollider(u(0.1, 0.2), offset_x=u(0.0, 0.5)),
        lambda: OBBCollider(u(0.1, 0.4), u(0.1, 0.4)),
        lambda: OBBCollider(u(0.3, 0.8), 0.05),
        lambda: OBBCollider(0.1, 0.1, offset_x=u(0.0, 0.6)),
        lambda: CapsuleCollider(u(0.2, 0.8), u(0.05, 0.2)),
        lambda: PolygonCollider([(0.0, 0.0), (u(0.2, 0.5), -0.1), (0.3, u(0.1, 0.3))]),
        lambda: FanCollider(u(0.2, 0.5), u(0.4, 5.0), u(-3.0, 3.0)),
        lambda: CompoundCollider([CircleCollider(0.15, offset_x=-0.4), OBBCollider(0.2, 0.1, offset_x=0.3)]),
    )
    at = Transform(u(-3.5, 3.5), u(-3.5, 3.5), u(-3.0, 3.0))
    velocity = Velocity(u(-room.speed, room.speed), u(-room.speed, room.speed), u(-room.spin, room.spin))
    body = RigidBody(
        density=chance.choice((0.3, 1.0, 1.0, 3.0)),
        restitution=chance.choice((0.0, u(0.0, 1.0), 1.0)),
        friction=u(0.0, 1.0),
    )
    others = [] if room.meet else [CollisionFilter(group=-1)]
    bullet = [Bullet()] if chance.random() < 0.2 else []
    return esper.create_entity(at, velocity, chance.choice(shapes)(), body, *others, *bullet), at, velocity


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the check."""
    parser.add_argument("--minutes", metavar="N", type=float, default=2.0, help="how long (%(default)s)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of the first room (%(default)s)")


def run(options: argparse.Namespace) -> int:
    """Play room after room; 1 where a body leaves one."""
    end, faults, rooms = time.monotonic() + 60.0 * options.minutes, 0, 0
    while time.monotonic() < end:
        seed = options.seed + rooms
        rooms += 1
        if told := leaver(seed):
            faults += 1
            print(f"seed {seed}, {told}", flush=True)
    print(f"{rooms:,} rooms from seed {options.seed}: {faults} faults")
    return 1 if faults else 0
