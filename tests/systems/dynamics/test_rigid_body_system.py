"""Rigid bodies in a world: what they obey, which colliders are theirs, and what the game does with them."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import (
    AABBCollider,
    Acceleration,
    CircleCollider,
    CollisionFilter,
    CompoundCollider,
    Disabled,
    Drag,
    Gravity,
    LinearTrajectory,
    OBBCollider,
    Orbit,
    Parent,
    Physics,
    PolygonCollider,
    RigidBody,
    Solid,
    Spring,
    Transform,
    Velocity,
)

DT = 1.0 / 60.0


def steps(count: int) -> None:
    for _ in range(count):
        esper.process(DT)


def place(entity: int) -> tuple[float, float, float]:
    transform = esper.component_for_entity(entity, Transform)
    return transform.x, transform.y, transform.angle


def speed(entity: int) -> tuple[float, float, float]:
    velocity = esper.component_for_entity(entity, Velocity)
    return velocity.x, velocity.y, velocity.angular


@pytest.fixture
def falling() -> Physics:
    return ecsphys.install(gravity=(0.0, -10.0))


def floor(*components: object) -> int:
    return esper.create_entity(Transform(0.0, -0.5), AABBCollider(50.0, 0.5), *(components or (Solid(),)))


def test_free_fall_is_exact_and_a_body_without_velocity_gets_one(falling: Physics) -> None:
    ball = esper.create_entity(Transform(1.0, 2.0), CircleCollider(0.5), RigidBody())
    thrown = esper.create_entity(Transform(10.0, 2.0), Velocity(3.0, 4.0, 2.0), OBBCollider(0.5, 0.25), RigidBody())
    steps(120)
    assert place(ball) == pytest.approx((1.0, 2.0 - 0.5 * 10.0 * 4.0, 0.0), abs=1e-9)
    assert place(thrown) == pytest.approx((16.0, 2.0 + 8.0 - 20.0, 4.0), abs=1e-9)
    assert speed(thrown) == pytest.approx((3.0, -16.0, 2.0), abs=1e-9)


def test_gravity_acceleration_and_drag_act_as_on_everything_else(falling: Physics) -> None:
    shape = CircleCollider
    floats = esper.create_entity(Transform(0, 0), shape(0.5), RigidBody(), Gravity(0.0))
    heavy = esper.create_entity(Transform(5, 0), shape(0.5), RigidBody(mass=7.0), Gravity(2.0))
    pushed = esper.create_entity(Transform(10, 0), shape(0.5), RigidBody(), Gravity(0.0), Acceleration(1.0, 0.0, 3.0))
    dragged = esper.create_entity(Transform(15, 0), Velocity(2.0), shape(0.5), RigidBody(), Gravity(0.0), Drag(0.5, 0))
    steps(60)
    assert place(floats) == (0.0, 0.0, 0.0)
    assert place(heavy)[1] == pytest.approx(-10.0, abs=1e-9)
    assert place(pushed) == pytest.approx((10.5, 0.0, 1.5), abs=1e-9)
    assert speed(dragged)[0] == pytest.approx(2.0 * math.exp(-0.5), rel=1e-12)


@pytest.mark.parametrize("ground", [(Solid(),), (RigidBody("static"),), (RigidBody("kinematic"),)])
def test_a_box_comes_to_rest_on_what_is_solid_static_or_kinematic(falling: Physics, ground: tuple[object, ...]) -> None:
    floor(*ground)
    box = esper.create_entity(Transform(0.0, 1.0), OBBCollider(0.5, 0.5), RigidBody())
    steps(120)
    assert place(box) == pytest.approx((0.0, 0.5, 0.0), abs=0.01)
    assert speed(box) == pytest.approx((0.0, 0.0, 0.0), abs=1e-3)
    assert falling.hits.entity_b.tolist() == [box]


def test_what_is_neither_solid_nor_a_body_gives_hits_without_response(falling: Physics) -> None:
    field = floor(CollisionFilter())
    ball = esper.create_entity(Transform(0.0, 1.0), CircleCollider(0.5), RigidBody())
    steps(60)
    assert place(ball)[1] == pytest.approx(1.0 - 5.0, abs=1e-9)
    seen = floor(Solid())
    steps(1)
    assert falling.hits.has(field, ball) is False
    assert place(seen) == (0.0, -0.5, 0.0)


@pytest.mark.parametrize("restitution", [0.7, 0.8, 0.9, 1.0])
def test_a_ball_bounces_to_the_square_of_its_restitution(falling: Physics, restitution: float) -> None:
    floor()
    ball = esper.create_entity(Transform(0.0, 4.5), CircleCollider(0.5), RigidBody(restitution=restitution))
    top, is_rising = 0.0, False
    for _ in range(300):
        steps(1)
        is_rising |= speed(ball)[1] > 0.0
        if is_rising:
            top = max(top, place(ball)[1] - 0.5)
            if speed(ball)[1] < 0.0:
                break
    assert top == pytest.approx(4.0 * restitution**2, rel=0.01)


def test_mass_centre_and_inertia_come_from_all_colliders_of_a_body_and_its_children(falling: Physics) -> None:
    body = esper.create_entity(Transform(3.0, 1.0, math.pi / 2), OBBCollider(1.0, 0.5), RigidBody(density=2.0))
    esper.create_entity(Transform(), Parent(body, x=4.0), OBBCollider(1.0, 0.5))
    mass, center, inertia = falling.bodies.mass_of(body)
    # Two boxes of 2 × 1, four units apart along the body's x axis, which points upwards.
    assert mass == pytest.approx(8.0, rel=1e-12)
    assert center == pytest.approx((3.0, 3.0), abs=1e-12)
    assert inertia == pytest.approx(2 * (4.0 * (4.0 + 1.0) / 12.0 + 4.0 * 4.0), rel=1e-12)


def test_given_mass_and_inertia_count_and_a_changed_collider_is_measured_anew(falling: Physics) -> None:
    body = esper.create_entity(Transform(), CircleCollider(1.0), RigidBody(mass=5.0))
    mass, center, inertia = falling.bodies.mass_of(body)
    assert (mass, inertia) == pytest.approx((5.0, 2.5), rel=1e-12)
    assert center == (0.0, 0.0)
    esper.component_for_entity(body, CircleCollider).radius = 2.0
    assert falling.bodies.mass_of(body).inertia == pytest.approx(10.0, rel=1e-12)
    rigid = esper.component_for_entity(body, RigidBody)
    rigid.inertia = 3.0
    assert falling.bodies.mass_of(body).inertia == pytest.approx(3.0, rel=1e-12)
    rigid.lock_rotation = True
    assert falling.bodies.mass_of(body).inertia == math.inf
    rigid.mass, rigid.density = None, 0.5
    assert falling.bodies.mass_of(body).mass == pytest.approx(2.0 * math.pi, rel=1e-12)


def test_a_body_with_an_aabb_does_not_rotate(falling: Physics) -> None:
    body = esper.create_entity(Transform(), AABBCollider(1.0, 1.0), RigidBody())
    assert falling.bodies.mass_of(body).inertia == math.inf
    falling.bodies.apply_impulse(body, (0.0, 8.0), (1.0, 0.0))
    assert speed(body) == pytest.approx((0.0, 2.0, 0.0), abs=1e-12)


def test_a_body_with_an_aabb_strikes_without_the_angular_velocity_that_it_was_given() -> None:
    """It never turns: were its angular velocity felt at contacts, a bounce would gain energy."""
    ecsphys.install()
    ball = esper.create_entity(
        Transform(0.0, 0.2), Velocity(3.0), CircleCollider(0.5), RigidBody(mass=4.0, restitution=0.5, friction=0.0)
    )
    box = esper.create_entity(
        Transform(2.0, 0.0), Velocity(-3.0, 0.0, 5.0), AABBCollider(0.5, 0.5), RigidBody(mass=1.0, friction=0.0)
    )
    for _ in range(30):
        esper.process(DT)
    assert speed(box)[0] - speed(ball)[0] == pytest.approx(0.5 * 6.0)
    assert speed(box)[2] == esper.component_for_entity(box, Transform).angle == 0.0
    # With a collider that turns it may spin again.
    esper.remove_component(box, AABBCollider)
    esper.add_component(box, CircleCollider(0.5))
    esper.component_for_entity(box, Velocity).angular = 5.0
    esper.process(DT)
    assert speed(box)[2] == 5.0


def test_a_spinning_body_off_its_centre_flies_with_its_centre_of_mass(falling: Physics) -> None:
    body = esper.create_entity(
        Transform(2.0, 3.0, 0.3),
        Velocity(1.0, 2.0, 4.0),
        CompoundCollider([CircleCollider(0.5, 1.0, 0.0), OBBCollider(0.2, 0.2, -0.5, 0.3)]),
        RigidBody(),
    )
    _, (x, y), _ = falling.bodies.mass_of(body)
    steps(60)
    _, center, _ = falling.bodies.mass_of(body)
    assert center == pytest.approx((x + 1.0, y + 2.0 - 5.0), abs=1e-9)
    assert place(body)[2] == pytest.approx(4.3, abs=1e-9)


def test_forces_last_a_step_impulses_act_at_once_and_both_turn_what_they_meet_beside_the_centre() -> None:
    physics = ecsphys.install()
    body = esper.create_entity(Transform(1.0, 1.0), CircleCollider(1.0), RigidBody(mass=2.0))
    bodies = physics.bodies
    bodies.apply_force(body, (4.0, 0.0))
    bodies.apply_force(body, (0.0, 6.0), (2.0, 1.0))
    bodies.apply_torque(body, -1.0)
    steps(1)
    # The inertia is 1: the torque about the centre is 1 × 6 − 1.
    assert speed(body) == pytest.approx((2.0 * DT, 3.0 * DT, 5.0 * DT), rel=1e-12)
    steps(1)
    assert speed(body) == pytest.approx((2.0 * DT, 3.0 * DT, 5.0 * DT), rel=1e-12)
    bodies.set_velocity(body, (0.0, 0.0), 0.0)
    x, y, _ = place(body)
    bodies.apply_impulse(body, (0.0, 2.0), (x + 0.5, y))
    bodies.apply_angular_impulse(body, 1.0)
    assert speed(body) == pytest.approx((0.0, 1.0, 2.0), rel=1e-12)


def test_pushes_take_arrays_and_one_body_twice() -> None:
    physics = ecsphys.install()
    two = [esper.create_entity(Transform(3.0 * i, 0.0), CircleCollider(1.0), RigidBody(mass=1.0)) for i in range(2)]
    physics.bodies.apply_impulse(np.array([*two, two[0]]), [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0)])
    assert speed(two[0])[:2] == (2.0, 1.0)
    assert speed(two[1])[:2] == (0.0, 1.0)
    physics.bodies.set_velocity(two, (5.0, 6.0), [1.0, 2.0])
    assert (speed(two[0]), speed(two[1])) == ((5.0, 6.0, 1.0), (5.0, 6.0, 2.0))


def test_pushing_what_is_no_dynamic_body_or_with_bad_numbers_is_refused_before_anything_moves() -> None:
    physics = ecsphys.install()
    body = esper.create_entity(Transform(), CircleCollider(1.0), RigidBody())
    wall = esper.create_entity(Transform(9.0), CircleCollider(1.0), RigidBody("static"))
    plain = esper.create_entity(Transform(19.0), CircleCollider(1.0))
    bodies = physics.bodies
    for other in (wall, plain, 999):
        with pytest.raises(
            ValueError,
            match=rf"apply_impulse: entity {other} (has no|has a RigidBody, but|does not exist)",
        ):
            bodies.apply_impulse([body, other], (1.0, 0.0))
    with pytest.raises(ValueError, match="force must be finite"):
        bodies.apply_force(body, (math.nan, 0.0))
    with pytest.raises(ValueError, match=r"force must be a pair \(x, y\), or an array of them, one for each entity"):
        bodies.apply_force(body, (1.0, 0.0, 2.0))
    with pytest.raises(TypeError, match="torque must be a number"):
        bodies.apply_torque(body, "much")
    with pytest.raises(TypeError, match="entity must be a whole number"):
        bodies.apply_torque(1.5, 1.0)
    steps(1)
    assert speed(body) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("solver_substeps", 0, ValueError),
        ("solver_substeps", 2.5, TypeError),
        ("length_unit", 0.0, ValueError),
        ("contact_hertz", -1.0, ValueError),
        ("contact_damping_ratio", math.inf, ValueError),
        ("push_out_speed", "fast", TypeError),
        ("restitution_threshold", -0.5, ValueError),
        ("friction_mixing", "sum", ValueError),
        ("restitution_mixing", None, TypeError),
    ],
)
def test_settings_refuse_bad_values_by_name(name: str, value: object, error: type[Exception]) -> None:
    settings = ecsphys.install().settings
    before = getattr(settings, name)
    with pytest.raises(error, match=name):
        setattr(settings, name, value)
    assert getattr(settings, name) == before


def test_a_moving_platform_carries_what_lies_on_it(falling: Physics) -> None:
    esper.create_entity(Transform(0.0, -0.5), Velocity(1.0, 0.0), AABBCollider(5.0, 0.5), Solid())
    lift = esper.create_entity(
        Transform(20.0, -0.5), AABBCollider(5.0, 0.5), LinearTrajectory(20.0, -0.5, 0.0, 1.0), RigidBody("kinematic")
    )
    carried = esper.create_entity(Transform(0.0, 0.5), OBBCollider(0.5, 0.5), RigidBody())
    lifted = esper.create_entity(Transform(20.0, 0.5), OBBCollider(0.5, 0.5), RigidBody())
    steps(120)
    assert speed(carried) == pytest.approx((1.0, 0.0, 0.0), abs=0.01)
    assert place(carried)[0] == pytest.approx(2.0, abs=0.2)
    assert place(lifted)[1] - place(lift)[1] == pytest.approx(1.0, abs=0.02)


def test_what_hangs_on_a_trajectory_or_a_parent_is_not_pushed(falling: Physics) -> None:
    carrier = esper.create_entity(Transform(0.0, 5.0), CircleCollider(0.5), Solid())
    child = esper.create_entity(Transform(), Parent(carrier, x=2.0), CircleCollider(0.5), RigidBody())
    moved = esper.create_entity(Transform(), LinearTrajectory(8.0, 5.0, 1.0, 0.0), CircleCollider(0.5), RigidBody())
    steps(60)
    assert place(child) == (2.0, 5.0, 0.0)
    assert place(moved)[:2] == pytest.approx((9.0, 5.0))


def test_what_the_game_moves_or_adds_between_steps_is_met_in_the_next_one(falling: Physics) -> None:
    floor()
    ball = esper.create_entity(Transform(0.0, 20.0), CircleCollider(0.5), RigidBody())
    steps(2)
    transform = esper.component_for_entity(ball, Transform)
    transform.y = 0.5
    esper.component_for_entity(ball, Velocity).y = -6.0
    steps(1)
    assert speed(ball)[1] > -0.1
    late = esper.create_entity(Transform(5.0, 0.5), Velocity(0.0, -6.0), CircleCollider(0.5), RigidBody())
    steps(1)
    assert speed(late)[1] > -0.1


def test_a_disabled_body_falls_through_and_a_deleted_floor_holds_nothing(falling: Physics) -> None:
    ground = floor()
    box = esper.create_entity(Transform(0.0, 0.5), OBBCollider(0.5, 0.5), RigidBody())
    other = esper.create_entity(Transform(5.0, 0.5), OBBCollider(0.5, 0.5), RigidBody())
    steps(10)
    esper.add_component(other, Disabled())
    steps(30)
    assert place(other)[1] < -0.5
    assert place(box)[1] == pytest.approx(0.5, abs=0.01)
    esper.delete_entity(ground, immediate=True)
    steps(30)
    assert place(box)[1] < 0.0


def test_what_is_disabled_keeps_its_mass_and_inertia_until_it_hits_again(falling: Physics) -> None:
    body = esper.create_entity(Transform(0.0, 20.0), OBBCollider(1.0, 0.5), RigidBody(density=3.0))
    child = esper.create_entity(Transform(), Parent(body, 1.0), CircleCollider(0.5))
    steps(1)

    def mass_and_inertia() -> tuple[float, float]:
        x, _, turning = speed(body)
        falling.bodies.apply_impulse(body, (6.0, 0.0))
        pushed = speed(body)[0] - x
        falling.bodies.apply_torque(body, 1.0)
        steps(1)
        return 6.0 / pushed, DT / (speed(body)[2] - turning)

    whole = mass_and_inertia()
    assert whole[0] == pytest.approx(3.0 * (2.0 + 0.25 * math.pi))
    esper.add_component(child, Disabled())
    steps(1)
    assert mass_and_inertia() == pytest.approx(whole, rel=1e-9)
    esper.add_component(body, Disabled())
    steps(1)
    esper.create_entity(Transform(50.0, 0.0), CircleCollider(1.0), RigidBody())
    steps(2)
    assert mass_and_inertia() == pytest.approx(whole, rel=1e-9)
    esper.remove_component(body, Disabled)
    esper.delete_entity(child, immediate=True)
    steps(1)
    assert mass_and_inertia() == pytest.approx((6.0, 6.0 * (4.0 + 1.0) / 12.0), rel=1e-9)


@pytest.mark.parametrize("steps", [0, 1, 3])
def test_a_body_created_disabled_weighs_what_its_colliders_do_when_it_is_enabled(falling: Physics, steps: int) -> None:
    body = esper.create_entity(Transform(0.0, 5.0), OBBCollider(1.0, 0.5), RigidBody(density=3.0), Disabled())
    child = esper.create_entity(Transform(), Parent(body), OBBCollider(1.0, 0.5), Disabled())
    for k in range(steps):
        esper.create_entity(Transform(5.0 * k, 9.0), CircleCollider(0.5), RigidBody())
        esper.process(DT)
    for entity in (body, child):
        esper.remove_component(entity, Disabled)
    esper.process(DT)
    assert falling.bodies.mass_of(body).mass == pytest.approx(12.0)
    assert falling.bodies.mass_of(body).inertia == pytest.approx(12.0 * (2.0**2 + 1.0**2) / 12.0)


def test_a_bad_number_in_a_column_is_refused_before_anything_moves(falling: Physics) -> None:
    ball = esper.create_entity(Transform(0.0, 2.0), CircleCollider(0.5), RigidBody())
    steps(1)
    before = place(ball)
    rigid = esper.component_for_entity(ball, RigidBody)
    RigidBody.column("friction")[rigid._row] = -1.0
    with pytest.raises(ValueError, match=rf"entity {ball}: RigidBody\.friction must be at least 0, got -1\.0"):
        steps(1)
    assert place(ball) == before
    rigid.friction = 0.5
    RigidBody.column("kind")[rigid._row] = 3
    with pytest.raises(ValueError, match=rf"entity {ball}: RigidBody\.kind"):
        steps(1)
    assert place(ball) == before


def test_a_body_that_becomes_static_stays_where_it_is_and_one_that_becomes_dynamic_falls(falling: Physics) -> None:
    ball = esper.create_entity(Transform(0.0, 2.0), CircleCollider(0.5), RigidBody())
    rigid = esper.component_for_entity(ball, RigidBody)
    steps(10)
    rigid.kind = "static"
    before = place(ball)
    steps(10)
    assert place(ball) == before
    rigid.kind = "dynamic"
    steps(10)
    assert place(ball)[1] < before[1]


def test_removing_a_rigid_body_hands_the_entity_back_to_stepped_motion(falling: Physics) -> None:
    ball = esper.create_entity(Transform(0.0, 2.0), Velocity(1.0, 0.0), CircleCollider(0.5), RigidBody())
    steps(1)
    esper.remove_component(ball, RigidBody)
    x, y, _ = place(ball)
    vx, vy, _ = speed(ball)
    steps(60)
    assert place(ball)[:2] == pytest.approx((x + vx, y + vy))


def test_no_time_moves_nothing(falling: Physics) -> None:
    floor()
    box = esper.create_entity(Transform(0.0, 0.45), OBBCollider(0.5, 0.5), RigidBody())
    steps(2)
    before = place(box), speed(box)
    esper.process(0.0)
    assert (place(box), speed(box)) == before


def test_a_pile_of_all_shapes_comes_to_rest_above_the_floor(falling: Physics) -> None:
    floor()
    for x in (-6.0, 6.0):
        esper.create_entity(Transform(x, 5.0), AABBCollider(1.0, 6.0), Solid())
    shapes = (
        lambda: CircleCollider(0.5),
        lambda: OBBCollider(0.5, 0.3),
        lambda: ecsphys.CapsuleCollider(0.8, 0.25),
        lambda: ecsphys.FanCollider(0.7, 2.0),
        lambda: ecsphys.FanCollider(0.6, 3.0),
        lambda: PolygonCollider([(0.5, 0.0), (0.0, 0.5), (-0.5, 0.0), (0.0, -0.4)], 0.1),
    )
    bodies = [
        esper.create_entity(
            Transform(-3.0 + 1.2 * (i % 6), 1.0 + 1.2 * (i // 6), 0.4 * i), shapes[i % 6](), RigidBody(friction=0.5)
        )
        for i in range(36)
    ]
    steps(600)
    for body in bodies:
        x, y, _ = place(body)
        assert abs(x) < 5.0
        assert -0.05 < y < 8.0
        assert math.hypot(*speed(body)[:2]) < 0.2


def test_a_hit_tells_the_impulse_of_its_step(falling: Physics) -> None:
    floor()
    box = esper.create_entity(Transform(0.0, 0.5), OBBCollider(0.5, 0.5), RigidBody(mass=3.0))
    steps(60)
    assert falling.hits.impulse.tolist() == pytest.approx([3.0 * 10.0 * DT], rel=1e-3)
    assert falling.hits.tangent_impulse.tolist() == pytest.approx([0.0], abs=1e-4)
    falling.bodies.apply_impulse(box, (3.0, 0.0))
    steps(1)
    (hit,) = falling.hits
    # Friction slows it by μ·g for a step: the floor is a, and gets none of what it gives.
    assert hit.impulse == pytest.approx(0.5, rel=1e-2)
    assert abs(hit.tangent_impulse) == pytest.approx(0.6 * 0.5, rel=2e-2)


def test_each_bounce_is_a_hit_whose_impulse_is_told_when_it_begins_or_in_the_next_step(falling: Physics) -> None:
    floor()
    esper.create_entity(Transform(0.0, 3.0), CircleCollider(0.5), RigidBody(restitution=0.9))
    told: list[tuple[str, float]] = []

    def on_hit(hit: ecsphys.types.Hit) -> None:
        told.append((hit.phase, hit.impulse))

    esper.set_handler("hit_started", on_hit)
    esper.set_handler("hit_ongoing", on_hit)
    steps(130)
    begun = [k for k, (phase, _) in enumerate(told) if phase == "started"]
    assert len(begun) == 2
    for k in begun:
        assert max(impulse for _, impulse in told[k : k + 2]) > 1.0


def test_worlds_without_bodies_tell_no_impulse() -> None:
    physics = ecsphys.install()
    for x in (0.0, 0.5):
        esper.create_entity(Transform(x), CircleCollider(1.0))
    steps(1)
    (hit,) = physics.hits
    assert (hit.impulse, hit.tangent_impulse) == (0.0, 0.0)
    assert physics.hits.impulse.tolist() == [0.0]


def test_the_first_step_solves_what_touches_from_the_start_after_a_step_of_no_time(falling: Physics) -> None:
    floor()
    box = esper.create_entity(Transform(0.0, 0.5), Velocity(0.0, -6.0), OBBCollider(0.5, 0.5), RigidBody())
    esper.process(0.0)
    steps(1)
    assert speed(box)[1] > -0.1


def test_the_very_first_step_solves_what_touches_from_the_start(falling: Physics) -> None:
    floor()
    box = esper.create_entity(Transform(0.0, 0.5), Velocity(1.0, -6.0), OBBCollider(0.5, 0.5), RigidBody())
    steps(1)
    # A fall through the step would take 0.1, and friction acts only where there is a contact.
    assert place(box)[1] == pytest.approx(0.5, abs=0.01)
    assert speed(box)[1] > -0.1
    assert speed(box)[0] < 0.5


def test_a_dominant_body_lies_on_the_floor_and_is_not_pushed_by_others(falling: Physics) -> None:
    floor()
    heavy = esper.create_entity(Transform(0.0, 0.5), OBBCollider(0.5, 0.5), RigidBody(dominance=1))
    esper.create_entity(Transform(-3.0, 0.5), Velocity(8.0), CircleCollider(0.5), RigidBody(density=50.0))
    steps(60)
    assert place(heavy)[:2] == pytest.approx((0.0, 0.5), abs=0.01)


def test_springs_and_orbits_gain_no_energy() -> None:
    ecsphys.install()
    planet = esper.create_entity(
        Transform(1.0, 0.0), Velocity(0.0, math.tau), CircleCollider(0.1), RigidBody(), Orbit(0.0, 0.0, math.tau)
    )
    swinging = esper.create_entity(
        Transform(9.0, 0.0), CircleCollider(0.1), RigidBody(), Spring(8.0, 0.0, stiffness=math.tau**2)
    )
    farthest = 0.0
    for _ in range(1200):
        steps(1)
        assert math.hypot(*place(planet)[:2]) == pytest.approx(1.0, abs=0.1)
        farthest = max(farthest, abs(place(swinging)[0] - 8.0))
    assert farthest == pytest.approx(1.0, abs=0.1)


def test_what_the_game_moves_elsewhere_does_not_push_what_a_lift_carries(falling: Physics) -> None:
    lift = esper.create_entity(Transform(0.0, -0.5), Velocity(0.0, 3.0), AABBCollider(3.0, 0.5), Solid())
    crate = esper.create_entity(Transform(0.0, 0.5), OBBCollider(0.5, 0.5), RigidBody())
    pointer = esper.create_entity(Transform(40.0, 0.0), CircleCollider(0.1), Solid())
    for _ in range(120):
        esper.component_for_entity(pointer, Transform).x += 0.1
        steps(1)
    assert place(crate)[1] - place(lift)[1] == pytest.approx(1.0, abs=0.01)


def test_a_body_takes_the_colliders_of_its_children_along_when_the_game_moves_it(falling: Physics) -> None:
    floor()
    cart = esper.create_entity(Transform(0.0, 0.9), OBBCollider(1.0, 0.2), RigidBody())
    for x in (-0.7, 0.7):
        esper.create_entity(Transform(), Parent(cart, x=x, y=-0.5), CircleCollider(0.4))
    steps(30)
    esper.component_for_entity(cart, Transform).x += 20.0
    steps(30)
    assert place(cart) == pytest.approx((20.0, 0.9, 0.0), abs=0.02)


def test_given_candidate_pairs_do_not_let_bodies_fall_when_the_game_moves_something(falling: Physics) -> None:
    class AllPairs(esper.Processor):
        def process(self, dt: float) -> None:
            count = len(falling.debug.colliders.entity)
            falling.debug.candidate_pairs = np.array([(a, b) for a in range(count) for b in range(a)], np.int32)

    esper.remove_processor(ecsphys.systems.BroadphaseSystem)
    esper.add_processor(AllPairs(), priority=ecsphys.Priority.BROADPHASE)
    floor()
    box = esper.create_entity(Transform(0.0, 0.5), OBBCollider(0.5, 0.5), RigidBody())
    pointer = esper.create_entity(Transform(40.0, 0.0), CircleCollider(0.1), Solid())
    for _ in range(60):
        esper.component_for_entity(pointer, Transform).x += 0.1
        steps(1)
    assert place(box)[1] == pytest.approx(0.5, abs=0.01)


def test_pushing_nobody_is_nothing_and_another_world_is_refused(falling: Physics) -> None:
    esper.create_entity(Transform(), CircleCollider(1.0))
    falling.bodies.apply_impulse(np.array([], int), (0.0, 0.0))
    falling.bodies.apply_force([], (0.0, 0.0))
    steps(1)
    before = esper.current_world
    esper.switch_world("another")
    try:
        with pytest.raises(RuntimeError, match="belongs to the world"):
            falling.bodies.is_asleep(1)
    finally:
        esper.switch_world(before)
        esper.delete_world("another")


def test_new_bodies_without_velocity_take_none_from_others_where_their_block_grows(falling: Physics) -> None:
    moving = [esper.create_entity(Transform(i, 0.0), Velocity(0.0, 1.0), Gravity()) for i in range(10)]
    spare = Velocity._columns.capacity - Velocity._columns.live_rows
    filling = [esper.create_entity(Transform(i, 9.0), Velocity(), Gravity()) for i in range(spare)]
    esper.create_entity(Transform(-9.0), CircleCollider(0.5), RigidBody())
    steps(1)
    for entity in moving:
        assert speed(entity)[1] == pytest.approx(1.0 - 10.0 * DT)
    for entity in filling:
        assert speed(entity)[1] == pytest.approx(-10.0 * DT)


def test_after_the_last_body_hits_are_as_without_bodies(falling: Physics) -> None:
    floor()
    box = esper.create_entity(Transform(0.0, 0.5), OBBCollider(0.5, 0.5), RigidBody(), Gravity(0.0))
    steps(5)
    esper.remove_component(box, RigidBody)
    esper.component_for_entity(box, Transform).y = 0.51
    steps(2)
    assert len(falling.hits) == 0
