"""The demo's window with its keys, under a virtual X server."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from picture import assert_shows_something, read_png, skip_without

# Plays the user: one key after another, ten frames apart; the process must end by itself.
USER = """
import sys
from ecsphys.demo import window as demo_window
from ecsphys.demo.__main__ import main
from pyglet.window import key

pressed = []
plan = {plan}

class Watched(demo_window.Session):
    def _tick(self, dt):
        super()._tick(dt)
        if self._drawn % 10 == 0 and plan:
            name = plan.pop(0)
            player = self._player
            if name == "close":
                self._window.dispatch_event("on_close")
            elif name == "resize":
                self._window.dispatch_event("on_resize", *self._window.get_size())
            elif name == "interrupt":
                raise KeyboardInterrupt
            else:
                self._window.dispatch_event("on_key_press", getattr(key, name), 0)
            print(name, player.live.scene.name, player.live.frame, player.paused, player.debug)

demo_window.Session = Watched
sys.exit(main(["--scene", "motion"]))
"""


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """The user's display, or a virtual one."""
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        server = shutil.which("Xvfb")
        skip_without(None if server else "there is no display, and no Xvfb to make one")
        assert server is not None
        reading, writing = os.pipe()
        command = [server, "-displayfd", str(writing), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
        process = subprocess.Popen(command, pass_fds=(writing,), stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        yield f":{number}"
        process.terminate()
        process.wait()
    else:
        yield os.environ.get("DISPLAY", "")


def demo(display: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "DISPLAY": display},
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    missing = next(
        (line for line in done.stderr.splitlines() if "running headless" in line or "no OpenGL" in line), None
    )
    skip_without(missing)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def play(display: str, *plan: str) -> tuple[list[list[str]], subprocess.CompletedProcess[str]]:
    done = demo(display, "-c", USER.format(plan=list(plan)))
    rows = [line.split() for line in done.stdout.splitlines()]
    return [row for row in rows if row[0] in plan], done


def test_the_window_shows_the_scene_and_ends_after_its_frames(display: str, tmp_path: Path) -> None:
    path = tmp_path / "window.png"
    done = demo(display, "-m", "ecsphys.demo", "--frames", "30", "--screenshot", str(path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("scene           shapes")
    assert_shows_something(read_png(path))


def test_the_keys_do_what_the_help_line_says(display: str) -> None:
    rows, done = play(display, "SPACE", "S", "SPACE", "D", "D", "TAB", "R", "resize", "ESCAPE")
    assert done.returncode == 0, done.stderr
    said = {(index, row[0]): row[1:] for index, row in enumerate(rows)}
    assert said[0, "SPACE"][2] == "True"
    frame = int(said[0, "SPACE"][1])
    assert said[1, "S"] == ["motion", str(frame + 1), "True", "False"]
    assert said[2, "SPACE"][1:3] == [str(frame + 1), "False"]
    assert said[3, "D"][3] == "True"
    assert said[4, "D"][3] == "False"
    assert int(said[4, "D"][1]) > frame + 1
    assert said[5, "TAB"][0] == "swarm"
    assert said[6, "R"][:2] == ["swarm", "0"]
    assert rows[-1][0] == "ESCAPE"
    assert "scene           swarm" in done.stdout


@pytest.mark.parametrize("end", ["ESCAPE", "close", "interrupt"])
def test_every_way_to_quit_is_clean(display: str, end: str) -> None:
    _, done = play(display, end)
    assert done.returncode == 0, done.stderr
    assert "scene           motion" in done.stdout
    assert [line for line in done.stderr.splitlines() if "compiling" not in line] == []
