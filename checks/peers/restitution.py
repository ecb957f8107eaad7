"""A bounce has the speed that the restitution says."""

from __future__ import annotations

import math
from collections.abc import Sequence

from checks.peers.case import Case, Random, between, between_logs, chance
from checks.peers.film import Film
from checks.peers.scene import STEP, Box, Disc, Figure, Scene, Take, Thing, even

BOUND = 0.01

_THRESHOLD = 1.0


def make(random: Random, quick: bool) -> Case:
    """One that bounces off a wall."""
    restitution = float(random.choice([0.1, 0.3, 0.5, 0.8, 1.0])) if chance(random) else between(random, 0.1, 1.0)
    speed = between_logs(random, 1.01 * _THRESHOLD, 600.0)
    size = 0.5 if chance(random) else between(random, 0.2, 1.0)
    bullet = chance(random)
    boxy = chance(random)
    thick = between(random, 0.02, 1.0)
    shape = Box(size, size * between(random, 0.5, 1.0)) if boxy else Disc(size)
    away = between(random, 0.05, 1.0) + between(random, 0.0, speed * STEP)
    body = Thing(-size - away, 0.0, (shape,), velocity=(speed, 0.0), restitution=restitution, bullet=bullet)
    wall = Thing(thick, 0.0, (Box(thick, 10.0),), "static", restitution=restitution)
    # Some steps after the bounce.
    steps = even(away / speed + 4.0 * STEP)
    scene = Scene((body, wall), bounce_from=_THRESHOLD, order=(0, 1) if chance(random) else (1, 0))
    name = f"{'Bullet, ' if bullet else ''}{'box' if boxy else 'ball'}"
    text = f"{name} of {size:.2f}, {speed:.1f} u/s, e = {restitution:.2f}"
    return Case(text, (Take(scene, steps),), lambda films: judge(films, restitution * speed))


def judge(films: Sequence[Film], expected: float) -> list[Figure]:
    """How much the speed after differs from what is to be, in parts of that."""
    (film,) = films
    after = -film.velocities[-1, 0, 0]
    error = abs(float(after) - expected) / expected
    return [Figure("error of the speed after a bounce", error if math.isfinite(error) else math.inf, BOUND)]
