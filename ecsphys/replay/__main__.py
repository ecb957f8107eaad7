"""``python -m ecsphys.replay FILE``: replay a recording, and name the first step and entity that differ."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import esper

from ecsphys.command import run_command
from ecsphys.replay.replaying import Recording, other_versions, replay


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay a file. Exit codes: 0 if it is the same, 1 for a difference, 2 for a bad call, 130 if interrupted."""
    parser = argparse.ArgumentParser("python -m ecsphys.replay", description="Replays a recording of ecsphys.")
    parser.add_argument("file", metavar="FILE", help="the file of a Recorder")
    parser.add_argument("--game", metavar="MODULE:FUNCTION", help="makes the game and returns its Game or Physics")
    options = parser.parse_args(arguments)
    return run_command(lambda: _replay(options.file, options.game), "ecsphys.replay: interrupted")


def _replay(path: str, target: str | None) -> int:
    try:
        recording = Recording(path)
        function = None if target is None else _function(target)
        print(
            f"{path}: {recording.step_count} steps, {recording.seconds:g} s, recorded with ecsphys"
            f" {recording.versions['ecsphys']}{'' if recording.is_whole else '; cut short'}",
            flush=True,
        )
        start = time.perf_counter()
        difference = replay(recording, function)
    except (ValueError, OSError, ImportError) as error:
        if getattr(error, "__notes__", None):
            raise  # from a step of the game
        print(f"ecsphys.replay: {error}", file=sys.stderr)
        return 2
    if difference is None:
        print(f"the same in every step; replayed in {time.perf_counter() - start:.2f} s")
        return 0
    print(difference)
    if difference.entity is not None and esper.entity_exists(difference.entity):
        print(f"entity {difference.entity} in the replay:")
        components: tuple[object, ...] = esper.components_for_entity(difference.entity)
        for component in components:
            print(f"    {component!r:.200}")
    for line in other_versions(recording):
        print(line)
    return 1


def _function(target: str) -> Callable[..., Any]:
    sys.path.insert(0, os.getcwd())
    module, _, name = target.partition(":")
    function = getattr(import_module(module), name, None) if module and name else None
    if not callable(function):
        raise ValueError(f"--game must name a function as module:function, got {target!r}")
    made: Callable[..., Any] = function
    return made


if __name__ == "__main__":
    sys.exit(main())
