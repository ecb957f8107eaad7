"""ecsphys as a game uses it, and esper without any physics."""

from __future__ import annotations

from typing import ClassVar

import esper
import numpy as np
from numpy import int64

import ecsphys
from ecsphys.demo.scenes.workloads import LiveWorkload, Pairs, Workload

_NO_PAIRS: Pairs = np.zeros(0, int64), np.zeros(0, int64)


class _ReadArrays(esper.Processor):
    """A game's own system after the hits: it asks for the arrays of what started and ended."""

    def __init__(self, physics: ecsphys.Physics) -> None:
        self._physics = physics
        self.started = physics.hits.started
        self.ended = physics.hits.ended

    def process(self, dt: float) -> None:
        self.started = self._physics.hits.started
        self.ended = self._physics.hits.ended


class EcsphysPlayer:
    """``install`` and ``esper.process``, and the arrays of what started and ended; on one thread, as the peers."""

    name: ClassVar[str] = "ecsphys"
    threads: ClassVar[int] = 1

    def __init__(self, workload: Workload) -> None:
        self._live = LiveWorkload(workload)
        self.physics = ecsphys.install(threads=self.threads)
        self._arrays = _ReadArrays(self.physics)
        esper.add_processor(self._arrays)
        self.handled = 0
        self.starts = self.ends = self.hits = 0
        self.pairs: int | None = None

    def attach_handlers(self) -> None:
        esper.set_handler("hit_started", self.on_hit)
        esper.set_handler("hit_ended", self.on_hit)

    def on_hit(self, hit: ecsphys.types.Hit) -> None:
        self.handled += 1

    def change(self) -> None:
        started = self._arrays.started
        self._live.change((started.entity_a, started.entity_b))

    def between(self) -> None:
        physics = self.physics
        self.starts, self.ends = len(self._arrays.started), len(self._arrays.ended)
        self.hits, self.pairs = len(physics.hits), len(physics.debug.candidate_pairs)
        self._live.between()

    def close(self) -> None:
        pass


class EcsphysOnTwoThreads(EcsphysPlayer):
    """The same on two threads."""

    name: ClassVar[str] = "ecsphys, 2 threads"
    threads: ClassVar[int] = 2


class _AskOnce(esper.Processor):
    """The first query after a change, for every component class there is: esper gathers the answers anew."""

    def __init__(self, classes: list[type]) -> None:
        self._classes = classes

    def process(self, dt: float) -> None:
        for cls in self._classes:
            esper.get_component(cls)


class EsperAlone:
    """What a workload's creations and deletions cost without any physics."""

    name: ClassVar[str] = "esper alone"

    def __init__(self, workload: Workload) -> None:
        self._live = LiveWorkload(workload)
        classes = {type(component) for body in workload.bodies for component in body.components()}
        esper.add_processor(_AskOnce(sorted(classes, key=lambda cls: cls.__name__)))
        self.starts = self.ends = self.hits = 0
        self.pairs: int | None = None

    def attach_handlers(self) -> None:
        pass

    def change(self) -> None:
        self._live.change(_NO_PAIRS)

    def between(self) -> None:
        self._live.between()

    def close(self) -> None:
        pass
