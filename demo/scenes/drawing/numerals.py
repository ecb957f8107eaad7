"""Numbers that change from frame to frame, of seven strokes a digit: the text over a scene is too slow for that."""

from __future__ import annotations

from collections.abc import Iterable

from ecsphys.demo.scenes.board import Board, Pair
from ecsphys.demo.scenes.sketch import Color

_WIDTH, _NARROW, _GAP = 0.52, 0.04, 0.28
"""Of a digit, of a one or a point, and between two, in heights."""

# From the top clockwise, the middle last: ends in the digit's own square.
_STROKES: tuple[tuple[Pair, Pair], ...] = (
    ((0.0, 1.0), (1.0, 1.0)),
    ((1.0, 1.0), (1.0, 0.5)),
    ((1.0, 0.5), (1.0, 0.0)),
    ((1.0, 0.0), (0.0, 0.0)),
    ((0.0, 0.0), (0.0, 0.5)),
    ((0.0, 0.5), (0.0, 1.0)),
    ((0.0, 0.5), (1.0, 0.5)),
)
_DIGITS = ("012345", "45", "01346", "01236", "1256", "02356", "023456", "012", "0123456", "012356")
_SIGNS: dict[str, tuple[Pair, Pair]] = {"/": ((0.0, 0.0), (1.0, 1.0)), ".": ((0.0, 0.0), (0.0, 0.06))}


_LEAST = 11.0
"""Pixels of a digit's height: smaller ones cannot be read."""


def legible(height: float, pixel: float) -> float:
    """A digit's height in the world, or more if that cannot be read where a pixel is so large."""
    return max(height, _LEAST * pixel)


def draw_number(board: Board, text: str, middle: Pair, height: float, color: Color, width: float = 1.5) -> None:
    """Draw digits, points and slashes about the place ``middle``, the strokes ``width`` pixels wide."""
    advances = [(_NARROW if sign in "1." else _WIDTH) + _GAP for sign in text]
    x, y = middle[0] - 0.5 * height * (sum(advances) - _GAP), middle[1] - 0.5 * height
    for sign, advance in zip(text, advances, strict=True):
        for (ax, ay), (bx, by) in _strokes_of(sign):
            a, b = (x + ax * _WIDTH * height, y + ay * height), (x + bx * _WIDTH * height, y + by * height)
            board.line(a, b, color, width)
        x += advance * height


def _strokes_of(sign: str) -> Iterable[tuple[Pair, Pair]]:
    if sign in _SIGNS:
        return [_SIGNS[sign]]
    return [_STROKES[int(stroke)] for stroke in _DIGITS[int(sign)]]
