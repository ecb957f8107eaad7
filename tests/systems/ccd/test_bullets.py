"""``Bullet``: nothing on the way is missed, what is to stop rests there, and the hits say when it was."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ecsphys
from ecsphys import (
    AABBCollider,
    BallisticTrajectory,
    Bullet,
    CapsuleCollider,
    CircleCollider,
    CircularTrajectory,
    CollisionFilter,
    CompoundCollider,
    Disabled,
    Gravity,
    LinearTrajectory,
    OBBCollider,
    Parent,
    Physics,
    PolygonCollider,
    Transform,
    Velocity,
    geometry,
)
from ecsphys.types import Hit

DT = 1.0 / 60.0


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install()


def install_in_new_world(gravity: float = 0.0) -> Physics:
    """For an example of many in one test."""
    esper.switch_world("default")
    if "example" in esper.list_worlds():
        esper.delete_world("example")
    esper.switch_world("example")
    return ecsphys.install(gravity=(0.0, gravity))


def where(entity: int) -> tuple[float, float]:
    transform = esper.component_for_entity(entity, Transform)
    return transform.x, transform.y


def speed(entity: int) -> tuple[float, float]:
    velocity = esper.component_for_entity(entity, Velocity)
    return velocity.x, velocity.y


def only_hit(physics: Physics, entity: int) -> Hit:
    (hit,) = physics.hits.of(entity)
    return hit


@given(
    approach=st.floats(-1.5, 1.5),
    turn=st.floats(-math.pi, math.pi),
    distance=st.floats(0.2, 12.0),
    away=st.sampled_from([0.0, 1e3, 1e7]),
)
@settings(max_examples=60)
def test_a_small_fast_bullet_never_passes_a_thin_wall_at_any_angle(
    approach: float, turn: float, distance: float, away: float
) -> None:
    """200 units/s, radius 0.1, against a wall 0.1 thick: 33 times its thickness in a step of 1/60 s."""
    physics = install_in_new_world()
    wall = esper.create_entity(Transform(away, away, turn), OBBCollider(0.05, 1000.0))
    normal = (math.cos(turn), math.sin(turn))
    ball = esper.create_entity(
        Transform(away - distance * normal[0], away - distance * normal[1]),
        Velocity(200.0 * math.cos(turn + approach), 200.0 * math.sin(turn + approach)),
        CircleCollider(0.1),
        Bullet(),
    )
    touched = 0
    for _ in range(math.ceil(distance / (200.0 * math.cos(approach) * DT)) + 3):
        esper.process(DT)
        x, y = where(ball)
        gap = -(x - away) * normal[0] - (y - away) * normal[1] - 0.15
        rounding = 4.0 * np.spacing(away + 1.0)
        assert gap > -rounding
        for hit in physics.hits.of(ball):
            touched += 1
            if gap > rounding:
                assert hit.depth == 0.0
            assert gap < 1e-7 + rounding
            seen = hit.seen_from(ball)
            assert seen.entity_b == wall
            assert seen.normal == pytest.approx(normal, abs=1e-9)
            assert 0.0 <= hit.time <= 1.0
    assert touched >= 2
    assert speed(ball)[0] * normal[0] + speed(ball)[1] * normal[1] == pytest.approx(0.0, abs=1e-6)
    along = 200.0 * math.sin(approach)
    assert -speed(ball)[0] * normal[1] + speed(ball)[1] * normal[0] == pytest.approx(along, abs=1e-6)


def test_time_point_normal_depth_and_approach_speed_of_a_swept_hit(physics: Physics) -> None:
    ball = esper.create_entity(Transform(0, 0), Velocity(60.0, 30.0), CircleCollider(0.25), Bullet())
    wall = esper.create_entity(Transform(1, 0), AABBCollider(0.25, 5.0))
    esper.process(DT)
    hit = only_hit(physics, ball)
    assert (hit.entity_a, hit.entity_b) == (ball, wall)
    assert hit.time == pytest.approx(0.5, abs=1e-6)
    assert hit.depth == 0.0
    assert hit.normal == (1.0, 0.0)
    assert hit.points[0] == pytest.approx((0.75, 0.25), abs=1e-6)
    assert hit.approach_speed == pytest.approx(60.0)
    assert where(ball) == pytest.approx((0.5, 0.25), abs=1e-6)
    assert speed(ball) == (0.0, 30.0)
    assert physics.hits.time.tolist() == [hit.time]


def test_all_other_hits_have_time_one(physics: Physics) -> None:
    esper.create_entity(Transform(0, 0), CircleCollider(1))
    b = esper.create_entity(Transform(1, 0), CircleCollider(1))
    esper.process(DT)
    assert only_hit(physics, b).time == 1.0


def test_a_stopped_bullet_slides_on_in_the_next_steps_and_its_hit_goes_on(physics: Physics) -> None:
    ball = esper.create_entity(Transform(0, 0), Velocity(60.0, 30.0), CircleCollider(0.25), Bullet())
    esper.create_entity(Transform(1, 0), AABBCollider(0.25, 50.0))
    phases = []
    for step in range(5):
        esper.process(DT)
        phases.append(only_hit(physics, ball).phase)
        assert where(ball)[1] == pytest.approx(0.25 + 0.5 * step, abs=1e-6)
    assert phases == ["started", "ongoing", "ongoing", "ongoing", "ongoing"]


def test_its_hit_ends_once_the_gap_is_a_millionth_of_its_size(physics: Physics) -> None:
    ball = esper.create_entity(Transform(0, 0), Velocity(60.0, 0.0), CircleCollider(0.5), Bullet())
    esper.create_entity(Transform(2, 0), AABBCollider(0.5, 5.0))
    esper.process(DT)
    esper.process(DT)
    transform = esper.component_for_entity(ball, Transform)
    transform.x = 1.0 - 0.9e-6
    esper.process(DT)
    assert only_hit(physics, ball).phase == "ongoing"
    transform.x = 1.0 - 1.1e-6
    esper.process(DT)
    assert physics.hits.of(ball) == []
    assert physics.hits.ended.reason.tolist() == ["separated"]


def test_under_gravity_it_lies_still_on_the_floor_and_its_hit_goes_on() -> None:
    physics = ecsphys.install(gravity=(0.0, -9.8))
    ball = esper.create_entity(Transform(0, 3), Velocity(), Gravity(), CircleCollider(0.5), Bullet())
    esper.create_entity(Transform(0, -0.5), AABBCollider(5.0, 0.5))
    starts = ends = 0
    for _ in range(600):
        esper.process(DT)
        starts += len(physics.hits.started)
        ends += len(physics.hits.ended)
    assert (starts, ends) == (1, 0)
    assert 0.5 < where(ball)[1] < 0.5 + 1e-6
    assert where(ball)[0] == 0.0
    assert speed(ball) == pytest.approx((0.0, 0.0), abs=1e-12)


@pytest.mark.parametrize("away", [0.0, 1e6])
def test_it_slides_over_flush_tiles_at_speed_without_being_caught(away: float) -> None:
    ecsphys.install(gravity=(0.0, -50.0))
    box = esper.create_entity(Transform(away, 1.0), Velocity(40.0, 0.0), Gravity(), AABBCollider(0.5, 0.5), Bullet())
    for tile in range(-2, 60):
        esper.create_entity(Transform(away + tile, 0.0), AABBCollider(0.5, 0.5))
    for _ in range(75):
        esper.process(DT)
    assert where(box)[0] - away == pytest.approx(50.0, abs=0.7)
    assert where(box)[1] == pytest.approx(1.0, abs=2e-6)
    assert speed(box)[0] == pytest.approx(40.0, abs=1e-4)


def test_in_a_corner_it_rests() -> None:
    physics = ecsphys.install(gravity=(30.0, -30.0))
    ball = esper.create_entity(Transform(0, 0), Velocity(), Gravity(), CircleCollider(0.5), Bullet())
    esper.create_entity(Transform(3, 0), AABBCollider(0.5, 9.0))
    esper.create_entity(Transform(0, -3), AABBCollider(9.0, 0.5))
    for _ in range(200):
        esper.process(DT)
        assert all(hit.depth == 0.0 for hit in physics.hits.of(ball))
    assert where(ball) == pytest.approx((2.0, -2.0), abs=1e-6)
    assert len(physics.hits.of(ball)) == 2


def test_two_bullets_meet_half_way_both_at_the_same_time(physics: Physics) -> None:
    a = esper.create_entity(Transform(-2, 0), Velocity(200.0, 0.0), CircleCollider(0.1), Bullet())
    b = esper.create_entity(Transform(1, 0), Velocity(-200.0, 0.0), CircleCollider(0.1), Bullet())
    esper.process(DT)
    hit = only_hit(physics, a)
    time = (3.0 - 0.2) / 400.0 / DT
    assert hit.time == pytest.approx(time, abs=1e-7)
    assert hit.approach_speed == pytest.approx(400.0)
    assert where(a) == pytest.approx((-0.6, 0.0), abs=1e-7)
    assert where(b) == pytest.approx((-0.4, 0.0), abs=1e-7)
    assert speed(a) == speed(b) == (0.0, 0.0)


def test_a_fast_bullet_that_catches_up_goes_on_as_fast_as_the_slow_one(physics: Physics) -> None:
    fast = esper.create_entity(Transform(-3, 0), Velocity(200.0, 5.0), CircleCollider(0.1), Bullet())
    slow = esper.create_entity(Transform(-1, 0), Velocity(20.0, 0.0), OBBCollider(0.1, 3.0), Bullet())
    esper.process(DT)
    assert only_hit(physics, fast).approach_speed == pytest.approx(180.0)
    assert speed(fast) == pytest.approx((20.0, 5.0))
    assert speed(slow) == (20.0, 0.0)


def test_one_that_does_not_stop_reports_all_on_its_way_in_order_and_flies_on(physics: Physics) -> None:
    ball = esper.create_entity(Transform(0, 0), Velocity(600.0, 0.0), CircleCollider(0.5), Bullet(stop=False))
    walls = [esper.create_entity(Transform(x, 0), AABBCollider(0.05, 1.0)) for x in (2.0, 5.0, 8.0)]
    esper.process(DT)
    assert where(ball) == pytest.approx((10.0, 0.0))
    assert speed(ball) == (600.0, 0.0)
    hits = physics.hits.of(ball)
    assert [hit.entity_b for hit in hits] == walls
    assert [hit.time for hit in hits] == pytest.approx([0.145, 0.445, 0.745], abs=1e-6)
    assert [hit.depth for hit in hits] == [0.0, 0.0, 0.0]
    esper.process(DT)
    assert physics.hits.ended.reason.tolist() == ["separated"] * 3


def test_where_it_overlaps_at_the_end_of_the_step_the_hit_is_an_ordinary_one(physics: Physics) -> None:
    ball = esper.create_entity(Transform(0, 0), Velocity(120.0, 0.0), CircleCollider(0.5), Bullet(stop=False))
    esper.create_entity(Transform(3, 0), AABBCollider(1.0, 1.0))
    esper.process(DT)
    hit = only_hit(physics, ball)
    assert hit.time == 1.0
    assert hit.depth == pytest.approx(0.5)


def test_what_it_overlaps_at_the_beginning_does_not_stop_it(physics: Physics) -> None:
    ball = esper.create_entity(Transform(0, 0), Velocity(240.0, 0.0), CircleCollider(0.1), Bullet())
    esper.create_entity(Transform(0, 0), AABBCollider(1.0, 1.0))
    wall = esper.create_entity(Transform(3, 0), AABBCollider(0.1, 1.0))
    esper.process(DT)
    assert where(ball)[0] == pytest.approx(2.8, abs=1e-6)
    assert only_hit(physics, ball).entity_b == wall


@pytest.mark.parametrize("gap", [0.0, 1e-9, 1e-7])
def test_what_it_touches_at_the_beginning_stops_it_at_once(physics: Physics, gap: float) -> None:
    ball = esper.create_entity(Transform(0.5 - gap, 0), Velocity(200.0, 0.0), CircleCollider(0.5), Bullet())
    esper.create_entity(Transform(1.05, 0), AABBCollider(0.05, 5.0))
    for _ in range(3):
        esper.process(DT)
        assert where(ball)[0] == pytest.approx(0.5, abs=1e-6)


def test_a_spinning_bar_stops_at_what_its_tip_meets(physics: Physics) -> None:
    """Half a turn in one step: both ends of the step are clear of the peg at 45°."""
    bar = esper.create_entity(Transform(), Velocity(angular=0.5 * math.pi / DT), CapsuleCollider(4.0, 0.1), Bullet())
    peg = esper.create_entity(Transform(math.sqrt(2.0), math.sqrt(2.0)), CircleCollider(0.1))
    esper.process(DT)
    hit = only_hit(physics, bar)
    turned = 0.25 * math.pi - math.asin(0.2 / 2.0)
    assert hit.entity_b == peg
    assert hit.time == pytest.approx(turned / (0.5 * math.pi), abs=1e-6)
    assert esper.component_for_entity(bar, Transform).angle == pytest.approx(turned, abs=1e-6)


def test_on_a_circle_the_impact_is_on_the_exact_curve_and_elapsed_is_held_there(physics: Physics) -> None:
    """A sixth of a turn in a step: the chord would pass the wall by."""
    trajectory = CircularTrajectory(0, 0, 2.0, math.tau / 6.0 / DT)
    ball = esper.create_entity(Transform(), trajectory, CircleCollider(0.1), Bullet())
    wall = esper.create_entity(Transform(1.9, 1.0), AABBCollider(0.3, 0.05))
    esper.process(DT)
    angle = math.asin(0.85 / 2.0)
    assert only_hit(physics, ball).time == pytest.approx(6.0 * angle / math.tau, abs=1e-6)
    assert trajectory.elapsed == pytest.approx(6.0 * angle / math.tau * DT, abs=1e-8)
    assert where(ball) == pytest.approx((2.0 * math.cos(angle), 0.85), abs=1e-6)
    for _ in range(3):
        esper.process(DT)
        assert only_hit(physics, ball).phase == "ongoing"
        assert where(ball)[1] == pytest.approx(0.85, abs=1e-6)
    esper.delete_entity(wall)
    esper.process(DT)
    assert where(ball) == pytest.approx((2.0 * math.cos(angle + math.tau / 6), 2.0 * math.sin(angle + math.tau / 6)))


def test_a_thrown_one_meets_the_floor_where_the_parabola_does(physics: Physics) -> None:
    trajectory = BallisticTrajectory(0, 5.0, 10.0, 0.0, ay=-9.8)
    ball = esper.create_entity(Transform(), Velocity(), trajectory, CircleCollider(0.5), Bullet())
    esper.create_entity(Transform(0, -0.5), AABBCollider(100.0, 0.5))
    fall = math.sqrt(2.0 * 4.5 / 9.8)
    for _ in range(3):
        esper.process(0.5)
    assert trajectory.elapsed == pytest.approx(fall, abs=1e-7)
    assert where(ball) == pytest.approx((10.0 * fall, 0.5), abs=1e-6)
    assert only_hit(physics, ball).phase == "ongoing"
    assert speed(ball) == (10.0, 0.0)


def test_between_two_trajectories_that_cross_the_meeting_is_where_both_are(physics: Physics) -> None:
    a = esper.create_entity(Transform(), LinearTrajectory(-3, 0, 300.0, 0.0), CircleCollider(0.1), Bullet())
    b = esper.create_entity(Transform(), LinearTrajectory(0, -3, 0.0, 300.0), CircleCollider(0.1), Bullet())
    esper.process(DT)
    assert only_hit(physics, a).entity_b == b
    assert math.dist(where(a), where(b)) == pytest.approx(0.2, abs=1e-7)
    assert where(a)[0] == pytest.approx(where(b)[1])


@pytest.mark.parametrize(
    "prepare",
    [
        lambda wall: esper.add_component(wall, CollisionFilter(layers=2, mask=2)),
        lambda wall: esper.add_component(wall, Disabled()),
        esper.delete_entity,
    ],
    ids=["filtered", "disabled", "dead"],
)
def test_it_flies_through_what_it_is_not_to_meet(physics: Physics, prepare: Callable[[int], None]) -> None:
    ball = esper.create_entity(Transform(), Velocity(200.0, 0.0), CircleCollider(0.1), Bullet())
    prepare(esper.create_entity(Transform(1, 0), AABBCollider(0.1, 1.0)))
    esper.process(DT)
    assert where(ball)[0] == pytest.approx(200.0 * DT)
    assert len(physics.hits) == 0


def test_what_is_killed_between_the_sweep_and_the_narrowphase_is_in_no_hit(physics: Physics) -> None:
    ball = esper.create_entity(Transform(), Velocity(200.0, 0.0), CircleCollider(0.1), Bullet())
    walls = [esper.create_entity(Transform(1, y), AABBCollider(0.1, 0.3)) for y in (-0.3, 0.3)]

    class Reaper(esper.Processor):
        def process(self, dt: float) -> None:
            esper.delete_entity(walls[0])

    esper.add_processor(Reaper(), priority=305)
    esper.process(DT)
    assert [hit.entity_b for hit in physics.hits.of(ball)] == [walls[1]]


def test_a_wall_that_moves_against_a_resting_bullet_pushes_it_and_never_passes(physics: Physics) -> None:
    ball = esper.create_entity(Transform(0, 0), Velocity(), CircleCollider(0.1), Bullet())
    wall = esper.create_entity(Transform(-10, 0), Velocity(200.0, 0.0), AABBCollider(0.05, 5.0))
    for _ in range(20):
        esper.process(DT)
        assert where(ball)[0] - where(wall)[0] > 0.15 - 1e-9
    assert where(ball)[0] == pytest.approx(where(wall)[0] + 0.15, abs=1e-6)


def test_each_part_of_a_compound_is_swept_and_named(physics: Physics) -> None:
    bell = CompoundCollider([CircleCollider(0.1, offset_y=-2), CircleCollider(0.1, offset_y=2)])
    body = esper.create_entity(Transform(), Velocity(200.0, 0.0), bell, Bullet())
    esper.create_entity(Transform(1, 2), AABBCollider(0.05, 0.5))
    esper.process(DT)
    hit = only_hit(physics, body)
    assert hit.part_a == 1
    assert where(body)[0] == pytest.approx(0.85, abs=1e-6)


def test_what_a_stopped_bullet_carries_stops_with_it(physics: Physics) -> None:
    ball = esper.create_entity(Transform(), Velocity(200.0, 0.0), CircleCollider(0.1), Bullet())
    flag = esper.create_entity(Transform(), Parent(ball, x=-1.0))
    esper.create_entity(Transform(1, 0), AABBCollider(0.1, 1.0))
    esper.process(DT)
    assert where(flag)[0] == where(ball)[0] - 1.0 == pytest.approx(-0.2, abs=1e-6)


def test_what_the_game_moves_between_steps_and_what_is_new_has_not_flown(physics: Physics) -> None:
    esper.create_entity(Transform(1, 0), AABBCollider(0.1, 9.0))
    ball = esper.create_entity(Transform(), Velocity(), CircleCollider(0.1), Bullet())
    esper.process(DT)
    esper.component_for_entity(ball, Transform).x = 3.0
    esper.process(DT)
    assert where(ball) == (3.0, 0.0)

    class Spawner(esper.Processor):
        spawned = 0

        def process(self, dt: float) -> None:
            self.spawned = self.spawned or esper.create_entity(Transform(5, 5), CircleCollider(0.1), Bullet())

    spawner = Spawner()
    esper.add_processor(spawner, priority=360)
    esper.delete_entity(ball, immediate=True)  # its row may be the new one's
    esper.process(DT)
    assert where(spawner.spawned) == (5.0, 5.0)
    assert len(physics.hits) == 0


def test_what_the_game_moves_in_the_step_is_swept(physics: Physics) -> None:
    esper.create_entity(Transform(1, 0), AABBCollider(0.1, 9.0))
    ball = esper.create_entity(Transform(), CircleCollider(0.1), Bullet())

    class Mover(esper.Processor):
        def process(self, dt: float) -> None:
            esper.component_for_entity(ball, Transform).x += 5.0

    esper.add_processor(Mover(), priority=360)
    esper.process(DT)
    assert where(ball)[0] == pytest.approx(0.8, abs=1e-6)
    assert len(physics.hits) == 1


def test_resting_targets_are_met_too(physics: Physics) -> None:
    for k in range(30):
        esper.create_entity(Transform(1.0, float(k)), OBBCollider(0.1, 0.5))
    for _ in range(6):
        esper.process(DT)
    assert physics.debug.profile.counters["sleeping"] == 30
    ball = esper.create_entity(Transform(0.0, 7.0), Velocity(200.0, 0.0), CircleCollider(0.1), Bullet())
    esper.process(DT)
    assert where(ball)[0] == pytest.approx(0.8, abs=1e-6)
    assert only_hit(physics, ball).entity_a == 8


def test_a_step_of_no_time_sweeps_nothing(physics: Physics) -> None:
    esper.create_entity(Transform(1, 0), AABBCollider(0.1, 9.0))
    ball = esper.create_entity(Transform(), Velocity(200.0, 0.0), CircleCollider(0.1), Bullet())
    esper.process(0.0)
    assert where(ball) == (0.0, 0.0)
    assert len(physics.hits) == 0


shapes = st.sampled_from(
    [
        lambda: CircleCollider(0.2),
        lambda: OBBCollider(0.4, 0.1),
        lambda: CapsuleCollider(0.6, 0.1),
        lambda: PolygonCollider([(-0.2, -0.2), (0.3, 0.0), (-0.2, 0.2)]),
    ]
)


@given(
    bullets=st.lists(
        st.tuples(
            shapes, st.floats(-3, 3), st.floats(-3, 3), st.floats(-300, 300), st.floats(-300, 300), st.floats(-40, 40)
        ),
        min_size=1,
        max_size=4,
    ),
    posts=st.lists(st.tuples(st.floats(-4.5, 4.5), st.floats(-4.5, 4.5), st.floats(-3, 3)), max_size=5),
    gravity=st.sampled_from([0.0, -30.0]),
)
@settings(max_examples=40)
def test_nothing_that_stops_ever_leaves_a_closed_room_or_ends_inside_of_what_it_was_clear_of(
    bullets: list[tuple[Callable[[], ecsphys.Collider], float, float, float, float, float]],
    posts: list[tuple[float, float, float]],
    gravity: float,
) -> None:
    physics = install_in_new_world(gravity)
    for side in (-6.0, 6.0):
        esper.create_entity(Transform(side, 0), AABBCollider(0.05, 7))
        esper.create_entity(Transform(0, side), AABBCollider(7, 0.05))
    for x, y, angle in posts:
        esper.create_entity(Transform(x, y, angle), OBBCollider(0.03, 0.7))
    flying = [
        esper.create_entity(Transform(x, y), Velocity(vx, vy, spin), Gravity(), make(), Bullet())
        for make, x, y, vx, vy, spin in bullets
    ]
    esper.process(0.0)
    overlapping = {(hit.entity_a, hit.entity_b) for one in flying for hit in physics.hits.of(one)}
    for _ in range(30):
        esper.process(DT)
        now = set()
        for one in flying:
            assert max(map(abs, where(one))) < 6.0
            for hit in physics.hits.of(one):
                if hit.depth > 1e-6:
                    now.add((hit.entity_a, hit.entity_b))
        assert now <= overlapping
        overlapping = now


def test_the_oracle_of_distances_agrees_that_it_rests_outside(physics: Physics) -> None:
    wall = OBBCollider(1.0, 0.2)
    esper.create_entity(Transform(3, 1, 0.7), wall)
    box = PolygonCollider([(-0.3, -0.2), (0.4, 0.0), (-0.3, 0.2)])
    body = esper.create_entity(Transform(0, 0), Velocity(300.0, 90.0, 25.0), box, Bullet())
    esper.process(DT)
    transform = esper.component_for_entity(body, Transform)
    distance, _, _ = geometry.closest_points(box, transform, wall, Transform(3, 1, 0.7))
    assert 0.0 < distance < 1e-6 * 0.4
    assert only_hit(physics, body).depth == 0.0


def test_bullets_stop_by_a_flag_of_zero_or_one() -> None:
    assert Bullet() == Bullet(stop=True) == Bullet(1)
    with pytest.raises(ValueError, match=r"Bullet\.stop"):
        Bullet(stop=2)
