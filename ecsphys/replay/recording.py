"""The file of a recording: ``Recorder`` writes it, ``Recording`` reads it.

A file has a mark and blocks. Each checksum continues the checksum of the block before. A file that was cut short, for
example by a crash, has whole blocks and perhaps part of one. It is still valid; any other change counts as damage. All
numbers are little-endian; there is no pickle.
"""

from __future__ import annotations

import json
import os
import platform
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module, metadata
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from ecsphys.replay.fingerprints import FingerprintWriter
from ecsphys.replay.game import Game, describe, game_of, settings_of
from ecsphys.systems.arguments import checked_dt
from ecsphys.systems.physics import Physics

MARK: Final = b"ecsplay\n"
FORMAT: Final = 3
HEAD, SNAPSHOT, SETTINGS, INPUT, RESULT, END = range(1, 7)
"""The kinds of blocks: the head in JSON; the world's bytes; settings in JSON; dt and inputs of a step, written before
it; its outcome; and the number of steps, if the recording was closed."""

_FILE: Final = struct.Struct("<8sI")
# The kind, the length, and a check of both: so a wrong length differs from an end that is missing.
_BLOCK: Final = struct.Struct("<BIH")
_SUM: Final = struct.Struct("<I")
# Seconds; whether the inputs are the same as in the step before; their number. The length of each comes before it.
_STEP: Final = struct.Struct("<d?H")
_LENGTH: Final = struct.Struct("<I")
# Flags for the following parts; the digest, or 0.
_OUTCOME: Final = struct.Struct("<BQ")
_HAS_DIGEST, _HAS_RAISED, _HAS_FINGERPRINTS = 1, 2, 4
_COUNT: Final = struct.Struct("<Q")
_MALFORMED: Final = (ValueError, KeyError, TypeError, struct.error)


