"""Runs the solver of one world's bodies, and owns the room that it works in."""

from __future__ import annotations

from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform
from ecsphys.engine.ccd.near_misses import FreeBodies, SeamRoom, leave_out_misses, new_seam_room
from ecsphys.engine.ccd.sweep_choice import SolvedBodies
from ecsphys.engine.dynamics.bodies import new_rows
from ecsphys.engine.dynamics.body_mass import KINEMATIC
from ecsphys.engine.dynamics.body_state import BodyBlocks, BodyList, WorldGravity, gather_bodies
from ecsphys.engine.dynamics.contact_solver import ContactSolver, Jointed
from ecsphys.engine.dynamics.contacts.contact_blocks import (
    RISING_COUNT,
    UNMOVED_PLACE,
    ContactPlaces,
    SolverStep,
    Surroundings,
)
from ecsphys.engine.dynamics.contacts.materials import ContactChanges
from ecsphys.engine.dynamics.joints.joint_placing import measure_joints
from ecsphys.engine.dynamics.joints.jointed_step import hand_out_loads
from ecsphys.engine.dynamics.sleeping_bodies import KnownContacts, WorldNews, wake_bodies
from ecsphys.engine.dynamics.step_end import MovedBodies, finish_bodies
from ecsphys.engine.dynamics.strikes import StrikeStep, StruckBodies
from ecsphys.engine.kernels.capacity import Capacity
from ecsphys.engine.run import plan_layout as word
from ecsphys.engine.run.step_plan import StepPlan
from ecsphys.engine.tables import entity_rows
from ecsphys.engine.tables.entity_rows import RIGID_BODY
from ecsphys.systems.dynamics.body_table import NO_CARRIED
from ecsphys.systems.dynamics.changes_since_step import AwakeBodies, ChangesSinceStep, carried_ends, found_before_motion
from ecsphys.systems.dynamics.contact_changes import ContactRules
from ecsphys.systems.motion.hierarchy import carry_children
from ecsphys.systems.motion.motion import force_blocks, trajectory_blocks
from ecsphys.systems.settings import SolverNumbers, numbers_of
from ecsphys.systems.stage import BODIES, Stage

if TYPE_CHECKING:
    from ecsphys.engine.run.step_plan import StepPlan
    from ecsphys.systems.collision.resting_contacts import RestingContacts
    from ecsphys.systems.hits.step_hits import ContactBuffer, StepHits
    from ecsphys.systems.physics_state import PhysicsState


# Lines of components that accelerate a body; writes to them are not logged.
_FIELDS = (entity_rows.ACCELERATION, entity_rows.GRAVITY, entity_rows.ORBIT, entity_rows.SPRING)

