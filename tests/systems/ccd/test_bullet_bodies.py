"""Bullets that are rigid bodies: they stop by time of impact, and the solver makes them bounce and push."""

from __future__ import annotations

from typing import Any

import esper
import pytest

import ecsphys
from ecsphys import AABBCollider, Bullet, CircleCollider, OBBCollider, RigidBody, Solid, Transform, Velocity

DT = 1.0 / 60.0


def steps(count: int) -> None:
    for _ in range(count):
        esper.process(DT)


def at(entity: int) -> Transform:
    return esper.component_for_entity(entity, Transform)


def speed(entity: int) -> Velocity:
    return esper.component_for_entity(entity, Velocity)


def ball(x: float, y: float = 0.0, vx: float = 1000.0, vy: float = 0.0, radius: float = 0.1, **body: Any) -> int:
    return esper.create_entity(Transform(x, y), Velocity(vx, vy), CircleCollider(radius), RigidBody(**body), Bullet())


@pytest.mark.parametrize("restitution", [0.0, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("vx", [3.0, 1000.0])
def test_a_ball_bounces_off_a_thin_wall_however_fast_it_is(restitution: float, vx: float) -> None:
    physics = ecsphys.install()
    wall = esper.create_entity(Transform(0.5, 0.0), AABBCollider(0.01, 5.0), Solid())
    bullet = ball(0.0, vx=vx, restitution=restitution)
    hits = []
    for _ in range(20):
        steps(1)
        hits += [hit.phase for hit in physics.hits.of(bullet)]
    # Masses of contacts are in single precision: of a fast ball a ten-millionth is left where nothing should be.
    assert speed(bullet).x == pytest.approx(-restitution * vx, rel=0.01, abs=1e-6)
    assert at(bullet).x <= 0.39 + 1e-6
    assert hits.count("started") == 1
    assert wall


def test_an_oblique_ball_keeps_its_speed_along_a_smooth_wall() -> None:
    ecsphys.install()
    esper.create_entity(Transform(5.0, 0.0), AABBCollider(0.01, 50.0), Solid())
    bullet = ball(0.0, vy=300.0, restitution=0.8, friction=0.0)
    steps(4)
    assert [speed(bullet).x, speed(bullet).y] == pytest.approx([-800.0, 300.0])


@pytest.mark.parametrize("is_asleep", [False, True])
def test_momentum_goes_to_a_light_body_that_it_hits(is_asleep: bool) -> None:
    physics = ecsphys.install()
    target = esper.create_entity(Transform(5.0, 0.0), OBBCollider(0.2, 0.2), RigidBody(mass=0.1, restitution=0.5))
    steps(40)
    if is_asleep:
        physics.bodies.sleep(target)
        steps(1)
    bullet = ball(0.0, mass=2.0)
    steps(4)
    vx, vy = speed(bullet).x, speed(bullet).y
    ux, uy = speed(target).x, speed(target).y
    assert ux > vx > 0.0
    assert abs(2.0 * vx + 0.1 * ux - 2000.0) < 1e-12 * 2000.0
    assert abs(2.0 * vy + 0.1 * uy) < 1e-12 * 2000.0
    assert ux - vx == pytest.approx(500.0, rel=0.01)


def test_two_bullets_meet_half_way_and_exchange_their_speeds() -> None:
    ecsphys.install()
    left, right = ball(0.0, vx=600.0, restitution=1.0), ball(8.0, vx=-400.0, restitution=1.0)
    steps(4)
    assert [speed(left).x, speed(right).x] == pytest.approx([-400.0, 600.0])


def test_a_bullet_rolls_and_slides_on_the_floor_as_any_body() -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(0.0, -0.5), AABBCollider(500.0, 0.5), Solid())
    both = [
        esper.create_entity(Transform(x, 0.5), Velocity(5.0, 0.0, -10.0), CircleCollider(0.5), RigidBody())
        for x in (0.0, 20.0)
    ]
    esper.add_component(both[0], Bullet())
    steps(120)
    assert at(both[0]).x == pytest.approx(at(both[1]).x - 20.0, abs=0.02)
    assert speed(both[0]).x == pytest.approx(5.0, rel=0.01)
    assert at(both[0]).y == pytest.approx(0.5, abs=0.01)
    assert len(physics.hits) == 2


def test_a_belt_carries_bullets_in_a_row() -> None:
    ecsphys.install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(0.0, -0.5), AABBCollider(50.0, 0.5), RigidBody("static", tangent_speed=2.0))
    row = [
        esper.create_entity(Transform(1.02 * k, 0.5), OBBCollider(0.5, 0.5), RigidBody(), Bullet()) for k in range(6)
    ]
    steps(120)
    assert [speed(entity).x for entity in row] == pytest.approx([2.0] * 6, abs=0.02)
    assert [at(entity).y for entity in row] == pytest.approx([0.5] * 6, abs=0.01)


