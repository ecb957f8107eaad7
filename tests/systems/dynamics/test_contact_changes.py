"""What a game changes of contacts before they are solved, and surfaces that block from one side only."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import (
    AABBCollider,
    Bullet,
    CircleCollider,
    Gravity,
    HitListener,
    OBBCollider,
    OneWay,
    Physics,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.types import SolverContacts

DT = 1.0 / 60.0


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install(gravity=(0.0, -10.0))


def steps(count: int) -> None:
    for _ in range(count):
        esper.process(DT)


def floor(*components: object) -> int:
    return esper.create_entity(Transform(0.0, -0.5), AABBCollider(50.0, 0.5), Solid(), *components)


def box(x: float, y: float = 0.5, **body: Any) -> int:
    return esper.create_entity(Transform(x, y), OBBCollider(0.5, 0.5), RigidBody(**body))


def at(entity: int) -> Transform:
    return esper.component_for_entity(entity, Transform)


def speed(entity: int) -> Velocity:
    return esper.component_for_entity(entity, Velocity)


def test_a_vetoed_pair_passes_each_other_and_still_hits(physics: Physics) -> None:
    ground, ghost, other = floor(), box(0.0), box(3.0)

    def pre_solve(contacts: SolverContacts) -> None:
        contacts.is_vetoed[contacts.entity_b == ghost] = True

    physics.pre_solve = pre_solve
    steps(15)
    assert physics.hits.has(ground, ghost)
    steps(30)
    assert at(ghost).y < -1.0
    assert at(other).y == pytest.approx(0.5, abs=0.01)


def test_friction_restitution_and_tangent_speed_are_changed_by_arrays(physics: Physics) -> None:
    floor()
    slippery, bouncing, carried = box(0.0), box(4.0, 3.0), box(8.0)
    for entity in (slippery, bouncing, carried):
        esper.add_component(entity, Velocity(2.0 if entity == slippery else 0.0, 0.0))

    def pre_solve(contacts: SolverContacts) -> None:
        contacts.friction[contacts.entity_b == slippery] = 0.0
        contacts.restitution[contacts.entity_b == bouncing] = 1.0
        contacts.tangent_speed[contacts.entity_b == carried] = 1.5

    physics.pre_solve = pre_solve
    steps(60)
    assert speed(slippery).x == pytest.approx(2.0)
    assert speed(carried).x == pytest.approx(1.5, abs=0.01)
    assert max(abs(speed(bouncing).y), at(bouncing).y) > 1.5


def test_a_flag_stays_with_the_pair_until_it_parts(physics: Physics) -> None:
    floor()
    crate = box(0.0, can_sleep=False)
    seen: list[int] = []

    def pre_solve(contacts: SolverContacts) -> None:
        seen.extend(contacts.flag.tolist())
        contacts.flag += 1

    physics.pre_solve = pre_solve
    steps(5)
    assert seen == list(range(len(seen)))
    assert len(seen) >= 4
    at(crate).y = 5.0
    steps(2)
    at(crate).y = 0.5
    seen.clear()
    steps(3)
    assert seen == [0, 1, 2]


def test_a_flag_given_in_a_step_that_finds_contacts_anew_stays(physics: Physics) -> None:
    """The first step has bodies of which nothing is known: their contacts are found aside."""
    floor()
    box(0.0, can_sleep=False)
    seen: list[int] = []
    steps(1)
    physics.pre_solve = lambda contacts: contacts.flag.fill(7)
    box(3.0, can_sleep=False)
    steps(1)
    physics.pre_solve = lambda contacts: seen.extend(contacts.flag.tolist())
    steps(1)
    assert seen == [7, 7]


def test_pairs_are_those_of_these_very_positions(physics: Physics) -> None:
    floor()
    crate = box(0.0, 5.0)
    seen: list[list[float]] = []
    physics.pre_solve = lambda contacts: seen.append(contacts.positions[:, 0, 1].tolist())
    steps(3)
    assert seen == []
    at(crate).y = 0.5
    steps(1)
    (lists,) = seen
    assert lists == pytest.approx([0.0], abs=1e-9)


def test_what_a_hook_raises_leaves_the_world_usable(physics: Physics) -> None:
    floor()
    crate = box(0.0)

    def fail(contacts: SolverContacts) -> None:
        raise KeyError("mine")

    steps(5)
    physics.pre_solve = fail
    before = at(crate).y
    physics.bodies.apply_force(crate, (0.0, 100.0))
    with pytest.raises(KeyError, match="mine"):
        steps(1)
    assert at(crate).y == pytest.approx(before, abs=0.1)
    physics.pre_solve = None
    steps(60)
    assert at(crate).y == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(
    ("name", "value"), [("friction", -1.0), ("friction", np.inf), ("restitution", 1.5), ("tangent_speed", np.inf)]
)
def test_bad_numbers_name_the_entities(name: str, value: float, physics: Physics) -> None:
    ground, crate = floor(), box(0.0)

    def pre_solve(contacts: SolverContacts) -> None:
        getattr(contacts, name)[:] = value

    physics.pre_solve = pre_solve
    before = at(crate).y
    with pytest.raises(ValueError, match=rf"contacts\.{name}\[0\] .entities {ground} and {crate}. must be"):
        steps(2)
    assert at(crate).y == pytest.approx(before, abs=0.01)


@pytest.mark.parametrize("step", [lambda physics: physics.step(0.1), lambda _: esper.process(0.1), Physics.detect])
def test_a_hook_must_not_step_its_physics(step: Callable[[Physics], None], physics: Physics) -> None:
    floor()
    crate = box(0.0)
    physics.pre_solve = lambda contacts: step(physics)
    with pytest.raises(RuntimeError, match=r"^physics.pre_solve must not call physics.step or esper.process"):
        steps(2)
    physics.pre_solve = None
    steps(2)
    assert at(crate).y == pytest.approx(0.5, abs=0.02)


def test_a_hook_must_not_change_the_world(physics: Physics) -> None:
    floor()
    crate = box(0.0)
    physics.pre_solve = lambda contacts: esper.create_entity(Transform())
    with pytest.raises(RuntimeError, match="must not create or delete entities"):
        steps(2)
    physics.pre_solve = None
    steps(30)
    assert at(crate).y == pytest.approx(0.5, abs=0.01)
    with pytest.raises(TypeError, match=r"physics\.pre_solve must be a function"):
        physics.pre_solve = 3  # type: ignore[assignment]


def plank(*components: object, angle: float = 0.0) -> int:
    return esper.create_entity(Transform(0.0, 0.0, angle), OBBCollider(5.0, 0.1), Solid(), OneWay(), *components)


def test_a_body_passes_a_plank_from_below_and_lands_on_it(physics: Physics) -> None:
    plank()
    crate = esper.create_entity(Transform(0.0, -1.0), Velocity(0.0, 8.0), OBBCollider(0.3, 0.3), RigidBody())
    heights = []
    for _ in range(180):
        steps(1)
        heights.append(at(crate).y)
    assert max(heights) > 2.0
    assert heights[-1] == pytest.approx(0.4, abs=0.01)
    assert physics.bodies.is_asleep(crate)


def test_a_body_that_turns_back_half_way_falls_out_below(physics: Physics) -> None:
    """Its middle is above the plank's by then: the normal of their overlap has turned round."""
    plank()
    ball = esper.create_entity(Transform(0.0, -0.8), Velocity(0.0, 4.3), CircleCollider(0.3), RigidBody())
    heights = []
    for _ in range(120):
        steps(1)
        heights.append(at(ball).y)
    assert 0.02 < max(heights) < 0.3
    assert heights[-1] < -5.0


