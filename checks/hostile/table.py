"""The rows of the table, a field or an argument each, and what is wrong with the answers to hostile values."""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple

import esper

from checks.hostile.examples_by_name import Arguments
from checks.hostile.hostile_values import HOSTILE
from checks.hostile.public_calls import Call, assignable, attachable, class_methods, functions, methods, settings
from checks.hostile.steady_world import STEP, SteadyWorld
from ecsphys import CircleCollider, Physics, Transform, Velocity

_ROOTS = tuple(
    str(Path(sys.modules[name].__file__ or "").parent) for name in ("ecsphys", "ecsphys.systems", "ecsphys.components")
)

# What games are told to expect.
ERRORS = (TypeError, ValueError, KeyError)


@dataclass
class Tally:
    """How many cells were tried, refused at once, accepted and refused by the step after; and the faults."""

    cells: int = 0
    refused: int = 0
    refused_by_step: int = 0
    faults: list[str] = field(default_factory=list)


class Row(NamedTuple):
    """One field or argument. ``attempt`` does with a value what the row is about, in the current world."""

    owner: str
    argument: str
    attempt: Callable[[Physics, Any], None]

    attempt_valid: Callable[[Physics], None]
    """Does the same with a valid value: what raises then would hide what hostile values do."""

    names: tuple[str, ...]
    """What a clear message names one of: the argument without the plural's ending, so that "entity 7" will do."""

    @property
    def name(self) -> str:
        """As one would write it."""
        return f"{self.owner}({self.argument})"


def rows(physics: Physics) -> Iterator[Row]:
    """All rows, from the signatures; ``physics`` is only looked at."""
    for cls in attachable():
        names = Arguments(cls.__name__, cls).names
        for argument in names:
            yield Row(
                cls.__name__,
                argument,
                partial(_attach, cls, argument),
                partial(_attach_valid, cls),
                _names_of(argument),
            )
        for name in assignable(cls):
            attempts = partial(_assign, cls, name), partial(_attach_valid, cls)
            yield Row(f"{cls.__name__}.{name} = …", name, *attempts, _names_of(name))
    for call in (*functions(), *class_methods(), *methods(physics)):
        names = Arguments(call.name, call.find(physics)).names
        for argument in names:
            attempts = partial(_call, call, argument), partial(_call_valid, call)
            yield Row(call.name, argument, *attempts, _names_of(argument))
    for setting in settings(physics):
        owner, name = setting.owner, setting.name
        attempts = partial(_set, setting.find, name), partial(_set_same, setting.find, name)
        yield Row(f"{owner}.{name} = …", name, *attempts, _names_of(name))


# What an argument is called in messages, where that is something else: a processor's first argument is the frame's
# time, whatever else esper hands on; a target is two fields.
_ALSO_CALLED: Final = {"given": ("dt",), "others": ("dt",), "target": ("x_b", "y_b")}


def _names_of(argument: str) -> tuple[str, ...]:
    return (re.sub(r"(ies|s)$", "", argument), *_ALSO_CALLED.get(argument, ()))


def without_example(physics: Physics) -> list[str]:
    """The arguments that cannot be tried, for want of an example of them or of others."""
    calls = [Call(cls.__name__, partial(_same, cls)) for cls in attachable()]
    calls += [*functions(), *class_methods(), *methods(physics)]
    return [
        f"{call.name}({name})" for call in calls for name in Arguments(call.name, call.find(physics)).without_example()
    ]


def _same(one: Any, _: Physics) -> Any:
    return one


def _companions(cls: type[Any]) -> list[Any]:
    """What an entity needs for a component to mean something."""
    return [one for one in (Transform(), CircleCollider(1.0), Velocity()) if type(one) is not cls]


def _make(cls: type[Any], argument: str | None = None, value: Any = None) -> Any:
    arguments = Arguments(cls.__name__, cls)
    if argument is None:
        if not arguments.names:
            return cls()
        argument = arguments.names[0]
        value = arguments.example(argument) if argument in arguments.needed else None
        if value is None:
            placed, named = arguments.given(argument, None)
            named.pop(argument, None)
            return cls(*placed, **named)
    placed, named = arguments.given(argument, value)
    return cls(*placed, **named)


def _attach(cls: type[Any], argument: str, _: Physics, value: Any) -> None:
    esper.create_entity(*_companions(cls), _make(cls, argument, value))


def _attach_valid(cls: type[Any], _: Physics) -> None:
    esper.create_entity(*_companions(cls), _make(cls))


class ChangedError(Exception):
    """What was refused has changed something."""


