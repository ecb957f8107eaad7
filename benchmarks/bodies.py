"""Rigid bodies: whole steps with hits, of the same scenes in ecsphys, Box2D (pyb2d3) and pymunk, by turns in one run.

Equal substeps (pymunk: iterations), nothing sleeps. Positions are read after each step as arrays by those who can.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.rigid.box2d_world import Box2DWorld
from benchmarks.rigid.ecsphys_world import EcsphysWorld
from benchmarks.rigid.pymunk_world import PymunkWorld
from benchmarks.rigid.things import Box, Disc, Hinge, RigidWorld, Shape, Thing, floor, pyramid
from ecsphys.demo.scenes.rigid.card_house import lay_cards

_WARM_UP_STEPS = 180
_STEPS = 60

_HIP = (-1.2, 1.2)


@dataclass
class BodyScene:
    """A world, and what a step of it may take at least and at best of that of peers, if that is set."""

    name: str
    world: RigidWorld
    at_least: tuple[float, float] | None = None
    aim: tuple[float, float] | None = None


@dataclass(frozen=True)
class BodyOutcome:
    """Medians in ms of a step of a scene; how many bodies fall, and how many hits ours had in the last step."""

    scene: BodyScene
    bodies: int
    hits: int
    ours: float
    box2d: float
    pymunk: float


def scenes() -> list[BodyScene]:
    """The scenes of the table, in its order."""
    walls = [Thing(x, 50.0, (Box(1.0, 60.0),)) for x in (-41.0, 41.0)]
    rng = np.random.default_rng(3)
    pile = [
        Thing(-39.0 + 1.1 * (k % 71) + float(rng.uniform(-0.02, 0.02)), 0.6 + 1.05 * (k // 71), (Disc(0.5),))
        for k in range(10_000)
    ]
    small = [Thing(-12.0 + 1.2 * (k % 20), 0.5 + 1.1 * (k // 20), (Box(0.5, 0.5),), 0.02 * (k % 7)) for k in range(300)]
    pyramids = [thing for k in range(30) for thing in pyramid(10, 15.0 * (k - 15))]
    return [
        BodyScene("pyramid of 5,050 boxes", RigidWorld(pyramid(100), [floor()]), (1.0, 0.35), (0.65, 0.2)),
        BodyScene("30 pyramids of base 10", RigidWorld(pyramids, [floor()]), (1.0, 0.45), (0.65, 0.28)),
        BodyScene("tumbler, 2,000 circles and boxes", _tumbler(), (0.55, 0.35), (0.28, 0.2)),
        BodyScene("10,000 circles in a pile", RigidWorld(pile, [floor(), *walls]), (0.8, 0.3), (0.46, 0.16)),
        BodyScene("300 boxes, a game's size", RigidWorld(small, [floor()]), (1.5, 0.8), (1.0, 0.5)),
        BodyScene("1,000 dominoes in ten rows", _dominoes()),
        BodyScene("30 card houses of five storeys", RigidWorld(_card_houses(30), [floor()])),
        BodyScene("20 bridges of 40 planks, with boxes", _bridges(20)),
        BodyScene("100 ragdolls in a heap", _ragdolls(100)),
        BodyScene("chain of 5,000 hinges", _chain(5000)),
        BodyScene("grid of 70 x 70 bodies, hinged", _joint_grid(70)),
    ]


def _tumbler() -> RigidWorld:
    side = 20.0
    rails = (Box(0.5, side, side), Box(0.5, side, -side), Box(side, 0.5, 0.0, side), Box(side, 0.5, 0.0, -side))
    rng = np.random.default_rng(3)
    mixed: list[Thing] = []
    for k in range(2000):
        shape: Shape = Disc(0.35) if k % 2 else Box(0.3, 0.3)
        mixed.append(Thing(0.8 * (k % 44 - 22) + 0.3, 0.8 * (k // 44 - 22), (shape,), float(rng.uniform(0, 1))))
    return RigidWorld(mixed, [], [Thing(0.0, 0.0, rails, velocity=(0.0, 0.0, 0.4))])


def _dominoes() -> RigidWorld:
    """Rows of a hundred, each on a floor of its own; the first of each falls."""
    falling, still = [], []
    for row in range(10):
        bottom = 4.0 * row
        still.append(Thing(30.0, bottom - 0.25, (Box(40.0, 0.25),)))
        for k in range(100):
            spin = (0.0, 0.0, -2.0) if k == 0 else (0.0, 0.0, 0.0)
            falling.append(Thing(0.6 * k, bottom + 0.8, (Box(0.1, 0.8),), velocity=spin))
    return RigidWorld(falling, still)


def _card_houses(count: int) -> list[Thing]:
    """Houses side by side."""
    return [
        Thing(12.0 * house + card.x, card.y, (Box(card.thin, card.half),), card.angle, friction=0.8)
        for house in range(count)
        for card in lay_cards(5, 1.0, 0.05)
    ]


def _bridges(count: int) -> RigidWorld:
    """Planks between two posts, hinged to each other, with a row of boxes that fall on them."""
    falling: list[Thing] = []
    hinges: list[Hinge] = []
    for bridge in range(count):
        left, height, first = 26.0 * (bridge - 0.5 * count), 10.0, len(falling)
        falling += [Thing(left + 0.5 * k + 0.25, height, (Box(0.24, 0.1),), density=2.0) for k in range(40)]
        hinges += [Hinge(first + k, first + k - 1 if k else None, left + 0.5 * k, height) for k in range(40)]
        hinges.append(Hinge(first + 39, None, left + 20.0, height))
        falling += [Thing(left + 2.0 + 1.5 * k, height + 1.0, (Box(0.4, 0.4),)) for k in range(11)]
    return RigidWorld(falling, [floor()], hinges=hinges)


def _chain(count: int) -> RigidWorld:
    """Links between two posts, so many hinges in all."""
    falling = [Thing(k + 0.5, 0.0, (Box(0.45, 0.1),)) for k in range(count - 1)]
    hinges = [Hinge(k, k - 1 if k else None, float(k), 0.0) for k in range(count - 1)]
    hinges.append(Hinge(count - 2, None, count - 1.0, 0.0))
    return RigidWorld(falling, [], hinges=hinges)


def _joint_grid(side: int) -> RigidWorld:
    """Boxes, each hinged to its neighbors; the upper row hangs."""
    falling: list[Thing] = []
    hinges: list[Hinge] = []
    for row in range(side):
        for column in range(side):
            x, y, number = float(column), -float(row), len(falling)
            falling.append(Thing(x, y, (Box(0.3, 0.3),)))
            if column > 0:
                hinges.append(Hinge(number, number - 1, x - 0.5, y))
            hinges.append(Hinge(number, number - side if row else None, x, y + 0.5))
    return RigidWorld(falling, [], hinges=hinges)


def _ragdolls(count: int) -> RigidWorld:
    """Dolls of a chest, a head and four limbs of two parts, that fall on each other between two walls."""
    falling: list[Thing] = []
    hinges: list[Hinge] = []
    for doll in range(count):
        x, y = 3.0 * (doll % 10) - 13.5, 2.5 + 4.0 * (doll // 10)
        chest = len(falling)
        falling += [Thing(x, y, (Box(0.3, 0.6),)), Thing(x, y + 0.95, (Disc(0.3),))]
        hinges.append(Hinge(chest + 1, chest, x, y + 0.62, (-0.6, 0.6)))
        for side, top, limits in (
            (-0.45, 0.5, (-2.4, 2.4)),
            (0.45, 0.5, (-2.4, 2.4)),
            (-0.2, -0.6, _HIP),
            (0.2, -0.6, _HIP),
        ):
            upper = len(falling)
            falling += [Thing(x + side, y + top - 0.4 - 0.75 * part, (Box(0.12, 0.35),)) for part in range(2)]
            hinges.append(Hinge(upper, chest, x + side, y + top - 0.05, limits))
            hinges.append(Hinge(upper + 1, upper, x + side, y + top - 0.775, (-2.0, 0.0)))
    walls = [Thing(side * 17.0, 40.0, (Box(1.0, 42.0),)) for side in (-1.0, 1.0)]
    return RigidWorld(falling, [floor(), *walls], hinges=hinges)


def measure_bodies(
    chosen: Sequence[BodyScene] | None = None, warm_up: int = _WARM_UP_STEPS, count: int = _STEPS
) -> list[BodyOutcome]:
    """Medians of steps of each scene, once it has settled; the three take turns."""
    found = []
    for scene in scenes() if chosen is None else chosen:
        ours = EcsphysWorld(scene.world)
        engines: tuple[EcsphysWorld | Box2DWorld | PymunkWorld, ...] = (
            ours,
            Box2DWorld(scene.world),
            PymunkWorld(scene.world),
        )
        for engine in engines:
            for _ in range(warm_up):
                engine.step()
        times: list[list[float]] = [[], [], []]
        for _ in range(count):
            for engine, seconds in zip(engines, times, strict=True):
                seconds.append(_seconds(engine.step))
        medians = [1e3 * statistics.median(seconds) for seconds in times]
        found.append(BodyOutcome(scene, len(scene.world.falling), ours.hits(), *medians))
        for engine in engines:
            engine.close()
    return found


def _seconds(call: Callable[[], None]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
