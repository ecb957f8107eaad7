"""Planned steps: where nothing but motion happens, a step is one native call.

A plan (:mod:`ecsphys.engine.run.run_plan`) holds the calls of kernels that a step would make. It is made after some
whole steps in which nothing else changed. It holds until something changes that is no number of the plan: an entity
comes or goes, the game writes a field, a body falls asleep. Then the next step is a whole one again. The contacts of
steps are in two buffers in turn, so there are two plans.
"""

from __future__ import annotations

from math import inf
from threading import get_ident
from typing import TYPE_CHECKING, Any, Final

import esper

from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.change_log import ENTRIES, WRITTEN
from ecsphys.components.store.standing_blocks import WAITING, hold_blocks, let_blocks_move, release_blocks
from ecsphys.engine.kernels.compilation import COMPILES
from ecsphys.engine.run.plan_layout import (
    BODIES_MOVED,
    CONTACTS,
    DONE,
    GATHERS,
    HAS_KEPT,
    HAS_MOVERS,
    HAS_TRAJECTORIES,
    HAVE_MOVED_FINITE,
    KNOWN,
    LEAST_SHARED,
    MOVES,
    MOVING,
    STATUS,
    STILL,
    STILLNESS_COUNTED,
    USED,
)
from ecsphys.engine.run.run_plan import run_plans
from ecsphys.engine.run.step_plan import StepPlan
from ecsphys.engine.tables.entity_rows import BULLET
from ecsphys.systems.stepping.calm_steps import all_rest, shared_signs
from ecsphys.systems.stepping.stage_places import BODIES, BROADPHASE, NARROWPHASE, STAGE_PLACES, SWEEP
from ecsphys.systems.world.world_tables import NeverAttached

if TYPE_CHECKING:
    from ecsphys.systems.hits.step_hits import ContactBuffer, StepHits
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.stage import Stage

# After a plan that has made too few steps to pay, the next is made after twice as many whole steps, up to the last.
_FEW_STEPS: Final = 3
_FIRST_PATIENCE: Final = 1
_MOST_PATIENCE: Final = 64

# From so many rows on, several threads may share work.
_SHARED: Final = 16_384
_NEVER_SHARED: Final = 1 << 40


