"""Several players in one process, frame by frame in turn, so that all of them meet the same machine."""

from __future__ import annotations

import gc
import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import esper
import numpy as np

from benchmarks.player import Player
from ecsphys.demo.scenes.workloads import Recipe

STEP = 1.0 / 60.0
SEED = 2024

# Half a second, after which Box2D lets rest what does not move; fewer where frames are slow.
_WARM_UP_FRAMES = 35
_FEWEST_WARM_UP_FRAMES = 4
_WARM_UP_PART = 0.5
_FEWEST_FRAMES = 7
_MOST_FRAMES = 2000

_world_numbers = itertools.count(1)


@dataclass(frozen=True)
class Entry:
    """Which player plays which workload, of how many entities, and whether with handlers."""

    recipe: Recipe
    count: int
    player: type[Player]
    handlers: bool = False


@dataclass(frozen=True)
class Measurement:
    """One player's frames: the median of their times, and what there was in one of them on average."""

    workload: str
    count: int
    player: str
    handlers: bool
    milliseconds: float
    frames: int
    pairs: float | None
    hits: float
    starts: float
    ends: float


class _Track:
    """One entry while it is being measured."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry
        self._world = f"benchmark {next(_world_numbers)}"
        esper.switch_world(self._world)
        self._player = entry.player(entry.recipe.make(np.random.default_rng(SEED), entry.count))
        self._handlers = False
        if entry.handlers:
            self.attach_handlers()
        self._seconds: list[float] = []
        self._counts: list[tuple[float, ...]] = []

    def attach_handlers(self) -> None:
        esper.switch_world(self._world)
        self._player.attach_handlers()
        self._handlers = True

    def forget(self) -> None:
        """Begin a new measurement."""
        self._seconds.clear()
        self._counts.clear()

    def frame(self) -> None:
        """Play one frame and take its time."""
        esper.switch_world(self._world)
        player = self._player
        start = time.perf_counter()
        player.change()
        esper.process(STEP)
        self._seconds.append(time.perf_counter() - start)
        player.between()
        self._counts.append((player.pairs or 0, player.hits, player.starts, player.ends))

    def result(self) -> Measurement:
        pairs, hits, starts, ends = np.mean(self._counts, axis=0).tolist()
        return Measurement(
            self._entry.recipe.name,
            self._entry.count,
            self._entry.player.name,
            self._handlers,
            1e3 * float(np.median(self._seconds)),
            len(self._seconds),
            None if self._player.pairs is None else pairs,
            hits,
            starts,
            ends,
        )

    def close(self) -> None:
        self._player.close()
        esper.switch_world("default")
        esper.delete_world(self._world)


class Contest:
    """Entries that are measured side by side; a context manager, that deletes their worlds in the end.

    Python's collector of cycles is off meanwhile, as in ``timeit``. ``tell`` is told what is being made.
    """

    def __init__(self, entries: Sequence[Entry], tell: Callable[[str], None] = lambda _: None) -> None:
        self._tracks: list[_Track] = []
        gc.collect()
        gc.disable()
        try:
            for entry in entries:
                tell(f"{entry.recipe.name}, {entry.count:,}: making {entry.player.name}")
                self._tracks.append(_Track(entry))
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    def attach_handlers(self) -> None:
        """Give all players handlers."""
        for track in self._tracks:
            track.attach_handlers()

    def measure(self, seconds: float) -> list[Measurement]:
        """Play for about so many seconds; a measurement of each entry.

        After some frames for warming up the entries take turns, frame by frame, in an order that is rotated.
        """
        one_round = self._seconds_of_a_round(_FEWEST_WARM_UP_FRAMES)
        frames = round(min(_WARM_UP_PART * seconds / one_round, _WARM_UP_FRAMES))
        one_round = self._seconds_of_a_round(max(frames, 1))
        for track in self._tracks:
            track.forget()
        for number in range(round(min(max(seconds / one_round, _FEWEST_FRAMES), _MOST_FRAMES))):
            self._round(number % len(self._tracks))
        return [track.result() for track in self._tracks]

    def _seconds_of_a_round(self, rounds: int) -> float:
        start = time.perf_counter()
        for _ in range(rounds):
            self._round(0)
        return (time.perf_counter() - start) / rounds

    def _round(self, first: int) -> None:
        for track in self._tracks[first:] + self._tracks[:first]:
            track.frame()

    def _close(self) -> None:
        for track in self._tracks:
            track.close()
        self._tracks = []
        gc.enable()
