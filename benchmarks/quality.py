"""How well rigid bodies are solved: the same scenes in ecsphys, Box2D (pyb2d3) and pymunk, a number for each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Protocol

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from benchmarks.rigid.engine import STEP, SUBSTEPS, RigidEngine
from benchmarks.rigid.things import FRICTION, Box, Disc, Hinge, RigidWorld, Shape, Thing, floor, pyramid

_BOX = (Box(0.5, 0.5),)
_HERTZ = round(1.0 / STEP)


class MakeEngine(Protocol):
    """Makes an engine of a world: the classes of ``benchmarks.rigid``."""

    def __call__(
        self, world: RigidWorld, substeps: int = SUBSTEPS, may_sleep: bool = False, joint_iterations: int = 1
    ) -> RigidEngine: ...


@dataclass(frozen=True)
class Question:
    """What is measured: ``measure`` plays it in an engine, for a share of its time; at most ``most`` is good."""

    name: str
    most: float
    measure: Callable[[MakeEngine, float], float]
    form: str = "{:.1e}"

    def show(self, value: float) -> str:
        return self.form.format(value)


@dataclass(frozen=True)
class Answer:
    """The numbers of a question, one for each engine."""

    question: Question
    values: tuple[float, ...]

    @property
    def good(self) -> tuple[bool, ...]:
        """Which of them are at most what they should be."""
        return tuple(value <= self.question.most for value in self.values)


def ask(questions: Sequence[Question], engines: Sequence[MakeEngine], share: float = 1.0) -> list[Answer]:
    """Play all questions in all engines; of the long ones only a ``share`` of their time."""
    return [Answer(question, tuple(question.measure(make, share) for make in engines)) for question in questions]


def _play(engine: RigidEngine, seconds: float) -> None:
    for _ in range(round(seconds * _HERTZ)):
        engine.step()


def _free_fall(make: MakeEngine, share: float) -> float:
    """How far a thrown ball is from its parabola after two seconds."""
    engine = make(RigidWorld([Thing(3.0, 100.0, (Disc(0.5),), velocity=(2.0, 1.0, 4.0))]))
    _play(engine, 2.0)
    x, y, _ = engine.poses()[0]
    engine.close()
    return math.dist((x, y), (3.0 + 2.0 * 2.0, 100.0 + 2.0 - 0.5 * 10.0 * 4.0))


def _bounce(make: MakeEngine, share: float) -> float:
    """How far the first bounces are from e²h, as a part of it, for e from 0.7 to 1."""
    worst = 0.0
    for restitution in (0.7, 0.8, 0.9, 1.0):
        height = 5.0
        ball = Thing(0.0, 0.5 + height, (Disc(0.5),), restitution=restitution)
        engine = make(RigidWorld([ball], [floor(restitution=restitution)]))
        heights, speeds = [], []
        for _ in range(3 * _HERTZ):
            engine.step()
            heights.append(float(engine.poses()[0, 1]) - 0.5)
            speeds.append(float(engine.velocities()[0, 1]))
        engine.close()
        landed = next(k for k in range(len(speeds)) if speeds[k] > 0.0)
        # Between two steps the ball may have been higher than at either: the parabola through one tells.
        highest = max(
            h + 0.5 * v * v / 10.0 for h, v in zip(heights[landed + 3 :], speeds[landed + 3 :], strict=True) if v > 1.0
        )
        worst = max(worst, abs(highest / (restitution**2 * height) - 1.0))
    return worst


def _slide(make: MakeEngine, degrees: float) -> float:
    """How far in 5 s a box slides on a floor tilted by the angle of friction and some degrees more."""
    angle = math.atan(FRICTION) + math.radians(degrees)
    gravity = (10.0 * math.sin(angle), -10.0 * math.cos(angle))
    engine = make(RigidWorld([Thing(0.0, 0.5, (Box(1.0, 0.5),))], [floor()], gravity=gravity))
    _play(engine, 5.0)
    moved = float(engine.poses()[0, 0])
    engine.close()
    return moved


def _holds(make: MakeEngine, share: float) -> float:
    return _slide(make, -0.5)


def _slides(make: MakeEngine, share: float) -> float:
    """How far the way slid half a degree above the angle of friction is from what it should be, as a part of it."""
    angle = math.atan(FRICTION) + math.radians(0.5)
    exact = 0.5 * 10.0 * (math.sin(angle) - FRICTION * math.cos(angle)) * 25.0
    return abs(_slide(make, 0.5) / exact - 1.0)


def _shower() -> RigidWorld:
    """Boxes and discs that fall in on each other in empty space."""
    rng = np.random.default_rng(3)
    falling = []
    for k in range(49):
        x, y = 1.3 * (k % 7) - 4.0, 1.3 * (k // 7) - 4.0
        velocity = (-x + float(rng.uniform(-1, 1)), -y + float(rng.uniform(-1, 1)), float(rng.uniform(-3, 3)))
        shape: Shape = Box(0.5, 0.5) if k % 2 else Disc(0.5)
        falling.append(Thing(x, y, (shape,), velocity=velocity, density=1.0 if k % 2 else 3.0, restitution=0.5))
    return RigidWorld(falling, gravity=(0.0, 0.0))


def _momentum_changes(make: MakeEngine) -> tuple[float, float]:
    """The greatest change of linear and angular momentum in 5 s, by the sum of their parts' sizes at first."""
    world = _shower()
    masses, inertias = world.masses().T
    engine = make(world)
    scale = 1.0
    found = []
    for step in range(5 * _HERTZ):
        (x, y, _), (vx, vy, omega) = engine.poses().T, engine.velocities().T
        if step == 0:
            scale = float((masses * np.hypot(x, y) * np.hypot(vx, vy)).sum())
        found.append((masses @ vx, masses @ vy, (masses * (x * vy - y * vx) + inertias * omega).sum()))
        engine.step()
    engine.close()
    changes = np.abs(np.array(found) - found[0]).max(axis=0) / scale
    return float(changes[:2].max()), float(changes[2])


