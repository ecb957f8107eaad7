"""Times of the frames and the summary of a run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from ecsphys.demo.scenes.scene import Counts

_RECENT = 30


class Timer:
    """Collects the milliseconds of one kind of work, one number per frame."""

    def __init__(self) -> None:
        self.samples: list[float] = []

    @contextmanager
    def measure(self) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.samples.append(1e3 * (time.perf_counter() - start))

    def recent(self) -> float:
        """Median of the last frames, in ms; 0 before the first."""
        return float(np.median(self.samples[-_RECENT:])) if self.samples else 0.0

    def __str__(self) -> str:
        if not self.samples:
            return "not measured"
        median, high = np.percentile(self.samples, (50.0, 95.0))
        return f"{median:.2f} ms median, {high:.2f} ms 95th percentile"


def summary(scene: str, frames: int, simulate: Timer, draw: Timer | None, counts: Counts) -> str:
    """What a run did, for the console; ``draw`` is None where nothing could be drawn."""
    rows = (
        ("scene", scene),
        ("frames", str(frames)),
        ("simulate", str(simulate)),
        ("draw", str(draw) if draw is not None else "not drawn"),
        ("entities", str(counts.entities)),
        ("colliders", str(counts.colliders)),
        ("candidate pairs", str(counts.pairs)),
        ("hits", str(counts.hits)),
        ("starts", str(counts.starts)),
        ("ends", str(counts.ends)),
    )
    return "\n".join(f"{name:<16}{value}" for name, value in rows)
