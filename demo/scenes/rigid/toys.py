"""Bodies of every shape, in a colour for each."""

from __future__ import annotations

import math

from ecsphys import (
    CapsuleCollider,
    CircleCollider,
    Collider,
    CompoundCollider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.demo.scenes.rigid.tint import BRIGHT
from ecsphys.demo.scenes.sketch import Color

TOYS = ("circle", "box", "capsule", "fan", "polygon", "rounded polygon", "wide fan", "compound")


def toy(kind: int, size: float) -> Collider | CompoundCollider:
    """The collider of one of :data:`TOYS`, about ``size`` units from its middle to its rim."""
    if kind == 0:
        return CircleCollider(0.85 * size)
    if kind == 1:
        return OBBCollider(0.95 * size, 0.6 * size)
    if kind == 2:
        return CapsuleCollider(1.2 * size, 0.45 * size)
    if kind == 3:
        return FanCollider(1.35 * size, 1.9, offset_x=-0.7 * size)
    if kind == 4:
        return PolygonCollider(_ring(5, size))
    if kind == 5:
        return PolygonCollider(_ring(3, 0.75 * size), 0.25 * size)
    if kind == 6:
        return FanCollider(0.95 * size, 4.9)
    return CompoundCollider([OBBCollider(size, 0.28 * size), OBBCollider(0.28 * size, size)])


def toy_color(kind: int) -> Color:
    """The colour of one of :data:`TOYS`."""
    return BRIGHT[kind % len(BRIGHT)]


def _ring(corners: int, radius: float) -> list[tuple[float, float]]:
    turns = [math.tau * corner / corners for corner in range(corners)]
    return [(radius * math.cos(turn), radius * math.sin(turn)) for turn in turns]
