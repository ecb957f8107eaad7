"""The grid against comparing everything with everything, at the capacities of its buffers above all.

Each world is made from the seed and its number alone, which a fault names: ``--world`` repeats that one.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field

import esper
import numpy as np
from numpy import bool_, float64, int32, int64
from numpy.typing import NDArray

from checks.grid_worlds import SCENES, Boxes, discs, each_its_own, targets, with_pairs
from ecsphys import CircleCollider, Physics, Transform, spawn_many
from ecsphys.engine.broadphase.grid import Grid, KeptGrid
from ecsphys.engine.broadphase.pairs import BruteForce

HELP = "pairs, overlaps, rays, nearest and casts of the grid against brute force"

# Casts and distances agree up to this part of the sizes and ways.
_TOLERANCE = 1e-9


@dataclass
class _Tally:
    """What was compared until now, and the faults."""

    pairs: dict[str, int] = field(default_factory=dict)
    worlds: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        return sum(self.pairs.values())

    def count(self, kind: str, found: int, fault: str | None) -> None:
        """Count what was found, and the fault if there is one."""
        self.pairs[kind] = self.pairs.get(kind, 0) + found
        if fault is not None:
            self.faults.append(f"world {self.worlds}: {kind}: {fault}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the check."""
    parser.add_argument("--pairs", type=int, default=1_000_000, help="compare at least so many pairs that overlap")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers")
    parser.add_argument("--world", type=int, help="only the world of this number")


def run(arguments: argparse.Namespace) -> int:
    """Compare; 0, or 1 where there was a fault."""
    tally = _Tally(worlds=arguments.world or 0)
    begun = time.perf_counter()
    while True:
        rng = np.random.default_rng((arguments.seed, tally.worlds))
        with np.errstate(invalid="ignore"):
            for check in (_check_pairs, _check_beside, _check_overlaps, _check_queries):
                check(rng, tally)
        tally.worlds += 1
        if arguments.world is not None or tally.total >= arguments.pairs or len(tally.faults) >= 20:
            break
    for fault in tally.faults:
        print(f"FAULT --seed {arguments.seed} {fault}")
    parts = ", ".join(f"{kind} {count:,}" for kind, count in tally.pairs.items())
    print(
        f"{tally.total:,} pairs ({parts}) in {tally.worlds - (arguments.world or 0):,} rounds of worlds,"
        f" {time.perf_counter() - begun:.0f} s: {len(tally.faults)} faults"
    )
    return 1 if tally.faults else 0


def _scene(rng: np.random.Generator) -> Boxes:
    return SCENES[int(rng.integers(len(SCENES)))](rng, int(rng.integers(2, 700)))


def _keys(pairs: NDArray[int32] | NDArray[int64], width: int) -> NDArray[int64]:
    keys: NDArray[int64] = np.sort(pairs[:, 0].astype(int64) * width + pairs[:, 1])
    return keys


def _difference(found: NDArray[int64], expected: NDArray[int64], width: int) -> str | None:
    """What is wrong with keys of pairs that should be others, each once."""
    if np.array_equal(found, expected):
        return None
    lost, extra = np.setdiff1d(expected, found), np.setdiff1d(found, expected)
    twice = len(found) - len(np.unique(found))
    shown = [divmod(int(key), width) for key in (*lost[:3], *extra[:3])]
    return f"{len(expected)} pairs: {len(lost)} lost, {len(extra)} too many, {twice} twice, as {shown}"


def _check_pairs(rng: np.random.Generator, tally: _Tally) -> None:
    """One grid after the other number of pairs."""
    grid, brute_force = Grid(), BruteForce()
    cell_size = float(rng.choice((0.0, 0.0, 0.5, 3.0)))
    for target in targets(rng):
        boxes = with_pairs(rng, _scene(rng), target, brute_force)
        owners = each_its_own(boxes) // int(rng.choice((1, 1, 2)))
        found = _keys(grid.find_pairs(boxes, owners, cell_size), len(boxes))
        expected = _keys(brute_force.find_pairs(boxes, owners), len(boxes))
        tally.count("pairs", len(expected), _difference(found, expected, len(boxes)))


