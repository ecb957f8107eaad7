"""A frame of circles with ecsphys and in plain C, each alone in a process of its own, in rounds that take turns."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from benchmarks.plain_c.library import build, find_compiler

NO_COMPILER = "no C compiler"

_ROOT = Path(__file__).resolve().parents[2]
_ROUNDS = 12
_FRAMES_COMPARED = 10
_FEWEST_FRAMES, _MOST_FRAMES = 4, 400


@dataclass(frozen=True)
class PlainCOutcome:
    """Medians in ms of a frame; ``agrees``: the same hits, starts and ends in all frames that were compared."""

    circles: int
    ours: float
    plain_c: float
    frames: int
    compared: int
    agrees: bool

    @property
    def ratio(self) -> float:
        return self.ours / self.plain_c


def measure_plain_c(
    sizes: Sequence[int], seconds: float, tell: Callable[[str], None] = lambda _: None
) -> list[PlainCOutcome] | None:
    """For each number of circles about so many seconds of frames; None without a C compiler."""
    compiler = find_compiler()
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        library = build(compiler, Path(folder))
        found = []
        for count in sizes:
            tell(f"circles, {count:,}: ecsphys and plain C, each alone")
            found.append(_measure(count, library, seconds))
        return found


def _measure(count: int, library: Path, seconds: float) -> PlainCOutcome:
    with _Alone(count) as ours, _Alone(count, library) as plain_c:
        agrees = True
        for _ in range(_FRAMES_COMPARED):
            agrees &= ours.play(1) == plain_c.play(1)
        # Half of the time is theirs: what they save is given to more frames of both.
        one = ours.median() + plain_c.median()
        frames = round(min(max(seconds / _ROUNDS / one, _FEWEST_FRAMES), _MOST_FRAMES))
        agrees &= ours.play(frames) == plain_c.play(frames)
        ours.forget()
        plain_c.forget()
        for _ in range(_ROUNDS):
            agrees &= ours.play(frames) == plain_c.play(frames)
        return PlainCOutcome(
            count,
            1e3 * ours.median(),
            1e3 * plain_c.median(),
            _ROUNDS * frames,
            _FRAMES_COMPARED + 1 + _ROUNDS,
            agrees,
        )


class _Alone:
    """A process that plays when it is told to; a context manager that ends it."""

    def __init__(self, count: int, library: Path | None = None) -> None:
        command = [sys.executable, "-m", "benchmarks.plain_c.alone", str(count)]
        if library is not None:
            command.append(str(library))
        self._process = subprocess.Popen(command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._seconds: list[float] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.communicate()

    def play(self, frames: int) -> str:
        """Play so many frames; the digest of the last one's pairs."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(frames, file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the process that plays circles has ended by itself")
        answer = json.loads(line)
        self._seconds += answer["seconds"]
        return str(answer["digest"])

    def median(self) -> float:
        """Seconds of a frame."""
        return statistics.median(self._seconds)

    def forget(self) -> None:
        """Begin a new measurement."""
        self._seconds.clear()
