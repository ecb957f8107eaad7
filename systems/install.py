"""One call that adds the physics to the current esper world."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import esper

from ecsphys.components.other_names import checks_arguments
from ecsphys.components.store.many import dead_entities
from ecsphys.systems.arguments import Integrator, Vector, whole_number
from ecsphys.systems.ccd.sweeps import SweepSystem
from ecsphys.systems.collision.phases import BroadphaseSystem, HitEventSystem, NarrowphaseSystem
from ecsphys.systems.dynamics.body_solver import RigidBodySystem
from ecsphys.systems.motion.motion import AnalyticMotionSystem, EulerMotionSystem, HierarchySystem
from ecsphys.systems.physics import Physics
from ecsphys.systems.stage import Priority, Stage
from ecsphys.systems.stepping.fixed_step import FixedStep, checked_rate, running_systems

if TYPE_CHECKING:
    from ecsphys.systems.physics import SteppedPhysics

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
