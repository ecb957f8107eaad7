"""Contacts, distances and casts of random pairs in degenerate poses, against the outlines of their differences."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from checks.convex_overlap import Part, Reals, overlap, point_part
from checks.pair_families import FAMILIES, draw_pairs
from checks.shape_batches import GUISES, Floats, Placed, place
from ecsphys.engine.closest_points import find_closest_points
from ecsphys.engine.contact import CONTACT_COLUMNS, DEPTH, NORMAL, POINT_COUNT, POINTS, find_contacts
from ecsphys.engine.shape_cast import cast_shapes

HELP = "contacts, distances and casts of random pairs of all shapes"

# Relative to the sizes: an overlap or gap up to the first cannot be told from touching; how exact numbers are.
TOUCHING = 1e-14
EXACT = 1e-13
# How near a shape its closest point is: corners beside a side's line by less are on it.
NEAR = 1e-11
# How near the border of both shapes a contact's points are, and a place far from the origin rounds.
ULP = 2.0**-52

_PAIRS_OF_A_BATCH = 1024
_FAULTS_SHOWN = 20


@dataclass(frozen=True)
class Fault:
    """What is wrong with one pair, and which it is: of the batch drawn from (seed, number), the row."""

    family: str
    guise_a: str
    guise_b: str
    batch: int
    row: int
    what: str
    by: float


@dataclass
class Tally:
    pairs: dict[str, int] = field(default_factory=dict)
    hits: dict[str, int] = field(default_factory=dict)
    worst: dict[str, float] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)


@dataclass(frozen=True)
class Case:
    """One batch of pairs with all that is needed to judge them."""

    family: str
    guise_a: str
    guise_b: str
    number: int
    placed: Placed
    parts_a: list[Part]
    parts_b: list[Part]  # about a's position
    origin: Floats
    size: Floats
    far: Floats  # the rounding of a place in the world

    @property
    def count(self) -> int:
        return len(self.size)


def drawn(seed: int, number: int, family: str, guise_a: str, guise_b: str, count: int) -> Case:
    random = np.random.default_rng((seed, number))
    a, b = draw_pairs(random, family, guise_a, guise_b, count)
    between = b.positions.astype(np.longdouble) - a.positions.astype(np.longdouble)
    size = np.maximum(a.sizes_of(), b.sizes_of())
    far = ULP * (np.abs(a.positions).max(1) + np.abs(b.positions).max(1))
    parts_b = [part.moved(between) for part in b.parts()]
    return Case(family, guise_a, guise_b, number, place(a, b), a.parts(), parts_b, a.positions, size, far)


def deepest(parts_a: list[Part], parts_b: list[Part]) -> Reals:
    """The deepest overlap of any two parts; negative: minus the distance of the shapes."""
    return np.asarray(np.max([overlap(a, b) for a in parts_a for b in parts_b], 0))


class Judge:
    """Collects what is wrong with the pairs of a case."""

    def __init__(self, case: Case, tally: Tally) -> None:
        self._case = case
        self._tally = tally

    def within(
        self, what: str, errors: NDArray[np.floating], bound: Floats, rows: NDArray[np.int64] | None = None
    ) -> None:
        """Errors of each row are at most the bound; NaN is not."""
        errors = np.asarray(errors, float64)
        ratio = errors / bound
        worst = float(np.max(np.where(np.isnan(ratio), np.inf, ratio), initial=0.0))
        self._tally.worst[what] = max(self._tally.worst.get(what, 0.0), worst)
        for k in np.flatnonzero(~(ratio <= 1.0)):
            case = self._case
            row = int(k if rows is None else rows[k])
            self._tally.faults.append(
                Fault(case.family, case.guise_a, case.guise_b, case.number, row, what, float(errors[k]))
            )


def check(case: Case, tally: Tally) -> None:
    """Compute everything of a batch's pairs both ways, and note what differs."""
    judge = Judge(case, tally)
    truth = deepest(case.parts_a, case.parts_b)
    hit = _check_contacts(case, truth, judge)
    _check_closest_points(case, truth, judge)
    _check_casts(case, truth, judge)
    name = case.family
    tally.pairs[name] = tally.pairs.get(name, 0) + case.count
    tally.hits[name] = tally.hits.get(name, 0) + int(hit.sum())


