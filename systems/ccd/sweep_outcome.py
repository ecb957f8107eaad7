"""Where a sweep starts, and its outcome: stopped bodies are placed, and the narrowphase gets the touched pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.engine.ccd import bullet_sweep as sweep
from ecsphys.engine.dynamics.bodies import DYNAMIC, StepBodies
from ecsphys.engine.geometry.shape_cast import CastImpacts, cast_shapes
from ecsphys.engine.hits import contact_table
from ecsphys.engine.hits.touches import SweptContacts
from ecsphys.engine.manifold.contact import CONTACT_COLUMNS, NORMAL, POINT_COUNT, POINTS
from ecsphys.engine.math.elementary import cos_sin_of
from ecsphys.engine.shapes.layout import ShapeArrays
from ecsphys.engine.shapes.placement import TRANSFORM_ANGLE
from ecsphys.engine.tables.entity_rows import BULLET, PARENT, TRANSFORM, VELOCITY
from ecsphys.systems.motion.motion import carry_children
from ecsphys.systems.world.entity_table import LINE_CLASSES, TRAJECTORY_LINES
from ecsphys.systems.world.world_tables import WorldTables

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState


Floats = NDArray[float64]
# Times in the step that differ by no more are one moment.
_MOMENT = 1e-9
_NO_PAIRS: NDArray[int32] = np.zeros((0, 2), int32)


class Outcome(NamedTuple):
    """What became of the pairs of a sweep, and of the g groups of colliders that move as one.

    For each group, ``slot`` (g,) is one of its colliders. ``free_ends`` (g, 2) is where what it turns about would be at
    the end of the step without any impact, ``ends`` (g, 2) where it is, ``bodies`` (g, BODY_COLUMNS) its row, and
    ``does`` (g,) its response to an impact. ``touched``
    (m,) is not 0 for the pairs that have touched, with their first ``impacts`` (m, IMPACT_COLUMNS). ``velocities`` are
    rows of Velocity with their earlier values. ``group`` has the group's number for each slot, or −1.
    """

    slot: NDArray[int32]
    free_ends: Floats
    ends: Floats
    bodies: Floats
    touched: NDArray[uint8]
    impacts: Floats
    does: NDArray[uint8]
    velocities: tuple[NDArray[int32], Floats]
    group: NDArray[int32]


def settle_stopped(state: PhysicsState, outcome: Outcome, pairs: NDArray[int32], solved: StepBodies, dt: float) -> None:
    """Place stopped entities where they were stopped, and hold their trajectories.

    A body of the solver has missed the rest of the step. At what does not move, it does not have what accelerations
    would have added to its velocity then: an impact costs it time, but gives it no energy. At a body that can be moved
    it keeps that, or the two would lose momentum.
    """
    changed = np.flatnonzero(outcome.bodies[:, sweep.CHANGED] != 0.0)
    slots = state.tables.colliders.slots
    stopped, ends = outcome.slot[changed], outcome.ends[changed]
    part = np.minimum(outcome.bodies[changed, sweep.REST], 1.0)
    is_solved = outcome.does[changed] >= sweep.BOUNCES
    transforms = Transform._columns.float64
    state.begin_moving()
    rows = slots.transform_row[stopped].astype(np.int64)
    start = state.starts.poses[TRANSFORM_ANGLE, rows]
    # How far each is turned back.
    back = np.where(part < 1.0, (part - 1.0) * (transforms[TRANSFORM_ANGLE, rows] - start), 0.0)
    bodies = solved.body_of[stopped[is_solved]]
    own = solved.listed.rows[TRANSFORM, bodies]
    # The collider of a group may be a child's.
    rows[is_solved] = own
    cos, sin = cos_sin_of(back)
    x, y = transforms[:2, rows] - outcome.free_ends[changed].T
    ends = ends + np.column_stack((cos * x - sin * y, sin * x + cos * y))
    # What sleeps has not fallen.
    keeps_all = _met_bodies(outcome, pairs, solved)[changed][is_solved] | (solved.states.island[bodies] >= 0)
    missed = np.where(keeps_all, 0.0, (1.0 - part[is_solved]) * dt)
    # Of their centres of mass: turning back does not change these.
    velocity_rows = solved.listed.rows[VELOCITY, bodies]
    Velocity._columns.float64[:, velocity_rows] -= (solved.rows.accelerations[bodies] * missed[:, None]).T
    Transform._columns.mark_written(rows)
    transforms[0, rows] = ends[:, 0]
    transforms[1, rows] = ends[:, 1]
    transforms[TRANSFORM_ANGLE, rows] += back
    if state.solver is not None:
        state.solver.changes.settled = rows
    paths = slots.trajectory[stopped]
    for line in TRAJECTORY_LINES:
        rows_of_path = state.tables.entities.rows_of(line)
        held = np.flatnonzero((paths >= 0) & (rows_of_path[paths] >= 0))
        if held.size:
            elapsed = LINE_CLASSES[line]._columns.column("elapsed")
            elapsed[rows_of_path[paths[held]]] -= (1.0 - part[held]) * dt
    if state.tables.entities.instances[PARENT].count:
        carry_children(state)
    state.end_moving(bool(np.isfinite(ends).all()))


def _met_bodies(outcome: Outcome, pairs: NDArray[int32], solved: StepBodies) -> NDArray[bool_]:
    """Which groups were stopped at bodies that can be moved."""
    rows = solved.body_of[pairs]
    can_move = (rows > 0) & (solved.listed.kind[rows] == DYNAMIC) & (solved.states.island[rows] < 0)
    groups = outcome.group[pairs]
    times = outcome.impacts[:, sweep.TIME, None]
    meets = (outcome.touched[:, None] != 0) & (np.abs(times - outcome.bodies[groups, sweep.REST]) <= _MOMENT)
    have_met = np.zeros(len(outcome.bodies), bool_)
    for side in range(2):
        have_met[groups[meets[:, side] & can_move[:, 1 - side], side]] = True
    return have_met


def tell_touched(
    state: PhysicsState,
    outcome: Outcome,
    pairs: NDArray[int32],
    are_passing: NDArray[bool_],
    sizes: Floats,
    dt: float,
) -> None:
    """Give the narrowphase the touched pairs, and the pairs that keep touching."""
    touched = outcome.touched != 0
    response = outcome.does[outcome.group[pairs]]
    resting = ((response >= sweep.RESTS) & (response <= sweep.BOUNCES)).any(axis=1)
    kept = _find_kept(state, pairs[~touched & ~are_passing & resting], sizes)
    rows = np.concatenate((outcome.impacts[touched], kept[1]))
    contacts = np.zeros((len(rows), CONTACT_COLUMNS))
    contacts[:, NORMAL : NORMAL + 2] = rows[:, sweep.NORMAL_X : sweep.NORMAL_X + 2]
    contacts[:, POINT_COUNT] = 1.0
    contacts[:, POINTS : POINTS + 2] = rows[:, sweep.X : sweep.X + 2]
    contacts[:, POINTS + 2 :] = np.nan
    told = np.concatenate((pairs[touched], kept[0]))
    besides = np.empty((len(rows), contact_table.SWEPT_COLUMNS))
    besides[:, contact_table.TIME] = rows[:, sweep.TIME]
    besides[:, contact_table.SPEED] = rows[:, sweep.APPROACH] * (1.0 / dt if dt > 0.0 else 0.0)
    besides[:, contact_table.IS_SOLVED] = (state.body_table.bodies_of(told) >= 0).all(axis=1)
    state.progress.swept = SweptContacts(told, contacts, besides)


def _find_kept(state: PhysicsState, pairs: NDArray[int32], sizes: Floats) -> tuple[NDArray[int32], Floats]:
    """The pairs that hit each other before, and are still near enough for the hit, as impacts."""
    if len(pairs):
        pairs = pairs[state.hits.are_among(pairs, state.hits.found.pairs)]
    if not len(pairs):
        return _NO_PAIRS, np.zeros((0, sweep.IMPACT_COLUMNS))
    state.place()
    placed = state.tables.colliders.placed
    count = len(pairs)
    rows = np.zeros((count, sweep.IMPACT_COLUMNS))
    gaps, normals, points = np.empty(count), np.empty((count, 2)), np.empty((count, 2))
    cast_shapes(
        pairs.astype(np.int64),
        0.0,
        0.0,
        ShapeArrays(placed.forms, placed.positions, placed.shapes, VERTEX_POOL.data),
        CastImpacts(np.empty(count), gaps, normals, points),
    )
    rows[:, sweep.TIME] = 1.0
    rows[:, sweep.NORMAL_X : sweep.NORMAL_X + 2] = normals
    rows[:, sweep.X : sweep.X + 2] = points
    near = np.abs(gaps) < sweep.KEPT * sizes[pairs].min(axis=1)
    return pairs[near], rows[near]


class StepStarts:
    """The block of Transform as it was at the beginning of the step, kept while bullets fly.

    ``poses`` (3, capacity) float64: x, y, angle in the rows of Transform.
    """

    __slots__ = ("_revision", "_tables", "poses")

    def __init__(self, tables: WorldTables) -> None:
        self._tables = tables
        self._revision = -1
        self.poses: NDArray[float64] = np.zeros((3, 0))

    def record(self, may_fly: Callable[[], bool]) -> None:
        """A step begins, in which bullets may fly if ``may_fly()``."""
        self._revision = -1
        if self._tables.entities.having(BULLET).size and may_fly():
            self._copy_all()

    @property
    def is_recorded(self) -> bool:
        """Whether the poses are those at the beginning of this step."""
        return self._revision >= 0

    def forget(self) -> None:
        """No step has begun."""
        self._revision = -1

    def shift(self, rows: NDArray[int64], shift: NDArray[float64]) -> None:
        """Some rows of Transform were put elsewhere in this step, by (2, n), and did not move there."""
        if self._revision >= 0:
            known = rows < self.poses.shape[1]
            self.poses[:2, rows[known]] += shift[:, known]

    def follow(self) -> None:
        """Update the poses for the present entities: entities that are newer than the step have not moved."""
        if self._revision == self._tables.revision:
            return
        if self._revision < 0:
            self._copy_all()
            return
        entities = self._tables.entities
        came = entities.placed_since[: entities.used] > self._revision
        rows = entities.rows_of(TRANSFORM)[: entities.used]
        new = rows[came & (rows >= 0)]
        if new.size:
            before, count = self.poses, Transform._columns.high_water
            if before.shape[1] < count:
                self.poses = np.empty_like(Transform._columns.float64)
                self.poses[:, : before.shape[1]] = before
            self.poses[:, new] = Transform._columns.float64[:, new]
        self._revision = self._tables.revision

    def room(self) -> NDArray[float64]:
        """The poses, with room for all rows of Transform, to be written."""
        self._revision = -1
        if self.poses.shape[1] < Transform._columns.high_water:
            self.poses = np.empty_like(Transform._columns.float64)
        return self.poses

    def _copy_all(self) -> None:
        count = Transform._columns.high_water
        np.copyto(self.room()[:, :count], Transform._columns.float64[:, :count])
        self._revision = self._tables.revision
