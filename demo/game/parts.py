"""The game's own components, beside the library's, and the layers that say which of its things collide."""

from __future__ import annotations

import enum

from ecsphys import CollisionTable, Component


class Layer(enum.IntFlag):
    """What a thing is, for its collisions."""

    SOLID = enum.auto()
    CRATE = enum.auto()
    HERO = enum.auto()
    FOE = enum.auto()
    WEAPON = enum.auto()
    """The hero's."""
    SHOT = enum.auto()
    """The foes': it breaks on walls, and the hero's weapons cut it."""
    MOON = enum.auto()
    """A shot that passes through walls."""
    LIGHT = enum.auto()
    """Beams and lasers of the foes: neither walls nor weapons stop it."""
    MOTE = enum.auto()
    DEBRIS = enum.auto()
    """Planks of crates and pieces of foes: they tumble over all that is solid, and the hero walks through them."""


TABLE = CollisionTable(
    Layer,
    {
        Layer.HERO: ~(Layer.HERO | Layer.WEAPON | Layer.DEBRIS),
        Layer.WEAPON | Layer.SHOT: Layer.SOLID | Layer.CRATE,
        Layer.WEAPON: Layer.FOE | Layer.SHOT | Layer.MOON,
        Layer.CRATE: Layer.SOLID | Layer.CRATE,
        Layer.DEBRIS: Layer.SOLID | Layer.CRATE | Layer.DEBRIS,
    },
)

MOTH, DIVER, THROWER, WARDEN, KEEPER = range(5)
"""Kinds of foes: it flutters, it dives past, it throws, it has moons around it, and it is the boss."""

SPARK, BOMB, BEAM, MOON, LASER = range(5)
"""Kinds of the foes' weapons."""

SWORD, BOLT, LANCE = range(3)
"""Kinds of the hero's weapons."""


class Foe(Component):
    """Something to fight. ``flash``: seconds for which it still shows that it was struck."""

    kind: int = MOTH
    health: float = 1.0
    score: int = 100
    flash: float = 0.0


class Strike(Component):
    """A weapon of the hero; ``uses``: how many more things it strikes before it is used up."""

    kind: int = SWORD
    damage: float = 1.0
    uses: int = 1000


class Harm(Component):
    """Touching this costs the hero ``damage`` health; ``fragile`` ones (1) break on whatever they touch."""

    kind: int = SPARK
    damage: int = 1
    fragile: int = 1


class Crate(Component):
    """A wooden box that the hero pushes, and that weapons and hard falls break."""

    health: float = 1.0


class Board(Component):
    """A board that hangs in the air."""


class Mound(Component):
    """A hill on the ground."""


class BridgePlank(Component):
    """A plank of the rope bridge; they are numbered from the left."""

    number: int = 0


class Debris(Component):
    """A piece that tumbles until its ``Lifetime`` ends; ``piece`` is its row in ``pieces.PIECES``."""

    piece: int = 0


class Mote(Component):
    """A light to collect, worth ``value`` points."""

    value: int = 10


class Throwing(Component):
    """Throws a bomb every ``period`` seconds; the next one in ``wait`` seconds."""

    period: float = 2.0
    wait: float = 1.0
