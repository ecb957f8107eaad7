"""What keeps a scene's movers in view: small systems of a game, on column components of its own."""

from __future__ import annotations

import esper
import numpy as np

import ecsphys
from ecsphys import BallisticTrajectory, CircularTrajectory, HarmonicTrajectory, LinearTrajectory, Transform, Velocity
from ecsphys.demo.scenes.cached_join import CachedJoin
from ecsphys.demo.scenes.scene import Box


class Bounce(ecsphys.Component):
    """Turns an entity back where its circle of radius ``extent`` meets the border.

    With a ``kick`` it leaves the lower border at that speed, however it came: what falls keeps bouncing.
    """

    extent: float
    kick: float = 0.0


class BounceSystem(esper.Processor):
    """Reflects velocities at the borders of a box."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self._bouncing = CachedJoin(Transform, Velocity, Bounce)

    def process(self, dt: float) -> None:
        min_x, min_y, max_x, max_y = self._box
        _, transforms, velocities, bounces = self._bouncing()
        extent = Bounce.column("extent")[bounces]
        kick = Bounce.column("kick")[bounces]
        for axis, low, high in (("x", min_x, max_x), ("y", min_y, max_y)):
            positions, speeds = Transform.column(axis), Velocity.column(axis)
            position, speed = positions[transforms], speeds[velocities]
            below, above = position < low + extent, position > high - extent
            rebound = np.abs(speed)
            if axis == "y":
                rebound = np.where(below & (kick > 0.0), kick, rebound)
            speeds[velocities] = np.where(below, rebound, np.where(above, -rebound, speed))
            positions[transforms] = np.clip(position, low + extent, high - extent)


# Of a step: a period ends at the step nearest to it. Where it is a whole number of steps, what goes round by its
# trajectory and what is put back stay beside each other, whatever is lost to rounding.
_NEAREST = 0.5


BEFORE_MOTION = 450
"""A priority."""


class Loop(ecsphys.Component):
    """Starts an entity's trajectory again after ``period`` seconds."""

    period: float


class LoopSystem(esper.Processor):
    """Takes whole periods off the trajectories' elapsed time."""

    def __init__(self) -> None:
        kinds = (LinearTrajectory, BallisticTrajectory, CircularTrajectory, HarmonicTrajectory)
        self._looping = [(trajectory, CachedJoin(trajectory, Loop)) for trajectory in kinds]

    def process(self, dt: float) -> None:
        for trajectory, looping in self._looping:
            _, rows, loops = looping()
            if rows.size:
                elapsed, period = trajectory.column("elapsed"), Loop.column("period")[loops]
                elapsed[rows] -= period * (elapsed[rows] >= period - _NEAREST * dt)


class Restart(ecsphys.Component):
    """Puts an entity back to where and how it started, every ``period`` seconds."""

    period: float
    x: float
    y: float
    speed_x: float = 0.0
    speed_y: float = 0.0
    clock: float = 0.0


class RestartSystem(esper.Processor):
    """Counts the clocks and resets position and velocity of those that have run down; add it before the motion."""

    def __init__(self) -> None:
        self._restarting = CachedJoin(Transform, Velocity, Restart)

    def process(self, dt: float) -> None:
        _, transforms, velocities, restarts = self._restarting()
        clock = Restart.column("clock")
        over = clock[restarts] >= Restart.column("period")[restarts] - _NEAREST * dt
        if over.any():
            transforms, velocities, restarts = transforms[over], velocities[over], restarts[over]
            clock[restarts] -= Restart.column("period")[restarts]
            Transform.column("x")[transforms] = Restart.column("x")[restarts]
            Transform.column("y")[transforms] = Restart.column("y")[restarts]
            Velocity.column("x")[velocities] = Restart.column("speed_x")[restarts]
            Velocity.column("y")[velocities] = Restart.column("speed_y")[restarts]
        clock[self._restarting()[3]] += dt
