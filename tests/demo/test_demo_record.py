"""``ecsphys-demo --record``: what keys, mouse and scripts do in a scene replays to the same bits."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from ecsphys.demo.__main__ import main
from ecsphys.demo.player import Player
from ecsphys.demo.recorded_scene import SceneEvents
from ecsphys.demo.scenes import open_scene
from ecsphys.replay import Recording, replay


def test_the_game_that_plays_itself_replays(tmp_path: Path) -> None:
    path = tmp_path / "game.replay"
    player = Player(None, 3, autoplay=True, record_to=str(path))
    player.open("game")
    for _ in range(130):  # the title, and the first steps of a game
        player.step()
    player.close()
    recording = Recording(path)
    assert (recording.step_count, recording.is_whole) == (130, True)
    assert recording.arguments == {"scene": "game", "seed": 3, "autoplay": True}
    assert replay(recording) is None


def test_what_keys_and_mouse_do_in_a_scene_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "control.replay"
    player = Player(None, 0, record_to=str(path))
    player.open("control")
    for frame in range(20):
        if frame == 4:
            player.events.send("steer", 1.0, 0.0)
        if frame == 8:
            player.change(1)
            player.events.send("move", 1.0, 1.0)
            player.events.send("hold", 1.0, 1.0, 0.3)
            player.events.send("press", "X")
        if frame == 12:
            player.let_go()
            player.events.send("release", "X")
            player.slow_down(1)
        player.step()
    player.open("motion")  # ends the recording
    player.step()
    player.close()
    assert Recording(path).step_count == 20
    assert replay(path) is None


def test_what_the_tools_do_to_bodies_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "pyramid.replay"
    player = Player(None, 0, record_to=str(path))
    player.open("pyramid")
    events: dict[int, tuple[Any, ...]] = {
        5: ("shoot", -12.0, 4.0, 45.0, 3.0, 0.5),
        20: ("hold", 3.0, 0.4, 0.3),
        22: ("move", -2.0, 6.0),
        40: ("let_go",),
        45: ("blast", 3.0, 3.0, 4.0),
        50: ("drop", 0.0, 14.0, 0.5),
        55: ("put", [parameter.name for parameter in player.live.layout.parameters].index("gravity"), -5.0),
    }
    for frame in range(80):
        if frame in events:
            player.events.send(*events[frame])
        if frame == 30:
            player.slow_down(1)
        player.step()
    player.close()
    assert replay(path) is None


def test_a_scene_refuses_events_that_it_has_not() -> None:
    events = SceneEvents(open_scene("motion"))
    with pytest.raises(ValueError, match="no event 'close'"):
        events.read_bytes(b'[["close"]]')
    events.live.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there is no device that is always full")
def test_a_recording_that_cannot_be_written_is_one_line_and_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--headless", "--scene", "motion", "--frames", "2", "--record", "/dev/full"]) == 1
    captured = capsys.readouterr()
    assert "frames          2" in captured.out
    assert captured.err.count("the recording cannot be written") == 1
