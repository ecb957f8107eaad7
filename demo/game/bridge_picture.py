"""Paints the rope bridge: planks, the ropes that carry them, and a rail on either side of the hero."""

from __future__ import annotations

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import Transform
from ecsphys.demo.game import palette
from ecsphys.demo.game.bridge import PLANKS, THICK
from ecsphys.demo.game.copies import paint_copies
from ecsphys.demo.game.level import BRIDGE, VIEW_WIDTH
from ecsphys.demo.game.paint import Block, Paint, moved
from ecsphys.demo.game.parts import BridgePlank
from ecsphys.demo.palette import Color
from ecsphys.demo.scenes.cached_join import CachedJoin

RAIL = 0.95
"""The height of the far rail above the planks; the near one is lower, as it is closer to the eye."""

_NEAR = 0.72
_POST = 1.35
_ASIDE = 0.3  # of the posts, from the gap
_HALF = 0.5 * (BRIDGE[1] - BRIDGE[0]) / PLANKS - 0.02


class BridgePicture:
    """``paint_behind`` comes before the hero is painted, ``paint_before`` after."""

    def __init__(self) -> None:
        self._pixel = 0.0
        self._plank: Block | None = None
        self._planks = CachedJoin(BridgePlank, Transform)

    def paint_behind(self, brush: Paint, view_x: float, time: float) -> None:
        """The posts, the far rail, and the planks."""
        if not _is_seen(view_x):
            return
        x, y, angle = self._poses()
        _paint_rail(brush, x, y, angle, RAIL, palette.WOOD_DARK)
        for post in _posts():
            _paint_post(brush, post, _POST, palette.WOOD_DARK)
            _paint_lantern(brush, post, time)
        if self._plank is None or brush.pixel != self._pixel:
            self._pixel, self._plank = brush.pixel, _plank(brush.pixel)
        paint_copies(brush, self._plank, x, y, angle)

    def paint_before(self, brush: Paint, view_x: float) -> None:
        """The near rail."""
        if not _is_seen(view_x):
            return
        x, y, angle = self._poses()
        _paint_rail(brush, x, y, angle, _NEAR, palette.WOOD)
        for post in _posts():
            _paint_post(brush, post, _POST - 0.2, palette.WOOD)

    def _poses(self) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
        """Of the planks, from the left."""
        _, planks, places = self._planks()
        rows = places[np.argsort(BridgePlank.column("number", writable=False)[planks])]
        x, y, angle = (Transform.column(name, writable=False)[rows] for name in ("x", "y", "angle"))
        return x, y, angle


def _is_seen(view_x: float) -> bool:
    return BRIDGE[0] - 1.0 < view_x + 0.5 * VIEW_WIDTH and view_x - 0.5 * VIEW_WIDTH < BRIDGE[1] + 1.0


def _posts() -> tuple[float, float]:
    return BRIDGE[0] - _ASIDE, BRIDGE[1] + _ASIDE


def _plank(pixel: float) -> Block:
    paint = Paint()
    paint.start(pixel)
    paint.box(0.0, 0.0, (_HALF, THICK), 0.0, palette.WOOD_DARK)
    paint.box(0.0, 0.02, (_HALF - 0.03, THICK - 0.045), 0.0, palette.WOOD)
    paint.box(0.0, THICK - 0.025, (_HALF, 0.025), 0.0, palette.WOOD_LIGHT)
    return paint.block()


def _paint_rail(
    brush: Paint, x: NDArray[float64], y: NDArray[float64], angle: NDArray[float64], height: float, color: Color
) -> None:
    """A rope from post to post that follows the planks, and a string from it down to each of them."""
    across, up = -np.sin(angle), np.cos(angle)
    foot = np.column_stack((x, y))
    top = foot + height * np.column_stack((across, up))
    left, right = _posts()
    ends = np.array(((left, height + 0.25), (right, height + 0.25)))
    rope = np.vstack((ends[:1], top, ends[1:]))
    strings = np.stack((moved(foot, -0.03, 0.0), moved(foot, 0.03, 0.0), top), axis=1)
    tints = np.broadcast_to(np.array((*color, 1.0)), (*strings.shape[:2], 4))
    brush.triangles(strings.reshape(-1, 2), tints.reshape(-1, 4))
    brush.line(rope, 0.08, color)
    brush.line(moved(rope, 0.0, 0.025), 0.03, palette.WOOD_LIGHT, 0.8)


def _paint_post(brush: Paint, x: float, height: float, color: Color) -> None:
    brush.box(x, 0.5 * height - 0.1, (0.11, 0.5 * height + 0.1), 0.0, color)
    brush.box(x - 0.06, 0.5 * height - 0.1, (0.03, 0.5 * height + 0.1), 0.0, palette.WOOD_LIGHT, 0.7)


def _paint_lantern(brush: Paint, x: float, time: float) -> None:
    """A light on a post, which flickers."""
    here = np.array([[x, _POST + 0.22]])
    flicker = 0.9 + 0.1 * np.sin(11.0 * time + 3.0 * x) * np.sin(7.3 * time)
    brush.discs(here, 1.5 * flicker, palette.EYE, 0.42, edge=0.0, light=True)
    brush.box(x, _POST + 0.2, (0.14, 0.2), 0.0, palette.INK)
    brush.box(x, _POST + 0.2, (0.08, 0.13), 0.0, palette.MOTE)
