"""Bodies that rest together sleep, keep their hits and impulses, and wake when something acts on them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pytest
from python_calls import calls_while

import ecsphys
from ecsphys import (
    AABBCollider,
    Acceleration,
    Character,
    CircleCollider,
    CollisionFilter,
    Disabled,
    Gravity,
    OBBCollider,
    Physics,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)

DT = 1.0 / 60.0


def steps(count: int) -> None:
    for _ in range(count):
        esper.process(DT)


class Resting:
    """A floor with a pile of three boxes, which sleep, and one box beside it."""

    def __init__(self) -> None:
        self.physics: Physics = ecsphys.install(gravity=(0.0, -10.0))
        self.floor = esper.create_entity(Transform(0.0, -0.5), AABBCollider(50.0, 0.5), Solid())
        self.pile = [self.box(0.0, 0.5 + i) for i in range(3)]
        self.beside = self.box(5.0, 0.5)
        steps(120)
        assert self.asleep == [True, True, True, True]

    def box(self, x: float, y: float, can_sleep: bool = True) -> int:
        body = RigidBody(can_sleep=can_sleep)
        return esper.create_entity(Transform(x, y), Gravity(), OBBCollider(0.5, 0.5), body)

    @property
    def asleep(self) -> list[bool]:
        return [self.physics.bodies.is_asleep(entity) for entity in (*self.pile, self.beside)]


@pytest.fixture
def resting() -> Resting:
    return Resting()


def test_what_rests_falls_asleep_moves_no_bit_and_keeps_its_hits_and_impulses(resting: Resting) -> None:
    before = [(t.x, t.y, t.angle) for _, t in esper.get_component(Transform)]
    hits = resting.physics.hits
    pairs = list(zip(hits.entity_a.tolist(), hits.entity_b.tolist(), strict=True))
    impulses = resting.physics._state.hits.found.contacts.impulses[:, :2].sum(axis=1).tolist()
    assert len(pairs) == 4
    # Each carries the weight of what lies on it: contacts keep forces.
    assert sorted(impulses) == pytest.approx([n * 10.0 for n in (1, 1, 2, 3)], rel=0.02)
    steps(60)
    assert [(t.x, t.y, t.angle) for _, t in esper.get_component(Transform)] == before
    assert [(v.x, v.y, v.angular) for _, v in esper.get_component(Velocity)] == [(0.0, 0.0, 0.0)] * 4
    hits = resting.physics.hits
    assert list(zip(hits.entity_a.tolist(), hits.entity_b.tolist(), strict=True)) == pairs
    assert resting.physics._state.hits.found.contacts.impulses[:, :2].sum(axis=1).tolist() == impulses


def push(resting: Resting) -> None:
    resting.physics.bodies.apply_impulse(resting.pile[1], (0.5, 0.0))


def force(resting: Resting) -> None:
    resting.physics.bodies.apply_force(resting.pile[2], (1.0, 0.0))


def accelerate(resting: Resting) -> None:
    esper.add_component(resting.pile[0], Acceleration(1.0))


def lighten(resting: Resting) -> None:
    esper.component_for_entity(resting.pile[2], Gravity).scale = 0.5


def throw(resting: Resting) -> None:
    esper.create_entity(Transform(-1.6, 0.5), Velocity(4.0, 0.0), CircleCollider(0.5), RigidBody())


def drop(resting: Resting) -> None:
    resting.box(0.0, 3.4)


def lift(resting: Resting) -> None:
    esper.component_for_entity(resting.pile[2], Transform).y += 0.3


def take_away(resting: Resting) -> None:
    esper.delete_entity(resting.pile[1], immediate=True)
    resting.pile[1] = resting.pile[0]


def disable(resting: Resting) -> None:
    esper.add_component(resting.pile[0], Disabled())


def grow(resting: Resting) -> None:
    esper.component_for_entity(resting.pile[2], OBBCollider).half_width = 0.6


def make_slippery(resting: Resting) -> None:
    esper.component_for_entity(resting.pile[0], RigidBody).friction = 0.0


def wake(resting: Resting) -> None:
    resting.physics.bodies.wake(resting.pile[1])


@pytest.mark.parametrize(
    "act", [push, force, accelerate, lighten, throw, drop, lift, take_away, disable, grow, make_slippery, wake]
)
def test_a_pile_wakes_as_a_whole_by_what_acts_on_one_of_it_and_no_other_does(
    resting: Resting, act: Callable[[Resting], None]
) -> None:
    act(resting)
    for _ in range(12):
        steps(1)
        if not any(resting.asleep[:3]):
            break
    assert resting.asleep == [False, False, False, True]


def let_rise(resting: Resting) -> None:
    resting.physics.gravity = (0.0, 5.0)


def sink_the_floor(resting: Resting) -> None:
    esper.component_for_entity(resting.floor, Transform).y -= 2.0


def delete_the_floor(resting: Resting) -> None:
    esper.delete_entity(resting.floor, immediate=True)


def sink_the_floor_without_time(resting: Resting) -> None:
    sink_the_floor(resting)
    esper.process(0.0)


def delete_the_floor_without_time(resting: Resting) -> None:
    delete_the_floor(resting)
    esper.process(0.0)


def delete_the_floor_within_the_step(resting: Resting) -> None:
    class Deleting(esper.Processor):
        def process(self, dt: float) -> None:
            if esper.entity_exists(resting.floor):
                esper.delete_entity(resting.floor)

    esper.add_processor(Deleting(), priority=500)


def let_the_floor_meet_nothing(resting: Resting) -> None:
    esper.add_component(resting.floor, CollisionFilter(mask=0))


def make_the_floor_a_sensor(resting: Resting) -> None:
    esper.remove_component(resting.floor, Solid)


@pytest.mark.parametrize(
    "act",
    [
        sink_the_floor,
        delete_the_floor,
        sink_the_floor_without_time,
        delete_the_floor_without_time,
        delete_the_floor_within_the_step,
        let_the_floor_meet_nothing,
        make_the_floor_a_sensor,
    ],
)
def test_all_wake_and_fall_where_the_floor_goes(resting: Resting, act: Callable[[Resting], None]) -> None:
    act(resting)
    steps(3)
    assert resting.asleep == [False] * 4
    steps(10)
    assert esper.component_for_entity(resting.beside, Transform).y < 0.49


def test_what_comes_and_goes_elsewhere_wakes_none(resting: Resting) -> None:
    far = [resting.box(20.0 + 2.0 * i, 0.5) for i in range(5)]
    steps(2)
    assert resting.asleep == [True] * 4
    esper.delete_entity(far[2], immediate=True)
    steps(2)
    assert resting.asleep == [True] * 4


def test_a_body_that_must_not_sleep_keeps_its_pile_awake(resting: Resting) -> None:
    restless = resting.box(0.0, 3.5, can_sleep=False)
    steps(180)
    assert resting.asleep == [False, False, False, True]
    esper.component_for_entity(restless, RigidBody).can_sleep = True
    steps(120)
    assert resting.asleep == [True] * 4


def test_what_rides_on_something_that_moves_does_not_sleep(resting: Resting) -> None:
    esper.create_entity(Transform(30.0, -0.5), Velocity(0.01, 0.0), AABBCollider(3.0, 0.5), Solid())
    rider = resting.box(30.0, 0.5)
    steps(180)
    assert not resting.physics.bodies.is_asleep(rider)


def test_a_game_lets_bodies_sleep_at_once(resting: Resting) -> None:
    hanging = resting.box(20.0, 9.0)
    resting.physics.bodies.sleep(hanging)
    steps(30)
    assert resting.physics.bodies.is_asleep(hanging)
    assert esper.component_for_entity(hanging, Transform).y == 9.0
    resting.physics.bodies.wake(hanging)
    steps(30)
    assert esper.component_for_entity(hanging, Transform).y < 9.0


def test_without_a_sleep_speed_none_sleeps(resting: Resting) -> None:
    resting.physics.settings.sleep_speed = 0.0
    resting.physics.bodies.wake([*resting.pile, resting.beside])
    steps(120)
    assert resting.asleep == [False] * 4


def test_a_belt_that_begins_to_run_wakes_what_lies_on_it(resting: Resting) -> None:
    belt = RigidBody("static", friction=0.9)
    esper.create_entity(Transform(70.0, -0.5), AABBCollider(9.0, 0.5), belt)
    rider = resting.box(70.0, 0.5)
    steps(90)
    assert resting.physics.bodies.is_asleep(rider)
    belt.tangent_speed = 2.0
    steps(60)
    assert esper.component_for_entity(rider, Transform).x > 70.5
    assert resting.asleep == [True] * 4


def test_what_the_game_puts_into_a_sleeper_wakes_it(resting: Resting) -> None:
    wall = esper.create_entity(Transform(30.0, 5.0), AABBCollider(0.5, 0.5), Solid())
    steps(2)
    place = esper.component_for_entity(wall, Transform)
    place.x, place.y = 5.6, 0.5
    steps(30)
    assert esper.component_for_entity(resting.beside, Transform).x < 4.7


def test_what_a_snapshot_puts_back_asleep_wakes_as_before(resting: Resting) -> None:
    taken = resting.physics.snapshot()
    resting.physics.bodies.wake([*resting.pile, resting.beside])
    esper.component_for_entity(resting.beside, Velocity).x = 1.0
    steps(2)
    assert resting.asleep == [False] * 4
    resting.physics.restore(taken)
    assert resting.asleep == [True] * 4
    esper.component_for_entity(resting.pile[0], Velocity).x = 1.0
    steps(1)
    assert resting.asleep == [False, False, False, True]


def test_a_quiet_step_of_bodies_makes_few_calls_however_many_there_are(resting: Resting) -> None:
    for x in range(40):
        resting.box(10.0 + 2.0 * x, 0.5 + x % 2, can_sleep=False)
    steps(30)
    # Calls and returns.
    assert calls_while(lambda: steps(1)) < 650


@pytest.mark.parametrize("substeps", [1, 4])
@pytest.mark.parametrize("way", ["flies", "turns"])
def test_what_hits_a_sleeper_gives_it_all_the_momentum_it_loses_wherever_its_steps_end(substeps: int, way: str) -> None:
    for k in range(48):
        esper.switch_world(f"sleeper hit {substeps} {way} {k}")
        physics = ecsphys.install()
        physics.settings.solver_substeps = substeps
        sleeper = esper.create_entity(Transform(0.0, 0.0), OBBCollider(0.5, 0.5), RigidBody(friction=0.0))
        if way == "flies":
            start = Transform(-3.0 - k / 192, 0.1)
            mover = esper.create_entity(start, Velocity(30.0, 0.0), CircleCollider(0.5), RigidBody(density=8.0))
        else:
            start = Transform(-0.7, -2.6 - k / 192)
            collider = OBBCollider(2.5, 0.1)
            mover = esper.create_entity(start, Velocity(0.0, 0.0, 20.0), collider, RigidBody(friction=0.0))
        esper.process(DT)
        physics.bodies.sleep(sleeper)
        masses = [physics.bodies.mass_of(body).mass for body in (mover, sleeper)]
        velocities = [esper.component_for_entity(body, Velocity) for body in (mover, sleeper)]
        before = masses[0] * velocities[0].x, masses[0] * velocities[0].y
        for _ in range(30):
            esper.process(DT)
        assert not physics.bodies.is_asleep(sleeper), k
        after = [
            sum(mass * getattr(one, axis) for mass, one in zip(masses, velocities, strict=True)) for axis in ("x", "y")
        ]
        assert after == pytest.approx(before, abs=1e-9), k


def rack(gap: float, can_sleep: bool) -> tuple[Physics, list[int]]:
    """Ten balls in a rack, apart by a gap, and one that comes to strike them; a second at rest."""
    physics = ecsphys.install()
    physics.settings.restitution_threshold = 0.0
    apart = 1.0 + gap
    balls = [
        esper.create_entity(
            Transform(0.8661 * apart * row, apart * (k - 0.5 * row)),
            CircleCollider(0.5),
            RigidBody(friction=0.0, restitution=0.5, can_sleep=can_sleep),
        )
        for row in range(4)
        for k in range(row + 1)
    ]
    body = RigidBody(friction=0.0, restitution=0.5, can_sleep=can_sleep)
    balls.append(esper.create_entity(Transform(-2.0, 0.1), CircleCollider(0.5), body))
    steps(60)
    return physics, balls


def velocities_of(bodies: list[int]) -> list[tuple[float, float]]:
    return [(v.x, v.y) for v in (esper.component_for_entity(body, Velocity) for body in bodies)]


@pytest.mark.parametrize("gap", [0.001, 0.005, 0.02, 0.03, 0.05])
@pytest.mark.parametrize("speed", [3.0, 10.0, 40.0])
def test_a_strike_gives_the_same_to_the_last_bit_asleep_and_awake_and_keeps_its_momentum(
    gap: float, speed: float
) -> None:
    after = []
    for can_sleep in (True, False):
        esper.switch_world(f"rack {gap} {speed} {can_sleep}")
        physics, balls = rack(gap, can_sleep)
        assert physics.bodies.is_asleep(balls[0]) == can_sleep
        physics.bodies.set_velocity(balls[-1], (speed, 0.0))
        for _ in range(int(2.0 / speed / DT) + 20):
            steps(1)
            assert sum(x for x, _ in velocities_of(balls)) == pytest.approx(speed, rel=1e-12)
        after.append(velocities_of(balls))
    assert after[0] == after[1]


def test_what_fell_asleep_one_by_one_wakes_together() -> None:
    physics = ecsphys.install()
    balls = [esper.create_entity(Transform(1.01 * k, 0.0), CircleCollider(0.5), RigidBody()) for k in range(8)]
    striker = esper.create_entity(Transform(-1.1, 0.0), CircleCollider(0.5), RigidBody())
    steps(1)
    for ball in balls:
        physics.bodies.sleep(ball)
    physics.bodies.set_velocity(striker, (10.0, 0.0))
    for _ in range(3):
        steps(1)
    assert not any(physics.bodies.is_asleep(ball) for ball in balls)


@pytest.mark.parametrize("gap", [0.0, 0.001, 0.005, 0.015])
def test_a_crate_made_beside_another_a_step_later_never_wakes_it_again(gap: float) -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(0.0, -0.5), AABBCollider(50.0, 0.5), Solid())
    crates = [esper.create_entity(Transform(0.0, 0.5), OBBCollider(0.5, 0.5), RigidBody())]
    steps(1)
    crates.append(esper.create_entity(Transform(1.0 + gap, 0.5), OBBCollider(0.5, 0.5), RigidBody()))
    steps(60)
    for _ in range(300):
        assert all(physics.bodies.is_asleep(crate) for crate in crates)
        steps(1)


def test_a_long_row_of_crates_falls_asleep() -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(250.0, -0.5), AABBCollider(300.0, 0.5), Solid())
    random = np.random.default_rng(5)
    places = np.cumsum(1.0 + random.uniform(0.0, 0.01, 500)).tolist()
    crates = [esper.create_entity(Transform(x, 0.5), OBBCollider(0.5, 0.5), RigidBody()) for x in places]
    steps(120)
    assert all(physics.bodies.is_asleep(crate) for crate in crates)


@pytest.mark.parametrize("seed", range(6))
def test_rain_falls_asleep(seed: int) -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    random = np.random.default_rng(seed)
    esper.create_entity(Transform(0.0, -0.5), OBBCollider(8.0, 0.5), Solid())
    for side in (-8.0, 8.0):
        esper.create_entity(Transform(side, 20.0), OBBCollider(0.5, 40.0), Solid())
    drops = []
    for k in range(40):
        size, other = random.uniform(0.2, 0.5, 2).tolist()
        # A ball that rolls slowly goes on rolling.
        body = RigidBody(rolling_resistance=0.02)
        collider = OBBCollider(size, other) if k % 2 else CircleCollider(size)
        x, y = random.uniform((-6.0, 5.0), (6.0, 25.0)).tolist()
        start = Transform(x, y, random.uniform(0.0, 6.0))
        drops.append(esper.create_entity(start, collider, body))
        steps(int(random.integers(0, 5)))
    calm = 0
    for _ in range(3000):
        steps(1)
        fastest = max(np.hypot(*velocity) for velocity in velocities_of(drops))
        calm = 0 if fastest > 0.2 else calm + 1
        if calm > 300 or all(physics.bodies.is_asleep(drop) for drop in drops):
            break
    assert all(physics.bodies.is_asleep(drop) for drop in drops)


def _add_body(resting: Resting) -> None:
    esper.add_component(resting.floor, RigidBody(kind="static", friction=0.0))


def _mix_otherwise(resting: Resting) -> None:
    resting.physics.settings.friction_mixing = "lesser"


def _sleep_otherwise(resting: Resting) -> None:
    resting.physics.settings.sleep_speed = 0.01


@pytest.mark.parametrize("act", [_add_body, _mix_otherwise, _sleep_otherwise])
def test_a_body_added_below_and_other_settings_wake_what_sleeps(
    resting: Resting, act: Callable[[Resting], None]
) -> None:
    act(resting)
    steps(1)
    assert resting.asleep == [False] * 4


@pytest.mark.parametrize("viewed", ["friction", "mass", None])
@pytest.mark.parametrize(
    ("field", "value"),
    [("friction", 0.1), ("tangent_speed", 1.0), ("restitution", 0.8), ("mass", 3.0), ("kind", "kinematic")],
)
def test_a_written_floor_wakes_what_lies_on_it_while_the_game_holds_a_view(
    field: str, value: object, viewed: str | None
) -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    body = RigidBody(kind="static")
    esper.create_entity(Transform(0.0, -0.5), AABBCollider(50.0, 0.5), body)
    box = esper.create_entity(Transform(0.0, 0.5), OBBCollider(0.5, 0.5), RigidBody())
    view = None if viewed is None else RigidBody.column(viewed)
    steps(120)
    assert physics.bodies.is_asleep(box)
    setattr(body, field, value)
    steps(1)
    assert not physics.bodies.is_asleep(box)
    assert view is None or view.flags.writeable


@pytest.mark.parametrize("is_viewed", [False, True])
def test_a_disabled_body_with_another_mass_has_it_when_it_is_enabled(is_viewed: bool) -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    body = RigidBody(mass=1.0)
    box = esper.create_entity(Transform(0.0, 0.5), OBBCollider(0.5, 0.5), body)
    view = RigidBody.column("friction") if is_viewed else None
    steps(2)
    esper.add_component(box, Disabled())
    steps(2)
    body.mass = 4.0
    steps(2)
    esper.remove_component(box, Disabled)
    steps(1)
    assert physics.bodies.mass_of(box).mass == 4.0
    assert (view is not None) == is_viewed


def test_a_replaced_body_wakes_what_lies_on_it() -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    floor = esper.create_entity(Transform(0.0, -0.5), AABBCollider(50.0, 0.5), RigidBody(kind="static"))
    box = esper.create_entity(Transform(0.0, 0.5), OBBCollider(0.5, 0.5), RigidBody())
    steps(120)
    assert physics.bodies.is_asleep(box)
    esper.add_component(floor, RigidBody(kind="static", tangent_speed=3.0))
    steps(2)
    assert not physics.bodies.is_asleep(box)
    assert esper.component_for_entity(box, Velocity).x != 0.0


def test_a_platform_that_passes_close_by_wakes_only_what_it_comes_to() -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(0.0, -0.5), AABBCollider(50.0, 0.5), Solid())
    box = esper.create_entity(Transform(0.0, 0.5), OBBCollider(0.5, 0.5), RigidBody())
    steps(60)
    passing = RigidBody(kind="kinematic")
    esper.create_entity(Transform(-3.0, 1.51), OBBCollider(0.5, 0.5), Velocity(3.0, 0.0), passing)
    steps(120)
    assert physics.bodies.is_asleep(box)


@pytest.mark.parametrize("is_first", [False, True])
@pytest.mark.parametrize("comes", [False, True])
@pytest.mark.parametrize("quarter", range(4))
def test_an_arm_that_turns_wakes_what_it_comes_to_and_not_what_it_leaves(
    quarter: int, comes: bool, is_first: bool
) -> None:
    physics = ecsphys.install()
    c, s = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarter]
    sleeper = -1
    # The ball is beside the arm's end, on the side to which an arm goes that turns counter-clockwise.
    if is_first:
        sleeper = esper.create_entity(
            Transform(3.0 * c - 1.002 * s, 3.0 * s + 1.002 * c), CircleCollider(0.5), RigidBody()
        )
    arm = CircleCollider(0.5, offset_x=3.0 * c, offset_y=3.0 * s)
    esper.create_entity(Transform(), Velocity(angular=0.1 if comes else -0.1), arm, RigidBody(kind="kinematic"))
    if not is_first:
        sleeper = esper.create_entity(
            Transform(3.0 * c - 1.002 * s, 3.0 * s + 1.002 * c), CircleCollider(0.5), RigidBody()
        )
    steps(1)
    physics.bodies.sleep(sleeper)
    steps(5)
    assert physics.bodies.is_asleep(sleeper) != comes


@pytest.mark.parametrize("is_viewed", [False, True])
@pytest.mark.parametrize("is_moved", [False, True])
def test_a_collider_without_a_body_wakes_none_however_it_moves(is_viewed: bool, is_moved: bool) -> None:
    physics = ecsphys.install(gravity=(0.0, -9.8))
    sleeper = esper.create_entity(Transform(), Velocity(), CircleCollider(0.5), RigidBody())
    ghost = Transform(-0.3, 0.0)
    esper.create_entity(ghost, Velocity(0.1, 0.0), CircleCollider(0.5))
    platform = Transform(9.0, 0.0), Velocity(0.1, 0.0), RigidBody(kind="kinematic")
    esper.create_entity(*platform, CircleCollider(0.5))
    steps(1)
    physics.bodies.sleep(sleeper)
    viewed = Transform.column("x") if is_viewed else None
    for _ in range(10):
        if is_moved:
            ghost.y += 0.01
        steps(1)
        assert physics.bodies.is_asleep(sleeper)
        assert len(physics.hits) == 1
    del viewed


@pytest.mark.parametrize(
    "parts",
    [
        (CircleCollider(0.6, sensor=True),),
        (CircleCollider(0.6),),
        (CircleCollider(0.6, sensor=True), RigidBody("kinematic")),
        (CircleCollider(0.6), Character()),
    ],
)
def test_what_presses_on_nothing_wakes_none_when_it_goes(resting: Resting, parts: tuple[Any, ...]) -> None:
    def place() -> int:
        coin = esper.create_entity(Transform(5.0, 0.5), *map(copy.copy, parts))
        steps(2)
        return coin

    taken, switched_off, stripped = place(), place(), place()
    assert len(resting.physics.hits.of(resting.beside)) == 4
    esper.delete_entity(taken)
    esper.add_component(switched_off, Disabled())
    esper.remove_component(stripped, CircleCollider)
    steps(2)
    assert len(resting.physics.hits.of(resting.beside)) == 1
    assert resting.asleep == [True] * 4


def test_of_bodies_that_float_together_the_other_wakes_when_one_goes() -> None:
    physics = ecsphys.install(gravity=(0.0, 0.0))
    # So near that they have a contact, which does not press.
    one, other, apart = (
        esper.create_entity(Transform(x, 0.0), OBBCollider(0.5, 0.5), RigidBody()) for x in (0.0, 1.01, 4.0)
    )
    steps(60)
    assert all(map(physics.bodies.is_asleep, (one, other, apart)))
    esper.delete_entity(one, immediate=True)
    steps(1)
    assert not physics.bodies.is_asleep(other)
    assert physics.bodies.is_asleep(apart)
