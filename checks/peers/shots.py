"""A bullet hits what comes or flees, and other bullets."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from checks.peers import laws
from checks.peers.case import Case, Random, between, chance, pick, shuffled
from checks.peers.film import Film
from checks.peers.scene import Disc, Figure, Scene, Take, Thing, even, turned

_MOMENTUM, _COARSE_MOMENTUM = 1e-9, 1e-4


def make(random: Random, quick: bool) -> Case:
    """A bullet and its target, in space."""
    what = pick(random, "approaching", "fleeing", "approaching bullet", "fleeing bullet")
    speed, other_speed = between(random, 150.0, 500.0), between(random, 10.0, 100.0)
    if what == "approaching bullet":
        other_speed = between(random, 150.0, 500.0)
    flees = what.startswith("fleeing")
    bullet_size = between(random, 0.05, 0.5)
    target_size = 0.5 if chance(random) else between(random, 0.2, 1.0)
    # At most 0.6 of what still touches: well met.
    offset = between(random, -0.6, 0.6) * (bullet_size + target_size)
    away = bullet_size + target_size + between(random, 0.5, 20.0)
    closing = speed - other_speed if flees else speed + other_speed
    restitution = float(random.choice([0.0, 0.5, 1.0]))
    course = 0.0 if chance(random) else between(random, -math.pi, math.pi)
    bullet = Thing(0.0, 0.0, (Disc(bullet_size),), velocity=(speed, 0.0), bullet=True)
    target = Thing(
        away,
        offset,
        (Disc(target_size),),
        velocity=(other_speed if flees else -other_speed, 0.0),
        bullet=what.endswith("bullet"),
    )
    things = tuple(
        dataclasses.replace(
            thing,
            x=turned(thing.x, thing.y, course)[0],
            y=turned(thing.x, thing.y, course)[1],
            velocity=turned(*thing.velocity, course),
            restitution=restitution,
            friction=0.0,
        )
        for thing in (bullet, target)
    )
    take = Take(Scene(things, order=shuffled(random, 2)), even(away / closing + 0.1))
    text = f"{speed:.0f} u/s at {what}, {other_speed:.0f} u/s, radii {bullet_size:.2f} and {target_size:.2f}"
    # Where they touch, the speed along the line of centers is this part of the closing speed.
    cosine = math.sqrt(1.0 - (offset / (bullet_size + target_size)) ** 2)
    return Case(text, (take,), lambda films: judge(films, (1.0 + restitution) * cosine * closing))


def judge(films: Sequence[Film], expected: float) -> list[Figure]:
    """Whether the two went on as if the other were not there, and whether momentum stayed."""
    (film,) = films
    relative = film.velocities[-1, 0] - film.velocities[-1, 1] - film.velocities[0, 0] + film.velocities[0, 1]
    changed = float(np.hypot(*relative))
    return [
        Figure("bullets that passed", float(not changed > 0.5 * expected), 0.0),
        Figure("momentum lost", laws.momentum_error(film), _MOMENTUM, _COARSE_MOMENTUM),
    ]
