"""Draws a figure's panels side by side, their text over them, and gives the pixels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyglet
from numpy import uint8
from numpy.typing import NDArray
from pyglet import gl
from pyglet.graphics import Batch
from pyglet.math import Mat4

from ecsphys.demo import palette
from ecsphys.demo.display import read_screen
from ecsphys.demo.labels import make_label
from ecsphys.demo.renderer import Renderer
from ecsphys.demo.scenes.camera import Camera
from figures.panel import Panel

if TYPE_CHECKING:
    from pyglet.window import Window

_PIXELS_OF_A_POINT = 96.0 / 72.0


@dataclass(frozen=True)
class Figure:
    """A picture of ``size`` pixels; ``make`` opens its panels, steps their worlds and explains them."""

    size: tuple[int, int]
    make: Callable[[], list[Panel]]


def paint(figure: Figure, window: Window) -> NDArray[uint8]:
    """The pixels (height, width, 3) of a figure, drawn in a window that is at least as large."""
    width, height = figure.size
    window.switch_to()
    picture = np.empty((height, width, 3), uint8)
    picture[:] = np.round(255.0 * np.array(palette.BACKGROUND))
    panels = figure.make()
    renderer = Renderer()
    for panel in panels:
        left, bottom, right, top = panel.place
        _look_at(window, panel.size)
        drawn = _paint_panel(panel, renderer)
        picture[height - top : height - bottom, left:right] = drawn[::-1] if panel.y_down else drawn
    picture = _write(panels, picture, window)
    for panel in panels:
        panel.live.close()
    return picture


def _paint_panel(panel: Panel, renderer: Renderer) -> NDArray[uint8]:
    """What a panel shows, y up, without text."""
    panel.live.enter()
    if panel.draw is not None:
        panel.draw(panel.size)
    else:
        panel.live.layout.arena = panel.view
        camera = Camera.fit(panel.view, 0, 0, *panel.size)
        renderer.draw(panel.live, panel.highlights, camera, panel.size, panel.layers)
    return read_screen(panel.size)


def _write(panels: list[Panel], picture: NDArray[uint8], window: Window) -> NDArray[uint8]:
    """A picture with the panels' notes over it."""
    height, width, _ = picture.shape
    _look_at(window, (width, height))
    pyglet.image.ImageData(width, height, "RGB", picture[::-1].tobytes()).blit(0, 0)
    batch: Any = Batch()
    labels = [
        make_label(
            note.text,
            (panel.place[0] + note.x, panel.place[1] + note.y),
            note.height / _PIXELS_OF_A_POINT,
            note.color,
            batch,
            note.anchor,
            note.bold,
        )
        for panel in panels
        for note in panel.notes
    ]
    batch.draw()
    for label in labels:
        label.delete()
    return read_screen((width, height))


def _look_at(window: Window, size: tuple[int, int]) -> None:
    """Draw into the lower left corner of the window, one unit a pixel."""
    gl.glViewport(0, 0, *size)
    window.projection = Mat4.orthogonal_projection(0, size[0], 0, size[1], -255, 255)
