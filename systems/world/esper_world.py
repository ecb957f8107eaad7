"""What a step must know of the current esper world beyond its public functions.

esper 3.9 offers no public way to ask three questions cheaply: which entities are marked dead, whether the database was
cleared, and which processors there are. The answers are read here, and nowhere else, from module variables that esper
keeps per world.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import esper


def dead_entities() -> set[int]:
    """Entities marked by ``delete_entity`` that esper removes at the next ``process``; they still are in queries."""
    return esper._dead_entities


def has_entity(entity: int) -> bool:
    """Whether an entity is in the database, also one that is marked dead."""
    return entity in esper._entities


def database_token() -> object:
    """An object that stays the same until ``clear_database``: esper restarts its entity numbers with a new counter."""
    return esper._entity_count


def refuse_other_world(world: str | None) -> None:
    """RuntimeError where another world is current than that of a physics, if it has one yet."""
    if world not in (None, esper.current_world):
        raise RuntimeError(f"this Physics belongs to the world {world!r}, not to {esper.current_world!r}")


def dead_in(world: str | None) -> set[int]:
    """:func:`dead_entities`, after :func:`refuse_other_world`; in one call for what is asked most often."""
    if world is not None and world != esper.current_world:
        refuse_other_world(world)
    return esper._dead_entities


def processors() -> tuple[esper.Processor, ...]:
    """All processors of the world, in their order; esper itself finds only the last one added of each class."""
    return tuple(esper._processors)


def handlers_of(event: str) -> list[Callable[..., Any]]:
    """The living handlers of an event now: a copy, because a handler may set and remove handlers."""
    references = esper.event_registry.get(event)
    if not references:
        return []
    return [handler for reference in tuple(references) if (handler := reference()) is not None]
