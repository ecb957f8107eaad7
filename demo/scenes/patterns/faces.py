"""Faces: two eyes that look where their body goes, and close when it sleeps."""

from __future__ import annotations

import numpy as np
from numpy import bool_, float64
from numpy.typing import NDArray

from ecsphys.demo.scenes.patterns.frames import Frames
from ecsphys.demo.scenes.sketch import Color, Sketch

_WHITE: Color = (0.97, 0.98, 1.0)
_DARK: Color = (0.05, 0.07, 0.11)
_APART, _HIGH = 0.36, 0.16
"""Where the eyes are, in parts of the body's smaller half size, as all lengths here."""
_EYE, _PUPIL, _LOOK = 0.27, 0.145, 0.11
_LID = 0.22
_LINE = 0.1
_CROSS = 0.19
_FULL_LOOK = 2.0
"""At this speed, in units/s, a pupil is at the rim of its eye."""


def paint_faces(sketch: Sketch, frames: Frames, velocity: NDArray[float64], has_crosses: NDArray[bool_]) -> None:
    """Eyes (2n) on bodies that move with a ``velocity`` (n, 2); those at rest close them, or have crosses instead."""
    asleep = (velocity == 0.0).all(axis=1)
    _paint_open(sketch, frames.select(~asleep), velocity[~asleep])
    starts, ends, least = _closed(frames.select(asleep & ~has_crosses), ((-_LID, 0.0), (_LID, 0.0)))
    crossed = frames.select(asleep & has_crosses)
    up = _closed(crossed, ((-_CROSS, -_CROSS), (_CROSS, _CROSS)))
    down = _closed(crossed, ((-_CROSS, _CROSS), (_CROSS, -_CROSS)))
    starts, ends, least = (np.concatenate(parts) for parts in zip((starts, ends, least), up, down, strict=True))
    if len(starts):
        sketch.strokes(starts, ends, np.maximum(_LINE * least / sketch.pixel, 1.0), _DARK, 0.9)


def _eyes(frames: Frames) -> tuple[NDArray[float64], NDArray[float64]]:
    """The middles of the eyes (2n, 2): all left ones, then all right ones; and half sizes (2n,) of their bodies."""
    least = frames.least[:, None]
    up = frames.center + _HIGH * least * frames.across
    apart = _APART * least * frames.axis
    return np.concatenate((up - apart, up + apart)), np.tile(least[:, 0], 2)


def _paint_open(sketch: Sketch, frames: Frames, velocity: NDArray[float64]) -> None:
    if not len(frames.rows):
        return
    eyes, least = _eyes(frames)
    speed = np.hypot(velocity[:, 0], velocity[:, 1])
    look = velocity * (_LOOK * np.minimum(speed / _FULL_LOOK, 1.0) / np.maximum(speed, 1e-9))[:, None]
    sketch.circles(eyes, _EYE * least, _WHITE, 0.96)
    sketch.circles(eyes + np.tile(look, (2, 1)) * least[:, None], _PUPIL * least, _DARK)


def _closed(
    frames: Frames, line: tuple[tuple[float, float], tuple[float, float]]
) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
    """A line in the frame of each eye: its ends (2n, 2) each, and half sizes (2n,) of the bodies."""
    eyes, least = _eyes(frames)
    axis, across = (np.tile(direction, (2, 1)) * least[:, None] for direction in (frames.axis, frames.across))
    starts, ends = (eyes + x * axis + y * across for x, y in line)
    return starts, ends, least
