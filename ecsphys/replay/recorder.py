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
"""Seconds; whether the inputs are those of the step before; how many there are, each with its length before it."""
LENGTH: Final = Struct("<I")
OUTCOME: Final = Struct("<BQ")
"""What follows, as flags; the digest, or 0."""
HAS_DIGEST, HAS_RAISED, HAS_FINGERPRINTS = 1, 2, 4
COUNT: Final = Struct("<Q")


class Recorder:
    """Writes a game into a file: the world as it is now, then each step that :meth:`step` makes.

    Used in a ``with`` statement, or closed by :meth:`close`. The file is complete after every step: where the game
    crashes, even Python itself, it has all steps until then, and the inputs of the one that crashed.

    The file has the world, the settings, the seconds and inputs of each step, and digests to compare with. What else
    the game does must follow from these, in the recorded steps: see :meth:`take_world`.

    Parameters
    ----------
    path
        The file; one that is there already is replaced.
    game
        A :class:`Game`, or a ``Physics`` whose world is moved by nothing but its systems and their inputs.
    function
        For people who replay the file: the function that makes this game, as "module:function".
    arguments
        What that function was called with, by name; anything that JSON has.
    fingerprints
        Also write 16 bits for each entity that a step has changed, so that a replay can name the entity that differs.

    Raises
    ------
    OSError
        The file cannot be written; also from :meth:`step`: before the step, or right after it.
    RuntimeError, TypeError
        As of ``physics.snapshot`` and ``Snapshot.to_bytes``.

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
        """Bytes of the file until now."""
        return self._writer.size

    def step(self, dt: float) -> None:
        """Make a step of ``dt`` seconds of the game, in place of ``esper.process(dt)``, and write it.

        Errors of the step reach the caller, and are in the file as well: the game may go on. ValueError or TypeError
        for a bad ``dt``.
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
        """Write the whole world anew, after something has changed it between the steps that no input tells of.

        As large as ``snapshot().to_bytes()``, so not for every step.
        """
        self._open_writer().write(SNAPSHOT, self.game.physics.snapshot().to_bytes())
        self._write_result(None)

    def close(self) -> None:
        """End the recording; nothing where it has ended already."""
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
            raise RuntimeError("the recording was closed")
        return self._writer


def versions() -> dict[str, str]:
    """What numbers may depend on, by name."""
    found = {"ecsphys": str(import_module("ecsphys").__version__), "python": platform.python_version()}
    for name in ("numpy", "numba"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "none"
    return {**found, "system": platform.system(), "machine": platform.machine()}
