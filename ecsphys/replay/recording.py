"""``Game``, and the file of a recording: ``Recorder`` writes it, ``Recording`` reads it.

A file describes worlds that have only stages of ecsphys, and are moved only by inputs. Others are replayed with their
game.

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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module, metadata
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, runtime_checkable

import esper

import ecsphys.systems as stages
from ecsphys.systems.arguments import checked_dt
from ecsphys.systems.motion.control import InputState
from ecsphys.systems.physics import Physics
from ecsphys.systems.settings import Settings
from ecsphys.systems.snapshot.digest import NO_FINGERPRINT, Fingerprints, changes_between
from ecsphys.systems.stepping.fixed_step import FixedStep, running_systems
from ecsphys.systems.world.esper_world import processors

Values = dict[str, Any]

MARK: Final = b"ecsplay\n"
FORMAT: Final = 4
HEAD, SNAPSHOT, STEP, RESULT, ERROR, END = range(1, 7)
"""The kinds of blocks: the head; the world's bytes; a step, written before it; its outcome, or the name of its error;
and the number of steps, if the recording was closed. Head and number are JSON.

A step has its seconds. In JSON follow its inputs, as texts of the same numbers, and the settings, if they are not the
ones of the step before. An outcome has the digest of the world. Changed fingerprints follow."""

_FILE: Final = struct.Struct("<8sI")
# The kind, the length, and a check of both: so a wrong length differs from an end that is missing.
_BLOCK: Final = struct.Struct("<BIH")
_SUM: Final = struct.Struct("<I")
_SECONDS: Final = struct.Struct("<d")
_DIGEST: Final = struct.Struct("<Q")
_BYTES: Final = "latin-1"
_MALFORMED: Final = (ValueError, KeyError, TypeError, AttributeError, struct.error)

_STAGES: Final[dict[str, type[Any]]] = {name: getattr(stages, name) for name in stages.__all__ if name != "Stage"}
# The number of threads changes no result.
_SETTINGS: Final = ["settings.gravity", *(f"settings.{name}" for name in Settings._fields if name != "threads")]
_FIXED_STEP: Final = [f"fixed_step.{name}" for name in ("hz", "max_steps", "time_scale", "paused")]
_read_settings, _read_fixed_step = attrgetter(*_SETTINGS), attrgetter(*_FIXED_STEP)
_ASKED: Final = "fixed_step.asked"


@runtime_checkable
class Inputs(Protocol):
    """The actions of a player in a step, as bytes. :class:`~ecsphys.InputState` is one; you may write your own."""

    def to_bytes(self) -> bytes:
        """The inputs of the step that is about to begin."""
        ...

    def read_bytes(self, data: bytes) -> None:
        """Take the inputs from bytes of :meth:`to_bytes`. Raises ValueError for other bytes."""
        ...


class Game:
    """A physics, and the parts of the game that a recording needs.

    Parameters
    ----------
    physics
        The physics of the current world.
    inputs
        Everything on which steps depend, except the world: :class:`Inputs`, always in the same order. None: the inputs
        of each ``ControlSystem`` in the world.
    step
        A function that makes a step of the game and takes its seconds; None for ``esper.process``.

    Raises
    ------
    TypeError
        If an argument has another type.

    Examples
    --------
    >>> physics, keys = ecsphys.install(), InputState()
    >>> esper.add_processor(ControlSystem(physics, keys), ecsphys.Priority.INPUT)
    >>> len(Game(physics).inputs)
    1
    """

    def __init__(
        self,
        physics: Physics,
        inputs: Sequence[Inputs] | None = None,
        step: Callable[[float], object] | None = None,
    ) -> None:
        if not isinstance(physics, Physics):
            raise TypeError(f"Game.physics must be a Physics, got {physics!r:.80}")
        for one in inputs or ():
            if not isinstance(one, Inputs):
                raise TypeError(f"Game.inputs must have the methods to_bytes and read_bytes, got {one!r:.80}")
        if step is not None and not callable(step):
            raise TypeError(f"Game.step must be a function that takes the seconds, got {step!r:.80}")
        if inputs is None:
            controls = [one for one in running_systems() if isinstance(one, stages.ControlSystem)]
            of_physics = [one.input_state for one in controls if one.physics is physics]
            inputs = list({id(one): one for one in of_physics}.values())
        self.physics = physics
        self.inputs: tuple[Inputs, ...] = tuple(inputs)
        self.step: Callable[[float], object] = esper.process if step is None else step


def game_of(made: Any) -> Game:
    """A game, or a new game for a physics alone. Raises TypeError for other values."""
    return made if isinstance(made, Game) else Game(made)


def describe(game: Game) -> Values:
    """The description from which :func:`build` makes the world; ``"missing"`` lists the parts that it cannot make."""
    missing = list[str]()

    def described(system: Any) -> list[Any]:
        kind, number = type(system), None
        if isinstance(system, FixedStep) and game.physics.fixed_step is system:
            return [kind.__name__, system.priority, [described(one) for one in system.systems]]
        if _STAGES.get(kind.__name__) is not kind or system.physics is not game.physics:
            missing.append(f"the processor {kind.__name__}")
        elif kind is stages.ControlSystem:
            number = next((k for k, one in enumerate(game.inputs) if one is system.input_state), None)
            if number is None:
                missing.append("an InputState that is not among the inputs")
        return [kind.__name__, system.priority, number]

    made = [described(system) for system in processors()]
    if game.step is not esper.process and game.step != game.physics.step:
        missing.append("a function that makes the steps")
    missing += [f"inputs of the class {type(one).__name__}" for one in game.inputs if type(one) is not InputState]
    if game.physics.pre_solve is not None:
        missing.append("pre_solve")
    is_processed = game.step is esper.process
    return {"systems": made, "inputs": len(game.inputs), "is_processed": is_processed, "missing": missing}


def build(description: Values, settings: Values) -> Game:
    """A game in the current, empty world, with its systems and settings, without entities."""
    physics = Physics()
    inputs = [InputState() for _ in range(description["inputs"])]

    def make(name: str, number: int | None) -> esper.Processor:
        made: esper.Processor = _STAGES[name](physics, *(() if number is None else (inputs[number],)))
        return made

    for name, priority, detail in description["systems"]:
        if name == FixedStep.__name__:
            fixed = physics._state.stepping.fixed_step = FixedStep(
                (make(one, number), at) for one, at, number in detail
            )
            esper.add_processor(fixed, priority)
        else:
            esper.add_processor(make(name, detail), priority)
    put_settings(physics, settings)
    return Game(physics, inputs, None if description["is_processed"] else physics.step)


def settings_of(physics: Physics) -> Values:
    """All settings on which results depend, by name."""
    values = dict(zip(_SETTINGS, _read_settings(physics), strict=True))
    if physics.fixed_step is not None:
        values |= zip(_FIXED_STEP, _read_fixed_step(physics), strict=True)
        values[_ASKED] = physics.fixed_step.take_state()[1]
    return values


def put_settings(physics: Physics, values: Values) -> None:
    """Set the values of :func:`settings_of`. Raises the errors of the settings."""
    known, fixed = settings_of(physics), physics.fixed_step
    for name, value in values.items():
        if name not in known:
            raise ValueError(f"this version of ecsphys has no setting {name!r}")
        if name == _ASKED and fixed is not None:
            for _ in range(value - known[name]):
                fixed.step_once()
        else:
            owner, field = name.split(".")
            setattr(getattr(physics, owner), field, value)


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
        self._fingerprints = Fingerprints() if fingerprints else None
        self._last = NO_FINGERPRINT
        self._inputs: list[bytes] | None = None
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
        settings, inputs = settings_of(game.physics), [one.to_bytes() for one in game.inputs]
        told: dict[str, Any] = {}
        if settings != self._settings:
            told["settings"] = self._settings = settings
        if inputs != self._inputs:
            self._inputs = inputs
            told["inputs"] = [one.decode(_BYTES) for one in inputs]
        self._write(STEP, _SECONDS.pack(seconds) + (json.dumps(told).encode() if told else b""))
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
                self._writer.write(END, json.dumps(self.step_count).encode())
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
            self._write(ERROR, type(error).__name__.encode())
            return
        content = _DIGEST.pack(self.game.physics.digest())
        if self._fingerprints is not None:
            last, self._last = self._last, self._fingerprints.take()
            content += changes_between(last, self._last)
        self._write(RESULT, content)

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
        inputs: tuple[bytes, ...] = ()
        count = 0
        for kind, content in blocks:
            try:
                if step is not None and kind == RESULT:
                    (digest,), fingerprints = _DIGEST.unpack_from(content), content[_DIGEST.size :]
                    yield replace(step, has_outcome=True, digest=digest, fingerprints=fingerprints or None)
                    step = None
                elif step is not None and kind == ERROR:
                    yield replace(step, has_outcome=True, error=content.decode())
                    step = None
                elif step is not None or kind not in (END, SNAPSHOT, STEP):
                    raise ValueError(f"a block of kind {kind} is in the wrong place")
                elif kind == SNAPSHOT:
                    step = Step(world=content)
                elif kind == STEP:
                    count += 1
                    told = json.loads(content[_SECONDS.size :] or b"{}")
                    if "inputs" in told:
                        inputs = tuple(one.encode(_BYTES) for one in told["inputs"])
                    (dt,) = _SECONDS.unpack_from(content)
                    step = Step(dt, inputs, told.get("settings"))
                elif json.loads(content) == count:
                    self.is_whole = True
                else:
                    raise ValueError("steps are missing")
            except _MALFORMED as error:
                raise ValueError(f"{self.path} is malformed: {error}") from None
        if step is not None and step.dt is not None:
            yield step
