"""Poses in which geometry degenerates: in line, parallel, sharing an end, flush, corner on corner, concentric."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy import float64
from numpy.random import Generator

from checks.convex_overlap import PI, Part, Reals, unit
from checks.shape_batches import GUISES, Batch, Floats
from ecsphys.engine.shapes.layout import KIND_AABB, KIND_CIRCLE

# Where a family's pairs are, and how far a batch's are from there.
_PLACES = (0.0, 0.0, 1e3, 1e7)


def draw_pairs(random: Generator, family: str, guise_a: str, guise_b: str, count: int) -> tuple[Batch, Batch]:
    """``count`` pairs of two guises in the poses of a family."""
    a, b = GUISES[guise_a](random, count), GUISES[guise_b](random, count)
    _turn(random, a, _round_angles(random, count))
    _turn(random, b, _round_angles(random, count))
    place = random.choice(_PLACES)
    a.positions[:] = place * random.choice([-1.0, 1.0], 2) * random.uniform(0.5, 1.0, (count, 2))
    if place == 0.0 and random.random() < 0.5:
        a.positions[:] = random.uniform(-3.0, 3.0, (count, 2))
    offset = FAMILIES[family](random, a, b)
    b.positions[:] = a.positions + offset.astype(float64)
    return a, b


def _turn(random: Generator, batch: Batch, angles: Floats) -> None:
    """By the transform's angle, the collider's own, or both."""
    batch.turns[:] = 0.0
    batch.angles[:] = 0.0
    if batch.kind in (KIND_AABB, KIND_CIRCLE) or random.random() < 0.6:
        batch.turns[:] = angles
    elif random.random() < 0.5:
        batch.angles[:] = angles
    else:
        batch.angles[:] = random.choice([0.0, math.pi / 2, -math.pi, 0.7])
        batch.turns[:] = angles - batch.angles


def _round_angles(random: Generator, count: int) -> Floats:
    """Multiples of π/8 with a few ulps of noise, and some others."""
    angles = random.integers(-16, 17, count) * (math.pi / 8)
    angles += random.integers(-3, 4, count) * np.spacing(angles)
    return np.asarray(np.where(random.random(count) < 0.25, random.uniform(-7.0, 7.0, count), angles))


def _gaps(random: Generator, a: list[Part], b: list[Part]) -> Reals:
    """Between surfaces, of all magnitudes and both signs: 0, about the sum of the roundings, up to the sizes."""
    count = len(a[0].rounding)
    size = np.asarray(_size(a) + _size(b), float64)
    cores = np.asarray(a[0].rounding + b[0].rounding, float64)
    small = 10.0 ** random.uniform(-17.0, -1.0, count) * size
    signs = random.choice([-1.0, 1.0], count)
    choice = random.random(count)
    gaps = np.where(choice < 0.5, signs * small, signs * random.random(count) * size)
    gaps = np.where(choice < 0.3, signs * small - cores, gaps)
    gaps = np.where(choice < 0.15, -cores, gaps)
    return np.where(choice < 0.1, 0.0, gaps).astype(np.longdouble)


def _size(parts: list[Part]) -> Reals:
    return np.asarray(
        np.max([np.hypot(*np.moveaxis(p.corners - p.corners[:, :1], -1, 0)).max(1) for p in parts], 0)
    ) + (parts[0].rounding)


def _reach(parts: list[Part], angle: Reals) -> Reals:
    return np.asarray(np.max([part.support(angle) for part in parts], 0))


def _heart(parts: list[Part]) -> Reals:
    """A point that families call the middle: of a fan its apex, else the mean of its corners."""
    return np.asarray(parts[0].corners[:, 0] if parts[0].arc is not None else parts[0].corners.mean(1))


def _apart(random: Generator, a: Batch, b: Batch, angle: Reals, along: Reals) -> Reals:
    """The offset from a to b that leaves a gap in the direction of an angle, and shifts b along the line across it."""
    parts_a, parts_b = a.parts(), b.parts()
    n = unit(angle)
    t = np.stack((-n[:, 1], n[:, 0]), -1)
    heart = _heart(parts_a) - _heart(parts_b)
    reach = _reach(parts_a, angle) + _reach(parts_b, angle + PI) + _gaps(random, parts_a, parts_b)
    sideways = (heart * t).sum(-1) + along
    return np.asarray(reach[:, None] * n + sideways[:, None] * t)


def _axis(batch: Batch) -> Reals:
    turn = np.zeros(len(batch)) if batch.kind == KIND_AABB else batch.turns
    return np.asarray(turn.astype(np.longdouble) + batch.angles)


def _align(random: Generator, a: Batch, b: Batch, turn: Floats) -> None:
    """Turn b so that its axis is a's, turned; where b cannot turn, a."""
    if b.kind == KIND_AABB:
        a.turns[:] = -turn - a.angles
    else:
        b.turns[:] = np.asarray(_axis(a), float64) + turn - b.angles
    noisy = a if b.kind == KIND_AABB else b
    noisy.turns[:] += random.integers(-3, 4, len(a)) * np.spacing(noisy.turns)


def _in_line(random: Generator, a: Batch, b: Batch) -> Reals:
    _align(random, a, b, random.choice([0.0, 0.0, math.pi], len(a)))
    return _apart(random, a, b, _axis(a), np.zeros(len(a), np.longdouble))


