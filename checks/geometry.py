"""Contacts, distances and casts of random pairs in degenerate poses, against the outlines of their differences."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from checks.convex_overlap import Part, Reals, overlap, point_part
from checks.pair_families import FAMILIES, draw_pairs
from checks.shape_batches import GUISES, Batch, Floats, place
from ecsphys.engine.geometry.closest_points import find_closest_points
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
from ecsphys.engine.shapes.layout import ShapeArrays, put_in_canonical_order

HELP = "contacts, distances and casts of random pairs of all shapes, in line, flush, concentric, …"

# Relative to the larger of the sizes: an overlap or gap up to the first cannot be told from touching; depths and
# distances are right up to the second, points to the third: face to face an edge is taken for the closest up to there.
# The points of two shapes that are closest, or common to both, are in them up to the last, for they may be where lines
# cross that are almost parallel.
TOUCHING = 1e-14
EXACT = 1e-13
POINT = 4e-12
NEAR = 1e-9

# Both orders of a pair.
_AGREE = 1e-12

_ULP = 2.0**-52
_PAIRS_OF_A_BATCH = 1024
FAULTS_SHOWN = 20
_SECONDS_BETWEEN_REPORTS = 10.0


@dataclass
class Tally:
    """What was checked: pairs and hits of each family, the largest errors in parts of their bounds, and the faults."""

    pairs: dict[str, int] = field(default_factory=dict)
    hits: dict[str, int] = field(default_factory=dict)
    worst: dict[str, float] = field(default_factory=dict)
    faults: int = 0
    shown: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Case:
    """A batch of pairs, with all that is needed to judge them."""

    family: str
    a: Batch
    b: Batch
    placed: ShapeArrays
    parts_a: list[Part]
    parts_b: list[Part]
    """Both about a's position."""
    size: Floats
    far: Floats
    """How much a point in the world may be rounded."""
    way: Floats
    """How far a moves, (2,), to be cast at b."""

    @property
    def count(self) -> int:
        return len(self.size)

    @property
    def is_convex(self) -> bool:
        return len(self.parts_a) == len(self.parts_b) == 1

    def gaps_of(self, points: Floats, parts: list[Part], rows: NDArray[Any]) -> Reals:
        """The distance of points in the world, one for each of the rows, from the parts, of the same rows; negative
        inside."""
        point = point_part(points.astype(np.longdouble) - self.a.positions[rows])
        return -deepest([part.rows(rows) for part in parts], [point])


def draw_case(seed: int, number: int, family: str, guise_a: str, guise_b: str, count: int) -> Case:
    """The pairs of a batch: always the same for the same arguments."""
    random = np.random.default_rng((seed, number))
    a, b = draw_pairs(random, family, guise_a, guise_b, count)
    return case_of(family, a, b, random.uniform(-1.0, 1.0, 2) * 10.0 ** random.uniform(-6.0, 1.0))


def case_of(family: str, a: Batch, b: Batch, way: Floats) -> Case:
    """The case of pairs that are placed."""
    between = b.positions.astype(np.longdouble) - a.positions.astype(np.longdouble)
    return Case(
        family,
        a,
        b,
        place(a, b),
        a.parts(),
        [part.moved(between) for part in b.parts()],
        np.maximum(a.extents(), b.extents()),
        _ULP * (np.abs(a.positions).max(1) + np.abs(b.positions).max(1)),
        way,
    )


def deepest(parts_a: list[Part], parts_b: list[Part]) -> Reals:
    """The deepest overlap of any two parts; negative: minus the distance of the shapes."""
    return np.asarray(np.max([overlap(a, b) for a in parts_a for b in parts_b], 0))


class Judge:
    """Compares the errors of a case's pairs with their bounds, and puts it into the tally."""

    def __init__(self, case: Case, tally: Tally) -> None:
        self._case = case
        self._tally = tally

    def within(self, what: str, errors: NDArray[Any], bounds: Floats, rows: NDArray[int64] | None = None) -> None:
        """Each error is at most its bound; NaN is not. ``rows`` are the pairs', where they are not all."""
        ratios = np.asarray(errors, float64) / bounds
        ratios[np.isnan(ratios)] = np.inf
        tally = self._tally
        tally.worst[what] = max(tally.worst.get(what, 0.0), float(ratios.max(initial=0.0)))
        faults = np.flatnonzero(ratios > 1.0)
        tally.faults += len(faults)
        for k in faults[: FAULTS_SHOWN - len(tally.shown)]:
            case = self._case
            row = int(k if rows is None else rows[k])
            pair = f"{case.a.describe(row)}, {case.b.describe(row)}"
            tally.shown.append(f"{case.family}: {what}, by {float(errors[k]):.3g}: {pair}")


