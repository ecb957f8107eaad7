"""A small world that must go on working, whatever was tried in it."""

from __future__ import annotations

import math
from itertools import count

import esper

import ecsphys
from ecsphys import CircleCollider, Transform, Velocity

STEP = 1 / 64

# Far from what is tried, so that nothing near the origin is hit.
_PLACE = -1e5

_numbers = count(1)


class SteadyWorld:
    """Two circles that overlap by half a unit and drift along together, a unit a second; the esper world is its own."""

    def __init__(self) -> None:
        self.name = f"hostile {next(_numbers)}"
        esper.switch_world(self.name)
        self.physics = ecsphys.install(threads=1)
        # The entity that 1 and True name has nothing.
        esper.create_entity()
        self.a, self.b = (
            esper.create_entity(Transform(_PLACE + x, _PLACE), CircleCollider(1.0), Velocity(0.0, 1.0))
            for x in (0.0, 1.5)
        )
        self._kept = set(esper._entities)
        self.works()

    def works(self) -> None:
        """AssertionError unless a step still does what it did: hits, depths, queries and motion."""
        before = esper.component_for_entity(self.a, Transform).y
        esper.process(STEP)
        transform = esper.component_for_entity(self.a, Transform)
        _require(transform.y == before + STEP, f"y is {transform.y}, not {before + STEP}")
        hits = self.physics.hits
        depths = hits.depth[(hits.entity_a == self.a) & (hits.entity_b == self.b)].tolist()
        _require(depths == [0.5], f"depths are {depths}")
        found = self.physics.raycast((transform.x - 3.0, transform.y), (1.0, 0.0), 3.0)
        _require(found is not None and found.entity == self.a, f"a ray finds {found}")
        _require(found is not None and math.isclose(found.distance, 2.0), f"a ray finds {found}")

    def clear(self) -> None:
        """Delete all entities but those of this world."""
        esper.clear_dead_entities()
        for entity in esper._entities.keys() - self._kept:
            esper.delete_entity(entity, immediate=True)

    def close(self) -> None:
        """Remove the esper world."""
        if self.name in esper.list_worlds():
            esper.switch_world("default")
            esper.delete_world(self.name)


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise AssertionError(message)
