"""Which bodies a step moves, and which others have moved by themselves."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np
from numpy import bool_, int32, int64
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform
from ecsphys.engine.dynamics.bodies import OMEGA, VX, VY, BodyRows
from ecsphys.engine.dynamics.body_mass import KINEMATIC, STATIC
from ecsphys.engine.dynamics.joints import joint_rows as row
from ecsphys.engine.dynamics.sleeping_bodies import AWAKE
from ecsphys.engine.math.elementwise import cos_sin_of
from ecsphys.engine.tables.entity_rows import PARENT, TRANSFORM, VELOCITY
from ecsphys.systems.dynamics.body_listing import are_on_paths
from ecsphys.systems.world.entity_table import NO_SLOTS, Slots

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState


# With fewer bodies to pass over it is not worth while.
_AT_LEAST: Final = 64

# After so many steps in which nothing woke or fell asleep the others are passed over; where too few sleep, after so
# many more.
_CALM_STEPS: Final = 3
_STEPS_TO_WAIT: Final = 60


class AwakeBodies:
    """The bodies of one world that a step gathers, moves and writes back.

    Sleeping and static bodies, and kinematic ones without a velocity, do not change from step to step: their rows stay
    as the solver wrote them last. So they are passed over, by the placing of colliders as well, as long as the same
    bodies sleep, and the game touches none of them.

    Attributes
    ----------
    rows
        (k, 2) Runs of the rows of these bodies, ascending: the first, and the one after the last.
    """

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self._table = state.body_table
        self.rows = self._all_rows = _all_of(0)
        self._passes_over = False
        self._stamp: tuple[int, int] = (-1, -1)
        self._calm = 0
        # Up to which entry of the log of Transform what sleeps has been moved.
        self._moved_to = 0

    def choose(self, is_untouched: bool) -> None:
        """Choose them for a step; ``is_untouched``: the game has changed no body but by velocities and forces."""
        table = self._table
        if table.written_rows:
            if self._passes_over:
                self.rows = _with(self.rows, np.concatenate(table.written_rows))
            table.written_rows = []
        if not is_untouched or self._stamp != (table.revision, table.sleep_changes):
            self.take_all()
        elif not self._passes_over and table.any_sleeps:
            self._calm += 1
            if self._calm >= _CALM_STEPS:
                self._pass_over_sleepers()

    @property
    def is_settled(self) -> bool:
        """Whether the next step chooses the same bodies, unless the game changes any."""
        table = self._table
        return not table.written_rows and self._stamp == (table.revision, table.sleep_changes)

    @property
    def steps_ahead(self) -> float:
        """How many steps come before the one that looks for more bodies to pass over."""
        waits = not self._passes_over and self._table.any_sleeps
        return _CALM_STEPS - 1 - self._calm if waits else inf

    def note_steps(self, count: int) -> None:
        """Count some steps for which nothing was chosen."""
        if not self._passes_over and self._table.any_sleeps:
            self._calm += count

    def take_all(self) -> None:
        """Go through all, in this step and some more."""
        table = self._table
        count = len(table)
        if self._all_rows[0, 1] != count:
            self._all_rows = _all_of(count)
        self.rows, self._calm, self._stamp = self._all_rows, 0, (table.revision, table.sleep_changes)
        self._moved_to = Transform._columns.writes.revision
        if self._passes_over:
            self._passes_over = False
            self._state.placing.driven.pass_over(NO_SLOTS)

    def _still_kinematic(self) -> Slots:
        """The rows of kinematic bodies that nothing moves but the game itself, by their ``Transform``."""
        table, entities = self._table, self._state.tables.entities
        listed = table.listed
        is_still = (listed.kind == KINEMATIC) & (table.rigid_rows >= 0) & (listed.rows[VELOCITY] < 0)
        rows = np.flatnonzero(is_still).astype(int32)
        owners = listed.owner[rows]
        is_moved = are_on_paths(entities, owners) | (entities.rows_of(PARENT)[owners] >= 0)
        return rows[~is_moved]

    def _pass_over_sleepers(self) -> None:
        table, placing = self._table, self._state.placing
        asleep = table.states.island != AWAKE
        rests = asleep | (table.listed.kind == STATIC)
        rests[self._still_kinematic()] = True
        are_few = int(np.count_nonzero(asleep)) < _AT_LEAST and not rests.all()
        if are_few or not placing.has_placed(self._moved_to):
            self._calm = -_STEPS_TO_WAIT
            return
        self.rows = np.flatnonzero(np.diff(~rests, prepend=False, append=False)).astype(int32).reshape(-1, 2)
        self._passes_over = True
        # A child of a body may be moved in its frame, whether that sleeps or not.
        placing.driven.pass_over(self._state.tables.colliders_of(table.listed.owner[asleep]))


def _all_of(count: int) -> NDArray[int32]:
    """The first so many rows, as a run."""
    return np.array([(0, count)], int32)


def _with(runs: NDArray[int32], rows: Slots) -> NDArray[int32]:
    """The runs (k, 2) that have some rows as well."""
    parts = np.concatenate((runs, np.stack((rows, rows + 1), axis=1)))
    parts = parts[np.argsort(parts[:, 0], kind="stable")]
    ends = np.maximum.accumulate(parts[:, 1])
    begins = np.flatnonzero(np.concatenate((np.ones(1, np.bool_), parts[1:, 0] > ends[:-1])))
    merged: NDArray[int32] = np.stack((parts[begins, 0], np.append(ends[begins[1:] - 1], ends[-1:])), axis=1)
    return np.ascontiguousarray(merged)


Found = TypeVar("Found")

_NO_ROWS: NDArray[int64] = np.zeros(0, int64)


Driven = tuple[NDArray[int64], NDArray[int64]]
"""Rows of Transform that kinematic bodies take along in a step, and the body of each."""


def found_before_motion(
    state: PhysicsState, rows: BodyRows, dt: float, find: Callable[[], Found], taken_along: Driven | None = None
) -> Found:
    """The result of ``find`` while kinematic bodies and their children, or what is ``taken_along``, are at their places
    of ``dt`` seconds ago.

    The velocities in ``rows`` give the way back. Shapes that are placed meanwhile stay there until they are placed the
    next time.
    """
    driven, bodies = taken_along or _driven(state, rows)
    if not driven.size:
        return find()
    transforms = Transform._columns.float64
    ends = transforms[:, driven]
    origins = transforms[:, state.body_table.listed.rows[TRANSFORM, bodies]]
    vx, vy, omega = rows.bodies[bodies][:, (VX, VY, OMEGA)].T
    cos, sin = cos_sin_of(-omega * dt)
    x, y = ends[:2] - origins[:2]
    try:
        state.begin_moving()
        Transform._columns.mark_written(driven)
        transforms[0, driven] = ends[0] - vx * dt + (cos * x - sin * y - x)
        transforms[1, driven] = ends[1] - vy * dt + (sin * x + cos * y - y)
        transforms[2, driven] = ends[2] - omega * dt
        return find()
    finally:
        Transform._columns.mark_written(driven)
        transforms[:, driven] = ends


def carried_ends(state: PhysicsState, rows: BodyRows) -> Driven:
    """The ends of joints that are children of moving kinematic bodies."""
    if not state.tables.entities.instances[PARENT].count:
        return _NO_ROWS, _NO_ROWS
    ends = state.joints.rows.ends
    poses, is_ahead = ends[:, [row.POSE_A, row.POSE_B]], ends[:, [row.IS_AHEAD_A, row.IS_AHEAD_B]]
    bodies = ends[:, [row.BODY_A, row.BODY_B]]
    moves = (rows.bodies[bodies][:, :, (VX, VY, OMEGA)] != 0.0).any(axis=2)
    carried = moves & (poses >= 0) & (is_ahead == 0) & (state.body_table.listed.kind[bodies] == KINEMATIC)
    return poses[carried].astype(int64), bodies[carried].astype(int64)


def _driven(state: PhysicsState, rows: BodyRows) -> Driven:
    """What kinematic bodies take along in this step."""
    table, tables = state.body_table, state.tables
    slots, listed = tables.colliders.slots, table.listed
    kinematic = (listed.kind == KINEMATIC).nonzero()[0]
    moving = kinematic[(rows.bodies[kinematic][:, (VX, VY, OMEGA)] != 0.0).any(axis=1)] if kinematic.size else kinematic
    if not moving.size:
        return _NO_ROWS, _NO_ROWS
    if tables.entities.instances[PARENT].count:
        moves = np.zeros(len(table), bool_)
        moves[moving] = True
        colliders = np.flatnonzero((table.body_of > 0) & moves[table.body_of]).astype(int32)
    else:
        colliders = tables.colliders_of(listed.owner[moving])
        colliders = colliders[table.body_of[colliders] > 0]
    own, first = np.unique(slots.transform_row[colliders], return_index=True)
    return own.astype(int64), table.body_of[colliders[first]].astype(int64)
