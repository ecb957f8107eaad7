"""``Game``, and the file of a recording, which ``Recorder`` writes.

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
from collections.abc import Callable, Sequence
from importlib import import_module, metadata
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, runtime_checkable

import esper
import numpy as np
from numpy import int64, uint16, uint64
from numpy.typing import NDArray

import ecsphys.systems as stages
from ecsphys.components.collision.colliders import ROW_KINDS, SHAPE_CLASSES
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.polygon_collider import ChainCollider
from ecsphys.components.other_names import name_in_files
from ecsphys.components.store import component_table
from ecsphys.components.store.component import Component
from ecsphys.systems.arguments import checked_dt
from ecsphys.systems.motion.control import InputState
from ecsphys.systems.physics import Physics
from ecsphys.systems.settings import Settings
from ecsphys.systems.snapshot import kept_components as kept
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

FILE: Final = struct.Struct("<8sI")
# The kind, the length, and a check of both: so a wrong length differs from an end that is missing.
BLOCK: Final = struct.Struct("<BIH")
SUM: Final = struct.Struct("<I")
SECONDS: Final = struct.Struct("<d")
DIGEST: Final = struct.Struct("<Q")
BYTES: Final = "latin-1"
MALFORMED: Final = (ValueError, KeyError, TypeError, AttributeError, struct.error)

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
        self._start = FILE.pack(MARK, FORMAT)  # goes with the first block

    def write(self, kind: int, content: bytes) -> None:
        self._sum = zlib.crc32(content, self._sum)
        left = memoryview(self._start + head_of(kind, len(content)) + content + SUM.pack(self._sum))
        self._start = b""
        self.size += len(left)
        while left:
            left = left[self.file.write(left) :]


def head_of(kind: int, length: int) -> bytes:
    numbers = BLOCK.pack(kind, length, 0)[:-2]
    return numbers + (zlib.crc32(numbers) & 0xFFFF).to_bytes(2, "little")


Words = NDArray[uint64]
Fingerprint = tuple[NDArray[int64], NDArray[uint16]]
"""Entities, ascending, and a number for each."""

NO_FINGERPRINT: Final[Fingerprint] = np.zeros(0, int64), np.zeros(0, uint16)

_GOLDEN: Final = uint64(0x9E3779B97F4A7C15)  # Knuth's golden ratio
_TOP, _HALF, _ONE, _TWO = uint64(48), uint64(32), uint64(1), uint64(2)
_COUNTS: Final = struct.Struct("<III")


class Fingerprints:
    """The entities of the current world, ascending, and 16 bits for each, from the values of its components.

    The values include outlines, paths, and the parts of compounds and chains. Only changes since the last call are
    read.
    """

    def __init__(self) -> None:
        self._structure: kept.Structure | None = None
        self._entities: NDArray[int64] = NO_FINGERPRINT[0]
        # By class: the places of its entities; and the rows, their revision, and the numbers.
        self._places: dict[type[Any], NDArray[int64]] = {}
        self._known: dict[type[Any], tuple[component_table.ComponentRows, float, Words]] = {}

    def take(self) -> Fingerprint:
        structure = kept.Structure.of_world(self._structure)
        of_class = structure.of_class
        if structure is not self._structure:
            bare = np.fromiter(structure.bare, int64, len(structure.bare))
            entities = np.unique(np.concatenate([bare, *(rows.entity for rows in of_class.values())]))
            self._places = {cls: np.searchsorted(entities, rows.entity) for cls, rows in of_class.items()}
            self._known = {cls: known for cls, known in self._known.items() if cls in of_class}
            self._entities, self._structure = entities, structure
        total: Words = np.zeros(self._entities.size, uint64)
        for cls, rows in of_class.items():
            if issubclass(cls, Component):
                written, known = cls._columns.revision(), self._known.get(cls)
                if known is None or known[0] is not rows or known[1] != written:
                    known = self._known[cls] = rows, written, _fingerprints_of_rows(cls, rows.row)
                total[self._places[cls]] += known[2]
            else:
                has_parts = cls in (CompoundCollider, ChainCollider)
                number = _fingerprints_of_parts(rows) if has_parts else uint64(kept.number_of(name_in_files(cls)))
                total[self._places[cls]] += number
        return self._entities, (total * _GOLDEN >> _TOP).astype(uint16)


def _fingerprints_of_rows(cls: type[Component], row: NDArray[Any]) -> Words:
    """A number for each of some rows (n,) of a class, from its fields and its runs in a pool."""
    store, number = cls._columns, uint64(kept.number_of(name_in_files(cls)))
    blocks = [
        block
        for block in kept.blocks_of(store)
        if block is not store.int64 or kept.POOLED.isdisjoint(store.names_in("int64"))
    ]
    words = [_words_of(np.take(block, row, axis=1, mode="clip")) for block in blocks]
    numbers = number + _weighted(np.concatenate(words) if words else np.zeros((0, len(row)), uint64), number)
    if cls in kept.POOLS:
        runs = kept.PooledRuns(cls, row)
        of_points = _weighted(_words_of(runs.contents.T.copy()), ~number)
        _add_runs(numbers, of_points, runs.lengths)
    return numbers


def _fingerprints_of_parts(rows: component_table.ComponentRows) -> Words:
    """A number for each of some compounds or chains, from their parts in order."""
    lines = [instance._lines for instance in rows.instances]
    kind, row = np.concatenate([np.zeros((0, 2), np.int32), *lines]).T
    values: Words = np.zeros(len(kind), uint64)
    for number in np.unique(kind).tolist():
        shape = SHAPE_CLASSES[ROW_KINDS[number]]
        values[kind == number] = _fingerprints_of_rows(shape, row[kind == number])
    numbers: Words = np.zeros(len(rows), uint64)
    _add_runs(numbers, values, np.array([len(line) for line in lines], int64))
    return numbers


def _add_runs(numbers: Words, values: Words, lengths: NDArray[int64]) -> None:
    """Add the values of each run, with a factor for each place: in another order they give another number."""
    factors = _TWO * kept.places_in_runs(lengths).astype(uint64) + _ONE
    np.add.at(numbers, np.repeat(np.arange(len(lengths)), lengths), values * factors)


def _weighted(words: Words, salt: uint64) -> Words:
    """The sum of each column (fields, n), with a factor for each field. A changed sign changes more than one bit."""
    factors = np.arange(1, 2 * len(words), 2, dtype=uint64) * (salt | _ONE)
    weighted: Words = factors @ (words ^ words >> _HALF)
    return weighted


def _words_of(array: NDArray[Any]) -> Words:
    return array.view(uint64) if array.dtype.itemsize == 8 else array.astype(uint64)


def changes_between(then: Fingerprint, now: Fingerprint) -> bytes:
    """The fingerprints that changed, as bytes for :func:`changed`."""
    entities, numbers = now
    gone = come = entities[:0]
    if entities is not then[0]:
        gone = np.setdiff1d(then[0], entities, assume_unique=True)
        come = np.setdiff1d(entities, then[0], assume_unique=True)
    is_other = _of_entities(then, entities) != numbers
    parts = gone.astype("<i8"), come.astype("<i8"), np.packbits(is_other), numbers[is_other].astype("<u2")
    return _COUNTS.pack(gone.size, come.size, parts[3].size) + b"".join(part.tobytes() for part in parts)


def changed(then: Fingerprint, data: bytes) -> Fingerprint:
    """The fingerprints of the next step, from bytes of :func:`changes_between`. Raises ValueError for other bytes."""
    gone_count, come_count, other_count = _COUNTS.unpack_from(data)
    ends = np.cumsum((_COUNTS.size, 8 * gone_count, 8 * come_count)).tolist()
    gone = np.frombuffer(data, "<i8", gone_count, ends[0])
    come = np.frombuffer(data, "<i8", come_count, ends[1])
    entities = then[0]
    if gone_count or come_count:
        entities = np.union1d(np.setdiff1d(entities, gone, assume_unique=True), come.astype(int64))
    bitmap = np.frombuffer(data, np.uint8, (entities.size + 7) // 8, ends[2])
    is_other = np.unpackbits(bitmap, count=entities.size).astype(bool)
    numbers = _of_entities(then, entities).copy()
    numbers[is_other] = np.frombuffer(data, "<u2", other_count, ends[2] + bitmap.size)
    return entities, numbers


def _of_entities(then: Fingerprint, entities: NDArray[int64]) -> NDArray[uint16]:
    """The known numbers of some entities; 0 for others."""
    if entities is then[0]:
        return then[1]
    numbers: NDArray[uint16] = np.zeros(entities.size, uint16)
    _, here, there = np.intersect1d(then[0], entities, assume_unique=True, return_indices=True)
    numbers[there] = then[1][here]
    return numbers


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
            told["inputs"] = [one.decode(BYTES) for one in inputs]
        self._write(STEP, SECONDS.pack(seconds) + (json.dumps(told).encode() if told else b""))
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
        content = DIGEST.pack(self.game.physics.digest())
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
