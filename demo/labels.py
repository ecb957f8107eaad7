"""Lines of text. pyglet needs a font library for them, which is asked for when the first is made and not before."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal

from ecsphys.demo.palette import Color, as_bytes

if TYPE_CHECKING:
    from pyglet.text import Label

FONTS = ["Inter", "Segoe UI", "Helvetica Neue", "Noto Sans", "DejaVu Sans", "Arial"]


_said: list[ImportError] = []


def say_missing(error: ImportError) -> None:
    """Say on stderr, once, that pictures come without text, and why."""
    if not _said:
        _said.append(error)
        print(f"ecsphys-demo: pictures have no text ({error})", file=sys.stderr)


def make_label(
    text: str,
    place: tuple[float, float],
    points: float,
    color: Color,
    batch: Any = None,
    anchor: Literal["left", "center", "right"] = "left",
    bold: bool = False,
) -> Label:
    """A line with its baseline at a pixel of the picture; ImportError where pyglet finds no font library."""
    from pyglet.text import Label

    return Label(
        text,
        x=round(place[0]),
        y=round(place[1]),
        font_name=FONTS,
        font_size=points,
        weight="bold" if bold else "normal",
        color=as_bytes(color),
        anchor_x=anchor,
        anchor_y="baseline",
        batch=batch,
    )
