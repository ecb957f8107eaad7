"""What the tests of characters build their levels from."""

from __future__ import annotations

import math
from typing import Any

import esper

from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    Character,
    CircleCollider,
    Collider,
    CompoundCollider,
    OBBCollider,
    Physics,
    PolygonCollider,
    Solid,
    Transform,
)

DT = 1.0 / 60.0
SKIN = 2e-4  # a little more than the skin of a mover one unit wide

# All one unit high, their feet half a unit below their position.
HEROES: dict[str, Any] = {
    "circle": lambda: CircleCollider(0.5),
    "aabb": lambda: AABBCollider(0.4, 0.5),
    "obb": lambda: OBBCollider(0.5, 0.4, angle=math.pi / 2),
    "capsule": lambda: CapsuleCollider(0.4, 0.3, angle=math.pi / 2),
    "rounded polygon": lambda: PolygonCollider([(-0.3, -0.4), (0.3, -0.4), (0.0, 0.4)], radius=0.1),
}


def solid(collider: Collider, x: float, y: float, angle: float = 0.0, *more: object) -> tuple[int, Transform]:
    """A solid entity and its place."""
    place = Transform(x, y, angle)
    return esper.create_entity(place, collider, Solid(), *more), place


def block(min_x: float, min_y: float, max_x: float, max_y: float, *more: object) -> tuple[int, Transform]:
    """A solid rectangle and the place of its middle."""
    half = (0.5 * (max_x - min_x), 0.5 * (max_y - min_y))
    return solid(AABBCollider(*half), 0.5 * (min_x + max_x), 0.5 * (min_y + max_y), 0.0, *more)


def floor(y: float = 0.0) -> int:
    """A wide floor."""
    return block(-50.0, y - 1.0, 50.0, y)[0]


def standing(
    physics: Physics, collider: Collider, x: float, y: float, character: Character | None = None
) -> tuple[int, Transform]:
    """A character that has fallen upon what is within a unit below (x, y), and its place."""
    entity, place = hero(collider, x, y, character)
    fallen = physics.move_character(entity, (0.0, -1.0))
    assert fallen.on_floor
    return entity, place


def hero(
    collider: Collider | CompoundCollider, x: float, y: float, character: Character | None = None
) -> tuple[int, Transform]:
    """A character and its place."""
    place = Transform(x, y)
    return esper.create_entity(place, collider, character or Character()), place
