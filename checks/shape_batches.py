"""Many colliders of one kind at once: drawn at random, placed by the engine, and as parts in extended precision."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy import float64, int64, uint8
from numpy.random import Generator
from numpy.typing import NDArray

from checks.convex_overlap import PI, Part, Reals, unit
from ecsphys import COLLIDER_CLASSES, Collider, PolygonCollider, Transform
from ecsphys.components.collision.colliders import collider_blocks, place_loose, shape_arrays
from ecsphys.engine.shapes.layout import (
    KIND_AABB,
    KIND_CAPSULE,
    KIND_CIRCLE,
    KIND_FAN,
    KIND_OBB,
    KIND_POLYGON,
    ShapeArrays,
)

Floats = NDArray[float64]

# The fields of each kind's component, as place_shapes takes them, but for offsets and angle.
_SIZES = {KIND_CIRCLE: 1, KIND_AABB: 2, KIND_OBB: 2, KIND_CAPSULE: 2, KIND_FAN: 2, KIND_POLYGON: 1}
_TURNS = (KIND_OBB, KIND_CAPSULE, KIND_FAN, KIND_POLYGON)

# Outlines that the polygons of a batch choose from.
_OUTLINES = 16


@dataclass
class Batch:
    """n colliders of one kind with their transforms.

    ``sizes`` (fields, n): radius; half sizes; length and radius; radius and spread; rounding. ``outlines`` are the
    polygons to choose from, (m, k, 2), ``which`` (n,) is the choice.
    """

    kind: int
    sizes: Floats
    offsets: Floats  # (n, 2)
    angles: Floats  # (n,) of the collider, 0 where it has none
    positions: Floats  # (n, 2)
    turns: Floats  # (n,) of the transform
    polygons: list[PolygonCollider]
    which: NDArray[int64]

    def __len__(self) -> int:
        return len(self.turns)

    def rows(self, which: NDArray[int64]) -> Batch:
        """Some of them."""
        return replace(
            self,
            sizes=self.sizes[:, which],
            offsets=self.offsets[which],
            angles=self.angles[which],
            positions=self.positions[which],
            turns=self.turns[which],
            which=self.which[which],
        )

    def parts(self) -> list[Part]:
        """What their union is: one convex part, three of a wide fan; relative to the position."""
        turn = np.zeros(len(self), np.longdouble) if self.kind == KIND_AABB else self.turns.astype(np.longdouble)
        centre = turned(self.offsets.astype(np.longdouble)[:, None, :], turn)
        angle = turn + self.angles
        sizes = self.sizes.astype(np.longdouble)
        none = np.zeros(len(self), np.longdouble)
        if self.kind == KIND_CIRCLE:
            return [Part(centre, np.zeros((len(self), 0), np.longdouble), sizes[0])]
        if self.kind == KIND_FAN:
            return self._sectors(centre, angle)
        if self.kind == KIND_POLYGON:
            outlines = np.array([polygon.vertices for polygon in self.polygons]).astype(np.longdouble)
            edges = np.roll(outlines, -1, axis=1) - outlines
            normals = np.arctan2(-edges[..., 0], edges[..., 1])
            corners = turned(outlines[self.which], angle) + centre
            return [Part(corners, normals[self.which] + angle[:, None], sizes[0])]
        x, y = sizes[0], sizes[1]
        if self.kind == KIND_CAPSULE:
            half = x / 2
            local = np.stack((np.stack((-half, none), -1), np.stack((half, none), -1)), 1)
            normals = np.stack((angle - PI / 2, angle + PI / 2), -1)
            return [Part(turned(local, angle) + centre, normals, y)]
        local = np.stack([np.stack((sx * x, sy * y), -1) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))], 1)
        normals = angle[:, None] + (np.arange(4) - 1) * (PI / 2)
        return [Part(turned(local, angle) + centre, normals, none)]

    def _sectors(self, centre: Reals, angle: Reals) -> list[Part]:
        radius, spread = self.sizes[0].astype(np.longdouble), self.sizes[1].astype(np.longdouble)
        none = np.zeros(len(self), np.longdouble)
        if (self.sizes[1] == 2 * math.pi).all():
            return [Part(centre, np.zeros((len(self), 0), np.longdouble), radius)]
        pieces = 1 if (self.sizes[1] <= math.pi).all() else 3
        parts = []
        for k in range(pieces):
            start = angle - spread / 2 + k * (spread / pieces)
            end = start + spread / pieces
            corners = np.concatenate(
                (
                    centre,
                    centre + (radius[:, None] * unit(start))[:, None],
                    centre + (radius[:, None] * unit(end))[:, None],
                ),
                1,
            )
            normals = np.stack((start - PI / 2, end + PI / 2), -1)
            parts.append(Part(corners, normals, none, np.stack((start, end), -1)))
        return parts

    def extents(self) -> Floats:
        """How far each reaches from its position, about."""
        reaches = [np.hypot(part.corners[..., 0], part.corners[..., 1]).max(1) + part.rounding for part in self.parts()]
        return np.asarray(np.max(reaches, 0), float64)

    def describe(self, row: int) -> str:
        """One of them and its transform, as one would write them."""
        cls, values, place = self._written(row)
        return f"{cls.__name__}({', '.join(map(repr, values))}), Transform({', '.join(map(repr, place))})"

    def build(self, row: int) -> tuple[Collider, Transform]:
        """One of them and its transform."""
        cls, values, place = self._written(row)
        return cls(*values), Transform(*place)

    def _written(self, row: int) -> tuple[type[Any], list[Any], list[float]]:
        cls = COLLIDER_CLASSES[self.kind]
        values: list[Any] = [*self.sizes[:, row].tolist(), *self.offsets[row].tolist()]
        if self.kind in _TURNS:
            values.insert(2 if self.kind == KIND_FAN else len(values), float(self.angles[row]))
        if self.kind == KIND_POLYGON:
            values.insert(0, self.polygons[self.which[row]].vertices)
        return cls, values, [*self.positions[row].tolist(), float(self.turns[row])]


def turned(points: Reals, angle: Reals) -> Reals:
    """Points (n, k, 2) turned by the angles (n,)."""
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    x, y = points[..., 0], points[..., 1]
    return np.stack((c * x - s * y, s * x + c * y), -1)


def place(*batches: Batch) -> ShapeArrays:
    """The batches' colliders, one after the other."""
    total = sum(map(len, batches))
    sizes = {kind: np.zeros((count + 2 + (kind in _TURNS), total)) for kind, count in _SIZES.items()}
    runs = np.zeros((2, total), int64)
    transforms = np.zeros((3, total))
    kinds = np.zeros(total, uint8)
    begin = 0
    for batch in batches:
        rows = slice(begin, begin + len(batch))
        begin += len(batch)
        kinds[rows] = batch.kind
        transforms[:2, rows] = batch.positions.T
        transforms[2, rows] = batch.turns
        block = sizes[batch.kind]
        block[: len(batch.sizes), rows] = batch.sizes
        if batch.kind == KIND_FAN:
            block[2, rows] = batch.angles
            block[3:5, rows] = batch.offsets.T
        else:
            offsets = len(batch.sizes)
            block[offsets : offsets + 2, rows] = batch.offsets.T
            if batch.kind in _TURNS:
                block[offsets + 2, rows] = batch.angles
        if batch.kind == KIND_POLYGON:
            starts = np.array([polygon._start for polygon in batch.polygons], int64)
            runs[0, rows] = starts[batch.which]
            runs[1, rows] = len(batch.polygons[0].vertices)
    every = np.arange(total, dtype=np.int32)
    blocks = collider_blocks()._replace(
        circle=sizes[KIND_CIRCLE],
        aabb=sizes[KIND_AABB],
        obb=sizes[KIND_OBB],
        capsule=sizes[KIND_CAPSULE],
        fan=sizes[KIND_FAN],
        polygon=sizes[KIND_POLYGON],
        polygon_runs=runs,
    )
    return shape_arrays(place_loose(kinds, every, transforms, every, blocks=blocks))


