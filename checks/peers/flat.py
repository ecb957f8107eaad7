"""A box that strikes flat, and is not to bounce, stops."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from checks.peers.case import Case, Random, between, between_logs, chance
from checks.peers.film import Film
from checks.peers.scene import STEP, Box, Figure, Scene, Take, Thing, even

BOUND = 0.001


def make(random: Random, quick: bool) -> Case:
    """A box, and a thick wall."""
    speed = between_logs(random, 1.0, 100.0)
    size = 0.5 if chance(random) else between(random, 0.2, 1.0)
    bullet = chance(random)
    box = Box(size, size * between(random, 0.4, 2.0), turns=chance(random, 0.8))
    away = between(random, 0.05, 1.0) + between(random, 0.0, speed * STEP)
    body = Thing(-size - away, 0.0, (box,), velocity=(speed, 0.0), bullet=bullet)
    wall = Thing(3.0, 0.0, (Box(3.0, 10.0),), "static")
    # It has been stopped for some steps by then.
    steps = even(away / speed + 6.0 * STEP)
    scene = Scene((body, wall), order=(0, 1) if chance(random) else (1, 0))
    text = f"{'Bullet, ' if bullet else ''}{'OBB' if box.turns else 'AABB'} of {size:.2f}, {speed:.1f} u/s"
    return Case(text, (Take(scene, steps),), lambda films: judge(films, speed))


def judge(films: Sequence[Film], speed: float) -> list[Figure]:
    """The speed at the end, in parts of that at first."""
    (film,) = films
    left = float(np.hypot(*film.velocities[-1, 0])) / speed
    return [Figure("speed left after a flat strike", left if math.isfinite(left) else math.inf, BOUND)]
