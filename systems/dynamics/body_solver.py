"""Runs the solver of one world's bodies, and owns the room that it works in."""

from __future__ import annotations

from functools import partial
from operator import is_
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import int64, uint8
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform
from ecsphys.engine.ccd.near_misses import FreeBodies, SeamRoom, leave_out_misses
from ecsphys.engine.dynamics.bodies import BodyBlocks, StepBodies, gather_bodies, new_rows
from ecsphys.engine.dynamics.contact_solver import ContactSolver, Jointed
from ecsphys.engine.dynamics.contacts import contact_blocks
from ecsphys.engine.dynamics.contacts.materials import ContactChanges
from ecsphys.engine.dynamics.joints.joint_placing import measure_joints
from ecsphys.engine.dynamics.joints.jointed_step import hand_out_loads
from ecsphys.engine.dynamics.step_end import finish_bodies, wake_bodies
from ecsphys.engine.dynamics.strikes import StrikeStep
from ecsphys.engine.hits.contact_table import RestingContacts
from ecsphys.engine.kernels import Capacity, zeros_of
from ecsphys.engine.run import plan as word
from ecsphys.engine.run.plan import StepPlan
from ecsphys.engine.tables import entity_rows
from ecsphys.engine.tables.entity_rows import RIGID_BODY
from ecsphys.systems.dynamics.body_table import NO_CARRIED, padded
from ecsphys.systems.dynamics.changes_since_step import ChangesSinceStep, carried_ends, found_before_motion
from ecsphys.systems.dynamics.contact_changes import ContactRules
from ecsphys.systems.dynamics.resting import Resting
from ecsphys.systems.motion.motion import carry_children, force_blocks, trajectory_blocks
from ecsphys.systems.settings import SolverNumbers, numbers_of
from ecsphys.systems.stage import BODIES, Stage

if TYPE_CHECKING:
    from ecsphys.systems.hits.step_hits import ContactBuffer, StepHits
    from ecsphys.systems.physics_state import PhysicsState


# Lines of components that accelerate a body; writes to them are not logged.
_FIELDS = (entity_rows.ACCELERATION, entity_rows.GRAVITY, entity_rows.ORBIT, entity_rows.SPRING)

_NO_ROWS: NDArray[int64] = np.zeros(0, int64)


