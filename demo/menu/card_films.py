"""The pictures of one page's cards in one texture. Films go on while they are shown, each at its own pace."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy import float64, uint8
from numpy.typing import NDArray
from pyglet import gl
from pyglet.image import TextureArray

from ecsphys.demo import palette
from ecsphys.demo.card_pictures import RATE, open_card, size_of
from ecsphys.demo.image_files import Film, Pixels

_BUDGET = 0.006
"""Seconds in which a frame of the menu may read new pictures; at least one is read if any is due."""
_LATE = 0.5
"""Seconds after which a film that is behind does not try to catch up."""


class CardFilms:
    """A texture with one layer for each scene. Without its file, or without Pillow, a layer has one plain color."""

    def __init__(self, scenes: Sequence[str], clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self.size = size_of(scenes[0])
        """Width and height of each picture."""
        self.texture: Any = TextureArray.create(
            *self.size, gl.GL_RGB, min_filter=gl.GL_LINEAR, mag_filter=gl.GL_LINEAR, max_depth=len(scenes)
        )
        plain = np.empty((self.size[1], self.size[0], 3), uint8)
        plain[:] = np.round(255.0 * np.array(palette.CARD))
        self._films: list[Film | None] = []
        for layer, scene in enumerate(scenes):
            film = open_card(scene)
            self._films.append(film)
            self._upload(layer, plain if film is None else film.read())
        # Not all in the same frame.
        self._due: NDArray[float64] = clock() + (1.0 + np.arange(len(scenes)) / len(scenes)) / RATE
        self._due[[film is None or film.count == 1 for film in self._films]] = np.inf

    def advance(self) -> int:
        """Show the pictures whose time has come, the latest ones first; how many there were."""
        start = self._clock()
        late = self._due < start - _LATE
        self._due[late] = start
        shown = 0
        for layer in np.argsort(self._due, kind="stable").tolist():
            if self._due[layer] > start or (shown and self._clock() - start > _BUDGET):
                break
            film = self._films[layer]
            assert film is not None
            self._upload(layer, film.read())
            self._due[layer] += 1.0 / RATE
            shown += 1
        return shown

    def _upload(self, layer: int, picture: Pixels) -> None:
        width, height = self.size
        data = np.ascontiguousarray(picture[::-1])
        gl.glBindTexture(gl.GL_TEXTURE_2D_ARRAY, self.texture.id)
        gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1)
        pixels = data.ctypes.data_as(ctypes.c_void_p)
        gl.glTexSubImage3D(
            gl.GL_TEXTURE_2D_ARRAY, 0, 0, 0, layer, width, height, 1, gl.GL_RGB, gl.GL_UNSIGNED_BYTE, pixels
        )
        gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 4)
