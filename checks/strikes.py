"""Random strikes without gravity, against m·v·(1 + e) at a wall and m·M/(m + M)·v·(1 + e) between free bodies.

A strike goes through the centres of mass of both, so the formulas are exact. It comes from a random place within a
step, at a random angle of the whole scene. Strikers and targets are of all kinds that a game has: single colliders,
compounds, chains of several segments, with and without ``Bullet``, elastic or not.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from typing import Any, NamedTuple

import esper
import numpy as np

import ecsphys
from ecsphys import (
    Bullet,
    CapsuleCollider,
    ChainCollider,
    CircleCollider,
    CompoundCollider,
    HitListener,
    OBBCollider,
    PolygonCollider,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.types import Hit

HELP = "random strikes against the impulse that they have by the laws of motion: each told once"

# Relative errors that are let pass.
IMPULSE_ERROR, SPEED_ERROR = 0.05, 0.02

# Half the length of sides that land flat.
_HALF = 0.5

STRIKERS = ("circle", "box", "capsule", "polygon", "dumbbell", "plank of three")
TARGETS = ("wall", "solid", "chain of 1", "chain of 2", "chain of 5", "compound wall", "free box", "free dumbbell")


class Case(NamedTuple):
    """One strike: what strikes what, in a scene turned by an ``angle``, from a ``gap`` away. The surfaces meet at
    ``speed`` along the normal; ``slide`` is the striker's speed along the surface, which no friction acts on."""

    striker: str
    target: str
    angle: float
    gap: float
    speed: float
    slide: float
    restitution: float
    mass: float
    other_mass: float
    is_bullet: bool
    dt: float
    min_part: float


class Told(NamedTuple):
    """What the game was told: the impulse of each strike, and the speeds of approach that came with them; and the speed
    of approach of each start of a hit."""

    impulses: list[float]
    speeds: list[float]
    at_start: list[float]


def random_case(random: np.random.Generator) -> Case:
    """A case at random; half of the angles are multiples of π/8."""
    is_lattice = random.random() < 0.5
    angle = int(random.integers(16)) * math.pi / 8.0 if is_lattice else random.uniform(0.0, 2.0 * math.pi)
    striker, target = str(random.choice(STRIKERS)), str(random.choice(TARGETS))
    speed = float(np.exp(random.uniform(np.log(1.5), np.log(60.0))))
    dt = 1.0 / float(random.choice([30, 50, 60, 60, 120, 240]))
    # What is no bullet and gets deep into what is free within a step is pushed out sideways.
    is_deep = target.startswith("free") and speed * dt > _HALF
    return Case(
        striker,
        target,
        angle,
        random.uniform(0.0, 1.5) if random.random() < 0.9 else float(random.choice([0.0, 0.001, 0.01])),
        speed,
        random.uniform(-5.0, 5.0) if target in ("wall", "solid") and random.random() < 0.3 else 0.0,
        float(random.choice([0.0, 0.0, 0.2, 0.5, 0.8])),
        float(np.exp(random.uniform(np.log(0.1), np.log(10.0)))),
        float(np.exp(random.uniform(np.log(0.1), np.log(10.0)))),
        is_deep or bool(random.random() < 0.3),
        dt,
        float(random.choice([0.0, 0.8])),
    )


def expected_impulse(case: Case) -> float:
    """The impulse by the laws of motion."""
    mass = case.mass
    if case.target.startswith("free"):
        mass = case.mass * case.other_mass / (case.mass + case.other_mass)
    return mass * case.speed * (1.0 + case.restitution)


def play(case: Case) -> Told:
    """Play a strike in a world of its own."""
    name = f"strike {id(case)}"
    before = esper.current_world
    esper.switch_world(name)
    try:
        return _play(case)
    finally:
        esper.switch_world(before)
        esper.delete_world(name)


def _play(case: Case) -> Told:
    physics = ecsphys.install()
    told = Told([], [], [])

    def on_impulse(hit: Hit) -> None:
        told.impulses.append(hit.strike_impulse)
        told.speeds.append(hit.approach_speed)

    def on_started(hit: Hit) -> None:
        told.at_start.append(hit.approach_speed)

    cos, sin = math.cos(case.angle), math.sin(case.angle)
    surface: dict[str, Any] = {"restitution": case.restitution, "friction": 0.0}
    # In the scene's own frame the striker comes down, and the surface is y = 0.
    colliders, height = _striker(case.striker)
    y = height + case.gap
    esper.create_entity(
        Transform(-sin * y, cos * y, case.angle),
        Velocity(cos * case.slide + sin * case.speed, sin * case.slide - cos * case.speed),
        *colliders,
        RigidBody(mass=case.mass, **surface),
        HitListener(on_started, on_impulse=on_impulse, min_impulse=case.min_part * expected_impulse(case)),
        *((Bullet(),) if case.is_bullet else ()),
    )
    esper.create_entity(Transform(0.0, 0.0, case.angle), *_target(case, surface))
    for _ in range(math.ceil(case.gap / case.speed / case.dt) + 8):
        esper.process(case.dt)
    del physics
    return told