class PlannedSteps:
    """Makes the planned steps of one physics."""

    __slots__ = (
        "_ahead",
        "_alike",
        "_entries",
        "_entries_made",
        "_found",
        "_has_written",
        "_made",
        "_moves",
        "_others",
        "_patience",
        "_plans",
        "_ran",
        "_resting",
        "_seconds",
        "_settings",
        "_signs_then",
        "_stages",
        "_state",
        "_sweep",
    )

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        # The plans of steps that begin with either buffer of contacts, and their words.
        self._plans: dict[ContactBuffer, tuple[StepPlan, memoryview]] = {}
        # The hits of the last step, where the next may be a planned one.
        self._found: StepHits | None = None
        # How many entries games had made in the logs of writes when the last step ended.
        self._entries = -1
        # How many of them are of Transform, and whether there were any since the last step.
        self._moves = -1
        self._has_written = False
        # All stages of a step; the ones behind the first, last first; and the ones that have something to do.
        self._stages: tuple[Stage, ...] = ()
        self._others: tuple[Stage, ...] = ()
        self._ran: list[Stage] = []
        # The stages of a step that must rest, or a whole step runs them.
        self._resting: tuple[Stage, ...] = ()
        self._seconds = -1.0
        self._settings: dict[str, Any] = {}
        # The stage of sweeps, where there are bullets: all must rest.
        self._sweep: Stage | None = None
        # How many entries a step makes in the log of Transform.
        self._entries_made = 0
        # How many planned steps may come before a whole one, and how many have come since the plans were made.
        self._ahead: float = 0
        self._made = _FEW_STEPS
        # How many whole steps were alike, and how many must be.
        self._alike, self._patience = 0, _FIRST_PATIENCE
        self._signs_then: tuple[Any, ...] = ()

    @property
    def is_ready(self) -> bool:
        """Whether the last step was a planned one, or plans were made after it."""
        return self._found is not None

    def forget(self) -> None:
        """The next step is a whole one."""
        self._found = None

    def make(self, others: tuple[Stage, ...], dt: float) -> bool:
        """Make a step of a stage and its followers, if there is a plan for it; returns whether there is."""
        if not self.fits(others, dt):
            return False
        thread = get_ident()
        try:
            hold_blocks(thread)
            plan = self.begin(dt)
            run_plans(plan.row, plan.row_address, 0, 1)
            self.end(dt)
        finally:
            release_blocks(thread)
        if WAITING:
            let_blocks_move()
        return True

    def fits(self, others: tuple[Stage, ...], dt: float) -> bool:
        """Whether there is a plan for the next step, of a stage and its followers; if not it must be a whole one."""
        found, state = self._found, self._state
        if found is None:
            return False
        if (
            others is not self._others
            or dt != self._seconds
            or type(dt) is not float
            or self._ahead <= 0
            or esper.get_component(NeverAttached) is not state.tables.answer
            or ((ENTRIES.made - ENTRIES.stepped != self._entries or 1 in WRITTEN) and not self._follow_writes())
            # Where nothing moves but by the game, steps without writes are calm before long.
            or not (self._entries_made or self._has_written)
            or state.hits.found is not found
            or not found.delivery.is_done
            or self._signs() != self._signs_then
            or vars(state.settings) != self._settings
            or (self._resting and not all_rest(self._resting, True))
            or (self._sweep is not None and self._sweep._bars_plans())
        ):
            self._found = None
            return False
        return True

    def _follow_writes(self) -> bool:
        """Follow the writes of the game to fields that a plan can follow; returns whether these were all."""
        if self._sweep is not None:
            return False
        state, solver = self._state, self._state.solver
        made = state.joints.follow_plain_writes()
        if made < 0:
            return False
        log = Transform._columns.writes
        moved = log.collect() - ENTRIES.stepped - self._moves
        if 1 in WRITTEN or ENTRIES.of_games != self._entries + made + moved:
            return False
        if moved:
            if log.since(state.hits.seen_to).everything or (solver is not None and not solver.follow_moves()):
                return False
            state.place()
            if solver is not None:
                self._ahead = solver.steps_ahead
        self._entries += made + moved
        self._moves += moved
        self._has_written = True
        return True

    def note_step(self, stage: Stage, others: tuple[Stage, ...], dt: float) -> None:
        """Decide, after a whole step of a stage and its followers, whether the next may be a planned one."""
        self._found = None
        state = self._state
        if not COMPILES or state.pre_solve is not None or state.checks.is_needed or type(dt) is not float or dt <= 0.0:
            return
        if self._made >= 0:
            # The plans have ended.
            self._patience = min(2 * self._patience, _MOST_PATIENCE) if self._made < _FEW_STEPS else _FIRST_PATIENCE
            self._made, self._alike = -1, 0
        signs = self._signs()
        self._alike = self._alike + 1 if signs == self._signs_then else 0
        self._signs_then = signs
        if self._alike < self._patience:
            return
        resting = tuple(one for one in others if one._may_rest)
        stages = (stage, *(one for one in reversed(others) if not one._may_rest))
        if not (all_rest(resting, True) and self._plan(stages, dt)):
            self._alike = 0
            return
        self._stages, self._others, self._resting, self._seconds = stages, others, resting, dt
        self._ran = [one for one in state.stages_run if not one._may_rest]
        self._settings = dict(vars(state.settings))
        self._ahead = state.solver.steps_ahead if state.solver is not None else inf
        self._found, self._entries, self._made = state.hits.found, ENTRIES.of_games, 0
        self._moves = Transform._columns.writes.revision - ENTRIES.stepped

    def _plan(self, stages: tuple[Stage, ...], dt: float) -> bool:
        """Make the plans of the next steps; returns False where these may not be made by plans."""
        state, found = self._state, self._state.hits.found
        if tuple(one._plan_place for one in stages) != STAGE_PLACES or found.buffer is found.last:
            return False
        if any(one._bars_plans() for one in stages):
            return False
        self._sweep = stages[SWEEP] if state.tables.entities.instances[BULLET].count else None
        plans = {}
        for buffer, other in ((found.buffer, found.last), (found.last, found.buffer)):
            plan, words = self._plans.get(buffer) or _new_plan()
            plan.begin()
            for stage in stages:
                if not stage._plan(plan, buffer, other, dt):
                    return False
            shared = _NEVER_SHARED if state.settings.threads == 1 else _SHARED
            # If any colliders sleep, only awake ones are filed.
            if max(0 if words[HAS_KEPT] else words[USED], words[MOVING]) >= shared:
                return False
            plan.put(LEAST_SHARED, shared)
            plan.put(MOVES, words[HAS_TRAJECTORIES] or words[HAS_MOVERS] or words[GATHERS])
            for owner in (state.placing, state.sleeping, state.hits):
                owner.put_into(plan)
            plans[buffer] = plan, words
        self._plans = plans
        self._entries_made = words[HAS_TRAJECTORIES] + words[HAS_MOVERS] + words[GATHERS]
        return True

    def begin(self, dt: float) -> StepPlan:
        """Begin a step that has a plan, with the blocks held; returns the plan, to be run before :meth:`end`."""
        state, solver = self._state, self._state.solver
        self._found = None
        # Where this is cut short, the next step looks at everything.
        state.is_in_stage = True
        state.is_over = state.body_table.is_solved = False
        state.clock += dt
        state.starts.forget()
        if solver is not None:
            if self._has_written:
                solver.note_writes()
            solver.begin_planned()
        self._has_written = False
        for _ in range(self._entries_made):
            state.begin_moving()
        state.sleeping.begin_planned()
        state.hits.begin_planned()
        return self._plans[state.hits.found.buffer][0]

    def end(self, dt: float) -> None:
        """Take over the results of a plan, and finish the step."""
        state, hits, sleeping, solver = self._state, self._state.hits, self._state.sleeping, self._state.solver
        _, words = self._plans[hits.found.buffer]
        status = words[STATUS]
        if not words[HAVE_MOVED_FINITE]:
            state.end_moving(False)
        if solver is not None:
            if DONE < status < BODIES_MOVED:
                solver.go_on_from(status, dt)
            else:
                solver.conclude_planned(words, self._ahead < inf, dt)
            state.body_table.is_solved = True
        if DONE < status <= BODIES_MOVED:
            sleeping.end_planned()
            self._go_on(BODIES + 1, dt)
            return
        broadphase: Any = self._stages[BROADPHASE]
        is_current = ENTRIES.of_games == self._entries and 1 not in WRITTEN
        state.placing.take_from(words, is_current, status != STILLNESS_COUNTED)
        sleeping.take_from(words)
        if status == STILLNESS_COUNTED:
            broadphase._go_on(words[STILL])
        else:
            broadphase._take_from(words)
        if status != DONE:
            self._go_on(NARROWPHASE, dt)
            return
        hits.take_from(words)
        state.body_table.is_solved = False
        del state.stages_run[len(self._ran) :]
        state.is_in_stage = False
        other = self._plans[hits.found.buffer][1]
        other[CONTACTS:STATUS] = words[CONTACTS:STATUS]
        words[KNOWN] = words[CONTACTS]
        self._found = hits.found
        self._ahead -= 1
        self._made += 1

    def _go_on(self, first: int, dt: float) -> None:
        """Run the stages from the ``first`` place on, as in a whole step."""
        state = self._state
        state.stages_run[:] = [stage for stage in self._ran if stage._plan_place < first]
        state.runs.go_on(self._stages[first:], dt)
        state.is_in_stage = False

    def _signs(self) -> tuple[Any, ...]:
        """Numbers that differ after any change for which :meth:`make` does not look itself."""
        state, search = self._state, self._state.hits.search
        return (
            *shared_signs(state),
            state.solver,
            id(state.hits.resting.found),
            search.prediction,
            search.keeps_points,
            len(state.swept),
            len(state.tables.refiltered),
            state.checks.is_needed,
        )


def _new_plan() -> tuple[StepPlan, memoryview]:
    plan = StepPlan()
    return plan, plan.words.data
