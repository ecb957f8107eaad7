"""Films a scene off screen: a script plays it, and its pictures come without text, as often as a film wants them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy import float64, uint8

from ecsphys.demo.display import read_screen
from ecsphys.demo.film_scripts import Script
from ecsphys.demo.highlights import Highlights
from ecsphys.demo.image_files import Pixels
from ecsphys.demo.recorded_scene import SceneEvents
from ecsphys.demo.renderer import Renderer
from ecsphys.demo.scenes import GAME, open_scene
from ecsphys.demo.scenes.camera import Camera
from ecsphys.demo.scenes.scene import STEP

FINER = 2
"""How many pixels are drawn, along a side, for each one that is kept."""
_LIFT = 0.8
"""Dark scenes are brighter in a small picture: the exponent of their colors, from 0 to 1."""


class Take:
    """A scene that a script plays, in the current window, which has FINER × as many pixels as the pictures.

    Nothing depends on the clock: the same take gives the same pictures.
    """

    def __init__(self, scene: str, script: Script, size: tuple[int, int], seed: int = 0) -> None:
        live = open_scene(scene, seed, autoplay=True)
        self.events = SceneEvents(live)
        self.frame = 0
        """Steps of the clock so far, 60 a second; in slow motion the world gets less far in each."""
        self._script = script
        self._cues = sorted(script.cues, key=lambda cue: cue[0])
        self._size = (FINER * size[0], FINER * size[1])
        self._highlights = Highlights(by_impact=live.layout.look is not None)
        self._renderer = Renderer()
        self._picture = live.open_picture() if scene == GAME else None
        self.events.send("resize", *self._size)

    def step(self) -> None:
        """Do what the script says for now, then advance the scene."""
        while self._cues and round(self._cues[0][0] / STEP) <= self.frame:
            _, name, *values = self._cues.pop(0)
            self.events.send(name, *values)
        layout = self.events.live.layout
        self.events.step(STEP if layout.pace is None else STEP * layout.pace())
        self._highlights.observe(self.events.live.physics, STEP)
        self.frame += 1

    def picture(self) -> Pixels:
        """What the scene looks like now."""
        live, size = self.events.live, self._size
        layout = live.layout
        live.enter()
        if self._picture is not None:
            self._picture.draw(size)
        else:
            shown = self._script.view or (layout.arena if layout.follow is None else layout.follow())
            self._renderer.draw(live, self._highlights, Camera.fit(shown, 0, 0, *size), size)
        fine = read_screen(size).astype(float64)
        width, height = size[0] // FINER, size[1] // FINER
        mean = fine.reshape(height, FINER, width, FINER, 3).mean(axis=(1, 3)) / 255.0
        is_dark = self._picture is None and layout.backdrop is None
        return np.round(255.0 * mean ** (_LIFT if is_dark else 1.0)).astype(uint8)

    def close(self) -> None:
        """Delete the scene's world."""
        self.events.live.close()


def still(scene: str, script: Script, size: tuple[int, int]) -> Pixels:
    """The picture at the script's start."""
    take = Take(scene, script, size)
    while take.frame * STEP < script.start:
        take.step()
    picture = take.picture()
    take.close()
    return picture


def film(scene: str, script: Script, size: tuple[int, int], rate: float, seed: int = 0) -> list[Pixels]:
    """``rate`` pictures a second, from the script's start to its end. The end fades into the start."""
    return looped(list(_shoot(scene, script, size, rate, seed)), round(script.fade * rate))


def _shoot(scene: str, script: Script, size: tuple[int, int], rate: float, seed: int) -> Iterator[Pixels]:
    """All pictures of a film, and as many more as fade."""
    take = Take(scene, script, size, seed)
    count = round(script.seconds * rate) + round(script.fade * rate)
    for number in range(count):
        while take.frame * STEP < script.start + number / rate - 0.5 * STEP:
            take.step()
        yield take.picture()
    take.close()


def looped(pictures: list[Pixels], fade: int) -> list[Pixels]:
    """A film without a seam: its last ``fade`` pictures go, and are mixed into the first ones, less and less."""
    count = len(pictures) - fade
    loop = pictures[:count]
    for number in range(fade):
        new = (number + 1) / (fade + 1)
        mixed = (1.0 - new) * pictures[count + number] + new * pictures[number]
        loop[number] = np.round(mixed).astype(uint8)
    return loop