def _lengths(random: Generator, count: int) -> Floats:
    """From 0.05 to 3, some of them round numbers; all of a batch now and then a thousandth."""
    drawn = np.exp(random.uniform(math.log(0.05), math.log(3.0), count))
    return np.asarray(np.where(random.random(count) < 0.3, random.choice([0.25, 0.5, 1.0, 2.0], count), drawn))


def _batch(random: Generator, kind: int, sizes: list[Floats], polygons: list[PolygonCollider]) -> Batch:
    count = len(sizes[0])
    offsets = np.zeros((count, 2))
    if random.random() < 0.3:
        offsets = random.uniform(-1.0, 1.0, (count, 2))
    scale = 1e-3 if random.random() < 0.1 else 1.0
    if kind == KIND_FAN:
        sizes = [scale * sizes[0], sizes[1]]
    elif kind != KIND_POLYGON:
        sizes = [scale * size for size in sizes]
    which = random.integers(0, max(len(polygons), 1), count)
    zeros = np.zeros(count)
    return Batch(kind, np.array(sizes), offsets, zeros, np.zeros((count, 2)), zeros.copy(), polygons, which)


def _circles(random: Generator, count: int) -> Batch:
    return _batch(random, KIND_CIRCLE, [_lengths(random, count)], [])


def _aabbs(random: Generator, count: int) -> Batch:
    return _batch(random, KIND_AABB, [_lengths(random, count), _lengths(random, count)], [])