def _linear(make: MakeEngine, share: float) -> float:
    return _momentum_changes(make)[0]


def _angular(make: MakeEngine, share: float) -> float:
    return _momentum_changes(make)[1]


def _energy(make: MakeEngine, share: float) -> float:
    """The greatest gain over the least energy so far in a box of bouncing bodies, as a part of that at first."""
    rng = np.random.default_rng(1)
    walls = [
        Thing(x, y, (Box(w, h),), restitution=0.9)
        for w, h, x, y in ((6, 1, 0, -6), (6, 1, 0, 6), (1, 6, -6, 0), (1, 6, 6, 0))
    ]
    falling = []
    for k in range(36):
        shape: Shape = Box(0.4, 0.4) if k % 2 else Disc(0.4)
        x, y = 1.4 * (k % 6) - 3.5, 1.4 * (k // 6) - 3.5
        speed = rng.uniform(-5, 5, 3)
        velocity = (float(speed[0]), float(speed[1]), float(speed[2]))
        falling.append(Thing(x, y, (shape,), velocity=velocity, restitution=0.9))
    world = RigidWorld(falling, walls)
    masses, inertias = world.masses().T
    engine = make(world)

    def energy() -> float:
        (_, y, _), (vx, vy, omega) = engine.poses().T, engine.velocities().T
        return float(
            (0.5 * masses * (vx * vx + vy * vy) + 0.5 * inertias * omega * omega + 10.0 * masses * (y + 5.0)).sum()
        )

    first = least = energy()
    gain = 0.0
    for _ in range(round(1000 * share)):
        _play(engine, 10 * STEP)
        now = energy()
        gain = max(gain, now - least)
        least = min(least, now)
    engine.close()
    return gain / first


def _drift(make: MakeEngine, share: float) -> float:
    """How far any box of a pyramid of base 20 moves from 2 s to 60 s; infinite if any is awake in the end."""
    engine = make(RigidWorld(pyramid(20), [floor()]), may_sleep=True)
    _play(engine, 2.0)
    before = engine.poses()
    _play(engine, 58.0 * share)
    moved = float(np.abs(engine.poses() - before)[:, :2].max())
    asleep = engine.asleep()
    engine.close()
    return moved if asleep == len(before) else math.inf


def _high_pyramid(make: MakeEngine, share: float) -> float:
    """How far the top of a pyramid of base 100 is from where it should be after 10 s."""
    base = 100 if share == 1.0 else 20
    engine = make(RigidWorld(pyramid(base), [floor()]))
    _play(engine, 10.0 * share)
    top = engine.poses()[-1]
    engine.close()
    return math.dist((float(top[0]), float(top[1])), (-0.5 * 1.05, base - 0.5))


def _column(make: MakeEngine, substeps: int, may_sleep: bool, share: float) -> float:
    """How far to the side any box of a column of 20 is after 60 s."""
    falling = [Thing(0.0, 0.5 + k, _BOX) for k in range(20)]
    engine = make(RigidWorld(falling, [floor()]), substeps, may_sleep)
    _play(engine, 60.0 * share)
    poses = engine.poses()
    engine.close()
    return float(np.abs(poses[:, 0]).max())


def _sleeping_column(make: MakeEngine, share: float) -> float:
    return _column(make, SUBSTEPS, True, share)


def _waking_column(make: MakeEngine, share: float) -> float:
    return _column(make, 2 * SUBSTEPS, False, share)


def _heavy_on_light(make: MakeEngine, share: float) -> float:
    """How deep a box a hundred times as dense sinks into the one that it lies on."""
    falling = [Thing(0.0, 0.5, _BOX), Thing(0.0, 1.5, _BOX, density=100.0)]
    engine = make(RigidWorld(falling, [floor()]))
    _play(engine, 10.0)
    poses = engine.poses()
    engine.close()
    sunk = max(0.5 - poses[0, 1], poses[0, 1] + 1.0 - poses[1, 1])
    return float(max(sunk, np.abs(poses[:, 0]).max()))


def _deep_start(make: MakeEngine, share: float) -> float:
    """The greatest speed among 25 boxes that start within the space of four."""
    falling = [Thing(0.25 * (k % 5), 0.5 + 0.25 * (k // 5), _BOX) for k in range(25)]
    engine = make(RigidWorld(falling, [floor()], gravity=(0.0, 0.0)))
    fastest = 0.0
    for _ in range(3 * _HERTZ):
        engine.step()
        fastest = max(fastest, float(np.hypot(*engine.velocities()[:, :2].T).max()))
    engine.close()
    return fastest


def _chain(make: MakeEngine, load: float, joint_iterations: int) -> float:
    """By which part a chain of thirty links is longer after 10 s under a load of so many links' mass."""
    half, count = 0.25, 30
    falling = [Thing(0.0, -half * (2 * k + 1), (Box(0.06, half),)) for k in range(count)]
    area = 4.0 * 0.06 * half
    size = 0.6
    falling.append(Thing(0.0, -2.0 * half * count - size, (Box(size, size),), density=load * area / (4.0 * size**2)))
    hinges = [Hinge(k, k - 1 if k else None, 0.0, -2.0 * half * k) for k in range(count + 1)]
    engine = make(RigidWorld(falling, hinges=hinges), joint_iterations=joint_iterations)
    _play(engine, 10.0)
    poses = engine.poses()
    engine.close()
    return float((-poses[-1, 1] - size) / (2.0 * half * count) - 1.0)


def _light_load(make: MakeEngine, share: float) -> float:
    return _chain(make, 10.0, 1)


def _heavy_load(make: MakeEngine, share: float) -> float:
    return _chain(make, 100.0, 4)


def _limit(make: MakeEngine, share: float) -> float:
    """By how many degrees an arm that falls from level swings beyond its limit."""
    lower = -0.5
    engine = make(RigidWorld([Thing(1.0, 0.0, (Box(1.0, 0.1),))], hinges=[Hinge(0, None, 0.0, 0.0, (lower, 1.0))]))
    beyond = 0.0
    for _ in range(5 * _HERTZ):
        engine.step()
        beyond = max(beyond, lower - float(engine.poses()[0, 2]))
    engine.close()
    return math.degrees(beyond)


def _motor(make: MakeEngine, share: float) -> float:
    """How far a wheel is from its motor's speed after 2 s, as a part of it."""
    wheel = Thing(0.0, 0.0, (Disc(1.0),))
    engine = make(RigidWorld([wheel], hinges=[Hinge(0, None, 0.0, 0.0, motor=(5.0, 20.0))]))
    _play(engine, 2.0)
    speed = float(engine.velocities()[0, 2])
    engine.close()
    return abs(speed / 5.0 - 1.0)


def _hit_pyramid(make: MakeEngine) -> NDArray[float64]:
    """Where all is and how fast, in the end, where a ball hits a pyramid."""
    ball = Thing(-8.0, 4.0, (Disc(0.7),), velocity=(20.0, 0.0, 3.0), density=5.0, restitution=0.5)
    engine = make(RigidWorld([*pyramid(8), ball], [floor()]))
    _play(engine, 3.0)
    found = np.hstack((engine.poses(), engine.velocities()))
    engine.close()
    return found


def _other_bits(make: MakeEngine, share: float) -> float:
    """How many numbers differ where the same scene is played twice, and once more in another process."""
    first = _hit_pyramid(make)
    others = [_hit_pyramid(make)]
    if share == 1.0:
        with get_context("spawn").Pool(1) as pool:
            others.append(pool.apply(_hit_pyramid, (make,)))
    return float(sum(np.count_nonzero(first != other) for other in others))


QUESTIONS: tuple[Question, ...] = (
    Question("free fall: error after 2 s", 1e-9, _free_fall),
    Question("bounce: error of e²h, e 0.7 to 1", 0.01, _bounce, "{:.2%}"),
    Question("slope half a degree below atan μ: slides in 5 s", 1e-3, _holds),
    Question("slope half a degree above: error of the way", 0.01, _slides, "{:.2%}"),
    Question("linear momentum: change, relative", 1e-12, _linear),
    Question("angular momentum: change, relative", 1e-4, _angular),
    Question("box of bodies, e 0.9: energy gained in 10,000 steps", 2e-4, _energy),
    Question("pyramid of base 20: drift from 2 s to 60 s, asleep", 1e-3, _drift),
    Question("pyramid of base 100: its top after 10 s is off by", 1.0, _high_pyramid, "{:.2f}"),
    Question("column of 20, 60 s, may sleep: to the side", 0.01, _sleeping_column),
    Question("column of 20, 60 s, awake, twice the substeps: to the side", 0.01, _waking_column),
    Question("two boxes, 100 : 1: overlap", 0.05, _heavy_on_light),
    Question("25 boxes in the space of four: greatest speed", 10.0, _deep_start, "{:.1f}"),
    Question("chain of 30 links, 10 links' mass at its end: stretch", 0.01, _light_load, "{:.2%}"),
    Question("the same, 100 links' mass, joint_iterations 4: stretch", 0.02, _heavy_load, "{:.2%}"),
    Question("an arm falls on its hinge's limit: degrees beyond", 0.5, _limit, "{:.3f}"),
    Question("motor: error of its speed after 2 s", 1e-3, _motor),
    Question("the same scene twice, and in another process: numbers that differ", 0.0, _other_bits, "{:.0f}"),
)
"""What is asked, in the table's order."""
