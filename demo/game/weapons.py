"""What the hero strikes with: the sword's fan, bolts of light, and the lance of a dash."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper

from ecsphys import (
    CapsuleCollider,
    CircleCollider,
    FanCollider,
    HitListener,
    Lifetime,
    LinearTrajectory,
    Parent,
    Transform,
)
from ecsphys.demo.game.parts import BOLT, LANCE, SWORD, TABLE, Layer, Strike
from ecsphys.demo.game.splashes import AQUA, trail
from ecsphys.types import Hit

HAND_Y = 0.1
"""Of the hand, above the hero's middle."""
SWORD_REACH = 2.3
SWORD_SPREAD = 2.5
SWORD_SECONDS = 0.16
BOLT_SPEED = 22.0
LANCE_LENGTH = 2.6
LANCE_RADIUS = 0.34

OnStrike = Callable[[Hit], None]
"""Called with each thing that a weapon strikes; the weapon is ``entity_a``."""


def swing_sword(hero: int, facing: int, on_strike: OnStrike) -> int:
    """The sector that a swing covers, in front of the hero, who carries it."""
    return esper.create_entity(
        Transform(),
        _in_hand(hero, facing),
        FanCollider(SWORD_REACH, SWORD_SPREAD),
        Strike(SWORD, 2.0),
        Lifetime(SWORD_SECONDS),
        TABLE.filter(Layer.WEAPON),
        HitListener(on_started=on_strike),
    )


def throw_bolt(x: float, y: float, direction: tuple[float, float], on_strike: OnStrike) -> int:
    """A bolt from (x, y) in a unit direction."""
    return esper.create_entity(
        Transform(x, y, math.atan2(direction[1], direction[0])),
        LinearTrajectory(x, y, BOLT_SPEED * direction[0], BOLT_SPEED * direction[1]),
        CircleCollider(0.24),
        Strike(BOLT, 1.0, 1),
        trail(AQUA, 60.0),
        Lifetime(0.9),
        TABLE.filter(Layer.WEAPON),
        HitListener(on_started=on_strike),
    )


def couch_lance(hero: int, facing: int, seconds: float, on_strike: OnStrike) -> int:
    """The lance, held forward for as long as a dash lasts."""
    return esper.create_entity(
        Transform(),
        _in_hand(hero, facing),
        CapsuleCollider(LANCE_LENGTH, LANCE_RADIUS, offset_x=0.5 * LANCE_LENGTH),
        Strike(LANCE, 3.0),
        Lifetime(seconds),
        TABLE.filter(Layer.WEAPON),
        HitListener(on_started=on_strike),
    )


def _in_hand(hero: int, facing: int) -> Parent:
    return Parent(hero, 0.0, HAND_Y, 0.0 if facing > 0 else math.pi)