class BlockWriter:
    """Appends blocks to a new file, each in one write of the operating system: a crash of the game loses none.

    Raises OSError if the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.file = path.open("wb", buffering=0)
        self.size = self._sum = 0
        self._start = _FILE.pack(MARK, FORMAT)  # goes with the first block

    def write(self, kind: int, content: bytes) -> None:
        self._sum = zlib.crc32(content, self._sum)
        left = memoryview(self._start + _head_of(kind, len(content)) + content + _SUM.pack(self._sum))
        self._start = b""
        self.size += len(left)
        while left:
            left = left[self.file.write(left) :]


def _head_of(kind: int, length: int) -> bytes:
    numbers = _BLOCK.pack(kind, length, 0)[:-2]
    return numbers + (zlib.crc32(numbers) & 0xFFFF).to_bytes(2, "little")


def _blocks_of(path: Path) -> Iterator[tuple[int, bytes]]:
    """Kind and content of each whole block, in order. Raises ValueError for a file that is not a recording, has another
    format, or is damaged. A part of a block at the end is ignored."""
    with path.open("rb") as file:
        start = file.read(_FILE.size)
        if not start.startswith(MARK[: len(start)]) or not start:
            raise ValueError(f"{path} is not a recording of ecsphys")
        if len(start) < _FILE.size:
            return
        if (number := _FILE.unpack(start)[1]) != FORMAT:
            raise ValueError(
                f"{path} has the format {number}; this version of ecsphys reads format {FORMAT}:"
                " replay it with the version that recorded it"
            )
        expected = 0
        while len(head := file.read(_BLOCK.size)) == _BLOCK.size:
            kind, length, _ = _BLOCK.unpack(head)
            if head != _head_of(kind, length):
                rest = iter(lambda: file.read(1 << 16), b"")
                if not any(head) and not any(any(part) for part in rest):
                    return  # room that the file system had given, and a machine that stopped
                raise ValueError(f"{path} is damaged at byte {file.tell() - _BLOCK.size}")
            content, end = file.read(length), file.read(_SUM.size)
            if len(end) < _SUM.size:
                return
            expected = zlib.crc32(content, expected)
            if end != _SUM.pack(expected):
                raise ValueError(f"{path} is damaged before byte {file.tell()}: a checksum does not match")
            yield kind, content


class Recorder:
    """Writes a game into a file: the present world, then each step that :meth:`step` makes.

    Use it in a ``with`` statement, or call :meth:`close`. The file is complete after every step. If the game crashes,
    even if Python itself crashes, it has all steps until then, and the inputs of the last step.

    The file has the world, the settings, the seconds and inputs of each step, and digests to compare. Everything else
    that the game does must follow from these, in the recorded steps: see :meth:`take_world`.

    Parameters
    ----------
    path
        The file. An existing file is replaced.
    game
        A :class:`Game`, or a ``Physics`` if only its systems and their inputs move its world.
    function
        The name of the function that makes this game, "module:function", for the replay.
    arguments
        The arguments of this function, by name: anything that JSON has.
    fingerprints
        Also write 16 bits for each entity that a step has changed, so a replay can name the entity that differs.

    Raises
    ------
    OSError
        If the file cannot be written. :meth:`step` raises it too, before the step or right after it.
    RuntimeError, TypeError
        As for ``physics.snapshot`` and ``Snapshot.to_bytes``.

    Examples
    --------
    >>> import os
    >>> physics = ecsphys.install()
    >>> ball = esper.create_entity(Transform(), Velocity(6, 0))
    >>> with Recorder(os.devnull, physics) as recorder:
    ...     for _ in range(3):
    ...         recorder.step(1 / 60)
    >>> recorder.step_count
    3
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        game: Game | Physics,
        function: str = "",
        arguments: dict[str, Any] | None = None,
        fingerprints: bool = True,
    ) -> None:
        self.game = game_of(game)
        self.step_count = 0
        self._fingerprints = FingerprintWriter() if fingerprints else None
        self._inputs: tuple[bytes, ...] | None = None
        self._settings = settings_of(self.game.physics)
        start = self.game.physics.snapshot().to_bytes()
        told = {"function": function, "arguments": arguments or {}, "world": describe(self.game)}
        head = json.dumps({**versions(), **told, "settings": self._settings}).encode()
        self._writer = BlockWriter(Path(path))
        try:
            self._writer.write(HEAD, head)
            self._writer.write(SNAPSHOT, start)
            self._write_result(None)
        except BaseException:
            self._writer.file.close()
            raise

    @property
    def size(self) -> int:
        """Present size of the file in bytes."""
        return self._writer.size

    def step(self, dt: float) -> None:
        """Make a step of ``dt`` seconds of the game, in place of ``esper.process(dt)``, and write it.

        Errors of the step reach the caller and are also written, so the game may continue. Raises ValueError or
        TypeError for a bad ``dt``.
        """
        game, seconds = self.game, checked_dt(dt)
        settings = settings_of(game.physics)
        if settings != self._settings:
            self._settings = settings
            self._write(SETTINGS, json.dumps(settings).encode())
        inputs = tuple([one.to_bytes() for one in game.inputs])
        if inputs == self._inputs:
            content = _STEP.pack(seconds, True, 0)
        else:
            content = _STEP.pack(seconds, False, len(inputs))
            content += b"".join(_LENGTH.pack(len(one)) + one for one in inputs)
            self._inputs = inputs
        self._write(INPUT, content)
        self.step_count += 1
        try:
            game.step(seconds)
        except BaseException as error:
            self._write_result(error)
            raise
        self._write_result(None)

    def take_world(self) -> None:
        """Write the whole world again. Call it after you change the world between steps without an input.

        It is as large as ``snapshot().to_bytes()``, so do not call it in every step.
        """
        self._write(SNAPSHOT, self.game.physics.snapshot().to_bytes())
        self._write_result(None)

    def close(self) -> None:
        """End the recording. It does nothing if the recording has ended already."""
        if not self._writer.file.closed:
            try:
                self._writer.write(END, _COUNT.pack(self.step_count))
            finally:
                self._writer.file.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _write_result(self, error: BaseException | None) -> None:
        if error is not None:
            self._write(RESULT, _OUTCOME.pack(_HAS_RAISED, 0) + type(error).__name__.encode())
            return
        digest, found = self.game.physics.digest(), self._fingerprints
        if found is None:
            self._write(RESULT, _OUTCOME.pack(_HAS_DIGEST, digest))
        else:
            self._write(RESULT, _OUTCOME.pack(_HAS_DIGEST | _HAS_FINGERPRINTS, digest) + found.take())

    def _write(self, kind: int, content: bytes) -> None:
        if self._writer.file.closed:
            raise RuntimeError("the recording is closed: make a new Recorder")
        self._writer.write(kind, content)


