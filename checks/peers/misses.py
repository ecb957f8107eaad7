"""What flies past something must not notice it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from checks.peers import laws
from checks.peers.case import COLLIDERS, Case, Random, between, between_logs, chance, make_shapes, pick
from checks.peers.film import Film
from checks.peers.geometry import reach
from checks.peers.scene import Box, Chain, Disc, Figure, Scene, Shape, Take, Thing, even

BOUND, COARSE_BOUND = 1e-9, 1e-4

_BEFORE, _AFTER = 0.4, 0.3


def make(random: Random, quick: bool) -> Case:
    """One mover past one thing, at an exact gap."""
    name = str(pick(random, *COLLIDERS))
    speed, gap = between(random, 5.0, 60.0), between_logs(random, 0.002, 0.6)
    size = 0.5 if chance(random) else between(random, 0.1, 1.0)
    course = between(random, -math.pi, math.pi) if chance(random) else 0.0
    friction = 0.0 if chance(random) else 0.6
    restitution = float(random.choice([0.0, 0.5, 1.0]))
    bullet = chance(random)
    mover = Thing(
        0.0,
        0.0,
        make_shapes(random, name, size),
        angle=0.0 if name == "AABB" or chance(random, 0.3) else between(random, -math.pi, math.pi),
        velocity=(speed * math.cos(course), speed * math.sin(course)),
        spin=between(random, -30.0, 30.0) if name == "circle" and chance(random) else 0.0,
        friction=friction,
        restitution=restitution,
        bullet=bullet,
    )
    other, what = _other(random, course)
    other = dataclasses.replace(other, friction=friction, restitution=restitution)
    things = place(random, mover, other, gap)
    order = (0, 1) if chance(random) else (1, 0)
    take = Take(Scene(things, order=order), even(_BEFORE + _AFTER))
    kind = "a Bullet, " if bullet else ""
    text = f"{name}, {kind}{speed:.1f} u/s past a {other.kind} {what}, gap {gap:.4f}"
    return Case(text, (take,), judge)


def _other(random: Random, course: float) -> tuple[Thing, str]:
    kind = pick(random, "static", "kinematic", "dynamic")
    what = pick(random, "disc", "box", "chain")
    size = between(random, 0.1, 1.5)
    shape: Shape
    match what:
        case "disc":
            shape = Disc(size)
        case "box":
            shape = Box(size, size * between(random, 0.3, 1.0))
        case _:
            kind = "static"
            heights = random.uniform(-0.5, 0.5, 5)
            shape = Chain(tuple((0.7 * (k - 2.0), float(y)) for k, y in enumerate(heights)))
    flat = chance(random, 0.3)
    angle = course if flat else between(random, -math.pi, math.pi)
    velocity = (0.0, 0.0)
    if kind == "kinematic" or (kind == "dynamic" and chance(random)):
        velocity = (between(random, -4.0, 4.0), between(random, -4.0, 4.0))
    return Thing(0.0, 0.0, (shape,), kind, angle, velocity), what  # type: ignore[arg-type]


def place(random: Random, mover: Thing, other: Thing, gap: float) -> tuple[Thing, Thing]:
    """Where both are at first, so that they are closest, by just the gap, at some moment within the take.

    Seen from the other, the mover sweeps a straight strip. The gap is from the edge of the strip.
    """
    vx, vy = mover.velocity[0] - other.velocity[0], mover.velocity[1] - other.velocity[1]
    speed = math.hypot(vx, vy)
    side = 1.0 if chance(random) else -1.0
    # From the mover's way to the other.
    x, y = -side * vy / speed, side * vx / speed
    apart = reach(mover, x, y) + gap + reach(other, -x, -y)
    along = between(random, 0.0, speed / 60.0)
    mover_x = -apart * x + along * vx / speed - _BEFORE * mover.velocity[0]
    mover_y = -apart * y + along * vy / speed - _BEFORE * mover.velocity[1]
    return (
        dataclasses.replace(mover, x=mover_x, y=mover_y),
        dataclasses.replace(other, x=-_BEFORE * other.velocity[0], y=-_BEFORE * other.velocity[1]),
    )


def judge(films: Sequence[Film]) -> list[Figure]:
    """By how much either velocity ever changed, in parts of the mover's."""
    (film,) = films
    speed = float(np.hypot(*film.velocities[0, 0]))
    changed = max(laws.velocity_change(film, row, speed) for row in range(2))
    return [Figure("change of velocity without a hit", changed, BOUND, COARSE_BOUND)]
