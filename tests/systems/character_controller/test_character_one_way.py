"""One-way solids: they block who comes from outside against their normal, and let pass everybody else."""

from __future__ import annotations

import math
from typing import Any

import esper
import pytest
from character_level import DT, HEROES, SKIN, floor, hero, solid, standing

import ecsphys
from ecsphys import AABBCollider, Character, CircleCollider, OBBCollider, OneWay, Physics, Solid, Transform

FALL = -9.8 * DT * DT

heroes = pytest.mark.parametrize("make", HEROES.values(), ids=HEROES.keys())


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install()


def plank(y: float = 0.0, thickness: float = 0.2, **normal: float) -> tuple[int, Transform]:
    """A one-way plank whose top is at y."""
    return solid(AABBCollider(3.0, 0.5 * thickness), 0.0, y - 0.5 * thickness, 0.0, OneWay(**normal))


def leap(physics: Physics, entity: int, place: Transform, speed: float, moves: int = 60) -> list[float]:
    """The heights of a jump, until it is over."""
    heights = []
    for _ in range(moves):
        result = physics.move_character(entity, (0.0, speed * DT))
        heights.append(place.y)
        speed = 0.0 if result.on_floor or result.on_ceiling else speed - 9.8 * DT
    return heights


@heroes
def test_from_above_it_is_a_floor(physics: Physics, make: Any) -> None:
    entity, _ = plank()
    who, place = standing(physics, make(), 0.0, 0.9)
    assert place.y == pytest.approx(0.5, abs=SKIN)
    for _ in range(120):
        result = physics.move_character(who, (0.01, FALL))
        assert result.floor == entity
    assert place.y == pytest.approx(0.5, abs=SKIN)


@heroes
def test_one_jumps_up_through_it_and_lands_on_it(physics: Physics, make: Any) -> None:
    floor(-1.5)
    entity, _ = plank()
    who, place = standing(physics, make(), 0.0, -0.9)
    heights = leap(physics, who, place, 7.0, 90)
    assert max(heights) == pytest.approx(-1.0 + 0.5 * 7.0**2 / 9.8, rel=0.05)  # nothing has slowed it down
    assert place.y == pytest.approx(0.5, abs=SKIN)
    assert physics.move_character(who, (0.0, FALL)).floor == entity


@heroes
def test_a_jump_that_ends_inside_falls_back(physics: Physics, make: Any) -> None:
    floor(-1.5)
    plank(thickness=0.4)
    who, place = standing(physics, make(), 0.0, -0.9)
    heights = leap(physics, who, place, 4.6, 90)
    assert -0.4 < max(heights) < 0.4
    assert place.y == pytest.approx(-1.0, abs=SKIN)


@heroes
def test_from_the_side_and_from_within_one_walks_through(physics: Physics, make: Any) -> None:
    floor(-0.6)
    plank(thickness=0.1)
    who, place = standing(physics, make(), -5.0, 0.0)
    for _ in range(200):
        before = place.x
        result = physics.move_character(who, (0.05, FALL))
        assert place.x - before == pytest.approx(0.05, abs=1e-9)
        assert not result.on_wall
    assert place.y == pytest.approx(-0.1, abs=SKIN)


@heroes
@pytest.mark.parametrize("speed", [0.0, 0.5, 20.0])
def test_one_drops_through_on_request_and_lands_on_what_is_below(physics: Physics, make: Any, speed: float) -> None:
    entity, _ = plank()
    lower, _ = plank(-2.0)
    who, place = standing(physics, make(), 0.0, 0.9)
    physics.move_character(who, (0.0, -speed * DT + FALL), drop=True)
    fall = 2 * FALL
    for _ in range(120):
        result = physics.move_character(who, (0.0, fall - speed * DT))
        fall = FALL if result.on_floor else fall + FALL
    assert place.y == pytest.approx(-1.5, abs=SKIN)
    assert result.floor == lower
    # Once it is clear of the upper one, that is a floor again.
    place.y = 0.9
    physics.move_character(who, (0.0, -0.1))
    result = physics.move_character(who, (0.0, -1.0))
    assert result.floor == entity


@heroes
@pytest.mark.parametrize("speed", [-3.0, 3.0])
def test_one_drops_through_a_plank_that_moves_as_well(physics: Physics, make: Any, speed: float) -> None:
    """One that sinks is ahead for a while, and is passed when the fall has become faster."""
    entity, upper = plank()
    below = floor(-20.0)
    who, place = standing(physics, make(), 0.0, 0.9)
    fall = 0.0
    floors = []
    for number in range(150):
        upper.y += speed * DT
        fall += FALL
        result = physics.move_character(who, (0.0, fall), drop=number == 0)
        floors.append(result.floor)
    assert entity not in floors
    assert result.floor == below
    # Who is put above it lands on it.
    upper.y, place.y = -15.0, -14.0
    assert physics.move_character(who, (0.0, -1.0)).floor == entity


