"""``Recorder``: writes a game into a file as it runs."""

from __future__ import annotations

import json
import os
import platform
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from struct import Struct
from types import TracebackType
from typing import Any, Final

from ecsphys.replay.blocks import END, HEAD, INPUT, RESULT, SETTINGS, SNAPSHOT, BlockWriter
from ecsphys.replay.fingerprints import FingerprintWriter
from ecsphys.replay.game import Game, game_of
from ecsphys.replay.plain_world import describe
from ecsphys.replay.settings import settings_of
from ecsphys.systems.arguments import checked_dt
from ecsphys.systems.physics import Physics

STEP: Final = Struct("<d?H")
"""Seconds; whether the inputs are the same as in the step before; their number, each with its length before it."""
LENGTH: Final = Struct("<I")
OUTCOME: Final = Struct("<BQ")
"""Flags for the following parts; the digest, or 0."""
HAS_DIGEST, HAS_RAISED, HAS_FINGERPRINTS = 1, 2, 4
COUNT: Final = Struct("<Q")


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
        head = {
            **versions(),
            "function": function,
            "arguments": arguments or {},
            "world": describe(self.game),
            "settings": self._settings,
        }
        told = json.dumps(head).encode()
        self._writer = BlockWriter(Path(path))
        try:
            self._writer.write(HEAD, told)
            self._writer.write(SNAPSHOT, start)
            self._write_result(None)
        except BaseException:
            self._writer.close()
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
        writer, game, seconds = self._open_writer(), self.game, checked_dt(dt)
        settings = settings_of(game.physics)
        if settings != self._settings:
            self._settings = settings
            writer.write(SETTINGS, json.dumps(settings).encode())
        inputs = tuple([one.to_bytes() for one in game.inputs])
        if inputs == self._inputs:
            content = STEP.pack(seconds, True, 0)
        else:
            content = STEP.pack(seconds, False, len(inputs))
            content += b"".join(LENGTH.pack(len(one)) + one for one in inputs)
            self._inputs = inputs
        writer.write(INPUT, content)
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
        self._open_writer().write(SNAPSHOT, self.game.physics.snapshot().to_bytes())
        self._write_result(None)

    def close(self) -> None:
        """End the recording. It does nothing if the recording has ended already."""
        if not self._writer.is_closed:
            try:
                self._writer.write(END, COUNT.pack(self.step_count))
            finally:
                self._writer.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _write_result(self, error: BaseException | None) -> None:
        if error is not None:
            content = OUTCOME.pack(HAS_RAISED, 0) + type(error).__name__.encode()
        else:
            content = OUTCOME.pack(
                HAS_DIGEST | (HAS_FINGERPRINTS if self._fingerprints is not None else 0), self.game.physics.digest()
            )
            if self._fingerprints is not None:
                content += self._fingerprints.take()
        self._open_writer().write(RESULT, content)

    def _open_writer(self) -> BlockWriter:
        if self._writer.is_closed:
            raise RuntimeError("the recording is closed: make a new Recorder")
        return self._writer


def versions() -> dict[str, str]:
    """The versions on which results may depend, by name."""
    found = {"ecsphys": str(import_module("ecsphys").__version__), "python": platform.python_version()}
    try:
        found["numpy"] = version("numpy")
    except PackageNotFoundError:
        found["numpy"] = "none"
    return {**found, "system": platform.system(), "machine": platform.machine()}
