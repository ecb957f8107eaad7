"""Characters ride what they stand on, however that moves, and forget it when it is gone."""

from __future__ import annotations

import math
from types import FrameType
from typing import Any

import esper
import pytest
from character_level import DT, HEROES, SKIN, block, floor, hero, solid, standing
from interrupted_lines import Interrupt, interrupted_at

import ecsphys
from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    Character,
    CircleCollider,
    CircularTrajectory,
    CompoundCollider,
    Disabled,
    HarmonicTrajectory,
    LinearTrajectory,
    OBBCollider,
    Parent,
    Physics,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.types import CharacterMove

FALL = -9.8 * DT * DT
BETWEEN = (ecsphys.Priority.HIERARCHY + ecsphys.Priority.BROADPHASE) // 2

heroes = pytest.mark.parametrize("make", HEROES.values(), ids=HEROES.keys())


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install()


class _Rider(esper.Processor):
    """Moves one character between the hierarchy and the broadphase."""

    def __init__(self, physics: Physics, entity: int, way: tuple[float, float] = (0.0, FALL)) -> None:
        self.physics, self.entity, self.way = physics, entity, way
        self.results: list[CharacterMove] = []

    def process(self, dt: float) -> None:
        self.results.append(self.physics.move_character(self.entity, self.way))


def rider(physics: Physics, entity: int) -> _Rider:
    processor = _Rider(physics, entity)
    esper.add_processor(processor, BETWEEN)
    return processor


def in_frame(place: Transform, point: tuple[float, float]) -> tuple[float, float]:
    x, y = point[0] - place.x, point[1] - place.y
    cos, sin = math.cos(place.angle), math.sin(place.angle)
    return cos * x + sin * y, cos * y - sin * x


def platform(*components: object, width: float = 2.0) -> tuple[int, Transform]:
    """A plank whose top is at its middle's height + 0.1."""
    place = Transform(0.0, 0.0)
    return esper.create_entity(place, AABBCollider(width, 0.1), Solid(), *components), place


PATHS: dict[str, Any] = {
    "linear": lambda: [LinearTrajectory(0.0, 0.0, 3.0, -1.0)],
    "circular": lambda: [CircularTrajectory(0.0, 0.0, 3.0, 1.1)],
    "harmonic": lambda: [HarmonicTrajectory(0.0, 0.0, 3.0, 2.0, 2.0)],
    "velocity": lambda: [Velocity(2.0, 1.5)],
}


@pytest.mark.parametrize(
    ("path", "who"),
    [*((path, "capsule") for path in PATHS), *(("circular", who) for who in HEROES if who != "capsule")],
)
def test_many_steps_on_a_platform_end_at_the_same_spot(physics: Physics, path: str, who: str) -> None:
    entity, place = platform(*PATHS[path]())
    esper.process(0.0)
    rides, where = standing(physics, HEROES[who](), place.x + 0.7, place.y + 0.65)
    riding = rider(physics, rides)
    spot = in_frame(place, (where.x, where.y))
    for _ in range(350):  # once round the circle
        esper.process(DT)
        assert in_frame(place, (where.x, where.y)) == pytest.approx(spot, abs=3e-7)
    assert all(result.on_floor and result.floor == entity for result in riding.results)
    assert not any(result.on_wall or result.crushed for result in riding.results)


def test_the_floor_tells_its_velocity(physics: Physics) -> None:
    platform(LinearTrajectory(0.0, 0.0, 3.0, -1.0))
    esper.process(0.0)
    who, _ = standing(physics, CircleCollider(0.5), 0.5, 0.65)
    riding = rider(physics, who)
    for _ in range(5):
        esper.process(DT)
        assert riding.results[-1].floor_velocity == pytest.approx((3.0, -1.0), abs=1e-9)
        assert riding.results[-1].carried == pytest.approx((3.0 * DT, -1.0 * DT), abs=1e-9)
    again = physics.move_character(who, (0.1, FALL))  # at the same time
    assert again.floor_velocity == pytest.approx((3.0, -1.0), abs=1e-9)
    assert again.carried == (0.0, 0.0)


