"""The list of all keys of a scene, and where its source is."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path

from ecsphys.demo import palette
from ecsphys.demo.debug_layers import LAYERS, OF_BODIES
from ecsphys.demo.hud.legend import write_legend
from ecsphys.demo.hud.measures import SMALL, plural, text_scale
from ecsphys.demo.hud.texts import Texts
from ecsphys.demo.scenes import LiveScene

Rows = list[tuple[str, str]]
"""Keys and what they do; a row without keys is a title."""

BODIES = (
    ("Left drag", "hold a body and throw it"),
    ("E, middle button", "shoot a heavy ball"),
    ("Q", "blast at the mouse"),
    ("T", "drop a toy at the mouse"),
)
VIEW = (("Wheel", "zoom at the mouse"), ("Right drag", "move the picture"), ("F", "show all again"))
TIME = (
    ("Space, P", "pause and go on"),
    ("N", "one step, held: ten a second"),
    (", .", "slower, faster"),
    ("R", "begin again"),
    ("Shift+R", "begin again, sliders as at first"),
)
SLIDERS = (
    ("↑ ↓", "choose a slider"),
    ("← →", "move it"),
    ("Backspace", "back to its mark"),
)
DEMO = (
    ("Tab, Shift+Tab", "next scene, last scene"),
    ("U", "hide all text and switches"),
    ("L", "sparks, dust, glow and shaking"),
    ("F11, Alt+Enter", "full screen"),
    ("Esc", "menu"),
)
SHOWN = {
    "shapes": "outlines of colliders",
    "contacts": "points of contact",
    "normals": "pushes: direction and strength",
    "boxes": "boxes around colliders",
    "grid": "cells of the broadphase",
    "joints": "joints, coloured by load",
    "sleep": "bodies asleep, by island",
}
"""The words for each debug layer."""
_ROW = 17.5
_KEY, _COLUMN = 142.0, 392.0
"""The width of a key, and of a column, in units."""


class HelpPage:
    """A page over the whole picture; ``has_view`` is whether the picture of the scene can be moved and zoomed."""

    def __init__(self, live: LiveScene, size: tuple[int, int], has_view: bool = True) -> None:
        self.texts = Texts(text_scale(size))
        width, height = size[0] / self.texts.scale, size[1] / self.texts.scale
        x = 0.5 * width - _COLUMN
        self.texts.add(live.scene.title, x, height - 38.0, 17, palette.TEXT, bold=True)
        self.texts.add(live.scene.summary, x, height - 60.0, SMALL)
        left, right = _columns(live, has_view)
        self._write(left, x, height - 84.0)
        self._write(right, x + _COLUMN + 24.0, height - 84.0)
        counts = live.counts()
        colliders, pairs = plural(counts.colliders, "collider"), plural(counts.pairs, "candidate pair")
        here = f"{plural(counts.entities, 'entity', 'entities')}, {colliders}, {pairs}"
        ids = f"   formulas {', '.join(runs_of(live.scene.rows))}" if live.scene.rows else ""
        write_legend(self.texts, live, x, 58.0, width)
        self.texts.add(f"{here}{ids}", x, 38.0, SMALL)
        self.texts.add(source_of(live), x, 18.0, SMALL, palette.ACCENT)

    def _write(self, rows: Rows, x: float, y: float) -> None:
        for key, text in rows:
            if not key:
                y -= 0.5 * _ROW
                self.texts.add(text, x, y, 13, palette.TEXT, bold=True)
            else:
                self.texts.add(key, x, y, SMALL, palette.ACCENT)
                self.texts.add(text, x + _KEY, y, SMALL, palette.TEXT)
            y -= _ROW


def _columns(live: LiveScene, has_view: bool) -> tuple[Rows, Rows]:
    """The rows of both columns: to the left what is of this scene, to the right what is of all."""
    layout = live.layout
    own = [(key.name, key.text) for key in layout.keys if key.text] + list(layout.help)
    taken = {key for keys, _ in own for key in keys.split(", ")}
    groups: list[tuple[str, Rows]] = [
        ("This scene", own + _others(BODIES if layout.has_bodies else (), taken)),
        ("The picture", _others(VIEW if has_view else (), taken)),
        ("Sliders", list(SLIDERS if layout.parameters else ())),
        ("Time", _others(TIME, taken)),
        ("The demo", _others(_demo(layout.has_bodies), taken)),
        ("Debug drawing", _others(layers_of(live, has_view), taken)),
    ]
    columns: tuple[Rows, Rows] = ([], [])
    for number, (title, rows) in enumerate(groups):
        if rows:
            columns[number >= 3].extend([("", title), *rows])
    return columns


def _demo(has_bodies: bool) -> Rows:
    """The keys of the demo; sparks and dust come from bodies alone."""
    return [row for row in DEMO if has_bodies or row[0] != "L"]


def layers_of(live: LiveScene, has_view: bool) -> Rows:
    """The keys of the debug layers that say something of a scene; one that draws itself knows outlines alone."""
    if not has_view:
        return [(key, SHOWN[name]) for name, _, key in LAYERS[:1]]
    return [(key, SHOWN[name]) for name, _, key in LAYERS if live.layout.has_bodies or name not in OF_BODIES]


def _others(rows: tuple[tuple[str, str], ...] | Rows, taken: set[str]) -> Rows:
    """Rows without the keys that a scene takes for itself."""
    left = [(", ".join(key for key in keys.split(", ") if key not in taken), text) for keys, text in rows]
    return [(keys, text) for keys, text in left if keys]


def runs_of(ids: Sequence[str]) -> list[str]:
    """Ids of a letter and a number; those that follow each other are written as one: A1–A3 for A1, A2, A3."""
    runs: list[list[str]] = []
    for one in ids:
        last = runs[-1][-1] if runs else ""
        if last and last[0] == one[0] and last[1:].isdigit() and one[1:] == str(int(last[1:]) + 1):
            runs[-1].append(one)
        else:
            runs.append([one])
    return [run[0] if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs]


def source_of(live: LiveScene) -> str:
    """The path of the file that builds a scene, from here where it lies below."""
    path = Path(inspect.getsourcefile(live.scene.build) or "").resolve()
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
