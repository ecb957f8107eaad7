"""One call that adds the physics to the current esper world."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import esper

from ecsphys.systems.analytic_motion import AnalyticMotionSystem
from ecsphys.systems.broadphase import BroadphaseSystem
from ecsphys.systems.euler_motion import EulerMotionSystem
from ecsphys.systems.hierarchy import HierarchySystem
from ecsphys.systems.narrowphase import NarrowphaseSystem
from ecsphys.systems.physics import Physics
from ecsphys.systems.priorities import (
    ANALYTIC_MOTION_PRIORITY,
    BROADPHASE_PRIORITY,
    EULER_MOTION_PRIORITY,
    HIERARCHY_PRIORITY,
    NARROWPHASE_PRIORITY,
    SWEEP_PRIORITY,
)
from ecsphys.systems.settings import Vector
from ecsphys.systems.stage import Stage
from ecsphys.systems.sweep import SweepSystem

STAGES: tuple[tuple[type[Stage], int], ...] = (
    (AnalyticMotionSystem, ANALYTIC_MOTION_PRIORITY),
    (EulerMotionSystem, EULER_MOTION_PRIORITY),
    (HierarchySystem, HIERARCHY_PRIORITY),
    (SweepSystem, SWEEP_PRIORITY),
    (BroadphaseSystem, BROADPHASE_PRIORITY),
    (NarrowphaseSystem, NARROWPHASE_PRIORITY),
)


def install(
    gravity: Vector = (0.0, 0.0),
    cell_size: float | None = None,
    substeps: int = 1,
    integrator: str = "semi_implicit",
) -> Physics:
    """Add motion, hierarchy, sweep, broadphase and narrowphase to the current esper world.

    Parameters
    ----------
    gravity, cell_size, substeps, integrator
        See :class:`Physics`.

    Returns
    -------
    Physics
        The world's physics: settings, arrays and hits.

    Raises
    ------
    RuntimeError
        The world has stages of ecsphys already.
    ValueError, TypeError
        A bad setting; nothing was added then.
    """
    for stage in _with_subclasses(stage for stage, _ in STAGES):
        if esper.get_processor(stage) is not None:
            raise RuntimeError(
                f"the world {esper.current_world!r} has ecsphys installed already (found: {stage.__name__})"
            )
    physics = Physics(gravity, cell_size, substeps, integrator)
    for stage, priority in STAGES:
        esper.add_processor(stage(physics), priority)
    return physics


def _with_subclasses(classes: Iterable[type[Stage]]) -> Iterator[type[Stage]]:
    for cls in classes:
        yield cls
        yield from _with_subclasses(cls.__subclasses__())
