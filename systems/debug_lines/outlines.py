"""The outlines of placed shapes as points, many shapes at once.

Shapes are grouped by their number of points, so that each group is one array. All points lie on the boundary of their
shape. They are computed relative to the position of the entity, which is added last: far from the origin of the world
an outline loses no more than the rounding of its coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.engine.math.elementwise import angles_of, cos_sin_of
from ecsphys.engine.shapes import layout
from ecsphys.engine.shapes.segment import SEGMENT_VERTICES

Floats = NDArray[float64]
Rows = NDArray[int64]


class Outlines(NamedTuple):
    """Outlines with the same number of points: the rows ``which`` (k,) of their shapes, their ``points`` (k, m, 2) in
    the world, counter-clockwise, and whether a last segment leads back to the first point."""

    which: Rows
    points: Floats
    is_closed: bool


def outlines_of(shapes: layout.ShapeArrays, segments: int) -> Iterator[Outlines]:
    """The outlines of placed shapes, group by group; a full circle has ``segments`` lines.

    The segments of chains that have no radius are open lines of two points.
    """
    forms, numbers = shapes.forms, shapes.shapes
    for form, write in ((layout.CIRCLE, _circles), (layout.BOX, _boxes), (layout.CAPSULE, _capsules)):
        which = np.flatnonzero(forms == form)
        if which.size:
            yield _placed(which, shapes, *write(numbers[which], segments))
    which = np.flatnonzero((forms == layout.FAN) | (forms == layout.WIDE_FAN))
    if which.size:
        half = angles_of(numbers[which][:, [layout.COS_HALF, layout.SIN_HALF]])
        parts = np.maximum(np.ceil(segments * half / math.pi), 1.0).astype(int64)
        for count in np.unique(parts).tolist():
            chosen = parts == count
            yield _placed(which[chosen], shapes, *_fans(numbers[which[chosen]], half[chosen], count))
    which = np.flatnonzero(forms == layout.POLYGON)
    if which.size:
        yield from _polygons(which, shapes, segments)


def outline_segments(shapes: layout.ShapeArrays, segments: int) -> tuple[Rows, Floats]:
    """All outlines as segments (n, 2, 2) from point to point, and the row (n,) of the shape that each is of."""
    outlines = list(outlines_of(shapes, segments))
    counts = [len(one.which) * _segments_in(one) for one in outlines]
    which, found = np.empty(sum(counts), int64), np.empty((sum(counts), 2, 2))
    end = 0
    for one, count in zip(outlines, counts, strict=True):
        start, end = end, end + count
        which[start:end] = np.repeat(one.which, _segments_in(one))
        rows = found[start:end].reshape(len(one.which), _segments_in(one), 2, 2)
        if one.is_closed:
            rows[:, :, 0] = one.points
            rows[:, :-1, 1], rows[:, -1, 1] = one.points[:, 1:], one.points[:, 0]
        else:
            rows[:, :, 0], rows[:, :, 1] = one.points[:, :-1], one.points[:, 1:]
    return which, found


def _segments_in(outlines: Outlines) -> int:
    return int(outlines.points.shape[1]) - (not outlines.is_closed)


def _placed(which: Rows, shapes: layout.ShapeArrays, x: Floats, y: Floats, is_closed: bool = True) -> Outlines:
    """Outlines from points in the frames of the shapes: about their centres, along their axes."""
    numbers, positions = shapes.shapes[which], shapes.positions[which]
    axis_x, axis_y = numbers[:, layout.AXIS_X, None], numbers[:, layout.AXIS_Y, None]
    points = np.empty((len(which), x.shape[1], 2))
    points[:, :, 0] = positions[:, :1] + (numbers[:, layout.CX, None] + (axis_x * x - axis_y * y))
    points[:, :, 1] = positions[:, 1:] + (numbers[:, layout.CY, None] + (axis_y * x + axis_x * y))
    return Outlines(which, points, is_closed)


@cache
def _arc(start: float, turn: float, parts: int) -> tuple[Floats, Floats]:
    """The points (parts + 1,) of an arc of the unit circle."""
    return cos_sin_of(start + turn * np.arange(parts + 1) / parts)


def _circles(numbers: Floats, segments: int) -> tuple[Floats, Floats]:
    cosines, sines = _arc(0.0, 2.0 * math.pi, segments)
    radius = numbers[:, layout.RADIUS, None]
    return radius * cosines[:-1], radius * sines[:-1]


def _boxes(numbers: Floats, _: int) -> tuple[Floats, Floats]:
    half_x, half_y = numbers[:, layout.HALF_X, None], numbers[:, layout.HALF_Y, None]
    return half_x * (-1.0, 1.0, 1.0, -1.0), half_y * (-1.0, -1.0, 1.0, 1.0)


def _capsules(numbers: Floats, segments: int) -> tuple[Floats, Floats]:
    cosines, sines = _arc(-0.5 * math.pi, math.pi, -(-segments // 2))
    half, radius = numbers[:, layout.HALF_X, None], numbers[:, layout.RADIUS, None]
    x, y = half + radius * cosines, radius * sines
    return np.hstack((x, -x)), np.hstack((y, -y))


def _fans(numbers: Floats, half: Floats, parts: int) -> tuple[Floats, Floats]:
    angles = half[:, None] * np.linspace(-1.0, 1.0, parts + 1)
    cosines, sines = cos_sin_of(angles)
    # The apex comes first.
    x, y = np.zeros((len(half), parts + 2)), np.zeros((len(half), parts + 2))
    x[:, 1:], y[:, 1:] = numbers[:, layout.RADIUS, None] * cosines, numbers[:, layout.RADIUS, None] * sines
    return x, y


def _polygons(which: Rows, shapes: layout.ShapeArrays, segments: int) -> Iterator[Outlines]:
    numbers = shapes.shapes[which]
    counts, is_round = numbers[:, layout.COUNT].astype(int64), numbers[:, layout.RADIUS] > 0.0
    for count in np.unique(counts).tolist():
        for rounded in (False, True):
            chosen = (counts == count) & (is_round == rounded)
            if not chosen.any():
                continue
            starts = numbers[chosen, layout.START].astype(int64)
            run = shapes.pool[starts[:, None] + np.arange(count)]
            x, y = run[:, :, layout.POOL_X], run[:, :, layout.POOL_Y]
            if rounded:
                x, y = _rounded(run, numbers[chosen, layout.RADIUS], segments)
            yield _placed(which[chosen], shapes, x, y, rounded or count > SEGMENT_VERTICES)


def _rounded(run: Floats, radius: Floats, segments: int) -> tuple[Floats, Floats]:
    """Polygons (k, count) of the pool, grown by their radii: an arc about each vertex, from the normal of the edge
    before it to the normal of the edge after it."""
    normals = run[:, :, [layout.POOL_NORMAL_X, layout.POOL_NORMAL_Y]]
    before = np.roll(normals, 1, axis=1)
    count = run.shape[1]
    if count == SEGMENT_VERTICES:
        # Both ends turn by half a circle. Otherwise rounding would decide its sign.
        turn = np.full(run.shape[:2], math.pi)
    else:
        cross = before[:, :, 0] * normals[:, :, 1] - before[:, :, 1] * normals[:, :, 0]
        dot = before[:, :, 0] * normals[:, :, 0] + before[:, :, 1] * normals[:, :, 1]
        turn = angles_of(np.stack((dot, cross), axis=2).reshape(-1, 2)).reshape(run.shape[:2])
        turn = np.maximum(turn, 0.0)
    parts = -(-segments // count)
    cosines, sines = cos_sin_of(turn[:, :, None] * (np.arange(parts + 1) / parts))
    normal_x, normal_y, reach = before[:, :, 0, None], before[:, :, 1, None], radius[:, None, None]
    x = run[:, :, layout.POOL_X, None] + reach * (cosines * normal_x - sines * normal_y)
    y = run[:, :, layout.POOL_Y, None] + reach * (sines * normal_x + cosines * normal_y)
    return x.reshape(len(run), -1), y.reshape(len(run), -1)