def _assign(cls: type[Any], name: str, _: Physics, value: Any) -> None:
    made = _make(cls)
    esper.create_entity(*_companions(cls), made)
    esper.process(STEP)
    _assign_to(made, name, value)


def _set(find: Callable[[Physics], Any], name: str, physics: Physics, value: Any) -> None:
    _assign_to(find(physics), name, value)


def _set_same(find: Callable[[Physics], Any], name: str, physics: Physics) -> None:
    owner = find(physics)
    setattr(owner, name, getattr(owner, name))


def _assign_to(made: Any, name: str, value: Any) -> None:
    before = repr(getattr(made, name))
    try:
        setattr(made, name, value)
    except ERRORS:
        if repr(getattr(made, name)) != before:
            raise ChangedError(f"it was refused, and is {getattr(made, name)!r} now") from None
        raise


def _call(call: Call, argument: str, physics: Physics, value: Any) -> None:
    function = call.find(physics)
    placed, named = Arguments(call.name, function).given(argument, value)
    function(*placed, **named)


def _call_valid(call: Call, physics: Physics) -> None:
    function = call.find(physics)
    placed, named = Arguments(call.name, function).valid()
    function(*placed, **named)


class Table:
    """Tries values in rows, each row in a world that goes on as long as it works."""

    def __init__(self) -> None:
        self.tally = Tally()

    def try_row(self, row: Row, values: list[str]) -> None:
        """The cells of a row with the hostile values of these names."""
        world = SteadyWorld()
        try:
            fault = self._try_valid(world, row)
            if fault is not None:
                self.tally.faults.append(f"{row.owner}({row.argument}): {fault}")
            for name in values:
                fault = self._try_cell(world, row, HOSTILE[name])
                if fault is not None:
                    self.tally.faults.append(f"{row.owner}({row.argument} = {name}): {fault}")
                    world.close()
                    world = SteadyWorld()
        finally:
            world.close()

    def _try_valid(self, world: SteadyWorld, row: Row) -> str | None:
        """What is wrong with the examples, if anything is."""
        if row.owner == "install":
            return None
        try:
            row.attempt_valid(world.physics)
        except Exception as error:
            return f"its examples do not fit together: {type(error).__name__}: {error}"
        finally:
            world.clear()
        return None

    def _try_cell(self, world: SteadyWorld, row: Row, value: Any) -> str | None:
        """What is wrong, if anything is."""
        self.tally.cells += 1
        # install() adds what the world has already.
        is_own = row.owner == "install"
        if is_own:
            esper.switch_world(f"{world.name}, empty")
        try:
            fault = self._try_value(world, row, value)
        finally:
            if is_own:
                esper.switch_world(world.name)
                esper.delete_world(f"{world.name}, empty")
        if fault is not None:
            return fault
        try:
            world.clear()
            if row.owner.endswith("= …"):
                # What was accepted, as a gravity or a number of substeps, is not what the world had.
                return None
            world.works()
        except BaseException as error:
            return f"the world is broken: {type(error).__name__}: {error}"
        return None

    def _try_value(self, world: SteadyWorld, row: Row, value: Any) -> str | None:
        try:
            row.attempt(world.physics, value)
        except ERRORS as error:
            self.tally.refused += 1
            return None if is_clear(row, error) else f"{type(error).__name__} does not name it: {str(error)!r}"
        except BaseException as error:
            return f"{type(error).__name__}: {error}"
        return self._step(row, value)

    def _step(self, row: Row, value: Any) -> str | None:
        """Two steps, which may refuse an entity where what was accepted has led."""
        for _ in range(2):
            try:
                esper.process(STEP)
            except (TypeError, ValueError) as error:
                self.tally.refused_by_step += 1
                return None if "entity" in str(error) or is_clear(row, error) else f"stepped: {error}"
            except BaseException as error:
                return f"stepped: {type(error).__name__}: {error}"
        return None


def is_clear(row: Row, error: Exception) -> bool:
    """Whether the library itself has raised an error, and it names the row's argument, or one with too few rows."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or not _is_raised_at(trace):
        return False
    message = str(error)
    return "one per query" in message or any(re.search(rf"(?<![a-z]){name}", message) for name in row.names)


def _is_raised_at(trace: TracebackType) -> bool:
    """Whether the line is one of the package, and raises: errors of what it calls tell a game nothing."""
    path = trace.tb_frame.f_code.co_filename
    return path.startswith(_ROOTS) and linecache.getline(path, trace.tb_lineno).strip().startswith("raise")
