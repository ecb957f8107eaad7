"""What the hero strikes with: the sword's fan, bolts of light, and the lance of a dash."""

from __future__ import annotations

import math

import esper

from ecsphys import CapsuleCollider, CircleCollider, FanCollider, LinearTrajectory, Parent, Transform
from ecsphys.demo.game.parts import BOLT, LANCE, SWORD, Lifetime, Strike, strike_filter
from ecsphys.demo.game.splashes import AQUA, trail

HAND_Y = 0.1
"""Of the hand, above the hero's middle."""
SWORD_REACH = 2.3
SWORD_SPREAD = 2.5
SWORD_SECONDS = 0.16
BOLT_SPEED = 22.0
LANCE_LENGTH = 2.6
LANCE_RADIUS = 0.34


def swing_sword(hero: int, facing: int) -> int:
    """The sector that a swing covers, in front of the hero, who carries it."""
    return esper.create_entity(
        Transform(),
        _in_hand(hero, facing),
        FanCollider(SWORD_REACH, SWORD_SPREAD),
        Strike(SWORD, 2.0),
        Lifetime(SWORD_SECONDS),
        strike_filter(),
    )


def throw_bolt(x: float, y: float, direction: tuple[float, float]) -> int:
    """A bolt from (x, y) in a unit direction."""
    return esper.create_entity(
        Transform(x, y, math.atan2(direction[1], direction[0])),
        LinearTrajectory(x, y, BOLT_SPEED * direction[0], BOLT_SPEED * direction[1]),
        CircleCollider(0.24),
        Strike(BOLT, 1.0, 1),
        trail(AQUA, 60.0),
        Lifetime(0.9),
        strike_filter(),
    )


def couch_lance(hero: int, facing: int, seconds: float) -> int:
    """The lance, held forward for as long as a dash lasts."""
    return esper.create_entity(
        Transform(),
        _in_hand(hero, facing),
        CapsuleCollider(LANCE_LENGTH, LANCE_RADIUS, offset_x=0.5 * LANCE_LENGTH),
        Strike(LANCE, 3.0),
        Lifetime(seconds),
        strike_filter(),
    )


def _in_hand(hero: int, facing: int) -> Parent:
    return Parent(hero, 0.0, HAND_Y, 0.0 if facing > 0 else math.pi)
