"""Facts about the current esper world that a step needs and esper's public functions do not give.

esper 3.9 offers no public way to ask some questions cheaply: which entities exist, whether the database was cleared,
which entities there were, which processors there are, and which classes components have. The answers are read here
from module variables that esper keeps per world; for those marked dead see
:mod:`~ecsphys.components.store.component_table`.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from itertools import count, starmap
from typing import TYPE_CHECKING, TypeVar

import esper

from ecsphys.components.store.component_table import dead_entities

_Component = TypeVar("_Component")

if TYPE_CHECKING:
    _Count = count[int]
else:
    _Count = count


def has_entity(entity: int) -> bool:
    """Whether an entity is in the database, also one that is marked dead."""
    return entity in esper._entities


def are_alive(a: int, b: int) -> bool:
    """Whether two entities exist, neither of them marked dead."""
    entities, dead = esper._entities, esper._dead_entities
    return a in entities and b in entities and (not dead or not (a in dead or b in dead))


def component_of(entity: int, component_type: type[_Component]) -> _Component | None:
    """The component of an entity, also of one that is marked dead; None without one, or without the entity."""
    components = esper._entities.get(entity)
    return None if components is None else components.get(component_type)


def database_token() -> object:
    """An object that stays the same until ``clear_database``: esper restarts its entity numbers with a new counter."""
    return _token_of(esper._entity_count)


def _token_of(counter: object) -> object:
    return counter.token if type(counter) is _RestoredCount else counter


class _RestoredCount(_Count):
    """esper's counter of entities, put back to an earlier number. It still belongs to the same database."""

    __slots__ = ("token",)

    token: object


def next_entity() -> int:
    """The number that the next entity gets."""
    # Neither is there another way to ask, nor, from Python 3.14 on, to copy it.
    shown = repr(esper._entity_count)
    return int(shown[shown.index("(") + 1 : -1])


def put_next_entity(number: int, token: object) -> None:
    """Let the next entity get a number, in the database of a token."""
    if database_token() is token and next_entity() == number:
        return
    counter = _RestoredCount(number)
    counter.token = token
    esper._entity_count = counter


def put_dead_entities(entities: Iterable[int]) -> None:
    """Let these entities be marked dead, and no others."""
    dead = dead_entities()
    dead.clear()
    dead.update(entities)


def was_entity(number: int) -> bool:
    """Whether an entity has or had this number since the database was last cleared."""
    return 0 < number < next_entity()


def has_world(world: str) -> bool:
    """Whether a world exists."""
    return world == esper.current_world or world in esper._context_map


def token_in(world: str | None) -> object:
    """The token of the database of a world, None for the current one; None if there is no such world any more."""
    if world is None or world == esper.current_world:
        return database_token()
    kept = esper._context_map.get(world)
    return None if kept is None else _token_of(kept[0])


def entity_counter() -> object:
    """esper's counter of entities: another object after ``clear_database``, for :func:`is_counter`."""
    return esper._entity_count


def is_counter(counter: object) -> bool:
    """Whether the current database was not cleared since it had a counter: :func:`database_token` in half the time.

    Between two calls of handlers only: ``restore``, which is refused there, replaces the counter as well.
    """
    return esper._entity_count is counter


def refuse_other_world(world: str | None) -> None:
    """Raise RuntimeError if a physics has a world and another world is current."""
    if world not in (None, esper.current_world):
        raise RuntimeError(f"this Physics belongs to the world {world!r}, not to {esper.current_world!r}")


def dead_in(world: str | None) -> set[int]:
    """The entities marked dead, after :func:`refuse_other_world`: one call for the most frequent question."""
    if world is not None and world != esper.current_world:
        refuse_other_world(world)
    return esper._dead_entities


def processors() -> tuple[esper.Processor, ...]:
    """All processors of the world, in their order; esper itself finds only the last one added of each class."""
    return tuple(esper._processors)


def component_classes() -> tuple[type, ...]:
    """The classes of all components of the world."""
    return tuple(esper._components)


def handlers_of_idle_worlds(events: Iterable[str]) -> dict[str, list[str]]:
    """The other worlds without any processor that have handlers of some events, and of which."""
    # esper keeps for each world eleven of its variables, the processors and the handlers among them.
    found = {}
    for world, kept in esper._context_map.items():
        names = [name for name in events if name in kept[10]]
        if world != esper.current_world and names and not kept[6]:
            found[world] = names
    return found


def handler_calls(event: str, arguments: tuple[object, ...]) -> Iterator[object]:
    """Calls the handlers that an event has now, each when the next result is asked for."""
    references = esper.event_registry.get(event, ())
    if len(references) == 1:
        (reference,) = references
        handler = reference()
        return starmap(handler, () if handler is None else (arguments,))
    # A copy, because a handler may set and remove handlers.
    handlers = [reference() for reference in tuple(references)]
    return starmap(operator.call, [(handler, *arguments) for handler in handlers if handler is not None])