def test_a_bullet_lands_and_falls_asleep() -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(0.0, -0.05), AABBCollider(50.0, 0.05), Solid())
    crate = esper.create_entity(Transform(0.0, 30.0), Velocity(0.0, -400.0), CircleCollider(0.3), RigidBody(), Bullet())
    steps(120)
    assert at(crate).y == pytest.approx(0.3, abs=0.01)
    assert physics.bodies.is_asleep(crate)


def test_what_gives_hits_without_response_does_not_stop_a_body() -> None:
    physics = ecsphys.install()
    coin = esper.create_entity(Transform(5.0, 0.0), CircleCollider(0.3))
    bullet = ball(0.0)
    steps(1)
    (hit,) = physics.hits.of(bullet)
    assert hit.other(bullet) == coin
    assert [hit.time, at(bullet).x] == pytest.approx([4.6 / 1000.0 * 60.0, 1000.0 / 60.0])
    assert speed(bullet).x == 1000.0


def test_a_bullet_that_is_no_body_still_stops_at_a_body() -> None:
    physics = ecsphys.install()
    crate = esper.create_entity(Transform(5.0, 0.0), OBBCollider(0.5, 0.5), RigidBody())
    shot = esper.create_entity(Transform(), Velocity(1000.0, 0.0), CircleCollider(0.1), Bullet())
    steps(1)
    assert at(shot).x == pytest.approx(4.4)
    assert (speed(shot).x, speed(crate).x) == (0.0, 0.0)
    assert physics.hits.has(shot, crate)


def test_a_bullet_that_spins_round_another_point_keeps_its_momentum() -> None:
    """It is turned back to where it touched, which changes the velocity of its position, and not that of its centre."""
    physics = ecsphys.install()
    hammer = esper.create_entity(
        Transform(0.0, 0.0), Velocity(200.0, 0.0, 30.0), OBBCollider(0.5, 0.1, offset_x=0.5), RigidBody(), Bullet()
    )
    target = esper.create_entity(Transform(3.0, 0.0), OBBCollider(0.5, 2.0), RigidBody())

    def momentum() -> tuple[float, float]:
        sums = [0.0, 0.0]
        for body in (hammer, target):
            mass, velocity = physics.bodies.mass_of(body).mass, speed(body)
            sums[0] += mass * velocity.x
            sums[1] += mass * velocity.y
        return sums[0], sums[1]

    before = momentum()
    for _ in range(5):
        steps(1)
        assert momentum() == pytest.approx(before, rel=1e-12, abs=1e-11)
    assert speed(target).x > 1.0


def test_bullets_of_like_masses_do_not_press_the_first_through_a_thin_wall() -> None:
    ecsphys.install()
    esper.create_entity(Transform(0.51, 0.0), AABBCollider(0.01, 500.0), Solid())
    row = [ball(-0.5 - 0.25 * k, vx=100.0) for k in range(8)]
    for _ in range(120):
        steps(1)
        assert max(at(bullet).x for bullet in row) < 0.5


@pytest.mark.parametrize("vy", [100.0, 400.0, 4000.0])
def test_a_box_that_strikes_flat_without_restitution_keeps_a_twentieth_of_its_speed_at_most(vy: float) -> None:
    """Its two points are solved in turn, and each leaves a fifth to the other, twice."""
    ecsphys.install()
    esper.create_entity(Transform(0.0, -50.0), AABBCollider(200.0, 50.0), Solid())
    box = esper.create_entity(Transform(0.0, 5.0), Velocity(0.0, -vy), OBBCollider(0.5, 0.5), RigidBody(), Bullet())
    for _ in range(60):
        steps(1)
        assert speed(box).y < 0.05 * vy
