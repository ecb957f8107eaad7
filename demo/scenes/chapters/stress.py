"""Load: the swarm that the benchmarks measure, thousands of shapes in motion, and a circle at the mouse among them."""

from __future__ import annotations

import esper
import numpy as np
from numpy import int64
from numpy.typing import NDArray

import ecsphys
from ecsphys import CircleCollider, Physics, Transform, Velocity
from ecsphys.demo.scenes.cached_join import CachedJoin
from ecsphys.demo.scenes.parameter import Reading
from ecsphys.demo.scenes.physics_parameters import cell_size, substeps
from ecsphys.demo.scenes.scene import Box, Caption, Layout, Pointer
from ecsphys.demo.scenes.workloads import LiveWorkload, Workload, swarm_bodies

COUNT = 5000
ARENA: Box = (-134.0, -63.0, 134.0, 63.0)  # as dense as the swarm's own square, but as wide as a window


_RADIUS = 9.0
_PUSH = 30.0
"""The least speed, in units/s, of shapes that are swept away."""


class Sweeper(esper.Processor, Pointer):
    """A large circle that follows the mouse; its hits light up, and fly off while the button is down."""

    def __init__(self, physics: Physics) -> None:
        self._physics = physics
        self._place = Transform()
        self._entity = -1
        self._sweeps = False
        self._moving = CachedJoin(Transform, Velocity)

    def press(self, x: float, y: float) -> bool:
        self.move(x, y)
        self._sweeps = True
        return True

    def move(self, x: float, y: float) -> None:
        if self._entity < 0:
            self._entity = esper.create_entity(self._place, CircleCollider(_RADIUS))
        self._place.x, self._place.y = x, y

    def release(self) -> None:
        self._sweeps = False

    def below(self) -> int:
        """How many shapes the circle hits."""
        return self._hit().size

    def _hit(self) -> NDArray[int64]:
        """The shapes, by entity."""
        hits = self._physics.hits
        others = (hits.entity_b[hits.entity_a == self._entity], hits.entity_a[hits.entity_b == self._entity])
        return np.unique(np.concatenate(others))

    def process(self, dt: float) -> None:
        if not self._sweeps:
            return
        hit = self._hit()
        entities, transforms, velocities = self._moving()
        own = np.searchsorted(entities, hit)
        transforms, velocities = transforms[own], velocities[own]
        x, y = (Transform.column(name, writable=False)[transforms] for name in ("x", "y"))
        dx, dy = x - self._place.x, y - self._place.y
        distance = np.maximum(np.hypot(dx, dy), 1e-6)
        vx, vy = Velocity.column("x"), Velocity.column("y")
        speed = np.maximum(np.hypot(vx[velocities], vy[velocities]), _PUSH)
        vx[velocities], vy[velocities] = speed * dx / distance, speed * dy / distance


class _Between(esper.Processor):
    """Turns the swarm back at the border, after the hits."""

    def __init__(self, live: LiveWorkload) -> None:
        self._live = live

    def process(self, dt: float) -> None:
        self._live.between()


def build(rng: np.random.Generator) -> Layout:
    physics = ecsphys.install()
    live = LiveWorkload(Workload(ARENA, swarm_bodies(rng, COUNT, ARENA)))
    esper.add_processor(_Between(live))
    sweeper = Sweeper(physics)
    esper.add_processor(sweeper)
    physics.debug.profile.timed = True

    def milliseconds(*phases: str) -> str:
        timings = physics.debug.profile.timings
        return f"{1e3 * sum(timings.get(phase, 0.0) for phase in phases):.2f} ms"

    return Layout(
        physics,
        ARENA,
        [Caption(-131.5, 61.5, "Hold the button to sweep them away", "all hits of all shapes, in every step")],
        show_contacts=False,
        grid=5.0,
        parameters=[cell_size(physics), substeps(physics)],
        readings=[
            Reading("at the mouse", lambda: f"{sweeper.below()} shapes"),
            Reading("motion", lambda: milliseconds("motion", "placing")),
            Reading("broadphase", lambda: milliseconds("broadphase")),
            Reading("narrowphase", lambda: milliseconds("narrowphase")),
        ],
        pointer=sweeper,
        legend=True,
    )
