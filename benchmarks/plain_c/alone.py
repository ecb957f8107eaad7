"""Plays circles in a process that does nothing else: ``python -m benchmarks.plain_c.alone COUNT [LIBRARY]``.

With a library it plays them in C, without one with ecsphys. Each line read from stdin is a number of frames to play;
each line written is JSON: their seconds, and a digest of the hits, starts and ends at the end of them.
"""

from __future__ import annotations

import gc
import hashlib
import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

import esper
import numpy as np
from numpy.typing import NDArray

from benchmarks.contest import SEED, STEP
from benchmarks.ecsphys_player import EcsphysPlayer
from benchmarks.plain_c.library import CircleWorld
from ecsphys.demo.scenes.workloads import WORKLOADS
from ecsphys.types import HitArrays

WORKLOAD = "swarm_circles"

Pairs = NDArray[Any]


class Frames(Protocol):
    """Something that plays frames."""

    def step(self) -> None:
        """What is timed."""

    def between(self) -> None:
        """What is not."""

    def pairs(self) -> tuple[Pairs, Pairs, Pairs]:
        """Hits, starts and ends of the last frame: (n, 2) numbers of bodies, in the public order."""
        ...


class InC:
    """The yardstick."""

    def __init__(self, library: Path, count: int) -> None:
        self._world = CircleWorld(library, WORKLOADS[WORKLOAD].make(np.random.default_rng(SEED), count))
        self.step, self.between = self._world.step, self._world.reflect

    def pairs(self) -> tuple[Pairs, Pairs, Pairs]:
        return self._world.hits, self._world.starts, self._world.ends


class Ours:
    """A game's frame, in the current esper world."""

    def __init__(self, count: int) -> None:
        self._workload = WORKLOADS[WORKLOAD].make(np.random.default_rng(SEED), count)
        self._player = EcsphysPlayer(self._workload)
        self.between = self._player.between

    def step(self) -> None:
        self._player.change()
        esper.process(STEP)

    def pairs(self) -> tuple[Pairs, Pairs, Pairs]:
        physics = self._player.physics
        entities = np.array(self._workload.entities)
        order = np.argsort(entities)

        def numbers(hits: HitArrays) -> Pairs:
            pairs = np.column_stack((hits.entity_a, hits.entity_b))
            return np.asarray(order[np.searchsorted(entities, pairs, sorter=order)])

        return numbers(physics.hits), numbers(physics.hits.started), numbers(physics.hits.ended)


def play(frames: Frames, count: int) -> list[float]:
    """The seconds of each of ``count`` frames."""
    seconds = []
    for _ in range(count):
        start = time.perf_counter()
        frames.step()
        seconds.append(time.perf_counter() - start)
        frames.between()
    return seconds


def digest(pairs: Iterable[Pairs]) -> str:
    """The same for the same pairs in the same order, and, as good as certainly, for no others."""
    found = hashlib.sha256()
    for some in pairs:
        found.update(f"{len(some)} ".encode())
        found.update(np.ascontiguousarray(some, np.int64).tobytes())
    return found.hexdigest()


def _main(count: int, library: str | None) -> None:
    frames: Frames = Ours(count) if library is None else InC(Path(library), count)
    gc.collect()
    gc.disable()
    for line in sys.stdin:
        seconds = play(frames, int(line))
        print(json.dumps({"seconds": seconds, "digest": digest(frames.pairs())}), flush=True)


if __name__ == "__main__":
    _main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
