"""Films scenes off screen: a script plays one, and its pictures come without text, as often as the film wants them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy import uint8

from ecsphys.demo.display import open_picture, read_screen
from ecsphys.demo.film_scripts import Script
from ecsphys.demo.image_files import Pixels, resized
from ecsphys.demo.player import Player
from ecsphys.demo.scenes.scene import STEP, Layout

if TYPE_CHECKING:
    from ecsphys.demo.scenes.scene import Box

FINER = 2
"""How many pixels are drawn, along a side, for each one that is kept."""
_LIFT = 0.72
"""Dark scenes are brighter in a small picture: the exponent of their colors, from 0 to 1."""


class Studio:
    """Plays scenes by scripts, and draws them into pictures of one size. Close it in the end.

    Nothing depends on the clock on the wall: the same script gives the same pictures. NoOpenGLError if nothing can be
    drawn here.
    """

    def __init__(self, size: tuple[int, int], seed: int = 0) -> None:
        self.size = size
        self._fine = FINER * size[0], FINER * size[1]
        self._player = Player(open_picture(True, *self._fine), seed, wait=True, autoplay=True)
        self._player.is_bare = True

    def still(self, scene: str, script: Script) -> Pixels:
        """The picture at the script's start."""
        return next(self.play(scene, script, 1.0))

    def film(self, scene: str, script: Script, rate: float) -> list[Pixels]:
        """``rate`` pictures a second, from the script's start to its end, as a loop that begins with its poster."""
        fade = round(script.fade * rate)
        count = round(script.seconds * rate) + fade
        loop = looped(list(itertools.islice(self.play(scene, script, rate), count)), fade)
        first = round(script.poster * rate)
        return loop[first:] + loop[:first]

    def play(self, scene: str, script: Script, rate: float) -> Iterator[Pixels]:
        """Pictures from the script's start on, without an end."""
        player = self._player
        player.open(scene)
        layout = player.live.layout
        if script.view is not None:
            _fix_view(layout, script.view)
        if player.view is not None:
            player.view.viewport.resize((0.0, 0.0, *self._fine))
        cues = sorted(script.cues, key=lambda cue: cue[0])
        frame = number = 0
        while True:
            while frame * STEP < script.start + number / rate - 0.5 * STEP:
                while cues and round(cues[0][0] / STEP) <= frame:
                    _, name, *values = cues.pop(0)
                    player.events.send(name, *values)
                player.step()
                frame += 1
            player.draw()
            yield self._picture(script.crop, is_dark=layout.backdrop is None and player.view is not None)
            number += 1

    def close(self) -> None:
        """Close the picture."""
        self._player.close()

    def _picture(self, crop: Box, is_dark: bool) -> Pixels:
        """The part ``crop`` of the drawn picture, brighter if the scene is dark."""
        width, height = self._fine
        box = crop[0] * width, crop[1] * height, crop[2] * width, crop[3] * height
        small = resized(read_screen(self._fine), self.size, box)
        return np.round(255.0 * (small / 255.0) ** _LIFT).astype(uint8) if is_dark else small


def _fix_view(layout: Layout, view: Box) -> None:
    """Let the camera show a part of the world, and stay."""
    layout.follow = lambda: view


def looped(pictures: list[Pixels], fade: int) -> list[Pixels]:
    """A film without a seam: its last ``fade`` pictures go, and are mixed into the first ones, less and less."""
    count = len(pictures) - fade
    loop = pictures[:count]
    for number in range(fade):
        new = (number + 1) / (fade + 1)
        mixed = (1.0 - new) * pictures[count + number] + new * pictures[number]
        loop[number] = np.round(mixed).astype(uint8)
    return loop
