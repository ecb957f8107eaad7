"""The demo's scenes: what a frame costs Python, stepping and drawing, while OpenGL is asked to draw nothing."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from ecsphys.demo.display import open_picture
from ecsphys.demo.player import Player
from ecsphys.demo.scenes import GAME, SCENES

_SEED = 1
_WARM_UP_FRAMES = 60

# The game plays itself: this far it has met foes of several kinds, and its first fight.
_GAME_WARM_UP_FRAMES = 240

_DRAWING_CALLS = ("glDrawArrays", "glDrawElements")


@dataclass(frozen=True)
class DrawingOutcome:
    """Medians in ms of processor time of a scene's frames: the step, the drawing, and their sum."""

    scene: str
    frames: int
    step: float
    drawing: float
    frame: float


def measure_drawing(
    scenes: Sequence[str] = tuple(SCENES), frames: int = 300, tell: Callable[[str], None] = lambda _: None
) -> list[DrawingOutcome]:
    """Play scenes in an off-screen picture and draw every frame; NoOpenGLError where there is none."""
    window = open_picture(headless=True)
    try:
        found = []
        with _nothing_drawn():
            for scene in scenes:
                tell(f"{scene}: drawing")
                found.append(_measure(Player(window, _SEED, autoplay=scene == GAME), scene, frames))
        return found
    finally:
        window.close()


@contextmanager
def _nothing_drawn() -> Iterator[None]:
    """Vertices are written and uploaded as always, but never drawn."""
    from pyglet.graphics import vertexdomain

    def draw_nothing(*arguments: Any) -> None:
        pass

    with ExitStack() as patches:
        for name in _DRAWING_CALLS:
            patches.enter_context(patch.object(vertexdomain, name, draw_nothing))
        yield


def _measure(player: Player, scene: str, frames: int) -> DrawingOutcome:
    player.open(scene)
    for _ in range(_GAME_WARM_UP_FRAMES if scene == GAME else _WARM_UP_FRAMES):
        player.step()
    player.draw()
    steps, drawings, sums = [], [], []
    gc.collect()
    gc.disable()
    try:
        for _ in range(frames):
            start = time.thread_time()
            player.step()
            between = time.thread_time()
            player.draw()
            end = time.thread_time()
            steps.append(1e3 * (between - start))
            drawings.append(1e3 * (end - between))
            sums.append(1e3 * (end - start))
    finally:
        gc.enable()
        player.live.close()
    return DrawingOutcome(scene, frames, statistics.median(steps), statistics.median(drawings), statistics.median(sums))
