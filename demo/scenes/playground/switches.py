"""The playground's panel: presets, tools, shapes, layers and the times of the stages, each at its place."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from ecsphys import CompoundCollider, Transform
from ecsphys.demo.scenes.drawing.outlines import outline
from ecsphys.demo.scenes.panel import INNER, ROW, SIDE, WIDTH, Bar, Button, Heading, Outline, Panel, row_of
from ecsphys.demo.scenes.playground.hand import TOOLS, Hand
from ecsphys.demo.scenes.playground.layers import COLORS, LAYERS
from ecsphys.demo.scenes.playground.presets import PRESETS
from ecsphys.demo.scenes.playground.sandbox import ANY_LAYER, MIXED, Sandbox
from ecsphys.demo.scenes.playground.stage_times import StageTimes
from ecsphys.demo.scenes.rigid.toys import toy, toy_color

_HEADING, _ABOVE = 24.0, 6.0
"""The height of a heading, and how far its baseline is above what follows."""
_BAR, _CELL, _GAP = 17.0, 17.0, 3.0
_NAMES, _NUMBERS = 118.0, 70.0
"""The widths left and right of a bar."""
_TEXTS = {"pile": "Pile", "tumbler": "Drum", "rain": "Rain", "empty": "Empty"}
_TOOLS = {"spawn": "Spawn S", "draw": "Draw D", "blast": "Blast"}


def build_panel(sandbox: Sandbox, hand: Hand, times: StageTimes) -> Panel:
    """All switches, from the top."""
    panel = Panel(0.0)
    y = 10.0
    for preset, place in zip(PRESETS, row_of(y, len(PRESETS)), strict=True):
        is_on = partial(lambda wanted: sandbox.preset == wanted, preset)
        panel.buttons.append(Button(place, _TEXTS[preset], partial(sandbox.begin, preset), is_on))
    y = _add_tools(panel, sandbox, hand, y + ROW + _HEADING)
    y = _add_layers(panel, sandbox, y + _HEADING)
    y += 8.0
    for name, read in times.named():
        panel.bars.append(Bar((SIDE + _NAMES, y + 5.0, WIDTH - SIDE - _NUMBERS, y + 14.0), name, read))
        y += _BAR
    panel.height = y + 8.0
    return panel


def _add_tools(panel: Panel, sandbox: Sandbox, hand: Hand, y: float) -> float:
    """The tools of the left button, and the shapes; returns the place below."""
    panel.headings.append(Heading(SIDE, y - _ABOVE, "Left button"))
    for tool, place in zip(TOOLS, row_of(y, len(TOOLS)), strict=True):
        is_on = partial(lambda wanted: hand.tool == wanted, tool)
        panel.buttons.append(Button(place, _TOOLS[tool], partial(hand.take, tool), is_on))
    y += ROW + 5.0
    for shape, place in enumerate(row_of(y, MIXED + 1, _GAP)):
        is_on = partial(lambda wanted: sandbox.shape == wanted, shape)
        panel.buttons.append(Button(place, "", partial(sandbox.choose_shape, shape), is_on, icon=_icon_of(shape)))
    return y + ROW


def _add_layers(panel: Panel, sandbox: Sandbox, y: float) -> float:
    """The layer of new bodies, and the table of layers that collide; returns the place below."""
    half = 0.5 * INNER - 8.0
    left = SIDE + half + 16.0
    panel.headings += [Heading(SIDE, y - _ABOVE, "New bodies"), Heading(left, y - _ABOVE, "Which collide")]
    for layer, place in enumerate(row_of(y, LAYERS, _GAP, SIDE, half)):
        is_on = partial(lambda wanted: sandbox.layer == wanted, layer)
        colors = (COLORS[layer], COLORS[layer])
        panel.buttons.append(Button(place, "", partial(sandbox.choose_layer, layer), is_on, colors))
    low = y + ROW + _GAP
    every, is_every = partial(sandbox.choose_layer, ANY_LAYER), lambda: sandbox.layer == ANY_LAYER
    panel.buttons.append(Button((SIDE, low, SIDE + half, low + ROW), "All four", every, is_every))
    low += ROW + _GAP
    panel.buttons.append(Button((SIDE, low, SIDE + half, low + ROW), "Clear X", sandbox.clear))
    wide = (half + _GAP) / LAYERS - _GAP
    for a in range(LAYERS):
        for b in range(a + 1):
            x, top = left + (wide + _GAP) * b, y + (_CELL + _GAP) * a
            is_on = partial(lambda a, b: bool(sandbox.layers.table[a, b]), a, b)
            switch = partial(sandbox.switch_layers, a, b)
            panel.buttons.append(Button((x, top, x + wide, top + _CELL), "", switch, is_on, (COLORS[b], COLORS[a])))
    return y + 3.0 * (ROW + _GAP)


def _icon_of(shape: int) -> list[Outline]:
    """The lines of the body on a button."""
    if shape == MIXED:
        made = [(kind, 3.6, 5.0 * dx, 5.0 * dy) for kind, dx, dy in ((0, -1, -1), (1, 1, -1), (4, 0, 1))]
    else:
        made = [(shape, 7.0, 0.0, 0.0)]
    lines: list[Outline] = []
    for kind, size, x, y in made:
        body = toy(kind, size)
        place = Transform(x, y, 0.25 * math.pi if kind == 7 else 0.0)
        parts = body.parts if isinstance(body, CompoundCollider) else [body]
        lines += [Outline(np.array(outline(part, place)), toy_color(kind)) for part in parts]
    return lines
