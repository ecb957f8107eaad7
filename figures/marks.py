"""Marks that explain: arrows, dimension lines, springs, anchors and dashes, drawn on a board."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Board, Pair, arc
from ecsphys.demo.scenes.sketch import Color

WAY: Color = palette.LIT
"""What is free to move, and where to."""
MEASURE: Color = palette.ACCENT
"""What is measured."""
ANCHOR: Color = (1.0, 1.0, 1.0)
"""Where a joint holds."""


def arrow(
    board: Board, a: Pair, b: Pair, color: Color = WAY, head: float = 0.25, width: float = 3.0, both: bool = False
) -> None:
    """A line with a head at b, or at both ends; ``head`` in world units."""
    board.line(a, b, color, width)
    _head(board, b, math.atan2(b[1] - a[1], b[0] - a[0]), head, color, width)
    if both:
        _head(board, a, math.atan2(a[1] - b[1], a[0] - b[0]), head, color, width)


def turn(
    board: Board,
    center: Pair,
    radius: float,
    start: float,
    end: float,
    color: Color = WAY,
    head: float = 0.25,
    width: float = 3.0,
    both: bool = False,
) -> None:
    """An arc about a centre from one angle to another, with a head at its end, or at both."""
    points = curve(center, radius, start, end)
    for a, b in itertools.pairwise(points):
        board.line(a, b, color, width)
    # A head on an arc leans inwards by what the arc turns along it.
    lean = 0.5 * head / radius
    way = math.copysign(1.0, end - start)
    _head(board, points[-1], end + way * (0.5 * math.pi - lean), head, color, width)
    if both:
        _head(board, points[0], start - way * (0.5 * math.pi - lean), head, color, width)


def curve(center: Pair, radius: float, start: float, end: float) -> list[Pair]:
    """Points of an arc about a centre from one angle to another."""
    points = arc(radius, 0.5 * (start + end), abs(end - start))
    return [(center[0] + x, center[1] + y) for x, y in (points if end > start else points[::-1])]


def _head(board: Board, tip: Pair, direction: float, size: float, color: Color, width: float) -> None:
    for side in (-0.5, 0.5):
        back = direction + math.pi + side
        board.line(tip, (tip[0] + size * math.cos(back), tip[1] + size * math.sin(back)), color, width)


def measure(board: Board, a: Pair, b: Pair, color: Color = MEASURE, tick: float = 0.18) -> None:
    """A dimension line from a to b with a tick across each end."""
    board.line(a, b, color, 2.0)
    length = max(math.dist(a, b), 1e-9)
    across = (-(b[1] - a[1]) / length * tick, (b[0] - a[0]) / length * tick)
    for x, y in (a, b):
        board.line((x - across[0], y - across[1]), (x + across[0], y + across[1]), color, 2.0)


def dashes(
    board: Board,
    a: Pair,
    b: Pair,
    color: Color = palette.GUIDE,
    dash: float = 0.14,
    width: float = 1.8,
    alpha: float = 0.8,
) -> None:
    """A line of dashes, each ``dash`` units long."""
    count = max(round(0.5 * math.dist(a, b) / dash), 1)
    for number in range(count):
        low, high = (number + 0.2) / count, (number + 0.75) / count
        ends = [(a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])) for part in (low, high)]
        board.line(ends[0], ends[1], color, width, alpha)


def spring(board: Board, a: Pair, b: Pair, half_width: float = 0.16, turns: int = 7, color: Color = ANCHOR) -> None:
    """A zigzag from a to b."""
    length = max(math.dist(a, b), 1e-9)
    along = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
    points = [a]
    for number in range(2 * turns):
        way = length * (0.12 + 0.76 * (number + 0.5) / (2 * turns))
        side = half_width if number % 2 else -half_width
        points.append((a[0] + way * along[0] - side * along[1], a[1] + way * along[1] + side * along[0]))
    points.append(b)
    for start, end in itertools.pairwise(points):
        board.line(start, end, color, 2.0, 0.9)


def rim(board: Board, corners: Sequence[Pair], color: Color, width: float = 2.0, alpha: float = 1.0) -> None:
    """A closed outline."""
    for a, b in itertools.pairwise([*corners, corners[0]]):
        board.line(a, b, color, width, alpha)


def anchor(board: Board, point: Pair) -> None:
    """Where a joint holds: a ring with a dot."""
    board.ring(point, 8.0, ANCHOR)
    board.dot(point, ANCHOR, 3.5)


def hatch(board: Board, a: Pair, b: Pair, size: float = 0.18, color: Color = palette.GUIDE) -> None:
    """A line that belongs to the world, hatched on its left side as one walks from a to b."""
    board.line(a, b, color, 2.4)
    length = math.dist(a, b)
    along = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
    count = max(round(length / (1.3 * size)), 1)
    for number in range(count):
        way = length * (number + 0.5) / count
        x, y = a[0] + way * along[0], a[1] + way * along[1]
        slant = (along[0] - along[1], along[1] + along[0])
        board.line((x, y), (x + size * slant[0], y + size * slant[1]), color, 1.4, 0.7)
