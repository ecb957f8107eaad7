"""``Bullet``: what once got through, or was taken too far."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ecsphys
from ecsphys import (
    AABBCollider,
    Bullet,
    CapsuleCollider,
    CircleCollider,
    Collider,
    CompoundCollider,
    FanCollider,
    Gravity,
    OBBCollider,
    Parent,
    Physics,
    PolygonCollider,
    Transform,
    Velocity,
)
from ecsphys.systems.ccd.sweeps import SweepSystem

DT = 1.0 / 60.0


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install()


def place(entity: int) -> Transform:
    return esper.component_for_entity(entity, Transform)


@pytest.mark.parametrize("spin", [2.0, 6.0, -20.0, 40.0])
def test_a_wall_that_turns_takes_a_bullet_along_and_never_passes_it(physics: Physics, spin: float) -> None:
    wall = esper.create_entity(Transform(), Velocity(angular=spin), OBBCollider(5.0, 0.05))
    side = math.copysign(1.0, spin)
    ball = esper.create_entity(Transform(3.0, 0.5 * side), Velocity(), CircleCollider(0.1), Bullet())
    for _ in range(60):
        esper.process(DT)
        angle = place(wall).angle
        assert side * (place(ball).y * math.cos(angle) - place(ball).x * math.sin(angle)) > 0.15
        assert all(hit.depth == 0.0 for hit in physics.hits.of(ball))
    assert len(physics.hits.of(ball)) == 1


def test_a_wall_on_a_turning_parent_takes_a_box_along(physics: Physics) -> None:
    hub = esper.create_entity(Transform(), Velocity(angular=5.0))
    wall = esper.create_entity(Transform(), Parent(hub, x=3.0), OBBCollider(2.0, 0.05))
    box = esper.create_entity(Transform(3.0, 1.0, 0.3), Velocity(), OBBCollider(0.3, 0.1), Bullet())
    for _ in range(60):
        esper.process(DT)
        assert all(hit.depth == 0.0 for hit in physics.hits.of(box))
    assert physics.hits.has(wall, box)


@pytest.mark.parametrize("spin", [-3.0, 0.5, 3.0])
def test_a_wall_takes_along_a_bar_that_turns(physics: Physics, spin: float) -> None:
    esper.create_entity(Transform(-2, 0, 0.2), Velocity(9.0, 0), OBBCollider(0.05, 6.0))
    bar = esper.create_entity(Transform(0, 0, 1.1), Velocity(angular=spin), OBBCollider(0.3, 0.07), Bullet())
    for _ in range(60):
        esper.process(DT)
        assert all(hit.depth == 0.0 for hit in physics.hits.of(bar))
    assert place(bar).x > 6.0


def test_two_flush_tiles_that_move_push_no_farther_than_one(physics: Physics) -> None:
    tiles = [esper.create_entity(Transform(-1, y), Velocity(60, 0), AABBCollider(0.05, 1.0)) for y in (-1.0, 1.0)]
    ball = esper.create_entity(Transform(), Velocity(), CircleCollider(0.1), Bullet())
    for _ in range(5):
        esper.process(DT)
        assert place(ball).x - place(tiles[0]).x == pytest.approx(0.15, abs=1e-6)
        assert len(physics.hits.of(ball)) == 2


def test_a_wall_pushes_bullets_in_a_row_and_none_through_another(physics: Physics) -> None:
    wall = esper.create_entity(Transform(-1, 0), Velocity(12, 0), AABBCollider(0.05, 1.0))
    row = [esper.create_entity(Transform(0.5 * k, 0), Velocity(), CircleCollider(0.1), Bullet()) for k in range(6)]
    for _ in range(60):
        esper.process(DT)
        assert (physics.hits.depth == 0.0).all()
    for k, ball in enumerate(row):
        assert place(ball).x - place(wall).x == pytest.approx(0.15 + 0.2 * k, abs=1e-5)


@pytest.mark.parametrize("speed", [12.0, 200.0])
def test_a_wall_pushes_no_bullet_through_another_wall(physics: Physics, speed: float) -> None:
    esper.create_entity(Transform(-1, 0), Velocity(speed, 0), AABBCollider(0.05, 1.0))
    esper.create_entity(Transform(1, 0), OBBCollider(0.02, 9))
    ball = esper.create_entity(Transform(), Velocity(), CircleCollider(0.1), Bullet())
    for _ in range(30):
        esper.process(DT)
    assert place(ball).x == pytest.approx(0.88, abs=1e-6)


def test_what_slides_aside_does_not_miss_what_is_there(physics: Physics) -> None:
    """Its way to the right would not come near the floor; the slope turns it down, through the floor."""
    half = math.sqrt(0.5)
    esper.create_entity(Transform(half * 1.1, half * 1.1, 0.25 * math.pi), OBBCollider(1.0, 20.0))
    floor = esper.create_entity(Transform(0, -0.9), AABBCollider(50.0, 0.02))
    ball = esper.create_entity(Transform(), Velocity(200.0, 0.0), CircleCollider(0.1), Bullet())
    for _ in range(3):
        esper.process(DT)
        assert place(ball).y > -0.78
    assert physics.hits.has(ball, floor)


def test_what_follows_a_bullet_rests_when_that_one_does(physics: Physics) -> None:
    """Next to each other, the slower one ahead; it meets the wall in the same step."""
    esper.create_entity(Transform(1.0, 0), AABBCollider(0.05, 5.0))
    ahead = esper.create_entity(Transform(0.5, 0), Velocity(60.0, 0.0), CircleCollider(0.1), Bullet())
    behind = esper.create_entity(Transform(0.3 - 1e-8, 0), Velocity(90.0, 0.0), CircleCollider(0.1), Bullet())
    for _ in range(3):
        esper.process(DT)
        assert place(ahead).x == pytest.approx(0.85, abs=1e-6)
        assert place(behind).x == pytest.approx(0.65, abs=1e-6)
        assert (physics.hits.depth == 0.0).all()


@pytest.mark.parametrize("turn", [0.1, 0.7, 2.0])
def test_far_from_the_origin_small_bullets_stay_on_tiles(turn: float) -> None:
    away, size = 1e6, 1e-3
    c, s = math.cos(turn), math.sin(turn)
    physics = ecsphys.install(gravity=(s, -c))
    for k in range(-20, 21):
        esper.create_entity(
            Transform(away + k * size * c, away + k * size * s, turn), OBBCollider(0.5 * size, 0.5 * size)
        )
    bullets = [
        esper.create_entity(
            Transform(away + k * size * c - 2 * size * s, away + k * size * s + 2 * size * c, turn),
            Velocity(0.02 * k * c, 0.02 * k * s),
            Gravity(),
            CapsuleCollider(0.1 * size, 0.02 * size),
            Bullet(),
        )
        for k in range(-3, 4)
    ]
    for _ in range(60):
        esper.process(DT)
        for bullet in bullets:
            assert all(hit.depth < 1e-9 for hit in physics.hits.of(bullet))


def test_swept_hits_end_where_nothing_is_swept_any_more(physics: Physics) -> None:
    esper.create_entity(Transform(1, 0), AABBCollider(0.1, 5.0))
    ball = esper.create_entity(Transform(), Velocity(200.0, 0.0), CircleCollider(0.1), Bullet())
    esper.process(DT)
    assert len(physics.hits) == 1
    esper.remove_processor(SweepSystem)
    place(ball).x = -50.0
    esper.process(DT)
    assert len(physics.hits) == 0
    assert physics.hits.ended.reason.tolist() == ["separated"]


def some_shape(number: int) -> Collider | CompoundCollider:
    shapes: list[Callable[[], Collider | CompoundCollider]] = [
        lambda: CircleCollider(0.2, offset_x=0.1),
        lambda: AABBCollider(0.2, 0.1, offset_y=0.1),
        lambda: OBBCollider(0.4, 0.1),
        lambda: CapsuleCollider(0.6, 0.05),
        lambda: FanCollider(0.4, 5.0),
        lambda: PolygonCollider([(-0.2, -0.2), (0.3, 0.0), (-0.2, 0.2)], radius=0.05),
        lambda: CompoundCollider([CircleCollider(0.1, offset_x=0.4), OBBCollider(0.3, 0.05)]),
    ]
    return shapes[number]()


@given(
    bullets=st.lists(
        st.tuples(
            st.integers(0, 6),
            st.floats(-4, 4),
            st.floats(-4, 4),
            st.floats(-1, 1),
            st.floats(-1, 1),
            st.floats(-20, 20),
        ),
        min_size=6,
        max_size=16,
    ),
    speed=st.sampled_from([1.0, 30.0, 300.0]),
    tilt=st.sampled_from([0.0, 0.3, 1.1]),
    dt=st.sampled_from([DT, 0.1]),
)
@settings(max_examples=40)
def test_many_bullets_of_all_shapes_in_a_tilted_room_overlap_nothing_they_were_clear_of(
    bullets: list[tuple[int, float, float, float, float, float]], speed: float, tilt: float, dt: float
) -> None:
    esper.switch_world("default")
    if "example" in esper.list_worlds():
        esper.delete_world("example")
    esper.switch_world("example")
    physics = ecsphys.install(gravity=(0.0, -30.0))
    for quarter in range(4):
        angle = tilt + quarter * 0.5 * math.pi
        esper.create_entity(Transform(6 * math.cos(angle), 6 * math.sin(angle), angle), OBBCollider(0.05, 7))
    for kind, x, y, vx, vy, spin in bullets:
        velocity = Velocity(speed * vx, speed * vy, spin)
        esper.create_entity(Transform(x, y), velocity, Gravity(), some_shape(kind), Bullet())

    def overlapping() -> set[tuple[int, int]]:
        hits = physics.hits
        deep = hits.depth > 1e-6
        return set(zip(hits.entity_a[deep].tolist(), hits.entity_b[deep].tolist(), strict=True))

    esper.process(0.0)
    before = overlapping()
    for _ in range(25):
        esper.process(dt)
        # What overlapped once may be pushed about by that for as long as it likes.
        assert overlapping() <= before


def test_a_bullet_that_overlaps_asleep_and_is_carried_back_by_its_parent_keeps_its_depth(physics: Physics) -> None:
    parent = esper.create_entity(Transform(1, 2))
    esper.create_entity(Transform(), CircleCollider(1), Parent(parent))
    bullet = esper.create_entity(Transform(), CircleCollider(0.5), Velocity(), Parent(parent, 0.75), Bullet())
    for _ in range(10):
        esper.process(DT)
    assert physics.debug.profile.counters["sleeping"] == 2
    place(bullet).x = 5.0
    esper.process(DT)
    assert physics.hits.depth.tolist() == [0.75]
    assert not len(physics.hits.started)
    assert not len(physics.hits.ended)
