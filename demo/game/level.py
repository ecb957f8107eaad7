"""The coast from the landing to the lighthouse: what stands where. Lengths in units, the ground's top is y = 0."""

from __future__ import annotations

import math
from dataclasses import dataclass

import esper
import numpy as np

from ecsphys import (
    AABBCollider,
    CircleCollider,
    HarmonicTrajectory,
    OBBCollider,
    PolygonCollider,
    Solid,
    Transform,
)
from ecsphys.demo.game.parts import DIVER, MOTH, TABLE, THROWER, WARDEN, Board, Layer, Mote, Mound

VIEW_WIDTH, VIEW_HEIGHT = 32.0, 18.0
VIEW_BOTTOM = -4.5
SEA = -2.4
"""The sea's level; what falls below it is lost."""

LENGTH = 186.0
ARENA_LEFT, ARENA_RIGHT = 154.0, 186.0
START = (3.0, 0.8)

GROUND: tuple[tuple[float, float], ...] = ((-8.0, 21.0), (30.0, 62.0), (67.0, 101.0), (104.0, 111.5), (115.0, 194.0))
"""Left and right ends of the ground's pieces; between them is the sea."""

BRIDGE = (21.0, 30.0)
"""The gap that a rope bridge spans."""

PLATFORMS: tuple[tuple[float, float, float, float], ...] = (
    (18.0, 2.6, 2.2, 0.0),
    (40.0, 2.4, 2.4, 0.0),
    (46.5, 4.6, 2.0, 0.08),
    (64.5, 1.0, 1.2, 0.0),
    (78.0, 2.6, 2.4, -0.06),
    (84.5, 4.8, 2.4, 0.0),
    (107.5, 3.0, 1.8, 0.0),
    (124.0, 2.5, 2.6, 0.0),
    (131.0, 4.6, 2.2, 0.1),
    (160.0, 2.7, 2.0, 0.0),
    (180.0, 2.7, 2.0, 0.0),
)
"""x, y, half width and angle of boards that hang in the air."""

RAMPS: tuple[tuple[float, float, float], ...] = ((53.0, 4.0, 1.6), (93.0, 4.5, 1.8), (139.0, 4.0, 1.5))
"""Left end, half width and height of mounds."""

CRATES: tuple[tuple[float, float], ...] = (
    (13.0, 0.65),
    (18.6, 3.53),
    (34.0, 0.65),
    (35.3, 0.65),
    (34.65, 1.95),
    (57.3, 2.25),
    (72.0, 0.65),
    (72.0, 1.95),
    (86.0, 5.73),
    (90.0, 0.65),
    (119.5, 0.65),
    (120.8, 0.65),
    (149.5, 0.65),
    (149.5, 1.95),
    (160.8, 3.63),
    (179.2, 3.63),
)
CRATE_HALF = 0.65


@dataclass(frozen=True)
class Foothold:
    """A foe that appears when the view's right border comes to ``x − 1``."""

    x: float
    y: float
    kind: int


@dataclass(frozen=True)
class Gate:
    """A place where the way closes for a fight: the middle of the view, and the waves of foes."""

    x: float
    waves: tuple[tuple[Foothold, ...], ...]


GATES: tuple[Gate, ...] = (
    Gate(
        46.2,
        (
            (Foothold(38.0, 2.2, MOTH), Foothold(54.0, 3.0, MOTH), Foothold(57.0, 2.0, MOTH)),
            (Foothold(60.0, 0.7, THROWER), Foothold(33.0, 0.7, THROWER), Foothold(46.0, 3.2, MOTH)),
        ),
    ),
    Gate(
        84.0,
        (
            (Foothold(72.0, 2.4, MOTH), Foothold(96.0, 1.6, MOTH), Foothold(98.0, 0.7, THROWER)),
            (Foothold(76.0, 3.0, WARDEN), Foothold(92.0, 3.0, MOTH)),
            (Foothold(70.0, 0.7, THROWER), Foothold(99.0, 0.7, THROWER), Foothold(84.0, 2.6, MOTH)),
        ),
    ),
    Gate(
        133.0,
        (
            (Foothold(121.0, 2.0, MOTH), Foothold(129.0, 3.2, MOTH), Foothold(146.0, 2.0, MOTH)),
            (Foothold(122.0, 2.8, WARDEN), Foothold(146.0, 0.7, THROWER)),
            (Foothold(144.0, 2.8, WARDEN), Foothold(120.0, 0.7, THROWER), Foothold(134.0, 3.0, MOTH)),
        ),
    ),
)

