"""All that is known of the physics of one world: its tables, and what its stages hand on to each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import esper
import numpy as np

from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.change_log import ENTRIES
from ecsphys.components.store.many import dead_entities
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.systems.arguments import checked_dt
from ecsphys.systems.ccd.sweep_outcome import StepStarts
from ecsphys.systems.character_controller.movers import CharacterMemory
from ecsphys.systems.collision.candidate_pairs import CandidatePairs, SleepingColliders
from ecsphys.systems.collision.contact_search import NO_SWEPT, Touches
from ecsphys.systems.collision.hit_tracker import HitTracker
from ecsphys.systems.dynamics.body_table import BodyTable, give_velocities
from ecsphys.systems.dynamics.contact_changes import WHAT_IN_C
from ecsphys.systems.dynamics.joints.joint_table import JointTable
from ecsphys.systems.profile import Stopwatch
from ecsphys.systems.settings import Settings
from ecsphys.systems.stage import Priority, StageRuns
from ecsphys.systems.stepping.planned_steps import WORLD_PARTS, PlannedSteps
from ecsphys.systems.stepping.step_gate import ONGOING, CalmSteps, StepGate, Surroundings
from ecsphys.systems.world.collider_placing import ColliderPlacing
from ecsphys.systems.world.esper_world import NeverAttached, database_token, token_in
from ecsphys.systems.world.moving_entities import MovingEntities, ParentLevels
from ecsphys.systems.world.row_checks import ColumnChecks
from ecsphys.systems.world.world_tables import WorldTables

if TYPE_CHECKING:
    from ecsphys.systems.collision.phases import BroadphaseSystem
    from ecsphys.systems.dynamics.body_solver import BodySolver
    from ecsphys.systems.dynamics.contact_changes import CPreSolve, PreSolve
    from ecsphys.systems.hits.step_hits import StepHits
    from ecsphys.systems.stage import Stage
    from ecsphys.systems.stepping.fixed_step import FixedStep

# As a plain number: it is read in each step.
_BROADPHASE = int(Priority.BROADPHASE)

# So many colliders that are gone keep their slots until a step has seen them go.
_MANY_ABSENT = 256


class StepProgress:
    """How far the present step is.

    Attributes
    ----------
    dt
        The seconds of the present step, or of the last one.
    stages_run
        The stages of that step that have begun.
    is_in_stage
        Whether a stage has begun and not come to its end: ``Stage.process`` sets it back.
    is_over
        Whether the database was cleared within a step: its later stages do nothing, so that the first step of the new
        world is a whole one.
    has_swept, swept
        Whether a sweep of that step has found anything near the way of a bullet or body, and what these touched.
    is_delivering
        Whether handlers of hits or joints are being called.
    calling
        The function of the game that is being called within a step, which must not step; "" for none.
    unfinished
        Puts back a snapshot, where a restore was cut short.
    stopwatch
        Measures the stages, where the game wants that.
    """

    def __init__(self) -> None:
        self.dt = 0.0
        self.stages_run: list[Stage] = []
        self.is_in_stage = self.is_over = self.has_swept = self.is_delivering = False
        self.swept = NO_SWEPT
        self.calling = ""
        self.unfinished: Callable[[], None] | None = None
        self.stopwatch: Stopwatch | None = None


class Stepping:
    """What makes the steps of a world: its stages, and what makes several of them at once.

    Attributes
    ----------
    gate
        Makes the steps in which nothing is for Python to do.
    runs, calm, planned
        Run stages together, find steps in which nothing happens, and make steps by plans.
    fixed_step
        What runs the stages in steps of a fixed length; None if every frame is one step. ``install`` sets it.
    priority
        What ``install`` has added to the priority of each stage.
    pre_solve
        The game's function that changes the contacts of bodies before they are solved; one of C is not callable.
    own_stages
        The stages that were made for a game whose world has none.
    own_loop
        The stages that ``physics.step`` goes through.
    turn_order
        What ``step_worlds`` keeps of the processors of the world.
    broadphase
        The world's first: bodies of a new world ask it for contacts before any stage has found pairs.
    event_stage
        The stage that delivers events.
    may_fly
        Whether any bullet may fly in the step that begins; the stage of sweeps sets it.
    """

    def __init__(self, state: PhysicsState) -> None:
        self.gate = StepGate(
            Surroundings(
                ENTRIES,
                (esper, "_get_component_cache", NeverAttached),
                (esper, "event_registry", tuple(ONGOING)),
                (esper, "current_world"),
                state.progress.stages_run,
            )
        )
        self.runs, self.calm, self.planned = StageRuns(state), CalmSteps(state), PlannedSteps(state)
        self.fixed_step: FixedStep | None = None
        self.priority = 0
        self.pre_solve: PreSolve | CPreSolve | None = None
        self.own_stages: tuple[Stage, ...] = ()
        self.own_loop: Sequence[esper.Processor] = ()
        self.turn_order: object = None
        self.broadphase: BroadphaseSystem | None = None
        self.event_stage: Stage | None = None
        self.may_fly: Callable[[], bool] = _always


class PhysicsState:
    """The state of one :class:`~ecsphys.Physics`, for its stages.

    Attributes
    ----------
    settings
        The settings of the game.
    tables
        Entities and colliders, a slot each; brought up to date when a stage begins.
    body_table, joints
        The rigid bodies, and what holds them together.
    moving, levels
        The entities that motion goes through, and the parents.
    placing
        Keeps the colliders placed where they are now.
    sleeping
        Which colliders sleep.
    starts
        Where everything was when the step began, for bullets.
    touches
        What characters touched in their moves since the last step's hits were found.
    characters
        What characters remember from one move to the next.
    pairs
        The candidate pairs.
    hits
        Finds the hits of a step, and keeps them.
    solver
        Moves the bodies, as long as there are any.
    checks
        Looks for bad values in columns.
    token
        The database of all the above, see ``database_token``. After ``esper.clear_database``, the next question makes
        new objects: nothing of the old world is left.
    world
        The name of the esper world, from the first step on.
    progress
        How far the present step is.
    stepping
        What makes the steps.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.world: str | None = None
        self.progress = StepProgress()
        self.stepping: Stepping = Stepping(self)
        self.solver: BodySolver | None = None
        self._begin(database_token(), WorldTables(), 0, [], None)

    def _begin(
        self,
        token: object,
        tables: WorldTables,
        measurement: int,
        errors: list[BaseException],
        prediction: float | None,
    ) -> None:
        """Make all objects for a database, so that nothing is left of another one.

        ``measurement``: the bodies' number begins there. ``errors``: exceptions of handlers that were not raised yet.
        ``prediction``: the margin of contacts for a solver of the game.
        """
        self.tables = tables
        self.body_table = BodyTable(tables, measurement)
        self.joints = JointTable(tables, self.body_table)
        self.moving = MovingEntities(tables, self.body_table)
        self.levels = ParentLevels(tables)
        self.placing = ColliderPlacing(tables, self.settings)
        self.sleeping = SleepingColliders(tables.colliders, self.placing)
        self.starts = StepStarts(tables)
        self.progress.swept = NO_SWEPT
        self.touches = Touches(tables)
        self.characters = CharacterMemory(tables.entities)
        self.pairs = CandidatePairs(tables, self.placing, self.sleeping, self.stepping.broadphase)
        self.checks = ColumnChecks(tables)
        self.clock = self.progress.dt = 0.0
        hits = HitTracker(self, token)
        hits.found.delivery.errors = errors
        if prediction is not None:
            hits.keep_contacts(prediction)
        # Last: where this is cut short, it is done again.
        self.hits, self.solver, self.token = hits, None, token

    def _restart(self, token: object) -> None:
        """Start again with another database, as the old one was cleared. Exceptions of handlers are still raised."""
        # Counts go on: so no number of the old world is used again.
        tables, measurement = WorldTables(self.tables.revision + 1), self.body_table.masses.measurement + 1
        # A running delivery raises its errors itself.
        errors = [] if self.progress.is_delivering else self.hits.found.delivery.errors
        # Bodies ask for contacts by themselves.
        search = self.hits.search
        prediction = search.prediction if search.keeps_points and self.solver is None else None
        self.progress.is_over = True
        self._begin(token, tables, measurement, errors, prediction)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Called for a missing attribute: a part of the world that planned steps have left behind."""
            if name in WORLD_PARTS and "stepping" in vars(self):
                self.stepping.planned.catch_up()
                return getattr(self, name)
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    @property
    def clock(self) -> float:
        """The seconds of all steps since the world began."""
        return self.stepping.gate.clock.item(0)

    @clock.setter
    def clock(self, seconds: float) -> None:
        self.stepping.gate.clock[0] = seconds

    def follow_database(self) -> None:
        """Start again if the database was cleared, or the world deleted, since the last question."""
        token = token_in(self.world)
        if token is not self.token:
            self._restart(token)

    def last_hits(self) -> StepHits:
        """The outcome of the last step; none in a database that was cleared since."""
        self.follow_database()
        return self.hits.found

    def deliver(self, send: Callable[[], None]) -> None:
        """Call what calls handlers: they must not step this physics."""
        try:
            self.progress.is_delivering = True
            self.call("a handler of hits", send)
        finally:
            self.progress.is_delivering = False

    def call(self, what: str, function: Callable[[], object]) -> None:
        """Call a function of the game, which must not step this physics."""
        try:
            self.progress.calling = what
            function()
        finally:
            self.progress.calling = ""

    def enter(self, stage: Stage, dt: float) -> float:
        """Begin a stage: check ``dt``, bring the tables up to date, and at a step's first stage check written values.

        In a step that :attr:`is_over` the stage has nothing to do. Nothing has changed where this raises: TypeError for
        a ``dt`` that is not a number; ValueError for one that is negative or not finite, for a bad value in a column, a
        shared instance, a second trajectory or a cycle of parents; RuntimeError from within :meth:`call`, or in
        another world than the first step's.
        """
        if dt is not self.progress.dt:
            dt = self.progress.dt = checked_dt(dt)
        if self.progress.calling:
            raise RuntimeError(
                f"{self.progress.calling} must not call physics.step or esper.process: its own step has not ended"
            )
        if self.world != esper.current_world:
            if self.world is None:
                self.world = esper.current_world
                dead_entities()  # puts its own set in place
                return self.enter(stage, dt)
            raise RuntimeError(
                f"this Physics belongs to the world {self.world!r}, not to {esper.current_world!r}:"
                " each world needs its own Physics"
            )
        if self.progress.unfinished is not None:
            self.complete()
        # A stage belongs to another step than those before it: it has run already, or it comes before them.
        run = self.progress.stages_run
        first = not run or stage.priority > run[-1].priority or stage in run
        if first and self.pairs.are_pending and self.pairs.finder is not None:
            # The last pairs were not tested: of what would fall asleep no hit would be known.
            self.sleeping.stay_awake()
            self.pairs.use_up()
        if self.progress.is_in_stage:
            # A hit handler may have been cut short within esper, before esper had cleared its cache.
            esper.clear_cache()
        tables = self.tables
        # As of is_current, at each stage.
        if esper.get_component(NeverAttached) is not tables.answer or tables.unread or tables.refiltered:
            self.update(gives_velocities=True)
            self.progress.dt = dt
        if first:
            # A game may have called a stage by hand.
            self.part_steps()
            self.progress.is_over = self.body_table.is_solved = self.progress.has_swept = False
        elif self.progress.is_over:
            return dt
        if self.progress.is_in_stage:
            # An interrupt or an error kept a stage from its end: whatever it has left in the columns is looked at.
            self.checks.needs_validation = True
        if first or self.checks.revision != self.tables.revision:
            self._check()
        if first:
            run.clear()
            self.clock += dt
            self.starts.record(self.stepping.may_fly)
            if self.progress.stopwatch is not None:
                self.progress.stopwatch.begin_step()
        run.append(stage)
        self.progress.is_in_stage = True
        return dt

    def go_on(self, stage: Stage) -> None:
        """Begin a stage that follows another in the same call; errors as of :meth:`enter`."""
        tables = self.tables
        if esper.get_component(NeverAttached) is not tables.answer or tables.unread or tables.refiltered:
            self.update()
        if self.progress.is_over:
            return
        if self.checks.revision != self.tables.revision:
            self._check()
        self.progress.stages_run.append(stage)

    def _check(self) -> None:
        """Check values written through views, and follow all other writes of the game."""
        self.checks.refuse_bad_values()
        self.levels.update()
        self.body_table.update()
        self.joints.update()
        if self.tables.unread or self.tables.refiltered:
            # A body has got a Velocity.
            self.update()

    @property
    def are_touched(self) -> bool:
        """Whether sweeps have found contacts that the narrowphase has not taken yet."""
        return self.progress.swept is not NO_SWEPT

    def complete(self) -> None:
        """Complete a restore that an interrupt has cut short."""
        if self.progress.unfinished is not None:
            self.progress.unfinished()

    def part_steps(self) -> None:
        """The next step is a whole one: neither a plan nor the gate makes it."""
        self.stepping.planned.forget()
        self.stepping.gate.shut()

    def begin_between_steps(self, clock: float, dt: float) -> None:
        """Go on where a step has ended at a time."""
        self.clock, self.progress.dt = clock, dt
        self.progress.stages_run.clear()
        self.part_steps()
        self.progress.swept = NO_SWEPT
        self.starts.forget()

    def update(self, gives_velocities: bool = False) -> None:
        """Bring the tables up to date, if the physics' world is the current one; where a step begins, new bodies get a
        Velocity before. Errors: see ``WorldTables.update``."""
        tables = self.tables
        if not tables.is_current() and self.world in (None, esper.current_world):
            self.follow_database()
            tables = self.tables
            # Plans and the gate look for entities that come or go at esper's answer, which the tables take here.
            self.part_steps()
            tables.update(give_velocities if gives_velocities else None)
        if tables.unread or tables.refiltered:
            self._read_changes()

    def is_current(self) -> bool:
        """Whether there is nothing that :meth:`update` would bring up to date."""
        tables = self.tables
        return not (tables.unread or tables.refiltered) and esper.get_component(NeverAttached) is tables.answer

    def _read_changes(self) -> None:
        unread = self.tables.unread
        while unread:
            # Taken from the list last: where this is cut short, it is read again.
            self.placing.take(unread[0])
            self.sleeping.take(unread[0])
            del unread[0]
        tables, hits = self.tables, self.hits.found
        for slots in tables.refiltered:
            # An overlap with a sleeping collider may have become a hit.
            self.sleeping.wake(slots[tables.colliders.slots.absence[slots] == PRESENT])
        tables.refiltered = []
        if self.pairs.are_pending:
            return
        if not hits.counts.contacts:
            tables.release_absent()
        elif sum(map(len, tables.colliders.absences)) > _MANY_ABSENT + 2 * hits.counts.contacts:
            # No step comes to see them go.
            tables.release_absent(np.unique(hits.contacts.slots))

    @property
    def moved_for(self) -> float:
        """The seconds of a step by which its stages have moved things already, 0 before and after that."""
        run = self.progress.stages_run
        return self.progress.dt if run and run[-1].priority > _BROADPHASE else 0.0

    def has_none(self, line: int) -> bool:
        """Whether a stage need not begin, as no entity has its component: a line of ``EntitySlots``.

        It is asked within a step that has begun; one that is timed runs all stages.
        """
        tables = self.tables
        return (
            self.progress.stopwatch is None
            and not tables.entities.instances[line].count
            and esper.get_component(NeverAttached) is tables.answer
        )

    def has_no_movers(self, stage: Stage) -> bool:
        """Whether the stage of stepped motion need not begin, as a step has begun before it in which nothing moves so;
        as :meth:`has_none`."""
        run = self.progress.stages_run
        return (
            self.progress.stopwatch is None
            and bool(run)
            and run[-1].priority > stage.priority
            and esper.get_component(NeverAttached) is self.tables.answer
            and not self.moving.movers.shape[1]
        )

    def validate(self) -> None:
        """Raise the ValueError or TypeError that the next step would raise, of the world or a column; nothing moves."""
        self.update()
        checks = ColumnChecks(self.tables)
        checks.needs_validation = True
        checks.refuse_bad_values()
        self.levels.update()
        self.body_table.update()
        self.update()
        self.joints.refuse_new()

    def place(self) -> None:
        """Bring the placed shapes up to date; the tables must be.

        RuntimeError within a function of C, as a plan may be under way.
        """
        if self.progress.calling == WHAT_IN_C:
            raise RuntimeError(f"{WHAT_IN_C} must not use queries, moves or snapshots: its own step has not ended")
        if not self.sleeping.is_whole:
            self.sleeping.wake_all()
        self.placing.refresh()

    def look_before_motion(self) -> None:
        """Let the solver, if there is one, find bodies that the game has moved, before a system moves bodies too."""
        if self.solver is not None:
            self.solver.changes.look_before_motion()

    def begin_moving(self) -> None:
        """Note that a system is about to write the transforms that it writes in each step.

        Call it before the writes. So they are noted even if an interrupt comes in between.
        """
        Transform._columns.writes.note_step()
        if self.solver is not None:
            self.solver.changes.note_moving()

    def end_moving(self, finite: bool) -> None:
        """Note whether all values that a system has written since :meth:`begin_moving` are finite."""
        if not finite:
            self.checks.needs_validation = True

    def lap(self, phase: str) -> None:
        """Tell a stopwatch, if there is one, that a phase has ended."""
        if self.progress.stopwatch is not None:
            self.progress.stopwatch.lap(phase)


def _always() -> bool:
    return True
