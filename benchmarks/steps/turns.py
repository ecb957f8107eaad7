"""Functions that take turns, so that all of them meet the same machine."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Step = Callable[[], object]

_FEWEST_ROUNDS = 3


@dataclass(frozen=True)
class Effort:
    """How much is measured: sizes of worlds, and how often each step is made.

    ``warm_up`` steps are made first, and ``rest`` steps until all sleeps again. A round is ``calls`` calls of each
    function. There are at most ``rounds``. Once ``seconds`` are over, no round follows the third.
    """

    sizes: tuple[int, ...] = (100, 1_000, 16_000, 100_000)
    rounds: int = 25
    calls: int = 12
    warm_up: int = 240
    rest: int = 80
    seconds: float = 1.5
    worlds: int = 1_000
    rooms: int = 300
    frame_seconds: float = 6.0


FULL = Effort()
QUICK = Effort(sizes=(100, 1_000), rounds=8, calls=6, warm_up=90, seconds=0.3, worlds=50, rooms=50, frame_seconds=0.5)


def take_turns(steps: Sequence[Step], effort: Effort, warm_up: int | None = None) -> list[float]:
    """The least time of a call of each of some functions, in µs: each makes ``calls`` calls in a round."""
    for step in steps:
        for _ in range(effort.warm_up if warm_up is None else warm_up):
            step()
    best = [float("inf")] * len(steps)
    gc.disable()
    try:
        begun = time.perf_counter()
        for number in range(effort.rounds):
            if number >= _FEWEST_ROUNDS and time.perf_counter() - begun > effort.seconds:
                break
            for place, step in enumerate(steps):
                begin = time.perf_counter()
                for _ in range(effort.calls):
                    step()
                best[place] = min(best[place], (time.perf_counter() - begin) / effort.calls)
    finally:
        gc.enable()
    return [1e6 * seconds for seconds in best]