def _check_beside(rng: np.random.Generator, tally: _Tally) -> None:
    """Pairs of those awake, with each other and with those that are in a grid that is kept."""
    kept, grid, brute_force = Grid(), Grid(), BruteForce()
    for target in targets(rng):
        boxes = with_pairs(rng, _scene(rng), target, brute_force)
        count = len(boxes)
        is_awake = rng.random(count) < rng.choice((0.05, 0.5, 0.9))
        # What is aside lies still but for the one half: so that all its pairs count.
        is_awake |= boxes[:, 0] - np.floor(boxes[:, 0]) == 0.5
        awake, sleeping = np.flatnonzero(is_awake).astype(int32), np.flatnonzero(~is_awake)
        kept.file_boxes(boxes[sleeping])
        asleep = KeptGrid(sleeping[kept.order].astype(np.uint32), kept.tables)
        owners = each_its_own(boxes)
        found = _keys(grid.find_pairs(boxes[awake], owners, awake=awake, kept=asleep), count)
        pairs = brute_force.find_pairs(boxes, owners)
        expected = _keys(pairs[is_awake[pairs].any(axis=1)], count)
        tally.count("beside sleeping", len(expected), _difference(found, expected, count))


def _check_overlaps(rng: np.random.Generator, tally: _Tally) -> None:
    """Boxes that ask, about as many in all as a table holds."""
    grid = Grid()
    for target in targets(rng):
        boxes = _scene(rng)
        queries = np.ascontiguousarray(np.vstack((_scene(rng), boxes[rng.integers(len(boxes), size=8)])))
        if rng.integers(2):
            queries[-1] = (-np.inf, -np.inf, np.inf, np.inf)
        meets = _overlapping(queries, boxes)
        queries = np.ascontiguousarray(queries[np.cumsum(meets.sum(axis=1)) <= target])
        meets = meets[: len(queries)]
        missing = target - int(np.count_nonzero(meets))
        if len(boxes) >= missing:
            # One query more that overlaps as many as are missing, and one that overlaps nothing, but is compared.
            order = np.argsort(boxes[:, 0] + 0.0 * boxes[:, 2])
            reach = boxes[order[missing - 1], 0] if missing else -np.inf
            queries = np.ascontiguousarray(
                np.vstack((queries, (-np.inf, -np.inf, reach, np.inf), (-np.inf, 1e300, np.inf, np.inf)))
            )
            meets = _overlapping(queries, boxes)
        grid.file_boxes(boxes)
        found = _keys(grid.find_overlaps(queries), len(boxes))
        expected = _keys(np.argwhere(meets), len(boxes))
        tally.count("overlaps", len(expected), _difference(found, expected, len(boxes)))


def _overlapping(queries: Boxes, boxes: Boxes) -> NDArray[bool_]:
    q, b = queries[:, None], boxes[None]
    asks = (queries[:, 0] <= queries[:, 2]) & (queries[:, 1] <= queries[:, 3])
    whole = ~np.isnan(boxes).any(axis=1)
    along = (q[..., :2] <= b[..., 2:]) & (b[..., :2] <= q[..., 2:])
    found: NDArray[bool_] = along[..., 0] & along[..., 1] & asks[:, None] & whole
    return found


def _check_queries(rng: np.random.Generator, tally: _Tally) -> None:
    """A physics' rays, nearest, and casts in a world of discs, each against the formula for all discs."""
    world = esper.current_world
    esper.switch_world("checks of the grid")
    try:
        count = int(rng.choice((255, 256, 257, 300, 1023, 1024, 1025)))
        centres, radii = discs(rng, count)
        entities = spawn_many(
            count, Transform.many(x=centres[:, 0], y=centres[:, 1]), CircleCollider.many(radius=radii)
        )
        physics = Physics(cell_size=float(rng.choice((0.5, 5.0))) if rng.integers(2) else None)
        spread = float(np.abs(centres).max())
        for kind, check in (("rays", _rays), ("nearest", _nearest), ("casts", _casts)):
            tally.count(kind, *check(rng, physics, entities, centres, radii, spread))
    finally:
        esper.switch_world(world)
        esper.delete_world("checks of the grid")


_Answer = tuple[int, str | None]


def _directions(rng: np.random.Generator, count: int) -> Boxes:
    angle = np.where(rng.random(count) < 0.2, 0.5 * np.pi * rng.integers(0, 4, count), rng.uniform(0, 6.3, count))
    return np.column_stack((np.cos(angle), np.sin(angle)))


