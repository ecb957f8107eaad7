"""Load: the swarm that the benchmarks measure, thousands of shapes in motion."""

from __future__ import annotations

import esper
import numpy as np

import ecsphys
from ecsphys.demo.scenes.parameter import Reading
from ecsphys.demo.scenes.physics_parameters import cell_size, substeps
from ecsphys.demo.scenes.scene import Box, Layout
from ecsphys.demo.scenes.workloads import LiveWorkload, Workload, swarm_bodies

COUNT = 5000
ARENA: Box = (-134.0, -63.0, 134.0, 63.0)  # as dense as the swarm's own square, but as wide as a window


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
    physics.debug.profile.timed = True

    def milliseconds(*phases: str) -> str:
        timings = physics.debug.profile.timings
        return f"{1e3 * sum(timings.get(phase, 0.0) for phase in phases):.2f} ms"

    return Layout(
        physics,
        ARENA,
        show_contacts=False,
        grid=5.0,
        parameters=[cell_size(physics), substeps(physics)],
        readings=[
            Reading("motion", lambda: milliseconds("motion", "placing")),
            Reading("broadphase", lambda: milliseconds("broadphase")),
            Reading("narrowphase", lambda: milliseconds("narrowphase")),
        ],
    )