def test_walking_on_a_platform_adds_to_its_motion(physics: Physics) -> None:
    _, place = platform(LinearTrajectory(0.0, 0.0, 3.0, 1.0), width=5.0)
    esper.process(0.0)
    who, where = standing(physics, CapsuleCollider(0.4, 0.3, angle=math.pi / 2), 0.0, 0.65)
    riding = rider(physics, who)
    riding.way = (-0.05, FALL)
    for _ in range(60):
        esper.process(DT)
    assert in_frame(place, (where.x, where.y)) == pytest.approx((-3.0, 0.6), abs=SKIN)


@heroes
def test_a_turning_platform_carries_what_is_above_the_spot(physics: Physics, make: Any) -> None:
    """A seesaw: by chords, as the character itself stays upright."""
    place = Transform(0.0, 0.0)
    esper.create_entity(place, OBBCollider(4.0, 0.1), Solid())
    who, where = standing(physics, make(), 2.0, 0.65)
    for number in range(240):
        place.angle = 0.5 * math.sin(0.05 * number)
        result = physics.move_character(who, (0.0, FALL))
        assert result.on_floor
        assert not result.crushed
        assert 1.0 < where.x < 3.0
    assert place.angle != 0.0


def test_a_wheel_turns_under_round_feet(physics: Physics) -> None:
    """They go as far as the rim under them; upright, they roll on it: their middle is farther out than the rim."""
    place = Transform(0.0, -5.0)
    esper.create_entity(place, CircleCollider(5.0), Solid(), Velocity(angular=-0.2))
    who, where = standing(physics, CircleCollider(0.5), 0.0, 0.6)
    riding = rider(physics, who)
    for _ in range(120):
        esper.process(DT)
    angle = math.atan2(where.x, where.y + 5.0)
    assert angle * 5.5 == pytest.approx(0.4 * 5.0, rel=1e-3)
    assert all(result.on_floor for result in riding.results)
    speed = math.hypot(*riding.results[-1].floor_velocity)
    assert speed == pytest.approx(0.2 * 5.0, rel=1e-3)


def test_a_platform_in_the_hierarchy_carries(physics: Physics) -> None:
    hub = esper.create_entity(Transform(0.0, 0.0), Velocity(1.0, 0.5, angular=0.3))
    arm = esper.create_entity(Transform(), Parent(hub, 3.0, 0.0))
    place = Transform()
    plank = esper.create_entity(place, AABBCollider(1.5, 0.1), Solid(), Parent(arm, 1.0, 0.0))
    esper.process(0.0)
    who, where = standing(physics, CircleCollider(0.5), place.x + 0.4, place.y + 0.65)
    riding = rider(physics, who)
    spot = (where.x - place.x, where.y - place.y)
    for _ in range(300):
        before = (place.x, place.y)
        esper.process(DT)
        assert (where.x - place.x, where.y - place.y) == pytest.approx(spot, abs=1e-6)
        velocity = ((place.x - before[0]) / DT, (place.y - before[1]) / DT)
        assert riding.results[-1].floor_velocity == pytest.approx(velocity, abs=1e-6)
        assert riding.results[-1].floor == plank


def test_moves_at_other_times_than_steps_carry_as_far(physics: Physics) -> None:
    """Three steps to a move, and moves between steps by the game's own hand."""
    _, place = platform(LinearTrajectory(0.0, 0.0, 2.0, 0.0))
    esper.process(0.0)
    who, where = standing(physics, CircleCollider(0.5), 0.3, 0.65)
    for _ in range(50):
        for _ in range(3):
            esper.process(DT)
        result = physics.move_character(who, (0.0, FALL))
        assert result.floor_velocity == pytest.approx((2.0, 0.0), abs=1e-9)
        physics.move_character(who, (0.0, FALL))
    assert where.x - place.x == pytest.approx(0.3, abs=1e-6)


def test_a_wall_holds_back_whom_a_platform_carries(physics: Physics) -> None:
    block(3.0, -5.0, 4.0, 5.0)
    platform(LinearTrajectory(0.0, 0.0, 2.0, 0.0))
    esper.process(0.0)
    who, where = standing(physics, AABBCollider(0.4, 0.5), 0.0, 0.65)
    riding = rider(physics, who)
    for _ in range(120):
        esper.process(DT)
        assert not riding.results[-1].crushed
    assert where.x == pytest.approx(2.6, abs=SKIN)
    assert where.y == pytest.approx(0.6, abs=SKIN)


