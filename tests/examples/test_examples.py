"""Each example runs, does what it shows, and draws a picture that is not blank."""

from __future__ import annotations

import asyncio
import cmath
import json
import math
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import esper
import numpy as np
import pytest
from fresh_python import start_python
from gallery import EXAMPLES, PLAYS, load, pixels_of
from picture import off_screen

from ecsphys import RevoluteJoint, RigidBody, Transform


@pytest.fixture(scope="module")
def headless() -> Iterator[None]:
    """pyglet opens no window on the screen from now on."""
    with off_screen(16, 16):
        yield


def play(name: str) -> Any:
    """Play an example; its picture has several colours in each of its halves."""
    game = PLAYS[name]()
    pixels = pixels_of(game)
    for half in (pixels[::7, :400:7], pixels[::7, 560::7]):
        assert len(np.unique(half.reshape(-1, 3), axis=0)) > 1
    if hasattr(game, "close"):
        game.close()
    return game


def in_world(place: Transform, x: float, y: float) -> complex:
    return complex(place.x, place.y) + complex(x, y) * cmath.rect(1, place.angle)


@pytest.mark.usefixtures("headless")
def test_the_first_window_drops_a_ball_at_each_click() -> None:
    play("first-window")
    balls = [place for _, (place, _) in esper.get_components(Transform, RigidBody)]
    assert len(balls) == 13
    assert all(0 < ball.x < 800 and 40 < ball.y < 600 for ball in balls)


@pytest.mark.usefixtures("headless")
def test_balls_knock_the_tower_over() -> None:
    game = play("balls")
    assert game.thrown == 4
    boxes = [place for _, (place, body) in esper.get_components(Transform, RigidBody) if body.mass == 1]
    assert len(boxes) == 27
    assert sum(abs(place.angle) > 0.5 for place in boxes) > 5


@pytest.mark.usefixtures("headless")
def test_ragdolls_tumble_down_the_stairs_and_keep_their_limbs() -> None:
    game = play("ragdoll")
    assert game.physics.debug.check() == []
    for _ in range(300):
        game.update(1 / 60)
    joints = [joint for _, joint in esper.get_component(RevoluteJoint)]
    assert len(joints) == 4 * 9
    for joint in joints:
        a, b = (esper.component_for_entity(body, Transform) for body in (joint.entity_a, joint.entity_b))
        assert joint.lower - 0.1 < b.angle - a.angle < joint.upper + 0.1
        assert abs(in_world(a, joint.x_a, joint.y_a) - in_world(b, joint.x_b, joint.y_b)) < 1
    assert all(place.y < 340 for place, _, _ in game.looks)  # below the landing
    assert sum(place.x > 180 for place, _, _ in game.looks) > 30


@pytest.mark.usefixtures("headless")
def test_the_hero_of_the_platformer_jumps_on_a_plank_and_finds_a_coin() -> None:
    game = play("platformer")
    assert game.coins == 1
    assert esper.component_for_entity(game.hero, Transform).y == pytest.approx(192 + 24, abs=0.1)


@pytest.mark.usefixtures("headless")
def test_shots_of_the_shooter_defeat_foes() -> None:
    game = play("shooter")
    assert game.kills > 0
    assert len(game.particles) > 0


@pytest.mark.usefixtures("headless")
def test_the_lamp_shines_on_some_gems_and_not_on_those_behind_walls() -> None:
    game = play("lamp")
    found = int(game.label.text.split()[2])
    assert 0 < found < 24
    assert (game.light.distance < 420).any()


@pytest.mark.usefixtures("headless")
def test_the_swarm_heats_up_where_the_mouse_draws_it_together() -> None:
    game = play("swarm")
    assert len(game.physics.hits) > 500


@pytest.mark.usefixtures("headless")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # pyglet does not close images
def test_the_hero_of_the_tiles_runs_jumps_and_collects() -> None:
    pytest.importorskip("pytmx")
    game = play("tiles")
    assert game.coins > 0
    assert game.camera.x > 480
    game.place.y = -500.0
    game.update(1 / 60)
    assert (game.place.x, game.place.y) == game.start