def test_what_begins_inside_or_comes_from_the_side_passes(physics: Physics) -> None:
    plank()
    inside = esper.create_entity(Transform(-3.0, 0.0), OBBCollider(0.3, 0.3), RigidBody())
    aside = esper.create_entity(
        Transform(7.0, 0.0),
        Velocity(-20.0, 0.0),
        OBBCollider(0.3, 0.05),
        RigidBody(),
    )
    steps(22)
    assert at(inside).y < -0.5
    assert speed(aside).x == pytest.approx(-20.0)


def test_a_fast_body_lands_from_above(physics: Physics) -> None:
    plank()
    crate = esper.create_entity(Transform(0.0, 4.0), Velocity(0.0, -50.0), OBBCollider(0.3, 0.3), RigidBody())
    steps(60)
    assert at(crate).y == pytest.approx(0.4, abs=0.01)


def test_a_plank_blocks_where_it_is_turned_to(physics: Physics) -> None:
    plank(angle=np.pi)
    crate = esper.create_entity(Transform(0.0, 1.0), OBBCollider(0.3, 0.3), RigidBody())
    rising = esper.create_entity(Transform(2.0, -1.0), Velocity(0.0, 8.0), OBBCollider(0.3, 0.3), RigidBody())
    heights = []
    for _ in range(60):
        steps(1)
        heights.append(at(rising).y)
    assert at(crate).y < -1.0
    # It flies into the plank by no more than a step, and back.
    assert max(heights) < -0.4 + 8.0 * DT
    assert heights[-1] < heights[0]