def contacts_of(placed: Placed, pairs: NDArray[np.int32]) -> tuple[NDArray[np.bool_], Floats]:
    """Whether each pair is a hit, and its row of contact numbers, NaN where there is none."""
    found_pairs = np.empty_like(pairs)
    found = np.empty((len(pairs), CONTACT_COLUMNS))
    count = find_contacts(pairs, placed.forms, placed.positions, placed.shapes, placed.pool, found_pairs, found)
    rows = np.minimum(found_pairs[:count, 0], found_pairs[:count, 1])
    numbers = np.full((len(pairs), CONTACT_COLUMNS), np.nan)
    numbers[rows] = found[:count]
    hit = np.zeros(len(pairs), np.bool_)
    hit[rows] = True
    return hit, numbers


def _check_contacts(case: Case, truth: Reals, judge: Judge) -> NDArray[np.bool_]:
    first = np.arange(case.count, dtype=np.int32)
    pairs = np.stack((first, first + np.int32(case.count)), -1)
    hit, numbers = contacts_of(case.placed, pairs)
    swapped_hit, swapped = contacts_of(case.placed, np.ascontiguousarray(pairs[:, ::-1]))
    size = case.size
    convex = len(case.parts_a) == len(case.parts_b) == 1
    judge.within("a hit is missed", np.where(hit, 0.0, truth), TOUCHING * size)
    judge.within("a hit though apart", np.where(hit, -truth, 0.0), TOUCHING * size)

    rows = np.flatnonzero(hit)
    if not len(rows):
        return hit
    judge.within("both orders hit", np.where(hit == swapped_hit, 0.0, np.inf), size)
    numbers, swapped, size, truth, far = numbers[rows], swapped[rows], size[rows], truth[rows], case.far[rows]
    depth = numbers[:, DEPTH]
    normal = numbers[:, NORMAL : NORMAL + 2]
    same = np.abs(normal - swapped[:, NORMAL : NORMAL + 2]).max(1)  # equal shapes in one place
    turned = np.minimum(np.abs(normal + swapped[:, NORMAL : NORMAL + 2]).max(1), same)
    judge.within("both orders' depth", np.abs(depth - swapped[:, DEPTH]), 1e-12 * size, rows)
    judge.within("both orders' normal", turned, np.full(len(rows), 1e-12), rows)
    judge.within("unit normal", np.abs(np.hypot(normal[:, 0], normal[:, 1]) - 1.0), np.full(len(rows), 1e-14), rows)

    parts_a = [part.rows(rows) for part in case.parts_a]
    parts_b = [part.rows(rows) for part in case.parts_b]
    way = (depth[:, None] * normal).astype(np.longdouble)
    judge.within("depth parts", deepest(parts_a, [part.moved(way) for part in parts_b]), EXACT * size, rows)
    judge.within("depth is no less than the deepest part's", truth - depth, EXACT * size, rows)
    if convex:
        judge.within("depth is the least", np.abs(depth - truth), EXACT * size, rows)
    for k in range(2):
        some = rows if k == 0 else np.flatnonzero(numbers[:, POINT_COUNT] == 2)
        if k == 0:
            some = np.arange(len(rows))
        if not len(some):
            continue
        world = numbers[some, POINTS + 2 * k : POINTS + 2 * k + 2].astype(np.longdouble)
        point = [point_part(world - case.origin[rows[some]])]
        bound = EXACT * size[some] + 4 * far[some]
        for name, parts in (("a", parts_a), ("b", parts_b)):
            away = -deepest([part.rows(some) for part in parts], point)
            judge.within(f"point {k} is near {name}", away - 0.5 * depth[some], bound, rows[some])
    return hit


def _check_closest_points(case: Case, truth: Reals, judge: Judge) -> None:
    placed = case.placed
    arrays = (placed.forms, placed.positions, placed.shapes, placed.pool)
    found = np.array([find_closest_points(k, k + case.count, *arrays) for k in range(case.count)])
    distance = found[:, 0]
    reach = case.size + np.asarray(np.abs(truth), float64)
    judge.within("distance", np.abs(distance - np.maximum(-truth, 0)), EXACT * reach)
    for name, parts, column in (("a", case.parts_a, 1), ("b", case.parts_b, 3)):
        point = [point_part(found[:, column : column + 2].astype(np.longdouble) - case.origin)]
        judge.within(f"closest point on {name}", -deepest(parts, point), NEAR * reach + 4 * case.far)
    between = np.hypot(found[:, 1] - found[:, 3], found[:, 2] - found[:, 4])
    judge.within("between closest points", np.abs(between - distance), EXACT * reach + 8 * case.far)


