"""``Recording``: the contents of a file of a recorder."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ecsphys.replay.blocks import END, HEAD, INPUT, RESULT, SETTINGS, SNAPSHOT, blocks_of
from ecsphys.replay.recorder import (
    COUNT,
    HAS_DIGEST,
    HAS_FINGERPRINTS,
    HAS_RAISED,
    LENGTH,
    OUTCOME,
    STEP,
)

_VERSIONS: Final = ("ecsphys", "python", "numpy", "system", "machine")


@dataclass(frozen=True)
class Outcome:
    """The outcome of a step: a digest of the world, and fingerprints, as written; or the name of an error's class."""

    digest: int | None
    error: str
    fingerprints: bytes | None


@dataclass(frozen=True)
class Step:
    """A step: its inputs and its outcome. If the file ends before it, it has no outcome (None).

    A whole ``world`` that was written between two steps has no ``dt``. ``settings`` are new settings from this step on,
    or None.
    """

    dt: float | None
    inputs: tuple[bytes, ...]
    settings: dict[str, Any] | None
    world: bytes | None
    outcome: Outcome | None


class Recording:
    """A file of a :class:`Recorder`. The whole file is checked at once; steps are read when you ask for them.

    A file that was cut short, for example by a crash, is read up to its last whole step.

    Parameters
    ----------
    path
        The file.

    Attributes
    ----------
    step_count
        The number of steps.
    seconds
        The sum of their seconds.
    is_whole
        Whether it was closed, and not cut short.
    function, arguments
        The function that makes its game, and its arguments, as given to the recorder.
    missing
        The classes that only the game has. Empty if the file has everything.
    versions
        The versions with which it was recorded, by name.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is not a recording, is damaged, has another format, or ends before the first step.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        blocks = blocks_of(self.path)
        (kind, head), (other, _) = next(blocks, (0, b"")), next(blocks, (0, b""))
        if (kind, other) != (HEAD, SNAPSHOT):
            raise ValueError(f"{self.path} ends before the first step")
        try:
            told = json.loads(head)
            self.function, self.arguments = str(told["function"]), dict(told["arguments"])
            self.world, self.settings = dict(told["world"]), dict(told["settings"])
            self.missing = [str(one) for one in self.world["missing"]]
            self.versions = {name: str(told[name]) for name in _VERSIONS}
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{self.path} is malformed: {error!r}") from None
        self.step_count, self.seconds = 0, 0.0
        self.is_whole = False
        for step in self.steps():
            if step.dt is not None:
                self.step_count += 1
                self.seconds += step.dt

    def steps(self) -> Iterator[Step]:
        """The steps in order, after the world at the beginning."""
        blocks = blocks_of(self.path)
        next(blocks)
        waiting: Step | None = None
        settings: dict[str, Any] | None = None
        inputs: tuple[bytes, ...] = ()
        count = 0
        try:
            for kind, content in blocks:
                if kind == RESULT and waiting is not None:
                    outcome = _outcome_of(content)
                    yield Step(waiting.dt, waiting.inputs, waiting.settings, waiting.world, outcome)
                    waiting = settings = None
                elif kind == END and waiting is None:
                    if COUNT.unpack(content) != (count,):
                        raise ValueError("steps are missing")
                    self.is_whole = True
                elif kind == SNAPSHOT and waiting is None:
                    waiting = Step(None, (), settings, content, None)
                elif kind == SETTINGS and waiting is None:
                    settings = dict(json.loads(content))
                elif kind == INPUT and waiting is None:
                    count += 1
                    dt, is_same, number = STEP.unpack_from(content)
                    inputs = inputs if is_same else _inputs_of(content, number)
                    waiting = Step(dt, inputs, settings, None, None)
                else:
                    raise ValueError(f"a block of kind {kind} is in the wrong place")
        except (ValueError, TypeError, struct.error) as error:
            if str(self.path) in str(error):
                raise
            raise ValueError(f"{self.path} is malformed: {error}") from None
        if waiting is not None and waiting.dt is not None:
            yield waiting


def _inputs_of(content: bytes, number: int) -> tuple[bytes, ...]:
    inputs, place = [], STEP.size
    for _ in range(number):
        (length,) = LENGTH.unpack_from(content, place)
        place += LENGTH.size
        inputs.append(content[place : place + length])
        place += length
    if place != len(content):
        raise ValueError("the inputs of a step have the wrong length")
    return tuple(inputs)


def _outcome_of(content: bytes) -> Outcome:
    flags, digest = OUTCOME.unpack_from(content)
    rest = content[OUTCOME.size :]
    return Outcome(
        digest if flags & HAS_DIGEST else None,
        rest.decode() if flags & HAS_RAISED else "",
        rest if flags & HAS_FINGERPRINTS else None,
    )
