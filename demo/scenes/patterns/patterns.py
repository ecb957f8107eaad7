"""Draws the patterns of a world over its bodies, in a few calls for all of them."""

from __future__ import annotations

import numpy as np
from numpy import bool_, float64, int64
from numpy.typing import NDArray

from ecsphys import Physics, Velocity
from ecsphys.demo.scenes.cached_join import CachedJoin
from ecsphys.demo.scenes.patterns.details import DETAILS, FACE_FILL, LENGTHWISE
from ecsphys.demo.scenes.patterns.faces import paint_faces
from ecsphys.demo.scenes.patterns.frames import Frames, frames_of
from ecsphys.demo.scenes.patterns.pattern import DOLL, FACES, Pattern
from ecsphys.demo.scenes.sketch import Sketch

_LEAST_PIXELS = 7.0
"""Bodies that are narrower than this have no details."""
_FINE_PIXELS, _CROWDED_PIXELS, _CROWD = 12.0, 34.0, 120
"""Bodies that are narrower have only the coarse details. In a crowd the second limit holds."""
_FACE_PIXELS = 12.0
"""Narrower ones have no face."""
_MOST_FACES = 1500
"""With more faces than this there are none: they would cost more than the bodies."""
_THINNEST = 0.9
"""No line is thinner, in pixels."""

_FILLS = {kind: details.fill for kind, details in DETAILS.items()} | dict.fromkeys(FACES, FACE_FILL)


class Patterns:
    """The patterns of the current world."""

    def __init__(self) -> None:
        self._patterned = CachedJoin(Pattern)

    def kinds(self, physics: Physics) -> NDArray[int64]:
        """The kind (n,) of the pattern of each of ``physics.debug.colliders``, 0 for none."""
        return self.kinds_of(physics.debug.colliders.entity)

    def kinds_of(self, owners: NDArray[int64]) -> NDArray[int64]:
        """The kind (n,) of the pattern of each of some entities (n,), 0 for none."""
        entities, rows = self._patterned()
        if not len(entities):
            return np.zeros(len(owners), int64)
        at = np.minimum(np.searchsorted(entities, owners), len(entities) - 1)
        return np.where(entities[at] == owners, Pattern.column("kind", writable=False)[rows][at], 0)

    def fills(self, physics: Physics, usual: float) -> NDArray[float64]:
        """The alpha (n,) of the colliders' insides: patterned ones are less transparent than usual."""
        kinds = self.kinds(physics)
        fills = np.full(len(kinds), usual)
        for kind in np.unique(kinds).tolist():
            fills[kinds == kind] = max(_FILLS.get(kind, usual), usual)
        return fills

    def paint(self, sketch: Sketch, physics: Physics, colors: NDArray[float64]) -> None:
        """Draw the patterns of all bodies that are large enough. ``colors`` (n, 4) are the colours of the colliders."""
        kinds = self.kinds(physics)
        rows = np.flatnonzero(kinds)
        if not rows.size:
            return
        frames = frames_of(physics, rows)
        frames = frames.select(_are_seen(sketch, frames))
        kinds = kinds[frames.rows]
        is_face = np.isin(kinds, FACES)
        self._paint_details(sketch, frames.select(~is_face), kinds[~is_face], colors[:, :3])
        # A face is on the first part of a compound.
        is_face &= physics.debug.colliders.part[frames.rows] <= 0
        is_face &= 2.0 * frames.least >= _FACE_PIXELS * sketch.pixel
        if 0 < np.count_nonzero(is_face) <= _MOST_FACES:
            faces = frames.select(is_face)
            paint_faces(sketch, faces, _velocities(physics, faces.rows), kinds[is_face] == DOLL)

    @staticmethod
    def _paint_details(sketch: Sketch, frames: Frames, kinds: NDArray[int64], colors: NDArray[float64]) -> None:
        lines: list[tuple[NDArray[float64], ...]] = []
        dots: list[tuple[NDArray[float64], ...]] = []
        least_pixels = _FINE_PIXELS if len(frames.rows) <= _CROWD else _CROWDED_PIXELS
        for kind in np.unique(kinds).tolist():
            own, details = frames.select(kinds == kind), DETAILS[kind]
            if kind in LENGTHWISE:
                own = own.lengthwise()
            fine = 2.0 * own.least >= least_pixels * sketch.pixel
            for chosen, table in (
                (own.select(fine), details.lines),
                (own.select(~fine), details.lines[: details.coarse]),
            ):
                if len(chosen.rows):
                    starts, ends = (_placed(chosen, table[:, end]) for end in ((0, 1), (2, 3)))
                    widths = np.maximum(chosen.least[:, None] * table[:, 4] / sketch.pixel, _THINNEST)
                    tints = _shaded(colors[chosen.rows], table[:, 5])
                    lines.append(_flat(starts, ends, widths, tints, table[:, 6]))
            own = own.select(fine)
            level = own._replace(axis=np.tile((1.0, 0.0), (len(own.rows), 1)))
            for frame, table in ((own, details.dots), (level, details.glints)):
                if len(table) and len(own.rows):
                    tints = _shaded(colors[own.rows], table[:, 3])
                    radius = own.least[:, None] * table[:, 2]
                    dots.append(_flat(_placed(frame, table[:, (0, 1)]), radius, tints, table[:, 4]))
        if lines:
            starts, ends, widths, tints, alphas = (np.concatenate(column) for column in zip(*lines, strict=True))
            sketch.strokes(starts, ends, widths, tints, alphas)
        if dots:
            places, radius, tints, alphas = (np.concatenate(column) for column in zip(*dots, strict=True))
            sketch.circles(places, radius, tints, alphas)


