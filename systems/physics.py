"""The physics of one esper world as a game sees it; ``install()``, and steps of a game with a loop of its own."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, overload

import esper

from ecsphys.components.other_names import checks_arguments
from ecsphys.components.store.many import dead_entities
from ecsphys.systems.arguments import Integrator, KnownAttributes, Vector, whole_number
from ecsphys.systems.ccd.sweeps import SweepSystem
from ecsphys.systems.character_controller.movers import Movers
from ecsphys.systems.collision.phases import BroadphaseSystem, HitEventSystem, NarrowphaseSystem
from ecsphys.systems.diagnosis.debug import Debug
from ecsphys.systems.dynamics.bodies import Bodies
from ecsphys.systems.dynamics.body_solver import RigidBodySystem
from ecsphys.systems.dynamics.contact_changes import CFunction, CPreSolve, PreSolve, checked_pre_solve
from ecsphys.systems.hits.hit_arrays import Hits
from ecsphys.systems.motion.motion import AnalyticMotionSystem, EulerMotionSystem, HierarchySystem
from ecsphys.systems.physics_state import PhysicsState
from ecsphys.systems.settings import Settings
from ecsphys.systems.snapshot.snapshot import Snapshots
from ecsphys.systems.spatial_query.queries import Queries
from ecsphys.systems.stage import LOOPS, Priority, Stage
from ecsphys.systems.stepping.fixed_step import FixedStep, checked_rate, running_systems
from ecsphys.systems.world.esper_world import refuse_other_world


@checks_arguments
class Physics(Queries, Movers, Snapshots, KnownAttributes):
    """Hits, bodies, queries, moves and settings of one esper world; :func:`~ecsphys.install` makes one.

    Queries find entities where they are now: between steps, while a game is paused, in a hit handler, in a processor,
    before the first step. They do not change later steps. They do not find disabled entities, nor entities that are
    marked dead. All queries take these arguments:

    ``filter``
        A layer, or several: the query finds entities in one of these layers. Or a :class:`CollisionFilter`: only its
        mask and its group matter. None, the default, finds all.
    ``mutual``
        True: the masks of the entities matter too. The query finds all entities that an entity with this filter could
        hit.
    ``ignore``
        An entity, or several, that the query leaves out.

    A ``…_batch`` takes an array-like with one row per query, and is much faster than as many calls. Queries and moves
    raise ValueError or TypeError naming a bad argument, and RuntimeError in another esper world.

    Parameters
    ----------
    gravity, cell_size, motion_substeps, integrator, threads
        See :class:`Settings`. They can be changed later, in ``physics.settings``.

    Attributes
    ----------
    settings
        How the physics is computed; a :class:`Settings`.
    bodies
        Forces, impulses and velocities of rigid bodies; a :class:`Bodies`.
    debug
        Mistakes, explanations, timings and lines to draw; a :class:`Debug`.

    Raises
    ------
    ValueError, TypeError
        A bad setting.

    Examples
    --------
    >>> physics = ecsphys.install(gravity=(0.0, -9.8))
    >>> ball = esper.create_entity(Transform(0, 3), Velocity(), Gravity(), CircleCollider(0.5))
    >>> floor = esper.create_entity(Transform(0, -0.5), AABBCollider(9, 0.5))
    >>> for _ in range(45):
    ...     esper.process(1 / 60)
    >>> [(hit.entity_a, hit.entity_b) for hit in physics.hits]
    [(1, 2)]
    """

    _called = "physics"
    _set_by_constructor = _kept_parts = frozenset(("bodies", "debug", "settings"))

    def __init__(
        self,
        gravity: Vector = (0.0, 0.0),
        cell_size: float | None = None,
        motion_substeps: int = 1,
        integrator: Integrator = "semi_implicit",
        threads: int | None = None,
    ) -> None:
        self.settings = Settings(gravity, cell_size, motion_substeps, integrator, threads)
        self._state = PhysicsState(self.settings)
        self.bodies = Bodies(self._state)
        self.debug = Debug(self._state)
        Queries.__init__(self, self._state)
        Movers.__init__(self, self._state, self._filed)
        Snapshots.__init__(self, self._state)

    @property
    def gravity(self) -> tuple[float, float]:
        """Acceleration (x, y) of dynamic bodies, and of entities with a ``Gravity``, in units/s²."""
        return self.settings.gravity

    @gravity.setter
    def gravity(self, value: Vector) -> None:
        self.settings.gravity = value

    @property
    def fixed_step(self) -> FixedStep | None:
        """The :class:`FixedStep` that runs the stages; None unless it was asked for: ``install(fixed_step=60)``."""
        return self._state.stepping.fixed_step

    @property
    def hits(self) -> Hits:
        """The hits of the last step; a :class:`Hits`, empty after ``esper.clear_database`` or ``delete_world``."""
        return self._state.last_hits().hits

    @property
    def pre_solve(self) -> PreSolve | CFunction | None:
        """A function that changes contacts of bodies before they are solved; None, the default, for no changes.

        Each step with contacts and awake bodies calls it once, with a :class:`SolverContacts`. It may veto contacts,
        change their friction, restitution and tangent speed, and keep a number with each pair. Sleeping contacts are
        not solved: wake the bodies with ``physics.bodies.wake``, so they react.

        It must not create or delete entities, or add or remove components, and it must not step this physics:
        RuntimeError. If it raises, the step ends before any dynamic body has moved, and the next step works as usual.
        ValueError in the step, likewise, for a bad number that it has written.

        A function of C costs less: steps then run no Python for it. It is what ``numba.cfunc`` makes, or anything else
        with an integer ``address``, or a function pointer of ``ctypes``, ``CFUNCTYPE(None, c_void_p, c_int64)``. It
        gets the address of records (:data:`~ecsphys.types.SOLVER_CONTACT`) and their number, at least 1. Python's lock
        is not held, and ``step_worlds`` may call it on any thread. If a function of Python is behind the pointer, its
        exceptions are printed, not raised; it must not create or delete either, which is found only in some steps.

        TypeError unless the value is callable, a function of C with such arguments, or None.

        Examples
        --------
        >>> def lubricate(contacts):
        ...     contacts.friction[:] = 0.0
        >>> physics = ecsphys.install()
        >>> physics.pre_solve = lubricate
        """
        known = self._state.stepping.pre_solve
        if isinstance(known, CPreSolve):
            function: PreSolve | CFunction = known.function
            return function
        return known

    @pre_solve.setter
    def pre_solve(self, value: PreSolve | CFunction | None) -> None:
        self._state.stepping.pre_solve = checked_pre_solve(value)

    def step(self, dt: float) -> None:
        """Make one step of ``dt`` seconds without ``esper.process``, for a game without processors.

        Entities marked dead are removed, then the stages of this physics run: stages that were added to the world, such
        as a ``LifetimeSystem``, and, without ``install``, a set of its own. No other processor runs. It raises the
        errors of a step.

        Examples
        --------
        >>> physics = ecsphys.Physics()
        >>> physics.step(1 / 60)
        """
        run_stages(self, dt)

    def detect(self) -> None:
        """Find the hits of the world as it is now and send their events; nothing moves, and no time passes.

        For a game that moves everything itself. It works like :meth:`step`, but from the broadphase on.
        """
        run_stages(self, 0.0, Priority.BROADPHASE)


if TYPE_CHECKING:

    class SteppedPhysics(Physics):
        """To type checkers, what ``install(fixed_step=…)`` returns: there ``fixed_step`` is never None."""

        @property
        def fixed_step(self) -> FixedStep: ...


STAGES: tuple[tuple[type[Stage], int], ...] = (
    (AnalyticMotionSystem, Priority.ANALYTIC_MOTION),
    (EulerMotionSystem, Priority.EULER_MOTION),
    (RigidBodySystem, Priority.RIGID_BODY),
    (HierarchySystem, Priority.HIERARCHY),
    (SweepSystem, Priority.SWEEP),
    (BroadphaseSystem, Priority.BROADPHASE),
    (NarrowphaseSystem, Priority.NARROWPHASE),
    (HitEventSystem, Priority.HIT_EVENT),
)


@overload
def install(
    gravity: Vector = ...,
    cell_size: float | None = ...,
    motion_substeps: int = ...,
    integrator: Integrator = ...,
    fixed_step: None = None,
    threads: int | None = ...,
    priority: int = ...,
) -> Physics: ...
@overload
def install(
    gravity: Vector = ...,
    cell_size: float | None = ...,
    motion_substeps: int = ...,
    integrator: Integrator = ...,
    *,
    fixed_step: float,
    threads: int | None = ...,
    priority: int = ...,
) -> SteppedPhysics: ...
@overload
def install(
    gravity: Vector = ...,
    cell_size: float | None = ...,
    motion_substeps: int = ...,
    integrator: Integrator = ...,
    fixed_step: float | None = ...,
    threads: int | None = ...,
    priority: int = ...,
) -> Physics: ...
@checks_arguments
def install(
    gravity: Vector = (0.0, 0.0),
    cell_size: float | None = None,
    motion_substeps: int = 1,
    integrator: Integrator = "semi_implicit",
    fixed_step: float | None = None,
    threads: int | None = None,
    priority: int = 0,
) -> Physics:
    """Add physics to the current esper world: motion, bodies, hierarchy, sweep, broadphase, narrowphase and events.

    Parameters
    ----------
    gravity, cell_size, motion_substeps, integrator, threads
        See :class:`Settings`.
    fixed_step
        Steps per second, at least 1. A :class:`FixedStep`, ``physics.fixed_step``, then divides frames of any length
        into steps of the same length. None makes each frame one step.
    priority
        Added to the :class:`Priority` of each stage. With −1000 the stages run after all processors with priorities of
        0 or more.

    Returns
    -------
    Physics
        The world's physics: hits, bodies, queries, settings.

    Raises
    ------
    RuntimeError
        If the world has stages of ecsphys already.
    ValueError, TypeError
        For a bad setting. Nothing is added then.

    Examples
    --------
    >>> physics = ecsphys.install(gravity=(0.0, -9.8))
    >>> esper.process(1 / 60)
    """
    dead_entities()  # puts its own set in place, before the first step
    for system in running_systems():
        if isinstance(system, tuple(stage for stage, _ in STAGES)):
            raise RuntimeError(
                f"ecsphys is installed already in the world {esper.current_world!r} (found: {type(system).__name__}):"
                " use the Physics that install() returned, or call esper.switch_world first for another world"
            )
    shift = whole_number("priority", priority)
    rate = None if fixed_step is None else checked_rate("fixed_step", fixed_step, 1.0)
    physics = Physics(gravity, cell_size, motion_substeps, integrator, threads)
    state = physics._state
    state.stepping.priority, state.world = shift, esper.current_world
    stages = [(stage(physics), default) for stage, default in STAGES]
    if rate is not None:
        state.stepping.fixed_step = FixedStep(stages, rate)
        esper.add_processor(state.stepping.fixed_step, Priority.FIXED_STEP + shift)
        return physics
    for stage, default in stages:
        esper.add_processor(stage, default + shift)
    return physics


def run_stages(physics: Physics, dt: float, highest: float = inf) -> None:
    """Run the stages of a physics once, those up to a priority; RuntimeError in another world than the physics'."""
    refuse_other_world(physics._state.world)
    if not physics._state.progress.calling and dead_entities():
        esper.clear_dead_entities()
    shift = 0 if physics.fixed_step else physics._state.stepping.priority
    stages = [stage for stage in stages_of(physics) if stage.priority - shift <= highest]
    physics._state.stepping.own_loop = stages
    for stage in stages:
        stage.process(dt)


def stages_of(physics: Physics) -> tuple[Stage, ...]:
    """The stages in the order in which they run.

    If the world has no stage of ``install()``, its stages run with a set of new stages of ``install()``.
    """
    running = [one for one in running_systems() if isinstance(one, Stage) and one.physics is physics]
    if any(isinstance(one, tuple(cls for cls, _ in STAGES)) for one in running):
        return tuple(running)
    return tuple(sorted((*_own_stages(physics), *running), key=lambda one: -one.priority))


def _own_stages(physics: Physics) -> tuple[Stage, ...]:
    """A set of the stages of ``install()`` that is in no world; the same in each step."""
    state = physics._state
    if not state.stepping.own_stages:
        stages = []
        for cls, priority in STAGES:
            stage = cls(physics)
            stage.priority = priority
            stages.append(stage)
        state.stepping.own_stages = tuple(stages)
    return state.stepping.own_stages


LOOPS[run_stages.__code__] = lambda state: (state.stepping, "own_loop")
