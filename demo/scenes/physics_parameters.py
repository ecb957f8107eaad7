"""The settings of a scene's physics, as parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast, get_args

from ecsphys import Physics
from ecsphys.demo.scenes.parameter import Parameter, option
from ecsphys.demo.scenes.tools.blast import DynamicBodies
from ecsphys.systems.arguments import Integrator

_AUTOMATIC = "automatic"


def _nothing() -> None:
    pass


def method(physics: Physics, then: Callable[[], None] = _nothing) -> Parameter:
    """The integrator; ``then`` is called after each change."""

    def put(name: str) -> None:
        physics.settings.integrator = cast(Integrator, name)
        then()

    return option("method", lambda: physics.settings.integrator, put, get_args(Integrator))


def substeps(physics: Physics, then: Callable[[], None] = _nothing) -> Parameter:
    """The substeps of stepped motion."""

    def put(count: float) -> None:
        physics.settings.motion_substeps = round(count)
        then()

    return Parameter("substeps", lambda: physics.settings.motion_substeps, put, (1, 2, 5, 10, 20))


def gravity(physics: Physics, then: Callable[[], None] = _nothing) -> Parameter:
    """The world's gravity, downwards; below 0 all falls up. The choices are about the one at the start."""
    start = -physics.gravity[1]
    bodies = DynamicBodies()

    def put(value: float) -> None:
        physics.gravity = (0.0, -value)
        physics.bodies.wake(bodies()[0])
        then()

    choices = sorted({-20.0, -15.0, -10.0, -5.0, 0.0, 5.0, 10.0, 15.0, 20.0, start})
    # A zero has no sign.
    return Parameter("gravity", lambda: 0.0 - physics.gravity[1], put, choices, "{:g} units/s²")


def cell_size(physics: Physics) -> Parameter:
    """The least side of the grid's cells, or the broadphase's own choice."""

    def get() -> str:
        return f"{physics.settings.cell_size:g}" if physics.settings.cell_size is not None else _AUTOMATIC

    def put(name: str) -> None:
        physics.settings.cell_size = None if name == _AUTOMATIC else float(name)

    return option("cell size", get, put, (_AUTOMATIC, "1", "2", "4", "8", "16"))
