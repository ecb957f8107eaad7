"""Plays the examples without a window: for their test, and for the manual's pictures of them.

``python tests/examples/gallery.py docs/pictures`` makes the pictures again, ``… docs/pictures arcade`` that of arcade,
for which ``ARCADE_HEADLESS=True`` has to be set, ``… docs/pictures matplotlib`` that of the page on debug drawing.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Sequence
from functools import partialmethod
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import esper
import numpy as np
from numpy import uint8
from numpy.typing import NDArray

import ecsphys

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def load(name: str) -> Any:
    """The module of an example, executed anew."""
    spec = spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def send(game: Any, event: str, *arguments: Any) -> None:
    """An event, as from the window's own queue."""
    game.dispatch_event(event, *arguments)
    game.dispatch_events()


def run(game: Any, steps: int) -> None:
    for _ in range(steps):
        game.update(1 / 60)


def hold(game: Any, keys: Sequence[int], step: Callable[[], None], frames: int) -> None:
    """Hold keys for some frames."""
    for key in keys:
        send(game, "on_key_press", key, 0)
    for _ in range(frames):
        step()
    for key in keys:
        send(game, "on_key_release", key, 0)


def play_first_window() -> Any:
    program = load("first_window")
    for k in range(12):
        program.on_mouse_press(60 + 53 * k, 560 - 90 * (k % 3), 1, 0)
        run(program, 14)
    window = program.window
    return SimpleNamespace(on_draw=program.on_draw, switch_to=window.switch_to, close=window.close)


def play_balls() -> Any:
    game = load("balls").Balls()
    for aim in (430, 500, 540, 480):
        send(game, "on_mouse_press", 600, aim, 1, 0)
        run(game, 22)
    return game


def play_ragdoll() -> Any:
    game = load("ragdoll").Ragdolls()
    for x, y in ((500, 470), (300, 500), (400, 300), (700, 480)):
        send(game, "on_mouse_press", x, y, 1, 0)
        run(game, 48)
    return game


def play_platformer() -> Any:
    from pyglet.window import key

    game = load("platformer").Platformer()
    for keys, frames in (([], 10), ([key.RIGHT], 6), ([key.RIGHT, key.SPACE], 18), ([], 40)):
        hold(game, keys, lambda: esper.process(1 / 60), frames)
    return game


def play_shooter() -> Any:
    from pyglet.window import mouse

    example = load("shooter")
    game = example.Shooter()
    send(game, "on_mouse_press", 40, 270, mouse.LEFT, 0)
    for _ in range(170):
        foes = [place for _, (place, _) in esper.get_components(ecsphys.Transform, example.Foe)]
        if foes:
            near = min(foes, key=lambda foe: math.hypot(foe.x - game.place.x, foe.y - game.place.y))
            send(game, "on_mouse_drag", round(near.x), round(near.y), 0, 0, mouse.LEFT, 0)
        game.update(1 / 60)
    return game


def play_lamp() -> Any:
    game = load("lamp").Lamp()
    for n in range(20):
        turn = math.tau * n / 20
        send(game, "on_mouse_motion", round(400 + 60 * math.sin(turn)), round(285 + 60 * math.cos(turn)), 0, 0)
        game.update(1 / 60)
    return game


def play_swarm() -> Any:
    from pyglet.window import mouse

    game = load("swarm").Swarm()
    run(game, 20)
    send(game, "on_mouse_motion", 560, 250, 0, 0)
    send(game, "on_mouse_press", 560, 250, mouse.LEFT, 0)
    run(game, 40)
    return game


def play_tiles() -> Any:
    from pyglet.window import key

    game = load("tiles").Tiles()
    for keys, frames in (([], 10), ([key.RIGHT], 60), ([key.RIGHT, key.SPACE], 100)):
        hold(game, keys, lambda: game.update(1 / 60), frames)
    return game


def play_pygame_ce() -> Any:
    game = load("with_pygame").Breakout()
    for frame in range(400):
        game.update(game.place.x + 30 * math.sin(frame), frame == 5)
    game.shows_debug = True
    # The ball has just touched a brick.
    while not len(game.physics.hits.started):
        game.update(game.place.x, False)
    return game


def play_arcade() -> Any:
    import arcade

    game = load("with_arcade").Tank()
    for _ in range(3):
        game.on_key_press(arcade.key.SPACE, 0)
        for _ in range(25):
            game.on_update(1 / 60)
    game.on_key_press(arcade.key.UP, 0)
    for _ in range(60):
        game.on_update(1 / 60)
    game.on_key_press(arcade.key.D, 0)
    return game


PLAYS: dict[str, Callable[[], Any]] = {
    name.removeprefix("play_").replace("_", "-"): play for name, play in globals().items() if name.startswith("play_")
}


def pixels_of(game: Any) -> NDArray[uint8]:
    """What a game draws: (height, width, 3), row 0 at the top."""
    if not hasattr(game, "switch_to"):
        import pygame

        surface = pygame.Surface((960, 540))
        game.draw(surface)
        return np.frombuffer(pygame.image.tobytes(surface, "RGB"), uint8).reshape(540, 960, 3)
    from pyglet import image

    game.switch_to()
    game.on_draw()
    screen: Any = image.get_buffer_manager().get_color_buffer()
    pixels = np.frombuffer(screen.get_image_data().get_data("RGBA", 4 * screen.width), uint8)
    return pixels.reshape(screen.height, screen.width, 4)[::-1, :, :3]


def use_full_colors() -> None:
    """An off-screen surface may otherwise come with five bits a channel; a window has what its screen has."""
    from pyglet import gl
    from pyglet.window import Window

    config = gl.Config(double_buffer=True, red_size=8, green_size=8, blue_size=8, alpha_size=8)  # type: ignore[abstract]
    Window.__init__ = partialmethod(Window.__init__, config=config)


def plot_debug_lines(path: Path) -> None:
    """Save what the code of the page on debug drawing shows with matplotlib."""
    from matplotlib.figure import Figure

    page = (EXAMPLES.parent / "docs" / "debug-drawing.md").read_text(encoding="utf-8")
    namespace: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        exec(block, namespace)
        if "plot" in namespace:
            break
    figure = Figure(figsize=(7.2, 4.8), layout="tight")
    axes = figure.add_subplot(aspect="equal")
    namespace["plot"](axes)
    figure.savefig(path, dpi=100)


def main(folder: str, *names: str) -> None:
    """Save the pictures of these examples, or of all that need no setting."""
    if names == ("matplotlib",):
        plot_debug_lines(Path(folder) / "debug-matplotlib.png")
        return
    from pyglet.extlibs import png as pyglet_png

    png: Any = pyglet_png

    if "arcade" not in names:
        from ecsphys.demo.display import open_picture

        open_picture(headless=True, width=16, height=16)
        use_full_colors()
    for name in names or [name for name in PLAYS if name != "arcade"]:
        esper.switch_world(name)
        pixels = pixels_of(PLAYS[name]())
        picture = "quickstart" if name == "first-window" else f"example-{name}"
        with (Path(folder) / f"{picture}.png").open("wb") as file:
            png.Writer(pixels.shape[1], pixels.shape[0], greyscale=False).write(file, pixels.reshape(len(pixels), -1))


if __name__ == "__main__":
    main(*sys.argv[1:])
