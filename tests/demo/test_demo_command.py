"""``ecsphys-demo`` as a command: options, exit codes, and what it says where something is missing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import fresh_python
import pytest
from fresh_python import Done
from picture import assert_shows_something, missing_opengl, read_png, skip_without

from ecsphys.demo.__main__ import main
from ecsphys.demo.scenes import HEADLESS_SCENE, MENU, SCENES
from ecsphys.demo.scenes.find import find_scene

WITHOUT_EGL = (
    "import sys; sys.modules['pyglet.libs.egl'] = None; from ecsphys.demo.__main__ import main; sys.exit(main({}))"
)

# The signal comes in a frame.
INTERRUPTED = """
import os, signal, sys, threading
from ecsphys.demo.__main__ import main
from ecsphys.demo.player import Player
step = Player.step
def interrupted_step(player):
    step(player)
    if player.live.frame == 20:
        os.kill(os.getpid(), signal.SIGINT)
Player.step = interrupted_step
sys.modules["pyglet.libs.egl"] = None
code = main(["--headless", "--frames", "1000000000"])
assert threading.active_count() == 1, threading.enumerate()
sys.exit(code)
"""


def python(*arguments: str, **environment: str) -> Done:
    settings = {name: value for name, value in os.environ.items() if name != "DISPLAY"} | environment
    return fresh_python.python(*arguments, env=settings)


def fields(summary: str) -> dict[str, str]:
    return {line[:16].strip(): line[16:] for line in summary.splitlines()}


def test_list_names_every_scene_with_what_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(SCENES)
    assert all(len(line) > 30 for line in lines)


def test_an_unknown_scene_is_one_line_that_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--scene", "nonsense"])
    assert ended.value.code == 2
    captured = capsys.readouterr()
    (line,) = captured.err.splitlines()
    assert captured.out == ""
    assert "'nonsense'" in line
    assert "Did you mean" not in line
    assert all(name in line for name in SCENES)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("pyramid", "pyramid"),
        ("Pyramid", "pyramid"),
        ("a PYRAMID", "pyramid"),
        ("breaking bridge", "breaking"),
        ("Newtons cradle", "cradle"),
        ("newton's-cradle", "cradle"),
        ("5000 shapes", "stress"),
        ("Tidelight", "game"),
        ("piramid", None),
        ("", None),
    ],
)
def test_a_scene_is_found_by_its_name_or_title_in_any_case(text: str, name: str | None) -> None:
    assert find_scene(SCENES, text) == name


def test_every_scene_is_found_by_its_name_and_by_its_title() -> None:
    for name, scene in SCENES.items():
        assert find_scene(SCENES, name.upper()) == name
        assert find_scene(SCENES, scene.title) == name


@pytest.mark.parametrize(("text", "near"), [("piramid", "pyramid"), ("tumblr", "tumbler"), ("tide light", "game")])
def test_for_a_scene_that_is_misspelled_the_nearest_is_named(
    text: str, near: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--scene", text])
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"Did you mean {near}?" in line


@pytest.mark.parametrize(
    "arguments",
    [
        ["--frames", "-1"],
        ["--frames", "many"],
        ["--seed", "-3"],
        ["--screenshot", "picture.gif"],
        ["--screenshot", "/no/such/folder/picture.png"],
        ["--film", "film.gif"],
        ["--film", "/no/such/folder/film.webp"],
    ],
)
def test_a_bad_option_ends_with_code_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert arguments[0] in capsys.readouterr().err


def test_without_opengl_it_says_so_in_one_line_simulates_and_sums_up() -> None:
    done = python("-c", WITHOUT_EGL.format(["--headless", "--frames", "50", "--seed", "4"]))
    assert done.returncode == 0, done.stderr
    (line,) = (line for line in done.stderr.splitlines() if "compiling" not in line)
    assert "OpenGL 3.3 is not available" in line
    summary = fields(done.stdout)
    assert summary["scene"] == HEADLESS_SCENE
    assert summary["frames"] == "50"
    assert re.fullmatch(r"\d+\.\d\d ms median, \d+\.\d\d ms 95th percentile", summary["simulate"])
    assert summary["draw"] == "not drawn"
    for count in ("entities", "colliders", "candidate pairs", "hits", "starts", "ends"):
        assert int(summary[count]) >= 0
    assert int(summary["starts"]) - int(summary["ends"]) == int(summary["hits"])


def test_a_headless_run_ends_after_600_frames_by_itself() -> None:
    done = python("-c", WITHOUT_EGL.format(["--headless", "--scene", "motion"]))
    assert fields(done.stdout)["frames"] == "600"


def test_a_screenshot_that_cannot_be_made_is_an_error_but_the_summary_comes(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    done = python("-c", WITHOUT_EGL.format(["--headless", "--frames", "1", "--screenshot", str(picture)]))
    assert done.returncode == 1
    assert "scene" in done.stdout
    assert not picture.exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_screenshot_onto_a_full_disk_is_one_line_and_an_error_but_the_summary_comes(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    picture.symlink_to("/dev/full")
    skip_without(missing_opengl())
    done = python(
        "-m", "ecsphys.demo", "--headless", "--frames", "1", "--scene", "shapes", "--screenshot", str(picture)
    )
    assert done.returncode == 1
    assert fields(done.stdout)["frames"] == "1"
    assert len([line for line in done.stderr.splitlines() if "screenshot cannot be saved" in line]) == 1
    assert "Traceback" not in done.stderr


# pyglet finds no font library.
WITHOUT_FONTS = """
import sys
sys.modules["pyglet.font.freetype"] = None
from ecsphys.demo.__main__ import main
codes = [main(["--headless", "--frames", "2", "--scene", name, "--screenshot", {path!r}]) for name in {names}]
sys.exit(max(codes))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the system brings the fonts")
def test_without_a_font_library_pictures_come_without_text_and_it_is_said_once(tmp_path: Path) -> None:
    skip_without(missing_opengl())
    path = tmp_path / "picture.png"
    names = [MENU, "motion", "game", "playground"]
    done = python("-c", WITHOUT_FONTS.format(path=str(path), names=names))
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("pictures have no text") == 1
    assert [line.split()[1] for line in done.stdout.splitlines() if line.startswith("scene ")][1:] == names[1:]
    assert_shows_something(read_png(path))


