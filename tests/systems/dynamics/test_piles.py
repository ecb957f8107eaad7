"""Piles through whole steps: towers of all shapes stand, deep overlaps part calmly, no bounce gains energy."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper
import numpy as np
import pytest
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    CompoundCollider,
    FanCollider,
    OBBCollider,
    Physics,
    PolygonCollider,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)

DT = 1.0 / 60.0


def steps(count: int) -> None:
    for _ in range(count):
        esper.process(DT)


@pytest.fixture
def falling() -> Physics:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(0.0, -1.0), AABBCollider(100.0, 1.0), Solid())
    return physics


def states(bodies: list[int]) -> NDArray[float64]:
    """x, y, angle and their speeds (n, 6)."""
    rows = []
    for body in bodies:
        place, speed = esper.component_for_entity(body, Transform), esper.component_for_entity(body, Velocity)
        rows.append((place.x, place.y, place.angle, speed.x, speed.y, speed.angular))
    return np.array(rows)


def half_disc() -> tuple[Collider, float, float]:
    return FanCollider(0.5, math.pi, 0.5 * math.pi), 0.0, 0.5


def slice_on_its_side() -> tuple[Collider, float, float]:
    # Its lower edge is level, its rim ends above it.
    return FanCollider(0.8, 0.9, 0.45, offset_x=-0.4), 0.0, 0.8 * math.sin(0.9)


def open_fan() -> tuple[Collider, float, float]:
    low = 0.5 * math.sin(0.25 * math.pi)
    return FanCollider(0.5, 1.5 * math.pi, 0.5 * math.pi), low, low + 0.5


def capsule() -> tuple[Collider, float, float]:
    return CapsuleCollider(0.7, 0.25), 0.25, 0.5


def rounded_polygon() -> tuple[Collider, float, float]:
    return PolygonCollider([(-0.4, -0.2), (0.4, -0.2), (0.3, 0.2), (-0.3, 0.2)], 0.1), 0.3, 0.6


def corner() -> tuple[CompoundCollider, float, float]:
    return CompoundCollider([OBBCollider(0.4, 0.1, 0.3, 0.1), OBBCollider(0.1, 0.3, 0.0, 0.5)]), 0.0, 0.8


SUPPORTS: dict[str, Callable[[], tuple[Collider | CompoundCollider, float, float]]] = {
    "half disc": half_disc,
    "slice": slice_on_its_side,
    "open fan": open_fan,
    "capsule": capsule,
    "rounded polygon": rounded_polygon,
    "off-centre compound": corner,
}


@pytest.mark.parametrize("name", [*SUPPORTS, "all by turns"])
def test_towers_of_every_shape_and_boards_stand_and_fall_asleep(falling: Physics, name: str) -> None:
    names = [name] if name in SUPPORTS else list(SUPPORTS)
    bodies, top = [], 0.0
    for storey in range(6):
        for x in (-1.0, 1.0):
            collider, bottom, height = SUPPORTS[names[storey % len(names)]]()
            bodies.append(esper.create_entity(Transform(x, top + bottom), collider, RigidBody()))
        bodies.append(esper.create_entity(Transform(0.0, top + height + 0.1), OBBCollider(1.8, 0.1), RigidBody()))
        top += height + 0.2
    steps(1)
    before = states(bodies)
    steps(600)
    assert np.abs(states(bodies) - before)[:, :2].max() < 0.1
    assert all(falling.bodies.is_asleep(body) for body in bodies)


def test_what_starts_deep_in_each_other_separates_calmly_and_comes_to_rest(falling: Physics) -> None:
    bodies = [
        esper.create_entity(Transform(0.25 * (k % 5), 0.5 + 0.25 * (k // 5)), OBBCollider(0.5, 0.5), RigidBody())
        for k in range(25)
    ]
    fastest = 0.0
    for _ in range(480):
        steps(1)
        fastest = max(fastest, float(np.hypot(*states(bodies)[:, 3:5].T).max()))
    # Four overlaps in a row in both directions, each pushed apart at three lengths a second.
    assert fastest < 10.0
    assert np.abs(states(bodies)[:, :2]).max() < 20.0
    assert all(falling.bodies.is_asleep(body) for body in bodies)
    assert falling.hits.depth.max() < 0.02


def test_two_in_the_very_same_place_part(falling: Physics) -> None:
    bodies = [esper.create_entity(Transform(0.0, 5.0), CircleCollider(0.5), RigidBody()) for _ in range(2)]
    steps(120)
    (ax, ay), (bx, by) = states(bodies)[:, :2]
    assert math.dist((ax, ay), (bx, by)) > 0.99


def test_a_box_of_bouncing_bodies_gains_no_energy() -> None:
    ecsphys.install(gravity=(0.0, -10.0))
    for w, h, x, y in ((6, 1, 0, -6), (6, 1, 0, 6), (1, 6, -6, 0), (1, 6, 6, 0)):
        esper.create_entity(Transform(x, y), AABBCollider(w, h), RigidBody("static", restitution=0.9))
    rng = np.random.default_rng(1)
    bodies = []
    for k in range(6):
        collider = OBBCollider(0.4, 0.4) if k % 2 else CircleCollider(0.4)
        place, speed = (
            Transform(2.0 * (k % 3) - 2.0, 2.0 * (k // 3) - 3.0),
            Velocity(*rng.uniform(-5.0, 5.0, 3).tolist()),
        )
        bodies.append(esper.create_entity(place, speed, collider, RigidBody(restitution=0.9)))
    masses = np.array([0.64 if k % 2 else math.pi * 0.16 for k in range(6)])
    inertias = masses * np.array([0.32 / 3.0 if k % 2 else 0.08 for k in range(6)])

    def energy() -> float:
        _, y, _, vx, vy, spin = states(bodies).T
        return float(
            (0.5 * masses * (vx * vx + vy * vy) + 0.5 * inertias * spin * spin + 10.0 * masses * (y + 5.0)).sum()
        )

    first = least = energy()
    for _ in range(100):
        steps(20)
        now = energy()
        assert now < least + 1e-4 * first
        least = min(least, now)
    assert least < 0.6 * first


def test_a_pyramid_of_five_thousand_boxes_stands(falling: Physics) -> None:
    for row in range(100):
        for column in range(100 - row):
            x = (column + 0.5 * row - 50.0) * 1.05
            top = esper.create_entity(Transform(x, 0.5 + row), OBBCollider(0.5, 0.5), RigidBody())
    steps(60)
    # Those below it are pressed together a little.
    assert states([top])[0, :2] == pytest.approx((-0.525, 99.5), abs=1.0)
