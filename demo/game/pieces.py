"""What crates and foes fall apart into: prepared pieces that fit together to the whole, without overlapping."""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ecsphys import CircleCollider, Collider, PolygonCollider
from ecsphys.demo.game.boss import SIZE
from ecsphys.demo.game.parts import DIVER, KEEPER, MOTH, THROWER, WARDEN

Point = tuple[float, float]

DENSITY = 0.5
WOODEN, LUNAR = -1, -2
"""More kinds of wholes than the foes: a crate, and a moon of a warden."""

_BOARD, _CUT = 0.15, 0.02  # half the height of a crate's board, and half the gap between two pieces


class Look(enum.IntEnum):
    """How a piece is painted."""

    SHELL = 0
    WING = 1
    EYE = 2
    WOOD = 3
    SPIKE = 4
    MOON = 5


@dataclass(frozen=True)
class Piece:
    """A convex polygon, or a disc if it has a ``radius``, whose middle is at (x, y) in the whole."""

    look: Look
    x: float
    y: float
    corners: tuple[Point, ...] = ()
    """Around the middle, counter-clockwise."""
    radius: float = 0.0

    def collider(self) -> Collider:
        """Its shape as a new component."""
        return PolygonCollider(self.corners) if self.corners else CircleCollider(self.radius)

    def mass(self) -> float:
        """Of a body with this shape: the area, by the shoelace formula, times the density."""
        x, y = np.array(self.corners).reshape(-1, 2).T
        area = (
            0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) if self.corners else math.pi * self.radius**2
        )
        return DENSITY * area


def _cut(look: Look, *corners: Point) -> Piece:
    """A piece with its corners as they lie in the whole."""
    x, y = np.mean(corners, axis=0).tolist()
    return Piece(look, x, y, tuple((a - x, b - y) for a, b in corners))


def _both_sides(piece: Piece) -> tuple[Piece, Piece]:
    """A piece and its mirror image."""
    return piece, Piece(piece.look, -piece.x, piece.y, tuple((-a, b) for a, b in reversed(piece.corners)))


def _ring(look: Look, count: int, inner: float, outer: float, arc: int) -> list[Piece]:
    """Plates around a round hole, each with an outer side of ``arc`` corners."""
    half = math.pi / count - _CUT / outer
    plates = []
    for number in range(count):
        middle = math.tau * (number + 0.5) / count
        rim = [_at(middle + share * half, outer) for share in np.linspace(-1.0, 1.0, arc)]
        # The inner side is straight, so that the plate is convex: it touches the hole in its middle.
        hole = [_at(middle + side * half, (inner + _CUT) / math.cos(half)) for side in (1.0, -1.0)]
        plates.append(_cut(look, *rim, *hole))
    return plates


def _at(angle: float, radius: float) -> Point:
    return radius * math.cos(angle), radius * math.sin(angle)


def _moth() -> Sequence[Piece]:
    half = _cut(Look.SHELL, *(_at(angle, 0.42) for angle in np.linspace(-1.52, 1.52, 6)))
    wing = _cut(Look.WING, (0.47, 0.02), (0.7, -0.34), (1.25, 0.1), (1.15, 0.72))
    return *_both_sides(half), *_both_sides(wing)


def _diver() -> Sequence[Piece]:
    upper = _cut(Look.WING, (0.0, 0.38), (0.5, 0.3), (1.0, 0.72))
    lower = _cut(Look.WING, (0.0, -0.38), (1.0, -0.72), (0.5, -0.3))
    head = _cut(Look.SHELL, (-0.95, 0.0), (-0.14, -0.32), (-0.14, 0.32))
    eye = Piece(Look.EYE, 0.16, 0.0, radius=0.2)
    tail = _cut(Look.SHELL, (0.4, -0.22), (1.1, -0.12), (1.1, 0.12), (0.4, 0.22))
    return head, eye, tail, upper, lower


def _thrower() -> Sequence[Piece]:
    side = _cut(Look.SHELL, (0.28, -0.45), (0.7, -0.45), (0.62, 0.1), (0.32, 0.5), (0.28, 0.5))
    arm = _cut(Look.WING, (0.76, -0.2), (0.78, -0.72), (0.92, -0.72), (0.9, -0.18))
    eye = Piece(Look.EYE, 0.0, 0.0, radius=0.25)
    jaw = _cut(Look.SHELL, (-0.25, -0.45), (0.25, -0.45), (0.25, -0.28), (-0.25, -0.28))
    hat = _cut(Look.SHELL, (-0.3, 0.53), (0.3, 0.53), (0.42, 0.88), (-0.42, 0.88))
    return *_both_sides(side), *_both_sides(arm), eye, jaw, hat


def _warden() -> Sequence[Piece]:
    return *_ring(Look.SHELL, 5, 0.34, 0.75, 4), Piece(Look.EYE, 0.0, 0.0, radius=0.34)


def _keeper() -> Sequence[Piece]:
    spikes = [
        _cut(Look.SPIKE, _at(angle - 0.22, SIZE + 0.1), _at(angle, SIZE + 0.8), _at(angle + 0.22, SIZE + 0.1))
        for angle in np.linspace(0.0, math.tau, 8, endpoint=False).tolist()
    ]
    return *_ring(Look.SHELL, 8, 0.62, SIZE, 2), *spikes, Piece(Look.EYE, 0.0, 0.0, radius=0.62)


def _crate() -> Sequence[Piece]:
    """Four boards; two of them are broken aslant."""
    planks: list[Piece] = []
    for number, broken_at in enumerate((0.2, None, -0.15, None)):
        y = (number - 1.5) * 2.0 * (_BOARD + 0.0125)
        low, high = y - _BOARD, y + _BOARD
        if broken_at is None:
            planks.append(_cut(Look.WOOD, (-0.64, low), (0.64, low), (0.64, high), (-0.64, high)))
            continue
        foot, top = broken_at - 0.08, broken_at + 0.08
        planks.append(_cut(Look.WOOD, (-0.64, low), (foot - _CUT, low), (top - _CUT, high), (-0.64, high)))
        planks.append(_cut(Look.WOOD, (foot + _CUT, low), (0.64, low), (0.64, high), (top + _CUT, high)))
    return planks


def _moon() -> Sequence[Piece]:
    return (Piece(Look.MOON, 0.0, 0.0, radius=0.3),)


_WHOLES = {
    MOTH: _moth(),
    DIVER: _diver(),
    THROWER: _thrower(),
    WARDEN: _warden(),
    KEEPER: _keeper(),
    WOODEN: _crate(),
    LUNAR: _moon(),
}

PIECES: tuple[Piece, ...] = tuple(piece for whole in _WHOLES.values() for piece in whole)
"""All pieces there are; ``Debris.piece`` is a row of it."""

MASSES = np.array([piece.mass() for piece in PIECES])
"""Of the bodies of the pieces (n,)."""


def rows_of(kind: int) -> range:
    """The rows in ``PIECES`` of what a kind of foe falls apart into, or a crate, or a moon."""
    first = 0
    for whole, pieces in _WHOLES.items():
        if whole == kind:
            return range(first, first + len(pieces))
        first += len(pieces)
    raise KeyError(kind)
