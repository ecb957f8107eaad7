"""The list of all keys of a scene, and where its source is."""

from __future__ import annotations

import inspect
from functools import partial
from pathlib import Path

from ecsphys.demo import palette
from ecsphys.demo.hud.measures import SMALL, plural, text_scale
from ecsphys.demo.hud.texts import Texts
from ecsphys.demo.keys import label_of, rows
from ecsphys.demo.scenes import LiveScene

BODIES = (("Left drag", "hold a body and throw it"),)
VIEW = (("Wheel", "zoom at the mouse"), ("Right drag", "move the picture"))
"""What the mouse does."""
_ROW = 19.5
_KEY, _COLUMN = 142.0, 392.0
"""The width of a key, and of a column, in units."""


class HelpPage:
    """A page over the whole picture; ``has_view`` is whether the picture of the scene can be moved and zoomed."""

    def __init__(self, live: LiveScene, size: tuple[int, int], has_view: bool = True) -> None:
        self.texts = Texts(text_scale(size))
        width, height = size[0] / self.texts.scale, size[1] / self.texts.scale
        layout = live.layout
        own = [(label_of(key.name), key.text) for key in layout.keys if key.text] + list(layout.help)
        steering = [("W A S D", "walk")] if layout.steering is not None and not layout.help else []
        of = partial(rows, live=live, has_view=has_view)
        left = [("", live.scene.title), *own, *steering, *(BODIES if layout.has_bodies else ()), *of("bodies")]
        left += [("", "The picture"), *VIEW, *of("picture")] if has_view else []
        left += [("", "Sliders"), *of("sliders")] if layout.parameters else []
        right = [("", "Time"), *of("time"), ("", "The demo"), *of("demo")]
        x = 0.5 * width - _COLUMN
        self._write(left, x, height - 70.0)
        self._write(right, x + _COLUMN + 24.0, height - 70.0)
        counts = live.counts()
        colliders, pairs = plural(counts.colliders, "collider"), plural(counts.pairs, "candidate pair")
        here = f"{plural(counts.entities, 'entity', 'entities')}, {colliders}, {pairs}"
        ids = f"   formulas {', '.join(live.scene.rows)}" if live.scene.rows else ""
        self.texts.add(f"{here}{ids}", x, 42.0, SMALL)
        self.texts.add(source_of(live), x, 22.0, SMALL, palette.ACCENT)

    def _write(self, lines: list[tuple[str, str]], x: float, y: float) -> None:
        for key, text in lines:
            if not key:
                y -= 0.5 * _ROW
                self.texts.add(text, x, y, 13, palette.TEXT, bold=True)
            else:
                self.texts.add(key, x, y, SMALL, palette.ACCENT)
                self.texts.add(text, x + _KEY, y, SMALL, palette.TEXT)
            y -= _ROW


def source_of(live: LiveScene) -> str:
    """The path of the file that builds a scene, from here where it lies below."""
    path = Path(inspect.getsourcefile(live.scene.build) or "").resolve()
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