def _are_seen(sketch: Sketch, frames: Frames) -> NDArray[bool_]:
    """Which frames are in the picture and large enough for details."""
    low_x, low_y, high_x, high_y = sketch.view
    reach = frames.half.max(axis=1)
    x, y = frames.center.T
    inside = (x + reach > low_x) & (x - reach < high_x) & (y + reach > low_y) & (y - reach < high_y)
    seen: NDArray[bool_] = inside & (2.0 * frames.least >= _LEAST_PIXELS * sketch.pixel)
    return seen


def _velocities(physics: Physics, rows: NDArray[int64]) -> NDArray[float64]:
    """The velocity (n, 2) of the bodies of some colliders; one that only turns has a tiny one, as it is awake."""
    own = physics.debug.colliders.velocity_row[rows]
    x, y, turn = (
        np.where(own >= 0, Velocity.column(name, writable=False)[np.maximum(own, 0)], 0.0)
        for name in ("x", "y", "angular")
    )
    return np.column_stack((np.where((x == 0.0) & (y == 0.0), 1e-9 * turn, x), y))


def _placed(frames: Frames, points: NDArray[float64]) -> NDArray[float64]:
    """Points (m, 2) of a pattern on each of n bodies: (n, m, 2) in the world."""
    x = (frames.half[:, :1] * points[:, 0])[:, :, None]
    y = (frames.half[:, 1:] * points[:, 1])[:, :, None]
    return frames.center[:, None] + x * frames.axis[:, None] + y * frames.across[:, None]


def _shaded(tints: NDArray[float64], shades: NDArray[float64]) -> NDArray[float64]:
    """Tints (n, 3) made darker or brighter by m shades: (n, m, 3)."""
    tint, shade = tints[:, None], shades[:, None]
    return np.where(shade < 0.0, tint * (1.0 + shade), tint + shade * (1.0 - tint))


def _flat(*columns: NDArray[float64]) -> tuple[NDArray[float64], ...]:
    """Arrays (n, m, …) as (n · m, …); the last one, (m,), is repeated for each body."""
    *of_each, last = columns
    count = len(of_each[0])
    return *(column.reshape(-1, *column.shape[2:]) for column in of_each), np.tile(last, count)
