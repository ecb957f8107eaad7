"""What has come to rest falls asleep."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from checks.peers import laws
from checks.peers.case import Case, Random, between, chance, pick
from checks.peers.film import Film
from checks.peers.scene import Box, Disc, Figure, Scene, Shape, Take, Thing, even

BOUND = 5.0
"""In seconds."""

_LONGEST = 25.0

_DEEP = 0.03
"""In sizes: of what lies at rest."""


def make(random: Random, quick: bool) -> Case:
    """Boxes and balls that fall at random times, in heaps and in rows."""
    what = pick(random, "rain", "heap", "pair", "row")
    size = 0.5 if chance(random) else between(random, 0.2, 1.0)
    match what:
        case "rain":
            things = _rain(random, size, int(random.integers(6, 30)))
        case "heap":
            things = _heap(random, size, int(random.integers(6, 30)))
        case "pair":
            things = _row(random, size, 2)
        case _:
            things = _row(random, size, int(random.integers(3, 12)))
    wide = 12.0 * size
    floor = Thing(0.0, -1.0, (Box(wide + 2.0, 1.0),), "static")
    walls = [Thing(side * (wide + 1.0), 10.0, (Box(1.0, 20.0),), "static") for side in (-1.0, 1.0)]
    friction = float(random.choice([0.3, 0.6]))
    # Without resistance balls may roll for ever.
    made = tuple(dataclasses.replace(thing, friction=friction, rolling=0.1) for thing in (*things, floor, *walls))
    take = Take(Scene(made, gravity=(0.0, -10.0), may_sleep=True), even(_LONGEST), until_asleep=True)
    return Case(
        f"{what} of {len(things)}, size {size:.2f}, friction {friction}", (take,), lambda films: judge(films, size)
    )


def _shape(random: Random, size: float, boxes: float) -> Shape:
    size *= between(random, 0.6, 1.0)
    return Box(size, size * between(random, 0.6, 1.0)) if chance(random, boxes) else Disc(size)


def _rain(random: Random, size: float, count: int) -> list[Thing]:
    boxes = float(random.choice([0.0, 0.5, 1.0]))
    # One at a time, each from above all that can lie there.
    return [
        Thing(
            between(random, -8.0, 8.0) * size,
            between(random, 8.0, 12.0) * size + 0.25 * k * size,
            (_shape(random, size, boxes),),
            angle=between(random, -1.0, 1.0),
            born=k * int(random.integers(8, 14)),
        )
        for k in range(count)
    ]


def _heap(random: Random, size: float, count: int) -> list[Thing]:
    boxes = float(random.choice([0.0, 0.5, 1.0]))
    return [
        Thing(
            (k % 4 - 1.5) * 3.0 * size + between(random, -0.1, 0.1) * size,
            (2.0 + 3.0 * (k // 4)) * size,
            (_shape(random, size, boxes),),
            angle=between(random, -3.0, 3.0),
        )
        for k in range(count)
    ]


def _row(random: Random, size: float, count: int) -> list[Thing]:
    """Crates side by side, each created at most a step after the one before."""
    things, x, born = [], -count * size, 0
    lift = 0.0 if chance(random) else between(random, 0.0, 0.01)
    for _ in range(count):
        things.append(Thing(x, size + lift, (Box(size, size),), born=born))
        x += 2.0 * size + between(random, 0.0, 0.005)
        born += int(random.integers(0, 2)) if count > 2 else 1
    return things


def judge(films: Sequence[Film], size: float) -> list[Figure]:
    """How long until all sleep, and how deep they are in each other then."""
    (film,) = films
    return [
        Figure("seconds at rest until all sleep", laws.seconds_until_asleep(film), BOUND),
        Figure("overlap at rest", laws.overlap_at_end(film) / size, _DEEP),
    ]
