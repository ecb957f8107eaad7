"""All that a game can call and assign, found in what the package exports: so nothing new is left out."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple

import esper
import numpy as np

import ecsphys
from checks.hostile.examples_by_name import STEPPING, Layer
from ecsphys import Component, Physics, geometry

# Made by the library and only read by games, or made of these; or bases that are not attached.
RESULTS: Final = {
    "Bodies",
    "CharacterMove",
    "CharacterMoves",
    "ColliderArrays",
    "Component",
    "Contact",
    "Debug",
    "DebugLines",
    "EndedHitArrays",
    "Finding",
    "Hit",
    "HitArrays",
    "Hits",
    "Joint",
    "JointBreak",
    "LightMesh",
    "MassProperties",
    "MoveContact",
    "MoveResult",
    "Nearest",
    "NearestArrays",
    "OverlapArrays",
    "Profile",
    "RayHit",
    "RayHitArrays",
    "RowShifts",
    "Settings",
    "ShapecastHit",
    "ShapecastHitArrays",
    "Snapshot",
    "SolverContacts",
    "VisibleTiles",
}

_PLAIN: Final = {"ChainCollider", "CompoundCollider", "Disabled", "HitListener", "Solid", "TileMap"}

# What stages are called with by what has checked it, or has it from them.
_NOT_OF_GAMES: Final = {"put_state", "run", "take_state"}


class Call(NamedTuple):
    """A public function, class or method: its name, and what finds it for the physics of the current world."""

    name: str
    find: Callable[[Physics], Callable[..., Any]]


class Setting(NamedTuple):
    """An attribute that can be assigned: its owner's name, and what finds or makes the owner."""

    owner: str
    name: str
    find: Callable[[Physics], Any]


def exported() -> list[tuple[str, Any]]:
    """The names of the package and of its modules, and what they are."""
    places = (ecsphys, ecsphys.effects, ecsphys.systems, ecsphys.types)
    found = {name: getattr(place, name) for place in places for name in place.__all__}
    return sorted((name, one) for name, one in found.items() if not inspect.ismodule(one))


def attachable() -> list[type[Any]]:
    """The classes of components, plain ones too."""
    return [
        one
        for name, one in exported()
        if inspect.isclass(one) and name not in RESULTS and (issubclass(one, Component) or name in _PLAIN)
    ]


def assignable(cls: type[Any]) -> list[str]:
    """The names of a component's fields, and of the other attributes that have a setter."""
    names = [name for name in dir(cls) if not name.startswith("_")]
    found = [(name, inspect.getattr_static(cls, name)) for name in names]
    slots = [name for name in getattr(cls, "__annotations__", ()) if not name.startswith("_")] if cls in _OPEN else []
    return [name for name, one in found if isinstance(one, property) and one.fset is not None] + slots


# Plain classes whose annotated attributes are assigned directly.
_OPEN: Final = {ecsphys.HitListener}


def _methods(cls: type[Any], is_wanted: Callable[[Any], bool]) -> Iterator[str]:
    for name in dir(cls):
        if not name.startswith("_") and name not in _NOT_OF_GAMES and is_wanted(inspect.getattr_static(cls, name)):
            yield name


def _of_class(cls: type[Any], name: str, _: Physics) -> Any:
    return getattr(cls, name)


def _itself(one: Any, _: Physics) -> Any:
    return one


def class_methods() -> list[Call]:
    """The named constructors, and the class methods that all components have, once."""
    shared = ("column", "many", "rows_of", "write")
    calls = [Call(f"Transform.{name}", partial(_of_class, ecsphys.Transform, name)) for name in shared]
    for _, cls in exported():
        if not inspect.isclass(cls) or issubclass(cls, enum.Enum):
            continue
        names = _methods(cls, lambda found: isinstance(found, classmethod | staticmethod))
        calls += [Call(f"{cls.__name__}.{name}", partial(_of_class, cls, name)) for name in names if name not in shared]
    return calls


