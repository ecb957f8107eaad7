"""Chains: their hits, rays and shape casts against each segment as a rounded line in extended precision.

A chain is one surface to what meets it, so a contact at one segment may leave the one at its neighbour to it. What must
hold: a hit is an overlap with its very segment; what overlaps any segment hits the chain, where that blocks from both
sides, and unless it lies deep across; a ray ends at the first segment that it crosses from a side that blocks; and a
cast meets nothing before it ends, and a segment there.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass, field

import esper
import numpy as np
from numpy import int64
from numpy.typing import NDArray

import ecsphys
from checks.convex_overlap import PI, Part, Reals
from checks.geometry import deepest
from checks.shape_batches import GUISES, Batch, turned
from ecsphys import ChainCollider, CollisionFilter, Transform

HELP = "hits, rays and shape casts of chains against each of their segments, in extended precision"

# Relative to the sizes: what is nearer than this to touching may be told either way.
_TOUCHING = 1e-11

# What lies deeper across a chain, in parts of its size, may have all of itself beside each segment that it crosses.
_DEEP = 0.15

# A cast is over where gaps are this small.
_ENDED = 1e-9

_OF_A_GUISE = 4
_RAYS = 40
_FAULTS_SHOWN = 20

# Cuts of one way of a cast.
_MOST_CUTS = 2000


@dataclass
class Tally:
    """What was compared until now, and the faults."""

    counts: dict[str, int] = field(default_factory=dict)
    faults: int = 0
    shown: list[str] = field(default_factory=list)

    def count(self, what: str, number: int) -> None:
        """Count so many comparisons."""
        self.counts[what] = self.counts.get(what, 0) + number

    def fault(self, text: str) -> None:
        """One more."""
        self.faults += 1
        if len(self.shown) < _FAULTS_SHOWN:
            self.shown.append(text)


class Scene:
    """A chain at random, and shapes of all guises about it, in a world of their own."""

    def __init__(self, seed: int, number: int) -> None:
        self.random = random = np.random.default_rng((seed, number))
        self.name = f"--seed {seed} --scene {number}"
        count = int(random.integers(2, 9))
        self.is_closed = count > 2 and bool(random.random() < 0.4)
        if self.is_closed:
            angles = np.sort(random.uniform(0.0, 2.0 * math.pi, count))
            points = random.uniform(1.0, 3.0, count)[:, None] * np.stack((np.cos(angles), np.sin(angles)), -1)
        else:
            points = np.stack((np.cumsum(random.uniform(0.2, 1.5, count)) - 3.0, random.uniform(-1.0, 1.0, count)), -1)
        self.points = points
        if random.random() < 0.4:
            # Flush and upright.
            flush = np.round(2.0 * points) / 2.0
            flush = flush[np.append(True, np.any(np.diff(flush, axis=0) != 0.0, axis=1))]
            self.points = flush if len(flush) > 1 else points
        if self.is_closed and (len(self.points) < 3 or (self.points[0] == self.points[-1]).all()):
            self.is_closed = False
        self.side = str(random.choice(["both", "both", "left", "right"]))
        self.radius = float(random.choice([0.0, 0.0, 0.1]))
        self.place = (*random.uniform(-1.0, 1.0, 2).tolist(), float(random.choice([0.0, 0.5 * math.pi, 1.0])))
        self.batches = [GUISES[guise](random, _OF_A_GUISE) for guise in GUISES]
        for batch in self.batches:
            batch.positions[:] = random.uniform(-4.0, 4.0, (len(batch), 2))
            batch.turns[:] = random.uniform(-3.0, 3.0, len(batch))
        esper.switch_world(self.name)
        self.physics = ecsphys.install(threads=1)
        chain = ChainCollider(self.points, self.is_closed, self.radius, self.side)  # type: ignore[arg-type]
        self.chain = esper.create_entity(Transform(*self.place), chain, CollisionFilter(1, 2))
        self.shapes = [
            esper.create_entity(*batch.build(row), CollisionFilter(2, 1))
            for batch in self.batches
            for row in range(len(batch))
        ]

    def close(self) -> None:
        """Leave nothing of it."""
        esper.switch_world("default")
        esper.delete_world(self.name)

    def __str__(self) -> str:
        chain = f"ChainCollider({self.points.tolist()}, {self.is_closed}, {self.radius}, {self.side!r})"
        return f"{self.name}: {chain}, Transform{self.place}"

    def corners(self) -> tuple[Reals, Reals]:
        """(k, 2) where the segments begin and end, in the world."""
        x, y, angle = self.place
        placed = turned(self.points.astype(np.longdouble)[None], np.array([angle], np.longdouble))[0]
        placed = placed + np.array([x, y], np.longdouble)
        if self.is_closed:
            return placed, np.roll(placed, -1, axis=0)
        return placed[:-1], placed[1:]

    def segments(self, which: NDArray[int64]) -> Part:
        """Some of the segments as rounded lines, in the world."""
        start, end = (ends[which] for ends in self.corners())
        way = end - start
        angle = np.arctan2(way[:, 1], way[:, 0])
        normals = np.stack((angle - PI / 2, angle + PI / 2), -1)
        return Part(np.stack((start, end), 1), normals, np.full(len(which), self.radius, np.longdouble))

    def depths(self, batch: Batch, row: int) -> Reals:
        """(k,) how deep one shape overlaps each segment; minus the distance."""
        count = len(self.corners()[0])
        one = batch.rows(np.full(count, row))
        moved = [part.moved(one.positions.astype(np.longdouble)) for part in one.parts()]
        return deepest(moved, [self.segments(np.arange(count))])


def compare(scene: Scene, tally: Tally) -> None:
    """All of a scene."""
    scene.physics.detect()
    _compare_hits(scene, tally)
    _compare_rays(scene, tally)
    if scene.side == "both":
        _compare_casts(scene, tally)


def _compare_hits(scene: Scene, tally: Tally) -> None:
    hits = scene.physics.hits
    parts: dict[int, list[tuple[int, float]]] = {}
    for a, b, part, depth in zip(
        hits.entity_a.tolist(), hits.entity_b.tolist(), hits.part_a.tolist(), hits.depth.tolist(), strict=True
    ):
        if a == scene.chain:
            parts.setdefault(b, []).append((part, depth))
    found = iter(scene.shapes)
    for batch in scene.batches:
        sizes = batch.extents()
        for row in range(len(batch)):
            entity = next(found)
            truth, slack = scene.depths(batch, row), _TOUCHING * (4.0 + sizes[row])
            tally.count("shapes", 1)
            for part, _ in parts.get(entity, []):
                tally.count("hits", 1)
                if truth[part] < -slack:
                    tally.fault(
                        f"{scene}: a hit of segment {part} at a distance of {-truth[part]}: {batch.describe(row)}"
                    )
            if scene.side != "both" or truth.max() <= slack or entity in parts:
                continue
            if truth.max() > _DEEP * sizes[row]:
                tally.count("deep across without a hit", 1)
            else:
                tally.fault(f"{scene}: an overlap of {truth.max()} is no hit: {batch.describe(row)}")


def _compare_rays(scene: Scene, tally: Tally) -> None:
    """Only with lines that have no thickness: where a ray crosses those is a quotient of two areas."""
    if scene.radius > 0.0:
        return
    starts, ends = scene.corners()
    random = scene.random
    origins = random.uniform(-4.0, 4.0, (_RAYS, 2))
    angles = random.uniform(-3.2, 3.2, _RAYS)
    for origin, angle in zip(origins, angles.tolist(), strict=True):
        direction = math.cos(angle), math.sin(angle)
        unit = np.array(direction, np.longdouble)
        unit = unit / np.hypot(*unit)
        way, to = ends - starts, starts - origin.astype(np.longdouble)
        area = unit[0] * way[:, 1] - unit[1] * way[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            far = (to[:, 0] * way[:, 1] - to[:, 1] * way[:, 0]) / area
            share = (to[:, 0] * unit[1] - to[:, 1] * unit[0]) / area
        # From the left comes what has the way on its left.
        blocks = np.abs(area) > 0.0 if scene.side == "both" else (area > 0.0 if scene.side == "left" else area < 0.0)
        crosses = blocks & (far > 0.0) & (far <= 20.0)
        surely, maybe = (crosses & (share > edge) & (share < 1.0 - edge) for edge in (1e-9, -1e-9))
        hit = scene.physics.raycast(origin, direction, 20.0, filter=CollisionFilter(mask=1))
        tally.count("rays", 1)
        said = math.inf if hit is None else hit.distance
        least, most = (float(far[some].min(initial=math.inf)) for some in (maybe, surely))
        if not least - 1e-9 <= said <= most + 1e-9:
            tally.fault(f"{scene}: a ray from {origin.tolist()} at {angle} ends at {said}, not {least} to {most}")


def _compare_casts(scene: Scene, tally: Tally) -> None:
    random = scene.random
    for batch in scene.batches:
        for row in range(len(batch)):
            if float(scene.depths(batch, row).max()) > -1e-6:
                continue
            way = random.uniform(-6.0, 6.0, 2)
            hit = scene.physics.shapecast(*batch.build(row), way, filter=CollisionFilter(mask=1))
            tally.count("casts", 1)
            last = 1.0 if hit is None else hit.fraction
            slack = _ENDED * (4.0 + float(batch.extents()[row]))

            def gap(share: float, batch: Batch = batch, row: int = row, way: NDArray[np.float64] = way) -> float:
                moved = batch.rows(np.array([row]))
                moved.positions[:] += share * way
                return -float(scene.depths(moved, 0).max())

            if hit is not None and gap(last) > slack:
                tally.fault(f"{scene}: a cast by {way.tolist()} ends {gap(last)} before: {batch.describe(row)}")
            if not _is_clear(gap, last, float(np.hypot(*way)), slack):
                tally.fault(f"{scene}: a cast by {way.tolist()} ends too late, at {last}: {batch.describe(row)}")


def _is_clear(gap: object, end: float, speed: float, slack: float) -> bool:
    """Whether a gap that shrinks by no more than the speed is never less than minus the slack up to the end."""
    assert callable(gap)
    spans, cuts = [(0.0, end)], 0
    while spans and cuts < _MOST_CUTS:
        low, high = spans.pop()
        middle, cuts = 0.5 * (low + high), cuts + 1
        found = gap(middle)
        if found < -slack:
            return False
        if found - speed * 0.5 * (high - low) < -slack:
            spans += [(low, middle), (middle, high)]
    return True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the check."""
    parser.add_argument("--scenes", metavar="N", type=int, default=200, help="how many scenes (%(default)s)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="what they are drawn from (%(default)s)")
    parser.add_argument("--scene", metavar="N", type=int, help="only the scene of this number")


def run(options: argparse.Namespace) -> int:
    """Compare scene by scene; 1 where anything is wrong."""
    tally, begun, before = Tally(), time.perf_counter(), esper.current_world
    numbers = range(options.scenes) if options.scene is None else [options.scene]
    for number in numbers:
        shown = len(tally.shown)
        scene = Scene(options.seed, number)
        try:
            compare(scene, tally)
        finally:
            scene.close()
            esper.switch_world(before)
        for fault in tally.shown[shown:]:
            print(f"{fault}\n", flush=True)
    counts = ", ".join(f"{count:,} {what}" for what, count in tally.counts.items())
    seconds = time.perf_counter() - begun
    print(f"{counts} in {len(numbers):,} scenes from seed {options.seed}, {seconds:.0f} s: {tally.faults} faults")
    return 1 if tally.faults else 0
