"""A house of cards: nothing but friction holds it, until a marble falls in."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys import CircleCollider, OBBCollider, RigidBody, Transform, Velocity
from ecsphys.demo.scenes.rigid.program import Program
from ecsphys.demo.scenes.rigid.stage import LEFT, open_stage, plank, show
from ecsphys.demo.scenes.rigid.tint import COOL, MACHINE, WARM, blend, put
from ecsphys.demo.scenes.scene import Caption, Layout

_STOREYS = 6
_HALF, _THIN = 1.22, 0.06
_LEAN = math.radians(24.0)
_FRICTION = 0.8
_SHELF = 13.0


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage()
    reach = _HALF * math.sin(_LEAN) + _THIN * math.cos(_LEAN)
    rise = _HALF * math.cos(_LEAN) + _THIN * math.sin(_LEAN)
    floor = 0.0
    for storey in range(_STOREYS):
        frames = _STOREYS - storey
        leaning, lying = blend(WARM, storey / (_STOREYS - 1)), blend(COOL, storey / (_STOREYS - 1))
        for frame in range(frames):
            x = 4.0 * reach * (frame - 0.5 * (frames - 1))
            for side in (-1.0, 1.0):
                _card(x + side * reach, floor + rise, side * _LEAN, leaning)
            if frame:
                _card(x - 2.0 * reach, floor + 2.0 * rise + _THIN, 0.5 * math.pi, lying, 2.0 * reach - 0.01)
        floor += 2.0 * (rise + _THIN)
    plank(LEFT + 1.4, _SHELF - 0.15, 1.4, 0.15)
    marble = put(
        MACHINE,
        Transform(LEFT + 1.2, _SHELF + 0.45),
        Velocity(),
        CircleCollider(0.45),
        RigidBody(density=2.0, rolling_resistance=0.1),
    )
    esper.add_processor(Program(16.0, (8.0, lambda: physics.bodies.set_velocity(marble, (13.0, 2.0)))), priority=450)
    return show(
        physics,
        [
            Caption(
                LEFT + 0.3,
                16.4,
                "A house of cards",
                f"friction {_FRICTION:g} holds it; the cards are 1 : {_HALF / _THIN:.0f}",
            ),
            Caption(LEFT + 0.3, _SHELF - 0.6, "A marble", "it rolls after eight seconds"),
        ],
    )


def _card(x: float, y: float, angle: float, color: tuple[float, float, float], half: float = _HALF) -> None:
    put(color, Transform(x, y, angle), OBBCollider(_THIN, half), RigidBody(friction=_FRICTION))
