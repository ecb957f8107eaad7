"""``Velocity`` of a dynamic body is that of its centre of mass; kinematic and static bodies turn about their origin."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import (
    AABBCollider,
    Acceleration,
    Bullet,
    CapsuleCollider,
    CircleCollider,
    CompoundCollider,
    Drag,
    FanCollider,
    OBBCollider,
    Parent,
    Physics,
    PolygonCollider,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)

DT = 1.0 / 60.0

Random = np.random.Generator


@pytest.fixture
def space() -> Physics:
    return ecsphys.install()


def steps(count: int) -> None:
    for _ in range(count):
        esper.process(DT)


def at(entity: int) -> tuple[float, float, float]:
    transform = esper.component_for_entity(entity, Transform)
    return transform.x, transform.y, transform.angle


def speed(entity: int) -> tuple[float, float, float]:
    velocity = esper.component_for_entity(entity, Velocity)
    return velocity.x, velocity.y, velocity.angular


def center(physics: Physics, body: int) -> tuple[float, float]:
    return physics.bodies.mass_of(body).center


def colliders(random: Random) -> list[Any]:
    """Of one collider, or of a compound of some, whose centre of mass is nowhere near the origin."""
    x, y, angle, size = random.uniform((0.5, -2.0, -3.0, 0.2), (2.0, 2.0, 3.0, 0.8)).tolist()
    triangle = [(x, y), (x + size, y), (x, y + 2.0 * size)]
    every: list[Any] = [
        CircleCollider(size, x, y),
        OBBCollider(size, 0.5 * size, x, y, angle),
        CapsuleCollider(size, 0.5 * size, x, y, angle),
        FanCollider(size, 1.0, angle, x, y),
        PolygonCollider(triangle),
    ]
    if random.random() < 0.5:
        return [every[int(random.integers(len(every)))]]
    return [CompoundCollider([every[k] for k in random.choice(len(every), 3, replace=False).tolist()])]


def thrown(random: Random, *others: object, fast: float = 5.0, **body: Any) -> int:
    """A body with any colliders, anywhere, that flies and spins."""
    place, motion = random.uniform(-3.0, 3.0, 3).tolist(), random.uniform(-fast, fast, 3).tolist()
    return esper.create_entity(Transform(*place), Velocity(*motion), *colliders(random), RigidBody(**body), *others)


@pytest.mark.parametrize("seed", range(20))
def test_in_free_flight_the_velocity_stays_and_the_centre_moves_in_a_straight_line(space: Physics, seed: int) -> None:
    body = thrown(np.random.default_rng(seed))
    (x, y), (vx, vy, spin), angle = center(space, body), speed(body), at(body)[2]
    for count in range(1, 61):
        steps(1)
        assert speed(body) == (vx, vy, spin)
        assert center(space, body) == pytest.approx((x + vx * count * DT, y + vy * count * DT), abs=1e-12)
        assert at(body)[2] == pytest.approx(angle + spin * count * DT, abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_under_forces_the_centre_moves_as_a_point_that_has_the_mass(seed: int) -> None:
    random = np.random.default_rng(seed)
    physics = ecsphys.install(gravity=(0.5, -9.8))
    push, along_x, along_y, turning = random.uniform(-6.0, 6.0, (4, 2)).tolist()
    body = thrown(random, Acceleration(along_x[0], along_y[0], turning[0]), mass=2.0)
    inertia = physics.bodies.mass_of(body).inertia
    (x, y), (vx, vy, spin) = center(physics, body), speed(body)
    ax, ay = 0.5 + along_x[0] + 0.5 * push[0], -9.8 + along_y[0] + 0.5 * push[1]
    for _ in range(30):
        arm = random.uniform(-2.0, 2.0, 2).tolist()
        middle = center(physics, body)
        physics.bodies.apply_force(body, tuple(push), (middle[0] + arm[0], middle[1] + arm[1]))
        steps(1)
        x, y = x + vx * DT + 0.5 * ax * DT * DT, y + vy * DT + 0.5 * ay * DT * DT
        vx, vy = vx + ax * DT, vy + ay * DT
        spin += (turning[0] + (arm[0] * push[1] - arm[1] * push[0]) / inertia) * DT
        assert speed(body) == pytest.approx((vx, vy, spin), abs=1e-11)
        assert center(physics, body) == pytest.approx((x, y), abs=1e-11)


def test_drag_slows_the_centre_and_the_spin_each_at_its_own_rate(space: Physics) -> None:
    body = thrown(np.random.default_rng(3), Drag(linear=0.5, angular=2.0))
    vx, vy, spin = speed(body)
    steps(60)
    assert speed(body) == pytest.approx((vx * math.exp(-0.5), vy * math.exp(-0.5), spin * math.exp(-2.0)), rel=1e-12)


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_an_impulse_changes_the_momentum_by_itself_and_the_spin_by_its_moment(
    space: Physics, seed: int, many: bool
) -> None:
    random = np.random.default_rng(seed)
    body = thrown(random)
    mass, (x, y), inertia = space.bodies.mass_of(body)
    before = speed(body)
    px, py, arm_x, arm_y, turning = random.uniform(-3.0, 3.0, 5).tolist()
    to: Any = np.array([body]) if many else body
    space.bodies.apply_impulse(to, (px, py), (x + arm_x, y + arm_y))
    space.bodies.apply_angular_impulse(to, turning)
    vx, vy, spin = (now - then for now, then in zip(speed(body), before, strict=True))
    assert (mass * vx, mass * vy) == pytest.approx((px, py), rel=1e-12)
    assert inertia * spin == pytest.approx(arm_x * py - arm_y * px + turning, rel=1e-9)


@pytest.mark.parametrize("by", ["component", "call"])
def test_a_body_that_is_told_to_spin_on_the_spot_lets_its_origin_circle_its_centre(space: Physics, by: str) -> None:
    body = thrown(np.random.default_rng(7))
    if by == "call":
        space.bodies.set_velocity(body, (0.0, 0.0), 3.0)
    else:
        velocity = esper.component_for_entity(body, Velocity)
        velocity.x, velocity.y, velocity.angular = 0.0, 0.0, 3.0
    x, y = center(space, body)
    away_x, away_y = at(body)[0] - x, at(body)[1] - y
    for count in range(1, 61):
        steps(1)
        c, s = math.cos(3.0 * count * DT), math.sin(3.0 * count * DT)
        assert center(space, body) == pytest.approx((x, y), abs=1e-12)
        assert at(body)[:2] == pytest.approx((x + c * away_x - s * away_y, y + s * away_x + c * away_y), abs=1e-12)
    assert speed(body) == (0.0, 0.0, 3.0)


@pytest.mark.parametrize("kind", ["kinematic", "static"])
def test_kinematic_and_static_bodies_turn_about_their_origin(space: Physics, kind: Any) -> None:
    body = esper.create_entity(
        Transform(1.0, 2.0), Velocity(0.0, 0.0, 3.0), OBBCollider(0.5, 0.2, 2.0, 1.0), RigidBody(kind)
    )
    steps(60)
    assert at(body) == pytest.approx((1.0, 2.0, 3.0 if kind == "kinematic" else 0.0), abs=1e-12)


def test_a_kinematic_bar_strikes_with_the_speed_of_its_point_about_the_origin(space: Physics) -> None:
    esper.create_entity(Transform(), Velocity(0.0, 0.0, 2.0), OBBCollider(0.5, 0.5, 3.0), RigidBody("kinematic"))
    ball = esper.create_entity(Transform(3.0, 1.05), CircleCollider(0.5), RigidBody(restitution=1.0, friction=0.0))
    steps(3)
    assert speed(ball)[1] == pytest.approx(12.0, rel=0.02)


def test_of_a_body_that_becomes_kinematic_the_same_numbers_move_the_origin(space: Physics) -> None:
    body = esper.create_entity(Transform(), Velocity(1.0, 0.0, 2.0), OBBCollider(0.5, 0.2, 1.0), RigidBody())
    steps(30)
    esper.component_for_entity(body, RigidBody).kind = "kinematic"
    x, y, _ = at(body)
    steps(60)
    assert speed(body) == (1.0, 0.0, 2.0)
    assert at(body)[:2] == pytest.approx((x + 1.0, y), abs=1e-12)


@pytest.mark.parametrize("how", ["added", "replaced", "assigned"])
def test_of_a_body_whose_centre_a_collider_moves_the_same_numbers_move_the_new_centre(space: Physics, how: str) -> None:
    box = OBBCollider(0.5, 0.2, 1.0)
    body = esper.create_entity(Transform(), Velocity(1.0, 2.0, 3.0), box, RigidBody())
    steps(10)
    before = center(space, body)
    if how == "added":
        esper.add_component(body, CircleCollider(0.5, -2.0, 1.0))
    elif how == "replaced":
        esper.add_component(body, OBBCollider(0.5, 0.2, -1.0))
    else:
        box.offset_x = -1.0
    x, y = center(space, body)
    assert math.dist((x, y), before) > 1.0
    assert speed(body) == (1.0, 2.0, 3.0)
    steps(60)
    assert speed(body) == (1.0, 2.0, 3.0)
    assert center(space, body) == pytest.approx((x + 1.0, y + 2.0), abs=1e-12)


Maker = Callable[[float, float, float, float], int]
"""Makes a box of half sizes at (x, y), described about any point of it."""


def boxes_about(shift_x: float, shift_y: float) -> Maker:
    def make(x: float, y: float, half_width: float, half_height: float) -> int:
        return esper.create_entity(
            Transform(x - shift_x, y - shift_y),
            OBBCollider(half_width, half_height, shift_x, shift_y),
            RigidBody(restitution=0.3),
            Velocity(),
        )

    return make


def states(physics: Physics, bodies: list[int]) -> np.ndarray:
    return np.array([(*center(physics, body), at(body)[2], *speed(body)) for body in bodies])


def played_about(shift_x: float, shift_y: float, play: Callable[[Physics, Maker], list[int]]) -> np.ndarray:
    """What becomes of the boxes of a scene that are described about another point than their centres."""
    world = f"about {shift_x} {shift_y}"
    esper.switch_world(world)
    physics = ecsphys.install(gravity=(0.0, -10.0))
    found = states(physics, play(physics, boxes_about(shift_x, shift_y)))
    esper.switch_world("default")
    esper.delete_world(world)
    return found


def _falls(physics: Physics, make: Maker) -> list[int]:
    """Boxes fall onto a slope and each other, and get pushed."""
    esper.create_entity(Transform(0.0, -1.0, 0.2), OBBCollider(20.0, 0.5), Solid())
    bodies = [make(1.1 * k - 2.0, 1.5 + 0.4 * k, 0.5, 0.3) for k in range(5)]
    esper.component_for_entity(bodies[0], Velocity).angular = 4.0
    for count in range(40):
        if count == 20:
            x, y = center(physics, bodies[2])
            physics.bodies.apply_impulse(bodies[2], (1.0, 2.0), (x + 0.4, y))
        esper.process(DT)
    return bodies


def _is_walked_into(physics: Physics, make: Maker) -> list[int]:
    """A character pushes a crate that spins in front of it."""
    esper.create_entity(Transform(0.0, -1.0), OBBCollider(20.0, 0.5), Solid())
    crate = make(1.0, 0.1, 0.5, 0.6)
    esper.add_component(crate, Solid())
    hero = esper.create_entity(Transform(), CircleCollider(0.4), ecsphys.Character(push_force=40.0))
    esper.component_for_entity(crate, Velocity).angular = 1.0
    for _ in range(40):
        esper.process(DT)
        physics.move_character(hero, (3.0 * DT, 0.0))
    return [crate]


def _carries(physics: Physics, make: Maker) -> list[int]:
    """A kinematic deck that a spinning body carries strikes a box."""
    hub = make(0.0, 0.0, 0.5, 0.5)
    esper.component_for_entity(hub, Velocity).angular = 2.0
    x, y, _ = at(hub)
    esper.create_entity(Transform(), OBBCollider(0.5, 0.5), Parent(hub, 3.0 - x, -y), RigidBody("kinematic"))
    struck = make(3.0, 1.1, 0.4, 0.4)
    for _ in range(10):
        esper.process(DT)
    assert speed(struck)[1] > 5.0
    return [hub, struck]


def _is_shot_at(physics: Physics, make: Maker) -> list[int]:
    """Bullets and a fast box strike a thin wall and another box."""
    esper.create_entity(Transform(8.0, 0.0), AABBCollider(0.01, 50.0), Solid())
    bodies = [make(0.0, 3.0 * k, 0.5, 0.2) for k in range(3)]
    for body in bodies:
        esper.component_for_entity(body, Velocity).x = 400.0
    esper.add_component(bodies[0], Bullet())
    esper.add_component(bodies[1], Bullet())
    bodies.append(make(4.0, 0.0, 0.5, 2.0))
    for _ in range(6):
        esper.process(DT)
    assert all(center(physics, body)[0] < 8.0 for body in bodies)
    return bodies


@pytest.mark.parametrize("play", [_falls, _is_walked_into, _carries, _is_shot_at])
@pytest.mark.parametrize("shift", [(0.3, 0.1), (-3.0, 2.0)])
def test_about_which_point_of_it_a_body_is_described_makes_no_difference(
    play: Callable[[Physics, Maker], list[int]], shift: tuple[float, float]
) -> None:
    expected = played_about(0.0, 0.0, play)
    assert np.abs(expected[:, 3:]).max() > 0.1
    np.testing.assert_allclose(played_about(*shift, play), expected, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("part", ["own", "child", "compound"])
def test_approach_speed_counts_spin_about_the_centre_of_mass(space: Physics, part: str) -> None:
    """What is no body is struck without response, at the right end of a bar of length 4 with its centre at (3, 0)."""
    if part == "compound":
        bar = esper.create_entity(Transform(1.0, 0.0), CompoundCollider([OBBCollider(2.0, 0.1, 2.0)]), RigidBody())
    elif part == "own":
        bar = esper.create_entity(Transform(1.0, 0.0), OBBCollider(2.0, 0.1, 2.0), RigidBody())
    else:
        bar = esper.create_entity(Transform(1.0, 0.0), RigidBody())
        esper.create_entity(Transform(), OBBCollider(2.0, 0.1), Parent(bar, 2.0, 0.0))
    esper.create_entity(Transform(4.5, 0.35), CircleCollider(0.3))
    space.bodies.set_velocity(bar, (0.5, 1.0), 2.0)
    esper.process(1e-6)
    (hit,) = space.hits
    assert hit.points[0] == pytest.approx((4.5, 0.075), abs=1e-4)
    assert hit.approach_speed == pytest.approx(1.0 + 2.0 * 1.5, rel=1e-3)


def test_approach_speed_follows_a_centre_of_mass_that_moves(space: Physics) -> None:
    bar = esper.create_entity(Transform(), OBBCollider(2.0, 0.1), RigidBody())
    ball = esper.create_entity(Transform(1.5, 0.35), CircleCollider(0.3))
    space.bodies.set_velocity(bar, (0.0, 0.0), 2.0)

    def approach_speed() -> float:
        esper.process(1e-6)
        (hit,) = space.hits.of(ball)
        return hit.approach_speed

    assert approach_speed() == pytest.approx(3.0, rel=1e-3)
    # As heavy as the bar, at its end: the centre is now 1 to the left.
    weight = esper.create_entity(Transform(), OBBCollider(0.5, 0.4), Parent(bar, -2.0, 0.0))
    assert approach_speed() == pytest.approx(5.0, rel=1e-3)
    assert center(space, bar) == pytest.approx((-1.0, 0.0), abs=1e-4)
    esper.delete_entity(weight)
    assert approach_speed() == pytest.approx(3.0, rel=1e-3)


def momentum(physics: Physics, bodies: list[int]) -> np.ndarray:
    masses = np.array([[physics.bodies.mass_of(body).mass] for body in bodies])
    total: np.ndarray = (masses * np.array([speed(body)[:2] for body in bodies])).sum(axis=0)
    return total


@pytest.mark.parametrize("marks", [(), (Bullet,)])
@pytest.mark.parametrize("fast", [6.0, 60.0, 400.0])
@pytest.mark.parametrize("seed", range(4))
def test_strikes_of_bodies_off_their_centres_keep_the_sum_of_mass_times_velocity(
    space: Physics, seed: int, fast: float, marks: tuple[type[Bullet], ...]
) -> None:
    random = np.random.default_rng(seed)
    bodies = []
    for k in range(12):
        x, y = 4.5 * (k % 4 - 1.5), 4.5 * (k // 4 - 1.0)
        body = esper.create_entity(
            Transform(x, y, random.uniform(-3.0, 3.0)),
            Velocity(-fast * x / 6.0, -fast * y / 6.0, random.uniform(-6.0, 6.0)),
            *colliders(random),
            RigidBody(restitution=float(random.choice([0.0, 0.5, 1.0])), density=random.uniform(0.5, 3.0)),
            *(mark() for mark in marks),
        )
        bodies.append(body)
    steps(1)
    before, first = momentum(space, bodies), states(space, bodies)[:, 3:]
    scale = fast * sum(space.bodies.mass_of(body).mass for body in bodies)
    for _ in range(30):
        steps(1)
        np.testing.assert_allclose(momentum(space, bodies), before, rtol=0.0, atol=1e-12 * scale)
    assert np.abs(states(space, bodies)[:, 3:] - first).max() > 0.1 * fast


@pytest.mark.parametrize("marks", [(), (Bullet(),)])
def test_a_sweep_that_stops_a_spinning_body_at_a_wall_turns_it_back_and_keeps_its_velocity(
    space: Physics, marks: tuple[Bullet, ...]
) -> None:
    esper.create_entity(Transform(3.0, 0.0), AABBCollider(0.1, 50.0), Solid())
    hammer = esper.create_entity(
        Transform(), Velocity(300.0, 20.0, 30.0), OBBCollider(0.5, 0.1, 0.8, 0.3), RigidBody(), *marks
    )
    steps(1)
    assert at(hammer)[2] < 0.9 * 30.0 * DT
    assert speed(hammer) == (300.0, 20.0, 30.0)


def test_what_a_sweep_takes_of_a_fall_is_taken_off_the_centre() -> None:
    """Of a step it has 1/10 left when it is stopped: gravity has acted for 9/10 of it."""
    ecsphys.install(gravity=(0.0, -100.0))
    esper.create_entity(Transform(0.0, -9.5), AABBCollider(50.0, 0.1), Solid())
    ball = esper.create_entity(
        Transform(0.0, 0.0), Velocity(0.0, -600.0, 5.0), CircleCollider(0.1, 0.5, 0.0), RigidBody()
    )
    steps(1)
    part = at(ball)[2] / (5.0 * DT)
    assert 0.85 < part < 0.95
    vx, vy, spin = speed(ball)
    assert (vx, spin) == (0.0, 5.0)
    assert vy == pytest.approx(-600.0 - 100.0 * DT * part, abs=1e-9)


def test_a_body_that_floats_and_sleeps_wakes_with_the_velocity_of_its_centre(space: Physics) -> None:
    body = esper.create_entity(Transform(), OBBCollider(0.5, 0.2, 1.0), RigidBody())
    steps(60)
    assert space.bodies.is_asleep(body)
    esper.component_for_entity(body, Velocity).angular = 2.0
    steps(30)
    assert center(space, body) == pytest.approx((1.0, 0.0), abs=1e-12)
    assert speed(body) == (0.0, 0.0, 2.0)


def test_a_body_that_is_turned_by_hand_flies_on_with_its_centre_where_that_is_then(space: Physics) -> None:
    body = thrown(np.random.default_rng(5))
    steps(10)
    esper.component_for_entity(body, Transform).angle += 2.0
    (x, y), (vx, vy, _) = center(space, body), speed(body)
    steps(60)
    assert center(space, body) == pytest.approx((x + vx, y + vy), abs=1e-12)


def test_a_snapshot_brings_back_the_centres_of_mass_as_well(space: Physics) -> None:
    bar = OBBCollider(0.5, 0.2, 1.0)
    body = esper.create_entity(Transform(), Velocity(1.0, 2.0), bar, RigidBody())
    steps(5)
    state = space.snapshot()

    def spun() -> tuple[int, tuple[float, float, float]]:
        space.restore(state)
        space.bodies.set_velocity(body, (1.0, 2.0), 3.0)
        steps(5)
        return space.digest(), at(body)

    expected = spun()
    space.restore(state)
    bar.offset_x = -3.0
    steps(1)
    assert spun() == expected


def test_particles_are_born_along_the_way_of_an_emitter_that_circles_the_centre_of_its_body(space: Physics) -> None:
    """The jet of a body that spins about (1, 0) starts at its origin, which moves along −y."""
    particles = ecsphys.systems.ParticleSystem(space)
    esper.add_processor(particles, ecsphys.Priority.PARTICLE)
    emitter = ecsphys.effects.Emitter(rate=100.0 / DT, vx_spread=0.0, vy_spread=0.0)
    body = esper.create_entity(Transform(), CircleCollider(0.5, 1.0), RigidBody(), Velocity(0.0, 0.0, 1.2), emitter)
    steps(1)
    assert len(particles) == 100
    _, y, _ = at(body)
    born_at = particles.position[np.argmax(particles.age)]
    assert y == pytest.approx(-1.2 * DT, rel=1e-3)
    assert born_at.tolist() == pytest.approx([0.0, 0.0], abs=0.02 * abs(y))
    assert np.ptp(particles.position[:, 1]) > 0.9 * abs(y)


@pytest.mark.parametrize("seed", range(5))
def test_bodies_of_box2d_with_the_same_velocities_fly_alike(space: Physics, seed: int) -> None:
    """Box2D's velocity is that of the centre of mass. It computes in single precision."""
    pyb2d3 = pytest.importorskip("pyb2d3", reason="needs the bench extra")
    random = np.random.default_rng(seed)
    world = pyb2d3.World(gravity=(0.0, 0.0))
    bodies, others = [], []
    for _ in range(8):
        x, y, vx, vy, spin = random.uniform(-4.0, 4.0, 5).tolist()
        boxes = random.uniform((-2.0, -2.0, 0.4, 0.4), (2.0, 2.0, 0.8, 0.8), (3, 4)).tolist()
        parts = CompoundCollider([OBBCollider(w, h, x, y) for x, y, w, h in boxes])
        apart = ecsphys.CollisionFilter(group=-1)
        bodies.append(esper.create_entity(Transform(x, y), Velocity(vx, vy, spin), parts, RigidBody(), apart))
        other = world.create_body(type=pyb2d3.BodyType.DYNAMIC, position=(x, y))
        settings = pyb2d3.shape_def(density=1.0, filter=pyb2d3.make_filter(group_index=-1))
        for x, y, w, h in boxes:
            corners = [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)]
            other.create_shape(settings, pyb2d3.polygon(points=corners))
        other.linear_velocity, other.angular_velocity = (vx, vy), spin
        others.append(other)
    for count in range(60):
        for body, other in zip(bodies, others, strict=True):
            push, arm = (tuple(random.uniform(-2.0, 2.0, 2).tolist()) for _ in range(2))
            if count % 10 == 5:
                space.bodies.apply_impulse(body, push, np.add(center(space, body), arm))
                own = other.world_center_of_mass()
                other.apply_linear_impulse(push, (own[0] + arm[0], own[1] + arm[1]))
        steps(1)
        world.step(DT, 4)
        for body, other in zip(bodies, others, strict=True):
            assert speed(body)[:2] == pytest.approx(tuple(other.linear_velocity), abs=1e-4)
            assert speed(body)[2] == pytest.approx(other.angular_velocity, abs=1e-4)
            assert center(space, body) == pytest.approx(tuple(other.world_center_of_mass()), abs=1e-4)
    world.destroy()
