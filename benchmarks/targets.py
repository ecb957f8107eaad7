"""The targets: what is measured for each, how its ratio is formed, and whether it is met."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from benchmarks.contest import Entry
from benchmarks.ecsphys_player import EcsphysOnTwoThreads, EcsphysPlayer, EsperAlone
from benchmarks.plain_c.measure import NO_COMPILER, PlainCOutcome
from benchmarks.player import Player
from ecsphys.demo.scenes.workloads import MOVERS_ALONE, WORKLOADS

Met = Literal["aim", "at least", "no", "not measured"]


@dataclass(frozen=True)
class Target:
    """What is to be reached: a number of ``unit``, the smaller the better."""

    what: str
    at_least: float
    aim: float
    unit: str = ""


@dataclass(frozen=True)
class FrameTarget:
    """A target formed from the frame times, in ms, of entries that compete with each other."""

    target: Target
    entries: tuple[Entry, ...]
    form: Callable[[Sequence[float]], float]


@dataclass(frozen=True)
class Outcome:
    """A target and what was measured, None where ``lacking`` says what it takes; ``times`` are frames in ms."""

    target: Target
    measured: float | None
    times: tuple[float, ...] = ()
    lacking: str = ""

    @property
    def met(self) -> Met:
        if self.measured is None:
            return "not measured"
        if self.measured <= self.target.aim:
            return "aim"
        return "at least" if self.measured <= self.target.at_least else "no"


BATCH_TARGETS = ((1_000, 0.15, 0.11), (5_000, 0.13, 0.095), (10_000, 0.11, 0.08), (50_000, 0.10, 0.066))
"""Circles, and the part of the batch frame that a frame of ours may take."""

PLAIN_C_TARGETS = {
    count: Target(f"swarm_circles / plain C, each alone, {count // 1000}k", at_least, aim)
    for count, at_least, aim in ((1_000, 3.0, 2.0), (10_000, 2.5, 1.8), (100_000, 2.0, 1.5))
}
"""By the number of circles."""

DRAWING_AIM = 3.0
"""Milliseconds of processor time that Python may take for a frame of a scene of the demo."""

START = Target("import to first finished frame", 0.5, 0.3, "s")
RAYS = Target("10k rays through 10k colliders / pymunk's loop", 1 / 20, 1 / 60)
MEMORY = Target("library arrays per collider, swarm, 100k", 400.0, 250.0, "bytes")
INSTANCE = Target("component instance", 64.0, 64.0, "bytes")


def plain_c_outcomes(found: Sequence[PlainCOutcome] | None) -> list[Outcome]:
    """The targets beside plain C; None stands for a machine without a compiler."""
    if found is None:
        return [Outcome(target, None, lacking=NO_COMPILER) for target in PLAIN_C_TARGETS.values()]
    return [Outcome(PLAIN_C_TARGETS[one.circles], one.ratio, (one.ours, one.plain_c)) for one in found]


def quotient(times: Sequence[float]) -> float:
    """The first time by the second."""
    return times[0] / times[1]


def quotient_beyond_esper(times: Sequence[float]) -> float:
    """The first time less what esper alone needs, the second, by the third."""
    return (times[0] - times[1]) / times[2]


def only(times: Sequence[float]) -> float:
    return times[0]


def growth(large: int, small: int) -> Callable[[Sequence[float]], float]:
    """What one entity costs among ``large`` (the first time), by what it costs among ``small`` (the second)."""
    return lambda times: (times[0] / large) / (times[1] / small)


def frame_targets(pymunk_batch: type[Player], pymunk_plain: type[Player]) -> list[FrameTarget]:
    """All targets that are formed from frames; the two peers are given, for they need pymunk."""

    def ours(workload: str, count: int) -> Entry:
        return Entry(WORKLOADS[workload], count, EcsphysPlayer)

    circles = [
        FrameTarget(
            Target(f"swarm_circles / pymunk batch, {_thousands(count)}", at_least, aim),
            (ours("swarm_circles", count), Entry(WORKLOADS["swarm_circles"], count, pymunk_batch)),
            quotient,
        )
        for count, at_least, aim in BATCH_TARGETS
    ]
    swarm = ours("swarm", 10_000)
    return [
        *circles,
        FrameTarget(
            Target("swarm / pymunk plain with callbacks, 10k", 0.2, 0.1),
            (swarm, Entry(WORKLOADS["swarm"], 10_000, pymunk_plain, handlers=True)),
            quotient,
        ),
        FrameTarget(
            Target("per collider at 100k / at 10k, swarm", 1.6, 1.25),
            (ours("swarm", 100_000), swarm),
            growth(100_000, 10_000),
        ),
        FrameTarget(
            Target("swarm on 2 threads / on 1, 50k", 0.625, 0.55),
            (Entry(WORKLOADS["swarm"], 50_000, EcsphysOnTwoThreads), ours("swarm", 50_000)),
            quotient,
        ),
        FrameTarget(Target("giants / swarm, 10k", 1.2, 1.05), (ours("giants", 10_000), swarm), quotient),
        FrameTarget(
            Target("tiles (50k, 500 movers) / 500 movers alone", 2.5, 1.3),
            (ours("tiles", 50_000), Entry(MOVERS_ALONE, 50_000, EcsphysPlayer)),
            quotient,
        ),
        FrameTarget(
            Target("(churn − esper alone) / swarm, 10k", 2.0, 1.3),
            (ours("churn", 10_000), Entry(WORKLOADS["churn"], 10_000, EsperAlone), swarm),
            quotient_beyond_esper,
        ),
        FrameTarget(Target("rest / swarm, 10k", 0.5, 0.3), (ours("rest", 10_000), swarm), quotient),
        FrameTarget(Target("frame at 200 entities", 0.08, 0.04, "ms"), (ours("swarm", 200),), only),
    ]


def _thousands(count: int) -> str:
    return f"{count // 1000}k"
