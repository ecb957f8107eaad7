"""esper's worlds and entities, and the functions of a game that are called by ecsphys."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count, starmap
from types import MethodType
from typing import TYPE_CHECKING, Any, Final, TypeVar

import esper

from ecsphys.components.collision.collision_filter import HitListener

if TYPE_CHECKING:
    _Count = count[int]
else:
    _Count = count


class NeverAttached:
    """A class that no entity ever has: esper's answer for it changes with any change of the world, and costs
    nothing."""


def has_entity(entity: int) -> bool:
    """Whether an entity is in the database, also one that is marked dead."""
    return entity in esper._entities


def are_alive(a: int, b: int) -> bool:
    """Whether two entities exist, neither of them marked dead."""
    entities, dead = esper._entities, esper._dead_entities
    return a in entities and b in entities and (not dead or not (a in dead or b in dead))


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


def processors() -> tuple[esper.Processor, ...]:
    """All processors of the world, in their order; esper itself finds only the last one added of each class."""
    return tuple(esper._processors)


def component_classes() -> tuple[type, ...]:
    """The classes of all components of the world."""
    return tuple(esper._components)


def handlers_of_idle_worlds(events: Iterable[str]) -> dict[str, list[str]]:
    """The other worlds without any processor that have handlers of some events, with the events."""
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


_Error = TypeVar("_Error", bound=BaseException)

PASSED: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("hit_started", "hit_ongoing", "hit_ended"), ("the Hit",)),
    **dict.fromkeys(("pair_started", "pair_ongoing", "pair_ended"), ("entity_a", "entity_b")),
    "bounds_reached": ("the entity", "the side"),
    "lifetime_ended": ("the entity",),
    "joint_broken": ("the JointBreak",),
}
"""The events that ecsphys sends, and the arguments that each passes to its handlers."""

_NUMBERS: Final = ("none", "one", "two")
_POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def misfit(function: Callable[..., Any], count: int) -> str:
    """A phrase such as "takes 2 arguments" for a function that cannot take ``count`` arguments; "" for all others.

    A function without a signature, such as some builtins, is taken to fit.
    """
    try:
        signature = inspect.signature(function, follow_wrapped=False)
    except (TypeError, ValueError):
        return ""
    try:
        signature.bind(*(None,) * count)
    except TypeError:
        return _describe(signature, isinstance(function, MethodType) and not isinstance(function.__self__, type))
    return ""


def misfit_handlers(event: str) -> list[tuple[Callable[..., Any], str]]:
    """The handlers of an event that cannot take its arguments, each with a message, by name."""
    passed, found = PASSED[event], []
    for reference in tuple(esper.event_registry.get(event, ())):
        handler = reference()
        if handler is not None and (phrase := misfit(handler, len(passed))):
            message = f"the handler {_name_of(handler)} of {event!r} {phrase}, but the event passes {_list(passed)}"
            found.append((handler, message))
    return sorted(found, key=lambda one: one[1])


def misfit_callback(listener: HitListener, field: str) -> str:
    """The message for a function of a listener that cannot take its arguments; "" if it can, or without a function."""
    function = getattr(listener, field)
    passed = ("the entity", "the other one") if listener.entities_only else ("the Hit",)
    if function is None or not (phrase := misfit(function, len(passed))):
        return ""
    switch = "one Hit without entities_only" if listener.entities_only else "two entities with entities_only=True"
    return f"the function {_name_of(function)} {phrase}, but the listener passes {_list(passed)} ({switch})"


def refuse_misfit(name: str, function: Callable[..., Any], *passed: str) -> None:
    """Raise TypeError if a function, set as ``name``, cannot take these arguments."""
    if phrase := misfit(function, len(passed)):
        raise TypeError(f"{name}: the function {_name_of(function)} {phrase}, but it gets {_list(passed)}")


def is_refused(error: BaseException) -> bool:
    """Whether an error, caught by the frame that made the call, was raised before any line of Python was reached."""
    traceback = error.__traceback__
    return type(error) is TypeError and traceback is not None and traceback.tb_next is None


def is_refusal_of(error: BaseException, function: Callable[..., Any]) -> bool:
    """Whether the message of an error of :func:`is_refused` is about a call of this function."""
    return str(error).startswith(f"{_called_name(function)}() ")


class Refusals:
    """Rewrites the errors of one delivery, for calls that Python refused. Each function is reported once."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def of_handlers(self, error: _Error, *events: str) -> _Error | TypeError | None:
        """What to report for an error that a call of these events' handlers raised; None if it was reported before."""
        if not is_refused(error):
            return error
        misfits = [one for event in events for one in misfit_handlers(event)]
        return self._report(error, [text for handler, text in misfits if is_refusal_of(error, handler)])

    def of_callback(self, error: _Error, entity: int, listener: HitListener, field: str) -> _Error | TypeError | None:
        """The same for a function of the listener of an entity."""
        if not is_refused(error) or not is_refusal_of(error, getattr(listener, field)):
            return error
        text = misfit_callback(listener, field)
        return self._report(error, [f"entity {entity}, HitListener.{field}: {text}"] if text else [])

    def _report(self, error: _Error, texts: list[str]) -> _Error | TypeError | None:
        if not texts:
            return error
        new = next((text for text in texts if text not in self._known), None)
        if new is None:
            return None
        self._known.add(new)
        return TypeError(new)


def _describe(signature: inspect.Signature, is_bound: bool) -> str:
    parameters = signature.parameters.values()
    named = [one.name for one in parameters if one.kind == one.KEYWORD_ONLY and one.default is one.empty]
    if named:
        return f"needs the keyword argument {named[0]!r}"
    positional = [one for one in parameters if one.kind in _POSITIONAL]
    least = sum(one.default is one.empty for one in positional)
    beside = " besides self" if is_bound else ""
    if any(one.kind == one.VAR_POSITIONAL for one in parameters):
        return f"takes {least} arguments or more{beside}"
    if least < len(positional):
        return f"takes {least} to {len(positional)} arguments{beside}"
    return f"takes {least or 'no'} argument{'' if least == 1 else 's'}{beside}"


def _list(passed: tuple[str, ...]) -> str:
    return f"{_NUMBERS[len(passed)]}: {' and '.join(passed)}"


def _called_name(function: Any) -> str:
    """How Python names it in its own errors."""
    while isinstance(function, partial):
        function = function.func
    if isinstance(function, type):
        return function.__name__ if function.__init__ is object.__init__ else function.__init__.__qualname__  # type: ignore[misc]
    if not hasattr(function, "__qualname__"):
        function = type(function).__call__
    name: str = getattr(function, "__qualname__", "")
    return name


def _name_of(function: Any) -> str:
    """Its name for people: without the places in which it was defined."""
    while isinstance(function, partial):
        function = function.func
    name: str = getattr(function, "__qualname__", type(function).__qualname__)
    return name.rsplit("<locals>.", 1)[-1]
