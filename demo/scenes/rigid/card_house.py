"""A house of cards: nothing but friction holds it, until a marble falls in."""

from __future__ import annotations

import math
from typing import NamedTuple

import esper
import numpy as np

from ecsphys import CircleCollider, OBBCollider, RigidBody, Transform, Velocity
from ecsphys.demo.scenes.patterns.pattern import METAL
from ecsphys.demo.scenes.rigid.program import Program
from ecsphys.demo.scenes.rigid.sliders import material
from ecsphys.demo.scenes.rigid.stage import LEFT, open_stage, plank, show
from ecsphys.demo.scenes.rigid.tint import COOL, MACHINE, WARM, blend, put
from ecsphys.demo.scenes.scene import Caption, Layout

_STOREYS = 6
_HALF, _THIN = 1.22, 0.06
_FRICTION = 0.8
_SHELF = 13.0


class Card(NamedTuple):
    """A card of half sizes ``thin`` by ``half``, upright at angle 0; ``lies`` across two frames of its storey."""

    x: float
    y: float
    angle: float
    thin: float
    half: float
    storey: int
    lies: bool


def lay_cards(storeys: int, half: float, thin: float, lean: float = math.radians(24.0)) -> list[Card]:
    """A house about x = 0 on the ground y = 0: frames of two cards that lean on each other, and cards across."""
    reach = half * math.sin(lean) + thin * math.cos(lean)
    rise = half * math.cos(lean) + thin * math.sin(lean)
    cards: list[Card] = []
    for storey in range(storeys):
        bottom = 2.0 * (rise + thin) * storey
        frames = storeys - storey
        for frame in range(frames):
            x = 4.0 * reach * (frame - 0.5 * (frames - 1))
            cards += [Card(x + side * reach, bottom + rise, side * lean, thin, half, storey, False) for side in (-1, 1)]
            if frame:
                top = bottom + 2.0 * rise + thin
                cards.append(Card(x - 2.0 * reach, top, 0.5 * math.pi, thin, 2.0 * reach - 0.01, storey, True))
    return cards


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage()
    cards: list[int] = []
    for card in lay_cards(_STOREYS, _HALF, _THIN):
        color = blend(COOL if card.lies else WARM, card.storey / (_STOREYS - 1))
        body = RigidBody(friction=_FRICTION)
        place = Transform(card.x, card.y, card.angle)
        cards.append(put(color, place, OBBCollider(card.thin, card.half), body))
    plank(LEFT + 1.4, _SHELF - 0.15, 1.4, 0.15)
    marble = put(
        MACHINE,
        Transform(LEFT + 1.2, _SHELF + 0.45),
        Velocity(),
        CircleCollider(0.45),
        RigidBody(density=2.0, rolling_resistance=0.1),
        pattern=METAL,
    )
    esper.add_processor(Program(16.0, (8.0, lambda: physics.bodies.set_velocity(marble, (13.0, 2.0)))), priority=450)
    return show(
        physics,
        [
            Caption(
                LEFT + 0.3,
                16.4,
                "Pull a card out, gently",
                f"{len(cards)} thin boxes, held by RigidBody.friction alone",
            ),
            Caption(LEFT + 0.3, _SHELF - 0.6, "Flick the marble", "it rolls by itself in 8 s"),
        ],
        [material(physics, "friction of cards", "friction", cards, (0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0))],
    )