def test_the_ball_of_pygame_s_breakout_breaks_bricks_and_goes_through_none() -> None:
    pytest.importorskip("pygame")
    game = play("pygame-ce")
    bricks = esper.get_component(type(game).bounce.__globals__["Brick"])
    assert 0 < len(bricks) < 60
    assert math.hypot(game.velocity.x, game.velocity.y) == pytest.approx(620)


def test_the_debug_view_of_breakout_is_drawn_over_the_game() -> None:
    pytest.importorskip("pygame")
    game = PLAYS["pygame-ce"]()
    with_lines = pixels_of(game)
    game.shows_debug = False
    is_different = (pixels_of(game) != with_lines).any(axis=2)
    # A line along a row of bricks, and nothing in the middle of the picture.
    assert is_different[50:200].sum() > 1000
    assert not is_different[300:480, 300:700].any()


@pytest.mark.skipif("ARCADE_HEADLESS" not in os.environ, reason="arcade opens a window unless ARCADE_HEADLESS is set")
def test_the_tank_of_arcade_pushes_crates() -> None:
    pytest.importorskip("arcade")
    game = play("arcade")
    assert game.place.x > 200


async def talk(server: Any, port: int) -> list[dict[str, Any]]:
    """What a player of the server reads: first states, after it has steered to the right, and after a wrong line."""
    # It serves until it is stopped: the first step may have kernels to compile.
    running = asyncio.create_task(server.run(port))
    async with asyncio.timeout(60):
        while True:
            try:
                reader, writer = await asyncio.open_connection("localhost", port)
                break
            except ConnectionRefusedError:
                await asyncio.sleep(0.01)
        writer.write(b"right\n1 0\n")
        lines = [json.loads(await reader.readline()) for _ in range(8)]
        writer.close()
        while server.players:
            await asyncio.sleep(0.01)
    running.cancel()
    return lines


def test_a_player_of_the_server_steers_and_reads_the_state() -> None:
    server = load("server").Server()
    with socket.create_server(("localhost", 0)) as free:
        port = free.getsockname()[1]
    error, *states = asyncio.run(talk(server, port))
    assert "error" in error
    player = max(states[-1]["discs"], key=int)
    assert states[-1]["discs"][player][0] > states[0]["discs"][player][0]


def test_ctrl_c_ends_the_server_without_a_traceback() -> None:
    code = f"""if True:
        import builtins, os, runpy, signal, sys
        def say(text, say=print):
            say(text)
            if "serving" in text:
                os.kill(os.getpid(), signal.SIGINT)
        builtins.print = say
        sys.argv = ["server.py", "0"]
        runpy.run_path({str(EXAMPLES / "server.py")!r}, run_name="__main__")
    """
    done = start_python("-c", code)()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "bye"


def test_the_tests_of_a_game_pass_and_fail_if_its_hero_jumps_too_low(tmp_path: Path) -> None:
    tests = (EXAMPLES / "test_my_game.py").read_text(encoding="utf-8")
    too_low = tests.replace("JUMP_SPEED = 9.0", "JUMP_SPEED = 7.0")
    for text, chosen, summary in ((tests, "", "14 passed"), (too_low, "jump", "1 failed")):
        (tmp_path / "test_my_game.py").write_text(text, encoding="utf-8")
        done = start_python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", chosen, str(tmp_path))()
        assert summary in done.stdout, done.stdout + done.stderr


def test_two_peers_with_late_and_lost_inputs_end_with_the_same_world() -> None:
    peers = asyncio.run(load("rollback").match(frames=2_000))
    digests = []
    for peer in peers:
        esper.switch_world(peer.world)
        digests.append(peer.physics.digest())
    assert digests[0] == digests[1]
    assert all(peer.rolled_back > 200 for peer in peers)
    assert max(peer.farthest_back for peer in peers) >= 5
