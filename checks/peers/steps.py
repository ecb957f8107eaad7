"""Stacks stand, whatever the steps are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from checks.peers import laws
from checks.peers.case import Case, Random, between_logs, chance, pick, shuffled
from checks.peers.film import Film
from checks.peers.scene import STEP, Box, Figure, Scene, Take, Thing, even

# In heights of a box: the top of a stack of five, and of a tower of ten, which is to stand.
STACK, TOWER = 0.01, 0.1

_SHORTEST, _LONGEST = 1e-6, 0.033

_SETTLED = 60
"""Steps before anything is measured."""


def make(random: Random, quick: bool) -> Case:
    """A stack under steps of all lengths."""
    count = 5 if chance(random) else 10
    half = 0.5 if chance(random) else between_logs(random, 0.3, 1.0)
    what = pick(random, "one odd step", "many odd steps", "short steps", "random steps")
    settled, after = (STEP,) * _SETTLED, even(2.0)
    match what:
        case "one odd step":
            steps = (*settled, between_logs(random, _SHORTEST, _LONGEST), *after)
        case "many odd steps":
            odd = [between_logs(random, _SHORTEST, _LONGEST) if k % 30 == 0 else STEP for k in range(300)]
            steps = (*settled, *odd)
        case "short steps":
            steps = (*settled, *(0.01 * STEP,) * 60, *after)
        case _:
            seconds = 2.0 if quick else 10.0
            lengths = np.exp(random.uniform(np.log(_SHORTEST), np.log(_LONGEST), int(seconds / 0.0025)))
            count_of = int(np.searchsorted(np.cumsum(lengths), seconds))
            steps = (*settled, *lengths[:count_of].tolist())
    boxes = [Thing(0.0, half * (1 + 2 * k), (Box(half, half),)) for k in range(count)]
    things = (*boxes, Thing(0.0, -1.0, (Box(50.0, 1.0),), "static"))
    may_sleep = chance(random, 0.3)
    scene = Scene(things, gravity=(0.0, -10.0), may_sleep=may_sleep, order=shuffled(random, len(things)))
    text = f"stack of {count}, size {2.0 * half:.2f}, {what}{', may sleep' if may_sleep else ''}"
    return Case(text, (Take(scene, steps),), lambda films: judge(films, count, half))


def judge(films: Sequence[Film], count: int, half: float) -> list[Figure]:
    """How far the top went."""
    (film,) = films
    moved = laws.drift(film, count - 1, _SETTLED) / (2.0 * half)
    return [Figure("the top of the stack moved", moved, STACK if count <= 5 else TOWER)]
