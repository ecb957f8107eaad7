"""``Recording`` reads a file of a recorder; ``replay`` plays it, and compares each step with the recorded step."""

from __future__ import annotations

import itertools
import json
import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import esper

from ecsphys.replay import recording as file
from ecsphys.replay.recording import Game
from ecsphys.systems.physics import Physics
from ecsphys.systems.snapshot.snapshot import Snapshot

OWN_FUNCTIONS: Final = frozenset({"ecsphys.demo.recorded_scene:open_recorded"})
"""The functions that a file may call by name. No others: a foreign file could name any function."""

_numbers = itertools.count(1)


def _blocks_of(path: Path) -> Iterator[tuple[int, bytes]]:
    """Kind and content of each whole block, in order. Raises ValueError for a file that is not a recording, has another
    format, or is damaged. A part of a block at the end is ignored."""
    with path.open("rb") as opened:
        start = opened.read(file.FILE.size)
        if not start.startswith(file.MARK[: len(start)]) or not start:
            raise ValueError(f"{path} is not a recording of ecsphys")
        if len(start) < file.FILE.size:
            return
        if (number := file.FILE.unpack(start)[1]) != file.FORMAT:
            raise ValueError(
                f"{path} has the format {number}; this version of ecsphys reads format {file.FORMAT}:"
                " replay it with the version that recorded it"
            )
        expected = 0
        while len(head := opened.read(file.BLOCK.size)) == file.BLOCK.size:
            kind, length, _ = file.BLOCK.unpack(head)
            if head != file.head_of(kind, length):
                rest = iter(lambda: opened.read(1 << 16), b"")
                if not any(head) and not any(any(part) for part in rest):
                    return  # room that the file system had given, and a machine that stopped
                raise ValueError(f"{path} is damaged at byte {opened.tell() - file.BLOCK.size}")
            content, end = opened.read(length), opened.read(file.SUM.size)
            if len(end) < file.SUM.size:
                return
            expected = zlib.crc32(content, expected)
            if end != file.SUM.pack(expected):
                raise ValueError(f"{path} is damaged before byte {opened.tell()}: a checksum does not match")
            yield kind, content


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
    file.versions
        The file.versions with which it was recorded, by name.

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
        if (kind, other) != (file.HEAD, file.SNAPSHOT):
            raise ValueError(f"{self.path} ends before the first step")
        try:
            told = json.loads(head)
            self.function, self.arguments = str(told["function"]), dict(told["arguments"])
            self.world, self.settings = dict(told["world"]), dict(told["settings"])
            self.missing = [str(one) for one in self.world["missing"]]
            self.versions = {name: str(told[name]) for name in file.versions()}
        except file.MALFORMED as error:
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
                if step is not None and kind == file.RESULT:
                    (digest,), fingerprints = file.DIGEST.unpack_from(content), content[file.DIGEST.size :]
                    yield replace(step, has_outcome=True, digest=digest, fingerprints=fingerprints or None)
                    step = None
                elif step is not None and kind == file.ERROR:
                    yield replace(step, has_outcome=True, error=content.decode())
                    step = None
                elif step is not None or kind not in (file.END, file.SNAPSHOT, file.STEP):
                    raise ValueError(f"a block of kind {kind} is in the wrong place")
                elif kind == file.SNAPSHOT:
                    step = Step(world=content)
                elif kind == file.STEP:
                    count += 1
                    told = json.loads(content[file.SECONDS.size :] or b"{}")
                    if "inputs" in told:
                        inputs = tuple(one.encode(file.BYTES) for one in told["inputs"])
                    (dt,) = file.SECONDS.unpack_from(content)
                    step = Step(dt, inputs, told.get("settings"))
                elif json.loads(content) == count:
                    self.is_whole = True
                else:
                    raise ValueError("steps are missing")
            except file.MALFORMED as error:
                raise ValueError(f"{self.path} is malformed: {error}") from None
        if step is not None and step.dt is not None:
            yield step


@dataclass(frozen=True)
class Difference:
    """The first step of a replay that differs from the recording.

    Attributes
    ----------
    step
        Its number, from 1; 0 for the world at the beginning.
    seconds
        The time of the game at the end of the step.
    entity
        The first entity that differs; None if no entity differs, or if the recording has no fingerprints.
    entities
        All entities that differ, ascending.
    reason
        The difference in a few words.
    """

    step: int
    seconds: float
    entity: int | None
    entities: tuple[int, ...]
    reason: str

    def __str__(self) -> str:
        which = "the world at the beginning" if self.step == 0 else f"step {self.step} ({self.seconds:.3f} s)"
        return f"{which} differs: {self.reason}"


