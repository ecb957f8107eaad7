"""Times of impact of random pairs that move and turn, against conservative subdivision in extended precision.

The engine advances by separations and ends at the first impact. Here, the way up to there is cut into pieces until of
each it is certain that nothing touches: the gap in its middle, from the outline of the Minkowski difference, is more
than both shapes can move in half of it. Where two shapes only slide by each other there is no end to that: a gap that
is smaller than the target of the search, and negative by no more than that, counts as clear.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from typing import Any

import numpy as np
from numpy import float64, int32, int64, uint8
from numpy.typing import NDArray

from checks.geometry import FAULTS_SHOWN, Tally, deepest
from checks.shape_batches import GUISES, Batch, Floats, place
from ecsphys.engine.ccd.bullet_sweep import (
    ARRIVED,
    BODY_COLUMNS,
    FLIES_ON,
    GAP,
    IMPACT_COLUMNS,
    TIME,
    BulletVelocities,
    SweepOutcome,
    SweepRoom,
    SweptPairs,
    sweep_bullets,
)
from ecsphys.engine.geometry.sweep_motion import ANGLE, KIND, LINEAR_X, LINEAR_Y, MOTION_COLUMNS, POLYNOMIAL, UNTIL
from ecsphys.engine.shapes.layout import KIND_AABB, KIND_CIRCLE

HELP = "times of impact of random pairs of all shapes that move and turn, in extended precision"

# Relative to the larger of the sizes: what counts as touching on the way, several times the gap of arrival.
TOUCHING = 1e-6

# Cuts of one way; what is not clear then is counted, and not judged.
_MOST_CUTS = 4000

_PAIRS_OF_A_BATCH = 64


class Ways:
    """Pairs that move and turn: a pair has the shape of ``a`` and that of ``b``, each with a motion (n, 3)."""

    def __init__(self, random: np.random.Generator, guise_a: str, guise_b: str, count: int) -> None:
        self.a, self.b = GUISES[guise_a](random, count), GUISES[guise_b](random, count)
        for batch in (self.a, self.b):
            if batch.kind != KIND_AABB:
                batch.turns[:] = random.uniform(-3.0, 3.0, count)
        self.size: Floats = np.maximum(self.a.extents(), self.b.extents())
        both = self.a.extents() + self.b.extents()
        angle, apart = random.uniform(-3.2, 3.2, count), both * random.uniform(0.3, 3.0, count)
        start = np.stack((np.cos(angle), np.sin(angle)), -1)
        self.b.positions[:] = start * apart[:, None]
        # Towards each other, more or less, and often by each other.
        aim = -start * (apart * random.uniform(0.0, 2.0, count))[:, None]
        aim += both[:, None] * random.uniform(-1.0, 1.0, (count, 2))
        share = random.choice([0.0, 0.5, 1.0], count)[:, None]
        turns = random.choice([0.0, 1.0, 1.0], (2, count)) * random.uniform(-6.0, 6.0, (2, count))
        self.motion_a = np.column_stack((-share * aim, turns[0]))
        self.motion_b = np.column_stack(((1.0 - share) * aim, turns[1]))
        for batch, motion in ((self.a, self.motion_a), (self.b, self.motion_b)):
            if batch.kind == KIND_AABB:
                motion[:, 2] = 0.0

    def speeds(self) -> Floats:
        """(n,) how fast any points of the two approach at most."""
        found: Floats = np.hypot(*(self.motion_b - self.motion_a)[:, :2].T)
        for batch, motion in ((self.a, self.motion_a), (self.b, self.motion_b)):
            if batch.kind != KIND_CIRCLE or batch.offsets.any():
                found += np.abs(motion[:, 2]) * batch.extents()
        return found

    def gaps(self, rows: NDArray[int64], times: Floats) -> Floats:
        """The distances of some pairs at times of theirs, negative where they overlap."""
        a, b = (
            _moved(batch.rows(rows), motion[rows], times)
            for batch, motion in ((self.a, self.motion_a), (self.b, self.motion_b))
        )
        between = b.positions.astype(np.longdouble) - a.positions.astype(np.longdouble)
        return np.asarray(-deepest(a.parts(), [part.moved(between) for part in b.parts()]), float64)

    def describe(self, row: int) -> str:
        """A pair as one would write it, and the motions."""
        motions = f"moved by {self.motion_a[row].tolist()}", f"moved by {self.motion_b[row].tolist()}"
        return f"{self.a.describe(row)} {motions[0]}; {self.b.describe(row)} {motions[1]}"


def _moved(batch: Batch, motion: Floats, times: Floats) -> Batch:
    turns = batch.turns + motion[:, 2] * times
    return replace(batch, positions=batch.positions + motion[:, :2] * times[:, None], turns=turns)


def impacts_of(ways: Ways) -> tuple[Floats, Floats]:
    """The engine's times of impact (n,), infinite for none, and gaps at the start (n,)."""
    count = len(ways.size)
    shapes = place(ways.a, ways.b)
    motions = np.zeros((2 * count, MOTION_COLUMNS))
    motions[:, KIND], motions[:, UNTIL] = POLYNOMIAL, 1.0
    moved = np.concatenate((ways.motion_a, ways.motion_b))
    motions[:, LINEAR_X], motions[:, LINEAR_Y], motions[:, ANGLE] = moved.T
    every = np.arange(2 * count, dtype=int32)
    pairs = np.stack((every[:count], every[count:]), -1)
    none = np.full(2 * count, -1, int32)
    pending = np.full((count, IMPACT_COLUMNS), np.inf)
    outcome = SweepOutcome(
        np.zeros(count, uint8), np.empty((count, IMPACT_COLUMNS)), np.empty((2 * count, BODY_COLUMNS))
    )
    sweep_bullets(
        SweptPairs(
            pairs,
            every,
            np.arange(2 * count + 1, dtype=int32),
            np.full(2 * count, FLIES_ON, uint8),
            np.tile(ways.size, 2),
            np.full(2 * count, np.inf),
            np.zeros(count, uint8),
            0.0,
        ),
        shapes,
        motions,
        BulletVelocities(none, np.empty((3, 0))),
        1.0,
        SweepRoom(none.copy(), np.full(2 * count, -1, int32), np.zeros(count, int32), np.zeros(count, int32), pending),
        outcome,
    )
    return pending[:, TIME].copy(), pending[:, GAP].copy()


