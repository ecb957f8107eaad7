"""Draws all cards of a page in one call."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import float32, float64
from numpy.typing import NDArray
from pyglet import gl
from pyglet.graphics import Batch
from pyglet.graphics.shader import ShaderProgram

from ecsphys.demo import palette
from ecsphys.demo.menu.card_shader import card_program

_ATTRIBUTES = {"place": 2, "card": 4, "look": 2}
_GLOW = 26.0
"""How far a card shines, in units of text."""
_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1)], float)


class CardLayer:
    """At most ``most`` cards with pictures from the layers of a texture array.

    Each pixel is the mean of ``samples`` × ``samples`` places of a picture: more than one for pictures that are larger
    than their cards. Blending must be for premultiplied alpha.
    """

    def __init__(self, most: int, samples: int) -> None:
        self._program: ShaderProgram = card_program(samples)
        self._most = most
        formats: dict[str, Any] = dict.fromkeys(_ATTRIBUTES, "f")
        # A batch of its own: the list then starts at 0 in a buffer that nothing else shares.
        self._vertices: Any = self._program.vertex_list(6 * most, gl.GL_TRIANGLES, batch=Batch(), **formats)

    def draw(
        self,
        texture: Any,
        cards: NDArray[float64],
        chosen: NDArray[float64],
        strip: float,
        window: tuple[int, int],
        unit: float,
    ) -> None:
        """Draw cards (n, 4), each with the texture's layer of its number.

        ``chosen`` (n,) from 0 to 1 is how much each stands out. All places are in pixels of the window.
        """
        # Cards that stand out are drawn over the others.
        order = np.argsort(chosen, kind="stable")
        middle = 0.5 * (cards[:, :2] + cards[:, 2:])[order]
        half = 0.5 * (cards[:, 2:] - cards[:, :2])[order]
        margin = 1.0 + _GLOW * unit * (chosen[order] > 0.0)
        places = _CORNERS * (half + margin[:, None])[:, None, :]
        self._write("place", places.reshape(-1, 2))
        self._write("card", np.repeat(np.hstack((middle, half)), 6, axis=0))
        self._write("look", np.repeat(np.column_stack((order, chosen[order])), 6, axis=0))
        program = self._program
        program.use()
        program["window"] = window
        program["strip"] = strip
        program["unit"] = unit
        program["strip_color"] = palette.CARD
        program["frame_color"] = palette.FRAME
        program["accent"] = palette.ACCENT
        gl.glActiveTexture(gl.GL_TEXTURE0)
        gl.glBindTexture(gl.GL_TEXTURE_2D_ARRAY, texture.id)
        self._vertices.draw(gl.GL_TRIANGLES)
        program.stop()

    def _write(self, name: str, rows: NDArray[float64]) -> None:
        values = np.frombuffer(getattr(self._vertices, name), float32).reshape(6 * self._most, _ATTRIBUTES[name])
        values[: len(rows)] = rows
        # All corners of the rest in one point: triangles without an area.
        values[len(rows) :] = 0.0