def functions() -> list[Call]:
    """The functions of the package and of ``ecsphys.geometry``, and the classes that are no components."""
    calls = [Call(name, partial(_itself, one)) for name, one in exported() if inspect.isfunction(one)]
    for name in sorted(geometry.__all__):
        one = getattr(geometry, name)
        if inspect.isfunction(one):
            calls.append(Call(f"geometry.{name}", partial(_itself, one)))
    components = attachable()
    for name, one in exported():
        is_made = inspect.isclass(one) and name not in RESULTS and one not in components
        if is_made and not issubclass(one, (enum.Enum, ecsphys.systems.Stage)):
            calls.append(Call(name, partial(_itself, one)))
    return calls


def _owners() -> dict[str, Callable[[Physics], Any]]:
    """The objects that games call methods of, from the physics of the current world."""
    return {
        "Physics": lambda physics: physics,
        "Physics.bodies": lambda physics: physics.bodies,
        "Physics.colliders": lambda physics: physics.debug.colliders,
        "Physics.settings": lambda physics: physics.settings,
        "Physics.debug": lambda physics: physics.debug,
        "DebugLines": lambda physics: physics.debug.lines(),
        "Physics.profile": lambda physics: physics.debug.profile,
        "Physics.hits": lambda physics: physics.hits,
        "Physics.hits.started": lambda physics: physics.hits.started,
        "Physics.hits.ended": lambda physics: physics.hits.ended,
        "Snapshot": lambda physics: physics.snapshot(),
        "Hit": lambda physics: next(iter(physics.hits)),
        "FixedStep": lambda physics: ecsphys.FixedStep([ecsphys.systems.EulerMotionSystem(physics), STEPPING]),
        "InputState": lambda _: ecsphys.InputState(),
        "LifetimeSystem": ecsphys.systems.LifetimeSystem,
        "LightSystem": ecsphys.systems.LightSystem,
        "ParticleSystem": ecsphys.systems.ParticleSystem,
        "ScrollingSystem": _scrolling,
        "RowShifts": lambda _: ecsphys.effects.RowShifts(np.array([1]), np.array([0, 2]), np.zeros(2)),
        "CollisionTable": lambda _: ecsphys.CollisionTable(Layer, {Layer.PLAYER: Layer.WALL}),
        "TileMap": lambda _: ecsphys.effects.TileMap([[0, 1], [1, 0]], 1.0),
    }


def _scrolling(physics: Physics) -> ecsphys.systems.ScrollingSystem:
    esper.create_entity(ecsphys.effects.Camera(0.0, 0.0, 10.0, 10.0))
    return ecsphys.systems.ScrollingSystem(physics)


def _method(make: Callable[[Physics], Any], name: str, physics: Physics) -> Any:
    return getattr(make(physics), name)


def without_owner(physics: Physics) -> list[str]:
    """The exported classes whose methods and settings nothing tries: of none is there an owner."""
    owned = tuple({type(make(physics)) for make in _owners().values()})
    tried = (*owned, *attachable(), ecsphys.systems.Stage)

    def is_game_s(found: Any) -> bool:
        return inspect.isfunction(found) or (isinstance(found, property) and found.fset is not None)

    return [
        name
        for name, one in exported()
        if inspect.isclass(one) and not issubclass(one, (*tried, enum.Enum)) and any(_methods(one, is_game_s))
    ]


def methods(physics: Physics) -> list[Call]:
    """Every method of those."""
    return [
        Call(f"{owner}.{name}", partial(_method, make, name))
        for owner, make in _owners().items()
        for name in _methods(type(make(physics)), inspect.isfunction)
    ]


def settings(physics: Physics) -> list[Setting]:
    """Every property of those that can be assigned to."""
    return [
        Setting(owner, name, make)
        for owner, make in _owners().items()
        for name in _methods(type(make(physics)), lambda found: isinstance(found, property) and found.fset is not None)
    ]
