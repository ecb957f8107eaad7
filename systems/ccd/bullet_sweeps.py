"""The bullets of one world: what may be on their way, what is, and what becomes of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import bool_, float64, int32, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.bullet import Bullet
from ecsphys.components.collision.vertex_pool import VERTEX_POOL
from ecsphys.components.motion.trajectories import (
    BallisticTrajectory,
    CircularTrajectory,
    HarmonicTrajectory,
    LinearTrajectory,
)
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.engine.broadphase.grid import Grid
from ecsphys.engine.broadphase.overlaps import find_overlaps_in_grid
from ecsphys.engine.broadphase.pair_table import TooManyPairsError
from ecsphys.engine.cast.shape_cast import cast_shapes
from ecsphys.engine.ccd.bullet_motion import set_motions, sweep_boxes
from ecsphys.engine.ccd.bullet_sweep import (
    APPROACH,
    ARRIVED,
    BODY_COLUMNS,
    CHANGED,
    FLIES_ON,
    IMPACT_COLUMNS,
    KEPT,
    MOVED_X,
    MOVED_Y,
    NORMAL_X,
    REST,
    RESTS,
    SLIDES,
    TIME,
    X,
    sweep_bullets,
)
from ecsphys.engine.contact.contact import CONTACT_COLUMNS, NORMAL, POINT_COUNT, POINTS
from ecsphys.engine.kernels.capacity import Capacity
from ecsphys.engine.kernels.compilation import load_kernels
from ecsphys.systems.ccd.sweep_buffers import PairBuffer, ShapeBuffer
from ecsphys.systems.motion.hierarchy import carry_children
from ecsphys.systems.physics import Physics
from ecsphys.systems.world.crowds import bullets_error
from ecsphys.systems.world.placed_colliders import PlacedColliders
from ecsphys.systems.world.proxies import Rows
from ecsphys.systems.world.world_index import TRAJECTORY_CLASSES, WorldIndex, rows_at

Floats = NDArray[float64]
Moving = tuple[
    NDArray[uint8], NDArray[uint8], Floats, Floats, Floats, Rows, Floats, Rows, Rows, Floats, Floats, Floats, Floats
]

_NO_PAIRS: NDArray[int32] = np.zeros((0, 2), int32)

# Bullets in a row that are taken along by the first: each round finds the next of them.
_MOST_ROUNDS = 16

# Of the coordinates: at this size, the gap of arrival is four of their rounding errors.
_LEAST_SIZE = 4.0 * float(np.finfo(float64).eps) / ARRIVED


class _Outcome(NamedTuple):
    """What became of the pairs of a sweep and their bodies: of each a proxy (b,), where it is (b, 2), and its row.

    ``conduct`` (m, 2) is that of the pairs; ``velocities`` are rows of Velocity, and what was there before.
    """

    proxy: NDArray[int32]
    ends: Floats
    bodies: Floats
    conduct: NDArray[uint8]
    velocities: tuple[Rows, Floats]


class BulletSweeps:
    """Sweeps the bullets of one :class:`Physics` and settles what became of them."""

    def __init__(self, physics: Physics) -> None:
        self._physics = physics
        self._index: WorldIndex | None = None
        self._grid = Grid()
        self._ways = Grid()
        self._others: NDArray[int32] = np.zeros(0, int32)
        self._swerved: NDArray[bool_] = np.zeros(0, bool_)
        self._bullets: NDArray[int32] = np.zeros(0, int32)
        self._rows: NDArray[int32] = np.zeros(0, int32)
        self._carried: NDArray[bool_] = np.zeros(0, bool_)
        self._is_bullet: NDArray[bool_] = np.zeros(0, bool_)
        self._shapes = ShapeBuffer(0)
        self._pairs = PairBuffer(0)
        self._shape_capacity = Capacity()
        self._pair_capacity = Capacity()

    def update(self, dt: float) -> None:
        """Sweep the ``dt`` seconds that the stages before have moved everything by."""
        physics = self._physics
        index = physics.entered_index
        physics.swept_contacts.clear()
        if not index.bullets[0].size:
            return
        if self._index is not index:
            self._take_on(index)
        physics.starts.follow(index)
        placed = physics.placed_at(index)
        sizes = np.full(len(index.proxies), np.inf)
        boxes = placed.boxes[self._bullets]
        # Far from the origin no gap is smaller than the steps between the positions there can be.
        starts = physics.starts.poses[:2, index.proxies.transform_row[self._bullets]]
        least = _LEAST_SIZE * np.abs(starts).max(axis=0)
        sizes[self._bullets] = np.maximum((boxes[:, 2:] - boxes[:, :2]).min(axis=1), least)
        paths = self._file_ways(index, placed, sizes, dt)
        pairs = self._find_pairs(index, paths)
        if not len(pairs):
            return
        conduct = self._conduct(index)
        outcome = self._sweep(index, placed, pairs, conduct, sizes, dt)
        for _ in range(_MOST_ROUNDS):
            if not self._widen(index, placed, outcome, paths):
                break
            rows, before = outcome.velocities
            try:
                found = self._find_pairs(index, paths)
            except RuntimeError:
                Velocity._columns.float64[:, rows] = before
                raise
            if len(found) == len(pairs):
                break
            Velocity._columns.float64[:, rows] = before
            pairs = found
            outcome = self._sweep(index, placed, pairs, conduct, sizes, dt)
        changed = outcome.bodies[:, CHANGED] != 0.0
        if changed.any():
            self._settle(index, outcome.proxy[changed], outcome.ends[changed], outcome.bodies[changed], dt)
        self._tell(index, pairs, outcome.conduct, sizes, dt)

    def _take_on(self, index: WorldIndex) -> None:
        proxies = index.proxies
        row = rows_at(proxies.entity, *index.bullets)
        self._index = None
        self._is_bullet = row >= 0
        self._bullets = np.flatnonzero(self._is_bullet).astype(int32)
        self._rows = row[self._bullets]
        self._carried = np.isin(proxies.entity[self._bullets], index.children[0])
        self._swerved = np.zeros(len(self._bullets), bool_)
        load_kernels((sweep_boxes, set_motions, sweep_bullets, find_overlaps_in_grid, cast_shapes))
        # Last: where this is interrupted, it begins again.
        self._index = index

    def _moving(self, index: WorldIndex, placed: PlacedColliders) -> Moving:
        """What the engine has to know of how the proxies move."""
        proxies = index.proxies
        return (
            proxies.collider,
            placed.forms,
            placed.shapes,
            placed.positions,
            placed.angles,
            proxies.transform_row,
            self._physics.starts.poses,
            proxies.trajectory,
            index.trajectories,
            LinearTrajectory._columns.float64,
            BallisticTrajectory._columns.float64,
            CircularTrajectory._columns.float64,
            HarmonicTrajectory._columns.float64,
        )

    def _file_ways(self, index: WorldIndex, placed: PlacedColliders, sizes: Floats, dt: float) -> Floats:
        """File the ways of what moves, but for the bullets, and return the boxes (k, 4) of theirs."""
        bullets = self._bullets
        awake = self._physics.resting.is_awake | placed.moved.view(bool_)
        others = self._others = np.flatnonzero(~self._is_bullet & awake).astype(int32)
        moving = self._moving(index, placed)
        ways = np.empty((len(bullets) + len(others), 4))
        sweep_boxes(np.concatenate((bullets, others)), *moving, dt, placed.boxes, ways)
        self._ways.file_boxes(ways[len(bullets) :])
        paths = ways[: len(bullets)]
        boxes = placed.boxes[bullets]
        reach = KEPT * sizes[bullets]
        # What slides gets no farther than it would have got, but elsewhere.
        swerved = np.flatnonzero(self._swerved)
        longer = paths[swerved, 2:] - paths[swerved, :2] - (boxes[swerved, 2:] - boxes[swerved, :2])
        reach[swerved] += longer.max(axis=1)
        paths[:, :2] -= reach[:, None]
        paths[:, 2:] += reach[:, None]
        return paths

    def _find_pairs(self, index: WorldIndex, paths: Floats) -> NDArray[int32]:
        """The pairs (m, 2) of proxies that may meet, lower body first: a bullet in each, and their ways overlap."""
        physics, bullets = self._physics, self._bullets
        bodies = index.proxies.body
        try:
            found = [physics.resting.find_pairs_with(self._grid, bullets, paths, bodies)]
            if self._others.size:
                met = self._ways.find_overlaps(paths)
                found.append(np.column_stack((bullets[met[:, 0]], self._others[met[:, 1]])))
        except TooManyPairsError:
            boxes = np.concatenate((paths, physics.placed.boxes))
            raise bullets_error(index.proxies.entity[bullets], paths, boxes) from None
        pairs = np.concatenate(found)
        pairs.sort(axis=1)
        key = pairs[:, 0].astype(np.int64) * len(bodies) + pairs[:, 1]
        key.sort()
        key = key[np.diff(key, prepend=-1) != 0]
        once = np.column_stack((key // len(bodies), key % len(bodies))).astype(int32)
        return physics.tracker.choose_pairs(once, index)

    def _widen(self, index: WorldIndex, placed: PlacedColliders, outcome: _Outcome, paths: Floats) -> bool:
        """Widen the paths of bullets that something has turned or taken out of them; whether there are any."""
        body = index.proxies.body[self._bullets]
        bodies = index.proxies.body[outcome.proxy]
        place = np.minimum(np.searchsorted(bodies, body), len(bodies) - 1)
        self._swerved = (bodies[place] == body) & (outcome.bodies[place, CHANGED] != 0.0)
        swerved = np.flatnonzero(self._swerved)
        if not swerved.size:
            return False
        bullets = self._bullets[swerved]
        aside = outcome.ends[place[swerved]] - placed.positions[bullets]
        boxes = placed.boxes[bullets]
        ends = boxes + np.tile(aside, 2)
        turns = placed.angles[bullets] != self._physics.starts.poses[2, index.proxies.transform_row[bullets]]
        if turns.any():
            turning = np.flatnonzero(turns)
            corners = np.abs(boxes[turning] - np.tile(placed.positions[bullets[turning]], 2))
            reach = np.hypot(*np.maximum(corners[:, :2], corners[:, 2:]).T)[:, None]
            middle = outcome.ends[place[swerved[turning]]]
            ends[turning] = np.concatenate((middle - reach, middle + reach), axis=1)
        before = paths[swerved]
        if ((ends[:, :2] >= before[:, :2]) & (ends[:, 2:] <= before[:, 2:])).all():
            return False
        paths[swerved, :2] = np.minimum(before[:, :2], ends[:, :2])
        paths[swerved, 2:] = np.maximum(before[:, 2:], ends[:, 2:])
        return True

    def _sweep(
        self,
        index: WorldIndex,
        placed: PlacedColliders,
        pairs: NDArray[int32],
        conducts: NDArray[uint8],
        sizes: Floats,
        dt: float,
    ) -> _Outcome:
        proxies = index.proxies
        number = np.zeros(len(proxies), int32)
        number[pairs] = 1
        involved = np.flatnonzero(number).astype(int32)
        number[involved] = np.arange(len(involved), dtype=int32)
        local = number[pairs]
        is_first = np.diff(proxies.body[involved], prepend=-1) != 0
        body = (np.cumsum(is_first) - 1).astype(int32)
        first_shape = np.append(np.flatnonzero(is_first), len(involved)).astype(int32)
        count = len(first_shape) - 1
        conduct = conducts[involved[first_shape[:-1]]]
        capacity = self._shape_capacity.choose(len(involved), len(self._shapes.forms))
        if capacity != len(self._shapes.forms):
            self._shapes = ShapeBuffer(capacity)
        capacity = self._pair_capacity.choose(len(pairs), len(self._pairs.touched))
        if capacity != len(self._pairs.touched):
            self._pairs = PairBuffer(capacity)
        shapes, scratch = self._shapes, self._pairs
        set_motions(
            involved,
            *self._moving(index, placed),
            dt,
            shapes.motions,
            shapes.positions,
            shapes.shapes,
            shapes.forms,
        )
        velocity_row = proxies.velocity_row[involved]
        written = velocity_row[velocity_row >= 0]
        velocities = written, Velocity._columns.float64[:, written]
        bodies = np.empty((count, BODY_COLUMNS))
        sweep_bullets(
            local,
            body,
            first_shape,
            conduct,
            sizes[involved],
            shapes.forms,
            shapes.positions,
            shapes.shapes,
            VERTEX_POOL.data,
            shapes.motions,
            velocity_row,
            Velocity._columns.float64,
            dt,
            np.empty(count, int32),
            scratch.links,
            scratch.queue,
            scratch.places,
            scratch.pending,
            scratch.touched,
            scratch.impacts,
            bodies,
        )
        first = first_shape[:-1]
        ends = shapes.positions[first] + bodies[:, MOVED_X : MOVED_Y + 1]
        return _Outcome(involved[first], ends, bodies, conduct[body[local]], velocities)

    def _tell(
        self, index: WorldIndex, pairs: NDArray[int32], conduct: NDArray[uint8], sizes: Floats, dt: float
    ) -> None:
        """Give the narrowphase what was touched, and what goes on without."""
        scratch = self._pairs
        touched = scratch.touched[: len(pairs)] != 0
        kept = self._find_kept(index, pairs, ~touched, conduct, sizes)
        impacts = scratch.impacts[: len(pairs)][touched]
        rows = np.concatenate((impacts, kept[1]))
        contacts = np.zeros((len(rows), CONTACT_COLUMNS))
        contacts[:, NORMAL : NORMAL + 2] = rows[:, NORMAL_X : NORMAL_X + 2]
        contacts[:, POINT_COUNT] = 1.0
        contacts[:, POINTS : POINTS + 2] = rows[:, X : X + 2]
        contacts[:, POINTS + 2 :] = np.nan
        times_and_speeds = rows[:, TIME : APPROACH + 1].copy()
        times_and_speeds[:, 1] *= 1.0 / dt if dt > 0.0 else 0.0
        self._physics.swept_contacts.set(index, np.concatenate((pairs[touched], kept[0])), contacts, times_and_speeds)

    def _conduct(self, index: WorldIndex) -> NDArray[uint8]:
        """What each proxy's body does at an impact."""
        proxies, bullets = index.proxies, self._bullets
        stops = (Bullet._columns.column("stop")[self._rows] != 0) & ~self._carried
        conduct = np.zeros(len(proxies), uint8)
        conduct[bullets] = np.where(stops, np.where(proxies.trajectory[bullets] >= 0, RESTS, SLIDES), FLIES_ON)
        return conduct

    def _settle(
        self,
        index: WorldIndex,
        stopped: NDArray[int32],
        ends: Floats,
        bodies: Floats,
        dt: float,
    ) -> None:
        """Put entities, each given by one of its proxies, where they were stopped, and hold their trajectories."""
        physics, proxies = self._physics, index.proxies
        x, y, angle = Transform._columns.float64
        rows = proxies.transform_row[stopped]
        x[rows] = ends[:, 0]
        y[rows] = ends[:, 1]
        part = np.minimum(bodies[:, REST], 1.0)
        start = physics.starts.poses[2, rows]
        turned = part < 1.0
        angle[rows[turned]] = (start + part * (angle[rows] - start))[turned]
        Transform._columns.mark(rows)
        held = np.flatnonzero(proxies.trajectory[stopped] >= 0)
        lines = index.trajectories[proxies.trajectory[stopped[held]]]
        for kind, cls in enumerate(TRAJECTORY_CLASSES):
            of_kind = lines[:, 0] == kind
            cls._columns.column("elapsed")[lines[of_kind, 1]] -= (1.0 - part[held[of_kind]]) * dt
        if index.children[0].size:
            carry_children(physics)
        physics.moved(bool(np.isfinite(ends).all()))

    def _find_kept(
        self,
        index: WorldIndex,
        pairs: NDArray[int32],
        untouched: NDArray[bool_],
        conduct: NDArray[uint8],
        sizes: NDArray[float64],
    ) -> tuple[NDArray[int32], NDArray[float64]]:
        """Pairs that hit each other before, and did not now, but are no farther apart than keeps a hit; as impacts."""
        physics = self._physics
        pairs = pairs[untouched & (conduct >= RESTS).any(axis=1)]
        pairs = pairs[physics.tracker.were_hitting(pairs, index)]
        if not len(pairs):
            return _NO_PAIRS, np.zeros((0, IMPACT_COLUMNS))
        placed = physics.placed_at(index)
        count = len(pairs)
        rows = np.zeros((count, IMPACT_COLUMNS))
        gaps, normals, points = np.empty(count), np.empty((count, 2)), np.empty((count, 2))
        cast_shapes(
            pairs.astype(np.int64),
            0.0,
            0.0,
            placed.forms,
            placed.positions,
            placed.shapes,
            VERTEX_POOL.data,
            np.empty(count),
            gaps,
            normals,
            points,
        )
        rows[:, TIME] = 1.0
        rows[:, NORMAL_X : NORMAL_X + 2] = normals
        rows[:, X : X + 2] = points
        near = np.abs(gaps) < KEPT * sizes[pairs].min(axis=1)
        return pairs[near], rows[near]
