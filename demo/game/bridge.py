"""The rope bridge over the first gap: planks that hang together by hinges, and sag under the hero and under crates."""

from __future__ import annotations

import math
from itertools import pairwise

import esper
import numpy as np

from ecsphys import Drag, OBBCollider, RevoluteJoint, RigidBody, Solid, Transform, Velocity
from ecsphys.demo.game.level import BRIDGE
from ecsphys.demo.game.parts import TABLE, BridgePlank, Layer

PLANKS = 13
THICK = 0.1
"""Half the thickness of a plank."""
SAG = 0.75
JOINT_ITERATIONS = 4
"""Of the solver: a row of light planks then hardly stretches under heavy crates."""

_GAP = 0.03  # between a plank's end and its hinge


def add_bridge() -> None:
    """Hang the bridge between the two banks, its ends level with the ground."""
    part = np.linspace(0.0, 1.0, PLANKS + 1)
    x = BRIDGE[0] + (BRIDGE[1] - BRIDGE[0]) * part
    y = -THICK - 4.0 * SAG * part * (1.0 - part)
    hinges: list[tuple[float, float]] = list(zip(x.tolist(), y.tolist(), strict=True))
    planks = [_add_plank(number, start, end) for number, (start, end) in enumerate(pairwise(hinges))]
    for (a, b), hinge in zip(pairwise((None, *planks)), hinges[:-1], strict=True):
        esper.create_entity(RevoluteJoint.at(a, b, *hinge))
    esper.create_entity(RevoluteJoint.at(None, planks[-1], *hinges[-1]))


def _add_plank(number: int, start: tuple[float, float], end: tuple[float, float]) -> int:
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    return esper.create_entity(
        Transform(0.5 * (start[0] + end[0]), 0.5 * (start[1] + end[1]), angle),
        Velocity(),
        OBBCollider(0.5 * math.dist(start, end) - _GAP, THICK),
        BridgePlank(number),
        RigidBody(density=2.5, friction=0.8),
        Drag(1.2, 1.2),
        Solid(),
        TABLE.filter(Layer.SOLID),
    )
