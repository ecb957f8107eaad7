"""The list of all keys of a scene, and where its source is."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ecsphys.demo import palette
from ecsphys.demo.hud.legend import write_legend
from ecsphys.demo.hud.measures import SMALL, plural, text_scale
from ecsphys.demo.hud.texts import Texts
from ecsphys.demo.keys import label_of, rows
from ecsphys.demo.scenes import LiveScene

Rows = list[tuple[str, str]]
"""Keys and what they do; a row without keys is a title."""

BODIES = (("Left drag", "hold a body and throw it"),)
VIEW = (("Wheel", "zoom at the mouse"), ("Right drag", "move the picture"))
"""What the mouse does."""
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

    def _write(self, lines: Rows, x: float, y: float) -> None:
        for key, text in lines:
            if not key:
                y -= 0.5 * _ROW
                self.texts.add(text, x, y, 13, palette.TEXT, bold=True)
            else:
                self.texts.add(key, x, y, SMALL, palette.ACCENT)
                self.texts.add(text, x + _KEY, y, SMALL, palette.TEXT)
            y -= _ROW


def _columns(live: LiveScene, has_view: bool) -> tuple[Rows, Rows]:
    """The rows of both columns: to the left those of this scene, to the right those of all scenes."""
    layout, of = live.layout, partial(rows, live=live, has_view=has_view)
    own = [(label_of(key.name), key.text) for key in layout.keys if key.text] + list(layout.help)
    steering = [("W A S D, arrows", "walk")] if layout.steering is not None and not layout.help else []
    hold = list(BODIES) if layout.has_bodies else []
    groups: list[tuple[str, Rows]] = [
        ("This scene", own + steering + hold + of("bodies")),
        ("The picture", [*VIEW, *of("picture")] if has_view else []),
        ("Sliders", of("sliders") if layout.parameters else []),
        ("Time", of("time")),
        ("The demo", of("demo")),
        ("Debug drawing", of("layers")),
    ]
    columns: tuple[Rows, Rows] = ([], [])
    for number, (title, lines) in enumerate(groups):
        if lines:
            columns[number >= 3].extend([("", title), *lines])
    return columns


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
