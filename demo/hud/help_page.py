"""The list of all keys of a scene, and where its source is."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path

from ecsphys.demo import palette
from ecsphys.demo.hud.measures import SMALL, plural, text_scale
from ecsphys.demo.hud.texts import Texts
from ecsphys.demo.scenes import LiveScene

Rows = Sequence[tuple[tuple[str, ...], str]]
"""Keys, and what they do."""

BODIES: Rows = (
    (("Left drag",), "hold a body and throw it"),
    (("E", "middle button"), "shoot a heavy ball"),
    (("Q",), "blast at the mouse"),
    (("T",), "drop a toy at the mouse"),
)
VIEW: Rows = (
    (("Wheel",), "zoom at the mouse"),
    (("Right drag",), "move the picture"),
    (("F",), "show all again"),
)
PAUSE: Rows = (
    (("Space", "P"), "pause and go on"),
    (("N",), "one step, held: ten a second"),
    ((", .",), "slower, faster"),
)
AGAIN: Rows = ((("R",), "begin again"), (("Shift+R",), "begin again, sliders as at first"))
SLIDERS: Rows = (
    (("↑ ↓",), "choose a slider"),
    (("← →",), "move it"),
    (("Backspace",), "back to its mark"),
)
SHIFTED_SLIDERS: Rows = ((("Shift+↑ ↓",), "choose a slider"), (("Shift+← →",), "move it"), SLIDERS[2])
"""Of scenes that the arrows steer."""
DEMO: Rows = (
    (("Tab", "Shift+Tab"), "next scene, last scene"),
    (("U",), "hide all text and switches"),
    (("L",), "sparks, dust, glow and shaking"),
    (("F11", "Alt+Enter"), "full screen"),
    (("Esc",), "menu"),
)
_ROW = 19.5
_KEY, _COLUMN = 142.0, 392.0
"""The width of a key, and of a column, in units."""


class HelpPage:
    """A page over the whole picture; ``has_view`` is whether the picture of the scene can be moved and zoomed."""

    def __init__(self, live: LiveScene, size: tuple[int, int], has_view: bool = True) -> None:
        self.texts = Texts(text_scale(size))
        width, height = size[0] / self.texts.scale, size[1] / self.texts.scale
        left, right = _columns(live, has_view)
        x = 0.5 * width - _COLUMN
        self._write(left, x, height - 70.0)
        self._write(right, x + _COLUMN + 24.0, height - 70.0)
        counts = live.counts()
        colliders, pairs = plural(counts.colliders, "collider"), plural(counts.pairs, "candidate pair")
        here = f"{plural(counts.entities, 'entity', 'entities')}, {colliders}, {pairs}"
        ids = f"   formulas {', '.join(live.scene.rows)}" if live.scene.rows else ""
        self.texts.add(f"{here}{ids}", x, 42.0, SMALL)
        self.texts.add(source_of(live), x, 22.0, SMALL, palette.ACCENT)

    def _write(self, rows: list[tuple[str, str]], x: float, y: float) -> None:
        for key, text in rows:
            if not key:
                y -= 0.5 * _ROW
                self.texts.add(text, x, y, 13, palette.TEXT, bold=True)
            else:
                self.texts.add(key, x, y, SMALL, palette.ACCENT)
                self.texts.add(text, x + _KEY, y, SMALL, palette.TEXT)
            y -= _ROW


def _columns(live: LiveScene, has_view: bool) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Headings, without a key, and rows. A key that the scene uses itself does nothing else."""
    layout = live.layout
    own = [(key.name, key.text) for key in layout.keys if key.text] + list(layout.help)
    taken = {word for keys, _ in own for word in keys.replace(",", " ").split()}

    def section(heading: str, rows: Rows) -> list[tuple[str, str]]:
        free = [(", ".join(key for key in keys if key not in taken), text) for keys, text in rows]
        return [("", heading)] * bool(heading) + [(keys, text) for keys, text in free if keys]

    left = [("", live.scene.title), *own, *(section("", BODIES) if layout.has_bodies else ())]
    if has_view:
        left += section("The picture", VIEW)
    if layout.parameters:
        left += section("Sliders", SLIDERS if layout.steering is None else SHIFTED_SLIDERS)
    again = AGAIN if layout.parameters or "R" in taken else AGAIN[:1]
    right = section("Time", [*PAUSE, *again]) + section("The demo", DEMO)
    return left, right


def source_of(live: LiveScene) -> str:
    """The path of the file that builds a scene, from here where it lies below."""
    path = Path(inspect.getsourcefile(live.scene.build) or "").resolve()
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
