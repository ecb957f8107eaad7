"""The demo's window with its keys, under a virtual X server."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fresh_python import Done, python
from picture import assert_shows_something, read_png, skip_without

from ecsphys.demo.scenes import MENU, SCENES

# Plays the user: one key or click after another, three frames apart; the process must end by itself.
USER = """
import sys
from ecsphys.demo import window as demo_window
from ecsphys.demo.__main__ import main
from pyglet.window import key, mouse

plan = {plan}

class Watched(demo_window.Session):
    def _tick(self, dt):
        super()._tick(dt)
        if self._drawn % 3 == 0 and plan:
            name = plan.pop(0)
            player, window = self.player, self._window
            if name == "close":
                window.dispatch_event("on_close")
            elif name == "resize":
                window.dispatch_event("on_resize", *window.get_size())
            elif name == "interrupt":
                raise KeyboardInterrupt
            elif name == "unfocus":
                window.dispatch_event("on_activate")
                window.dispatch_event("on_deactivate")
            elif name == "shift-tab":
                window.dispatch_event("on_key_press", {left_tab}, key.MOD_SHIFT)
            elif name == "alt-enter":
                window.dispatch_event("on_key_press", key.ENTER, key.MOD_ALT)
            elif name.startswith("card"):
                left, bottom, right, top = player.menu.cards[int(name[4:])]
                place = round(0.5 * (left + right)), round(0.5 * (bottom + top))
                window.dispatch_event("on_mouse_motion", *place, 1, 1)
                print("hover", player.menu.scene)
                window.dispatch_event("on_mouse_press", *place, mouse.LEFT, 0)
            elif name.startswith("tab"):
                left, bottom, right, top = player.menu.tabs[int(name[3:])]
                place = round(0.5 * (left + right)), round(0.5 * (bottom + top))
                window.dispatch_event("on_mouse_press", *place, mouse.LEFT, 0)
            elif name.startswith("-"):
                window.dispatch_event("on_key_release", getattr(key, name[1:]), 0)
            else:
                window.dispatch_event("on_key_press", getattr(key, name), 0)
                if name != "D":
                    window.dispatch_event("on_key_release", getattr(key, name), 0)
            if player.menu is not None:
                print(name, "menu", player.menu.scene, player.menu.columns)
            else:
                live = player.live
                steering = live.layout.steering
                print(name, live.scene.name, live.frame, player.paused, player.layers.boxes,
                      f"{{steering.x:g}}" if steering else "-", window.get_size()[0])

demo_window.Session = Watched
sys.exit(main({arguments}))
"""


@contextmanager
def virtual_display(depth: int) -> Iterator[str]:
    """An X server of its own with so many bits a pixel."""
    server = shutil.which("Xvfb")
    skip_without(None if server else "there is no display, and no Xvfb to make one")
    assert server is not None
    reading, writing = os.pipe()
    command = [server, "-displayfd", str(writing), "-screen", "0", f"1600x1000x{depth}", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=(writing,), stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        number = pipe.readline().strip()
    try:
        yield f":{number}"
    finally:
        process.terminate()
        process.wait()


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """The user's display, or a virtual one."""
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        with virtual_display(24) as name:
            yield name
    else:
        yield os.environ.get("DISPLAY", "")


def demo(display: str, *arguments: str) -> Done:
    done = python(*arguments, env={**os.environ, "DISPLAY": display})
    missing = next(
        (line for line in done.stderr.splitlines() if "running headless" in line or "OpenGL 3.3 is not" in line), None
    )
    skip_without(missing)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def play(display: str, *plan: str, scene: str | None = "motion") -> tuple[list[list[str]], Done]:
    arguments = [] if scene is None else ["--scene", scene]
    done = demo(display, "-c", USER.format(plan=list(plan), arguments=arguments, left_tab=0xFE20))
    rows = [line.split() for line in done.stdout.splitlines()]
    return [row for row in rows if row[0] in (*plan, "hover")], done