@pytest.mark.parametrize("angle", [0.5 * np.pi, np.pi, 3.5])
def test_a_plank_that_does_not_turn_blocks_from_the_same_side_whatever_its_angle(
    angle: float, physics: Physics
) -> None:
    esper.create_entity(Transform(0.0, 0.0, angle), AABBCollider(5.0, 0.1), Solid(), OneWay())
    crate = esper.create_entity(Transform(0.0, 1.0), OBBCollider(0.3, 0.3), RigidBody())
    rising = esper.create_entity(Transform(2.0, -1.0), Velocity(0.0, 8.0), OBBCollider(0.3, 0.3), RigidBody())
    steps(150)
    assert at(crate).y == pytest.approx(0.4, abs=0.01)
    assert at(rising).y == pytest.approx(0.4, abs=0.01)


@pytest.mark.parametrize("angle", [-0.08, 0.08])
@pytest.mark.parametrize("is_first", [False, True])
def test_what_begins_with_one_end_inside_a_plank_passes_it(angle: float, is_first: bool, physics: Physics) -> None:
    if is_first:
        plank()
    # The lower corners are 0.08 below the top of the plank, and at the top.
    place = Transform(0.0, 0.1 - 0.04 + 0.2, angle)
    esper.create_entity(place, OBBCollider(0.5, 0.2), RigidBody(lock_rotation=True))
    if not is_first:
        plank()
    steps(90)
    assert place.y < -3.0


def test_a_bullet_body_passes_a_plank_from_below_only(physics: Physics) -> None:
    plank()
    rising = esper.create_entity(Transform(0.0, -5.0), Velocity(0.0, 600.0), CircleCollider(0.1), RigidBody(), Bullet())
    falling = esper.create_entity(
        Transform(2.0, 5.0), Velocity(0.0, -600.0), CircleCollider(0.1), RigidBody(), Bullet()
    )
    steps(3)
    assert at(rising).y > 20.0
    assert at(falling).y == pytest.approx(0.2, abs=0.02)


def test_a_plank_without_a_direction_is_named(physics: Physics) -> None:
    one_way = OneWay()
    ground = floor(one_way)
    box(0.0)
    steps(1)
    one_way.normal_y = 0.0
    with pytest.raises(ValueError, match=f"entity {ground}: the normal of its OneWay must be a finite direction"):
        steps(1)


def test_a_hit_in_a_step_that_finds_contacts_anew_tells_its_impulse_at_once(physics: Physics) -> None:
    floor()
    told: list[tuple[str, float]] = []
    ball = esper.create_entity(
        Transform(0.0, 3.0),
        CircleCollider(0.5),
        RigidBody(restitution=0.5),
        HitListener(on_started=lambda hit: told.append((hit.phase, hit.impulse))),
    )
    steps(2)
    at(ball).y = 0.51
    speed(ball).y = -20.0
    steps(1)
    ((phase, impulse),) = told
    assert phase == "started"
    assert impulse == pytest.approx(np.pi * 0.25 * 30.0, rel=0.02)


