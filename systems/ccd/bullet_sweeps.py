"""The bullets of one world: what may be on their way, what is, and what becomes of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import bool_, float64, int32, uint8
from numpy.typing import NDArray

from ecsphys.components.character.one_way import OneWay
from ecsphys.components.collision.bullet import Bullet
from ecsphys.components.collision.vertex_pool import VERTEX_POOL
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.component_table import rows_of
from ecsphys.engine.broadphase.grid import Grid
from ecsphys.engine.broadphase.overlaps import find_overlaps_in_grid
from ecsphys.engine.broadphase.pair_table import TooManyPairsError
from ecsphys.engine.cast.shape_cast import CastImpacts, cast_shapes
from ecsphys.engine.ccd.bullet_motion import MotionRoom, StepMotions, set_motions, sweep_boxes
from ecsphys.engine.ccd.bullet_sweep import (
    APPROACH,
    ARRIVED,
    BODY_COLUMNS,
    BOUNCES,
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
    BulletVelocities,
    SweepOutcome,
    SweepRoom,
    SweptPairs,
    X,
    sweep_bullets,
)
from ecsphys.engine.ccd.chain_sides import find_blocked
from ecsphys.engine.contact.contact import CONTACT_COLUMNS, NORMAL, POINT_COUNT, POINTS
from ecsphys.engine.contacts.contact_table import IS_SOLVED, SPEED, SWEPT_COLUMNS
from ecsphys.engine.contacts.contact_table import TIME as CONTACT_TIME
from ecsphys.engine.contacts.one_way import EntityRows
from ecsphys.engine.dynamics.body_mass import DYNAMIC
from ecsphys.engine.kernels.capacity import Capacity
from ecsphys.engine.math.elementwise import cos_sin_of, lengths_of
from ecsphys.engine.shapes.layout import KIND_AABB, ShapeArrays
from ecsphys.engine.shapes.placement import TRANSFORM_ANGLE, PlacedShapes
from ecsphys.engine.tables.entity_rows import BULLET, CHAIN, LINEAR_TRAJECTORY, PARENT, PATH_TRAJECTORY
from ecsphys.systems.ccd.sweep_buffers import PairBuffer, ShapeBuffer
from ecsphys.systems.ccd.turned_back import keep_center_velocities
from ecsphys.systems.first_loads import load_with_first
from ecsphys.systems.motion.analytic_motion import trajectory_blocks
from ecsphys.systems.motion.hierarchy import carry_children
from ecsphys.systems.physics import Physics
from ecsphys.systems.world.crowds import bullets_error
from ecsphys.systems.world.entity_table import LINE_CLASSES

load_with_first((sweep_boxes, set_motions, sweep_bullets, find_overlaps_in_grid, cast_shapes), Bullet)

Floats = NDArray[float64]
_NO_PAIRS: NDArray[int32] = np.zeros((0, 2), int32)

# Both sides of a pair.
_BOTH = 3

# Bullets in a row that are taken along by the first: each round finds the next of them.
_MOST_ROUNDS = 16

# Of the coordinates: at this size, the gap of arrival is four of their rounding errors.
_LEAST_SIZE = 4.0 * float(np.finfo(float64).eps) / ARRIVED


class _Outcome(NamedTuple):
    """What became of the pairs of a sweep and their bodies: of each a slot (b,), where it is (b, 2), and its row.

    ``response`` (m, 2) is that of the pairs; ``velocities`` are rows of Velocity, and what was there before.
    """

    slot: NDArray[int32]
    ends: Floats
    bodies: Floats
    response: NDArray[uint8]
    velocities: tuple[NDArray[int32], Floats]


class BulletSweeps:
    """Sweeps the bullets of one :class:`~ecsphys.Physics` and settles what became of them."""

    def __init__(self, physics: Physics) -> None:
        self._state = physics.state
        self._revision = -1
        self._grid = Grid()
        self._paths_of_others = Grid()
        self._others: NDArray[int32] = np.zeros(0, int32)
        self._deflected: NDArray[bool_] = np.zeros(0, bool_)
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
        state = self._state
        if len(state.swept):
            state.swept.clear()
        if not (state.tables.entities.instances[BULLET] and state.moving.bullets.size):
            return
        if self._revision != state.tables.revision:
            self._take_on()
        state.starts.follow()
        state.place()
        colliders = state.tables.colliders
        slots, placed = colliders.slots, colliders.placed
        sizes = np.full(colliders.capacity, np.inf)
        boxes = placed.boxes[self._bullets]
        # Far from the origin no gap is smaller than the steps between the positions there can be.
        starts = state.starts.poses[:2, slots.transform_row[self._bullets]]
        least = _LEAST_SIZE * np.abs(starts).max(axis=0, initial=0.0)
        sizes[self._bullets] = np.maximum((boxes[:, 2:] - boxes[:, :2]).min(axis=1), least)
        paths = self._file_paths(placed, sizes, dt)
        pairs = self._find_pairs(paths)
        if not len(pairs):
            return
        response = self._response()
        passes = self._passes(pairs, response)
        outcome = self._sweep(pairs, passes, response, sizes, dt)
        for _ in range(_MOST_ROUNDS):
            if not self._widen(placed, outcome, paths):
                break
            rows, before = outcome.velocities
            try:
                found = self._find_pairs(paths)
            except RuntimeError:
                Velocity._columns.float64[:, rows] = before
                raise
            if len(found) == len(pairs):
                break
            Velocity._columns.float64[:, rows] = before
            pairs = found
            passes = self._passes(pairs, response)
            outcome = self._sweep(pairs, passes, response, sizes, dt)
        changed = outcome.bodies[:, CHANGED] != 0.0
        if changed.any():
            self._settle(outcome.slot[changed], outcome.ends[changed], outcome.bodies[changed], dt)
        self._tell(pairs, passes, outcome.response, sizes, dt)

    def _take_on(self) -> None:
        tables = self._state.tables
        colliders, entities = tables.colliders, tables.entities
        self._revision = -1
        order = colliders.order
        row = entities.rows_of(BULLET)[colliders.slots.owner[order]]
        self._bullets = order[row >= 0]
        self._rows = row[row >= 0]
        self._is_bullet = np.zeros(colliders.capacity, bool_)
        self._is_bullet[self._bullets] = True
        self._carried = entities.rows_of(PARENT)[colliders.slots.owner[self._bullets]] >= 0
        self._deflected = np.zeros(len(self._bullets), bool_)
        # Last: where this is interrupted, it begins again.
        self._revision = tables.revision

    @property
    def _motions(self) -> StepMotions:
        """What the engine has to know of how the colliders move."""
        state = self._state
        colliders = state.tables.colliders
        return StepMotions(
            colliders.slots,
            colliders.placed,
            state.starts.poses,
            state.tables.entities.slots.lines,
            trajectory_blocks(),
        )

    def _file_paths(self, placed: PlacedShapes, sizes: Floats, dt: float) -> Floats:
        """File the swept boxes of what moves, but for the bullets, and return those (k, 4) of the bullets."""
        bullets, order = self._bullets, self._state.tables.colliders.order
        active = (self._state.sleeping.places[order] < 0) | (placed.moved[order] != 0)
        others = self._others = order[active & ~self._is_bullet[order]]
        swept = np.empty((len(bullets) + len(others), 4))
        sweep_boxes(np.concatenate((bullets, others)), self._motions, dt, swept)
        self._paths_of_others.file_boxes(swept[len(bullets) :])
        paths = swept[: len(bullets)]
        boxes = placed.boxes[bullets]
        reach = KEPT * sizes[bullets]
        # What slides gets no farther than it would have got, but elsewhere.
        deflected = np.flatnonzero(self._deflected)
        longer = paths[deflected, 2:] - paths[deflected, :2] - (boxes[deflected, 2:] - boxes[deflected, :2])
        reach[deflected] += longer.max(axis=1, initial=0.0)
        paths[:, :2] -= reach[:, None]
        paths[:, 2:] += reach[:, None]
        return paths

    def _find_pairs(self, paths: Floats) -> NDArray[int32]:
        """The pairs (m, 2) of slots that may meet, lower body first: a bullet in each, their swept boxes overlap."""
        state, bullets = self._state, self._bullets
        colliders = state.tables.colliders
        try:
            found = [state.sleeping.find_pairs_with(self._grid, bullets, paths)]
            if self._others.size:
                met = self._paths_of_others.find_overlaps(paths)
                found.append(np.column_stack((bullets[met[:, 0]], self._others[met[:, 1]])))
        except TooManyPairsError:
            boxes = np.concatenate((paths, colliders.placed.boxes[colliders.order]))
            raise bullets_error(colliders.slots.entity[bullets], paths, boxes) from None
        pairs = np.concatenate(found)
        pairs.sort(axis=1)
        key = pairs[:, 0].astype(np.int64) * colliders.capacity + pairs[:, 1]
        key.sort()
        key = key[np.diff(key, prepend=-1) != 0]
        once = np.column_stack((key // colliders.capacity, key % colliders.capacity)).astype(int32)
        chosen = state.hits.choose_pairs(once)
        if state.tables.entities.instances[CHAIN]:
            chosen = self._blocked(chosen)
        # In the public order, so that the outcome does not depend on the slots.
        rank = colliders.slots.rank
        return chosen[np.lexsort((rank[chosen[:, 1]], rank[chosen[:, 0]]))]

    def _blocked(self, pairs: NDArray[int32]) -> NDArray[int32]:
        """Those of some pairs that do not pass each other: a one-sided chain lets pass what comes from behind."""
        colliders = self._state.tables.colliders
        is_blocked = np.empty(len(pairs), uint8)
        find_blocked(pairs, colliders.shapes, colliders.slots.transform_row, self._state.starts.poses, is_blocked)
        blocked: NDArray[int32] = pairs[is_blocked != 0]
        return blocked

    def _widen(self, placed: PlacedShapes, outcome: _Outcome, paths: Floats) -> bool:
        """Widen the paths of bullets that something has turned or taken out of them; whether there are any."""
        slots = self._state.tables.colliders.slots
        body = slots.body[self._bullets]
        bodies = slots.body[outcome.slot]
        place = np.minimum(np.searchsorted(bodies, body), len(bodies) - 1)
        self._deflected = (bodies[place] == body) & (outcome.bodies[place, CHANGED] != 0.0)
        deflected = np.flatnonzero(self._deflected)
        if not deflected.size:
            return False
        bullets = self._bullets[deflected]
        aside = outcome.ends[place[deflected]] - placed.positions[bullets]
        boxes = placed.boxes[bullets]
        ends = boxes + np.tile(aside, 2)
        turns = placed.angles[bullets] != self._state.starts.poses[TRANSFORM_ANGLE, slots.transform_row[bullets]]
        if turns.any():
            turning = np.flatnonzero(turns)
            corners = np.abs(boxes[turning] - np.tile(placed.positions[bullets[turning]], 2))
            reach = lengths_of(*np.maximum(corners[:, :2], corners[:, 2:]).T)[:, None]
            middle = outcome.ends[place[deflected[turning]]]
            ends[turning] = np.concatenate((middle - reach, middle + reach), axis=1)
        before = paths[deflected]
        if ((ends[:, :2] >= before[:, :2]) & (ends[:, 2:] <= before[:, 2:])).all():
            return False
        paths[deflected, :2] = np.minimum(before[:, :2], ends[:, :2])
        paths[deflected, 2:] = np.maximum(before[:, 2:], ends[:, 2:])
        return True

    def _sweep(
        self, pairs: NDArray[int32], passes: NDArray[uint8], responses: NDArray[uint8], sizes: Floats, dt: float
    ) -> _Outcome:
        slots = self._state.tables.colliders.slots
        involved = np.unique(pairs)
        # By body, and within one as in the public order.
        involved = involved[np.argsort(slots.rank[involved])]
        number = np.empty(slots.rank.size, int32)
        number[involved] = np.arange(len(involved), dtype=int32)
        local = number[pairs]
        is_first = np.diff(slots.body[involved], prepend=-1) != 0
        body = (np.cumsum(is_first) - 1).astype(int32)
        first_shape = np.append(np.flatnonzero(is_first), len(involved)).astype(int32)
        count = len(first_shape) - 1
        response = responses[involved[first_shape[:-1]]]
        capacity = self._shape_capacity.choose(len(involved), len(self._shapes.forms))
        if capacity != len(self._shapes.forms):
            self._shapes = ShapeBuffer(capacity)
        capacity = self._pair_capacity.choose(len(pairs), len(self._pairs.touched))
        if capacity != len(self._pairs.touched):
            self._pairs = PairBuffer(capacity)
        shapes, scratch = self._shapes, self._pairs
        room = MotionRoom(shapes.motions, shapes.positions, shapes.shapes, shapes.forms)
        set_motions(involved, self._motions, dt, room)
        velocity_row = slots.velocity_row[involved]
        written = velocity_row[velocity_row >= 0]
        velocities = written, Velocity._columns.float64[:, written]
        bodies = np.empty((count, BODY_COLUMNS))
        sweep_bullets(
            SweptPairs(local, body, first_shape, response, sizes[involved], passes, self._state.hits.search.prediction),
            ShapeArrays(shapes.forms, shapes.positions, shapes.shapes, VERTEX_POOL.data),
            shapes.motions,
            BulletVelocities(velocity_row, Velocity._columns.float64),
            dt,
            SweepRoom(np.empty(count, int32), scratch.links, scratch.queue, scratch.places, scratch.pending),
            SweepOutcome(scratch.touched, scratch.impacts, bodies),
        )
        first = first_shape[:-1]
        ends = shapes.positions[first] + bodies[:, MOVED_X : MOVED_Y + 1]
        return _Outcome(involved[first], ends, bodies, response[body[local]], velocities)

    def _tell(
        self, pairs: NDArray[int32], passes: NDArray[uint8], response: NDArray[uint8], sizes: Floats, dt: float
    ) -> None:
        """Give the narrowphase what was touched, and what goes on without."""
        scratch = self._pairs
        touched = scratch.touched[: len(pairs)] != 0
        kept = self._find_kept(pairs, ~touched & (passes != _BOTH), response, sizes)
        impacts = scratch.impacts[: len(pairs)][touched]
        rows = np.concatenate((impacts, kept[1]))
        contacts = np.zeros((len(rows), CONTACT_COLUMNS))
        contacts[:, NORMAL : NORMAL + 2] = rows[:, NORMAL_X : NORMAL_X + 2]
        contacts[:, POINT_COUNT] = 1.0
        contacts[:, POINTS : POINTS + 2] = rows[:, X : X + 2]
        contacts[:, POINTS + 2 :] = np.nan
        told = np.concatenate((pairs[touched], kept[0]))
        besides = np.empty((len(rows), SWEPT_COLUMNS))
        besides[:, CONTACT_TIME] = rows[:, TIME]
        besides[:, SPEED] = rows[:, APPROACH] * (1.0 / dt if dt > 0.0 else 0.0)
        besides[:, IS_SOLVED] = (self._state.body_table.bodies_of(told) >= 0).all(axis=1)
        self._state.swept.set(told, contacts, besides)

    def _response(self) -> NDArray[uint8]:
        """What each collider's body does at an impact."""
        slots, bullets = self._state.tables.colliders.slots, self._bullets
        stops = (Bullet._columns.column("stop")[self._rows] != 0) & ~self._carried
        response = np.zeros(slots.rank.size, uint8)
        response[bullets] = np.where(stops, np.where(slots.trajectory[bullets] >= 0, RESTS, SLIDES), FLIES_ON)
        table = self._state.body_table
        bodies = table.row_of_owners(slots.owner[bullets])
        response[bullets[stops & (bodies > 0) & (table.listed.kind[bodies] == DYNAMIC)]] = BOUNCES
        return response

    def _passes(self, pairs: NDArray[int32], response: NDArray[uint8]) -> NDArray[uint8]:
        """For each pair a bit for each side that does not stop at the other: a sensor stops nothing, and a body stops
        at what the solver has it bounce off, not at what lets it pass."""
        state, slots = self._state, self._state.tables.colliders.slots
        passes = np.zeros(len(pairs), uint8)
        bounces = response[pairs] == BOUNCES
        if bounces.any():
            bodies = state.body_table.bodies_of(pairs)
            passes |= (bounces[:, 0] & (bodies[:, 1] < 0)) | 2 * (bounces[:, 1] & (bodies[:, 0] < 0)).astype(uint8)
            solved = np.flatnonzero(bounces.any(axis=1) & (bodies >= 0).all(axis=1))
            passes[solved[state.hits.are_among(pairs[solved], state.body_table.vetoed)]] = _BOTH
            one_way = rows_of(OneWay)
            if len(one_way):
                passes[solved[self._pass_one_way(pairs[solved], EntityRows(one_way.entity, one_way.row))]] = _BOTH
        passes[(slots.sensor[pairs] != 0).any(axis=1)] = _BOTH
        return passes

    def _pass_one_way(self, pairs: NDArray[int32], rows: EntityRows) -> NDArray[bool_]:
        """Which of some pairs have a surface that blocks from one side only, and do not move against that side."""
        slots, placed = self._state.tables.colliders.slots, self._state.tables.colliders.placed
        moved = placed.positions[pairs] - self._state.starts.poses[:2, slots.transform_row[pairs]].transpose(1, 2, 0)
        passing = np.zeros(len(pairs), bool_)
        for side in range(2):
            own = pairs[:, side]
            place = np.minimum(np.searchsorted(rows.entity, slots.entity[own]), len(rows.entity) - 1)
            is_one = rows.entity[place] == slots.entity[own]
            x, y = OneWay._columns.float64[:, rows.row[place]]
            angle = np.where(slots.kind[own] == KIND_AABB, 0.0, placed.angles[own])
            cos, sin = cos_sin_of(angle)
            way = moved[:, 1 - side] - moved[:, side]
            passing |= is_one & (way[:, 0] * (cos * x - sin * y) + way[:, 1] * (sin * x + cos * y) >= 0.0)
        return passing

    def _settle(self, stopped: NDArray[int32], ends: Floats, bodies: Floats, dt: float) -> None:
        """Put entities, each given by one of its colliders, where they were stopped, and hold their trajectories."""
        state, slots = self._state, self._state.tables.colliders.slots
        state.begin_moving()
        x, y, angle = Transform._columns.float64
        rows = slots.transform_row[stopped]
        Transform._columns.mark_written(rows)
        x[rows] = ends[:, 0]
        y[rows] = ends[:, 1]
        part = np.minimum(bodies[:, REST], 1.0)
        start = state.starts.poses[TRANSFORM_ANGLE, rows]
        turned = part < 1.0
        table = state.body_table
        dynamic = table.row_of_owners(slots.owner[stopped])
        bouncing = np.flatnonzero(turned & (dynamic > 0) & (table.listed.kind[dynamic] == DYNAMIC))
        before = angle[rows[bouncing]]
        angle[rows[turned]] = (start + part * (angle[rows] - start))[turned]
        keep_center_velocities(table, dynamic[bouncing], before)
        table.settled = rows.astype(np.int64)
        paths = slots.trajectory[stopped]
        for line in range(LINEAR_TRAJECTORY, PATH_TRAJECTORY + 1):
            rows_of_path = state.tables.entities.rows_of(line)
            held = np.flatnonzero((paths >= 0) & (rows_of_path[paths] >= 0))
            if held.size:
                elapsed = LINE_CLASSES[line]._columns.column("elapsed")
                elapsed[rows_of_path[paths[held]]] -= (1.0 - part[held]) * dt
        if state.tables.entities.instances[PARENT]:
            carry_children(state)
        state.end_moving(bool(np.isfinite(ends).all()))

    def _find_kept(
        self, pairs: NDArray[int32], untouched: NDArray[bool_], response: NDArray[uint8], sizes: Floats
    ) -> tuple[NDArray[int32], Floats]:
        """Pairs that hit each other before, and did not now, but are no farther apart than keeps a hit; as impacts."""
        state = self._state
        pairs = pairs[untouched & (response >= RESTS).any(axis=1)]
        pairs = pairs[state.hits.were_hitting(pairs)]
        if not len(pairs):
            return _NO_PAIRS, np.zeros((0, IMPACT_COLUMNS))
        state.place()
        placed = state.tables.colliders.placed
        count = len(pairs)
        rows = np.zeros((count, IMPACT_COLUMNS))
        gaps, normals, points = np.empty(count), np.empty((count, 2)), np.empty((count, 2))
        cast_shapes(
            pairs.astype(np.int64),
            0.0,
            0.0,
            ShapeArrays(placed.forms, placed.positions, placed.shapes, VERTEX_POOL.data),
            CastImpacts(np.empty(count), gaps, normals, points),
        )
        rows[:, TIME] = 1.0
        rows[:, NORMAL_X : NORMAL_X + 2] = normals
        rows[:, X : X + 2] = points
        near = np.abs(gaps) < KEPT * sizes[pairs].min(axis=1)
        return pairs[near], rows[near]