def test_the_menu_without_a_picture_is_said_to_be_replaced() -> None:
    done = python("-c", WITHOUT_EGL.format(["--headless", "--scene", MENU, "--frames", "1"]))
    assert done.returncode == 0, done.stderr
    assert f"playing {HEADLESS_SCENE}" in done.stderr
    assert fields(done.stdout)["scene"] == HEADLESS_SCENE


@pytest.mark.parametrize("buffered", ["", "1"])
def test_a_reader_that_goes_away_is_no_error(buffered: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "ecsphys.demo", "--list"],
        env={**os.environ, "PYTHONUNBUFFERED": buffered},
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_output_onto_a_full_disk_is_one_line_and_an_error() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ecsphys.demo", "--list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "output cannot be written" in line


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only X11 can be asked for a display beforehand")
@pytest.mark.parametrize("display", ["", ":4242"])
def test_without_a_display_it_says_so_in_one_line_and_runs_headless(display: str) -> None:
    done = python("-c", WITHOUT_EGL.format(["--frames", "2"]), **({"DISPLAY": display} if display else {}))
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stderr.splitlines() if "running headless" in line]
    assert len(lines) == 1
    assert "display" in lines[0] or "X11" in lines[0]
    assert fields(done.stdout)["frames"] == "2"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to a process of its own")
def test_an_interrupt_ends_a_headless_run_with_its_summary() -> None:
    done = python("-c", INTERRUPTED)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert fields(done.stdout)["frames"] == "20"


def test_the_module_is_the_command_and_needs_no_pyglet_to_list() -> None:
    done = python("-m", "ecsphys.demo", "--list")
    assert done.returncode == 0
    assert done.stdout.startswith(next(iter(SCENES)))


def test_without_pyglet_it_says_so_in_one_line_and_simulates() -> None:
    code = WITHOUT_EGL.replace("pyglet.libs.egl", "pyglet").format(["--headless", "--frames", "3", "--scene", "shapes"])
    done = python("-c", code)
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stderr.splitlines() if not line.startswith("ecsphys: compiling")]
    assert len(said) == 1
    assert "pyglet" in said[0]
    assert fields(done.stdout)["frames"] == "3"


def test_a_screenshot_into_a_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "picture.png").mkdir()
    with pytest.raises(SystemExit) as ended:
        main(["--headless", "--frames", "1", "--screenshot", str(tmp_path / "picture.png")])
    assert ended.value.code == 2
    assert "folder" in capsys.readouterr().err