def test_a_listener_hears_once_of_each_strong_strike_only(physics: Physics) -> None:
    floor()
    told: list[float] = []
    ball = esper.create_entity(
        Transform(0.0, 2.0),
        CircleCollider(0.5),
        RigidBody(mass=2.0, restitution=0.5, can_sleep=False),
        HitListener(on_impulse=lambda hit: told.append(hit.strike_impulse), min_impulse=5.0),
    )
    impulses = []
    for _ in range(240):
        steps(1)
        impulses += [hit.impulse for hit in physics.hits.of(ball)]
    assert sum(told) == pytest.approx(sum(impulse for impulse in impulses if impulse >= 5.0), rel=0.02)
    # It falls by 1.5: the first bounce gives 2 · 5.48 · 1.5, and each after that half of it.
    assert told[:2] == pytest.approx([16.4, 8.2], rel=0.05)
    assert len(told) == 2
    assert 0.0 < min(impulse for impulse in impulses if impulse > 0.0) < 1.0


def test_a_listener_hears_its_own_side_of_an_impulse(physics: Physics) -> None:
    ground = floor()
    told: list[tuple[int, int]] = []
    esper.add_component(ground, HitListener(on_impulse=lambda *pair: told.append(pair), entities_only=True))
    crate = box(0.0, 0.7)
    steps(30)
    assert set(told) == {(ground, crate)}


def test_bad_impulses_are_refused() -> None:
    with pytest.raises(ValueError, match=r"HitListener\.min_impulse must be at least 0"):
        HitListener(min_impulse=-1.0)
    with pytest.raises(ValueError, match=r"HitListener\.min_impulse must be finite"):
        HitListener(min_impulse=float("nan"))
    with pytest.raises(TypeError, match=r"HitListener\.on_impulse must be callable"):
        HitListener(on_impulse=3)  # type: ignore[arg-type]


@pytest.mark.parametrize("where", ["pre_solve", "stage"])
def test_a_collider_that_is_made_a_sensor_blocks_no_more_wherever_that_is_written(physics: Physics, where: str) -> None:
    collider = OBBCollider(20.0, 0.5)
    esper.create_entity(Transform(0.0, -0.5), collider, RigidBody(kind="static"))
    ball = esper.create_entity(Transform(0.0, 0.5), CircleCollider(0.5), RigidBody(can_sleep=False))
    write_once_in_a_step(physics, where, lambda: setattr(collider, "sensor", True))
    steps(90)
    assert at(ball).y < -3.0


@pytest.mark.parametrize("where", ["pre_solve", "stage"])
def test_a_collider_that_grows_weighs_more_wherever_that_is_written(physics: Physics, where: str) -> None:
    floor()
    box(0.0)  # pre_solve is called where there are contacts
    collider = CircleCollider(0.5)
    material: dict[str, Any] = {"restitution": 1.0, "friction": 0.0}
    grown = esper.create_entity(Transform(5.0, 9.0), collider, RigidBody(**material), Gravity(0.0))
    striker = esper.create_entity(
        Transform(0.0, 9.0), CircleCollider(1.0), RigidBody(**material), Gravity(0.0), Velocity(5.0, 0.0)
    )
    write_once_in_a_step(physics, where, lambda: setattr(collider, "radius", 1.0))
    steps(60)
    # Of equal masses the one stops, and the other goes on.
    assert (speed(striker).x, speed(grown).x) == pytest.approx((0.0, 5.0), abs=1e-9)


def write_once_in_a_step(physics: Physics, where: str, write: Callable[[], object]) -> None:
    """Call a function once, after some steps, from ``pre_solve`` or from a processor between two stages."""
    calls = itertools.count()

    def call(*_: object) -> None:
        if next(calls) == 10:
            write()

    if where == "pre_solve":
        physics.pre_solve = call
    else:
        esper.add_processor(type("Writer", (esper.Processor,), {"process": call})(), 370)
