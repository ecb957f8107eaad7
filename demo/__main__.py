"""``ecsphys-demo`` and ``python -m ecsphys.demo``: the options, and what to do where something is missing."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ecsphys.command import run_command
from ecsphys.demo import headless
from ecsphys.demo.display import NoOpenGLError, missing_display, open_picture
from ecsphys.demo.player import Player
from ecsphys.demo.scenes import DEFAULT, FILM_SCENE, GAME, HEADLESS_SCENE, MENU, SCENES
from ecsphys.demo.scenes.find import find_scene, nearest_scene


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo.

    The exit code: 0, 1 for no screenshot or no output, 2 for a wrong option, 130 for Ctrl-C before a scene runs.
    """
    return run_command(lambda: _run_quietly(arguments), "ecsphys-demo: interrupted")


class _LostOutputError(Exception):
    """What the command has to say cannot be written."""


def _run_quietly(arguments: Sequence[str] | None) -> int:
    try:
        try:
            return _run(_parse(arguments))
        except SystemExit:
            _say()
            raise
    except _LostOutputError as lost:
        # What is still to be written goes nowhere, or Python would complain at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        error = lost.__cause__
        if isinstance(error, BrokenPipeError):
            return 0  # the reader has enough, as in `ecsphys-demo --list | head -1`
        _note(f"the output cannot be written ({error})")
        return 1


def _say(*lines: str) -> None:
    """Write lines to stdout at once."""
    try:
        for line in lines:
            print(line)
        sys.stdout.flush()
    except OSError as error:
        raise _LostOutputError from error


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("ecsphys-demo", description="Scenes of ecsphys, 2D physics for esper.")
    parser.add_argument("--list", action="store_true", help="list the scenes and end")
    parser.add_argument("--scene", metavar="NAME", type=_scene, help=f"the scene to begin with (default {DEFAULT})")
    parser.add_argument("--headless", action="store_true", help="no window: play the frames, print a summary")
    parser.add_argument(
        "--frames", metavar="N", type=_count, help=f"end after N frames (headless {headless.FRAMES} unless given)"
    )
    parser.add_argument("--screenshot", metavar="FILE", type=_picture_path, help="save the last frame as a PNG file")
    parser.add_argument(
        "--film", metavar="FILE", type=_film_path, help="no window: save a film as a WebP file, and end"
    )
    parser.add_argument("--record", metavar="FILE", type=_file_path, help="record the first scene for ecsphys.replay")
    parser.add_argument("--seed", metavar="N", type=_count, default=0, help="seed of the random numbers (default 0)")
    parser.add_argument("--autoplay", action="store_true", help="the game plays itself; headless until it is over")
    try:
        return parser.parse_args(arguments)
    except _UnknownSceneError as error:
        parser.exit(2, f"ecsphys-demo: {error}\n")


class _UnknownSceneError(Exception):
    """No scene is called so."""


def _scene(text: str) -> str:
    """The name of the scene that is called so."""
    name = MENU if text.casefold() == MENU else find_scene(SCENES, text)
    if name is not None:
        return name
    near = nearest_scene(SCENES, text)
    hint = f" Did you mean {near}?" if near is not None else ""
    raise _UnknownSceneError(f"there is no scene {text!r}.{hint} The scenes are {', '.join(SCENES)}")


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return number


def _picture_path(text: str) -> str:
    path = Path(text)
    if path.suffix.lower() != ".png":
        raise argparse.ArgumentTypeError(f"{text!r} does not end in .png")
    return _file_path(text)


def _film_path(text: str) -> str:
    if Path(text).suffix.lower() != ".webp":
        raise argparse.ArgumentTypeError(f"{text!r} does not end in .webp")
    return _file_path(text)


def _file_path(text: str) -> str:
    path = Path(text)
    if path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is a folder")
    if not path.absolute().parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {str(path.parent)!r}")
    return text


def _run(options: argparse.Namespace) -> int:
    if options.list:
        _say(*(f"{scene.name:<11}{scene.summary}" for scene in SCENES.values()))
        return 0
    if options.film is not None:
        return _film(options)
    without_window = options.headless
    if not without_window and (missing := missing_display()):
        _note(f"{missing}; running headless")
        without_window = True
    player = _open_player(without_window, options)
    without_picture = player.window is None
    try:
        if without_window or player.window is None:
            usual = headless.AUTOPLAY_FRAMES if options.autoplay else headless.FRAMES
            frames = usual if options.frames is None else options.frames
            name = options.scene or HEADLESS_SCENE
            if name == MENU and player.window is None:
                name = HEADLESS_SCENE
                _note(f"the menu is nothing but a picture; playing {name}")
            _say(headless.run(player, name, frames, options.screenshot))
        else:
            from ecsphys.demo.window import Session

            session = Session(player, player.window, options.frames, options.screenshot)
            _say(session.run(options.scene or (GAME if options.autoplay else DEFAULT)))
    finally:
        player.close()
    has_lost_picture = options.screenshot is not None and (without_picture or player.has_lost_screenshot)
    return 1 if has_lost_picture or player.has_lost_recording else 0


def _film(options: argparse.Namespace) -> int:
    """Save a film; 1 if that cannot be done here."""
    scene = options.scene if options.scene not in (None, MENU) else FILM_SCENE
    try:
        _say(headless.film(scene, Path(options.film), options.seed))
    except (NoOpenGLError, ImportError, OSError) as error:
        _note(f"the film cannot be made ({error})")
        return 1
    return 0


def _open_player(without_window: bool, options: argparse.Namespace) -> Player:
    """A player with a picture, or, where there is no OpenGL, one that only simulates."""
    seed, autoplay, record_to = options.seed, options.autoplay, options.record
    try:
        return Player(open_picture(without_window), seed, without_window, autoplay, record_to)
    except NoOpenGLError as error:
        _note(f"{error}; simulating without a picture")
        return Player(None, seed, autoplay=autoplay, record_to=record_to)


def _note(text: str) -> None:
    print(f"ecsphys-demo: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