def test_the_window_shows_the_menu_and_ends_after_its_frames(display: str, tmp_path: Path) -> None:
    path = tmp_path / "window.png"
    done = demo(display, "-m", "ecsphys.demo", "--scene", MENU, "--frames", "5", "--screenshot", str(path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["scene", MENU]
    assert_shows_something(read_png(path))


def test_the_window_shows_a_scene(display: str, tmp_path: Path) -> None:
    path = tmp_path / "window.png"
    done = demo(display, "-m", "ecsphys.demo", "--scene", "shapes", "--frames", "4", "--screenshot", str(path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("scene           shapes")
    assert done.stdout.splitlines()[1].split() == ["frames", "4"]
    assert_shows_something(read_png(path))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only an X server can be given any depth")
def test_the_window_opens_on_a_screen_with_sixteen_bits_a_pixel(tmp_path: Path) -> None:
    path = tmp_path / "window.png"
    with virtual_display(16) as name:
        done = demo(name, "-m", "ecsphys.demo", "--scene", "shapes", "--frames", "4", "--screenshot", str(path))
    assert done.returncode == 0, done.stderr
    assert_shows_something(read_png(path))


def test_the_keys_do_what_the_help_line_says(display: str) -> None:
    rows, done = play(display, "SPACE", "N", "SPACE", "B", "B", "TAB", "R", "resize", "ESCAPE", "ESCAPE")
    assert done.returncode == 0, done.stderr
    said = {(index, row[0]): row[1:] for index, row in enumerate(rows)}
    assert said[0, "SPACE"][2] == "True"
    frame = int(said[0, "SPACE"][1])
    assert said[1, "N"][:4] == ["motion", str(frame + 1), "True", "False"]
    assert said[2, "SPACE"][1:3] == [str(frame + 1), "False"]
    assert said[3, "B"][3] == "True"
    assert said[4, "B"][3] == "False"
    assert int(said[4, "B"][1]) > frame + 1
    following = list(SCENES)[list(SCENES).index("motion") + 1]
    assert said[5, "TAB"][0] == following
    assert said[6, "R"][:2] == [following, "0"]
    assert said[8, "ESCAPE"][:2] == ["menu", following]
    assert rows[-1][0] == "ESCAPE"
    assert done.stdout.splitlines()[-1].split() == ["scene", "menu"]


def test_the_ends_of_every_page_are_reached_with_the_mouse_and_the_first_two_scenes_with_the_keys(display: str) -> None:
    names = list(SCENES)
    keys = ["ENTER", "ESCAPE", "RIGHT", "ENTER", "ESCAPE", "LEFT", "DOWN", "UP", "UP"]
    pages: dict[str, list[str]] = {}
    for name, scene in SCENES.items():
        pages.setdefault(scene.group, []).append(name)
    clicks = []
    for page, shown in enumerate(pages.values()):
        clicks += [f"tab{page}", "card0", "ESCAPE", f"card{len(shown) - 1}", "ESCAPE"]
    ends = [shown[end] for shown in pages.values() for end in (0, -1)]
    rows, done = play(display, *keys, *clicks, "ESCAPE", scene="menu")
    assert done.returncode == 0, done.stderr
    assert [row[1] for row in rows[:5]] == [names[0], "menu", "menu", names[1], "menu"]
    columns = int(rows[5][3])
    assert [row[2] for row in rows[5:9]] == [names[0], names[columns], names[0], names[0]]
    assert [row[1] for row in rows if row[0] == "hover"] == ends
    assert [row[1] for row in rows if row[0].startswith("card")] == ends


def test_a_window_that_loses_the_focus_pauses_and_lets_go_of_all_keys(display: str) -> None:
    rows, done = play(display, "D", "unfocus", "N", "SPACE", "close", scene="control")
    assert done.returncode == 0, done.stderr
    said = {row[0]: row[1:] for row in rows}
    assert (said["D"][2], said["D"][4]) == ("False", "1")
    assert (said["unfocus"][2], said["unfocus"][4]) == ("True", "0")
    assert int(said["N"][1]) == int(said["unfocus"][1]) + 1
    assert said["SPACE"][2] == "False"


def test_full_screen_and_back_and_the_scene_before(display: str) -> None:
    rows, done = play(display, "F11", "SPACE", "alt-enter", "SPACE", "shift-tab", "close")
    assert done.returncode == 0, done.stderr
    widths = [int(row[6]) for row in rows]
    assert widths[0] == widths[1] > 1280
    assert widths[2:] == [1280] * 4
    assert rows[4][1] == list(SCENES)[list(SCENES).index("motion") - 1]


@pytest.mark.parametrize("end", ["close", "interrupt"])
def test_every_way_to_quit_is_clean(display: str, end: str) -> None:
    _, done = play(display, end)
    assert done.returncode == 0, done.stderr
    assert "scene           motion" in done.stdout
    assert done.stderr == ""