_NO_ROWS: NDArray[int64] = np.zeros(0, int64)
_NO_BODIES: NDArray[int32] = np.zeros(0, int32)


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
        self._rules = ContactRules(state)
        self._blocks = BodyBlocks(
            Transform._columns.float64,
            force_blocks(),
            trajectory_blocks(),
            state.tables.entities.slots.lines,
            NO_CARRIED,
        )
        self._world_gravity = WorldGravity(0.0, 0.0)
        self._numbers = numbers_of(state.settings, 0.0)
        self._seam_room = new_seam_room(0, 0)
        self._around: Surroundings | None = None
        self._moved: MovedBodies | None = None
        self.is_fast: NDArray[uint8] = np.zeros(0, uint8)
        """For each body whether it was fast in the last step, see ``mark_fast_bodies``."""
        self.fast_count = 0
        """How many bodies were fast in the last step; 0 before the bodies of a step have moved."""
        # The list of bodies, and the bodies of colliders and of entities, as the last step left them.
        self._left: tuple[BodyList, NDArray[int32], NDArray[int32], NDArray[int32]] | None = None
        self._awake = AwakeBodies(state)
        self.changes = ChangesSinceStep(state)
        # The numbers at the last look at forces on sleeping bodies.
        self._looked_at: tuple[object, ...] = ()
        self._has_fields = False
        self._is_changed = False
        self._struck = StruckBodies(_NO_BODIES, self._rows)
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
        self._awake.choose(is_as_left or (not self._is_changed and self.changes.are_bodies_untouched()))
        blocks = self._blocks
        self.found_anew = finds_anew = self._is_changed and state.pairs.finder is not None
        self._gather(blocks, dt)
        found = self._solved = hits.found
        buffer, count = found.buffer, found.counts.contacts if found.buffer.has_points else 0
        moved = self.changes.moved_by_game()
        if finds_anew:
            hits.resting.forget()
            # With the old contacts: a collider that was moved may no longer touch the body that it held.
            carry_children(state)
            state.place()
            moved = state.tables.colliders.placed.moved.copy()
            self._wake(buffer, count, blocks, moved, dt)
            buffer, count = found_before_motion(state, self._rows, dt, hits.find_aside)
        self._wake(buffer, count, blocks, moved, dt)
        changes = self._rules.changes(buffer, count, self._rows, dt, self._numbers.one_way_slop)
        self._leave_out_misses(buffer, count, blocks, changes, dt)
        self._measure_joints(blocks, dt)
        self._move(buffer, count, blocks, changes, dt)

    def _move(self, buffer: ContactBuffer, count: int, blocks: BodyBlocks, changes: ContactChanges, dt: float) -> None:
        """Solve the first ``count`` contacts of a buffer, and write the bodies back: the end of a step."""
        state, hits = self._state, self._state.hits
        self._solve(buffer, count, changes)
        if self.found_anew:
            hits.aside.return_impulses(hits.found, count)
        elif hits.resting.tell(self._rest_stamp()):
            self._find_resting(buffer, count)
        if len(self._awake.rows):
            state.begin_moving()
        self._note_finished(*finish_bodies(*self._finishing(buffer, count, blocks, dt)))
        state.joints.hand_out_loads(dt)
        self._conclude(dt)

    def _note_finished(self, is_finite: bool, asleep: int, fast_count: int) -> None:
        """Note what ``finish_bodies`` has returned."""
        table = self.table
        self.fast_count = fast_count
        table.sleep_changes += asleep
        self._left = table.listed, table.body_of, table.of_entity, table.states.island
        self._state.end_moving(is_finite)

    def _conclude(self, dt: float) -> None:
        """Note that the bodies have moved, and break joints that were overloaded."""
        self.changes.note_step()
        self._note_solved()
        if len(self._state.joints):
            self._break_overloaded(dt)

    def _break_overloaded(self, dt: float) -> None:
        state = self._state
        if state.joints.break_overloaded(dt):
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
            and self._world_gravity == state.settings.gravity
            and blocks.lines is state.tables.entities.slots.lines
            and not len(blocks.carried)
            and search.prediction == numbers.margin
            and search.keeps_points
        )

    def _follow_changes(self, dt: float) -> None:
        """Bring the data of a step up to date with the world, and find out whether the contacts are others."""
        state, table, hits = self._state, self.table, self._state.hits
        table.measure(state)
        self._is_changed = self.has_changed
        numbers = self._numbers_now(dt)
        margin = numbers.margin
        if hits.search.prediction != margin or not hits.search.keeps_points:
            # The present contacts have no points to solve, or too few.
            hits.keep_contacts(margin)
            self._is_changed = True
        if dt == 0.0:
            return
        self._blocks = self._blocks_now()
        self._reserve_bodies(len(table))
        self._rows.locks[: len(table)] = table.locks
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
            self._around = None
        return kept

    def follow_settings(self) -> None:
        """Wake bodies if settings have changed that wake them. Bodies that are put to sleep afterwards stay asleep."""
        self._numbers_now(self._numbers.solver.dt)

    def _blocks_now(self) -> BodyBlocks:
        state, kept = self._state, self._blocks
        forces, gravity = force_blocks(), state.settings.gravity
        if self._world_gravity != gravity:
            self._world_gravity = WorldGravity(*gravity)
        lines, carried = state.tables.entities.slots.lines, self.table.velocities_of_carried(state)
        trajectories = trajectory_blocks()
        are_same = kept.forces is forces and kept.trajectories is trajectories
        if not are_same or kept.lines is not lines or kept.carried is not carried:
            # The block of Transform is another one only if the blocks of forces were gathered again.
            kept = BodyBlocks(Transform._columns.float64, forces, trajectories, lines, carried)
        return kept

    def _gather(self, blocks: BodyBlocks, dt: float) -> None:
        """Write the rows of bodies."""
        if len(self._awake.rows):
            gather_bodies(*self._gathering(blocks, dt))

    def _gathering(self, blocks: BodyBlocks, dt: float) -> tuple[Any, ...]:
        """The arguments of ``gather_bodies``."""
        table = self.table
        return table.listed, self._awake.rows, blocks, self._world_gravity, dt, table.states.island, self._rows

    def _wake(self, buffer: ContactBuffer, count: int, blocks: BodyBlocks, moved: NDArray[uint8], dt: float) -> None:
        """Wake sleeping bodies on which something acts, by the contacts."""
        if not self.table.any_sleeps:
            return
        looks_at = self._looks_at()
        is_known = looks_at == self._looked_at
        if not is_known:
            instances = self._state.tables.entities.instances
            lines = [line for line in _FIELDS if instances[line].count]
            self._has_fields = bool(lines) and bool((self.table.listed.rows[lines, :] >= 0).any())
        woken = wake_bodies(*self._waking(buffer, count, blocks, moved, dt, not is_known or self._has_fields))
        self._looked_at = looks_at
        if woken:
            self._follow_wake(blocks, dt)

    def _looks_at(self) -> tuple[object, ...]:
        """Values that differ where forces on sleeping bodies must be looked at again."""
        table = self.table
        return table.revision, table.measurement, table.sleep_changes, self._world_gravity

    def _waking(
        self,
        buffer: ContactBuffer,
        count: int,
        blocks: BodyBlocks,
        moved: NDArray[uint8],
        dt: float,
        looks_at_fields: bool,
    ) -> tuple[Any, ...]:
        """The arguments of ``wake_bodies``."""
        table, absence = self.table, self._state.tables.colliders.slots.absence
        resting = self._state.hits.resting.known(self._rest_stamp())
        return (
            table.listed,
            blocks.forces,
            blocks.transform,
            self._world_gravity,
            self._rows,
            buffer.table,
            KnownContacts(count, resting.runs, resting.pressing),
            WorldNews(table.body_of, absence, moved, looks_at_fields),
            table.states,
            dt,
        )

    def _follow_wake(self, blocks: BodyBlocks, dt: float) -> None:
        """Take along the bodies that have just woken."""
        self.table.sleep_changes += 1
        self._awake.take_all()
        self._gather(blocks, dt)

    def _leave_out_misses(
        self, buffer: ContactBuffer, count: int, blocks: BodyBlocks, changes: ContactChanges, dt: float
    ) -> None:
        """Leave out contacts at seams, and contacts of bodies that only fly past each other in this step."""
        if count and len(self._awake.rows):
            leave_out_misses(*self._leaving_out(buffer, count, blocks, changes, dt))

    def _leaving_out(
        self, buffer: ContactBuffer, count: int, blocks: BodyBlocks, changes: ContactChanges, dt: float
    ) -> tuple[Any, ...]:
        """The arguments of ``leave_out_misses``."""
        table, colliders, numbers = self.table, self._state.tables.colliders, self._numbers
        resting = self._state.hits.resting.known(self._rest_stamp())
        free = FreeBodies(table.listed, self._rows, table.body_of, colliders.slots.transform_row, blocks.transform)
        return (
            buffer.table,
            resting.end_of_others(count),
            free,
            colliders.shapes,
            dt,
            numbers.solver.substeps,
            numbers.margin,
            resting.rows,
            changes.is_vetoed,
            self._seam_room_for(len(colliders.shapes.forms), buffer.capacity),
        )

    def _seam_room_for(self, colliders: int, contacts: int) -> SeamRoom:
        room = self._seam_room
        if len(room.heads) < colliders or len(room.links) < contacts:
            self._seam_room = room = new_seam_room(colliders, contacts)
        return room

    def _measure_joints(self, blocks: BodyBlocks, dt: float, rounds: int = 2) -> None:
        """Write where the joints are, and wake bodies at them that do not rest any more."""
        state = self._state
        if not len(state.joints):
            return
        carried = carried_ends(state, self._rows)
        if carried[0].size:
            # Whether their bodies have taken them along already depends on what else had to be placed.
            carry_children(state)
        for _ in range(rounds):
            arguments = self._measuring(blocks, dt)
            if not found_before_motion(state, self._rows, dt, partial(measure_joints, *arguments), carried):
                return
            self._follow_wake(blocks, dt)

    def _measuring(self, blocks: BodyBlocks, dt: float) -> tuple[Any, ...]:
        """The arguments of ``measure_joints``."""
        table = self.table
        return self._state.joints.rows, self._rows, table.listed.kind, blocks.transform, dt, table.states

    def _solve(self, buffer: ContactBuffer, count: int, changes: ContactChanges) -> None:
        resting = self._state.hits.resting
        if len(changes.friction):
            # Any contact may be another.
            resting.forget()
        around = self._surroundings(changes)
        known = resting.known(self._rest_stamp())
        if self._rests(known, count):
            self._contact_solver.solve_none()
            return
        step = self._solving(buffer, count, known, around)
        self._contact_solver.solve(step, self._jointed(), self._state.settings.threads)

    def _rests(self, known: RestingContacts, count: int) -> bool:
        """Whether all bodies sleep, and the first ``count`` contacts rest."""
        return not len(self._awake.rows) and not len(self._state.joints) and known.total == count

    def _surroundings(self, changes: ContactChanges) -> Surroundings:
        """What contacts are solved by: the same object as long as nothing of it is another."""
        table, numbers, growth, around = self.table, self._numbers, self._load_growth(), self._around
        if (
            around is None
            or around.body_of is not table.body_of
            or around.materials is not table.materials
            or around.changes is not changes
            or around.load_growth != growth
        ):
            around = self._around = Surroundings(
                table.body_of,
                table.materials,
                numbers.mixing,
                changes,
                numbers.bounce_speed,
                numbers.strikes.least_speed,
                growth,
            )
        return around

    def _solving(self, buffer: ContactBuffer, count: int, known: RestingContacts, around: Surroundings) -> SolverStep:
        """What the solver moves."""
        return SolverStep(
            buffer.rows,
            known.end_of_others(count),
            self._rows,
            len(self.table.listed.kind),
            around,
            self._numbers.solver,
            known.rows,
        )

    def _jointed(self) -> Jointed:
        """The joints to solve."""
        joints = self._state.joints
        return (joints.rows, self._numbers.joints) if len(joints) else None

    def _rest_stamp(self) -> tuple[int, ...]:
        """Numbers that differ after any change of bodies, of their sleep, and of pairs that may touch."""
        table = self.table
        return table.revision, table.sleep_changes, self._state.joints.pairs.revision

    def _find_resting(self, buffer: ContactBuffer, count: int) -> None:
        """Look for contacts that rest: between bodies that are static or sleep."""
        table, found = self.table, self._state.hits.found
        is_unmoved = self._contact_solver.room.places.places[:count] == UNMOVED_PLACE
        is_unmoved &= (table.listed.kind[table.body_of[buffer.pairs[:count]]] != KINEMATIC).all(axis=1)
        self._state.hits.resting.find(found, is_unmoved, table.body_of, len(table))

    def _finishing(self, buffer: ContactBuffer, count: int, blocks: BodyBlocks, dt: float) -> tuple[Any, ...]:
        """The arguments of ``finish_bodies``, which writes the bodies back and lets islands sleep."""
        table, rows, moved = self.table, self._awake.rows, self._moved
        if (
            moved is None
            or moved.rows is not rows
            or moved.body_of is not table.body_of
            or moved.is_fast is not self.is_fast
            or moved.margin != self._numbers.margin
        ):
            moved = self._moved = MovedBodies(rows, table.body_of, self.is_fast, self._numbers.margin)
        return (
            table.listed,
            table.may_sleep,
            self._rows,
            blocks,
            buffer.table,
            count,
            moved,
            table.states,
            self._numbers.sleep,
            dt,
        )

    def plan(self, plan: StepPlan, buffer: ContactBuffer, dt: float) -> bool:
        """Write the part of the bodies to the plan of steps that begin with the contacts of a buffer.

        Returns False where the next step may be another than the last: then no plan can make it.
        """
        table, awake, blocks, joints = self.table, self._awake, self._blocks, self._state.joints
        known = self._state.hits.resting.known(self._rest_stamp())
        changes = self._rules.plan(plan, buffer)
        around, found = self._surroundings(changes), self._state.hits.found
        if (
            not self._is_as_left(dt)
            or not self._rules.are_of_plans
            or (self._looks_at() != self._looked_at and table.any_sleeps)
            or not awake.is_settled
        ):
            return False
        gathers = len(awake.rows) > 0
        plan.put(word.HAS_BODIES, 1)
        plan.put(word.GATHERS, gathers)
        plan.put(word.ANY_SLEEPS, table.any_sleeps)
        plan.put(word.SOLVES, not self._rests(known, found.counts.contacts))
        first, end = known.runs[-1, :2].tolist() if len(known.runs) else (-1, -1)
        plan.put(word.REST_FIRST, first)
        plan.put(word.REST_END, end)
        if gathers:
            plan.record(gather_bodies, self._gathering(blocks, dt))
            plan.record(leave_out_misses, self._leaving_out(buffer, 0, blocks, changes, dt))
        if table.any_sleeps:
            moved = self._state.tables.colliders.placed.moved
            plan.record(wake_bodies, self._waking(buffer, 0, blocks, moved, dt, self._has_fields))
        step = self._solving(buffer, 0, known, around)
        if not self._contact_solver.plan(plan, step, self._jointed(), self._state.settings.threads):
            return False
        if len(joints):
            plan.put(word.HAS_JOINTS, 1)
            plan.put(word.MAY_BREAK, joints.may_break)
            plan.record(measure_joints, self._measuring(blocks, dt))
            handings = joints.handings(dt)
            plan.put(word.CLASSES, len(handings))
            for number, arguments in enumerate(handings):
                plan.record(hand_out_loads, arguments, number)
        plan.record(finish_bodies, self._finishing(buffer, 0, blocks, dt))
        return True

    @property
    def steps_ahead(self) -> float:
        """How many steps a plan may make before one that chooses bodies, or searches for resting contacts.

        Where contacts are changed in each step, none rest.
        """
        of_contacts = inf if self._rules.calls_c else self._state.hits.resting.steps_ahead
        return min(self._awake.steps_ahead, of_contacts)

    def follow_moves(self) -> bool:
        """Follow what the game has moved since the last step; returns whether contacts and bodies are as a plan needs
        them: where nothing was moved that may push a body."""
        rows = self._awake.rows
        if self.changes.are_contacts_others():
            return False
        if not self.changes.are_bodies_untouched():
            self._awake.take_all()
        return self._awake.rows is rows

    def begin_planned(self, last: StepHits | None) -> None:
        """A step that a plan makes begins, with the hits of the ``last`` one."""
        self.fast_count, self._left, self.found_anew = 0, None, False
        self._solved = last

    def go_on_from(self, words: memoryview, dt: float) -> None:
        """Complete the bodies' part of a step where a plan has come so far.

        Raises the errors of ``pre_solve``.
        """
        found, blocks, status = self._state.hits.found, self._blocks, words[word.STATUS]
        self.changes.begin_step()
        buffer, count = found.buffer, found.counts.contacts if found.buffer.has_points else 0
        if status == word.CHANGES_REFUSED:
            self._rules.refuse(buffer, count)
        if status in (word.BODIES_WOKEN, word.JOINTS_WOKEN):
            self._follow_wake(blocks, dt)
        if status in (word.BODIES_WOKEN, word.CHANGES_DUE):
            changes = self._rules.changes(buffer, count, self._rows, dt, self._numbers.one_way_slop)
            self._leave_out_misses(buffer, count, blocks, changes, dt)
        else:
            changes = self._rules.take_from(words, count)
        if status != word.BODIES_MEASURED:
            self._measure_joints(blocks, dt, 1 if status == word.JOINTS_WOKEN else 2)
        self._move(buffer, count, blocks, changes, dt)

    def conclude_planned(
        self, words: memoryview, steps: int, counts_steps: bool, noted: tuple[int, int] | None, dt: float
    ) -> None:
        """Note what a plan has done with the bodies in some steps.

        ``counts_steps``: until something is decided anew. ``noted``: see :meth:`ChangesSinceStep.note_planned_step`.
        """
        self._contact_solver.note_blocks(words[word.BLOCKS])
        self._rules.take_from(words, 0)
        if not words[word.HAS_CHANGES]:
            self._state.hits.resting.tell_again(steps)
        if counts_steps:
            self._awake.note_steps(steps)
        self._note_finished(words[word.IS_FINITE] != 0, words[word.ASLEEP], words[word.FAST])
        if words[word.ASLEEP]:
            self.changes.note_step()
        else:
            self.changes.note_planned_step(noted)
        self._note_solved()
        if words[word.MAY_BREAK]:
            self._break_overloaded(dt)

    def moved_bodies(self) -> SolvedBodies | None:
        """The bodies as the last step left them, whatever came or went since. None if it has not moved them."""
        if self._left is None:
            return None
        listed, body_of, of_entity, island = self._left
        tables = self._state.tables
        return SolvedBodies(
            _padded(body_of, tables.colliders.capacity),
            _padded(of_entity, len(tables.entities.slots.entity)),
            listed,
            island,
            self.is_fast,
            self._rows,
        )

    def rising_since(self, hits: StepHits) -> int:
        """How many contacts rise in this step; −1 if it has not solved the contacts of these hits."""
        if self._solved is not hits or self._left is None:
            return -1
        return self._contact_solver.room.places.starts.item(RISING_COUNT)

    @property
    def places(self) -> ContactPlaces:
        """The solver's notes on the contacts of the last step."""
        return self._contact_solver.room.places

    @property
    def struck_bodies(self) -> StruckBodies:
        """The bodies of colliders, and their rows, as the last step left them."""
        body_of, kept = self.table.body_of if self._left is None else self._left[1], self._struck
        if kept.body_of is not body_of or kept.rows is not self._rows:
            kept = self._struck = StruckBodies(body_of, self._rows)
        return kept

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
        return is_solved or self._is_changed or self.table.is_reshaped or self.changes.are_contacts_others()

    def go_on(self, has_changed: bool) -> None:
        """Continue from the world as it is, as if the last step had left it, or as if the game had changed it."""
        self.changes.note_other_world()
        self._note_solved()
        self._awake.take_all()
        self._is_changed, self._solved = has_changed, None

    def _note_solved(self) -> None:
        self._is_changed = self.table.is_reshaped = False
        self.table.settled = _NO_ROWS

    def _reserve_bodies(self, count: int) -> None:
        held = len(self._rows.bodies)
        capacity = self._capacity.choose(count, held)
        if capacity != held:
            self._rows = new_rows(capacity)
            self.is_fast = np.zeros(capacity, uint8)
            # What sleeps has no row there yet.
            self._awake.take_all()


def _padded(bodies: NDArray[int32], count: int) -> NDArray[int32]:
    """The same for more slots, which belong to no body."""
    missing = count - len(bodies)
    return bodies if missing <= 0 else np.concatenate((bodies, np.full(missing, -1, int32)))


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
