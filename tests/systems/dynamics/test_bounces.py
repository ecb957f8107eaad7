"""Bounces: gases of elastic bodies keep their energy and momentum, and each bounce has its restitution at any speed."""

from __future__ import annotations

import math
from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import AABBCollider, Bullet, CircleCollider, OBBCollider, Physics, RigidBody, Transform, Velocity

DT = 1.0 / 60.0
SLIPPERY: dict[str, Any] = {"friction": 0.0, "can_sleep": False}


def _elastic_world() -> Physics:
    physics = ecsphys.install()
    physics.settings.restitution_threshold = 0.0
    return physics


def _box_of_walls(half: float) -> None:
    for x, y, w, h in ((-1, 0, 2, half + 4), (1, 0, 2, half + 4), (0, -1, half + 4, 2), (0, 1, half + 4, 2)):
        at = Transform(x * (half + 2.0), y * (half + 2.0))
        esper.create_entity(at, AABBCollider(w, h), RigidBody("static", restitution=1.0, friction=0.0))


def _gas(
    rng: np.random.Generator, count: int, pitch: float, radius: float, speed: float, boxes: bool, even: bool
) -> list[int]:
    side = math.ceil(math.sqrt(count))
    bodies = []
    for k in range(count):
        x, y = pitch * (k % side - 0.5 * (side - 1)), pitch * (k // side - 0.5 * (side - 1))
        angle = float(rng.uniform(0.0, 2.0 * math.pi))
        velocity = Velocity(speed * math.cos(angle), speed * math.sin(angle))
        collider = OBBCollider(radius, radius) if boxes and k % 2 else CircleCollider(radius)
        density = 1.0 if even else float(np.exp(rng.uniform(math.log(0.1), math.log(10.0))))
        bodies.append(
            esper.create_entity(
                Transform(x, y), velocity, collider, RigidBody(restitution=1.0, density=density, **SLIPPERY)
            )
        )
    return bodies


def _energy_and_momentum(physics: Physics, bodies: list[int]) -> tuple[float, np.ndarray[Any, Any]]:
    energy, momentum = 0.0, np.zeros(2)
    for body in bodies:
        mass, speed = physics.bodies.mass_of(body), esper.component_for_entity(body, Velocity)
        energy += 0.5 * mass.mass * (speed.x**2 + speed.y**2) + 0.5 * mass.inertia * speed.angular**2
        momentum += mass.mass * np.array((speed.x, speed.y))
    return energy, momentum


@pytest.mark.parametrize(
    ("speed", "radius", "half", "boxes", "even"),
    [
        (1.0, 0.5, 7.0, False, True),
        (5.0, 0.5, 4.0, False, True),
        (10.0, 0.25, 7.0, False, True),
        (30.0, 0.5, 7.0, False, True),
        (10.0, 0.5, 7.0, False, False),
        (10.0, 0.4, 6.0, True, True),
    ],
)
def test_a_gas_in_a_box_keeps_its_energy(speed: float, radius: float, half: float, boxes: bool, even: bool) -> None:
    physics = _elastic_world()
    _box_of_walls(half)
    bodies = _gas(np.random.default_rng(int(speed)), 25, 2.0 * half / 5.0, radius, speed, boxes, even)
    first, _ = _energy_and_momentum(physics, bodies)
    least = first
    for _ in range(600):
        esper.process(DT)
        energy, _ = _energy_and_momentum(physics, bodies)
        assert energy < least + 0.003 * first
        least = min(least, energy)
    assert least > 0.99 * first


@pytest.mark.parametrize("boxes", [False, True])
def test_a_gas_in_empty_space_keeps_its_momentum(boxes: bool) -> None:
    physics = _elastic_world()
    bodies = _gas(np.random.default_rng(4), 36, 1.1, 0.5 if not boxes else 0.35, 8.0, boxes, False)
    energy, momentum = _energy_and_momentum(physics, bodies)
    for _ in range(60):
        esper.process(DT)
    now, momentum_now = _energy_and_momentum(physics, bodies)
    assert momentum_now == pytest.approx(momentum, abs=1e-9)
    assert now == pytest.approx(energy, rel=0.01)


@pytest.mark.parametrize("speed", [0.5, 5.0, 50.0])
@pytest.mark.parametrize("gap", [0.0, 0.01, 0.1])
def test_a_ball_that_hits_a_row_stops_and_sends_off_the_last(speed: float, gap: float) -> None:
    _elastic_world()
    balls = [
        esper.create_entity(
            Transform(k * (1.0 + gap) - (2.0 if k == 0 else 0.0)),
            Velocity(speed if k == 0 else 0.0),
            CircleCollider(0.5),
            RigidBody(restitution=1.0, **SLIPPERY),
            *([Bullet()] if k == 0 else []),
        )
        for k in range(5)
    ]
    for _ in range(20 + math.ceil(4.0 / speed / DT)):
        esper.process(DT)
    speeds = [esper.component_for_entity(ball, Velocity).x for ball in balls]
    # Three balls that meet within one substep share a little of it.
    assert speeds == pytest.approx([0.0, 0.0, 0.0, 0.0, speed], abs=0.02 * speed)


def _strike(speed: float, start: float, parts: tuple[Any, ...], free: bool = False) -> tuple[Velocity, Velocity | None]:
    """What has a speed along x strikes a wall, or a free body, at x = 0; the velocities after it."""
    physics = ecsphys.install()
    entity = esper.create_entity(Transform(-start - 0.5, 0.2), Velocity(speed), *parts)
    if free:
        other = esper.create_entity(
            Transform(0.5, 0.2), Velocity(), OBBCollider(0.5, 5.0), RigidBody(friction=0.0, can_sleep=False)
        )
    else:
        esper.create_entity(Transform(0.5), AABBCollider(0.5, 5.0), RigidBody("static"))
    for _ in range(6 + math.ceil(start / (speed * DT))):
        esper.process(DT)
    assert physics
    return esper.component_for_entity(entity, Velocity), esper.component_for_entity(other, Velocity) if free else None


@pytest.mark.parametrize("is_bullet", [False, True])
@pytest.mark.parametrize("collider", [CircleCollider, OBBCollider])
@pytest.mark.parametrize("restitution", [0.1, 0.5, 0.9, 1.0])
def test_a_bounce_has_its_restitution_at_any_speed_wherever_its_step_ends(
    restitution: float, collider: Any, is_bullet: bool
) -> None:
    rng = np.random.default_rng(3)
    for k, speed in enumerate((1.05, 4.0, 20.0, 90.0, 250.0, 600.0)):
        for free in (False, True) if is_bullet or speed < 50.0 else (False,):
            esper.switch_world(f"bounce {restitution} {collider} {is_bullet} {k} {free}")
            shape = collider(0.5) if collider is CircleCollider else collider(0.5, 0.5)
            parts = (shape, RigidBody(restitution=restitution, **SLIPPERY), *([Bullet()] if is_bullet else []))
            after, other = _strike(speed, float(rng.uniform(0.3, 1.0 + speed * DT)), parts, free)
            leaving = (other.x if other else 0.0) - after.x
            assert leaving == pytest.approx(restitution * speed, rel=0.01)


@pytest.mark.parametrize("friction", [0.0, 0.6])
@pytest.mark.parametrize("sizes", [(0.5, 0.5), (0.5, 0.1), (0.5, 2.0)])
def test_a_box_that_strikes_flat_without_restitution_stops_dead(sizes: tuple[float, float], friction: float) -> None:
    rng = np.random.default_rng(8)
    for k, speed in enumerate((1.0, 6.0, 30.0, 100.0, 600.0)):
        esper.switch_world(f"flat {sizes} {friction} {k}")
        start = float(rng.uniform(0.3, 1.0 + speed * DT))
        after, _ = _strike(speed, start, (OBBCollider(*sizes), RigidBody(friction=friction, can_sleep=False)))
        assert math.hypot(after.x, after.y) < 1e-3 * speed
        assert abs(after.angular) < 1e-3 * speed


def test_a_bullet_that_hits_what_falls_beside_it_keeps_the_momentum_of_both() -> None:
    for k in range(16):
        esper.switch_world(f"falling {k}")
        physics = ecsphys.install(gravity=(0.0, -10.0))
        parts = CircleCollider(0.2), RigidBody(restitution=0.5, friction=0.0), Bullet()
        bullet = esper.create_entity(Transform(-3.0 - k / 32), Velocity(30.0), *parts)
        body = esper.create_entity(Transform(0.0), CircleCollider(0.5), RigidBody(density=3.0, friction=0.0))
        momentum = _energy_and_momentum(physics, [bullet, body])[1]
        mass = sum(physics.bodies.mass_of(one).mass for one in (bullet, body))
        for _ in range(20):
            esper.process(DT)
        fallen = np.array((0.0, -10.0 * 20 * DT * mass))
        assert _energy_and_momentum(physics, [bullet, body])[1] == pytest.approx(momentum + fallen, abs=1e-9)
        assert esper.component_for_entity(body, Velocity).x > 0.0


def test_what_rests_side_by_side_within_reach_of_waking_falls_asleep_together() -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(0.0, -0.5), AABBCollider(20.0, 0.5), RigidBody("static"))
    boxes = [esper.create_entity(Transform(1.001 * k, 0.5), OBBCollider(0.5, 0.5), RigidBody()) for k in range(2)]
    for step in range(120):
        if step == 20:
            esper.component_for_entity(boxes[1], Velocity).y = 0.01
        esper.process(DT)
    assert all(physics.bodies.is_asleep(box) for box in boxes)
