"""Films of scenes: scripts that play them, pictures that follow each other without a seam, and the command."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import esper
import numpy as np
import pytest
from numpy import uint8
from picture import color_count, missing_opengl, skip_without

from ecsphys import Transform
from ecsphys.demo import film_scripts, headless
from ecsphys.demo.__main__ import main
from ecsphys.demo.film_scripts import CARDS, FILMS, Script, drag
from ecsphys.demo.image_files import Film, resized
from ecsphys.demo.recorded_scene import SceneEvents
from ecsphys.demo.scenes import SCENES, open_scene
from ecsphys.demo.scenes.scene import STEP

SIZE = (96, 64)


@pytest.mark.parametrize("scripts", [CARDS, FILMS], ids=["cards", "films"])
def test_scripts_are_of_scenes_and_of_events_that_come_in_the_film(scripts: dict[str, Script]) -> None:
    assert set(scripts) <= set(SCENES)
    for name, script in scripts.items():
        events = SceneEvents(open_scene(name))
        for time, event, *values in script.cues:
            assert 0.0 <= time < script.start + script.seconds, name
            events.read_bytes(b"[]")
            assert callable(getattr(events, f"_{event}")), name
            assert all(isinstance(value, str) or math.isfinite(value) for value in values)
        events.live.close()


def test_a_drag_goes_along_its_places_at_one_speed() -> None:
    cues = drag(2.0, 3.0, (0.0, 0.0), (3.0, 0.0), (3.0, 1.0))
    assert [cue[1] for cue in cues[:2]] == ["move", "hold"]
    assert cues[-1] == (3.0, "let_go")
    moves = np.array([(time, x, y) for time, name, x, y in cues[2:-1]])
    assert len(moves) == round(1.0 / STEP)
    gone = np.abs(np.diff(moves[:, 1:], axis=0)).sum(axis=1)
    np.testing.assert_allclose(gone, 4.0 * STEP, atol=1e-9)


def test_the_film_of_the_yard_brings_down_the_pyramid_and_the_house() -> None:
    script = FILMS["yard"]
    events = SceneEvents(open_scene("yard"))
    layout = events.live.layout
    scores = {reading.name: reading for reading in layout.scores}
    assert layout.pace is not None
    cues = list(script.cues)
    paces = set()
    frame = 0
    while frame * STEP < script.start + script.seconds:
        while cues and round(cues[0][0] / STEP) <= frame:
            _, name, *values = cues.pop(0)
            events.send(name, *values)
        pace = layout.pace()
        paces.add(round(pace, 1))
        events.step(STEP * pace)
        frame += 1
    assert min(paces) < 0.5
    assert scores["balls"].get() == "2"
    assert int(scores["left to fall"].get()) < 50
    assert int(scores["points"].get().replace(",", "")) > 1000
    events.live.close()


def test_a_script_s_drag_throws_a_box_of_the_pyramid() -> None:
    events = SceneEvents(open_scene("pyramid"))
    live = events.live
    box = next(found.entity for found in live.physics.nearest((0.0, 0.5), k=4) if found.distance < 0.2)
    live.enter()
    place = esper.component_for_entity(box, Transform)
    start = place.x, place.y
    cues = list(drag(0.1, 0.6, start, (start[0], start[1] + 12.0)))
    for frame in range(60):
        while cues and round(cues[0][0] / STEP) <= frame:
            _, name, *values = cues.pop(0)
            events.send(name, *values)
        events.step(STEP)
    assert live.grip.held is None
    assert math.dist(start, (place.x, place.y)) > 0.3
    live.close()


def test_the_last_pictures_of_a_loop_fade_into_the_first_ones() -> None:
    skip_without(missing_opengl())
    from ecsphys.demo.film import looped

    pictures = [np.full((2, 2, 3), 10 * number, uint8) for number in range(12)]
    loop = [int(picture[0, 0, 0]) for picture in looped(pictures, 3)]
    assert len(loop) == 9
    assert loop[3:] == [30, 40, 50, 60, 70, 80]
    # A quarter new, a half new, three quarters new.
    assert loop[:3] == [round(0.75 * 90), round(0.5 * 100 + 0.5 * 10), round(0.25 * 110 + 0.75 * 20)]


def test_the_same_script_gives_the_same_pictures_and_another_others() -> None:
    skip_without(missing_opengl())
    from ecsphys.demo.film import Studio

    script = Script(0.2, 0.4, 0.1, 0.0, view=(-8.0, 0.0, 8.0, 10.0), cues=drag(0.1, 0.5, (0.0, 0.5), (3.0, 8.0)))
    studio = Studio(SIZE)
    try:
        scripts = script, script, replace(script, poster=0.2), replace(script, cues=())
        first, again, later, other = (np.stack(studio.film("pyramid", each, 10.0)) for each in scripts)
        whole = studio.still("pyramid", script)
        wide = studio.still("pyramid", replace(script, view=None))
        part = studio.still("pyramid", replace(script, crop=(0.25, 0.25, 0.75, 0.75)))
    finally:
        studio.close()
    assert first.shape == (4, 64, 96, 3)
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(later, np.roll(first, -2, axis=0))
    assert np.abs(first.astype(int) - other).max() > 60
    assert np.abs(whole.astype(int) - wide).mean() > 2.0
    # The middle of the picture, twice as large.
    small = resized(part, (48, 32), (0.0, 0.0, 96.0, 64.0)).astype(int)
    assert np.abs(small - whole[16:48, 24:72]).mean() < 6.0


def test_the_command_saves_a_film(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    skip_without(missing_opengl())
    monkeypatch.setattr(headless, "FILM_SIZE", (160, 90))
    monkeypatch.setattr(film_scripts, "OTHER_FILM", Script(0.2, 1.0, 0.2, 0.0))
    path = tmp_path / "film.webp"
    assert main(["--film", str(path), "--scene", "Every motion"]) == 0
    assert capsys.readouterr().out.split() == ["scene", "motion", "pictures", "15", "file", "0.02", "MB"]
    film = Film(path)
    assert (film.count, film.size) == (15, (160, 90))
    pictures = list(film)
    assert color_count(pictures[0]) > 100
    assert np.abs(pictures[0].astype(int) - pictures[7]).max() > 60


def test_a_film_is_as_good_as_three_megabytes_allow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skip_without(missing_opengl())
    monkeypatch.setattr(headless, "FILM_SIZE", (160, 90))
    monkeypatch.setattr(film_scripts, "OTHER_FILM", Script(0.2, 0.4, 0.2, 0.0))
    path = tmp_path / "film.webp"
    headless.film("collision", path)
    best = path.stat().st_size
    monkeypatch.setattr(headless, "_MOST_BYTES", round(0.8 * best))
    headless.film("collision", path)
    assert 0.3 * best < path.stat().st_size <= 0.8 * best


def test_without_pillow_the_command_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert main(["--film", str(tmp_path / "film.webp"), "--scene", "motion"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "pip install 'ecsphys[demo]'" in line


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_film_onto_a_full_disk_is_one_line_and_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    skip_without(missing_opengl())
    monkeypatch.setattr(headless, "FILM_SIZE", (160, 90))
    monkeypatch.setattr(film_scripts, "OTHER_FILM", Script(0.1, 0.2, 0.1, 0.0))
    path = tmp_path / "film.webp"
    path.symlink_to("/dev/full")
    assert main(["--film", str(path), "--scene", "motion"]) == 1
    assert "the film cannot be made" in capsys.readouterr().err.splitlines()[-1]
