"""``wall_reach``: walls beside a character are found without a push. ``grid``: it stands on whole pixels."""

from __future__ import annotations

import math

import esper
import pytest
from character_level import DT, HEROES, block, floor, hero, solid, standing

import ecsphys
from ecsphys import AABBCollider, CapsuleCollider, Character, OBBCollider, OneWay, Physics, Solid, Transform


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install()


@pytest.mark.parametrize("name", HEROES)
def test_walls_within_reach_are_found_on_either_side_without_a_push(physics: Physics, name: str) -> None:
    floor()
    left = block(-2.0, -1.0, -1.0, 5.0)[0]
    right = block(1.0, -1.0, 2.0, 5.0)[0]
    entity, place = standing(physics, HEROES[name](), 0.0, 1.0, Character(wall_reach=0.8))
    move = physics.move_character(entity, (0.0, -0.1))
    assert [wall.entity for wall in move.walls] == [left, right]
    assert [wall.normal for wall in move.walls] == [(1.0, 0.0), (-1.0, 0.0)]
    assert [wall.point[0] for wall in move.walls] == [-1.0, 1.0]
    assert (move.on_wall, move.moved[0]) == (False, 0.0)
    place.x = 0.45
    esper.component_for_entity(entity, Character).wall_reach = 0.3
    assert [wall.entity for wall in physics.move_character(entity, (0.0, 0.0)).walls] == [right]
    esper.component_for_entity(entity, Character).wall_reach = 0.0
    assert physics.move_character(entity, (0.0, 0.0)).walls == ()


def test_floors_slopes_and_what_lets_pass_are_no_walls(physics: Physics) -> None:
    for x in range(-5, 5):
        block(x, -1.0, x + 1.0, 0.0)
    solid(OBBCollider(2.0, 0.1), 2.0, 0.2, 0.4)
    block(-1.2, 0.0, -1.0, 3.0, OneWay(-1.0, 0.0))
    esper.create_entity(Transform(-1.0, 1.0), AABBCollider(0.2, 2.0))
    entity, _ = standing(physics, HEROES["aabb"](), -0.4, 1.0, Character(wall_reach=2.0))
    assert physics.move_character(entity, (0.0, -0.1)).walls == ()


def test_sides_turn_with_up_and_the_nearest_wall_counts(physics: Physics) -> None:
    near, far = block(1.0, -1.0, 1.2, 1.0)[0], block(1.1, -2.0, 2.0, 2.0)[0]
    other = block(-2.0, -1.0, -1.0, 1.0)[0]
    entity, _ = hero(AABBCollider(0.5, 0.5), 0.0, 0.0, Character(up_y=-1.0, wall_reach=0.65))
    moves = physics.move_characters([entity, entity], [(0.0, 0.0), (0.0, 1.75)])
    assert moves.wall_entity.tolist() == [[near, other], [far, -1]]
    assert moves.wall_normal[0].tolist() == [[-1.0, 0.0], [1.0, 0.0]]
    assert [wall.entity for wall in moves[0].walls] == [near, other]
    assert moves[1].walls[0].point == tuple(moves.wall_point[1, 0])
    with pytest.raises(ValueError, match=r"Character\.wall_reach must be at least 0"):
        Character(wall_reach=-1.0)


def pixel_hero(physics: Physics, grid: float) -> tuple[int, Transform]:
    """A hero of 48 pixels, y down, that has fallen on a floor at 448."""
    block(0.0, 448.0, 2000.0, 500.0)
    place = Transform(100.0, 400.5)
    entity = esper.create_entity(place, AABBCollider(24.0, 24.0), Character(up_y=-1.0, grid=grid))
    assert physics.move_character(entity, (0.0, 40.0)).on_floor
    return entity, place


def test_a_hero_stands_on_whole_pixels_and_overlaps_nothing_there(physics: Physics) -> None:
    entity, place = pixel_hero(physics, 1.0)
    block(200.0, 0.0, 210.0, 448.0)
    assert place.y == 424.0
    for frame in range(40):
        move = physics.move_character(entity, (2.25, 3.0))
        assert move.on_floor
        assert (place.y, move.snapped) == (424.0, False)
        assert place.x == min(100.0 + 2.25 * (frame + 1), 176.0)
        physics.detect()
        assert not physics.hits.depth.any()
    assert physics.move_character(entity, (0.0, 3.0)).moved == (0.0, 0.0)
    move = physics.move_character(entity, (-0.75, -10.0))
    assert place.x == pytest.approx(175.25, abs=0.01)
    assert (move.on_floor, move.on_wall) == (False, False)


def test_the_same_hero_without_a_grid_keeps_its_skin_and_moves_the_same_way(physics: Physics) -> None:
    tracks = []
    for grid in (0.0, 1.0):
        entity, place = pixel_hero(physics, grid)
        block(300.0, 300.0, 500.0, 448.0)
        track = []
        for frame in range(60):
            move = physics.move_character(entity, (4.0, -30.0 if frame == 40 else 6.0))
            track.append((place.x, place.y, move.on_floor, move.on_wall))
        tracks.append(track)
        esper.clear_database()
    plain, snapped = tracks
    assert plain[5][1] == pytest.approx(424.0 - 0.0048, abs=1e-6)
    assert snapped[5][1] == 424.0
    assert [moment[2:] for moment in plain] == [moment[2:] for moment in snapped]
    for one, other in zip(plain, snapped, strict=True):
        assert one[:2] == pytest.approx(other[:2], abs=0.01)


def test_what_would_overlap_off_the_grid_stays_where_it_is(physics: Physics) -> None:
    block(-5.0, -1.0, 5.0, 0.0003)
    entity, place = hero(AABBCollider(0.5, 0.5), 0.0, 1.0, Character(grid=0.5))
    assert physics.move_character(entity, (0.0, -1.0)).on_floor
    assert 0.5003 < place.y < 0.5006


def test_a_hero_on_the_grid_rides_on_platforms_and_on_slopes(physics: Physics) -> None:
    _, lift = block(-5.0, -1.0, 5.0, 0.0)
    solid(OBBCollider(4.0, 1.0), 8.0, 0.75, math.pi / 8)
    entity, place = standing(physics, CapsuleCollider(0.4, 0.3, angle=math.pi / 2), 0.0, 1.0, Character(grid=0.5))
    assert place.y == 0.5
    lift.y += 0.25
    move = physics.move_character(entity, (0.0, -0.1))
    assert move.on_floor
    assert (move.carried[1], place.y) == pytest.approx((0.25, 0.75), abs=1e-3)
    lift.y += 0.25
    physics.move_character(entity, (0.0, -0.1))
    assert place.y == 1.0
    for _ in range(120):
        assert physics.move_character(entity, (4.0 * DT, -0.1)).on_floor
    assert place.y > 1.5


def test_the_grid_is_left_where_a_game_moves_the_hero_itself(physics: Physics) -> None:
    entity, place = pixel_hero(physics, 1.0)
    place.x, place.y = 300.0, 350.25
    move = physics.move_character(entity, (0.0, 1.0))
    assert (place.x, place.y, move.on_floor, move.moved) == (300.0, 351.25, False, (0.0, 1.0))
    assert esper.has_component(1, Solid)
