"""The playground's own panel: every switch, with its place and its key."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ecsphys.demo.scenes.playground.layers import COLORS, LAYERS
from ecsphys.demo.scenes.playground.panel import INNER, ROW, SIDE, WIDTH, Button, Heading, Panel, Slider, row_of
from ecsphys.demo.scenes.playground.presets import PRESETS
from ecsphys.demo.scenes.playground.sandbox import ANY_LAYER, MIXED

if TYPE_CHECKING:
    from ecsphys.demo.scenes.playground.world import Playground, Tool

STAGES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Solver", ("bodies",)),
    ("Narrow phase", ("narrowphase",)),
    ("Broad phase", ("broadphase",)),
    ("Motion", ("motion", "placing", "checks", "trajectories", "hierarchy")),
    ("Other", ("sweeps", "events", "rest")),
)
"""What each bar sums up of ``physics.debug.profile.timings``."""

TOOLS: tuple[tuple[Tool, str, str], ...] = (("spawn", "Spawn", "S"), ("draw", "Draw", "D"), ("blast", "Blast", "E"))
SHOWN = (
    ("boxes", "Boxes", "B"),
    ("contacts", "Contacts", "C"),
    ("normals", "Normals", "V"),
    ("cells", "Grid", "G"),
    ("sleep", "Sleep", "Z"),
    ("glow", "Glow", "L"),
)
_BAR = 15.0
_CELL, _WIDE = 17.0, 24.0


def build_panel(game: Playground) -> Panel:
    """All switches of a playground, from the top."""
    panel, sandbox = Panel(), game.sandbox
    y = 58.0
    panel.bars = tuple(
        (SIDE + 90.0, y + _BAR * k + 3.0, WIDTH - SIDE - 52.0, y + _BAR * k + 12.0) for k in range(len(STAGES) + 1)
    )
    y += _BAR * (len(STAGES) + 1) + 14.0
    for number, (preset, box) in enumerate(zip(PRESETS, row_of(y, len(PRESETS)), strict=True)):
        begins = partial(lambda wanted: sandbox.preset == wanted, preset)
        panel.buttons.append(Button(box, preset.capitalize(), partial(game.begin, preset), begins, f"F{number + 1}"))
    y += ROW + 8.0
    for parameter in game.layout.parameters:
        panel.sliders.append(Slider((SIDE, y, WIDTH - SIDE, y + 30.0), parameter))
        y += 31.0
    y = _add_tools(panel, game, y + 20.0)
    y = _add_layers(panel, game, y + 20.0)
    panel.headings.append(Heading(SIDE, y + 14.0, "Show"))
    y += 20.0
    boxes = row_of(y, 3) + row_of(y + ROW + 5.0, 3)
    for (shown, text, key), box in zip(SHOWN, boxes, strict=True):
        switch, is_on = partial(game.switch, shown), partial(game.shows, shown)
        panel.buttons.append(Button(box, f"{text} {key}", switch, is_on, key))
    return panel


def _add_tools(panel: Panel, game: Playground, y: float) -> float:
    """What the left button of the mouse does, and with which shape; the place below."""
    sandbox = game.sandbox
    panel.headings.append(Heading(SIDE, y - 6.0, "Left button"))
    for (tool, text, key), box in zip(TOOLS, row_of(y, len(TOOLS)), strict=True):
        is_on = partial(lambda wanted: game.tool == wanted, tool)
        panel.buttons.append(Button(box, f"{text} {key}", partial(game.take, tool), is_on, key))
    y += ROW + 5.0
    for shape, box in enumerate(row_of(y, MIXED + 1, 3.0)):
        key = f"_{shape + 1}"
        is_on = partial(lambda wanted: sandbox.shape == wanted, shape)
        panel.buttons.append(Button(box, "", _setter(sandbox, "shape", shape), is_on, key, shape=shape))
    return y + ROW + 8.0


def _add_layers(panel: Panel, game: Playground, y: float) -> float:
    """The layer of new bodies, and the table of which layers hit; the place below."""
    sandbox = game.sandbox
    panel.headings.append(Heading(SIDE, y - 6.0, "New bodies"))
    panel.headings.append(Heading(SIDE + 0.5 * INNER + 8.0, y - 6.0, "Which collide"))
    for layer, box in enumerate(row_of(y, LAYERS + 1, 3.0, SIDE, 0.5 * INNER - 8.0)):
        is_on = partial(lambda wanted: sandbox.layer == wanted, layer)
        colors = (COLORS[layer], COLORS[layer]) if layer < LAYERS else None
        text = "all" if layer == ANY_LAYER else ""
        panel.buttons.append(Button(box, text, _setter(sandbox, "layer", layer), is_on, colors=colors))
    left = SIDE + 0.5 * INNER + 8.0
    for a in range(LAYERS):
        for b in range(a + 1):
            x, top = left + (_WIDE + 3.0) * b, y + (_CELL + 3.0) * a
            is_on = partial(lambda a, b: bool(sandbox.layers.table[a, b]), a, b)
            press, colors = partial(sandbox.switch_layers, a, b), (COLORS[b], COLORS[a])
            panel.buttons.append(Button((x, top, x + _WIDE, top + _CELL), "", press, is_on, colors=colors))
    return y + LAYERS * (_CELL + 3.0) + 2.0


def _setter(owner: object, name: str, value: int) -> Callable[[], None]:
    return partial(setattr, owner, name, value)
