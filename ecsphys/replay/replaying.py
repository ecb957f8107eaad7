"""``replay``: play a recording again, and compare each step with the recorded step."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Final

import esper

from ecsphys.replay.recording import Game, Recording, Step, build, game_of, put_settings, versions
from ecsphys.systems.physics import Physics
from ecsphys.systems.snapshot.digest import NO_FINGERPRINT, Fingerprints, changed
from ecsphys.systems.snapshot.snapshot import Snapshot

OWN_FUNCTIONS: Final = frozenset({"ecsphys.demo.recorded_scene:open_recorded"})
"""The functions that a file may call by name. No others: a foreign file could name any function."""

_numbers = itertools.count(1)


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
        return game_of(function(**recording.arguments))
    if recording.function in OWN_FUNCTIONS:
        module, _, name = recording.function.partition(":")
        return game_of(getattr(import_module(module), name)(**recording.arguments))
    if recording.missing:
        made_by = f"it was made by {recording.function}"
        hint = made_by if recording.function else "pass --game module:function, or its function to replay()"
        raise ValueError(
            f"{recording.path} needs its game: {hint}; it has classes that ecsphys does not have:"
            f" {', '.join(sorted(set(recording.missing)))}"
        )
    try:
        return build(recording.world, recording.settings)
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f"{recording.path} is malformed: {error!r}") from None


class _Replay:
    """A replay that is running."""

    def __init__(self, recording: Recording, game: Game, has_own_settings: bool) -> None:
        self._recording = recording
        self._game = game
        self._has_own_settings = has_own_settings or recording.function in OWN_FUNCTIONS
        self._recorded = NO_FINGERPRINT
        self._count, self._seconds = 0, 0.0

    def run(self) -> Difference | None:
        for step in self._recording.steps():
            if step.fingerprints is not None:
                self._recorded = changed(self._recorded, step.fingerprints)
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
            put_settings(game.physics, step.settings)
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
            for entities, numbers in (Fingerprints().take(), self._recorded)
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
    """The versions of the recording that differ here, in words."""
    here = versions()
    return [f"{name} {was} then, {here[name]} now" for name, was in recording.versions.items() if here[name] != was]
