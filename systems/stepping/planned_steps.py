"""Planned steps: where nothing but motion happens, a step is one native call.

A plan (:mod:`ecsphys.engine.run.run_plan`) holds the calls of kernels that a step would make. It is made after some
whole steps in which nothing else changed. It holds until something else changes than the numbers of the plan: an entity
comes or goes, the game writes a field, a body falls asleep. Then the next step is a whole one again. The contacts of
steps are in two buffers in turn, so there are two plans.

Where planned steps bring no news, such as a new hit, they run *ahead* of the Python layer: this stays as it was, until
a game asks ``PhysicsState`` for a part of the world (:meth:`PlannedSteps.catch_up`).
"""

from __future__ import annotations

from math import inf
from threading import get_ident
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import ref

import esper
import numpy as np
from numpy import int64, uint8
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.change_log import ENTRIES, UNNOTED, WRITTEN, note_steps
from ecsphys.components.store.standing_blocks import WAITING, hold_blocks, let_blocks_move, release_blocks
from ecsphys.engine.run import plan as word
from ecsphys.engine.run.plan import StepPlan
from ecsphys.engine.run.run_plan import run_plans
from ecsphys.engine.tables.component_rows import FOLLOWED as IS_FOLLOWED
from ecsphys.engine.tables.entity_rows import BULLET
from ecsphys.systems.dynamics.changes_since_step import GameMoves
from ecsphys.systems.dynamics.contact_changes import WHAT_IN_C
from ecsphys.systems.stage import BODIES, BROADPHASE, NARROWPHASE, STAGE_PLACES, SWEEP
from ecsphys.systems.stepping import step_gate
from ecsphys.systems.stepping.step_gate import GOING_ON, ONGOING, all_rest, watched_around
from ecsphys.systems.world.esper_world import NeverAttached

if TYPE_CHECKING:
    from ecsphys.systems.hits.step_hits import ContactBuffer, StepHits
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.stage import Stage

# Less does not pay.
_FEW_STEPS: Final = 3

# From so many rows on, several threads may share work.
_SHARED: Final = 16_384
_NEVER_SHARED: Final = 1 << 40

_TRANSFORMS: Final = Transform._columns

WORLD_PARTS: Final = (
    "tables",
    "body_table",
    "joints",
    "moving",
    "levels",
    "placing",
    "sleeping",
    "starts",
    "touches",
    "pairs",
    "checks",
    "hits",
    "solver",
)
"""The attributes of ``PhysicsState`` that are away while steps run ahead."""


class _Patience:
    """How many steps must come before something is tried: twice as many, up to a limit, after each time that it has
    lasted for few steps only."""

    __slots__ = ("_counted", "_needed")

    _MOST: Final = 64

    def __init__(self) -> None:
        self._needed, self._counted = 1, 0

    def count(self) -> bool:
        """Count a step; returns whether it is time."""
        self._counted += 1
        return self._counted >= self._needed

    def begin_anew(self) -> None:
        """Count from 0."""
        self._counted = 0

    def learn(self, lasted: int) -> None:
        """Count from 0, after it has lasted for so many steps."""
        self._needed, self._counted = min(2 * self._needed, self._MOST) if lasted < _FEW_STEPS else 1, 0


class _Step(NamedTuple):
    """The steps that plans make.

    Attributes
    ----------
    stages, others
        All stages of a step that do not rest; and the ones behind the first, last first.
    ran
        The stages that have something to do.
    resting
        The stages that must rest, or a whole step runs them.
    sweep
        The stage of sweeps, where there are bullets: all must rest.
    seconds, settings
        The seconds of a step, and the settings of the physics.
    calls_game
        Whether plans call a function of the game, which must not step.
    """

    stages: tuple[Stage, ...]
    others: tuple[Stage, ...]
    ran: list[Stage]
    resting: tuple[Stage, ...]
    sweep: Stage | None
    seconds: float
    settings: dict[str, Any]
    calls_game: bool


_NO_STEP: Final = _Step((), (), [], (), None, -1.0, {}, False)