class BodySolver:
    """Moves the bodies of one world through a step.

    Its rows are overwritten by each step.
    """

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self.table = state.body_table
        self._capacity = Capacity(patience=1)
        self._rows = new_rows(0)
        self._contact_solver = ContactSolver()
        self.rules = ContactRules(state)
        self._blocks = BodyBlocks(
            Transform._columns.float64,
            force_blocks(),
            trajectory_blocks(),
            state.tables.entities.slots.lines,
            NO_CARRIED,
        )
        self._numbers = numbers_of(state.settings, 0.0)
        self._seam_room = zeros_of(SeamRoom, 0, 0, 0)
        self.is_fast: NDArray[uint8] = np.zeros(0, uint8)
        """For each body whether it was fast in the last step, see ``mark_fast_bodies``."""
        self.fast_count = 0
        """How many bodies were fast in the last step; 0 before the bodies of a step have moved."""
        # The bodies as the last step left them; None if it has not moved them.
        self._left: StepBodies | None = None
        self._last_bodies: StepBodies | None = None
        self.changes = ChangesSinceStep(state)
        # The numbers at the last look at forces on sleeping bodies, and whether components accelerate any.
        self._looked_at: tuple[tuple[object, ...], bool] = (), False
        self._is_changed = False
        self.found_anew = False
        """Whether the contacts solved last were found aside."""
        self._solved: StepHits | None = None
        """The hits whose contacts were solved last: bodies have moved since they were found."""

    def step(self, dt: float) -> None:
        """Move the bodies by their forces and contacts. The contacts come from the last step; if the game has moved or
        changed anything since, they are found again. A step of 0 seconds moves nothing."""
        state, hits = self._state, self._state.hits
        self.changes.begin_step()
        self.fast_count = 0
        self._left = None
        is_as_left = self._is_as_left(dt)
        if not is_as_left:
            self.changes.note_writes()
            self._follow_changes(dt)
        if dt == 0.0:
            return
        hits.resting.choose(is_as_left or (not self._is_changed and self.changes.are_bodies_untouched()))
        self.found_anew = self._is_changed and state.pairs.finder is not None
        self._gather()
        found = self._solved = hits.found
        buffer, count = found.buffer, found.counts.contacts if found.buffer.has_points else 0
        moved = self.changes.moved_by_game()
        if self.found_anew:
            hits.resting.forget_contacts()
            # With the old contacts: a collider that was moved may no longer touch the body that it held.
            carry_children(state)
            state.place()
            moved = state.tables.colliders.placed.moved.copy()
            self._wake(buffer, count, moved)
            buffer, count = found_before_motion(state, self._rows, dt, hits.find_aside)
        self._wake(buffer, count, moved)
        self._solve(buffer, count, self._changes_of(buffer, count))

    def _changes_of(self, buffer: ContactBuffer, count: int) -> ContactChanges:
        """The changes to the first ``count`` contacts of a buffer. Left out are contacts at seams, and of bodies that
        only fly past each other in this step."""
        numbers = self._numbers
        changes = self.rules.changes(buffer, count, self._rows, numbers.solver.dt, numbers.one_way_slop)
        if count and len(self._resting.rows):
            leave_out_misses(*self._leaving_out(buffer, count, changes))
        return changes

    def _solve(self, buffer: ContactBuffer, count: int, changes: ContactChanges, measures: int = 2) -> None:
        """Solve the first ``count`` contacts of a buffer, and write the bodies back: the end of a step. Joints are
        measured at most so many times, as bodies at them may wake."""
        state, resting, joints = self._state, self._state.hits.resting, self._state.joints
        if len(joints) and measures:
            carried = carried_ends(state, self._rows)
            if carried[0].size:
                # Whether their bodies have taken them along already depends on what else had to be placed.
                carry_children(state)
            for _ in range(measures):
                measure = partial(measure_joints, *self._measuring())
                if not found_before_motion(state, self._rows, self.dt, measure, carried):
                    break
                self._follow_wake()
        resting.contacts_change = len(changes.friction) > 0
        if resting.contacts_change:
            resting.forget_contacts()
        known = resting.known_contacts()
        if self._rests(known, count):
            self._contact_solver.solve_none()
        else:
            step = self._solving(buffer, count, known, changes)
            self._contact_solver.solve(step, self._jointed, state.settings.threads)
        if self.found_anew:
            state.hits.aside.return_impulses(state.hits.found, count)
        if len(self._resting.rows):
            state.begin_moving()
        self._note_finished(*finish_bodies(*self._finishing(buffer, count)))
        joints.hand_out_loads(self.dt)
        self.changes.note_step()
        self._note_solved()
        if not self.found_anew:
            resting.note_step(state.hits.found, self.places.places[:count])
        if len(joints):
            self._break_overloaded()

    def _note_finished(self, is_finite: bool, asleep: int, fast_count: int) -> None:
        """Note what ``finish_bodies`` has returned."""
        table = self.table
        self.fast_count = fast_count
        table.sleep_changes += asleep
        self._left = self._bodies
        self._state.end_moving(is_finite)

    def _break_overloaded(self) -> None:
        state = self._state
        if state.joints.break_overloaded(self.dt):
            # Bodies that a broken joint held apart may meet in this step.
            state.update()
            state.joints.update()

    def _is_as_left(self, dt: float) -> bool:
        """Whether this step can use the arrays and numbers of the last one: it is as long, and only the bodies' own
        motion has changed anything since."""
        state, numbers, blocks, search = self._state, self._numbers, self._blocks, self._state.hits.search
        return (
            dt == numbers.solver.dt
            and self.changes.are_none()
            and not self._is_changed
            and self._solved is not state.hits.found
            and numbers.settings == vars(self._state.settings)
            and blocks.lines is state.tables.entities.slots.lines
            and not len(blocks.carried)
            and search.prediction == numbers.margin
            and search.keeps_points
        )

    def _follow_changes(self, dt: float) -> None:
        """Bring the data of a step up to date with the world, and find out whether the contacts are others."""
        state, table, hits = self._state, self.table, self._state.hits
        table.masses.measure(state)
        self._is_changed = self.has_changed
        numbers = self._numbers_now(dt)
        margin = numbers.margin
        if hits.search.prediction != margin or not hits.search.keeps_points:
            # The present contacts have no points to solve, or too few.
            hits.keep_contacts(margin)
            self._is_changed = True
        if dt == 0.0:
            return
        kept, forces, trajectories = self._blocks, force_blocks(), trajectory_blocks()
        lines, carried = state.tables.entities.slots.lines, table.velocities_of_carried(state)
        now = (forces, trajectories, lines, carried)
        if not all(map(is_, now, (kept.forces, kept.trajectories, kept.lines, kept.carried))):
            # The block of Transform is another one only if the blocks of forces were gathered again.
            self._blocks = BodyBlocks(Transform._columns.float64, *now)
        count, held = len(table), len(self._rows.bodies)
        capacity = self._capacity.choose(count, held)
        if capacity != held:
            self._rows = new_rows(capacity)
            self.is_fast = np.zeros(capacity, uint8)
            # What sleeps has no row there yet.
            self._resting.take_all()
        self._rows.locks[:count] = table.masses.locks
        if numbers.sleep.speed == 0.0:
            table.wake_all()

    def _numbers_now(self, dt: float) -> SolverNumbers:
        """The settings as the engine takes them: the same object until a setting changes."""
        kept = self._numbers
        if kept.solver.dt != dt or kept.settings != vars(self._state.settings):
            now = numbers_of(self._state.settings, dt)
            if now.mixing != kept.mixing or now.sleep != kept.sleep:
                # What sleeps may slide by now, or rest no more.
                self.table.wake_all()
            kept = self._numbers = now
        return kept

    def follow_settings(self) -> None:
        """Wake bodies if settings have changed that wake them. Bodies that are put to sleep afterwards stay asleep."""
        self._numbers_now(self._numbers.solver.dt)

    @property
    def _bodies(self) -> StepBodies:
        """The bodies as they are listed now: the same object until a part is replaced."""
        table, own, last = self.table, self.table.own, self._last_bodies
        now = (table.listed, table.states, self._rows, own.may_sleep, self.is_fast, table.body_of, own.of_entity)
        if last is None or not all(map(is_, now, last)):
            last = self._last_bodies = StepBodies(*now)
        return last

    @property
    def _resting(self) -> Resting:
        """The bodies and contacts that steps pass over."""
        return self._state.hits.resting

    def _gather(self) -> None:
        """Write the rows of bodies."""
        if len(self._resting.rows):
            gather_bodies(*self._gathering())

    def _gathering(self) -> tuple[Any, ...]:
        """The arguments of ``gather_bodies``."""
        return self._bodies, self._resting.rows, self._blocks, self._numbers.gravity, self.dt

    def _wake(self, buffer: ContactBuffer, count: int, moved: NDArray[uint8]) -> None:
        """Wake sleeping bodies on which something acts, by the contacts."""
        if not self.table.any_sleeps:
            return
        looks_at = self._looks_at()
        looked_at, has_fields = self._looked_at
        is_known = looks_at == looked_at
        if not is_known:
            instances = self._state.tables.entities.instances
            lines = [line for line in _FIELDS if instances[line].count]
            has_fields = bool(lines) and bool((self.table.listed.rows[lines, :] >= 0).any())
        woken = wake_bodies(*self._waking(buffer, count, moved, not is_known or has_fields))
        self._looked_at = looks_at, has_fields
        if woken:
            self._follow_wake()

    def _looks_at(self) -> tuple[object, ...]:
        """Values that differ where forces on sleeping bodies must be looked at again."""
        table = self.table
        return table.revision, table.masses.measurement, table.sleep_changes, self._numbers.gravity

    def _waking(self, buffer: ContactBuffer, count: int, moved: NDArray[uint8], has_fields: bool) -> tuple[Any, ...]:
        """The arguments of ``wake_bodies``."""
        return (
            self._bodies,
            self._blocks,
            self._numbers.gravity,
            buffer.table,
            count,
            self._resting.known_contacts(),
            self._state.tables.colliders.slots.absence,
            moved,
            has_fields,
            self.dt,
        )

    def _follow_wake(self) -> None:
        """Take along the bodies that have just woken."""
        self.table.sleep_changes += 1
        self._resting.take_all()
        self._gather()

    def _leaving_out(self, buffer: ContactBuffer, count: int, changes: ContactChanges) -> tuple[Any, ...]:
        """The arguments of ``leave_out_misses``."""
        colliders, numbers = self._state.tables.colliders, self._numbers
        resting, transform_row = self._resting.known_contacts(), colliders.slots.transform_row
        free = FreeBodies(self._bodies, transform_row, self._blocks.transform)
        capacity, seams = (len(colliders.shapes.forms), buffer.capacity), self._seam_room
        if len(seams.heads) < capacity[0] or len(seams.links) < capacity[1]:
            self._seam_room = seams = zeros_of(SeamRoom, *capacity, capacity[1])
        return (
            buffer.table,
            resting.end_of_others(count),
            free,
            colliders.shapes,
            numbers.solver.dt,
            numbers.solver.substeps,
            numbers.margin,
            resting.rows,
            changes.is_vetoed,
            seams,
        )

    def _measuring(self) -> tuple[Any, ...]:
        """The arguments of ``measure_joints``, which writes where the joints are, and wakes bodies at them that do not
        rest any more."""
        return self._state.joints.rows, self._bodies, self._blocks.transform, self.dt

    def _rests(self, known: RestingContacts, count: int) -> bool:
        """Whether all bodies sleep, and the first ``count`` contacts rest."""
        return not len(self._resting.rows) and not len(self._state.joints) and known.total == count

    def _solving(
        self, buffer: ContactBuffer, count: int, known: RestingContacts, changes: ContactChanges
    ) -> contact_blocks.SolverStep:
        """The arguments of the solver."""
        table, numbers = self.table, self._numbers
        return contact_blocks.SolverStep(
            buffer.rows,
            known.end_of_others(count),
            self._rows,
            len(table.listed.kind),
            numbers.solver,
            known.rows,
            table.body_of,
            table.own.materials,
            numbers.mixing,
            changes,
            numbers.bounce_speed,
            numbers.strikes.least_speed,
            self._load_growth(),
        )

    @property
    def _jointed(self) -> Jointed:
        """The joints to solve."""
        joints = self._state.joints
        return (joints.rows, self._numbers.joints) if len(joints) else None

    def _finishing(self, buffer: ContactBuffer, count: int) -> tuple[Any, ...]:
        """The arguments of ``finish_bodies``, which writes the bodies back and lets islands sleep."""
        numbers = self._numbers
        return (
            self._bodies,
            self._resting.rows,
            self._blocks,
            buffer.table,
            count,
            numbers.margin,
            numbers.sleep,
            numbers.solver.dt,
        )

    def plan(self, plan: StepPlan, buffer: ContactBuffer, dt: float) -> bool:
        """Write the part of the bodies to the plan of steps that begin with the contacts of a buffer.

        Returns False where the next step may be another than the last: then no plan can make it.
        """
        table, resting, joints = self.table, self._resting, self._state.joints
        known = self._resting.known_contacts()
        changes = self.rules.plan(plan, buffer)
        found = self._state.hits.found
        if (
            not self._is_as_left(dt)
            or not self.rules.are_of_plans
            or (self._looks_at() != self._looked_at[0] and table.any_sleeps)
            or not resting.is_settled
        ):
            return False
        gathers = len(resting.rows) > 0
        plan.put(word.HAS_BODIES, 1)
        plan.put(word.GATHERS, gathers)
        plan.put(word.ANY_SLEEPS, table.any_sleeps)
        plan.put(word.SOLVES, not self._rests(known, found.counts.contacts))
        first, end = known.runs[-1, :2].tolist() if len(known.runs) else (-1, -1)
        plan.put(word.REST_FIRST, first)
        plan.put(word.REST_END, end)
        if gathers:
            plan.record(gather_bodies, self._gathering())
            plan.record(leave_out_misses, self._leaving_out(buffer, 0, changes))
        if table.any_sleeps:
            moved = self._state.tables.colliders.placed.moved
            plan.record(wake_bodies, self._waking(buffer, 0, moved, self._looked_at[1]))
        step = self._solving(buffer, 0, known, changes)
        if not self._contact_solver.plan(plan, step, self._jointed, self._state.settings.threads):
            return False
        if len(joints):
            plan.put(word.HAS_JOINTS, 1)
            plan.put(word.MAY_BREAK, joints.may_break)
            plan.record(measure_joints, self._measuring())
            handings = joints.handings(dt)
            plan.put(word.CLASSES, len(handings))
            for number, arguments in enumerate(handings):
                plan.record(hand_out_loads, arguments, number)
        plan.record(finish_bodies, self._finishing(buffer, 0))
        return True

    @property
    def steps_ahead(self) -> float:
        """How many steps a plan may make before one that searches for more to pass over."""
        return self._resting.steps_ahead

    def follow_moves(self) -> bool:
        """Follow all moves by the game since the last step; returns whether contacts and bodies are as a plan needs
        them: where nothing was moved that may push a body."""
        rows = self._resting.rows
        if self.changes.are_contacts_others():
            return False
        if not self.changes.are_bodies_untouched():
            self._resting.take_all()
        return self._resting.rows is rows

    def begin_planned(self, last: StepHits | None) -> None:
        """A step that a plan makes begins, with the hits of the ``last`` one."""
        self.fast_count, self._left, self.found_anew = 0, None, False
        self._solved = last

    def go_on_from(self, words: memoryview) -> None:
        """Complete the bodies' part of a step where a plan has come so far.

        Raises the errors of ``pre_solve``.
        """
        found, status = self._state.hits.found, words[word.STATUS]
        self.changes.begin_step()
        buffer, count = found.buffer, found.counts.contacts if found.buffer.has_points else 0
        if status == word.CHANGES_REFUSED:
            self.rules.refuse(buffer, count)
        if status in (word.BODIES_WOKEN, word.JOINTS_WOKEN):
            self._follow_wake()
        if status in (word.BODIES_WOKEN, word.CHANGES_DUE):
            changes = self._changes_of(buffer, count)
        else:
            changes = self.rules.take_from(words, count)
        self._solve(buffer, count, changes, {word.BODIES_MEASURED: 0, word.JOINTS_WOKEN: 1}.get(status, 2))

    def conclude_planned(self, words: memoryview, steps: int, noted: tuple[int, int] | None) -> None:
        """Note the results of a plan for the bodies in some steps.

        ``noted``: see :meth:`ChangesSinceStep.note_planned_step`.
        """
        self._contact_solver.note_blocks(words[word.BLOCKS])
        self.rules.take_from(words, 0)
        self._resting.note_steps(steps)
        self._note_finished(words[word.IS_FINITE] != 0, words[word.ASLEEP], words[word.FAST])
        if words[word.ASLEEP]:
            self.changes.note_step()
        else:
            self.changes.note_planned_step(noted)
        self._note_solved()
        if words[word.MAY_BREAK]:
            self._break_overloaded()

    def moved_bodies(self) -> StepBodies | None:
        """The bodies as the last step left them, whatever came or went since. None if it has not moved them."""
        left, tables = self._left, self._state.tables
        if left is None:
            return None
        body_of = padded(left.body_of, tables.colliders.capacity)
        of_entity = padded(left.of_entity, len(tables.entities.slots.entity))
        if body_of is left.body_of and of_entity is left.of_entity:
            return left
        return left._replace(body_of=body_of, of_entity=of_entity)

    def rising_since(self, hits: StepHits) -> int:
        """How many contacts rise in this step; −1 if it has not solved the contacts of these hits."""
        if self._solved is not hits or self._left is None:
            return -1
        return self._contact_solver.room.places.starts.item(contact_blocks.RISING_COUNT)

    @property
    def places(self) -> contact_blocks.ContactPlaces:
        """The solver's notes on the contacts of the last step."""
        return self._contact_solver.room.places

    @property
    def struck_bodies(self) -> StepBodies:
        """The bodies as the last step left them."""
        return self._left or self._bodies

    @property
    def dt(self) -> float:
        """The length of the last step."""
        return self._numbers.solver.dt

    @property
    def strike_step(self) -> StrikeStep:
        """The last step, for the search for strikes; the hits are still from the step before."""
        strikes, growth = self._numbers.strikes, self._load_growth()
        return strikes if growth == strikes.load_growth else strikes._replace(load_growth=growth)

    def _load_growth(self) -> float:
        """The length of this step divided by the length of the last step; 1 without a last step."""
        dt, last = self._numbers.solver.dt, self._state.hits.found.pressed_for
        return dt / last if last > 0.0 else 1.0

    @property
    def has_changed(self) -> bool:
        """Whether the next step finds contacts again, as the game has changed something since the last, or no contacts
        were found after it."""
        is_solved = self._solved is self._state.hits.found
        return is_solved or self._is_changed or self.table.masses.is_reshaped or self.changes.are_contacts_others()

    def go_on(self, has_changed: bool) -> None:
        """Continue from the world as it is, as if the last step had left it, or as if the game had changed it."""
        self.changes.note_other_world()
        self._note_solved()
        self._is_changed, self._solved = has_changed, None

    def _note_solved(self) -> None:
        self._is_changed = self.table.masses.is_reshaped = False
        self.changes.settled = _NO_ROWS