def check(case: Case, tally: Tally) -> None:
    """Compute all there is of a batch's pairs both ways, and note what differs."""
    judge = Judge(case, tally)
    truth = deepest(case.parts_a, case.parts_b)
    hit = _check_contacts(case, truth, judge)
    _check_closest_points(case, truth, judge)
    _check_casts(case, truth, judge)
    tally.pairs[case.family] = tally.pairs.get(case.family, 0) + case.count
    tally.hits[case.family] = tally.hits.get(case.family, 0) + int(hit.sum())


def _contacts(placed: ShapeArrays, pairs: NDArray[np.int32]) -> tuple[NDArray[np.bool_], Floats]:
    """Whether each pair is a hit, and its row of contact numbers, NaN where there is none."""
    ordered = pairs.copy()
    put_in_canonical_order(ordered, placed)
    found = ContactRows(
        np.empty_like(pairs), np.empty((len(pairs), CONTACT_COLUMNS)), np.empty((len(pairs), POINT_COLUMNS))
    )
    count = find_contacts(ordered, placed, 0.0, found, 0)
    rows = found.pairs[:count].min(1)
    numbers = np.full((len(pairs), CONTACT_COLUMNS), np.nan)
    numbers[rows] = found.rows[:count]
    turned = (ordered[rows] != pairs[rows])[:, :1]
    numbers[rows, NORMAL : NORMAL + 2] *= np.where(turned, -1.0, 1.0)
    hit = np.zeros(len(pairs), np.bool_)
    hit[rows] = True
    return hit, numbers


def _check_contacts(case: Case, truth: Reals, judge: Judge) -> NDArray[np.bool_]:
    first = np.arange(case.count, dtype=np.int32)
    pairs = np.stack((first, first + np.int32(case.count)), -1)
    hit, numbers = _contacts(case.placed, pairs)
    swapped_hit, swapped = _contacts(case.placed, np.ascontiguousarray(pairs[:, ::-1]))
    judge.within("a hit is missed", np.where(hit, 0.0, truth), TOUCHING * case.size)
    judge.within("a hit though apart", np.where(hit, -truth, 0.0), TOUCHING * case.size)
    judge.within("hits in both orders", np.where(hit == swapped_hit, 0.0, np.inf), case.size)

    rows = np.flatnonzero(hit)
    numbers, swapped, size, truth = numbers[rows], swapped[rows], case.size[rows], truth[rows]
    depth = numbers[:, DEPTH]
    normal = numbers[:, NORMAL : NORMAL + 2]
    other_normal = swapped[:, NORMAL : NORMAL + 2]
    # Equal shapes in one place have the same normal in both orders.
    turned = np.minimum(np.abs(normal + other_normal).max(1), np.abs(normal - other_normal).max(1))
    judge.within("depth in both orders", np.abs(depth - swapped[:, DEPTH]), _AGREE * size, rows)
    judge.within("normal in both orders", turned, np.full(len(rows), _AGREE), rows)
    judge.within("unit normal", np.abs(np.hypot(normal[:, 0], normal[:, 1]) - 1.0), np.full(len(rows), EXACT), rows)

    parts_a = [part.rows(rows) for part in case.parts_a]
    parted_b = [part.rows(rows).moved((depth[:, None] * normal).astype(np.longdouble)) for part in case.parts_b]
    judge.within("depth parts the shapes", deepest(parts_a, parted_b), EXACT * size, rows)
    judge.within("depth is enough for each part", truth - depth, EXACT * size, rows)
    if case.is_convex:
        judge.within("depth is the least", np.abs(depth - truth), EXACT * size, rows)
    for k in range(2):
        some = np.flatnonzero(numbers[:, POINT_COUNT] > k)
        points = numbers[some, POINTS + 2 * k : POINTS + 2 * k + 2]
        bound = POINT * size[some] + 4 * case.far[rows[some]]
        for name, parts in (("a", case.parts_a), ("b", case.parts_b)):
            beyond = case.gaps_of(points, parts, rows[some]) - 0.5 * depth[some]
            judge.within(f"contact point {k} is near {name}", beyond, bound, rows[some])
    return hit


