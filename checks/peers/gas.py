"""A gas of balls that bounce for ever keeps its energy, and its momentum in the open."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from checks.peers import laws
from checks.peers.case import Case, Random, between, chance
from checks.peers.film import Film
from checks.peers.scene import Box, Disc, Figure, Scene, Take, Thing, even

_KEPT = 0.97
"""The part of the energy that is left after this many seconds."""
_SECONDS = 100.0

_MOMENTUM, _COARSE_MOMENTUM = 1e-9, 1e-3

_COUNT = 60


def make(random: Random, quick: bool) -> Case:
    """Balls in a box, or flying into each other in the open."""
    closed = chance(random, 0.6)
    radius = 0.5 if chance(random) else between(random, 0.2, 0.5)
    speed = between(random, 2.0, 10.0)
    things = []
    for k in range(_COUNT):
        x, y = (k % 8 - 3.5) * 1.6, (k // 8 - 3.5) * 1.6
        course = between(random, -math.pi, math.pi)
        velocity = (speed * math.cos(course), speed * math.sin(course)) if closed else (-x * speed / 8, -y * speed / 8)
        if not closed:
            velocity = (velocity[0] + between(random, -1.0, 1.0), velocity[1] + between(random, -1.0, 1.0))
        disc = Disc(radius * (1.0 if chance(random) else between(random, 0.6, 1.0)))
        things.append(Thing(x, y, (disc,), velocity=velocity, friction=0.0, restitution=1.0))
    if closed:
        for x, y, w, h in (
            (-9.0, 0.0, 1.0, 10.0),
            (9.0, 0.0, 1.0, 10.0),
            (0.0, -9.0, 10.0, 1.0),
            (0.0, 9.0, 10.0, 1.0),
        ):
            things.append(Thing(x, y, (Box(w, h),), "static", friction=0.0, restitution=1.0))
    seconds = (10.0 if quick else _SECONDS) if closed else 5.0
    take = Take(Scene(tuple(things), bounce_from=0.0), even(seconds), keep_every=30)
    text = f"{_COUNT} balls of {radius:.2f}, {speed:.1f} u/s, {'in a box' if closed else 'in the open'}, {seconds} s"
    if not closed:
        return Case(text, (take,), judge_open)
    return Case(text, (take,), lambda films: judge_closed(films, 1.0 - _KEPT ** (seconds / _SECONDS)))


def judge_closed(films: Sequence[Film], loss: float) -> list[Figure]:
    """How much energy is lost, how much is gained, and how many are out."""
    (film,) = films
    energy = laws.energies(film)
    rows = film.rows()
    out = (~(np.abs(film.places[-1, rows]) < 8.5)).any(1).sum()
    return [
        Figure("energy lost", float(1.0 - energy[-1] / energy[0]), loss),
        Figure("energy gained", float(energy.max() / energy[0] - 1.0), loss),
        Figure("balls that left the box", float(out), 0.0),
    ]


def judge_open(films: Sequence[Film]) -> list[Figure]:
    """What became of momentum and energy."""
    (film,) = films
    energy = laws.energies(film)
    return [
        Figure("momentum lost", laws.momentum_error(film), _MOMENTUM, _COARSE_MOMENTUM),
        Figure("energy gained", float(energy.max() / energy[0] - 1.0), 0.03),
    ]