class _Writes:
    """What games had written when the last step ended.

    Attributes
    ----------
    entries, moves
        How many entries they had made in all logs of writes, and in the log of Transform.
    has_followed
        Whether any of them was followed since the last step.
    noted
        How many entries all logs had; and the log of Transform, entries of steps included.
    """

    __slots__ = ("entries", "has_followed", "moves", "noted")

    def __init__(self) -> None:
        self.entries = self.moves = -1
        self.has_followed = False
        self.noted = -1, -1

    def begin(self) -> None:
        """All that was written so far is known."""
        self.entries, self.moves = ENTRIES.of_games, _TRANSFORMS.writes.revision - ENTRIES.stepped

    def are_all_known(self) -> bool:
        """Whether games have written nothing since."""
        return ENTRIES.made - ENTRIES.stepped == self.entries and 1 not in WRITTEN

    def note(self) -> None:
        """A step has ended."""
        self.noted = ENTRIES.made, _TRANSFORMS.writes.revision


class PlannedSteps:
    """Makes the planned steps of one physics."""

    __slots__ = (
        "__weakref__",
        "_as_unnoted",
        "_entries_made",
        "_found",
        "_game_moves",
        "_is_cut",
        "_last",
        "_left",
        "_made",
        "_next",
        "_owners",
        "_patience",
        "_plans",
        "_state",
        "_step",
        "_untold",
        "_wait",
        "_watched",
        "_writes",
    )

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self._as_unnoted = ref(self)
        self._game_moves = GameMoves(state)
        # The plans of steps that begin with either buffer of contacts, and their words; and what these steps are like.
        self._plans: dict[ContactBuffer, tuple[StepPlan, memoryview]] = {}
        self._step = _NO_STEP
        self._writes = _Writes()
        # The hits of the last step, where the next may be a planned one.
        self._found: StepHits | None = None
        # How many entries a step makes in the log of Transform.
        self._entries_made = 0
        # How many planned steps may come before a whole one, and how many have come since the plans were made.
        self._left: float = 0
        self._made = _FEW_STEPS
        # How many whole steps must be alike before a plan, and the values that must stay.
        self._patience = _Patience()
        self._watched: step_gate.Watched = ()
        # While steps run ahead, PhysicsState lacks the parts of the world: they are here.
        self._owners: Any = None
        # The plans of the next step and of the last one, and their words.
        self._next: tuple[StepPlan, memoryview] = _NO_PLAN
        self._last: tuple[StepPlan, memoryview] = _NO_PLAN
        # How many steps ahead have come to their end, and whether one more has begun.
        self._untold, self._is_cut = 0, False
        # How many planned steps must come before one goes ahead.
        self._wait = _Patience()

    @property
    def calls_game(self) -> bool:
        """Whether plans call a function of the game, which must not step."""
        return self._step.calls_game

    @property
    def is_ahead(self) -> bool:
        """Whether steps run ahead, without the parts of the world."""
        return self._owners is not None

    @property
    def is_ready(self) -> bool:
        """Whether the last step was a planned one, or plans were made after it."""
        return self._owners is not None or self._found is not None

    def forget(self) -> None:
        """The next step is a whole one."""
        if self._owners is not None:
            self.catch_up()
        self._found = None

    def make(self, others: tuple[Stage, ...], dt: float) -> bool:
        """Make a step of a stage and its followers, if there is a plan for it; returns whether there is."""
        thread = get_ident()
        try:
            hold_blocks(thread)  # before fits: what that has seen must stay
            if not self.fits(others, dt):
                return False
            has_written = self._writes.has_followed
            plan = self.begin(dt)
            if self.calls_game:
                self._state.call(WHAT_IN_C, lambda: run_plans(plan.row, plan.row_address, 0, 1))
            else:
                run_plans(plan.row, plan.row_address, 0, 1)
            self.end(dt)
            if self._owners is not None and not (has_written and self._step.sweep is not None):
                self._open_gate()  # with the blocks held: a gate that opens later would not see that one was replaced
        finally:
            release_blocks(thread)
        if WAITING:
            let_blocks_move()
        return True

    def fits(self, others: tuple[Stage, ...], dt: float) -> bool:
        """Whether there is a plan for the next step, of a stage and its followers; if not it must be a whole one."""
        if self._owners is not None:
            note_steps()
            has_told = self._state.stepping.gate.words[step_gate.HAS_TOLD]
            if has_told and not self._is_cut and self._is_as_planned(self._owners, others, dt):
                return True
            self.catch_up()
        found, state = self._found, self._state
        if found is None:
            return False
        if (
            state.hits.found is found
            and found.delivery.is_done
            and self._is_as_planned(state, others, dt)
            and not (self._step.resting and not all_rest(self._step.resting, True))
            and not (self._step.sweep is not None and self._step.sweep._bars_plans())
        ):
            return True
        self._found = None
        return False

    def _is_as_planned(self, owners: PhysicsState, others: tuple[Stage, ...], dt: float) -> bool:
        """Whether a step may be made by the plans, as far as this does not depend on the last step; ``owners`` has the
        parts of the world."""
        step, writes = self._step, self._writes
        return (
            others is step.others
            and dt == step.seconds
            and type(dt) is float
            and self._left > 0
            and esper.get_component(NeverAttached) is owners.tables.answer
            and (writes.are_all_known() or self._follow_writes(owners))
            # Where nothing moves but by the game, steps without writes are calm before long.
            and (self._entries_made > 0 or writes.has_followed)
            and step_gate.unchanged(self._watched)
            and vars(self._state.settings) == step.settings
        )

    def _follow_writes(self, owners: PhysicsState) -> bool:
        """Follow the writes of the game to fields that a plan can follow; returns whether these were all.

        A move is not followed by steps ahead: the Python layer places it.
        """
        if self._step.sweep is not None:
            return False
        made = owners.joints.follow_plain_writes()
        if made < 0:
            return False
        log, writes = _TRANSFORMS.writes, self._writes
        moved = log.collect() - ENTRIES.stepped - writes.moves
        if 1 in WRITTEN or ENTRIES.of_games != writes.entries + made + moved:
            return False
        if moved:
            if self._owners is not None:
                return False
            state, solver = self._state, self._state.solver
            if log.since(state.hits.seen_to).everything or (solver is not None and not solver.follow_moves()):
                return False
            state.place()
            if solver is not None:
                self._left = solver.steps_ahead
        writes.entries += made + moved
        writes.moves += moved
        writes.has_followed = True
        return True

    def note_step(self, stage: Stage, others: tuple[Stage, ...], dt: float) -> None:
        """Decide, after a whole step of a stage and its followers, whether the next may be a planned one."""
        self._found = None
        state = self._state
        if callable(state.stepping.pre_solve) or state.checks.is_needed or type(dt) is not float or dt <= 0.0:
            return
        if self._made >= 0:
            # The plans have ended.
            self._patience.learn(self._made)
            self._made = -1
        if not (self._watched and step_gate.unchanged(self._watched)):
            self._patience.begin_anew()
            self._watched = self._watched_now()
            return
        if not self._patience.count():
            return
        stages = (stage, *(one for one in reversed(others) if not one._may_rest))
        if tuple(one._plan_place for one in stages) != STAGE_PLACES:
            return
        step = _Step(
            stages,
            others,
            [one for one in state.progress.stages_run if not one._may_rest],
            tuple(one for one in others if one._may_rest),
            stages[SWEEP] if state.tables.entities.instances[BULLET].count else None,
            dt,
            dict(vars(state.settings)),
            state.stepping.pre_solve is not None,
        )
        if not (all_rest(step.resting, True) and self._plan(step)):
            self._patience.begin_anew()
            return
        self._step = step
        self._writes.begin()
        self._left = state.solver.steps_ahead if state.solver is not None else inf
        self._found, self._made = state.hits.found, 0
        self._wait.begin_anew()

    def _plan(self, step: _Step) -> bool:
        """Make the plans of the next steps; returns False where these may not be made by plans."""
        state, found, stages = self._state, self._state.hits.found, step.stages
        if found.buffer is found.last or any(one._bars_plans() for one in stages):
            return False
        plans = {}
        for buffer, other in ((found.buffer, found.last), (found.last, found.buffer)):
            plan, words = self._plans.get(buffer) or _new_plan()
            plan.begin()
            for stage in stages:
                if not stage._plan(plan, buffer, other, step.seconds):
                    return False
            shared = _NEVER_SHARED if state.settings.threads == 1 else _SHARED
            # If any colliders sleep, only awake ones are filed.
            if max(0 if words[word.HAS_KEPT] else words[word.USED], words[word.MOVING]) >= shared:
                return False
            plan.put(word.LEAST_SHARED, shared)
            plan.put(
                word.MOVES,
                words[word.HAS_TRAJECTORIES] or words[word.HAS_MOVERS] or words[word.GATHERS],
            )
            for owner in (state.placing, state.sleeping, state.hits):
                owner.put_into(plan)
            plans[buffer] = plan, words
            if step.sweep is None:
                self._plan_following(plan, buffer)
        self._plans = plans
        self._entries_made = words[word.HAS_TRAJECTORIES] + words[word.HAS_MOVERS] + words[word.GATHERS]
        return True

    def _plan_following(self, plan: StepPlan, buffer: ContactBuffer) -> None:
        """Write to a plan how its steps follow writes of the game."""
        self._game_moves.plan(plan, buffer)
        places = [_TRANSFORMS.place, *self._state.joints.plan_following(plan)]
        plan.note_array(word.PLACES_OF_CLASSES, np.array(places, int64))
        plan.put(word.FOLLOWS, 1)

    def begin(self, dt: float) -> StepPlan:
        """Begin a step that has a plan, with the blocks held; returns the plan, to be run before :meth:`end`."""
        state = self._state
        # Where this is cut short, the next step looks at everything.
        if self._owners is not None:
            self._is_cut = True
        else:
            self._found = None
            found = state.hits.found
            self._begin_parts(found)
            self._next, self._last = self._plans[found.buffer], self._plans[found.last]
        plan, words = self._next
        words[word.CONTACTS : word.STATUS] = self._last[1][word.CONTACTS : word.STATUS]
        state.clock += dt
        self._note_motion()
        return plan

    def _begin_parts(self, last: StepHits | None) -> None:
        """Tell the parts of the world that a plan makes a step, with the hits of the ``last`` one."""
        state, solver = self._state, self._state.solver
        state.progress.is_in_stage = True
        state.progress.is_over = state.body_table.is_solved = False
        state.starts.forget()
        if solver is not None:
            if self._writes.has_followed:
                solver.changes.note_writes()
            solver.begin_planned(last)
        self._writes.has_followed = False
        state.sleeping.begin_planned()
        state.hits.begin_planned()

    def end(self, dt: float) -> None:
        """Take over the results of a plan, and finish the step."""
        writes = self._writes
        is_current = writes.are_all_known()
        last, words = self._next, self._next[1]
        if self._owners is not None:
            if is_current and words[word.STATUS] == word.DONE and not words[word.NEWS]:
                # Python looks for interrupts at calls and jumps only: these assignments are all made, or none.
                words[word.KNOWN] = words[word.CONTACTS]
                self._next, self._last = self._last, last
                writes.noted = ENTRIES.made, _TRANSFORMS.writes.revision
                self._state.stepping.gate.words[step_gate.HAS_TOLD] = self._is_cut = writes.has_followed = False
                self._untold += 1
                self._left -= 1
                self._made += 1
                return
            self.catch_up()
        writes.note()
        if not self._take_over(words, dt, is_current, 1):
            return
        self._state.hits.take_from(words, writes.noted[1])
        self._end_parts()
        words[word.KNOWN] = words[word.CONTACTS]
        self._found = self._state.hits.found
        self._left -= 1
        self._made += 1
        if self._wait.count() and words[word.NEWS] == words[word.NEW] + words[word.ENDED]:
            self._go_ahead()

    def _take_over(self, words: memoryview, dt: float, is_current: bool, steps: int) -> bool:
        """Take over the results of some steps of plans into the parts of the world, but for the hits; returns whether
        the last came to its end. If not, Python goes on with it.

        ``is_current``: nothing else was written in the meantime.
        """
        state, sleeping, solver = self._state, self._state.sleeping, self._state.solver
        status, noted = words[word.STATUS], self._writes.noted if is_current else None
        if not words[word.HAVE_MOVED_FINITE]:
            state.end_moving(False)
        if solver is not None:
            if word.DONE < status < word.BODIES_MOVED:
                solver.go_on_from(words)
            else:
                solver.conclude_planned(words, steps, noted)
            state.body_table.is_solved = True
        if word.DONE < status <= word.BODIES_MOVED:
            sleeping.is_whole = True  # the plan has not changed it
            self._go_on(BODIES + 1, dt)
            return False
        broadphase: Any = self._step.stages[BROADPHASE]
        state.placing.take_from(words, noted, status != word.STILLNESS_COUNTED)
        sleeping.take_from(words)
        if status == word.STILLNESS_COUNTED:
            broadphase._go_on(words[word.STILL])
        else:
            broadphase._take_from(words)
        if status != word.DONE:
            self._go_on(NARROWPHASE, dt)
            return False
        return True

    def _end_parts(self) -> None:
        """A step of a plan is complete in all parts of the world."""
        state = self._state
        state.body_table.is_solved = False
        state.progress.stages_run[:] = self._step.ran
        state.progress.is_in_stage = False

    def _go_ahead(self) -> None:
        """Let the next steps run ahead, if no one listens to their hits."""
        state, found = self._state, self._state.hits.found
        if (
            self._step.resting
            or self._step.sweep is not None
            or found.strikes.is_any_left
            or found.listeners.are_told("ongoing")
            or not ONGOING.isdisjoint(esper.event_registry)
            or found.delivery.is_any_heard(found)
        ):
            self._wait.begin_anew()
            return
        self._next, self._last = self._plans[found.buffer], self._plans[found.last]
        self._untold, self._is_cut = 0, False
        parts = vars(state)
        self._owners = SimpleNamespace(**{name: parts[name] for name in WORLD_PARTS})
        # Asking for a part that is away calls catch_up.
        for name in WORLD_PARTS:
            del parts[name]
        state.stepping.gate.words[step_gate.HAS_TOLD] = found.delivery.is_done

    def _open_gate(self) -> None:
        """Let the gate make the next steps."""
        state = self._state
        if self._entries_made and not self.calls_game and state.stepping.gate.words[step_gate.MODE] != step_gate.AHEAD:
            # The parts of the world are away: a change of one shuts the gate.
            watched = (*step_gate.watch((state.settings, "_changes")), *watched_around(state))
            stages = self._step.stages[0], self._step.others
            state.stepping.gate.open_ahead(
                step_gate.PassingSteps(state.stepping.runs.loop, stages, self._step.seconds, watched, (WRITTEN,)),
                (self._next[0], self._last[0]),
                self._left,
                state.stepping.gate.words[step_gate.HAS_TOLD] != 0,
                self._finish_for_gate,
            )
            UNNOTED.append(self._as_unnoted)

    def note_steps(self) -> None:
        """Shut the gate, and note the steps that it has made."""
        words = self._state.stepping.gate.words
        if words[step_gate.FOLLOWED]:
            self._note_followed()
        made = words[step_gate.UNTOLD]
        # As the assignments of end(): all are made, or none.
        words[step_gate.MODE] = words[step_gate.UNTOLD] = 0
        self._is_cut = self._is_cut or words[step_gate.IS_CUT] != 0
        words[step_gate.IS_CUT] = 0
        if made:
            if made % 2:
                self._next, self._last = self._last, self._next
            self._untold += made
            self._left -= made
            self._made += made
            self._note_motion()
            self._writes.note()
        if self._as_unnoted in UNNOTED:
            UNNOTED.remove(self._as_unnoted)

    def _note_followed(self) -> None:
        """Make the entries of writes that steps of the gate have followed."""
        joints = self._owners.joints
        for store in (_TRANSFORMS, *joints.stores):
            flags = np.frombuffer(store.dirty, uint8)
            rows = np.flatnonzero(flags == IS_FOLLOWED)
            if rows.size:
                # The entry first: if an interrupt parts the two, rows are looked at twice.
                store.writes.note_rows(rows)
                flags[rows] = 0
                self._writes.entries += 1
                if store is _TRANSFORMS:
                    self._writes.moves += 1
                    self._note_moves(rows)
        joints.note_read()
        self._state.stepping.gate.words[step_gate.FOLLOWED] = 0

    def _note_moves(self, rows: NDArray[int64]) -> None:
        """Note for ``physics.check`` before how many of the last steps rows of Transform were written."""
        counts, solver = self._game_moves.take_counts(rows), self._owners.solver
        if solver is not None:
            steps = self._state.stepping.gate.words[step_gate.FOLLOWED]
            solver.changes.note_followed(rows, counts, steps, self._step.seconds)

    def _note_motion(self) -> None:
        """Make the entries of one or several steps in the log of Transform."""
        for _ in range(self._entries_made):
            _TRANSFORMS.writes.note_step()

    def _finish_for_gate(self, dt: float) -> None:
        """Finish a step that the gate has begun: its plan was not done, or brings news."""
        self.note_steps()
        self._note_motion()
        self.end(dt)

    def has_told(self) -> bool:
        """Whether steps run ahead, and no one listens to the events of the last one."""
        if (
            self._owners is None
            or not ONGOING.isdisjoint(esper.event_registry)
            or esper.current_world != self._state.world
        ):
            return False
        found = self._owners.hits.found
        if not self._untold and not found.delivery.is_done and found.delivery.is_any_heard(found):
            return False
        self._state.stepping.gate.words[step_gate.HAS_TOLD] = 1
        return True

    def catch_up(self) -> None:
        """Put the parts of the world back, and bring them up to the last step."""
        self.note_steps()
        state, owners, untold = self._state, self._owners, self._untold
        parts, kept, hits = vars(state), vars(owners), owners.hits
        words, found = self._last[1], hits.found
        if untold:
            pressed_for = found.pressed_for if owners.solver is None else self._step.seconds
            found = hits.hits_of_plan(words, untold, pressed_for)
        # As the assignments of end(): all are made, or none. Where it is cut short after them, the next step looks at
        # everything.
        parts |= kept
        self._owners, self._untold = None, 0
        hits.found = found
        self._found = None
        state.progress.is_in_stage = state.progress.is_in_stage or untold > 0
        if untold:
            owners.sleeping.is_whole = False
            found.buffer.as_of = found.last.as_of = -1
        self._wait.learn(untold)
        if untold:
            self._begin_parts(None)
            self._take_over(words, self._step.seconds, True, untold)
            hits.settle(words, self._writes.noted[1], self._next[1][word.KNOWN])
            self._end_parts()
        if state.stepping.gate.words[step_gate.HAS_TOLD]:
            found.delivery.leave_out()
        if self._is_cut:
            self._begin_parts(found)
            self._is_cut = False
        else:
            self._found = found

    def _go_on(self, first: int, dt: float) -> None:
        """Run the stages from the ``first`` place on, as in a whole step."""
        state = self._state
        state.progress.stages_run[:] = [stage for stage in self._step.ran if stage._plan_place < first]
        state.stepping.runs.go_on(self._step.stages[first:], dt)
        state.progress.is_in_stage = False

    def _watched_now(self) -> step_gate.Watched:
        """What changes with anything for which :meth:`make` does not look itself."""
        state, bodies, search = self._state, self._state.body_table, self._state.hits.search
        return (
            *watched_around(state),
            *step_gate.watch(
                *((state.progress, name) for name in GOING_ON),
                (state, "are_touched"),
                *((bodies, name) for name in ("revision", "sleep_changes", "collider_changes")),
                (bodies.masses, "measurement"),
                (state.joints.pairs, "revision"),
                (state.pairs, "are_pending"),
                (state.tables, "revision"),
                (state.tables, "refiltered"),
                (state.sleeping, "generation"),
                (state.hits.resting, "contacts"),
                (search, "prediction"),
                (search, "keeps_points"),
                (state.touches, "is_any"),
                (state.checks, "is_needed"),
            ),
        )


def _new_plan() -> tuple[StepPlan, memoryview]:
    plan = StepPlan()
    return plan, plan.words.data


_NO_PLAN: Final = _new_plan()
