"""Characters walk: slopes up to their limit, steps up to their height, down stairs on the floor, and stand still."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import esper
import pytest
from character_level import DT, HEROES, SKIN, block, floor, hero, solid, standing

import ecsphys
from ecsphys import AABBCollider, Character, CircleCollider, OBBCollider, Physics, PolygonCollider, Solid, Transform

FALL = -9.8 * DT * DT

heroes = pytest.mark.parametrize("make", HEROES.values(), ids=HEROES.keys())


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install()


@heroes
@pytest.mark.parametrize("limit", [20.0, 45.0, 70.0])
def test_a_slope_just_below_the_limit_is_walked_and_one_just_above_is_not(
    physics: Physics, make: Any, limit: float
) -> None:
    for excess, is_climbed in ((-0.1, True), (0.1, False)):
        esper.clear_database()
        floor()
        slope = math.radians(limit + excess)
        solid(OBBCollider(20, 1, 20, -1), 5, 0, slope)
        entity, place = standing(physics, make(), 3.5, 0.6, Character(slope_limit=math.radians(limit)))
        highest = 0.0
        for _ in range(150):
            result = physics.move_character(entity, (3.0 * DT, FALL))
            highest = max(highest, place.y)
            assert result.on_floor
        if is_climbed:
            assert place.y > 1.5
            assert result.floor_normal == pytest.approx((-math.sin(slope), math.cos(slope)))
        else:
            assert highest < 0.7
            assert result.on_wall
            assert result.floor_normal == pytest.approx((0.0, 1.0))


@heroes
def test_a_steep_slope_is_slid_down_evenly(physics: Physics, make: Any) -> None:
    slope = math.radians(60)
    solid(OBBCollider(40, 1, angle=slope), 0, 0)
    entity, place = hero(make(), 0, 6)
    falls, fall = [], 0.0
    for _ in range(90):
        fall += FALL
        before = place.y
        result = physics.move_character(entity, (0.0, fall))
        falls.append(place.y - before)
        assert not result.on_floor
    sliding = falls[60:]
    assert result.on_wall
    # Each move is the part of the fall along the slope, which grows evenly.
    growth = [later - sooner for sooner, later in pairwise(sliding)]
    assert growth == pytest.approx([FALL * math.sin(slope) ** 2] * len(growth), rel=1e-6)


@heroes
@pytest.mark.parametrize("degrees", [0.0, 20.0, 44.0, -44.0])
@pytest.mark.parametrize("pull", [0.0, FALL, 30.0 * FALL])
def test_standing_on_a_slope_does_not_creep(physics: Physics, make: Any, degrees: float, pull: float) -> None:
    solid(OBBCollider(100, 1, angle=math.radians(degrees)), 0, 0)
    entity, place = hero(make(), 0, 3)
    physics.move_character(entity, (0.0, -6.0))
    start = (place.x, place.y)
    for _ in range(120):
        result = physics.move_character(entity, (0.0, pull))
        assert result.on_floor
    # Within ten seconds it would be a tenth of the skin.
    assert (place.x, place.y) == pytest.approx(start, abs=0.02 * SKIN)


@heroes
@pytest.mark.parametrize("degrees", [10.0, 40.0])
@pytest.mark.parametrize("speed", [1.0, 6.0, 30.0])
def test_walking_down_a_slope_stays_on_it(physics: Physics, make: Any, degrees: float, speed: float) -> None:
    """Over its crest too, and off its foot: a level floor, a slope down, a level floor."""
    slope, length = math.radians(degrees), 4.0
    block(-20.0, -1.0, 0.0, 0.0)
    foot = (length * math.cos(slope), -length * math.sin(slope))
    solid(OBBCollider(0.5 * length, 1.0, 0.5 * length, -1.0), 0.0, 0.0, -slope)
    block(foot[0], foot[1] - 1.0, foot[0] + 40.0, foot[1])
    entity, place = standing(physics, make(), -1.0, 0.6, Character(snap_distance=0.2))
    while place.x < foot[0] + 1.0:
        result = physics.move_character(entity, (speed * DT, FALL))
        assert result.on_floor
        assert not result.on_wall
    assert place.y == pytest.approx(foot[1] + 0.5, abs=SKIN)


def stairs(riser: float, tread: float, count: int) -> None:
    """Up from (0, 0), on a floor that ends there."""
    block(-30.0, -1.0, 0.0, 0.0)
    for k in range(count):
        block(k * tread, -1.0, 40.0, (k + 1) * riser)


@heroes
@pytest.mark.parametrize("speed", [1.0, 5.0, 12.0, 30.0])
def test_stairs_are_climbed_and_descended_on_the_floor(physics: Physics, make: Any, speed: float) -> None:
    stairs(0.2, 0.35, 8)
    entity, place = standing(physics, make(), -1.0, 0.6, Character(step_height=0.25, snap_distance=0.25))
    stepped = 0.0
    moves = 0
    while place.x < 4.0:
        result = physics.move_character(entity, (speed * DT, FALL))
        assert result.on_floor
        stepped += result.stepped
        moves += 1
        assert moves < 600.0 / speed
    assert place.y == pytest.approx(2.1, abs=SKIN)
    assert 0.0 < stepped < 1.6 + SKIN
    snapped = 0
    while place.x > -2.0:
        result = physics.move_character(entity, (-speed * DT, FALL))
        assert result.on_floor
        snapped += result.snapped
    assert place.y == pytest.approx(0.5, abs=SKIN)
    assert snapped > 0


def test_a_box_loses_no_way_on_stairs_and_tells_all_that_it_climbed(physics: Physics) -> None:
    stairs(0.2, 0.35, 8)
    entity, place = standing(physics, AABBCollider(0.4, 0.5), -1.0, 0.6, Character(step_height=0.25))
    stepped = 0.0
    for _ in range(60):
        stepped += physics.move_character(entity, (0.1, FALL)).stepped
    assert place.x == pytest.approx(5.0, abs=1e-9)
    assert stepped == pytest.approx(1.6, abs=SKIN)


@heroes
@pytest.mark.parametrize(("height", "is_climbed"), [(0.299, True), (0.3, True), (0.301, False), (0.45, False)])
def test_a_step_just_too_high_blocks(physics: Physics, make: Any, height: float, is_climbed: bool) -> None:
    floor()
    block(2.0, -1.0, 10.0, height)
    entity, place = standing(physics, make(), 0.0, 0.6, Character(step_height=0.3))
    for _ in range(100):
        result = physics.move_character(entity, (0.05, FALL))
        assert result.on_floor
    assert (place.x > 2.5) == is_climbed
    assert place.y == pytest.approx(0.5 + height if is_climbed else 0.5, abs=2 * SKIN)
    assert result.on_wall != is_climbed


@heroes
def test_a_step_is_not_climbed_against_a_ceiling_or_in_the_air(physics: Physics, make: Any) -> None:
    floor()
    block(2.0, -1.0, 10.0, 0.2)
    block(1.0, 1.1, 10.0, 3.0)
    entity, place = standing(physics, make(), 0.0, 0.6, Character(step_height=0.3))
    for _ in range(100):
        result = physics.move_character(entity, (0.05, FALL))
    assert place.x < 2.0
    assert result.on_wall or result.on_ceiling
    assert place.y == pytest.approx(0.5, abs=0.1)
    other, there = hero(make(), 1.0, -3.0, Character(step_height=0.3))
    assert physics.move_character(other, (0.0, 0.1)).stepped == 0.0
    assert there.x == 1.0


@heroes
def test_flush_tiles_are_neither_steps_nor_walls(physics: Physics, make: Any) -> None:
    for k in range(-3, 40):
        block(0.1 * 3 + k, -1.0, 0.1 * 3 + k + 1, 0.0)
    entity, place = standing(physics, make(), 0.0, 0.6, Character(step_height=0.3, snap_distance=0.3))
    height = place.y
    for speed in (0.37, 0.1, 1.0):
        for _ in range(20):
            before = place.x
            result = physics.move_character(entity, (speed, FALL))
            assert place.x - before == pytest.approx(speed, abs=1e-9)
            assert place.y == pytest.approx(height, abs=1e-9)
            assert (result.stepped, result.snapped, result.on_wall) == (0.0, False, False)


@heroes
def test_a_wall_beside_a_step_is_not_climbed(physics: Physics, make: Any) -> None:
    floor()
    block(2.0, -1.0, 2.05, 0.2)  # a kerb right before a wall
    block(2.05, -1.0, 3.0, 8.0)
    entity, place = standing(physics, make(), 0.0, 0.6, Character(step_height=0.3))
    for _ in range(300):
        result = physics.move_character(entity, (0.05, FALL))
        assert result.on_floor
    assert place.y < 0.5 + 0.2 + SKIN
    heights = []
    for _ in range(20):
        physics.move_character(entity, (0.05, FALL))
        heights.append(place.y)
    assert max(heights) - min(heights) < SKIN


@heroes
def test_a_jump_is_not_held_by_snapping(physics: Physics, make: Any) -> None:
    floor()
    entity, place = standing(physics, make(), 0.0, 0.6, Character(snap_distance=0.5, step_height=0.3))
    before = place.y
    result = physics.move_character(entity, (0.05, 0.02))
    assert place.y == pytest.approx(before + 0.02)
    assert (result.on_floor, result.snapped, result.floor) == (False, False, None)
    result = physics.move_character(entity, (0.05, -0.001))  # falling again, it is not drawn down either
    assert place.y == pytest.approx(before + 0.019)
    assert not result.on_floor


def test_however_far_it_would_walk_it_passes_no_wall(physics: Physics) -> None:
    floor()
    block(3.0, 0.0, 3.1, 2.0)
    entity, place = standing(physics, AABBCollider(0.4, 0.5), 0.0, 0.6)
    assert physics.move_character(entity, (1e308, 0.0)).on_wall
    assert 0.0 <= place.x < 2.6  # it may stop sooner: to such a way, the wall and it are no distance apart
    assert physics.move_character(entity, (1e3, 0.0)).on_wall
    assert place.x == pytest.approx(2.6, abs=SKIN)


def test_a_ledge_is_left_when_it_is_deeper_than_the_snap(physics: Physics) -> None:
    block(-10.0, -5.0, 0.0, 0.0)
    floor(-1.0)
    entity, place = hero(AABBCollider(0.4, 0.5), -1.0, 0.6, Character(snap_distance=0.9))
    seen = [physics.move_character(entity, (0.05, FALL)).on_floor for _ in range(60)]
    assert not all(seen[1:])
    assert place.x > 1.0


def test_round_feet_stand_on_the_corner_of_a_floor_but_not_on_that_of_steep_sides(physics: Physics) -> None:
    block(-10.0, -5.0, 0.0, 0.0)
    entity, place = standing(physics, CircleCollider(0.5), -0.2, 0.6)
    while place.x < 0.4:  # 53° round the corner
        result = physics.move_character(entity, (0.02, -0.2))
        assert result.on_floor
    rest = (place.x, place.y)
    for _ in range(60):
        assert physics.move_character(entity, (0.0, FALL)).on_floor
    assert (place.x, place.y) == pytest.approx(rest, abs=SKIN)
    esper.clear_database()
    esper.create_entity(Transform(0, 0), PolygonCollider([(-2, -6), (2, -6), (0, 0)]), Solid())
    entity, place = hero(CircleCollider(0.5), 0.45, 1.0)
    for _ in range(150):
        result = physics.move_character(entity, (0.0, 5 * FALL))
    assert not result.on_floor
    assert place.y < 0.0


def test_up_may_point_anywhere(physics: Physics) -> None:
    """The same walk over steps, turned by a quarter: up is to the left."""
    block(0.0, -30.0, 1.0, 30.0)
    block(-0.2, 2.0, 1.0, 30.0)
    character = Character(step_height=0.25, snap_distance=0.25, up_x=-3.0, up_y=0.0)
    entity, place = hero(AABBCollider(0.5, 0.4), -0.6, 0.0, character)
    physics.move_character(entity, (1.0, 0.0))
    stepped = 0.0
    for _ in range(60):
        result = physics.move_character(entity, (-FALL, 0.1))
        stepped += result.stepped
        assert result.on_floor
    assert place.x == pytest.approx(-0.7, abs=SKIN)
    assert place.y == pytest.approx(6.0, abs=1e-6)
    assert stepped == pytest.approx(0.2, abs=SKIN)


@pytest.mark.parametrize("far", [1e4, 1e6])
def test_far_from_the_origin_it_walks_as_well(physics: Physics, far: float) -> None:
    block(far - 30.0, -1.0, far, 0.0)
    block(far, -1.0, far + 30.0, 0.2)
    entity, place = standing(
        physics, AABBCollider(0.4, 0.5), far - 2.0, 0.6, Character(step_height=0.25, snap_distance=0.25)
    )
    for _ in range(40):
        assert physics.move_character(entity, (0.1, FALL)).on_floor
    assert place.x == pytest.approx(far + 2.0, abs=1e-6)
    assert place.y == pytest.approx(0.7, abs=SKIN)