def replay(
    recording: Recording | str | os.PathLike[str], function: Callable[..., Game | Physics] | None = None
) -> Difference | None:
    """Play a recording in a new esper world, and compare each step. Returns the first difference, or None.

    If there is a difference, the world stays, and stays the current world. Otherwise it is deleted.

    Parameters
    ----------
    recording
        A :class:`Recording`, or the path of one.
    function
        Makes the game in the current, empty world, and returns its ``Game`` or ``Physics``. It is called with the
        ``arguments`` of the recording. If its world differs from the recorded world, for example because the recording
        began in the middle of a game, the recorded world is restored. Use None for a world of ecsphys alone, and for
        the worlds of the demo.

    Raises
    ------
    ValueError
        If the recording cannot be read, or if its world needs more than ecsphys and there is no ``function``.
    OSError
        If the file cannot be read.

    If a step raises an error that it did not raise in the recording, the error reaches the caller, with a note of the
    step.
    """
    read = recording if isinstance(recording, Recording) else Recording(recording)
    home, others = esper.current_world, set(esper.list_worlds())
    esper.switch_world(f"ecsphys replay {next(_numbers)}")
    is_done = False
    try:
        difference = _Replay(read, _make_game(read, function), function is not None).run()
        is_done = difference is None
    finally:
        if is_done:
            esper.switch_world(home)
            for name in set(esper.list_worlds()) - others:
                esper.delete_world(name)
    return difference


def _make_game(recording: Recording, function: Callable[..., Game | Physics] | None) -> Game:
    if function is not None:
        return file.game_of(function(**recording.arguments))
    if recording.function in OWN_FUNCTIONS:
        module, _, name = recording.function.partition(":")
        return file.game_of(getattr(import_module(module), name)(**recording.arguments))
    if recording.missing:
        made_by = f"it was made by {recording.function}"
        hint = made_by if recording.function else "pass --game module:function, or its function to replay()"
        raise ValueError(
            f"{recording.path} needs its game: {hint}; it has classes that ecsphys does not have:"
            f" {', '.join(sorted(set(recording.missing)))}"
        )
    try:
        return file.build(recording.world, recording.settings)
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f"{recording.path} is malformed: {error!r}") from None


class _Replay:
    """A replay that is running."""

    def __init__(self, recording: Recording, game: Game, has_own_settings: bool) -> None:
        self._recording = recording
        self._game = game
        self._has_own_settings = has_own_settings or recording.function in OWN_FUNCTIONS
        self._recorded = file.NO_FINGERPRINT
        self._count, self._seconds = 0, 0.0

    def run(self) -> Difference | None:
        for step in self._recording.steps():
            if step.fingerprints is not None:
                self._recorded = file.changed(self._recorded, step.fingerprints)
            error = self._play(step)
            if not step.has_outcome:
                continue
            if step.error != error:
                return self._difference((), f"it raised {step.error} when it was recorded")
            if step.digest is None or step.digest == self._game.physics.digest():
                continue
            if step.fingerprints is None:
                return self._difference((), "another digest, and the recording has no fingerprints of entities")
            return self._compare_entities()
        return None

    def _play(self, step: Step) -> str:
        """Make a step, or take a world. Returns the class name of the error if it raises the recorded error."""
        game = self._game
        if step.world is not None:
            if step.digest is None or step.digest != game.physics.digest():
                game.physics.restore(Snapshot.from_bytes(step.world))
            return ""
        if step.settings is not None and not self._has_own_settings:
            file.put_settings(game.physics, step.settings)
        if len(step.inputs) != len(game.inputs):
            raise ValueError(f"the recording has {len(step.inputs)} inputs, but the game has {len(game.inputs)}")
        for one, data in zip(game.inputs, step.inputs, strict=True):
            one.read_bytes(data)
        self._count += 1
        self._seconds += step.dt or 0.0
        try:
            game.step(step.dt or 0.0)
        except Exception as error:
            name = type(error).__name__
            if step.error == name:
                return name
            error.add_note(f"in step {self._count} of the replay of {self._recording.path}")
            raise
        return ""

    def _compare_entities(self) -> Difference:
        now, then = (
            dict(zip(entities.tolist(), numbers.tolist(), strict=True))
            for entities, numbers in (file.Fingerprints().take(), self._recorded)
        )
        found = tuple(sorted(entity for entity in now.keys() | then.keys() if now.get(entity) != then.get(entity)))
        if not found:
            return self._difference(found, "no component does; contacts, impulses, sleep or the clock do")
        first = found[0]
        if first not in now:
            what = f"entity {first} is not there, and was when it was recorded"
        elif first not in then:
            what = f"entity {first} is there, and was not when it was recorded"
        else:
            what = f"entity {first} has other values"
        return self._difference(found, f"{what}{f'; so {len(found)} entities in all' if len(found) > 1 else ''}")

    def _difference(self, entities: tuple[int, ...], reason: str) -> Difference:
        first = entities[0] if entities else None
        return Difference(self._count, self._seconds, first, entities, reason)


def other_versions(recording: Recording) -> list[str]:
    """The file.versions of the recording that differ here, in words."""
    here = file.versions()
    return [f"{name} {was} then, {here[name]} now" for name, was in recording.versions.items() if here[name] != was]
