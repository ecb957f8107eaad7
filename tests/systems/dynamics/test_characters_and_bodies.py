"""Characters among rigid bodies: they push them with a bounded force, ride on them, and are pushed by them."""

from __future__ import annotations

from typing import Any

import esper
import pytest

import ecsphys
from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    Character,
    OBBCollider,
    Physics,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)

DT = 1.0 / 60.0
UPRIGHT = 1.5707963267948966


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install(gravity=(0.0, -10.0))


class Walking(esper.Processor):
    """Moves a hero in every step, between the hierarchy and the broadphase."""

    def __init__(self, physics: Physics, hero: int, x: float, y: float = -6.0) -> None:
        self.physics, self.hero, self.x, self.y = physics, hero, x, y

    def process(self, dt: float) -> None:
        self.move = self.physics.move_character(self.hero, (self.x * dt, self.y * dt))


def floor() -> int:
    return esper.create_entity(Transform(0.0, -0.5), AABBCollider(50.0, 0.5), Solid())


def hero(physics: Physics, x: float, walks: float, *components: object, **character: float) -> Walking:
    entity = esper.create_entity(
        Transform(x, 0.7), CapsuleCollider(0.8, 0.3, angle=UPRIGHT), Character(**character), *components
    )
    walking = Walking(physics, entity, walks)
    esper.add_processor(walking, priority=ecsphys.Priority.BROADPHASE + 25)
    return walking


def crate(x: float, y: float = 0.5, **body: Any) -> int:
    return esper.create_entity(Transform(x, y), OBBCollider(0.5, 0.5), RigidBody(**body), Solid(), Velocity())


def at(entity: int) -> Transform:
    return esper.component_for_entity(entity, Transform)


def speed(entity: int) -> Velocity:
    return esper.component_for_entity(entity, Velocity)


def steps(count: int) -> None:
    for _ in range(count):
        esper.process(DT)


def test_without_a_force_a_character_pushes_nothing(physics: Physics) -> None:
    floor()
    box = crate(2.0)
    walking = hero(physics, 0.0, 3.0)
    steps(90)
    assert at(box).x == pytest.approx(2.0, abs=1e-3)
    assert at(walking.hero).x == pytest.approx(1.2, abs=0.01)
    assert walking.move.on_wall


def test_a_character_pushes_a_crate_as_fast_as_it_walks(physics: Physics) -> None:
    floor()
    box = crate(2.0)
    walking = hero(physics, 0.0, 3.0, push_force=30.0)
    steps(120)
    assert at(box).x > 4.0
    assert speed(box).x <= 3.0 + 1e-6
    assert at(walking.hero).x == pytest.approx(at(box).x - 0.8, abs=0.06)


def test_friction_holds_what_is_pushed_with_less(physics: Physics) -> None:
    """A crate of mass 1 is held by 6 units of friction."""
    floor()
    box = crate(2.0)
    hero(physics, 0.0, 3.0, push_force=5.0)
    steps(120)
    assert at(box).x == pytest.approx(2.0, abs=0.02)


def test_the_impulse_of_a_step_is_the_force_by_its_length(physics: Physics) -> None:
    box = esper.create_entity(
        Transform(2.0, 0.7), AABBCollider(0.5, 5.0), RigidBody(mass=4.0, lock_y=True), Solid(), Velocity()
    )
    walking = hero(physics, 1.0, 3.0, push_force=12.0)
    walking.y = 0.0
    before = 0.0
    gained = []
    for _ in range(30):
        steps(1)
        gained.append(4.0 * (speed(box).x - before))
        before = speed(box).x
    assert max(gained) == pytest.approx(12.0 * DT)
    assert min(gained) >= -1e-12


@pytest.mark.parametrize("count", [1, 2, 3])
def test_all_that_is_pushed_in_one_move_gets_no_more_than_the_force(count: int) -> None:
    physics = ecsphys.install()
    boxes = [crate(1.0, k - 0.5 * (count - 1), mass=1000.0 * (k + 1), lock_rotation=True) for k in range(count)]
    who = esper.create_entity(Transform(), AABBCollider(0.4, 2.0), Character(push_force=12.0))
    for step in range(1, 30):
        physics.move_character(who, (3.0 * DT, 0.0))
        steps(1)
        momentum = sum(1000.0 * (k + 1) * speed(box).x for k, box in enumerate(boxes))
        assert momentum <= 12.0 * DT * step * (1.0 + 1e-9)
    assert momentum == pytest.approx(12.0 * DT * 29, rel=0.1)


def test_a_falling_crate_lands_on_a_character_with_a_mass(physics: Physics) -> None:
    floor()
    walking = hero(physics, 0.0, 0.0, mass=2.0)
    box = crate(0.0, 4.0, lock_rotation=True)
    for _ in range(180):
        steps(1)
        assert at(walking.hero).y == pytest.approx(0.7, abs=0.02)
        assert at(box).y > 1.75
        assert not walking.move.crushed
    assert at(box).y == pytest.approx(1.9, abs=0.02)


@pytest.mark.parametrize("mass", [1.0, 100.0])
def test_a_thrown_crate_pushes_a_character_and_is_slowed_by_its_mass(mass: float, physics: Physics) -> None:
    physics.gravity = (0.0, 0.0)
    walking = hero(physics, 0.0, 0.0, mass=mass)
    walking.y = 0.0
    box = crate(-3.0, 0.7, friction=0.0)
    speed(box).x = 6.0
    steps(60)
    # Where both are bodies that do not bounce, the crate has this speed at least after their first meeting.
    assert -0.1 < speed(box).x < 6.0 / (1.0 + mass) + 1e-9
    moved = at(walking.hero).x
    assert (moved > 0.01) if mass == 1.0 else (0.0 <= moved < 0.1)
    assert at(walking.hero).x - at(box).x > 0.79


def test_a_character_rides_on_a_body(physics: Physics) -> None:
    raft = esper.create_entity(
        Transform(0.0, -0.5), Velocity(2.0, 0.0), OBBCollider(3.0, 0.5), RigidBody("kinematic"), Solid()
    )
    walking = hero(physics, 0.0, 0.0, mass=1.0)
    steps(60)
    assert at(walking.hero).x == pytest.approx(at(raft).x, abs=0.1)
    assert walking.move.on_floor
    assert walking.move.floor == raft


def test_a_character_rides_on_a_dynamic_body(physics: Physics) -> None:
    esper.create_entity(Transform(0.0, -1.5), AABBCollider(50.0, 0.5), RigidBody("static", tangent_speed=2.0))
    raft = esper.create_entity(Transform(0.0, -0.5), OBBCollider(3.0, 0.5), RigidBody(), Solid())
    walking = hero(physics, 0.0, 0.0)
    steps(120)
    assert at(raft).x > 2.0
    assert at(walking.hero).x == pytest.approx(at(raft).x, abs=0.1)


def test_walking_does_not_have_contacts_found_twice(physics: Physics, monkeypatch: pytest.MonkeyPatch) -> None:
    floor()
    crate(5.0)
    hero(physics, 0.0, 1.0, mass=1.0)
    steps(10)

    def fail() -> None:
        raise AssertionError("contacts are found anew")

    monkeypatch.setattr(physics._state.hits, "find_aside", fail)
    steps(10)


@pytest.mark.parametrize(("name", "value"), [("push_force", -1.0), ("mass", 0.0), ("mass", float("nan"))])
def test_bad_numbers_of_a_character_are_refused(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"Character.{name} must be"):
        Character(**{name: value})
