"""Changes since the last step, except by the own motion of bodies."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.change_log import ENTRIES, Writes, WritesSince, collect_all
from ecsphys.components.store.standing_blocks import REPLACEMENTS
from ecsphys.engine.dynamics import bodies as body
from ecsphys.engine.dynamics import followed_writes as following
from ecsphys.engine.dynamics.joints import joint_rows as row
from ecsphys.engine.kernels import are_same
from ecsphys.engine.math.elementary import cos_sin_of
from ecsphys.engine.run.plan import StepPlan
from ecsphys.engine.tables.entity_rows import PARENT, TRANSFORM
from ecsphys.systems.dynamics.body_masses import writes_besides_motion
from ecsphys.systems.world.collider_placing import BOX_PADDING
from ecsphys.systems.world.entity_table import NO_SLOTS, Slots

if TYPE_CHECKING:
    from ecsphys.systems.hits.step_hits import ContactBuffer, StepHits
    from ecsphys.systems.physics_state import PhysicsState


Found = TypeVar("Found")

_NO_ROWS: NDArray[int64] = np.zeros(0, int64)


Driven = tuple[NDArray[int64], NDArray[int64]]
"""Rows of Transform that kinematic bodies take along in a step, and the body of each."""


def found_before_motion(
    state: PhysicsState, rows: body.BodyRows, dt: float, find: Callable[[], Found], taken_along: Driven | None = None
) -> Found:
    """The result of ``find`` while kinematic bodies and their children, or things ``taken_along``, are at their places
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
    vx, vy, omega = rows.bodies[bodies][:, (body.VX, body.VY, body.OMEGA)].T
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


def carried_ends(state: PhysicsState, rows: body.BodyRows) -> Driven:
    """The ends of joints that are children of moving kinematic bodies."""
    if not state.tables.entities.instances[PARENT].count:
        return _NO_ROWS, _NO_ROWS
    ends = state.joints.rows.ends
    poses, is_ahead = ends[:, [row.POSE_A, row.POSE_B]], ends[:, [row.IS_AHEAD_A, row.IS_AHEAD_B]]
    bodies = ends[:, [row.BODY_A, row.BODY_B]]
    moves = (rows.bodies[bodies][:, :, (body.VX, body.VY, body.OMEGA)] != 0.0).any(axis=2)
    carried = moves & (poses >= 0) & (is_ahead == 0) & (state.body_table.listed.kind[bodies] == body.KINEMATIC)
    return poses[carried].astype(int64), bodies[carried].astype(int64)


def _driven(state: PhysicsState, rows: body.BodyRows) -> Driven:
    """What kinematic bodies take along in this step."""
    table, tables = state.body_table, state.tables
    slots, listed = tables.colliders.slots, table.listed
    kinematic = (listed.kind == body.KINEMATIC).nonzero()[0]
    moving = (
        kinematic[(rows.bodies[kinematic][:, (body.VX, body.VY, body.OMEGA)] != 0.0).any(axis=1)]
        if kinematic.size
        else kinematic
    )
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


MOST_MOVED: Final = 16
"""So many colliders are looked at one by one."""

# Room for so many neighbours of them.
_ROOM: Final = 256


class GameMoves:
    """Looks around colliders that the game has moved."""

    __slots__ = ("_bodies", "_counts", "_rows", "_scratch", "_slots", "_state")

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self._scratch: tuple[NDArray[float64], NDArray[int32]] = np.zeros((MOST_MOVED, 4)), np.zeros((_ROOM, 2), int32)
        self._rows: NDArray[int64] = np.zeros(MOST_MOVED, int64)
        # How often plans have followed each row of Transform.
        self._counts: NDArray[int64] = np.zeros(0, int64)
        self._slots: Slots = np.zeros(MOST_MOVED, int32)
        self._bodies: following.BodiesOfColliders | None = None

    def may_push(self, slots: Slots) -> bool:
        """Whether any of at most MOST_MOVED colliders may push a body; all are placed."""
        found, boxes = self._state.hits.found, self._state.tables.colliders.placed.boxes
        return following.may_push(
            slots, boxes, self._neighbours(found.buffer, found.counts.contacts), self._bodies_now()
        )

    def plan(self, plan: StepPlan, buffer: ContactBuffer) -> None:
        """Write to the plan of steps that begin with the contacts of a buffer how it follows moves of the game."""
        state = self._state
        flags = np.frombuffer(Transform._columns.dirty, uint8)
        if len(self._counts) < len(flags):
            self._counts = np.zeros(len(flags), int64)
        near, bodies = self._neighbours(buffer, 0), self._bodies_now()
        any_sleeps = state.body_table.any_sleeps
        arguments = (
            flags,
            self._counts,
            self._rows,
            self._slots,
            state.placing.arrays,
            BOX_PADDING,
            near,
            bodies,
            any_sleeps,
        )
        plan.record(following.follow_moves, arguments)

    def take_counts(self, rows: NDArray[int64]) -> NDArray[int64]:
        """How often plans have followed each of some rows of Transform; they begin to count again."""
        counts = self._counts[rows]
        self._counts[rows] = 0
        return counts

    def _neighbours(self, buffer: ContactBuffer, contacts: int) -> following.Neighbours:
        sleeping = self._state.sleeping
        return following.Neighbours(
            self._state.hits.search.prediction, buffer.pairs[:contacts], sleeping.awake, sleeping.kept
        )

    def _bodies_now(self) -> following.BodiesOfColliders:
        table, kept = self._state.body_table, self._bodies
        now = following.BodiesOfColliders(table.body_of, table.own.row_of, table.listed.kind, *self._scratch)
        if kept is None or not are_same(kept, now):
            # One that is kept is handed over faster.
            kept = self._bodies = now
        return kept


