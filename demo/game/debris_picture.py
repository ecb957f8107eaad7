"""Paints planks and pieces of foes. Each kind of piece has its triangles prepared, and is painted in one go."""

from __future__ import annotations

import numpy as np

from ecsphys import Lifetime, Transform
from ecsphys.demo.game import palette
from ecsphys.demo.game.copies import paint_copies
from ecsphys.demo.game.debris import FADE_SECONDS
from ecsphys.demo.game.level import VIEW_WIDTH
from ecsphys.demo.game.paint import Block, Paint, moved
from ecsphys.demo.game.parts import Debris
from ecsphys.demo.game.pieces import PIECES, Look, Piece
from ecsphys.demo.scenes.cached_join import CachedJoin

_RIM = 0.05  # units, of the bright edge around a piece


class DebrisPicture:
    """Keeps the triangles of every kind of piece, for one size of the picture."""

    def __init__(self) -> None:
        self._pixel = 0.0
        self._blocks: list[Block] = []
        self._pieces = CachedJoin(Debris, Transform, Lifetime)

    def paint(self, brush: Paint, view_x: float) -> None:
        """All pieces in the view."""
        if brush.pixel != self._pixel:
            self._pixel = brush.pixel
            self._blocks = [_block(piece, brush.pixel) for piece in PIECES]
        _, debris, places, lifetimes = self._pieces()
        x = Transform.column("x", writable=False)[places]
        seen = np.flatnonzero(np.abs(x - view_x) < 0.5 * VIEW_WIDTH + 2.0)
        if not len(seen):
            return
        kinds = Debris.column("piece", writable=False)[debris[seen]]
        # The same kinds lie together; within a kind, pieces have the order of their entities.
        order = np.argsort(kinds, kind="stable")
        kinds, seen = kinds[order], seen[order]
        x, rows = x[seen], places[seen]
        y, angle = (Transform.column(name, writable=False)[rows] for name in ("y", "angle"))
        alpha = np.clip(Lifetime.column("seconds", writable=False)[lifetimes[seen]] / FADE_SECONDS, 0.0, 1.0)
        present, first = np.unique(kinds, return_index=True)
        for kind, start, end in zip(present.tolist(), first.tolist(), [*first.tolist()[1:], len(kinds)], strict=True):
            some = slice(start, end)
            paint_copies(brush, self._blocks[kind], x[some], y[some], angle[some], alpha[some])


def _block(piece: Piece, pixel: float) -> Block:
    paint = Paint()
    paint.start(pixel)
    if piece.look is Look.EYE:
        _paint_eye(paint, piece.radius)
    elif piece.look is Look.MOON:
        _paint_moon(paint, piece.radius)
    elif piece.look is Look.WOOD:
        _paint_board(paint, piece)
    else:
        _paint_plate(paint, piece)
    return paint.block()


def _paint_plate(paint: Paint, piece: Piece) -> None:
    """A piece of a foe's body: dark with a bright edge."""
    corners = np.array(piece.corners)
    is_spike = piece.look is Look.SPIKE
    paint.polygon(corners, palette.HARM if is_spike else palette.FOE_LIGHT)
    inner = corners * np.maximum(1.0 - _RIM / (0.6 * np.hypot(*corners.T)), 0.1)[:, None]
    paint.polygon(inner, palette.FOE_LIGHT if is_spike else palette.FOE_SHADE, 1.0, palette.FOE)
    if piece.look is Look.WING:
        paint.discs(np.zeros((1, 2)), 0.1, palette.EYE, 0.9)


def _paint_eye(paint: Paint, radius: float) -> None:
    here = np.zeros((1, 2))
    paint.discs(here, 1.7 * radius, palette.EYE, 0.3, edge=0.0, light=True)
    paint.discs(here, radius, palette.FOE_LIGHT)
    paint.discs(here, 0.85 * radius, palette.EYE)
    paint.discs(moved(here, 0.25 * radius, 0.0), 0.45 * radius, palette.INK)
    paint.discs(moved(here, 0.35 * radius, 0.15 * radius), 0.14 * radius, palette.SUN)


def _paint_moon(paint: Paint, radius: float) -> None:
    here = np.zeros((1, 2))
    paint.discs(here, radius, palette.FOE_LIGHT)
    paint.discs(here, 0.8 * radius, palette.FOE)
    paint.discs(here + 0.3 * radius, 0.22 * radius, palette.HARM, 0.6)


def _paint_board(paint: Paint, piece: Piece) -> None:
    corners = np.array(piece.corners)
    half = np.abs(corners).max(axis=0)
    paint.polygon(corners, palette.WOOD_DARK)
    paint.polygon(corners * (1.0 - _RIM / half), palette.WOOD)
    top = corners[corners[:, 1] > 0.0]
    paint.line(top[np.argsort(top[:, 0])] - (0.0, 0.03), 0.06, palette.WOOD_LIGHT)
    for side in (-1.0, 1.0):
        paint.box(0.7 * side * half[0], 0.0, (0.035, 0.035), 0.0, palette.WOOD_DARK)
