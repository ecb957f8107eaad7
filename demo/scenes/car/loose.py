"""Crates and barrels: where they belong, how they break into planks, and how they come back."""

from __future__ import annotations

import math
from dataclasses import dataclass

import esper
import numpy as np

from ecsphys import CircleCollider, Collider, CollisionFilter, Lifetime, OBBCollider, RigidBody, Transform, Velocity
from ecsphys.demo.scenes.car.layers import DEBRIS_FILTER, LOOSE_FILTER
from ecsphys.demo.scenes.landscape import dusk
from ecsphys.demo.scenes.patterns.pattern import CRATE, WOOD
from ecsphys.demo.scenes.rigid.tint import WARM, put
from ecsphys.demo.scenes.sketch import Color

HALF_SIDE, BARREL_RADIUS = 0.45, 0.5
"""Half a crate's side, and a barrel's radius."""
_DENSITY = 0.06
_PIECES, _MOST_PIECES = 4, 60
_PIECE, _PIECE_SECONDS = (0.4, 0.07), 4.0
_SCATTER = 2.6


@dataclass
class Item:
    """A crate or barrel with its middle at (x, y) before the first step; ``entity`` is None for a broken one."""

    x: float
    y: float
    is_barrel: bool
    color: Color
    entity: int | None = None

    def make(self) -> int:
        """Put it, whole, where it belongs."""
        shape: Collider = CircleCollider(BARREL_RADIUS) if self.is_barrel else OBBCollider(HALF_SIDE, HALF_SIDE)
        body = RigidBody(density=_DENSITY, friction=0.4, rolling_resistance=0.05 if self.is_barrel else 0.0)
        self.entity = put(
            self.color,
            Transform(self.x, self.y),
            Velocity(),
            shape,
            body,
            CollisionFilter(*LOOSE_FILTER),
            pattern=WOOD if self.is_barrel else CRATE,
        )
        return self.entity


class LooseBodies:
    """All crates and barrels of a course."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.smashed = 0
        """How many have been broken since the start."""
        self._of: dict[int, Item] = {}
        self._pieces: list[int] = []
        self._rng = np.random.default_rng(5)

    def crate(self, x: float, foot: float, number: int) -> None:
        """Add a crate whose lower side is at the height ``foot``."""
        self.add(Item(x, foot + HALF_SIDE, False, WARM[number % len(WARM)]))

    def barrel(self, x: float, y: float) -> None:
        """Add a barrel with its middle at (x, y)."""
        self.add(Item(x, y, True, dusk.WOOD_LIGHT))

    def add(self, item: Item) -> None:
        """Add one, or one that was broken again."""
        if item not in self.items:
            self.items.append(item)
        self._of[item.make()] = item

    def __contains__(self, entity: int) -> bool:
        return entity in self._of

    def whole(self) -> list[Item]:
        """Crates and barrels in one piece."""
        return list(self._of.values())

    def broken(self) -> list[Item]:
        """Broken crates and barrels."""
        return [item for item in self.items if item.entity is None]

    def smash(self, entity: int) -> None:
        """Break one into planks that fly on, fall, and are gone after a while."""
        item = self._of.pop(entity)
        item.entity = None
        self.smashed += 1
        place = esper.component_for_entity(entity, Transform)
        velocity = esper.component_for_entity(entity, Velocity)
        pose, speed = (place.x, place.y, place.angle), (velocity.x, velocity.y)
        esper.delete_entity(entity, immediate=True)
        self._pieces = [piece for piece in self._pieces if esper.entity_exists(piece)]
        for number in range(min(_PIECES, _MOST_PIECES - len(self._pieces))):
            self._pieces.append(self._piece(item.color, pose, speed, number))

    def _piece(self, color: Color, pose: tuple[float, float, float], speed: tuple[float, float], number: int) -> int:
        x, y, angle = pose
        aside = HALF_SIDE * (2.0 * number / (_PIECES - 1) - 1.0)
        turn = angle + 0.5 * math.pi * (number % 2)
        spread, rise, spin = self._rng.uniform((-1.0, 0.2, -3.0), (1.0, 1.0, 3.0)).tolist()
        return put(
            color,
            Transform(x - aside * math.sin(angle), y + aside * math.cos(angle), turn),
            Velocity(speed[0] + _SCATTER * spread, speed[1] + _SCATTER * rise, 3.0 * spin),
            OBBCollider(*_PIECE),
            RigidBody(density=_DENSITY, friction=0.5),
            CollisionFilter(*DEBRIS_FILTER),
            Lifetime(_PIECE_SECONDS + 0.5 * spread),
            pattern=WOOD,
        )