def _check_casts(case: Case, truth: Reals, judge: Judge) -> None:
    """a moves; before the fraction nothing is touched, at it the gap is closed."""
    random = np.random.default_rng((case.number, 1))
    way = random.uniform(-1.0, 1.0, 2) * 10.0 ** random.uniform(-6.0, 1.0)
    first = np.arange(case.count, dtype=np.int64)
    pairs = np.stack((first, first + case.count), -1)
    fractions, gaps = np.empty(case.count), np.empty(case.count)
    normals, points = np.empty((case.count, 2)), np.empty((case.count, 2))
    placed = case.placed
    cast_shapes(
        pairs, *way.tolist(), placed.forms, placed.positions, placed.shapes, placed.pool, fractions, gaps, normals,
        points,
    )  # fmt: skip
    reach = case.size + np.abs(way).max()
    apart = truth < -1e3 * TOUCHING * reach
    convex = len(case.parts_a) == len(case.parts_b) == 1
    if convex:
        judge.within("gap before a cast", np.abs(gaps + truth), EXACT * (reach + np.abs(np.asarray(truth, float64))))
    rows = np.flatnonzero(apart)
    if not len(rows):
        return
    hits = fractions[rows] <= 1.0
    last = np.where(hits, fractions[rows], 1.0)
    parts_b = [part.rows(rows) for part in case.parts_b]
    for share in (0.25, 0.5, 0.75, 1.0):
        by = (last * share)[:, None] * way
        parts_a = [part.rows(rows).moved(by.astype(np.longdouble)) for part in case.parts_a]
        now = deepest(parts_a, parts_b)
        judge.within("touched before a cast's end", now, 10 * EXACT * reach[rows], rows)
        if share == 1.0:
            judge.within("gap at a cast's end", np.where(hits, -now, 0.0), 10 * EXACT * reach[rows], rows)


def batches(
    pairs: int, families: list[str], of_a_batch: int = _PAIRS_OF_A_BATCH
) -> Iterator[tuple[int, str, str, str, int]]:
    """(number, family, guise of a, of b, pairs), until there are as many pairs as wanted, all kinds in turn."""
    kinds = [(family, a, b) for family in families for a in GUISES for b in GUISES]
    count = max(1, min(of_a_batch, -(-pairs // len(kinds))))
    number = 0
    while pairs > 0:
        for family, a, b in kinds:
            if pairs <= 0:
                return
            yield number, family, a, b, min(count, pairs)
            pairs -= count
            number += 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pairs", type=int, default=100_000, help="how many pairs (100,000)")
    parser.add_argument("--seed", type=int, default=1, help="what the pairs are drawn from (1)")
    parser.add_argument("--family", action="append", choices=list(FAMILIES), help="only this one; can be repeated")


def run(options: argparse.Namespace) -> int:
    """Check, print the counts and the first faults; 1 where there are any."""
    tally = Tally()
    began = time.monotonic()
    said = began
    for number, family, a, b, count in batches(options.pairs, options.family or list(FAMILIES)):
        check(drawn(options.seed, number, family, a, b, count), tally)
        if time.monotonic() - said > 10.0:
            said = time.monotonic()
            print(f"{sum(tally.pairs.values()):,} pairs, {len(tally.faults)} faults", file=sys.stderr, flush=True)
    for family, pairs in tally.pairs.items():
        print(f"{family:20} {pairs:>12,} pairs {tally.hits[family]:>12,} hits")
    print("largest error, in parts of its bound:")
    for what, worst in sorted(tally.worst.items()):
        print(f"  {worst:12.4g}  {what}")
    for fault in tally.faults[:_FAULTS_SHOWN]:
        print(fault)
    print(f"seed {options.seed}: {len(tally.faults)} faults, {time.monotonic() - began:.0f} s")
    return 1 if tally.faults else 0
