"""Runs the solver of one world's bodies, and owns the room that it works in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy import int64, uint8
from numpy.typing import NDArray

from ecsphys.components.dynamics.rigid_body import RigidBody
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.change_log import collect_all
from ecsphys.engine.contact.reach import REACH_COLUMNS, grow_boxes
from ecsphys.engine.dynamics.bodies import BODY_COLUMNS, BodyRows
from ecsphys.engine.dynamics.body_mass import CHARACTER, KINEMATIC, measure_bodies
from ecsphys.engine.dynamics.body_state import BodyBlocks, WorldGravity, gather_bodies
from ecsphys.engine.dynamics.contact_solver import SOLVER_KERNELS, ContactSolver
from ecsphys.engine.dynamics.contacts.contact_blocks import UNMOVED_PLACE
from ecsphys.engine.dynamics.contacts.contact_filling import Surroundings
from ecsphys.engine.dynamics.joints.jointed_step import measure_joints
from ecsphys.engine.dynamics.sleeping_bodies import ColliderNews, KnownContacts, wake_bodies
from ecsphys.engine.dynamics.step_end import Reaching, finish_bodies
from ecsphys.engine.kernels.cache_lines import aligned_zeros
from ecsphys.engine.kernels.capacity import Capacity
from ecsphys.engine.tables.entity_rows import COLLISION_FILTER, PARENT, RIGID_BODY, SOLID, TRANSFORM
from ecsphys.systems.dynamics.awake_bodies import AwakeBodies
from ecsphys.systems.dynamics.contact_changes import ContactRules
from ecsphys.systems.dynamics.solver_numbers import SolverNumbers, numbers_of
from ecsphys.systems.first_loads import load_with_first
from ecsphys.systems.motion.euler_motion import force_blocks
from ecsphys.systems.motion.hierarchy import carry_children
from ecsphys.systems.world.entity_table import Slots

if TYPE_CHECKING:
    from ecsphys.systems.collision.step_hits import ContactBuffer, StepHits
    from ecsphys.systems.dynamics.bodies import Bodies
    from ecsphys.systems.dynamics.contact_changes import Contacts
    from ecsphys.systems.physics_state import PhysicsState

BODY_KERNELS: Final[tuple[Callable[..., Any], ...]] = (
    *SOLVER_KERNELS,
    measure_bodies,
    gather_bodies,
    wake_bodies,
    finish_bodies,
    grow_boxes,
)
load_with_first(BODY_KERNELS, RigidBody)

_NO_ROWS: NDArray[int64] = np.zeros(0, int64)


class BodySolver:
    """Moves the bodies of one world through a step.

    Its rows are overwritten by each step.
    """

    def __init__(self, state: PhysicsState, settings: Bodies, contacts: Contacts) -> None:
        self._state = state
        self._table = state.body_table
        self._settings = settings
        self._capacity = Capacity()
        self._rows = _rows(0)
        self._contact_solver = ContactSolver()
        self._rules = ContactRules(state, contacts)
        self._locks: NDArray[uint8] | None = None
        self._blocks: BodyBlocks | None = None
        self._gravity: tuple[float, float] | None = None
        self._world_gravity = WorldGravity(0.0, 0.0)
        self._numbers = numbers_of(settings, 0.0)
        self._around: Surroundings | None = None
        self._reaching: Reaching | None = None
        self._awake = AwakeBodies(state)
        self._written_to = -1
        # As of which entries of all logs, and which revisions, nothing has changed.
        self._entries = -1
        self._as_of: tuple[int, int] = (-1, -1)
        self._order: Slots | None = None
        self._lines: tuple[int, ...] = ()
        self._is_changed = False
        self._are_found_anew = False
        self._solved: StepHits | None = None
        """The hits whose contacts were solved last: bodies have moved since they were found."""

    def step(self, dt: float) -> None:
        """Move the bodies by their forces and contacts: those of the last step or, where the game has moved or changed
        anything since, those found anew. Nothing at all in a step of no time."""
        state, table, hits = self._state, self._table, self._state.hits
        table.measure(state)
        self._is_changed = self.has_changed
        numbers = self._numbers_now(dt)
        margin = numbers.margin
        if hits.search.prediction != margin or not hits.search.keeps_points:
            # What was found until now has no points to be solved, or too few.
            hits.keep_contacts(margin)
            self._is_changed = True
        if dt == 0.0:
            return
        blocks = self._blocks_now()
        self._reserve_bodies(len(table))
        if self._locks is not table.locks:
            self._rows.locks[: len(table)] = table.locks
            self._locks = table.locks
        if numbers.sleep.speed == 0.0:
            table.wake_all()
        self._awake.choose(not self._is_changed and self._are_bodies_untouched())
        finds_anew = self._is_changed and state.pairs.finder is not None
        self._gather(blocks, dt, finds_anew)
        found = self._solved = hits.found
        buffer, count = found.buffer, found.contact_count if found.buffer.has_points else 0
        moved = state.tables.colliders.placed.moved
        if finds_anew:
            hits.resting.forget()
            # With the contacts as they were: what was moved may touch no longer what it held.
            carry_children(state)
            state.place()
            moved = moved.copy()
            self._wake(buffer, count, blocks, moved, dt)
            self._finish(buffer, -1, blocks, dt)
            buffer, count = hits.find_aside()
        self._wake(buffer, count, blocks, moved, dt)
        if len(state.joints):
            self._measure_joints(blocks, dt)
        self._solve(buffer, count, dt)
        if finds_anew:
            hits.return_impulses(count)
        elif hits.resting.tell(self._rest_stamp()):
            self._find_resting(buffer, count)
        state.begin_moving()
        state.end_moving(self._finish(buffer, count, blocks, dt))
        self._note_unchanged()
        if len(state.joints) and state.joints.finish(dt):
            # What they held apart may meet in this step.
            state.update()
            state.joints.update()

    def _numbers_now(self, dt: float) -> SolverNumbers:
        """What the settings are to the engine: the same object as long as nothing of them changes."""
        kept = self._numbers
        if kept.solver.dt != dt or kept.settings != vars(self._settings):
            kept = self._numbers = numbers_of(self._settings, dt)
            self._around = self._reaching = None
        return kept

    def _are_bodies_untouched(self) -> bool:
        """Whether no Transform of a body has been written since ``_note_unchanged``, but by systems."""
        if collect_all() == self._entries:
            return True
        written = Transform._columns.writes.since(self._written_to)
        owners = self._state.tables.entities.owners_of(TRANSFORM)
        owners = owners[written.rows[written.rows < owners.size]]
        return not written.everything and not self._table.row_of_owners(owners[owners >= 0]).any()

    def _blocks_now(self) -> BodyBlocks:
        state, kept = self._state, self._blocks
        forces, gravity = force_blocks(), state.settings.gravity
        if self._gravity is not gravity:
            self._gravity, self._world_gravity = gravity, WorldGravity(*gravity)
        path_velocity, carried = state.tables.entities.slots.path_velocity, self._table.velocities_of_carried(state)
        if (
            kept is None
            or kept.forces is not forces
            or kept.path_velocity is not path_velocity
            or kept.carried is not carried
        ):
            # The block of Transform is another one only where those of forces are gathered anew.
            kept = self._blocks = BodyBlocks(Transform._columns.float64, forces, path_velocity, carried)
        return kept

    def _gather(self, blocks: BodyBlocks, dt: float, are_found_anew: bool) -> None:
        """Write the rows of bodies; contacts that are found anew are those with kinematic bodies where these end."""
        table = self._table
        self._are_found_anew = are_found_anew
        gather_bodies(
            table.listed,
            self._awake.rows,
            blocks,
            self._world_gravity,
            dt,
            table.states.island,
            self._rows,
            are_found_anew,
        )

    def _wake(self, buffer: ContactBuffer, count: int, blocks: BodyBlocks, moved: NDArray[uint8], dt: float) -> None:
        """Wake what something acts on, as the contacts tell."""
        table, colliders = self._table, self._state.tables.colliders
        if not table.any_sleeps:
            return
        resting = self._state.hits.resting.known(self._rest_stamp())
        woken = wake_bodies(
            table.listed,
            blocks.forces,
            blocks.transform,
            self._world_gravity,
            self._rows,
            buffer.table,
            KnownContacts(count, resting.runs, resting.pressing),
            ColliderNews(table.body_of, colliders.slots.absence, moved),
            table.states,
            dt,
        )
        if woken:
            table.sleep_changes += 1
            self._awake.take_all()
            self._gather(blocks, dt, self._are_found_anew)

    def _measure_joints(self, blocks: BodyBlocks, dt: float) -> None:
        """Write where the joints are, and wake what they hold that does not rest any more."""
        table, joints = self._table, self._state.joints.rows
        for _ in range(2):
            shift = 0.0 if self._are_found_anew else dt
            if not measure_joints(joints, self._rows, table.listed.kind, blocks.transform, shift, table.states):
                return
            table.sleep_changes += 1
            self._awake.take_all()
            self._gather(blocks, dt, self._are_found_anew)

    def _solve(self, buffer: ContactBuffer, count: int, dt: float) -> None:
        table, numbers = self._table, self._numbers
        changes = self._rules.changes(buffer, count, self._rows, dt, numbers.one_way_slop)
        resting = self._state.hits.resting
        if len(changes.friction):
            # Any contact may be another.
            resting.forget()
        around = self._around
        if (
            around is None
            or around.body_of is not table.body_of
            or around.materials is not table.materials
            or around.changes is not changes
        ):
            around = self._around = Surroundings(
                table.body_of, table.materials, numbers.mixing, changes, numbers.bounce_speed, 1.0
            )
        joints = self._state.joints
        jointed = (joints.rows, numbers.joints) if len(joints) else None
        known = resting.known(self._rest_stamp())
        self._contact_solver.solve(
            buffer.rows,
            known.end_of_others(count),
            self._rows,
            len(table),
            around,
            numbers.solver,
            jointed,
            known.rows,
            self._state.settings.threads,
        )

    def _rest_stamp(self) -> tuple[int, ...]:
        """Numbers that differ after any change of bodies, of which of them sleep, and of which may touch."""
        table = self._table
        return table.revision, table.sleep_changes, self._state.joints.pairs.revision

    def _find_resting(self, buffer: ContactBuffer, count: int) -> None:
        """Look for contacts that rest, those of static bodies and of those that sleep."""
        table, found = self._table, self._state.hits.found
        is_unmoved = self._contact_solver.room.places.places[:count] == UNMOVED_PLACE
        is_unmoved &= (table.listed.kind[table.body_of[buffer.pairs[:count]]] != KINEMATIC).all(axis=1)
        self._state.hits.resting.find(found, is_unmoved, table.body_of, len(table))

    def _finish(self, buffer: ContactBuffer, count: int, blocks: BodyBlocks, dt: float) -> bool:
        """Write the bodies back, let islands sleep, and let the next contacts be found as far apart as bodies move in
        a step; this alone if there is a ``count`` of −1. Returns whether all is finite."""
        table, hits, colliders, rows = self._table, self._state.hits, self._state.tables.colliders, self._awake.rows
        if len(hits.search.reach) < colliders.capacity:
            hits.search.reach = np.zeros((colliders.capacity, REACH_COLUMNS))
        slots, shapes, reaching = self._awake.slots, colliders.shapes, self._reaching
        if (
            reaching is None
            or reaching.rows is not rows
            or reaching.slots is not slots
            or reaching.body_of is not table.body_of
            or reaching.placed is not shapes
            or reaching.reach is not hits.search.reach
        ):
            reaching = self._reaching = Reaching(
                rows, slots, table.body_of, shapes, self._numbers.most_reach, hits.search.reach
            )
        is_finite, asleep = finish_bodies(
            table.listed,
            table.may_sleep,
            self._rows,
            blocks,
            buffer.table,
            count,
            reaching,
            table.states,
            self._numbers.sleep,
            dt,
        )
        table.sleep_changes += asleep
        return is_finite

    def _has_changed(self) -> bool:
        """Whether any collider came or went, or one of a body was moved by the game, since ``_note_unchanged``."""
        tables = self._state.tables
        if tables.colliders.order is not self._order:
            return True
        if self._as_of != self._as_of_now() and self._lines != self._lines_now():
            return True
        if collect_all() == self._entries:
            return False
        writes, table = Transform._columns.writes, self._table
        written = writes.since(self._written_to)
        if not written.rows.size:
            return written.everything and self._has_moved()
        late = writes.since(self._state.hits.seen_to)
        if ((written.everything or late.everything) and self._has_moved()) or (
            table.bodies_of(tables.colliders_with(TRANSFORM, late.rows)) >= 0
        ).any():
            return True
        # What contacts know already: where sweeps have stopped a body, and where a character has walked.
        rows = written.rows[~np.isin(written.rows, table.settled)]
        bodies = table.bodies_of(tables.colliders_with(TRANSFORM, rows))
        return bool((table.listed.kind[bodies[bodies >= 0]] != CHARACTER).any())

    def _has_moved(self) -> bool:
        """Whether any body's collider is elsewhere than the last step has left it: where all may have been written, it
        may have been in another world."""
        placing = self._state.placing
        known = placing.moved.copy()
        self._state.place()
        if placing.are_all_moved:
            return True
        fresh = np.setdiff1d(placing.moved, known)
        return bool((self._table.body_of[fresh] >= 0).any())

    @property
    def has_changed(self) -> bool:
        """Whether the next step finds contacts anew, as the game has changed something since the last, or none were
        found after it."""
        is_solved = self._solved is self._state.hits.found
        return is_solved or self._is_changed or self._table.is_reshaped or self._has_changed()

    def go_on(self, has_changed: bool) -> None:
        """Take the world for what the last step left, or for one in which the game has changed something."""
        self._note_unchanged()
        self._awake.take_all()
        self._is_changed, self._solved = has_changed, None

    def _as_of_now(self) -> tuple[int, int]:
        """Numbers without a change of which :meth:`_lines_now` is the same."""
        return self._state.tables.revision, self._state.joints.pairs.revision

    def _lines_now(self) -> tuple[int, ...]:
        """When the lines changed last on which it depends what is a body's."""
        revisions = self._state.tables.line_revisions
        lines = (revisions[line] for line in (SOLID, RIGID_BODY, PARENT, COLLISION_FILTER))
        return *lines, self._state.joints.pairs.revision

    def _note_unchanged(self) -> None:
        self._entries = collect_all()
        self._written_to = Transform._columns.writes.revision
        self._order, as_of = self._state.tables.colliders.order, self._as_of_now()
        if self._as_of != as_of:
            self._lines, self._as_of = self._lines_now(), as_of
        self._is_changed = self._table.is_reshaped = False
        self._table.settled = _NO_ROWS

    def _reserve_bodies(self, count: int) -> None:
        held = len(self._rows.bodies)
        capacity = self._capacity.choose(count, held)
        if capacity != held:
            self._rows, self._locks = _rows(capacity), None
            # What sleeps has no row there yet.
            self._awake.take_all()


def _rows(count: int) -> BodyRows:
    return BodyRows(
        aligned_zeros(count, BODY_COLUMNS),
        np.zeros((count, 2)),
        np.zeros((count, 3)),
        np.zeros((count, 2)),
        np.zeros(count, uint8),
    )
