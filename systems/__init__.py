"""Systems: esper processors that work on the components of entities.

This module has the public systems. :func:`~ecsphys.install` adds the systems of a usual game.

``physics`` is the physics of a world for a game, and ``physics_state`` has the data that its stages share. ``stage``,
``priorities`` and ``install`` put the stages into a step. The folders, the lowest layer first:

* ``world``: the entities of a world as arrays;
* ``fixed_step``: steps of a fixed length, interpolation, timing;
* ``motion``: trajectories, stepped motion, hierarchy, control;
* ``ccd``: continuous collision detection for bullets;
* ``collision``: broadphase, narrowphase, hits and their events;
* ``spatial_query``: points, boxes, shapes, rays, casts;
* ``character_controller``: walking and sliding among solids;
* ``effects``: particles, light, scrolling.
"""

from ecsphys.systems.ccd.sweeps import SweepSystem
from ecsphys.systems.collision.phases import (
    BroadphaseSystem,
    BruteForceBroadphaseSystem,
    HitEventSystem,
    NarrowphaseSystem,
)
from ecsphys.systems.dynamics.body_solver import RigidBodySystem
from ecsphys.systems.effects.light import LightSystem
from ecsphys.systems.effects.particles import ParticleSystem
from ecsphys.systems.effects.scrolling import ScrollingSystem
from ecsphys.systems.motion.control import ControlSystem
from ecsphys.systems.motion.limits import LifetimeSystem, WorldBoundsSystem
from ecsphys.systems.motion.motion import AnalyticMotionSystem, EulerMotionSystem, HierarchySystem
from ecsphys.systems.stage import Stage

__all__ = [
    "AnalyticMotionSystem",
    "BroadphaseSystem",
    "BruteForceBroadphaseSystem",
    "ControlSystem",
    "EulerMotionSystem",
    "HierarchySystem",
    "HitEventSystem",
    "LifetimeSystem",
    "LightSystem",
    "NarrowphaseSystem",
    "ParticleSystem",
    "RigidBodySystem",
    "ScrollingSystem",
    "Stage",
    "SweepSystem",
    "WorldBoundsSystem",
]