def test_a_train_of_platforms_does_not_push_its_riders(physics: Physics) -> None:
    """Planks beside each other, and a wall on one of them, that all move alike."""
    places = []
    for x in (-2.0, 0.0, 2.0):
        places.append(Transform(x, 0.0))
        esper.create_entity(places[-1], AABBCollider(1.0, 0.1), Solid())
    places.append(Transform(0.9, 1.0))
    esper.create_entity(places[-1], AABBCollider(0.2, 0.9), Solid())
    who, where = standing(physics, AABBCollider(0.4, 0.5), 0.2, 0.65)
    physics.move_character(who, (0.5, FALL))
    spot = (where.x - places[0].x, where.y - places[0].y)
    for number in range(200):
        for place in places:
            place.x += 0.5 * math.cos(0.1 * number)
            place.y += 0.5 * math.sin(0.1 * number)
        result = physics.move_character(who, (0.0, FALL))
        assert (where.x - places[0].x, where.y - places[0].y) == pytest.approx(spot, abs=1e-5)
        assert result.pushed == (0.0, 0.0)


def ride_once(physics: Physics) -> tuple[int, Transform, int, Transform]:
    plank, place = platform()
    who, where = standing(physics, CircleCollider(0.5), 0.0, 0.65)
    place.x += 0.1
    assert physics.move_character(who, (0.0, FALL)).carried == pytest.approx((0.1, 0.0))
    return who, where, plank, place


@pytest.mark.parametrize("change", ["deleted", "marked dead", "not solid", "replaced transform", "replaced collider"])
def test_a_platform_that_is_gone_or_another_carries_nobody(physics: Physics, change: str) -> None:
    who, _, plank, place = ride_once(physics)
    place.x += 1.0
    if change == "deleted":
        esper.delete_entity(plank, immediate=True)
    elif change == "marked dead":
        esper.delete_entity(plank)
    elif change == "not solid":
        esper.remove_component(plank, Solid)
    elif change == "replaced transform":
        esper.add_component(plank, Transform(place.x, place.y))
    else:
        esper.add_component(plank, AABBCollider(2.0, 0.1))
    result = physics.move_character(who, (0.0, FALL))
    assert result.carried == (0.0, 0.0)
    assert result.pushed == (0.0, 0.0)


@pytest.mark.parametrize("change", ["new", "replaced", "disabled for a while"])
def test_a_floor_that_has_just_come_has_no_velocity_yet(physics: Physics, change: str) -> None:
    who, _, plank, place = ride_once(physics)
    if change == "new":
        esper.delete_entity(plank, immediate=True)
        plank, place = platform()
    elif change == "replaced":
        esper.add_component(plank, AABBCollider(2.0, 0.1))
    else:
        esper.add_component(plank, Disabled())
        physics.move_character(who, (0.0, 0.0))
        esper.remove_component(plank, Disabled)
    esper.process(DT)
    result = physics.move_character(who, (0.0, FALL))
    assert result.floor == plank
    assert result.floor_velocity == (0.0, 0.0)
    place.x += 0.1
    esper.process(DT)
    assert physics.move_character(who, (0.0, FALL)).floor_velocity == pytest.approx((6.0, 0.0))


def test_other_entities_that_come_and_go_do_not_shake_a_rider_off(physics: Physics) -> None:
    who, where, _, place = ride_once(physics)
    others = []
    for number in range(30):
        others.append(block(10.0 + number, 0.0, 10.5 + number, 1.0)[0])
        if number % 3 == 2:
            esper.delete_entity(others.pop(0), immediate=True)
        place.x += 0.05
        assert physics.move_character(who, (0.0, FALL)).carried == pytest.approx((0.05, 0.0))
    assert where.x - place.x == pytest.approx(0.0, abs=1e-9)


def test_whoever_was_put_elsewhere_or_is_new_is_not_carried(physics: Physics) -> None:
    who, where, _, place = ride_once(physics)
    where.x -= 1.0
    place.x += 0.1
    assert physics.move_character(who, (0.0, FALL)).carried == (0.0, 0.0)
    place.x += 0.1
    assert physics.move_character(who, (0.0, FALL)).carried == pytest.approx((0.1, 0.0))
    esper.add_component(who, Transform(where.x, where.y))
    place.x += 0.1
    assert physics.move_character(who, (0.0, FALL)).carried == (0.0, 0.0)


