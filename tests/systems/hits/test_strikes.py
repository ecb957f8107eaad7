"""Strikes: what a game is told of blows, once for each, and of the weight of what rests."""

from __future__ import annotations

import math
import random
import sys
from pathlib import Path
from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import (
    Bullet,
    ChainCollider,
    CircleCollider,
    CompoundCollider,
    HitListener,
    OBBCollider,
    PrismaticJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.types import Hit

sys.path.insert(0, str(Path(__file__).parents[3]))

from checks.strikes import fault, random_case

DT = 1.0 / 60.0


class Told:
    """What a listener was told of strikes: the step, and the hit."""

    def __init__(self, least: float = 0.0) -> None:
        self.step = 0
        self.strikes: list[tuple[int, Hit]] = []
        self.events: list[str] = []
        self.listener = HitListener(
            on_started=lambda _: self.events.append("started"),
            on_impulse=self.note,
            on_ended=lambda _: self.events.append("ended"),
            min_impulse=least,
        )

    def note(self, hit: Hit) -> None:
        self.strikes.append((self.step, hit))
        self.events.append("struck")

    @property
    def impulses(self) -> list[float]:
        return [hit.strike_impulse for _, hit in self.strikes]

    def play(self, steps: int, dt: float = DT) -> None:
        for _ in range(steps):
            esper.process(dt)
            self.step += 1


def floor(**surface: Any) -> int:
    return esper.create_entity(Transform(0.0, -0.5), OBBCollider(50.0, 0.5), RigidBody(kind="static", **surface))


def crate(x: float, y: float, *components: object, **body: Any) -> int:
    return esper.create_entity(Transform(x, y), OBBCollider(0.5, 0.5), RigidBody(**body), *components)


@pytest.mark.parametrize("seed", range(0, 80, 8))
def test_random_strikes_through_the_centres_are_told_once_with_their_impulse_and_speed(seed: int) -> None:
    for each in range(seed, seed + 4):
        case = random_case(np.random.default_rng([29, each]))
        assert fault(case) == "", case


@pytest.mark.parametrize("segments", [1, 2, 5])
def test_a_flat_plank_is_told_once_however_many_segments_it_falls_on(segments: int) -> None:
    ecsphys.install(gravity=(0.0, -10.0))
    told = Told()
    width = 8.0 / segments
    places = [(4.0 - width * i, 0.0) for i in range(segments + 1)]
    esper.create_entity(Transform(), ChainCollider(places), RigidBody(kind="static"))
    speed = Velocity()
    esper.create_entity(Transform(0.3, 1.35), speed, OBBCollider(2.5, 0.1), RigidBody(mass=2.5), told.listener)
    told.play(120)
    assert told.impulses == pytest.approx([12.5], rel=0.05)
    assert abs(speed.angular) < 1e-9


@pytest.mark.parametrize("can_sleep", [False, True])
@pytest.mark.parametrize("stacked", [1, 5, 10])
def test_the_weight_of_what_rests_is_no_strike(stacked: int, can_sleep: bool) -> None:
    ecsphys.install(gravity=(0.0, -10.0))
    told = Told()
    floor()
    for i in range(stacked):
        crate(0.0, 0.5 + i, told.listener if i == 0 else HitListener(on_impulse=told.note), can_sleep=can_sleep)
    told.play(240)
    assert told.strikes == []


def test_bodies_that_touch_already_are_struck_again_and_told_of_their_own_blow() -> None:
    """A hammer falls on a crate that stands on glass: the glass is told as soon as the crate."""
    ecsphys.install(gravity=(0.0, -10.0))
    glass, box = Told(1.0), Told(1.0)
    esper.add_component(floor(), glass.listener)
    crate(0.0, 0.5, box.listener)
    for told in (glass, box):
        told.listener.on_impulse = told.note
    esper.create_entity(Transform(0.0, 8.0), CircleCollider(0.5), RigidBody(mass=2.0))
    for _ in range(75):
        esper.process(DT)
        glass.step += 1
        box.step += 1
    # The hammer falls by 6.5 and comes at 11.4.
    (step, first), *_ = glass.strikes
    assert first.strike_impulse > 2.0 * 11.4
    assert {at for at, _ in box.strikes[:2]} == {step}
    assert max(hit.approach_speed for _, hit in box.strikes[:2]) == pytest.approx(11.4, rel=0.02)


@pytest.mark.parametrize("seed", range(12))
def test_a_strike_off_the_centre_has_the_impulse_that_changes_the_momentum(seed: int) -> None:
    random = np.random.default_rng(seed)
    ecsphys.install()
    told = Told()
    friction, restitution = float(random.uniform(0.0, 1.0)), float(random.choice([0.0, 0.5]))
    surface: dict[str, Any] = {"friction": friction, "restitution": restitution}
    mass, offset = float(random.uniform(0.2, 5.0)), float(random.uniform(-0.4, 0.4))
    speed, angle = float(random.uniform(3.0, 40.0)), float(random.integers(16)) * math.pi / 8.0
    cos, sin = math.cos(angle), math.sin(angle)
    ball = Velocity(-speed * sin, speed * cos)
    gap = float(random.uniform(0.0, 1.0))
    esper.create_entity(
        Transform(cos * offset + sin * (1.0 + gap), sin * offset - cos * (1.0 + gap)),
        ball,
        CircleCollider(0.5),
        RigidBody(mass=mass, **surface),
        Bullet(),
        told.listener,
    )
    esper.create_entity(Transform(0.0, 0.0, angle), OBBCollider(0.5, 0.5), RigidBody(**surface))
    before = ball.x, ball.y
    changes = [0.0]
    while not told.strikes and told.step < 60:
        told.play(1)
        changes.append(mass * math.hypot(ball.x - before[0], ball.y - before[1]))
    # The step in which it is complete is one of the strike, or a calm one, which is not counted.
    assert any(told.impulses == pytest.approx([change], rel=1e-6) for change in changes[-2:])
    ((_, hit),) = told.strikes
    # The ball meets a flat side: it approaches along the normal.
    assert hit.approach_speed == pytest.approx(speed, rel=0.02)


@pytest.mark.parametrize("restitution", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("is_bullet", [False, True])
def test_a_strike_is_told_after_its_start_and_before_its_end(restitution: float, is_bullet: bool) -> None:
    ecsphys.install()
    for speed in (2.0, 7.0, 23.0, 60.0):
        for gap in (0.001, 0.13, 0.57, 0.91):
            told = Told()
            wall = esper.create_entity(Transform(0.0, 0.0), OBBCollider(0.5, 5.0), RigidBody(kind="static"))
            ball = esper.create_entity(
                Transform(-1.0 - gap, 0.0),
                Velocity(speed, 0.0),
                CircleCollider(0.5),
                RigidBody(restitution=restitution, mass=2.0),
                told.listener,
                *((Bullet(),) if is_bullet else ()),
            )
            told.play(math.ceil(gap / speed / DT) + 6)
            assert told.impulses == pytest.approx([2.0 * speed * (1.0 + restitution)], rel=1e-6)
            assert told.events[:2] == ["started", "struck"]
            assert told.events[2:] in ([], ["ended"])
            ((_, hit),) = told.strikes
            assert hit.phase == "ongoing" or told.events[2:] == []
            esper.delete_entity(ball, immediate=True)
            esper.delete_entity(wall, immediate=True)
            esper.process(DT)


def test_the_time_of_a_strike_is_when_the_surfaces_met_in_its_step() -> None:
    ecsphys.install()
    told = Told()
    esper.create_entity(Transform(0.0, 0.0), OBBCollider(0.5, 5.0), RigidBody(kind="static"))
    # At 1 unit/s a step is 1/60: it is near after the first, and meets the wall in the middle of the second.
    esper.create_entity(Transform(-1.025, 0.0), Velocity(1.0, 0.0), CircleCollider(0.5), RigidBody(), told.listener)
    told.play(4)
    ((_, hit),) = told.strikes
    assert hit.time == pytest.approx(0.5, abs=1e-6)
    assert hit.approach_speed == pytest.approx(1.0)


def test_one_row_of_the_arrays_has_the_strike_of_all_parts_of_two_entities() -> None:
    physics = ecsphys.install()
    told = Told()
    feet = CompoundCollider([OBBCollider(0.2, 0.2, offset_x=x) for x in (-0.6, 0.0, 0.6)])
    floor()
    esper.create_entity(Transform(0.0, 0.5), Velocity(0.0, -3.0), feet, RigidBody(mass=2.0), told.listener)
    rows = []
    for _ in range(10):
        told.play(1)
        strikes = np.concatenate((physics.hits.strike_impulse, physics.hits.ended.strike_impulse))
        rows += strikes[strikes > 0.0].tolist()
    assert rows == told.impulses == pytest.approx([6.0])


def test_what_is_killed_in_the_step_of_its_strike_is_told_no_more() -> None:
    ecsphys.install()
    told = Told()
    floor()
    box = crate(0.0, 0.6, told.listener)
    esper.component_for_entity(box, RigidBody).restitution = 0.0
    esper.add_component(box, Velocity(0.0, -8.0))
    for _ in range(6):
        esper.process(DT)
        if "started" in told.events:
            esper.delete_entity(box, immediate=True)
            break
    told.play(3)
    assert told.events == ["started", "ended"]


@pytest.mark.parametrize("restitution", [0.0, 0.9])
@pytest.mark.parametrize("immediate", [False, True])
@pytest.mark.parametrize("is_pane_first", [False, True])
def test_a_pane_that_two_balls_strike_in_one_step_shatters_once(
    is_pane_first: bool, immediate: bool, restitution: float
) -> None:
    shattered: list[tuple[int, bool]] = []
    paid_back: list[int] = []

    def shatter(hit: Hit) -> None:
        shattered.append((hit.entity_a, esper.entity_exists(hit.entity_a)))
        esper.delete_entity(hit.entity_a, immediate=immediate)

    def pay_back(hit: Hit) -> None:
        paid_back.append(hit.entity_a)

    def make_pane() -> int:
        body, listener = RigidBody(restitution=restitution), HitListener(on_impulse=shatter, min_impulse=1.0)
        return esper.create_entity(Transform(), OBBCollider(0.1, 1.0), body, listener)

    def make_ball(y: float) -> int:
        body, listener = RigidBody(mass=1.0, restitution=restitution), HitListener(on_impulse=pay_back)
        return esper.create_entity(Transform(-1.0, y), Velocity(10.0, 0.0), CircleCollider(0.2), body, listener)

    ecsphys.install()
    pane = make_pane() if is_pane_first else 0
    balls = [make_ball(-0.6), make_ball(0.6)]
    pane = pane or make_pane()
    for _ in range(30):
        esper.process(1 / 60)
    assert shattered == [(pane, True)]
    assert len(paid_back) == 1
    assert set(paid_back) <= set(balls)


def test_a_switch_of_worlds_in_on_impulse_raises_an_error_that_names_it() -> None:
    home = esper.current_world
    ecsphys.install()
    floor()
    listener = HitListener(on_impulse=lambda _: esper.switch_world("elsewhere"))
    crate(0.0, 0.6, Velocity(0, -6), listener)
    with pytest.raises(RuntimeError, match=r"a HitListener\.on_impulse handler switched to the world 'elsewhere'"):
        Told().play(10)
    assert esper.current_world == home
    esper.delete_world("elsewhere")


@pytest.mark.parametrize("as_bytes", [False, True])
def test_a_strike_that_is_not_complete_is_told_the_same_after_a_restore(as_bytes: bool) -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    told = Told()
    floor()
    crate(0.0, 2.0, told.listener)
    kept: list[tuple[int, ecsphys.types.Snapshot]] = []
    for step in range(50):
        told.play(1)
        kept.append((step, physics.snapshot()))
    ((complete, hit),) = told.strikes
    for step, snapshot in kept[complete - 3 : complete + 2]:
        physics.restore(ecsphys.types.Snapshot.from_bytes(snapshot.to_bytes()) if as_bytes else snapshot)
        found = []
        for later in range(step + 1, complete + 4):
            told.play(1)
            found += [(later, hit) for hit in physics.hits if hit.strike_impulse > 0.0]
        assert found == ([(complete, hit.seen_from(1))] if step < complete else [])


def test_worlds_that_differ_in_an_incomplete_strike_only_have_other_digests() -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    told = Told()
    floor()
    crate(0.0, 2.0, told.listener)
    while not physics.hits or not physics.hits.impulse[0] > 1.0:
        told.play(1)
    assert told.strikes == []
    found = physics._state.hits.found
    before = physics.digest()
    found.strikes.left.numbers[0, 0] += 1e-9
    assert physics.digest() != before


@pytest.mark.parametrize("count", [1, 63, 64, 65, 300])
def test_every_one_of_many_balls_is_told_its_own_strike(count: int) -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(0.0, -0.5), OBBCollider(2.0 * count, 0.5), Solid())
    speeds = np.random.default_rng(count).uniform(2.0, 30.0, count)
    numbers = range(count)
    told: dict[int, list[float]] = {}
    listeners = [HitListener(on_impulse=lambda hit: told.setdefault(hit.entity_a, []).append(hit.strike_impulse))] * 1
    balls = [
        esper.create_entity(
            Transform(1.5 * (i - 0.5 * count), 0.5 + 0.01 * (i % 40)),
            Velocity(0.0, -speeds[i]),
            CircleCollider(0.5),
            RigidBody(mass=1.0 + i % 3, restitution=0.8),
            HitListener(on_impulse=listeners[0].on_impulse),
        )
        for i in numbers
    ]
    for _ in range(30):
        esper.process(DT)
    assert physics.debug.check() == []
    for i, ball in zip(numbers, balls, strict=True):
        assert told[ball] == pytest.approx([(1.0 + i % 3) * 1.8 * speeds[i]], rel=1e-6)


@pytest.mark.parametrize("others", [0, 1, 2, 3])
@pytest.mark.parametrize("is_vetoed", [False, True])
def test_contacts_that_are_not_solved_have_no_load_of_others_that_were_in_their_place(
    others: int, is_vetoed: bool
) -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    told = Told()
    floor()
    crates = [crate(2.0 * i, 0.5, mass=500.0, can_sleep=False) for i in range(others)]
    told.play(30)
    for each in crates:
        esper.delete_entity(each, immediate=True)
    # Only the box strikes the floor, not the larger disc.
    disc = CircleCollider(0.6, sensor=not is_vetoed)
    faller = esper.create_entity(Transform(4.0, 1.2), OBBCollider(0.5, 0.4), disc, RigidBody(mass=1.0), told.listener)

    def veto(contacts: ecsphys.types.SolverContacts) -> None:
        kinds = np.where(contacts.entity_a == faller, contacts.collider_a, contacts.collider_b)
        contacts.is_vetoed[kinds == ecsphys.COLLIDER_CLASSES.index(CircleCollider)] = True

    if is_vetoed:
        physics.pre_solve = veto
    told.play(60)
    # It falls by 0.8.
    assert told.impulses == pytest.approx([4.0], rel=0.05)


def test_a_strike_of_bodies_that_the_game_puts_to_sleep_in_it_counts_its_first_step_once() -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    told = Told()
    floor()
    box = crate(0.0, 2.0, told.listener)
    while not physics.hits or not physics.hits.impulse[0] > 1.0:
        told.play(1)
    first = float(physics.hits.impulse[0])
    assert told.strikes == []
    physics.bodies.sleep([box])
    told.play(2)
    assert told.impulses == [pytest.approx(first)]


@pytest.mark.parametrize("stacked", [1, 5, 10])
def test_the_weight_of_what_rests_is_no_strike_in_steps_of_different_lengths(stacked: int) -> None:
    random = np.random.default_rng(stacked)
    ecsphys.install(gravity=(0.0, -10.0))
    told = Told()
    floor()
    for i in range(stacked):
        crate(0.0, 0.5 + i, HitListener(on_impulse=told.note), can_sleep=False)
    told.play(30)
    for steps in random.choice([30, 60, 120], 120).tolist():
        told.play(1, 1.0 / steps)
    assert told.strikes == []


def test_a_load_that_goes_from_part_to_part_is_no_strike_in_a_step_that_is_longer() -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    told = Told()
    parts = CompoundCollider([OBBCollider(2.0, 0.5, offset_x=-2.0), OBBCollider(2.0, 0.5, offset_x=2.0)])
    esper.create_entity(Transform(0.0, -0.5), parts, RigidBody(kind="static", friction=0.0))
    # A motor presses a small wheel down, which is over one part in one step, and over the other in the next.
    speed, before = 30.0, 30
    x = 0.005 - (before - 0.5) * speed / 240.0
    body = RigidBody(mass=1.0, friction=0.0, can_sleep=False, lock_rotation=True)
    wheel = esper.create_entity(Transform(x, 0.05), CircleCollider(0.05), body, Velocity(speed, 0.0), told.listener)
    carriage = esper.create_entity(Transform(x, 1.0), RigidBody(kind="kinematic"), Velocity(speed, 0.0))
    down = (0.0, -1.0)
    esper.create_entity(PrismaticJoint.at(carriage, wheel, x, 0.05, down, motor_speed=5.0, max_force=200.0))
    told.play(before, 1.0 / 240.0)
    assert physics._state.hits.found.strikes.left.counts.tolist() == [0, 1]
    told.strikes.clear()
    told.play(3, 1.0 / 60.0)
    assert physics.hits.impulse.tolist() == pytest.approx([210.0 / 60.0])
    assert told.strikes == []


def test_a_blow_in_a_step_that_is_much_shorter_than_the_last_one_is_told() -> None:
    ecsphys.install(gravity=(0.0, -10.0))
    told = Told()
    floor()
    box = crate(0.0, 0.5, told.listener, mass=3.0, can_sleep=False)
    told.play(20, 1.0 / 20.0)
    assert told.strikes == []
    # The weight presses with 1.5 in such a step.
    esper.add_component(box, Velocity(0.0, -0.7))
    told.play(3, 1.0 / 240.0)
    assert told.impulses == pytest.approx([2.1], rel=0.1)


@pytest.mark.parametrize("as_bytes", [False, True])
def test_a_restored_world_knows_how_long_its_last_step_was(as_bytes: bool) -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    floor()
    for i in range(10):
        crate(0.0, 0.5 + i, can_sleep=False)
    for _ in range(60):
        esper.process(1.0 / 240.0)
    snapshot, digest = physics.snapshot(), physics.digest()
    for _ in range(60):
        esper.process(1.0 / 30.0)
    assert physics.digest() != digest
    physics.restore(ecsphys.types.Snapshot.from_bytes(snapshot.to_bytes()) if as_bytes else snapshot)
    assert physics.digest() == digest
    assert physics._state.hits.found.pressed_for == 1.0 / 240.0
    esper.process(1.0 / 30.0)
    esper.process(1.0 / 30.0)
    assert not physics.hits.strike_impulse.any()


@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_each_of_the_contacts_that_strike_as_one_has_friction_within_its_own_cone(restitution: float) -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    places = [(4.0 - 1.6 * i, 0.0) for i in range(6)]
    surface: dict[str, Any] = {"friction": 0.4, "restitution": restitution}
    esper.create_entity(Transform(), ChainCollider(places), RigidBody(kind="static", **surface))
    esper.create_entity(
        Transform(-1.3, 1.35), Velocity(3.0, 0.0), OBBCollider(2.5, 0.1), RigidBody(mass=2.5, **surface)
    )
    pressed = 0
    for _ in range(60):
        esper.process(DT)
        hits = physics.hits
        assert np.all(np.abs(hits.tangent_impulse) <= 0.4 * hits.impulse * (1.0 + 1e-6) + 1e-12)
        pressed += int(np.count_nonzero(hits.tangent_impulse))
    assert pressed >= 2


def _grazing_hits(seed: int, is_spawning: bool) -> list[tuple[float, float, float]]:
    """The impulses of all hits of a ball that strikes a box near its edge, as they start, go on and end; others may
    spawn far away meanwhile."""
    u = random.Random(seed).uniform
    esper.switch_world(f"grazing {is_spawning}")
    physics = ecsphys.install(gravity=(0, 0))
    box = esper.create_entity(Transform(0, 0), OBBCollider(1, 1), Solid(), RigidBody("static", restitution=0.3))
    vx, vy, before = u(20, 60), u(5, 20), u(0, 3) * DT
    start = Transform(u(0.5, 1.2) - vx * before, 1.2 + vy * before)
    esper.create_entity(start, CircleCollider(0.2), Solid(), RigidBody(restitution=0.3), Velocity(vx, -vy))
    impulses = []
    for step in range(8):
        if is_spawning:
            esper.create_entity(Transform(900 + 3 * step, 0), CircleCollider(0.5), Solid(), RigidBody())
        esper.process(DT)
        hits = [hit for told in (physics.hits.started, physics.hits, physics.hits.ended) for hit in told]
        impulses += [(h.impulse, h.tangent_impulse, h.strike_impulse) for h in hits if h.entity_a == box]
    return impulses


@pytest.mark.parametrize("seed", range(20))
def test_the_impulses_of_a_hit_that_ends_do_not_depend_on_what_the_game_does_elsewhere(seed: int) -> None:
    assert _grazing_hits(seed, is_spawning=True) == _grazing_hits(seed, is_spawning=False)
