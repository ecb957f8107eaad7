"""The impulses of a contact's two points: each moves the other."""

from __future__ import annotations

import math
from typing import NamedTuple

from ecsphys.engine.kernels.compilation import inlined_scalar, scalar

# Two points whose determinant is less than this part of the product of their own answers count as one.
_SINGULAR = 1e-6


class Two(NamedTuple):
    """A number of each of two points."""

    first: float
    second: float


@inlined_scalar
def number_of(numbers: Two, p: int) -> float:
    """The number of point p."""
    return numbers.second if p else numbers.first


@inlined_scalar
def with_number(numbers: Two, p: int, number: float) -> Two:
    """The same, with another number of point p."""
    return Two(numbers.first if p else number, number if p else numbers.second)


class Pair(NamedTuple):
    """How impulses at two points change the speeds along the normal: each at its own point, and at the other's."""

    first: float
    both: float
    second: float


@scalar
def push_apart(lacking: Two, answer: Pair) -> Two:
    """The impulses of two points that lack so much speed to part as they should: neither pulls, and one that pushes
    gives its point exactly its lack. A point that must not push lacks −∞.

    That is a linear complementarity problem: both push, or one, or none (E. Catto, "Iterative dynamics with temporal
    coherence", 2005). Points too near each other to be told apart push as one.
    """
    determinant = answer.first * answer.second - answer.both * answer.both
    if determinant > _SINGULAR * answer.first * answer.second:
        first = (answer.second * lacking.first - answer.both * lacking.second) / determinant
        second = (answer.first * lacking.second - answer.both * lacking.first) / determinant
        if first >= 0.0 and second >= 0.0:
            return Two(first, second)
    first = max(lacking.first, 0.0) / answer.first if answer.first > 0.0 else 0.0
    second = max(lacking.second, 0.0) / answer.second if answer.second > 0.0 else 0.0
    if first * answer.both >= lacking.second:
        return Two(first, 0.0)
    if second * answer.both >= lacking.first:
        return Two(0.0, second)
    return Two(first, 0.0) if first > second else Two(0.0, second)


@scalar
def affordable_part(at_first: float, answered: float, allowed: float) -> float:
    """The part of some impulses that does at most so much work: in all they do ``at_first`` by the speeds that there
    are, and half of ``answered`` by the impulses that they add."""
    if at_first + 0.5 * answered <= allowed:
        return 1.0
    return (math.sqrt(at_first * at_first + 2.0 * answered * allowed) - at_first) / answered