NOTED_STEPS = 20
"""Writes of so many steps are kept."""


class NotedWrites(NamedTuple):
    """The rows of Transform (k,) that were written before the step that ended at a time, and which of them a sweep has
    written in the step before: where it has stopped a body."""

    clock: float
    rows: NDArray[int64]
    swept: NDArray[int64]


class ChangesSinceStep:
    """Finds out whether the contacts of the last step still hold, and whether anything has changed."""

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self._table = state.body_table
        # The entries of all logs, and the revisions, at the last step.
        self._stamp: tuple[int, ...] = ()
        self._entries = self._written_to = -1
        self._changes: tuple[int, int] = (-1, -1)
        # The number of writes when the solver began to look for changes of the game.
        self._begun_at = -1
        # Whether there was a look before motion in this step, and its result.
        self._has_looked = self._was_moved = False
        # The slots of kinematic bodies' colliders that were placed since, where they are now.
        self._driven = NO_SLOTS
        self._moves = GameMoves(state)
        # Whether late writes may push a body, and how many writes of games there were at that look.
        self._pushes, self._pushes_as_of = False, -1
        # The hits after which systems of this world have moved anything.
        self._moved_after: StepHits | None = None
        log = Transform._columns.writes
        self._written, self._written_late = WritesSince(log), WritesSince(log)
        self.settled = _NO_ROWS
        """(k,) the rows of Transform of the bodies that were stopped on their way and placed there since the last
        step."""
        self.noted: deque[NotedWrites] = deque(maxlen=NOTED_STEPS)
        """The rows of Transform that were written in the last steps in which any were, for ``physics.check``."""

    def begin_step(self) -> None:
        """The next step looks at later writes: by ``pre_solve``, or in another thread."""
        self._begun_at = writes_besides_motion()

    def note_writes(self) -> None:
        """Keep the rows of Transform that were written since the last step. A step without writes costs nothing."""
        if collect_all() != self._entries:
            written = self._writes()
            if written.rows.size:
                self.noted.append(NotedWrites(self._state.clock, written.rows, self.settled))

    def note_followed(self, rows: NDArray[int64], counts: NDArray[int64], steps: int, dt: float) -> None:
        """As :meth:`note_writes`, where ``steps`` of ``dt`` seconds have followed writes to some ``rows`` (k,), each
        as often as ``counts`` tells: as if that had been at equal distances."""
        kept, clock = min(steps, NOTED_STEPS), self._state.clock
        # It grows by 1 wherever another of the row's writes is due.
        are_due = np.diff(np.arange(kept + 1)[:, None] * counts // steps, axis=0) > 0
        are_all = bool(are_due.all())
        for step, is_due in enumerate(are_due):
            written = rows if are_all else rows[is_due]
            self.noted.append(NotedWrites(clock - (kept - 1 - step) * dt, written, rows[:0]))

    def note_moving(self) -> None:
        """A system of this world is about to move its entities, as in each step; other worlds move nothing here,
        though the log of Transform lists them as well."""
        self._moved_after = self._state.hits.found

    @property
    def _has_stepped(self) -> bool:
        """Whether systems of this world have moved anything since contacts were found."""
        return self._moved_after is self._state.hits.found

    def look_before_motion(self) -> None:
        """Find out before systems move anything whether the game has, where all rows may have been written: what
        kinematic bodies do by themselves cannot be told from that afterwards."""
        if self._has_looked or collect_all() == self._entries:
            return
        # Both are read now, as the log may forget entries while systems move.
        self._late_writes()
        written = self._writes()
        if written.everything:
            self._was_moved = self._has_moved()
            self._has_looked = True
        elif written.rows.size:
            self._pushes_now()

    def _pushes_now(self) -> bool:
        """Whether writes of the game since contacts were found may push a body. The answer holds until the game
        writes more, whatever systems move."""
        log = Transform._columns.writes
        if log.revision - ENTRIES.stepped == self._pushes_as_of:
            return self._pushes
        late = self._late_writes()
        slots = self._state.tables.colliders_with(TRANSFORM, late.rows)
        self._pushes = late.rows.size > 0 and self._may_push(slots, self._has_stepped)
        self._pushes_as_of = log.revision - ENTRIES.stepped
        return self._pushes

    def note_step(self) -> None:
        """The bodies were moved: only writes after :meth:`begin_step` count as changes from now on."""
        now = self._stamp_now()
        self._changes = self._changes_now()
        self._entries, self._written_to = now[0], Transform._columns.writes.revision
        self._has_looked = self._was_moved = False
        self._pushes_as_of = -1
        self._driven = NO_SLOTS
        # Last: where this is cut short, one looks once more.
        self._stamp = now if writes_besides_motion() == self._begun_at else ()

    def note_planned_step(self, noted: tuple[int, int] | None) -> None:
        """As :meth:`note_step`, where a plan has moved the bodies, and none has fallen asleep or woken.

        ``noted``: how many entries all logs, and the log of Transform, had when it ended; None if another thread has
        written.
        """
        if noted is None:
            self.note_step()
            self._stamp = ()
            return
        self._pushes_as_of = -1
        self._entries, self._written_to = noted
        self._stamp = (noted[0], *self._stamp[1:])

    def note_other_world(self) -> None:
        """The bodies are where the last step has left them, but everything else may have changed."""
        self.note_step()
        self.noted.clear()
        self._stamp = ()

    def are_none(self) -> bool:
        """Whether nothing at all has changed, in any component that tells so: no row was written, no block replaced,
        and nothing came, went, woke or was weighed again."""
        return self._stamp == self._stamp_now()

    def _stamp_now(self) -> tuple[int, ...]:
        state, table = self._state, self._table
        return (
            collect_all(),
            REPLACEMENTS.made,
            state.tables.revision,
            table.revision,
            table.masses.measurement,
            table.sleep_changes,
            state.joints.pairs.revision,
        )

    def are_bodies_untouched(self) -> bool:
        """Whether no Transform of a body has been written, but by systems."""
        if collect_all() == self._entries:
            return True
        written = self._writes()
        owners = self._state.tables.entities.owners_of(TRANSFORM)
        return not written.everything and not following.any_of_bodies(written.rows, owners, self._table.own.row_of)

    def _writes(self) -> Writes:
        """The writes to Transform since the last step; the same object until there are more."""
        return self._written.read(self._written_to)

    def _late_writes(self) -> Writes:
        """The writes to Transform since contacts were found; as :meth:`_writes`."""
        return self._written_late.read(self._state.hits.seen_to)

    def are_contacts_others(self) -> bool:
        """Whether any collider came or went, or the game has moved one so that contacts of bodies may be others."""
        tables = self._state.tables
        if not self._table.is_current() or self._changes != self._changes_now():
            return True
        if collect_all() == self._entries:
            return False
        table, written = self._table, self._writes()
        if not written.rows.size:
            return written.everything and self._has_moved()
        late = self._late_writes()
        if (written.everything or late.everything) and self._has_moved():
            return True
        if self._pushes_now():
            return True
        if late.rows.size == written.rows.size:
            return False
        # What contacts know already: where sweeps have stopped a body, and where a character has walked.
        rows = written.rows[~np.isin(written.rows, self.settled) & ~np.isin(written.rows, late.rows)]
        bodies = table.bodies_of(tables.colliders_with(TRANSFORM, rows))
        return bool((table.listed.kind[bodies[bodies >= 0]] != body.CHARACTER).any())

    def _may_push(self, slots: Slots, has_stepped: bool) -> bool:
        """Whether colliders that the game has moved may push a body. Where systems have moved others too in this step,
        this cannot be told apart."""
        state, table = self._state, self._table
        if has_stepped or slots.size > MOST_MOVED:
            return bool((table.bodies_of(slots) >= 0).any())
        state.place()
        return self._moves.may_push(slots)

    def _has_moved(self) -> bool:
        """Whether any body's collider is elsewhere than the last step has left it: where all may have been written, it
        may have been in another world."""
        placing = self._state.placing
        # Before motion, colliders that were placed in between count too: by a query, or for a digest.
        known = placing.moved.copy() if self._has_looked else NO_SLOTS
        self._state.place()
        if self._was_moved or placing.are_all_moved:
            return True
        fresh = np.setdiff1d(placing.moved, known)
        bodies = self._table.bodies_of(fresh)
        fresh, bodies = fresh[bodies >= 0], bodies[bodies >= 0]
        if not self._has_looked:
            self._note(fresh)
            return bodies.size > 0 and self._may_push(fresh, self._has_stepped)
        moves_itself = self._table.listed.kind[bodies] == body.KINEMATIC
        self._driven = fresh[moves_itself]
        self._note(fresh[~moves_itself])
        return not moves_itself.all()

    def _note(self, slots: NDArray[int32]) -> None:
        """Keep the rows of Transform of colliders that have moved: any row may have been written."""
        if slots.size:
            rows = self._state.tables.colliders.slots.transform_row[slots].astype(int64)
            self.noted.append(NotedWrites(self._state.clock, rows, self.settled))

    def moved_by_game(self) -> NDArray[uint8]:
        """For each slot of a collider whether it has moved since the last step, but by its own motion in this one."""
        moved = self._state.tables.colliders.placed.moved
        if self._driven.size:
            moved = moved.copy()
            moved[self._driven] = 0
        return moved

    def _changes_now(self) -> tuple[int, int]:
        """Numbers that differ after any change in the colliders of bodies, and in their filters."""
        return self._table.collider_changes, self._state.joints.pairs.revision