FOES: tuple[Foothold, ...] = (
    Foothold(21.0, 2.2, MOTH),
    Foothold(24.0, 4.4, MOTH),
    Foothold(40.0, 3.4, THROWER),
    Foothold(44.0, 2.4, MOTH),
    Foothold(50.0, 6.0, DIVER),
    Foothold(60.0, 1.6, MOTH),
    Foothold(64.5, 4.2, MOTH),
    Foothold(75.0, 1.6, DIVER),
    Foothold(79.0, 6.0, DIVER),
    Foothold(84.5, 5.8, THROWER),
    Foothold(88.0, 2.0, MOTH),
    Foothold(98.0, 3.4, WARDEN),
    Foothold(107.5, 4.0, THROWER),
    Foothold(113.0, 3.6, MOTH),
    Foothold(124.0, 3.5, THROWER),
    Foothold(127.0, 1.6, DIVER),
    Foothold(128.0, 5.2, DIVER),
    Foothold(133.0, 2.6, WARDEN),
    Foothold(143.0, 3.2, MOTH),
    Foothold(145.0, 4.4, MOTH),
    Foothold(148.0, 1.6, DIVER),
)


def build(rng: np.random.Generator) -> None:
    """Fill the current world with the ground, boards, mounds and lights."""
    for left, right in GROUND:
        half_width, half_height = 0.5 * (right - left), 3.0
        esper.create_entity(
            Transform(0.5 * (left + right), -half_height),
            AABBCollider(half_width, half_height),
            TABLE.filter(Layer.SOLID),
            Solid(),
        )
    for x, y, half_width, angle in PLATFORMS:
        slab = OBBCollider(half_width, 0.28)
        esper.create_entity(Transform(x, y, angle), slab, Board(), TABLE.filter(Layer.SOLID), Solid())
    for left, half_width, height in RAMPS:
        top = 0.35 * half_width
        corners = ((-half_width, 0.0), (half_width, 0.0), (top, height), (-top, height))
        place, hill = Transform(left + half_width, 0.0), PolygonCollider(corners)
        esper.create_entity(place, hill, Mound(), TABLE.filter(Layer.SOLID), Solid())
    for x in (-1.0, LENGTH + 1.0):
        add_wall(x)
    _add_motes(rng)


def add_wall(x: float) -> int:
    """A wall from the sea to the sky."""
    return esper.create_entity(Transform(x, 8.0), AABBCollider(1.0, 14.0), TABLE.filter(Layer.SOLID), Solid())


def _add_motes(rng: np.random.Generator) -> None:
    """Lights in rows and arcs that bob up and down, all along the way."""
    for left in np.arange(8.0, ARENA_LEFT - 8.0, 7.0):
        count = int(rng.integers(9, 16))
        base = float(rng.uniform(1.2, 5.2))
        arch = float(rng.uniform(-0.5, 1.6))
        for step in np.linspace(0.0, 1.0, count):
            x, y = left + 6.0 * step, base + arch * math.sin(math.pi * step)
            add_mote(float(x), float(y), float(rng.uniform(0.0, math.tau)))


def add_mote(x: float, y: float, phase: float) -> int:
    """One light to collect at (x, y)."""
    bob = HarmonicTrajectory(x, y, 0.0, 0.12, 3.0, phase)
    return esper.create_entity(Transform(x, y), bob, CircleCollider(0.22), Mote(), TABLE.filter(Layer.MOTE))
