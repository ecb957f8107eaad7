"""Layers that scroll: what a camera sees of each, and what it shows."""

from __future__ import annotations

import itertools
import math

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import Priority
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Pair
from ecsphys.demo.scenes.rigid.tint import COOL, WARM
from ecsphys.demo.scenes.sketch import Color
from ecsphys.effects import Camera, ParallaxLayer
from ecsphys.systems import ScrollingSystem
from figures.marks import WAY, arrow, curve, rim
from figures.panel import Panel

SIZE = (960, 540)
_VIEW, _TALL = 12.0, 5.0
_WIDTHS = (40.0, 28.0, 18.0)
_LAYERS = (("world", COOL[3]), ("hills", COOL[1]), ("sky", COOL[0]))
_ORANGE, _PALE = WARM[1], WARM[3]
_GROUND: Color = (0.30, 0.52, 0.40)
_HILLS: Color = (0.22, 0.30, 0.50)
_SKY: Color = (0.10, 0.11, 0.24)


def scrolling_layers() -> list[Panel]:
    """Three layers of their own widths, what a camera sees of each, and what it shows."""
    panel = Panel.empty((0, 0, *SIZE), (-1.0, -1.4), 42.0, (0.0, 0.0))
    panel.title("Camera and ParallaxLayer")
    esper.add_processor(ScrollingSystem(panel.physics), priority=Priority.SCROLLING)
    layers = [ParallaxLayer(width, _TALL) for width in _WIDTHS]
    camera = Camera(17.0, 0.5 * _TALL, _VIEW, _TALL, world_width=_WIDTHS[0], world_height=_TALL)
    for component in (camera, *layers):
        esper.create_entity(component)
    panel.play(0.05)
    lefts = [-layer.screen_x for layer in layers]
    for number, (left, width, (name, color)) in enumerate(zip(lefts, _WIDTHS, _LAYERS, strict=True)):
        bottom, middle = 6.7 * number, 6.7 * number + 0.5 * _TALL
        speed = (width - _VIEW) / (_WIDTHS[0] - _VIEW)
        _draw(panel, name, (0.0, width), (0.0, bottom))
        rim(panel.above, _rectangle((0.0, bottom), (width, bottom + _TALL)), color)
        rim(panel.above, _rectangle((left, bottom), (left + _VIEW, bottom + _TALL)), palette.LIT, 3.5)
        start = left + _VIEW + 0.3
        arrow(panel.above, (start, middle), (start + 5.0 * speed + 0.6, middle), WAY, 0.5, 3.5)
        panel.note(f"{name}, {width:.0f} wide: speed {speed:.2g}", 0.1, bottom - 0.95, palette.TEXT, anchor="left")
    # The part of each layer that the camera sees, one behind the other.
    x, y = 28.5, 14.0
    for left, (name, _) in reversed(list(zip(lefts, _LAYERS, strict=True))):
        _draw(panel, name, (left, left + _VIEW), (x, y))
    rim(panel.above, _rectangle((x, y), (x + _VIEW, y + _TALL)), palette.LIT, 3.5)
    panel.note("what the camera shows", x + 0.5 * _VIEW, y - 0.95, palette.LIT)
    return [panel]


def _draw(panel: Panel, name: str, part: Pair, corner: Pair) -> None:
    """What lies between two x of a layer, with its lower left corner in another place."""
    start, end = part
    shift = corner[0] - start
    if name == "sky":
        panel.fill(_rectangle(corner, (end + shift, corner[1] + _TALL)), _SKY, 1.0)
        for x, y in np.random.default_rng(5).uniform((0.3, 1.8), (17.7, 4.7), (40, 2)).tolist():
            if start + 0.1 < x < end - 0.1:
                panel.fill(_square((x + shift, corner[1] + y), 0.045), palette.TEXT, 0.9)
        panel.fill(curve((9.0 + shift, corner[1] + 3.6), 0.7, 0.0, math.tau), _PALE, 0.9)
        return
    x = np.unique(np.concatenate((np.linspace(start, end, 120), _block_edges(part))))
    is_world = name == "world"
    heights = _blocks(x) if is_world else 1.9 + 0.8 * np.sin(0.7 * x) + 0.5 * np.sin(1.9 * x + 1.0)
    tops = np.column_stack((x + shift, corner[1] + heights)).tolist()
    for (a, low), (b, high) in itertools.pairwise(tops):
        panel.fill([(a, corner[1]), (b, corner[1]), (b, high), (a, low)], _GROUND if is_world else _HILLS, 1.0)
    if is_world:
        hero = (16.7 + shift, corner[1] + 0.7)
        panel.fill(_rectangle(hero, (hero[0] + 0.6, hero[1] + 0.9)), _ORANGE, 1.0)


def _blocks(x: NDArray[float64]) -> NDArray[float64]:
    """The height of the world's ground: some blocks stand on it."""
    columns = np.floor(x)
    heights: NDArray[float64] = (
        0.7 + 0.8 * np.isin(columns, (3, 4, 12, 20, 21, 30, 36)) + 0.9 * np.isin(columns, (4, 21))
    )
    return heights


def _block_edges(part: Pair) -> NDArray[float64]:
    """Where the ground may rise or fall at once: just before and just after each whole x."""
    whole = np.arange(math.ceil(part[0]), math.ceil(part[1]), dtype=float64)
    return np.concatenate((whole, np.maximum(whole - 1e-6, part[0])))


def _rectangle(low: Pair, high: Pair) -> list[Pair]:
    return [low, (high[0], low[1]), high, (low[0], high[1])]


def _square(middle: Pair, half: float) -> list[Pair]:
    return _rectangle((middle[0] - half, middle[1] - half), (middle[0] + half, middle[1] + half))