def _times(offsets: Boxes, ways: Boxes, radii: NDArray[float64]) -> Boxes:
    """When points on their ways (q,) enter discs at ``offsets`` (q, n, 2) from them: 0 inside, infinite for never."""
    along = (offsets * ways[:, None]).sum(axis=2)
    beside = offsets[..., 0] * ways[:, None, 1] - offsets[..., 1] * ways[:, None, 0]
    inside = (offsets**2).sum(axis=2) < radii**2
    enters = along - np.sqrt(radii**2 - beside**2)
    enters = np.where((along > 0.0) & (np.abs(beside) < radii), enters, np.inf)
    return np.where(inside, 0.0, enters)


def _rays(
    rng: np.random.Generator, physics: Physics, entities: NDArray[int64], centres: Boxes, radii: Boxes, spread: float
) -> _Answer:
    count = 40
    origins, ways = rng.uniform(-1.2, 1.2, (count, 2)) * spread, _directions(rng, count)
    times = _times(centres[None] - origins[:, None], ways, radii)
    reach = float(rng.choice((np.inf, spread)))
    near = np.abs(times - reach) < _TOLERANCE * spread
    found = physics.raycast_all_batch(origins, ways, reach)
    hits = np.zeros((count, len(entities)), bool_)
    hits[found.query, np.searchsorted(entities, found.entity)] = True
    grazes = np.abs(np.abs(_beside(centres, origins, ways)) - radii) < _TOLERANCE * spread
    wrong = (hits != (times < reach)) & ~near & ~grazes
    first = physics.raycast_batch(origins, ways, reach)
    expected = np.where(times < reach, times, np.inf).min(axis=1)
    distance = np.where(first.entity >= 0, first.distance, np.inf)
    off = ~((distance == expected) | (np.abs(distance - expected) < _TOLERANCE * spread))
    off &= ~(near | grazes).any(axis=1)
    fault = None
    if wrong.any() or off.any():
        fault = f"{np.argwhere(wrong)[:3].tolist()} of all, {np.flatnonzero(off)[:3].tolist()} of first wrong"
    return int(np.count_nonzero(hits)), fault


def _beside(centres: Boxes, origins: Boxes, ways: Boxes) -> Boxes:
    offsets = centres[None] - origins[:, None]
    beside: Boxes = offsets[..., 0] * ways[:, None, 1] - offsets[..., 1] * ways[:, None, 0]
    return beside


def _nearest(
    rng: np.random.Generator, physics: Physics, entities: NDArray[int64], centres: Boxes, radii: Boxes, spread: float
) -> _Answer:
    count = 20
    points = rng.uniform(-2, 2, (count, 2)) * spread
    wanted = int(rng.choice((1, 5, len(entities) - 1, len(entities), len(entities) + 1)))
    found = physics.nearest_batch(points, wanted)
    distances = np.maximum(np.linalg.norm(centres[None] - points[:, None], axis=2) - radii, 0.0)
    kept = min(wanted, len(entities))
    expected = np.sort(distances, axis=1)[:, :kept]
    if len(found.entity) != count * kept:
        return count * kept, f"{len(found.entity)} found of {count * kept}"
    own = distances[found.query, np.searchsorted(entities, found.entity)]
    off = np.abs(found.distance - expected.ravel()) + np.abs(found.distance - own) > _TOLERANCE * spread
    fault = f"{np.flatnonzero(off)[:3].tolist()} wrong, {wanted} wanted" if off.any() else None
    return count * kept, fault


def _casts(
    rng: np.random.Generator, physics: Physics, entities: NDArray[int64], centres: Boxes, radii: Boxes, spread: float
) -> _Answer:
    count = 20
    radius = float(rng.choice((0.1, 1.0, 3.0 * spread)))
    starts = np.column_stack((rng.uniform(-1, 1, (count, 2)) * (spread + 2.0 * radius), np.zeros(count)))
    ways = _directions(rng, count)
    length = spread + 2.0 * radius
    found = physics.shapecast_batch(CircleCollider(radius), starts, ways * length)
    times = _times(centres[None] - starts[:, None, :2], ways, radii + radius)
    expected = np.minimum(times.min(axis=1) / length, 1.0)
    grazes = np.abs(np.abs(_beside(centres, starts[:, :2], ways)) - radii - radius) < 1e-6 * length
    off = (np.abs(found.fraction - expected) > 1e-6) & ~grazes.any(axis=1)
    fault = f"{[(int(k), float(found.fraction[k]), float(expected[k])) for k in np.flatnonzero(off)[:3]]} wrong"
    return int(np.count_nonzero(times <= length)), fault if off.any() else None