def test_a_character_with_a_new_transform_in_the_old_ones_row_remembers_nothing(physics: Physics) -> None:
    plank, place = platform()
    entity, _ = standing(physics, CircleCollider(0.5), 0.0, 0.7)
    del _
    row = esper.component_for_entity(entity, Transform)._row
    esper.remove_component(entity, Transform)
    esper.process(DT)
    place.x += 0.25
    others = []
    while (again := Transform(0.0, 0.6 + SKIN))._row != row:
        others.append(again)
        assert len(others) < 10_000
    esper.add_component(entity, again)
    move = physics.move_character(entity, (0.0, -0.001))
    assert move.floor == plank
    assert (move.carried, move.pushed) == ((0.0, 0.0), (0.0, 0.0))


def is_placing(frame: FrameType) -> bool:
    return frame.f_code.co_filename.endswith(("collider_placing.py", "pose_journal.py"))


def test_a_platforms_motion_is_not_lost_where_placing_it_was_interrupted_at_any_line(physics: Physics) -> None:
    _, place = platform(width=40.0)
    entity, me = standing(physics, CircleCollider(0.5), 0.0, 0.7)
    line, is_over = 0, False
    while not is_over:
        line += 1
        x, moved = me.x, place.x
        place.x += 0.01
        try:
            with interrupted_at(line, is_placing):
                physics.query_point((100.0, 100.0))
            is_over = True
        except Interrupt:
            pass
        physics.move_character(entity, (0.0, -0.001))
        assert me.x - x == pytest.approx(place.x - moved, abs=1e-9), line
    assert line > 30


def test_a_cleared_database_leaves_no_memory_though_numbers_are_used_again(physics: Physics) -> None:
    ride_once(physics)
    esper.clear_database()
    plank, place = platform()
    who, where = hero(CircleCollider(0.5), 0.0, 0.601)
    place.x += 5.0
    assert physics.move_character(who, (0.0, FALL)).carried == (0.0, 0.0)
    assert where.x == 0.0
    assert plank == 1


def test_memories_are_kept_apart_by_worlds_and_dropped_with_their_characters(physics: Physics) -> None:
    world = esper.current_world
    who, _, _, place = ride_once(physics)
    esper.switch_world("second")
    second = ecsphys.install()
    other, there, _, _ = ride_once(second)
    assert other == who
    esper.switch_world(world)
    place.x += 0.2
    assert physics.move_character(who, (0.0, FALL)).carried == pytest.approx((0.2, 0.0))
    assert there.x == pytest.approx(0.1)
    esper.delete_entity(who, immediate=True)
    third, _ = hero(CircleCollider(0.5), 5.0, 5.0)
    physics.move_character(third, (0.0, 0.0))
    assert physics._state.characters.known()[0].tolist() == [third]
    esper.delete_world("second")


def test_compound_riders_on_a_compound_platform(physics: Physics) -> None:
    """A tray with a rim, and feet of two circles."""
    place = Transform(0.0, 0.0)
    tray = CompoundCollider([AABBCollider(2.0, 0.1), AABBCollider(0.1, 0.5, -1.9, 0.5)])
    plank = esper.create_entity(place, tray, Solid())
    feet = CompoundCollider([CircleCollider(0.3, 0.0, -0.2), CircleCollider(0.3, 0.0, 0.2)])
    where = Transform(-1.0, 0.7)
    who = esper.create_entity(where, feet, Character())
    physics.move_character(who, (-1.0, -1.0))
    assert where.x == pytest.approx(-1.5, abs=SKIN)
    for _ in range(30):
        place.x, place.y = place.x + 0.3, place.y + 0.2
        result = physics.move_character(who, (0.0, FALL))
        assert (result.floor, result.pushed, result.crushed) == (plank, (0.0, 0.0), False)
        assert where.x - place.x == pytest.approx(-1.5, abs=SKIN)
    esper.add_component(plank, ecsphys.Disabled())
    assert physics.move_character(who, (0.0, FALL)).floor is None


