"""The names that a game sees: how many there are, and that one thing has one name."""

from __future__ import annotations

import re
from typing import Any

import pytest

import ecsphys
from ecsphys import Physics, effects, systems, types
from ecsphys.components.other_names import other_names
from ecsphys.effects import Camera, Emitter, HomingLaser, ParallaxLayer, PerspectiveFloor, TileMap

# No entity, as the fields have it that name one: components with defaults there, made with the values they need.
NONE = (
    Camera(0, 0, 8, 6).target,
    HomingLaser(1, 1).target,
    ParallaxLayer(1, 1).camera,
    PerspectiveFloor(1, 1, 1).camera,
    TileMap([[1]], 1).camera,
)


COMPONENTS = [
    cls
    for module in (ecsphys, ecsphys.effects)
    for name in module.__all__
    if isinstance(cls := getattr(module, name), type)
    and cls.__module__.startswith("ecsphys.components.")
    and cls not in (ecsphys.Component, ecsphys.Joint)
    and name not in ("CollisionTable", "Splash", "Steering", "VisibleTiles")
]


@pytest.mark.parametrize("cls", COMPONENTS)
def test_all_components_are_final(cls: Any) -> None:
    with pytest.raises(TypeError, match=f"^{cls.__name__} is final, .* exact class"):
        type(cls)("Special", (cls,), {})


def test_physics_has_few_members() -> None:
    assert len([name for name in dir(Physics()) if not name.startswith("_")]) <= 30


def test_the_package_has_few_names_and_lists_no_others() -> None:
    assert len(ecsphys.__all__) <= 80
    assert dir(ecsphys) == sorted([*ecsphys.__all__, "effects", "systems", "types"])


def test_importing_all_names_leaves_modules_of_those_names_alone() -> None:
    game = {"types": "Python's own", "systems": "the game's", "effects": "the game's"}
    names: dict[str, object] = dict(game)
    exec("from ecsphys import *", names)
    assert {name: names[name] for name in game} == game
    assert names["Transform"] is ecsphys.Transform


OLD_PLACES = [
    *((name, f"{module.__name__}.{name}") for module in (systems, effects, types) for name in module.__all__),
    # A module that a game imports by itself is there once any test has done so.
    *((name, meant) for name, meant in other_names()["ecsphys"].items() if not meant.startswith("the module, ")),
]


@pytest.mark.parametrize(("old", "new"), OLD_PLACES)
def test_an_old_name_raises_an_error_that_gives_the_new_one(old: str, new: str) -> None:
    with pytest.raises(AttributeError, match=f"ecsphys has no '{old}'; use {re.escape(new)}"):
        getattr(ecsphys, old)
    with pytest.raises(ImportError, match=f"ecsphys has no '{old}'; use {re.escape(new)}"):
        exec(f"from ecsphys import {old}")


@pytest.mark.parametrize("old", ["started", "hits_of", "is_hitting", "check", "profile", "cell_size", "threads"])
def test_an_old_attribute_of_physics_raises_an_error_that_gives_the_new_one(old: str) -> None:
    with pytest.raises(AttributeError, match=f"^physics has no attribute '{old}'; use physics.(hits|debug|settings)"):
        getattr(Physics(), old)


def test_an_old_argument_of_install_raises_an_error_that_gives_the_new_one() -> None:
    calls: tuple[Any, ...] = (ecsphys.install, Physics)
    for call in calls:
        with pytest.raises(TypeError, match="has no argument 'substeps'; use motion_substeps"):
            call(substeps=2)


def test_no_entity_is_minus_one_in_every_field() -> None:
    assert set(NONE) == {-1}


def test_a_ray_has_one_kind_of_hit() -> None:
    assert ecsphys.types.RayHit is ecsphys.geometry.RayHit


def test_an_emitter_names_its_velocity_as_trajectories_do() -> None:
    emitter = Emitter(vx=1, vy=2, vx_spread=3, vy_spread=4, half_width=5, half_height=6, style=7)
    assert (emitter.vx, emitter.vy, emitter.half_width, emitter.half_height, emitter.style) == (1, 2, 5, 6, 7)


def test_the_names_that_are_exported_are_there() -> None:
    assert [name for name in ecsphys.__all__ if not hasattr(ecsphys, name)] == []
    assert len(set(ecsphys.__all__)) == len(ecsphys.__all__)
