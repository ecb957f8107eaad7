"""The heavy hang on the light, lie on them, and push them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from checks.peers import laws
from checks.peers.case import Case, Random, between, chance
from checks.peers.film import Film
from checks.peers.scene import STEP, Box, Chain, Disc, Figure, Joint, Scene, Take, Thing, even

# In lengths: a body is about one. Where Box2D has a wider gap, it may be as wide.
_GAP, _SINK = 0.02, 0.05

_RETURNED = 0.001

_MISSED = 0.01
"""In parts of the load: what a weld does not carry in a step."""

_G = 10.0


def make(random: Random, quick: bool) -> Case:
    """One of the kinds by chance."""
    makers: tuple[Callable[[Random], Case], ...] = (_swing, _limit, _weld, _push, _stack)
    return makers[int(random.integers(len(makers)))](random)


def _swing(random: Random) -> Case:
    """A light link that carries a heavy body, let go from the side."""
    ratio = float(random.choice([500.0, 1000.0]))
    length, links = between(random, 0.5, 1.5), int(random.integers(1, 3))
    half, thin = 0.5 * length, 0.1
    light = [Thing((2 * k + 1) * half, 0.0, (Box(half, thin),)) for k in range(links)]
    radius = between(random, 0.3, 0.6)
    end = links * length
    density = ratio * light[0].mass() / (math.pi * radius**2)
    heavy = Thing(end, 0.0, (Disc(radius),), density=density)
    joints = [Joint("hinge", k - 1 if k else None, k, k * length, 0.0) for k in range(links + 1)]
    scene = Scene((*light, heavy), tuple(joints), (0.0, -_G))
    take = Take(scene, even(3.0))

    def judge(films: Sequence[Film]) -> list[Figure]:
        gaps = [laws.gap_at(films[0], joint.a, joint.b, joint.x, joint.y) for joint in joints]
        return [Figure("gap at the pivots", max(gaps), _GAP, like_box2d=True)]

    return Case(f"{links} links of {length:.2f} swing a body of {ratio:.0f} masses", (take,), judge)


def _limit(random: Random) -> Case:
    """A bouncy door that runs into the limit of its hinge."""
    spin, limit = between(random, 1.0, 20.0), between(random, 0.2, 1.0)
    restitution = between(random, 0.3, 1.0)
    length = between(random, 0.3, 2.0)
    door = Thing(length, 0.0, (Box(length, 0.1),), velocity=(0.0, spin * length), spin=spin, restitution=restitution)
    joint = Joint("hinge", None, 0, 0.0, 0.0, (-1.0, limit))
    take = Take(Scene((door,), (joint,)), even(limit / spin + 0.5))

    def judge(films: Sequence[Film]) -> list[Figure]:
        returned = float(-films[0].states[:, 0, 5].min()) / spin
        beyond = float(films[0].states[:, 0, 2].max()) - limit
        return [
            Figure("speed returned by a limit", returned, _RETURNED),
            Figure("radians beyond a limit", beyond, 0.02, like_box2d=True),
        ]

    return Case(f"door of {2 * length:.2f}, spin {spin:.1f}, limit {limit:.2f}, e = {restitution:.2f}", (take,), judge)


def _weld(random: Random) -> Case:
    """A body that is welded to the world, at its middle, at its end, or by a long arm."""
    half = between(random, 0.3, 1.0)
    at = float(random.choice([0.0, 1.0, 4.0])) * half
    born = 0 if chance(random) else 1
    body = Thing(at, 0.0, (Box(half, 0.2),), born=born, density=between(random, 0.5, 20.0))
    anchor = Thing(0.0, 5.0, (Disc(0.1),), "static")
    joint = Joint("weld", None, 0, 0.0, 0.0, born=born)
    take = Take(Scene((body, anchor), (joint,), (0.0, -_G)), even(0.2))

    def judge(films: Sequence[Film]) -> list[Figure]:
        # What gravity gives in a step, and the joint does not take away, the velocity has gained.
        velocities = films[0].velocities[born:, 0]
        gained = np.hypot(*np.diff(velocities, axis=0).T).max() / (_G * STEP)
        return [Figure("load not carried by a weld", float(gained), _MISSED)]

    return Case(f"box of {2 * half:.2f}, welded {at:.2f} from its middle", (take,), judge)


def _push(random: Random) -> Case:
    """A heavy body strikes a light one that lies at a chain."""
    ratio = 1000.0
    half, big = between(random, 0.1, 0.5), between(random, 0.3, 1.0)
    lift = 0.0 if chance(random) else 0.05
    light = Thing(0.0, half + lift, (Box(half, half) if chance(random) else Disc(half),))
    above = between(random, 0.0, 2.0) if chance(random) else 0.0
    speed = between(random, 1.0, 30.0)
    shape = Box(big, big) if chance(random) else Disc(big)
    area = Thing(0.0, 0.0, (shape,)).mass()
    heavy = Thing(
        between(random, -0.3, 0.3) * half,
        2.0 * half + lift + above + big,
        (shape,),
        velocity=(0.0, -speed),
        density=ratio * light.mass() / area,
    )
    points = tuple((2.0 * k, 0.0) for k in range(5, -6, -1)) if chance(random) else ((10.0, 0.0), (-10.0, 0.0))
    chain = Thing(0.0, 0.0, (Chain(points),), "static")
    gravity = (0.0, -_G) if chance(random) else (0.0, 0.0)
    take = Take(Scene((light, heavy, chain), gravity=gravity), even(1.0))

    def judge(films: Sequence[Film]) -> list[Figure]:
        passed = [laws.farthest(films[0], row, 0.0, -1.0) > 0.05 for row in range(2)]
        return [Figure("bodies pushed through a chain", float(sum(passed)), 0.0)]

    return Case(f"{ratio:.0f} masses at {speed:.1f} u/s on one of {2 * half:.2f} at a chain", (take,), judge)


def _stack(random: Random) -> Case:
    """A heavy box on a light one."""
    ratio = 1000.0
    half = between(random, 0.3, 0.5)
    big = half * between(random, 1.0, 1.5)
    light = Thing(0.0, half, (Box(half, half),))
    heavy = Thing(0.0, 2.0 * half + big, (Box(big, big),), density=ratio * half**2 / big**2)
    floor = Thing(0.0, -1.0, (Box(50.0, 1.0),), "static")
    take = Take(Scene((light, heavy, floor), gravity=(0.0, -_G)), even(4.0))

    def judge(films: Sequence[Film]) -> list[Figure]:
        top = films[0].places[:, 1, 1]
        sunk = float((top[0] - top).max())
        sunk = sunk if math.isfinite(sunk) else math.inf
        return [Figure("depth to which the heavy sinks in", sunk, _SINK)]

    return Case(f"{ratio:.0f} masses of {2 * big:.2f} on one of {2 * half:.2f}", (take,), judge)