def _striker(name: str) -> tuple[list[Any], float]:
    """The colliders of a striker, and how far its lowest side is below its centre."""
    if name == "circle":
        return [CircleCollider(_HALF)], _HALF
    if name == "box":
        return [OBBCollider(_HALF, 0.3)], 0.3
    if name == "capsule":
        return [CapsuleCollider(2.0 * _HALF, 0.3)], 0.3
    if name == "polygon":
        # A hexagon that stands on a side.
        corners = [(math.cos(i * math.pi / 3.0), math.sin(i * math.pi / 3.0)) for i in range(6)]
        return [PolygonCollider([(0.6 * x, 0.6 * y) for x, y in corners])], 0.6 * math.sqrt(0.75)
    if name == "dumbbell":
        return [CompoundCollider([CircleCollider(0.3, offset_x=x) for x in (-0.6, 0.6)])], 0.3
    return [CompoundCollider([OBBCollider(0.2, 0.25, offset_x=x) for x in (-0.5, 0.0, 0.5)])], 0.25


def _target(case: Case, surface: dict[str, Any]) -> list[Any]:
    """The components of a target, whose surface is y = 0 in its own frame."""
    static = RigidBody(kind="static", **surface)
    free = RigidBody(mass=case.other_mass, **surface)
    if case.target == "wall":
        return [OBBCollider(20.0, 0.5, offset_y=-0.5), static]
    if case.target == "solid":
        return [OBBCollider(20.0, 0.5, offset_y=-0.5), Solid(), RigidBody(kind="static", **surface)]
    if case.target.startswith("chain"):
        count = int(case.target.split()[-1])
        # Ends and joints are under what lands on them, but for a chain of one segment.
        width = 4.0 if count == 1 else 1.2 / count
        places = [(width * (i - 0.5 * count), 0.0) for i in range(count + 1)]
        if count > 1:
            places = [(-5.0, 0.0), *places, (5.0, 0.0)]
        return [ChainCollider(places[::-1]), static]
    if case.target == "compound wall":
        return [
            CompoundCollider([OBBCollider(0.35, 0.5, offset_x=0.7 * i, offset_y=-0.5) for i in range(-9, 10)]),
            static,
        ]
    if case.target == "free box":
        return [OBBCollider(0.8, 0.8, offset_y=-0.8), free]
    return [CompoundCollider([OBBCollider(0.5, 0.8, offset_x=x, offset_y=-0.8) for x in (-0.5, 0.5)]), free]


def fault(case: Case) -> str:
    """What is wrong with what the game was told; empty where nothing is."""
    told = play(case)
    impulse = expected_impulse(case)
    if len(told.impulses) != 1:
        return f"told {len(told.impulses)} times: {[round(one / impulse, 4) for one in told.impulses]}"
    if abs(told.impulses[0] - impulse) > IMPULSE_ERROR * impulse:
        return f"impulse is {told.impulses[0] / impulse:.4f} of what it should be"
    # Of several parts that start at once, some may meet a seam from the side.
    for what, speed in (("of the strike", told.speeds[0]), ("of the start", max(told.at_start))):
        if abs(speed - case.speed) > SPEED_ERROR * case.speed:
            return f"speed {what} is {speed / case.speed:.4f} of what it should be"
    return ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--strikes", type=int, default=1000, help="how many (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of the first, each has the next (default: 1)")


def run(options: argparse.Namespace) -> int:
    """Play random strikes; 1 where any was told wrongly."""
    kinds: Counter[str] = Counter()
    for seed in range(options.seed, options.seed + options.strikes):
        case = random_case(np.random.default_rng(seed))
        found = fault(case)
        if found:
            kinds[found.split(" ")[0]] += 1
            print(f"seed {seed}: {found}\n  {case}")
    print(f"{options.strikes} strikes, {kinds.total()} at fault {dict(kinds)}")
    return 1 if kinds else 0