def test_a_jump_leaves_the_platform(physics: Physics) -> None:
    who, where, _, place = ride_once(physics)
    place.x += 0.1
    result = physics.move_character(who, (0.0, 0.2))
    assert result.carried == pytest.approx((0.1, 0.0))  # what the platform did until then
    assert (result.on_floor, result.floor, result.floor_velocity) == (False, None, (0.0, 0.0))
    place.x += 0.1
    assert physics.move_character(who, (0.0, 0.2)).carried == (0.0, 0.0)
    assert where.x == pytest.approx(0.2)


def test_errors_change_nothing(physics: Physics) -> None:
    floor()
    who, where = hero(CircleCollider(0.5), 0.0, 0.6)
    plain = esper.create_entity(Transform(1.0, 2.0), CircleCollider(0.5))
    with pytest.raises(KeyError, match="entity 999 does not exist"):
        physics.move_character(999, (1, 0))
    with pytest.raises(ValueError, match=f"entity {plain} has no Character"):
        physics.move_character(plain, (1, 0))
    with pytest.raises(ValueError, match="displacement x must be finite"):
        physics.move_character(who, (math.nan, 0))
    with pytest.raises(TypeError, match="displacement must be a pair"):
        physics.move_character(who, None)  # type: ignore[arg-type]
    character = esper.component_for_entity(who, Character)
    character.up_y = 0.0
    with pytest.raises(ValueError, match=f"entity {who}: Character.up_x and Character.up_y must not both be 0"):
        physics.move_character(who, (1, 0))
    character.up_y = 1.0
    Character.column("step_height")[:] = -1.0
    with pytest.raises(ValueError, match=rf"entity {who}: .*step_height"):
        physics.move_character(who, (1, 0))
    Character.column("step_height")[:] = 0.0
    for name, value in (("slope_limit", 0.0), ("slope_limit", 1.6), ("step_height", -0.1), ("snap_distance", -0.1)):
        with pytest.raises(ValueError, match=rf"Character\.{name}"):
            setattr(character, name, value)
    _, tilted = solid(OBBCollider(1.0, 1.0), 30.0, 30.0, 0.0, way := ecsphys.OneWay())
    way.normal_y = 0.0
    with pytest.raises(ValueError, match="the normal of its OneWay must be a finite direction"):
        physics.move_character(who, (1, 0))
    way.normal_y = 1.0
    esper.add_component(who, ecsphys.Disabled())
    with pytest.raises(ValueError, match=f"entity {who} is Disabled"):
        physics.move_character(who, (1, 0))
    esper.remove_component(who, ecsphys.Disabled)
    esper.process(0.0)
    world = esper.current_world
    esper.switch_world("elsewhere")
    with pytest.raises(RuntimeError, match="belongs to the world"):
        physics.move_character(who, (1, 0))
    esper.switch_world(world)
    assert where == Transform(0.0, 0.6)
    assert tilted == Transform(30.0, 30.0)


class Standing(esper.Processor):
    """Moves a character down by gravity in every step, as a game does that has just put it there."""

    def __init__(self, physics: Physics, entity: int) -> None:
        self.physics, self.entity, self.fall = physics, entity, 0.0
        self.moves: list[CharacterMove] = []

    def process(self, dt: float) -> None:
        self.fall -= 9.8 * dt
        self.moves.append(self.physics.move_character(self.entity, (0.0, self.fall * dt)))
        if self.moves[-1].on_floor:
            self.fall = 0.0


@pytest.mark.parametrize("rate", [30, 60, 120])
@pytest.mark.parametrize("speed", [20.0, -20.0])
@pytest.mark.parametrize("motion", ["velocity", "linear", "harmonic"])
@pytest.mark.parametrize("with_body", [True, False])
def test_a_fast_lift_carries_who_stands_on_it_from_the_first_step_on(
    physics: Physics, rate: int, speed: float, motion: str, with_body: bool
) -> None:
    lift: dict[str, Any] = {
        "velocity": Velocity(0.0, speed),
        "linear": LinearTrajectory(0.0, 0.0, 0.0, speed),
        "harmonic": HarmonicTrajectory(0.0, 0.0, 0.0, 0.25 * speed, 4.0),
    }
    body = [RigidBody(kind="kinematic")] if with_body else []
    platform, place = solid(AABBCollider(3.0, 0.1), 0.0, 0.0, 0.0, lift[motion], *body)
    entity, own = hero(CapsuleCollider.upright(1.0, 0.3), 0.0, 0.6)
    game = Standing(physics, entity)
    esper.add_processor(game, priority=BETWEEN)
    for _ in range(2 * rate):
        esper.process(1.0 / rate)
        assert game.moves[-1].floor == platform
        assert not game.moves[-1].crushed
        assert own.y - place.y == pytest.approx(0.6, abs=SKIN)
        assert physics.hits.has(entity, platform)