def versions() -> dict[str, str]:
    """The versions on which results may depend, by name."""
    found = {"ecsphys": str(import_module("ecsphys").__version__), "python": platform.python_version()}
    try:
        found["numpy"] = metadata.version("numpy")
    except metadata.PackageNotFoundError:
        found["numpy"] = "none"
    return {**found, "system": platform.system(), "machine": platform.machine()}


@dataclass(frozen=True)
class Step:
    """A step: its inputs and its outcome. If the file ends before it, it has no outcome.

    A whole ``world`` that was written between two steps has no ``dt``. ``settings`` are new settings from this step on.
    The outcome is a digest of the world, and fingerprints, as written; or ``error``, the name of an error's class.
    """

    dt: float | None = None
    inputs: tuple[bytes, ...] = ()
    settings: dict[str, Any] | None = None
    world: bytes | None = None
    has_outcome: bool = False
    digest: int | None = None
    error: str = ""
    fingerprints: bytes | None = None


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
        blocks = _blocks_of(self.path)
        (kind, head), (other, _) = next(blocks, (0, b"")), next(blocks, (0, b""))
        if (kind, other) != (HEAD, SNAPSHOT):
            raise ValueError(f"{self.path} ends before the first step")
        try:
            told = json.loads(head)
            self.function, self.arguments = str(told["function"]), dict(told["arguments"])
            self.world, self.settings = dict(told["world"]), dict(told["settings"])
            self.missing = [str(one) for one in self.world["missing"]]
            self.versions = {name: str(told[name]) for name in versions()}
        except _MALFORMED as error:
            raise ValueError(f"{self.path} is malformed: {error!r}") from None
        self.is_whole = False
        seconds = [step.dt for step in self.steps() if step.dt is not None]
        self.step_count, self.seconds = len(seconds), sum(seconds, 0.0)

    def steps(self) -> Iterator[Step]:
        """The steps in order, after the world at the beginning."""
        blocks = _blocks_of(self.path)
        next(blocks)
        step: Step | None = None  # until its outcome is read
        settings: dict[str, Any] | None = None
        inputs: tuple[bytes, ...] = ()
        count = 0
        for kind, content in blocks:
            try:
                if step is not None and kind == RESULT:
                    yield _with_outcome(step, content)
                    step = settings = None
                elif step is not None or kind not in (END, SNAPSHOT, SETTINGS, INPUT):
                    raise ValueError(f"a block of kind {kind} is in the wrong place")
                elif kind == END:
                    if _COUNT.unpack(content) != (count,):
                        raise ValueError("steps are missing")
                    self.is_whole = True
                elif kind == SNAPSHOT:
                    step = Step(settings=settings, world=content)
                elif kind == SETTINGS:
                    settings = dict(json.loads(content))
                else:
                    count += 1
                    dt, is_same, number = _STEP.unpack_from(content)
                    inputs = inputs if is_same else _inputs_of(content, number)
                    step = Step(dt, inputs, settings)
            except _MALFORMED as error:
                raise ValueError(f"{self.path} is malformed: {error}") from None
        if step is not None and step.dt is not None:
            yield step


def _with_outcome(step: Step, content: bytes) -> Step:
    flags, digest = _OUTCOME.unpack_from(content)
    rest = content[_OUTCOME.size :]
    return replace(
        step,
        has_outcome=True,
        digest=digest if flags & _HAS_DIGEST else None,
        error=rest.decode() if flags & _HAS_RAISED else "",
        fingerprints=rest if flags & _HAS_FINGERPRINTS else None,
    )


def _inputs_of(content: bytes, number: int) -> tuple[bytes, ...]:
    inputs, place = [], _STEP.size
    for _ in range(number):
        (length,) = _LENGTH.unpack_from(content, place)
        place += _LENGTH.size + length
        inputs.append(content[place - length : place])
    if place != len(content):
        raise ValueError("the inputs of a step have the wrong length")
    return tuple(inputs)