def _parallel(random: Generator, a: Batch, b: Batch) -> Reals:
    _align(random, a, b, random.choice([0.0, math.pi / 2, math.pi], len(a)))
    size = _size(a.parts()) + _size(b.parts())
    along = np.where(random.random(len(a)) < 0.3, 0.0, random.uniform(-1.0, 1.0, len(a)))
    return _apart(random, a, b, _axis(a) + random.choice([-0.5, 0.5], len(a)) * PI, along * size)


def _anchors(random: Generator, parts: list[Part]) -> Reals:
    """A corner of each, of its core where it is rounded."""
    corners = np.concatenate([part.corners for part in parts], 1)
    return np.asarray(corners[np.arange(len(corners)), random.integers(0, corners.shape[1], len(corners))])


def _sharing_an_end(random: Generator, a: Batch, b: Batch) -> Reals:
    return _anchors(random, a.parts()) - _anchors(random, b.parts())


def _corner_on_corner(random: Generator, a: Batch, b: Batch) -> Reals:
    """Cores as far apart as the gap says, in a direction that is a multiple of π/8."""
    parts_a, parts_b = a.parts(), b.parts()
    gap = np.abs(_gaps(random, parts_a, parts_b)) * random.choice([1.0, 0.0, -1.0], len(a))
    angle = random.integers(0, 16, len(a)) * (PI / 8)
    return np.asarray(_anchors(random, parts_a) - _anchors(random, parts_b) + gap[:, None] * unit(angle))


def _edges(batch: Batch, which: Floats) -> tuple[Reals, Reals, Reals]:
    """An edge of each, chosen by numbers in [0, 1): (start, end, normal's angle), on the rounded outline.

    Of a circle it is one of 16 tangents.
    """
    parts = batch.parts()
    rows = np.arange(len(batch))
    normals, corners = parts[0].normals, parts[0].corners
    if parts[0].arc is not None:
        normals = np.stack((parts[0].normals[:, 0], parts[-1].normals[:, 1]), 1)
        starts = np.stack((parts[0].corners[:, 0], parts[-1].corners[:, 2]), 1)
        ends = np.stack((parts[0].corners[:, 1], parts[-1].corners[:, 0]), 1)
    elif normals.shape[1] == 0:
        normals = np.floor(16 * which)[:, None] * (PI / 8)
        starts = ends = corners
    else:
        starts, ends = corners, np.roll(corners, -1, axis=1)
    k = (which * starts.shape[1]).astype(int)
    normal = normals[rows, k]
    out = parts[0].rounding[:, None] * unit(normal)
    return starts[rows, k] + out, ends[rows, k] + out, normal


def _flush(random: Generator, a: Batch, b: Batch) -> Reals:
    """An edge of each in one line, facing each other or on the same side of it, ends aligned or not."""
    which_a, which_b = random.random(len(a)), random.random(len(a))
    facing = np.where(random.random(len(a)) < 0.8, 1.0, 0.0)
    if a.kind == KIND_AABB and b.kind == KIND_AABB:
        which_b = (which_a + 0.5 * facing) % 1.0
    turner, other = (b, a) if b.kind != KIND_AABB else (a, b)
    if turner.kind != KIND_AABB:
        _, _, own = _edges(turner, which_b if turner is b else which_a)
        _, _, towards = _edges(other, which_a if turner is b else which_b)
        turn = towards + facing * PI - own
        turner.turns[:] += np.asarray(np.mod(turn + PI, 2 * PI) - PI, float64)
        turner.turns[:] += random.integers(-3, 4, len(a)) * np.spacing(turner.turns)
    start_a, end_a, normal = _edges(a, which_a)
    start_b, end_b, _ = _edges(b, which_b)
    shares = random.choice([0.0, 0.5, 1.0, 0.3], (2, len(a)))
    on_a = start_a + shares[0][:, None] * (end_a - start_a)
    on_b = start_b + shares[1][:, None] * (end_b - start_b)
    gap = _gaps(random, a.parts(), b.parts())
    return np.asarray(on_a - on_b + gap[:, None] * unit(normal))


def _concentric(random: Generator, a: Batch, b: Batch) -> Reals:
    noise = random.choice([0.0, 1e-17, 1e-16, 1e-12, 1e-9], len(a))[:, None] * random.uniform(-1, 1, (len(a), 2))
    return np.asarray(_heart(a.parts()) - _heart(b.parts()) + noise)


def _anyhow(random: Generator, a: Batch, b: Batch) -> Reals:
    _turn(random, a, random.uniform(-7.0, 7.0, len(a)))
    _turn(random, b, random.uniform(-7.0, 7.0, len(a)))
    size = (_size(a.parts()) + _size(b.parts()))[:, None]
    return np.asarray(_heart(a.parts()) - _heart(b.parts()) + size * random.uniform(-1.0, 1.0, (len(a), 2)))


FAMILIES: dict[str, Callable[[Generator, Batch, Batch], Reals]] = {
    "in line": _in_line,
    "parallel": _parallel,
    "sharing an end": _sharing_an_end,
    "flush": _flush,
    "corner on corner": _corner_on_corner,
    "concentric": _concentric,
    "anyhow": _anyhow,
}
