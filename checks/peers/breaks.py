"""What sleeps and is struck: the momentum stays, and whether it slept makes no difference."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from checks.peers import laws
from checks.peers.case import Case, Random, between, chance, pick, shuffled
from checks.peers.film import Film
from checks.peers.scene import Box, Disc, Figure, Scene, Take, Thing, even

# In parts of the sum of all momenta: rounding, in double and in single precision.
MOMENTUM, COARSE_MOMENTUM = 1e-9, 1e-4

# In parts of the energy at first: that of a bounce one percent too fast.
GAIN = 0.02

# Between asleep and awake. Balls in space rest exactly where they are; what gravity presses moves a little while awake.
SAME, COARSE_SAME, NEARLY_SAME = 1e-9, 0.001, 0.05

# Towers that lean either way move a body more or less, books in a row all or none: in parts of their number.
_AS_MANY = 0.25

_REST = 60
"""Steps before the strike."""

_MOVED = 0.01


def make(random: Random, quick: bool) -> Case:
    """Some that rest, once with sleep and once without, and one that strikes."""
    what = pick(random, "rack", "rack", "row", "books", "towers")
    size = 0.5 if chance(random) else between(random, 0.2, 1.0)
    gap = float(random.choice([0.0, 0.001, 0.005, 0.02, 0.05]))
    speed = between(random, 2.0, 40.0)
    friction = 0.0 if chance(random) else 0.6
    restitution = float(random.choice([0.0, 0.5, 0.9, 1.0]))
    bullet = chance(random, 0.3)
    things = _resting(random, what, size, gap)
    is_closed = what in ("rack", "row")
    left = min(thing.x for thing in things) - size
    height = 0.0 if is_closed else between(random, 1.0, 3.0) * size
    ball = Disc(size if is_closed else 0.5 * size)
    aim = between(random, -0.5, 0.5) * size if what == "rack" and chance(random) else 0.0
    near = between(random, 0.2, 2.0)
    striker = Thing(left - near - ball.radius, height + aim, (ball,), velocity=(speed, 0.0), bullet=bullet, born=_REST)
    things.append(striker)
    if not is_closed:
        friction, restitution = max(friction, 0.3), 0.0
        things.append(Thing(0.0, -1.0, (Box(200.0, 1.0),), "static"))
    made = tuple(dataclasses.replace(thing, friction=friction, restitution=restitution) for thing in things)
    scene = Scene(
        made,
        gravity=(0.0, 0.0) if is_closed else (0.0, -10.0),
        may_sleep=True,
        bounce_from=1.0 if chance(random) else 0.0,
        order=shuffled(random, len(made)),
    )
    steps = even(_REST / 60.0 + near / speed + (1.0 if is_closed else 0.25))
    takes = Take(scene, steps), Take(dataclasses.replace(scene, may_sleep=False), steps)
    text = (
        f"{len(things) - 1 - (not is_closed)} in {what}, size {size:.2f}, gaps {gap}, struck at {speed:.1f} u/s,"
        f" e = {restitution}, friction {friction}{', by a Bullet' if bullet else ''}"
    )
    return Case(text, takes, judge_closed if is_closed else judge_open)


def _resting(random: Random, what: str, size: float, gap: float) -> list[Thing]:
    apart = 2.0 * size + gap
    match what:
        case "rack":
            rows = int(random.integers(2, 6))
            high = 0.5 * math.sqrt(3.0)
            return [
                Thing(row * apart * high, (k - 0.5 * row) * apart, (Disc(size),))
                for row in range(rows)
                for k in range(row + 1)
            ]
        case "row":
            return [Thing(k * apart, 0.0, (Disc(size),)) for k in range(5)]
        case "books":
            wide, high = 0.3 * size, 2.0 * size
            return [Thing(k * (2.0 * wide + gap), high, (Box(wide, high),)) for k in range(int(random.integers(4, 10)))]
        case _:
            box = Box(size, size)
            return [Thing(k * apart, size * (1 + 2 * level), (box,)) for k in range(6) for level in range(4)]


def judge_closed(films: Sequence[Film]) -> list[Figure]:
    """Of a closed system."""
    figures = []
    for film, name in zip(films, ("asleep", "awake"), strict=True):
        figures.append(Figure(f"momentum lost, {name}", laws.momentum_error(film, _REST), MOMENTUM, COARSE_MOMENTUM))
        energy = laws.energies(film)[_REST:]
        figures.append(Figure(f"energy gained, {name}", float(energy.max() / energy[0] - 1.0), GAIN))
    return [*figures, *_compare(films, SAME, COARSE_SAME, 0.0)]


def judge_open(films: Sequence[Film]) -> list[Figure]:
    """Of what stands on ground."""
    return _compare(films, NEARLY_SAME, NEARLY_SAME, _AS_MANY)


def _compare(films: Sequence[Film], bound: float, coarse_bound: float, as_many: float) -> list[Figure]:
    slept, awake = films
    rows = slept.rows()
    striker = next(thing for thing in slept.take.scene.things if thing.born == _REST)
    speed = float(np.hypot(*np.array(striker.velocity)))
    apart = slept.velocities[-1, rows] - awake.velocities[-1, rows]
    return [
        Figure("velocities asleep against awake", float(np.hypot(*apart.T).max()) / speed, bound, coarse_bound),
        Figure("part that moved asleep against awake", abs(_moved(slept) - _moved(awake)), as_many),
    ]


def _moved(film: Film) -> float:
    """The part of the resting that was moved by the strike."""
    rows = np.array([k for k in film.rows() if film.take.scene.things[k].born == 0])
    way = film.places[-1, rows] - film.places[_REST, rows]
    return float((np.hypot(*way.T) > _MOVED).mean())