class RigidBodySystem(Stage):
    """Moves every dynamic ``RigidBody``, and solves the contacts of the last step.

    It runs after all other motion and before the hierarchy, so contacts are solved in the positions in which they were
    found. A world without bodies costs nothing here.
    """

    phase = "bodies"
    runs_together = True
    _plan_place = BODIES

    def is_idle(self) -> bool:
        """Whether there are no bodies."""
        state = self.physics._state
        return not state.tables.entities.instances[RIGID_BODY].count and state.solver is None

    def run(self, dt: float) -> None:
        state = self.physics._state
        if not state.tables.entities.instances[RIGID_BODY].count:
            if state.solver is not None:
                # The last body is gone: contacts are no more kept for it.
                state.hits.keep_none()
                state.solver = None
            return
        state.body_table.update()
        state.joints.update()
        if state.solver is None:
            state.solver = BodySolver(state)
        state.solver.step(dt)
        state.body_table.is_solved = True

    def _plan(self, plan: StepPlan, last: ContactBuffer, held: ContactBuffer, dt: float) -> bool:
        """Write the forces and contacts of the bodies to a plan."""
        state = self.physics._state
        if self.is_idle():
            return True
        if state.solver is None or not state.tables.entities.instances[RIGID_BODY].count:
            return False
        return state.solver.plan(plan, last, dt)
