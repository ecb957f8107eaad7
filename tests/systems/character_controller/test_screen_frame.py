"""Where y points down, a character with ``up_y=-1`` does the same upside down, on all that characters know."""

from __future__ import annotations

import random

import esper
import pytest
from character_level import HEROES, solid

import ecsphys
from ecsphys import AABBCollider, Character, HarmonicTrajectory, OBBCollider, OneWay, Solid, Transform
from ecsphys.effects import TileMap


def played(name: str, flip: float) -> list[tuple[object, ...]]:
    """A run over slopes, steps, a plank, a platform and a wall; with ``flip`` −1 upside down."""
    physics = ecsphys.install()
    solid(AABBCollider(20.0, 0.5), 0.0, flip * -0.5)
    solid(OBBCollider(3.0, 0.5), 4.0, flip * 0.3, flip * 0.4)
    solid(AABBCollider(1.0, 0.15), -3.0, flip * 0.15)
    solid(AABBCollider(0.5, 3.0), -8.0, flip * 3.0)
    solid(AABBCollider(1.0, 0.1), -5.5, flip * 1.4, 0.0, OneWay(normal_y=flip))
    solid(AABBCollider(1.0, 0.1), 0.0, 0.0, 0.0, HarmonicTrajectory(0.0, flip * 1.0, 1.0, flip * 0.5, 2.0))
    place = Transform(0.0, flip * 3.0)
    walks = Character(step_height=0.35, snap_distance=0.3, up_y=flip, wall_reach=0.5)
    hero = esper.create_entity(place, HEROES[name](), walks)
    chance = random.Random(3)
    told: list[tuple[object, ...]] = []
    speed, rise = 0.1, 0.0
    for frame in range(150):
        esper.process(1 / 60)
        if frame % 25 == 0:
            speed = chance.choice((-0.15, 0.12, -0.1))
        move = physics.move_character(hero, (speed, flip * rise), drop=frame % 40 == 0)
        rise = 0.15 if move.on_floor and frame % 20 == 0 else max(rise - 0.01, -0.2)
        told.append((move.on_floor, move.on_wall, move.floor, [wall.entity for wall in move.walls][:: int(flip)]))
        told.append((round(place.x, 6), round(flip * place.y, 6)))
    return told


@pytest.mark.parametrize("name", ["aabb", "capsule"])
def test_a_run_upside_down_is_the_same_run(name: str) -> None:
    upright = played(name, 1.0)
    before = esper.current_world
    esper.switch_world("down")
    try:
        assert played(name, -1.0) == upright
    finally:
        esper.switch_world(before)
        esper.delete_world("down")
    assert {told[0] for told in upright[::2]} == {True, False}


def test_rows_of_tiles_from_the_top_down_carry_a_character_where_y_points_down() -> None:
    level = TileMap([[0, 0, 0], [0, 0, 0], [1, 1, 1]], 8)
    physics = ecsphys.install()
    esper.create_entity(Transform(), level.chain({1}), Solid())
    place = Transform(8, 0)
    hero = esper.create_entity(place, AABBCollider.from_rect(0, 0, 8, 8), Character(up_y=-1, grid=1))
    assert physics.move_character(hero, (0, 100)).on_floor
    assert (place.x, place.y) == (8, 8)