def test_what_was_not_there_when_the_step_began_is_not_carried_in_its_first_move(physics: Physics) -> None:
    """Between two steps nothing is on its way: a platform's velocity alone carries nothing."""
    solid(AABBCollider(3.0, 0.1), 0.0, 0.0, 0.0, Velocity(0.0, -20.0))
    esper.process(DT)
    entity, own = hero(CapsuleCollider.upright(1.0, 0.3), 0.0, 0.6)
    physics.move_character(entity, (0.0, 0.0))
    assert own.y == 0.6


@pytest.mark.parametrize("angle", [0.0, 0.3, -0.3])
def test_a_belt_carries_a_character_along_its_surface(physics: Physics, angle: float) -> None:
    belt, _ = solid(OBBCollider(10.0, 0.5), 0.0, 0.0, angle, RigidBody("static", tangent_speed=2.0))
    up = (-math.sin(angle), math.cos(angle))
    entity, own = standing(physics, CircleCollider(0.5), 1.01 * up[0], 1.01 * up[1] + 0.3)
    x, y = own.x, own.y
    esper.add_processor(Standing(physics, entity), priority=BETWEEN)
    for _ in range(60):
        esper.process(DT)
    assert (own.x - x) * math.cos(angle) + (own.y - y) * math.sin(angle) == pytest.approx(2.0, abs=1e-3)
    move = physics.move_character(entity, (0.0, 0.0))
    assert move.floor == belt
    assert move.carried == (0.0, 0.0)
    assert move.floor_velocity == pytest.approx((2.0 * math.cos(angle), 2.0 * math.sin(angle)))


def test_a_belt_carries_against_a_wall_and_no_farther_and_the_wall_is_hit(physics: Physics) -> None:
    block(-5.0, -1.0, 5.0, 0.0, RigidBody("static", tangent_speed=3.0))
    wall, _ = block(2.0, 0.0, 3.0, 2.0)
    entity, own = standing(physics, CircleCollider(0.5), 0.0, 0.6)
    esper.add_processor(Standing(physics, entity), priority=BETWEEN)
    for _ in range(60):
        esper.process(DT)
    assert own.x == pytest.approx(1.5, abs=SKIN)
    assert physics.hits.has(entity, wall)


def test_a_belt_that_moves_carries_by_both(physics: Physics) -> None:
    solid(AABBCollider(10.0, 0.5), 0.0, 0.0, 0.0, RigidBody("kinematic", tangent_speed=2.0), Velocity(1.0, 3.0))
    entity, own = hero(CircleCollider(0.5), 0.0, 1.0)
    esper.add_processor(Standing(physics, entity), priority=BETWEEN)
    esper.process(DT)
    x, y = own.x, own.y
    for _ in range(60):
        esper.process(DT)
    assert (own.x - x, own.y - y) == pytest.approx((3.0, 3.0), abs=1e-3)


def test_a_belt_carries_by_the_time_however_many_moves_a_step_has(physics: Physics) -> None:
    block(-9.0, -1.0, 9.0, 0.0, RigidBody("static", tangent_speed=2.0))
    entity, own = standing(physics, CircleCollider(0.5), 0.0, 0.6)
    for k in range(60):
        for _ in range(k % 4):
            physics.move_character(entity, (0.0, -0.01))
        esper.process(DT)
    physics.move_character(entity, (0.0, -0.01))
    assert own.x == pytest.approx(2.0, abs=1e-3)


def test_move_and_slide_is_carried_by_no_belt(physics: Physics) -> None:
    block(-9.0, -1.0, 9.0, 0.0, RigidBody("static", tangent_speed=2.0))
    place = Transform(0.0, 0.6)
    entity = esper.create_entity(place, CircleCollider(0.5))
    for _ in range(10):
        physics.move_and_slide(entity, (0.0, -0.1))
        esper.process(DT)
    assert place.x == 0.0
