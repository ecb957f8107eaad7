"""One entity of a workload in plain numbers, so that every physics can be given the very same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ecsphys import Collider, CollisionFilter, Component, Transform, Velocity


@dataclass(frozen=True, slots=True)
class Body:
    """Where an entity begins, how it moves, and its collider: the class and the arguments of its constructor.

    ``velocity`` is (x, y, angular), None for what never moves. ``filters`` is (layers, mask), None to meet all.
    """

    x: float
    y: float
    angle: float
    velocity: tuple[float, float, float] | None
    collider: type[Collider]
    arguments: tuple[Any, ...]
    filters: tuple[int, int] | None = None

    def components(self) -> list[Component]:
        """The components of ecsphys for it, new ones."""
        components: list[Component] = [Transform(self.x, self.y, self.angle), self.collider(*self.arguments)]
        if self.velocity is not None:
            components.append(Velocity(*self.velocity))
        if self.filters is not None:
            components.append(CollisionFilter(*self.filters))
        return components
