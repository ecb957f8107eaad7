"""The game's own components, beside the library's, and the layers by which its things meet each other."""

from __future__ import annotations

from ecsphys import CollisionFilter, Component

SOLID, HERO, FOE, HERO_WEAPON, FOE_WEAPON, PICKUP, CRATE = (1 << bit for bit in range(7))

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
    """A wooden box that the sword breaks."""

    health: float = 1.0


class Mote(Component):
    """A light to collect, worth ``value`` points."""

    value: int = 10


class Lifetime(Component):
    """Seconds until the entity is deleted."""

    seconds: float = 1.0


class Throwing(Component):
    """Throws a bomb every ``period`` seconds; the next one in ``wait`` seconds."""

    period: float = 2.0
    wait: float = 1.0


def solid_filter() -> CollisionFilter:
    return CollisionFilter(SOLID, HERO | HERO_WEAPON | FOE_WEAPON | CRATE)


def crate_filter() -> CollisionFilter:
    """As solid as the ground, and stopped by it: what is built of solids alone does not meet itself."""
    return CollisionFilter(SOLID | CRATE, SOLID | HERO | HERO_WEAPON | FOE_WEAPON)


def hero_filter() -> CollisionFilter:
    return CollisionFilter(HERO, SOLID | FOE | FOE_WEAPON | PICKUP)


def foe_filter() -> CollisionFilter:
    return CollisionFilter(FOE, HERO | HERO_WEAPON)


def strike_filter() -> CollisionFilter:
    return CollisionFilter(HERO_WEAPON, SOLID | FOE | FOE_WEAPON)


def harm_filter() -> CollisionFilter:
    return CollisionFilter(FOE_WEAPON, SOLID | HERO | HERO_WEAPON)


def moon_filter() -> CollisionFilter:
    return CollisionFilter(FOE_WEAPON, HERO | HERO_WEAPON)


def beam_filter() -> CollisionFilter:
    """What light is made of: it meets the hero alone, neither walls nor swords."""
    return CollisionFilter(FOE_WEAPON, HERO)


def pickup_filter() -> CollisionFilter:
    return CollisionFilter(PICKUP, HERO)