@pytest.mark.parametrize("drops_first", [False, True])
def test_who_drops_through_a_plank_lets_nobody_else_fall_through_it(physics: Physics, drops_first: bool) -> None:
    entity, _ = plank()
    below = floor(-9.0)
    if drops_first:
        dropping, _ = standing(physics, CircleCollider(0.5), -1.0, 0.9)
    falling, _ = hero(CircleCollider(0.5), 1.0, 1.5)
    physics.move_character(falling, (0.0, FALL))
    if not drops_first:
        dropping, _ = standing(physics, CircleCollider(0.5), -1.0, 0.9)
    fall = 0.0
    for number in range(90):
        fall += FALL
        first = physics.move_character(dropping, (0.0, fall), drop=number == 0)
        second = physics.move_character(falling, (0.0, fall))
    assert first.floor == below
    assert second.floor == entity


@heroes
def test_who_drops_and_jumps_back_lands_on_the_plank_again(physics: Physics, make: Any) -> None:
    entity, upper = plank()
    who, _ = standing(physics, make(), 0.0, 0.9)
    upper.y -= 0.3
    assert physics.move_character(who, (0.0, FALL), drop=True).floor is None
    physics.move_character(who, (0.0, 0.1))
    assert physics.move_character(who, (0.0, -1.0)).floor == entity


@heroes
def test_its_normal_turns_with_the_entity(physics: Physics, make: Any) -> None:
    door = esper.create_entity(Transform(0.0, 0.0, math.pi / 2), OBBCollider(5.0, 0.1), Solid(), OneWay())
    who, where = hero(make(), 2.0, 0.0)
    assert physics.move_character(who, (-4.0, 0.0)).moved[0] == pytest.approx(-4.0)
    assert physics.move_character(who, (4.0, 0.0)).on_wall
    assert where.x < -0.1
    esper.add_component(door, Transform(0.0, 0.0, -math.pi / 2))  # a new one: it does not push in turning
    assert physics.move_character(who, (4.0, 0.0)).moved[0] == pytest.approx(4.0)
    assert physics.move_character(who, (-8.0, 0.0)).on_wall
    assert where.x > 0.1


def test_a_leaning_normal_is_taken_by_its_direction(physics: Physics) -> None:
    plank(normal_x=30.0, normal_y=40.0)
    who, place = hero(CircleCollider(0.5), 0.0, 2.0)
    physics.move_character(who, (0.0, -3.0))
    assert place.y == pytest.approx(0.5, abs=SKIN)


@heroes
def test_a_plain_move_and_slide_respects_it_too(physics: Physics, make: Any) -> None:
    plank()
    who, place = hero(make(), 0.0, -1.0)
    assert physics.move_and_slide(who, (0.0, 2.5)).moved == (0.0, 2.5)
    result = physics.move_and_slide(who, (0.0, -2.5))
    assert result.on_floor
    assert place.y == pytest.approx(0.5, abs=SKIN)
    place.y = -0.05
    assert physics.move_and_slide(who, (0.1, 0.0)).moved == pytest.approx((0.1, 0.0))
    assert physics.move_and_slide(who, (0.0, -1.0)).moved == pytest.approx((0.0, -1.0))


def test_attaching_and_removing_it_counts_at_once(physics: Physics) -> None:
    floor(-3.0)
    entity, _ = solid(AABBCollider(3.0, 0.1), 0.0, -0.1)
    who, place = hero(AABBCollider(0.4, 0.5), 0.0, -2.0)
    assert physics.move_character(who, (0.0, 3.0)).on_ceiling
    esper.add_component(entity, OneWay())
    assert not physics.move_character(who, (0.0, 3.0)).on_ceiling
    esper.remove_component(entity, OneWay)
    physics.move_character(who, (0.0, -5.0))
    assert place.y == pytest.approx(0.5, abs=SKIN)


def test_a_rising_plank_takes_who_is_above_and_passes_who_is_below(physics: Physics) -> None:
    _, lift = plank()
    above, high = standing(physics, AABBCollider(0.4, 0.5), 0.0, 0.9)
    falling, there = hero(AABBCollider(0.4, 0.5), 1.5, 1.2)
    below, low = hero(AABBCollider(0.4, 0.5), -1.5, -1.0)
    for who in (falling, below):
        physics.move_character(who, (0.0, 0.0))
    for _ in range(30):
        lift.y += 0.1
        results = [physics.move_character(who, (0.0, way)) for who, way in ((above, FALL), (falling, FALL), (below, 0))]
        assert not any(result.crushed for result in (results[0], results[1]))
    assert high.y == pytest.approx(3.5, abs=SKIN)
    assert there.y == pytest.approx(3.5, abs=SKIN)
    assert low.y == pytest.approx(-1.0)


def test_a_seesaw_of_one_way_planks_loses_nobody(physics: Physics) -> None:
    place = Transform(0.0, 0.0)
    esper.create_entity(place, OBBCollider(4.0, 0.1), Solid(), OneWay())
    who, where = standing(physics, CircleCollider(0.5), 2.0, 0.65, Character(snap_distance=0.1))
    for number in range(240):
        place.angle = 0.5 * math.sin(0.08 * number)
        assert physics.move_character(who, (0.0, FALL)).on_floor
    assert 1.0 < where.x < 3.0