def is_clear(ways: Ways, ends: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether nothing touches up to the ends (n,); and of which pairs that could be told."""
    count = len(ends)
    speeds, slack = ways.speeds(), TOUCHING * ways.size
    clear, told = np.ones(count, np.bool_), np.ones(count, np.bool_)
    rows: NDArray[int64] = np.arange(count)
    low, high = np.zeros(count), ends.copy()
    cuts = np.zeros(count, int64)
    while rows.size:
        middle = 0.5 * (low + high)
        gaps = ways.gaps(rows, middle)
        clear[rows[gaps < -slack[rows]]] = False
        np.add.at(cuts, rows, 1)
        told[cuts > _MOST_CUTS] = False
        open_ = (gaps - speeds[rows] * 0.5 * (high - low) < -slack[rows]) & clear[rows] & told[rows]
        rows, low, middle, high = rows[open_], low[open_], middle[open_], high[open_]
        rows, low, high = np.tile(rows, 2), np.concatenate((low, middle)), np.concatenate((middle, high))
    return clear, told


def check(ways: Ways, name: str, tally: Tally) -> None:
    """Compare all pairs of a batch."""
    times, _ = impacts_of(ways)
    count = len(times)
    every: NDArray[int64] = np.arange(count)
    # What overlaps at the start is free to leave.
    started = ways.gaps(every, np.zeros(count))
    apart = started > 2.0 * TOUCHING * ways.size
    hits = apart & (times <= 1.0)
    ends = np.where(hits, times, 1.0)
    clear, told = is_clear(ways, np.where(apart, ends, 0.0))
    gaps = ways.gaps(every, ends)
    tally.pairs[name] = tally.pairs.get(name, 0) + int(apart.sum())
    tally.hits[name] = tally.hits.get(name, 0) + int(hits.sum())
    tally.hits["not told"] = tally.hits.get("not told", 0) + int((apart & ~told).sum())
    _note(tally, ways, "nothing is met before the impact", apart & told & ~clear, ends)
    _note(tally, ways, "an impact is one", hits & ~(gaps <= ARRIVED * (1.0 + 1e-6) * ways.size), gaps)
    _note(tally, ways, "an impact is no overlap", hits & ~(gaps >= 0.0), gaps)


def _note(tally: Tally, ways: Ways, what: str, wrong: NDArray[np.bool_], values: NDArray[Any]) -> None:
    tally.faults += int(wrong.sum())
    for row in np.flatnonzero(wrong)[: FAULTS_SHOWN - len(tally.shown)]:
        tally.shown.append(f"{what}, {float(values[row])!r}: {ways.describe(int(row))}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the check."""
    parser.add_argument("--pairs", metavar="N", type=int, default=20_000, help="how many pairs (%(default)s)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="what they are drawn from (%(default)s)")


def run(options: argparse.Namespace) -> int:
    """Compare batch by batch, of all pairs of guises in turn; 1 where anything is wrong."""
    tally, begun = Tally(), time.perf_counter()
    kinds = [(a, b) for a in GUISES for b in GUISES]
    count = min(_PAIRS_OF_A_BATCH, -(-options.pairs // len(kinds)))
    for number in range(-(-options.pairs // count)):
        guise_a, guise_b = kinds[number % len(kinds)]
        shown = len(tally.shown)
        check(Ways(np.random.default_rng((options.seed, number)), guise_a, guise_b, count), "pairs", tally)
        for fault in tally.shown[shown:]:
            print(f"{fault}\n", flush=True)
    print(
        f"{tally.pairs['pairs']:,} pairs apart at first from seed {options.seed}, {tally.hits['pairs']:,} impacts,"
        f" {tally.hits['not told']:,} ways too near to tell, {time.perf_counter() - begun:.0f} s: {tally.faults} faults"
    )
    return 1 if tally.faults else 0
