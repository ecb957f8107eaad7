"""What the scenes of rigid bodies share: the stage they play on, its floor and walls, and what is told of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import esper
import numpy as np

import ecsphys
from ecsphys import AABBCollider, OBBCollider, Physics, RigidBody, Solid, Transform
from ecsphys.demo.scenes.parameter import Parameter, Reading
from ecsphys.demo.scenes.physics_parameters import gravity
from ecsphys.demo.scenes.rigid.program import Program
from ecsphys.demo.scenes.rigid.tint import STONE, Tints, put
from ecsphys.demo.scenes.scene import Box, Caption, Layout
from ecsphys.demo.scenes.sketch import Color, Sketch

ARENA: Box = (-19.0, -1.0, 19.0, 17.0)
"""What is seen: the floor's top is at y = 0."""
LEFT, RIGHT = ARENA[0] + 0.5, ARENA[2] - 0.5
"""Where the walls are."""


def open_stage(with_floor: bool = True, ceiling: float = ARENA[3]) -> Physics:
    """Physics with gravity in the current world, walls at both sides, a ceiling, and a floor, or an abyss."""
    physics = ecsphys.install(gravity=(0.0, -10.0))
    if with_floor:
        put(STONE, Transform(0.0, -1.0), AABBCollider(30.0, 1.0), Solid())
    put(STONE, Transform(0.0, ceiling + 1.0), AABBCollider(30.0, 1.0), Solid())
    for x in (LEFT - 1.0, RIGHT + 1.0):
        put(STONE, Transform(x, 15.0), AABBCollider(1.0, 40.0), Solid())
    return physics


def plank(
    x: float,
    y: float,
    half_width: float,
    half_height: float,
    angle: float = 0.0,
    color: Color = STONE,
    **material: Any,
) -> int:
    """A board that stays; ``material`` is that of a static RigidBody."""
    body = RigidBody("static", **material) if material else Solid()
    return put(color, Transform(x, y, angle), OBBCollider(half_width, half_height), body)


def show(
    physics: Physics,
    captions: Sequence[Caption],
    parameters: Sequence[Parameter] = (),
    readings: Sequence[Reading] = (),
    paint_below: Callable[[Sketch], None] | None = None,
    paint_above: Callable[[Sketch], None] | None = None,
) -> Layout:
    """The layout of a scene of bodies, with how many of them rest, and gravity and substeps to change.

    A :class:`Program` that is among the world's processors says when the scene begins again.
    """
    tints = Tints()

    def at_rest() -> str:
        _, rest = tints.resting()
        return f"{np.count_nonzero(rest)} of {len(rest)} bodies"

    program = esper.get_processor(Program)
    return Layout(
        physics,
        ARENA,
        list(captions),
        show_contacts=False,
        parameters=[*parameters, gravity(physics), solver_substeps(physics)],
        readings=[*readings, Reading("at rest", at_rest)],
        look=tints,
        paint_below=paint_below,
        paint_above=paint_above,
        has_bodies=True,
        loop=program if isinstance(program, Program) else None,
    )


def solver_substeps(physics: Physics) -> Parameter:
    """The substeps in which contacts are solved."""

    def change(count: float) -> None:
        physics.settings.solver_substeps = round(count)

    return Parameter("solver substeps", lambda: physics.settings.solver_substeps, change, (1, 2, 4, 8, 16))
