"""Functions that take turns, so that all of them meet the same machine."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence

Step = Callable[[], object]


def take_turns(steps: Sequence[Step], warm_up: int, rounds: int, calls: int) -> list[float]:
    """The least time of a call of each of some functions, in µs, over so many rounds of so many ``calls``."""
    for step in steps:
        for _ in range(warm_up):
            step()
    best = [float("inf")] * len(steps)
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for place, step in enumerate(steps):
                begin = time.perf_counter()
                for _ in range(calls):
                    step()
                best[place] = min(best[place], (time.perf_counter() - begin) / calls)
    finally:
        gc.enable()
    return [1e6 * seconds for seconds in best]