def _check_closest_points(case: Case, truth: Reals, judge: Judge) -> None:
    found = np.array([find_closest_points(k, k + case.count, case.placed) for k in range(case.count)])
    distance, on_a, on_b = found[:, 0], found[:, 1:3], found[:, 3:5]
    reach = case.size + np.asarray(np.abs(truth), float64)
    judge.within("distance", np.abs(distance - np.maximum(-truth, 0)), EXACT * reach)
    every = np.arange(case.count)
    for name, points, parts in (("a", on_a, case.parts_a), ("b", on_b, case.parts_b)):
        judge.within(f"closest point is on {name}", case.gaps_of(points, parts, every), NEAR * reach + 4 * case.far)
    between = np.hypot(*(on_b - on_a).T)
    judge.within("closest points are that far apart", np.abs(between - distance), POINT * reach + 8 * case.far)


def _check_casts(case: Case, truth: Reals, judge: Judge) -> None:
    """a moves: up to the impact nothing is touched, and there the gap is closed."""
    dx, dy = case.way.tolist()
    first = np.arange(case.count, dtype=int64)
    pairs = np.stack((first, first + case.count), -1)
    fractions, gaps = np.empty(case.count), np.empty(case.count)
    normals, points = np.empty((case.count, 2)), np.empty((case.count, 2))
    cast_shapes(pairs, dx, dy, case.placed, CastImpacts(fractions, gaps, normals, points))
    reach = case.size + np.abs(case.way).max()
    if case.is_convex:
        distance = np.asarray(np.abs(truth), float64)
        judge.within("gap before a cast", np.abs(gaps + truth), EXACT * (reach + distance))
    # Those that touch at the start stay where they are, or leave.
    rows = np.flatnonzero(truth < -1e3 * TOUCHING * reach)
    hits = fractions[rows] <= 1.0
    last = np.where(hits, fractions[rows], 1.0)
    parts_b = [part.rows(rows) for part in case.parts_b]
    now = np.zeros(len(rows), np.longdouble)
    for share in (0.6, 1.0):
        moved = ((last * share)[:, None] * case.way).astype(np.longdouble)
        now = deepest([part.rows(rows).moved(moved) for part in case.parts_a], parts_b)
        judge.within("a cast meets nothing before its end", now, 10 * EXACT * reach[rows], rows)
    judge.within("a cast ends at an impact", np.where(hits, -now, 0.0), 10 * EXACT * reach[rows], rows)


def batches(pairs: int, families: list[str]) -> Iterator[tuple[int, str, str, str, int]]:
    """(number, family, guise of a, guise of b, pairs) until there are as many pairs as wanted, all kinds in turn."""
    kinds = [(family, a, b) for family in families for a in GUISES for b in GUISES]
    count = min(_PAIRS_OF_A_BATCH, -(-pairs // len(kinds)))
    for number in range(-(-pairs // count)):
        yield number, *kinds[number % len(kinds)], min(count, pairs - number * count)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pairs", metavar="N", type=int, default=100_000, help="how many pairs (100,000)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="what they are drawn from (1)")
    parser.add_argument("--family", action="append", choices=list(FAMILIES), help="only this one; can be repeated")


def run(options: argparse.Namespace) -> int:
    """Check and print the first faults as they come, then counts and the largest errors; 1 where anything is wrong."""
    tally = Tally()
    began = said = time.monotonic()
    for number, family, guise_a, guise_b, count in batches(options.pairs, options.family or list(FAMILIES)):
        shown = len(tally.shown)
        check(draw_case(options.seed, number, family, guise_a, guise_b, count), tally)
        for fault in tally.shown[shown:]:
            print(f"{fault}\n", flush=True)
        if time.monotonic() - said > _SECONDS_BETWEEN_REPORTS:
            said = time.monotonic()
            print(f"{sum(tally.pairs.values()):,} pairs, {tally.faults:,} faults", file=sys.stderr, flush=True)
    for family, pairs in tally.pairs.items():
        print(f"{family:20} {pairs:>12,} pairs {tally.hits[family]:>12,} hits")
    print("\nLargest errors, in parts of their bounds:")
    for what, worst in sorted(tally.worst.items()):
        print(f"{worst:12.3g}  {what}")
    seconds = time.monotonic() - began
    print(f"\n{sum(tally.pairs.values()):,} pairs from seed {options.seed}: {tally.faults:,} faults, {seconds:.0f} s")
    return 1 if tally.faults else 0