def _obbs(random: Generator, count: int) -> Batch:
    return _batch(random, KIND_OBB, [_lengths(random, count), _lengths(random, count)], [])


def _capsules(random: Generator, count: int) -> Batch:
    return _batch(random, KIND_CAPSULE, [_lengths(random, count), _lengths(random, count)], [])


def _points(random: Generator, count: int) -> Batch:
    return _batch(random, KIND_CAPSULE, [np.zeros(count), _lengths(random, count)], [])


def _needles(random: Generator, count: int) -> Batch:
    return _batch(random, KIND_CAPSULE, [_lengths(random, count), 1e-6 * _lengths(random, count)], [])


def _fans(spreads: Callable[[Generator, int], Floats]) -> Callable[[Generator, int], Batch]:
    def draw(random: Generator, count: int) -> Batch:
        return _batch(random, KIND_FAN, [_lengths(random, count), spreads(random, count)], [])

    return draw


def _narrow(random: Generator, count: int) -> Floats:
    few = random.choice([1e-9, 1e-3, math.pi / 4, math.pi / 2, math.pi], count)
    return np.asarray(np.where(random.random(count) < 0.5, few, random.uniform(0.01, math.pi, count)))


def _pointed(random: Generator, count: int) -> Floats:
    return np.asarray(10.0 ** random.uniform(-9.0, -2.0, count))


def _wide(random: Generator, count: int) -> Floats:
    few = random.choice([math.pi + 1e-9, 1.25 * math.pi, 1.5 * math.pi, 2 * math.pi - 1e-3, 2 * math.pi - 1e-9], count)
    return np.asarray(
        np.where(random.random(count) < 0.5, few, random.uniform(math.pi + 0.01, 2 * math.pi - 0.01, count))
    )


def _full(random: Generator, count: int) -> Floats:
    return np.full(count, 2 * math.pi)


def _outline(random: Generator, corners: int) -> PolygonCollider:
    """On an ellipse, by gaps of some size; half of them regular, which has parallel sides."""
    gaps = np.ones(corners) if random.random() < 0.5 else random.uniform(1.0, 4.0, corners)
    angles = np.cumsum(gaps) / gaps.sum() * 2 * math.pi + random.choice([0.0, math.pi / 4, 1.0])
    width, height = _lengths(random, 2)
    return PolygonCollider(np.stack((width * np.cos(angles), height * np.sin(angles)), -1))


def _polygons(rounded: bool) -> Callable[[Generator, int], Batch]:
    def draw(random: Generator, count: int) -> Batch:
        corners = int(random.choice([3, 4, 4, 5, 6, 8]))
        rounding = 0.5 * _lengths(random, count) if rounded else np.zeros(count)
        return _batch(random, KIND_POLYGON, [rounding], [_outline(random, corners) for _ in range(_OUTLINES)])

    return draw


def _splinter(random: Generator) -> PolygonCollider:
    """A thin triangle, with a sharp corner or two."""
    length = float(_lengths(random, 1)[0])
    width = length * 10.0 ** random.uniform(-4.0, -1.5)
    foot = length * random.choice([0.0, 1.0, random.uniform(-0.5, 0.5)])
    return PolygonCollider([(-length, 0.0), (length, 0.0), (foot, width)])


def _splinters(random: Generator, count: int) -> Batch:
    return _batch(random, KIND_POLYGON, [np.zeros(count)], [_splinter(random) for _ in range(_OUTLINES)])


# Every class, some of them in several guises.
GUISES: dict[str, Callable[[Generator, int], Batch]] = {
    "circle": _circles,
    "aabb": _aabbs,
    "obb": _obbs,
    "capsule": _capsules,
    "capsule without length": _points,
    "thin capsule": _needles,
    "fan": _fans(_narrow),
    "pointed fan": _fans(_pointed),
    "wide fan": _fans(_wide),
    "full fan": _fans(_full),
    "polygon": _polygons(False),
    "rounded polygon": _polygons(True),
    "splinter": _splinters,
}
