"""Scenes of shapes on lattices and lines, of round sizes and angles: every pair of a scene, millions a minute.

What the check ``geometry`` draws pair by pair, in extended precision, comes about here by itself: edges in one line,
corners on corners, shared ends, equal shapes in one place. The answers are compared with the least support of the
difference of the shapes in all directions, in float64, so within wider bounds. Pairs that seem wrong are judged by
``geometry``, in extended precision and by the outline.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy import bool_, float64, int32, int64
from numpy.random import Generator
from numpy.typing import NDArray

from checks import geometry
from checks.outline_kernels import Floats, Outlines, deepest_on_rays, depths_of_points, outlines_of, overlaps_of
from checks.shape_batches import GUISES, Batch, place
from ecsphys.engine.geometry.closest_points import find_closest_points
from ecsphys.engine.geometry.projection import project_one
from ecsphys.engine.geometry.raycast import raycast_one
from ecsphys.engine.geometry.shape_cast import CastImpacts, cast_shapes
from ecsphys.engine.manifold.contact import (
    CONTACT_COLUMNS,
    DEPTH,
    NORMAL,
    POINT_COLUMNS,
    POINT_COUNT,
    POINTS,
    ContactRows,
    find_contacts,
)
from ecsphys.engine.shapes.layout import (
    KIND_AABB,
    KIND_CIRCLE,
    KIND_FAN,
    KIND_POLYGON,
    ShapeArrays,
    put_in_canonical_order,
)

HELP = "contacts, casts, rays and closest points of every pair in lattices of shapes of round sizes"

# Relative to the sizes and distances of a scene.
_TOUCHING = 2e-13
_EXACT = 1e-12
_POINT = 1e-11
_NEAR = 1e-8

_OF_A_GUISE = 20
_SINGLE = 2000
_FAULTS_SHOWN = 20
_ULP = 2.0**-52


@dataclass
class Tally:
    """What was compared until now, the largest errors in parts of their bounds, and the faults."""

    counts: dict[str, int] = field(default_factory=dict)
    worst: dict[str, float] = field(default_factory=dict)
    judged: int = 0
    """Pairs that seemed wrong."""
    faults: int = 0
    shown: list[str] = field(default_factory=list)

    def count(self, what: str, number: int) -> None:
        """Count so many comparisons."""
        self.counts[what] = self.counts.get(what, 0) + number


class Scene:
    """Shapes of all guises in the pose of a family."""

    def __init__(self, seed: int, number: int) -> None:
        random = np.random.default_rng((seed, number))
        self.random = random
        self.name = f"--seed {seed} --scene {number}"
        self.family = list(_POSES)[number % len(_POSES)]
        self.batches = [_round(random, GUISES[guise](random, _OF_A_GUISE)) for guise in GUISES]
        for batch in self.batches:
            _POSES[self.family](random, batch)
        self.place = float(random.choice([0.0, 0.0, 1e3, 1e7]))
        for batch in self.batches:
            batch.positions += np.array([self.place, -self.place])
        self.count = sum(map(len, self.batches))
        self.outlines: Outlines = outlines_of(self.batches)
        self.placed: ShapeArrays = place(*self.batches)
        self.positions = self.outlines.positions
        self.sizes = np.concatenate([batch.extents() for batch in self.batches])
        self.far = _ULP * 4.0 * np.abs(self.positions).max()

    def describe(self, shape: int) -> str:
        """A shape as Python writes it."""
        return self.batches[shape // _OF_A_GUISE].describe(shape % _OF_A_GUISE)


def _round(random: Generator, batch: Batch) -> Batch:
    """Most sizes and all offsets of half of the batches become round numbers."""
    if random.random() < 0.7:
        lengths = len(batch.sizes) - (batch.kind == KIND_FAN)
        if batch.kind != KIND_POLYGON and batch.sizes[:lengths].min() > 1e-2:
            batch.sizes[:lengths] = random.choice([0.25, 0.5, 1.0, 2.0], (lengths, len(batch)))
        batch.offsets[:] = np.round(2.0 * batch.offsets) / 2.0
    return batch


def _turn(random: Generator, batch: Batch) -> None:
    angles = random.integers(-8, 9, len(batch)) * (math.pi / 8)
    if random.random() < 0.3:
        angles += random.integers(-3, 4, len(batch)) * np.spacing(angles)
    if batch.kind in (KIND_AABB, KIND_CIRCLE) or random.random() < 0.7:
        batch.turns[:] = angles
    else:
        batch.angles[:] = angles


def _lattice(random: Generator, batch: Batch) -> None:
    _turn(random, batch)
    batch.positions[:] = random.integers(-12, 13, (len(batch), 2)) / 4.0


def _dense_lattice(random: Generator, batch: Batch) -> None:
    _turn(random, batch)
    batch.positions[:] = random.integers(-2, 3, (len(batch), 2)) / 2.0


def _line(random: Generator, batch: Batch) -> None:
    """Along the diagonal, or its axis, for all batches of a scene alike."""
    batch.turns[:] = random.choice([0.0, math.pi, math.pi / 2], len(batch)) + math.pi / 4
    batch.positions[:] = (random.integers(-12, 13, len(batch)) / 4.0)[:, None]


def _row(random: Generator, batch: Batch) -> None:
    batch.turns[:] = random.choice([0.0, math.pi, math.pi / 2, -math.pi / 2], len(batch))
    batch.positions[:, 0] = random.integers(-12, 13, len(batch)) / 4.0
    batch.positions[:, 1] = random.choice([0.0, 0.0, 1.0], len(batch))


def _anywhere(random: Generator, batch: Batch) -> None:
    batch.turns[:] = random.uniform(-7.0, 7.0, len(batch))
    batch.positions[:] = random.uniform(-2.5, 2.5, (len(batch), 2))


_POSES: dict[str, Callable[[Generator, Batch], None]] = {
    "lattice": _lattice,
    "dense lattice": _dense_lattice,
    "diagonal": _line,
    "row": _row,
    "anywhere": _anywhere,
}


class Comparison:
    """What is compared in one scene; what is looked at is what ``checks.geometry`` names."""

    def __init__(self, scene: Scene, tally: Tally) -> None:
        self._scene = scene
        self._tally = tally
        first, second = np.triu_indices(scene.count, 1)
        self._pairs = np.ascontiguousarray(np.stack((first, second), -1).astype(int32))
        self._size = np.maximum(scene.sizes[first], scene.sizes[second])
        angle = scene.random.integers(16) * (math.pi / 8)
        way = float(scene.random.choice([0.25, 1.0, 4.0])) * np.array([math.cos(angle), math.sin(angle)])
        self._way: Floats = np.round(way, 2) if scene.random.random() < 0.5 else way
        self._suspects: set[tuple[int, int]] = set()

    def _suspect(self, errors: NDArray[Any], bounds: Any, pairs: NDArray[int32]) -> None:
        """Note the pairs whose errors are not within their bounds."""
        wrong = np.flatnonzero(~(np.asarray(errors, float64) <= bounds))
        self._suspects.update(map(tuple, pairs[wrong].tolist()))

    def _within(self, what: str, errors: NDArray[Any], bounds: Floats, shapes: NDArray[Any]) -> None:
        """The errors of single shapes are at most their bounds."""
        ratios = np.asarray(errors, float64) / bounds
        ratios[np.isnan(ratios)] = np.inf
        tally, scene = self._tally, self._scene
        tally.worst[what] = max(tally.worst.get(what, 0.0), float(ratios.max(initial=0.0)))
        faults = np.flatnonzero(ratios > 1.0)
        tally.faults += len(faults)
        for k in faults[: _FAULTS_SHOWN - len(tally.shown)]:
            shape = scene.describe(int(shapes[k]))
            tally.shown.append(f"{scene.name}, {scene.family}: {what}, by {float(errors[k]):.3g}: {shape}")

    def _judge(self) -> None:
        """Let extended precision judge the pairs that seemed wrong."""
        scene, tally = self._scene, self._tally
        for pair in sorted(self._suspects):
            a, b = (scene.batches[k // _OF_A_GUISE].rows(np.array([k % _OF_A_GUISE])) for k in pair)
            judged = geometry.Tally()
            geometry.check(geometry.case_of(scene.family, a, b, self._way), judged)
            tally.judged += 1
            tally.faults += judged.faults
            tally.shown += [f"{scene.name}, {fault}" for fault in judged.shown][: _FAULTS_SHOWN - len(tally.shown)]

    def compare(self) -> None:
        """All of it."""
        none = np.zeros((len(self._pairs), 2))
        truth = overlaps_of(self._scene.outlines, self._pairs, none)
        self._contacts(truth)
        self._casts(truth)
        self._closest_points(truth)
        self._judge()
        self._rays()
        self._points()

    def _found(self, pairs: NDArray[int32]) -> tuple[NDArray[bool_], Floats]:
        ordered = pairs.copy()
        put_in_canonical_order(ordered, self._scene.placed)
        count = len(pairs)
        found = ContactRows(np.empty_like(pairs), np.empty((count, CONTACT_COLUMNS)), np.empty((0, POINT_COLUMNS)))
        number = find_contacts(ordered, self._scene.placed, 0.0, found, 0)
        # The hits are in the order of the pairs.
        keys = ordered.astype(int64) @ np.array([self._scene.count, 1])
        wanted = found.pairs[:number].astype(int64) @ np.array([self._scene.count, 1])
        hit = np.isin(keys, wanted, assume_unique=True)
        numbers = np.full((count, CONTACT_COLUMNS), np.nan)
        numbers[hit] = found.rows[:number]
        turned = (ordered != pairs)[:, :1]
        numbers[:, NORMAL : NORMAL + 2] *= np.where(turned, -1.0, 1.0)
        return hit, numbers

    def _contacts(self, truth: Floats) -> None:
        scene, pairs, size = self._scene, self._pairs, self._size
        hit, numbers = self._found(pairs)
        swapped_hit, swapped = self._found(np.ascontiguousarray(pairs[:, ::-1]))
        self._tally.count("pairs", len(pairs))
        self._tally.count("hits", int(hit.sum()))
        self._suspect(np.where(hit, 0.0, truth), _TOUCHING * size, pairs)
        self._suspect(np.where(hit, -truth, 0.0), _TOUCHING * size, pairs)
        self._suspect(np.where(hit == swapped_hit, 0.0, np.inf), size, pairs)
        rows = np.flatnonzero(hit)
        pairs, size, truth, numbers, swapped = pairs[rows], size[rows], truth[rows], numbers[rows], swapped[rows]
        depth, normal = numbers[:, DEPTH], numbers[:, NORMAL : NORMAL + 2]
        self._suspect(np.abs(depth - swapped[:, DEPTH]), _EXACT * size, pairs)
        self._suspect(np.abs(np.hypot(*normal.T) - 1.0), np.full(len(rows), _EXACT), pairs)
        parted = overlaps_of(scene.outlines, pairs, depth[:, None] * normal)
        self._suspect(parted, _EXACT * size, pairs)
        self._suspect(truth - depth, _EXACT * size, pairs)
        convex = (scene.outlines.parts[pairs] == 1).all(axis=1)
        self._suspect(np.where(convex, np.abs(depth - truth), 0.0), _EXACT * size, pairs)
        for k in range(2):
            some = np.flatnonzero(numbers[:, POINT_COUNT] > k)
            points = numbers[some, POINTS + 2 * k : POINTS + 2 * k + 2]
            bound = _POINT * size[some] + scene.far
            for side in range(2):
                shapes = pairs[some, side].astype(int64)
                deep = depths_of_points(scene.outlines, shapes, points - scene.positions[shapes])
                self._suspect(-deep - 0.5 * depth[some], bound, pairs[some])

    def _casts(self, truth: Floats) -> None:
        scene, pairs = self._scene, self._pairs
        way, count = self._way, len(pairs)
        impacts = CastImpacts(np.empty(count), np.empty(count), np.empty((count, 2)), np.empty((count, 2)))
        cast_shapes(pairs.astype(int64), float(way[0]), float(way[1]), scene.placed, impacts)
        reach = self._size + np.abs(way).max()
        rows = np.flatnonzero(truth < -1e2 * _TOUCHING * reach)
        self._tally.count("casts", len(rows))
        fractions = impacts.fractions[rows]
        hits = fractions <= 1.0
        last = np.where(hits, fractions, 1.0)
        now = np.zeros(len(rows))
        for share in (0.6, 1.0):
            now = overlaps_of(scene.outlines, pairs[rows], -(share * last)[:, None] * way)
            self._suspect(now, 10 * _EXACT * reach[rows], pairs[rows])
        self._suspect(np.where(hits, -now, 0.0), 10 * _EXACT * reach[rows], pairs[rows])

    def _closest_points(self, truth: Floats) -> None:
        """One by one, of some pairs."""
        scene = self._scene
        rows = np.sort(scene.random.choice(len(self._pairs), _SINGLE, replace=False))
        pairs, truth = self._pairs[rows], truth[rows]
        found = np.array([find_closest_points(a, b, scene.placed) for a, b in pairs.tolist()])
        self._tally.count("closest points", len(rows))
        reach = self._size[rows] + np.abs(truth)
        self._suspect(np.abs(found[:, 0] - np.maximum(-truth, 0.0)), _EXACT * reach, pairs)
        for side, points in ((0, found[:, 1:3]), (1, found[:, 3:5])):
            shapes = pairs[:, side].astype(int64)
            deep = depths_of_points(scene.outlines, shapes, points - scene.positions[shapes])
            self._suspect(-deep, _NEAR * reach + scene.far, pairs)
        between = np.hypot(*(found[:, 3:5] - found[:, 1:3]).T)
        bound = _POINT * reach + 2.0 * scene.far
        self._suspect(np.abs(between - found[:, 0]), bound, pairs)

    def _rays(self) -> None:
        """A ray at each shape, from the lattice, in a direction of the lattice or any other."""
        scene, random, count = self._scene, self._scene.random, self._scene.count
        shapes = np.arange(count)
        origins = scene.positions + random.integers(-12, 13, (count, 2)) / 4.0
        angles = np.where(
            random.random(count) < 0.7, random.integers(0, 16, count) * (math.pi / 8), random.uniform(0, 7, count)
        )
        ways = np.stack((np.cos(angles), np.sin(angles)), -1)
        asked = np.hstack((origins, ways)).tolist()
        rays = [raycast_one(scene.placed, k, x, y, way_x, way_y, 30.0) for k, (x, y, way_x, way_y) in enumerate(asked)]
        found = np.array(rays).reshape(count, 5)
        distances, points, normals = found[:, 0], found[:, 1:3], found[:, 3:]
        self._tally.count("rays", count)
        start = np.ascontiguousarray(origins - scene.positions)
        reach = scene.sizes + np.hypot(*start.T)
        hits = distances < np.inf
        bound = _POINT * reach + scene.far
        ends = np.where(hits, distances, 30.0)
        # A ray that meets a corner may pass it by as much as it is rounded.
        unit = np.ascontiguousarray(ways / np.hypot(*ways.T)[:, None])
        deep = deepest_on_rays(scene.outlines, shapes, start, unit, np.maximum(ends - 1e-6 * reach, 0.0))
        on_way = np.where(distances > 0.0, deep, 0.0)
        self._within("a ray meets nothing before its end", on_way, bound, shapes)
        rows = np.flatnonzero(hits)
        at_end = depths_of_points(scene.outlines, rows, np.ascontiguousarray(points[rows] - scene.positions[rows]))
        self._within("a ray ends in the shape", -at_end, bound[rows], rows)
        outside = rows[distances[rows] > 0.0]
        ended = np.hypot(*(points[outside] - origins[outside] - distances[outside, None] * unit[outside]).T)
        self._within("a ray's point is that far along it", ended, bound[outside], outside)
        against = (normals[outside] * unit[outside]).sum(1)
        self._within("a ray's normal is against it", against, np.full(len(outside), 1e-9), outside)

    def _points(self) -> None:
        scene, random, count = self._scene, self._scene.random, self._scene.count
        points = scene.positions + random.integers(-12, 13, (count, 2)) / 4.0
        asked = points.tolist()
        found = np.array([project_one(scene.placed, k, *point) for k, point in enumerate(asked)]).reshape(count, 3)
        distances, nearest = found[:, 0], found[:, 1:]
        self._tally.count("points", count)
        shapes = np.arange(count)
        offset = np.ascontiguousarray(points - scene.positions)
        deep = depths_of_points(scene.outlines, shapes, offset)
        reach = scene.sizes + np.hypot(*offset.T)
        # Within, the distance is negative; parts of a fan tell nothing of how deep a point is in the whole.
        is_wide = scene.outlines.parts > 1
        outside = np.abs(np.maximum(distances, 0.0) - np.maximum(-deep, 0.0))
        off = np.where(is_wide, outside, np.abs(distances + deep))
        self._within("the distance of a point", off, _POINT * reach + scene.far, shapes)
        on = depths_of_points(scene.outlines, shapes, np.ascontiguousarray(nearest - scene.positions))
        self._within("the nearest point is in the shape", -on, _NEAR * reach + scene.far, shapes)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the check."""
    parser.add_argument("--pairs", metavar="N", type=int, default=10_000_000, help="at least so many pairs")
    parser.add_argument("--seconds", metavar="S", type=float, default=math.inf, help="stop after as many seconds")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="what they are drawn from (1)")
    parser.add_argument("--scene", metavar="N", type=int, help="only the scene of this number")


def run(options: argparse.Namespace) -> int:
    """Compare scene by scene; 1 where anything is wrong."""
    tally = Tally()
    begun = time.perf_counter()
    number = options.scene or 0
    while True:
        shown = len(tally.shown)
        Comparison(Scene(options.seed, number), tally).compare()
        for fault in tally.shown[shown:]:
            print(f"{fault}\n", flush=True)
        number += 1
        done = tally.counts["pairs"] >= options.pairs or time.perf_counter() - begun > options.seconds
        if done or options.scene is not None:
            break
        if number % 200 == 0:
            print(f"{tally.counts['pairs']:,} pairs, {tally.faults} faults", file=sys.stderr, flush=True)
    print("Largest errors of rays and points, in parts of their bounds:")
    for what, worst in sorted(tally.worst.items()):
        print(f"{worst:12.3g}  {what}")
    counts = ", ".join(f"{count:,} {what}" for what, count in tally.counts.items())
    seconds = time.perf_counter() - begun
    scenes = number - (options.scene or 0)
    print(
        f"{counts} in {scenes:,} scenes from seed {options.seed}: {tally.judged} pairs judged in extended precision,"
        f" {tally.faults} faults, {seconds:.0f} s"
    )
    return 1 if tally.faults else 0
