"""Destroyed things fall apart into rigid pieces. The pieces tumble, come to rest, fade and go."""

from __future__ import annotations

import math

import esper
import numpy as np

import ecsphys
from ecsphys import Drag, Lifetime, RigidBody, Transform, Velocity
from ecsphys.demo.game.parts import TABLE, Debris, Layer
from ecsphys.demo.game.pieces import DENSITY, PIECES, rows_of

MOST = 96
"""Pieces that there are at once; beyond them the oldest go."""
SECONDS = 5.0
"""How long a piece stays, on average."""
FADE_SECONDS = 1.2
"""It fades in the last of them."""

_BURST = 4.5  # units/s away from the blow
_RISE = 3.0
_SPIN = 9.0  # radians/s at most


def scatter(
    kind: int, place: Transform, velocity: tuple[float, float], blow: tuple[float, float], rng: np.random.Generator
) -> None:
    """Let a foe, a crate or a moon at a place fall apart: its pieces fly on with its velocity, and away from a blow."""
    rows = rows_of(kind)
    _make_room(len(rows))
    c, s = math.cos(place.angle), math.sin(place.angle)
    for row in rows:
        piece = PIECES[row]
        x, y = place.x + c * piece.x - s * piece.y, place.y + s * piece.x + c * piece.y
        across, up = x - blow[0], y - blow[1]
        speed = _BURST * float(rng.uniform(0.5, 1.0)) / max(math.hypot(across, up), 0.5)
        vx = velocity[0] + speed * across
        vy = velocity[1] + speed * up + _RISE * float(rng.uniform(0.3, 1.0))
        esper.create_entity(
            Transform(x, y, place.angle),
            Velocity(vx, vy, float(rng.uniform(-_SPIN, _SPIN))),
            piece.collider(),
            RigidBody(density=DENSITY, friction=0.6, restitution=0.2, rolling_resistance=0.1),
            Drag(0.1, 0.6),
            Debris(row),
            Lifetime(SECONDS * float(rng.uniform(0.8, 1.2))),
            TABLE.filter(Layer.DEBRIS),
        )


def _make_room(count: int) -> None:
    """Let the oldest pieces go for ``count`` new ones."""
    pieces = ecsphys.join(Debris)[0]
    for entity in pieces[: max(len(pieces) + count - MOST, 0)].tolist():
        esper.delete_entity(entity)
