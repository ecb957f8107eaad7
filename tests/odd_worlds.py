"""Worlds at random, and of degenerate numbers, as arrays: to compare compiled kernels with plain Python."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import (
    AABBCollider,
    Bullet,
    CapsuleCollider,
    CircleCollider,
    Drag,
    FanCollider,
    Gravity,
    OBBCollider,
    PolygonCollider,
    RevoluteJoint,
    RigidBody,
    Spring,
    Transform,
    Velocity,
    geometry,
)

DT = 1.0 / 60.0


def colliders(source: random.Random) -> Iterator[Any]:
    """Colliders of all kinds by turns, of random sizes."""
    while True:
        size = source.choice([0.5, 1.0, source.uniform(0.1, 1.2)])
        other = source.choice([0.5, size, source.uniform(0.1, 1.2)])
        yield CircleCollider(size)
        yield OBBCollider(size, other, angle=source.uniform(-4.0, 4.0))
        yield CapsuleCollider(source.choice([0.0, size]), other)
        corners = [(size * math.cos(a), other * math.sin(a)) for a in (0.1, 1.2, 2.5, 4.0, 5.2)]
        yield PolygonCollider(corners, radius=source.choice([0.0, 0.2]))
        yield AABBCollider(size, other)
        yield FanCollider(size, source.choice([1e-9, 0.5, math.pi, 4.0, 2 * math.pi]), source.uniform(-3.0, 3.0))


def movers() -> ecsphys.Physics:
    """Movers at random in a small room, some of them bullets, and forces of all kinds."""
    source = random.Random(11)
    physics = ecsphys.install(gravity=(0.0, -9.8))
    shapes = colliders(source)
    for k in range(48):
        x, y = source.uniform(-5.0, 5.0), source.uniform(-4.0, 4.0)
        parts: list[Any] = [Transform(x, y, source.uniform(-4.0, 4.0)), next(shapes)]
        if k % 4:
            parts.append(Velocity(source.uniform(-9.0, 9.0), source.uniform(-9.0, 9.0), source.uniform(-5.0, 5.0)))
            forces: list[Any] = [Gravity(), Drag(0.3, 0.2), Spring(0.0, 0.0, 4.0), Bullet()]
            parts.append(source.choice(forces))
        esper.create_entity(*parts)
    return physics


def odd_numbers() -> ecsphys.Physics:
    """What touches, coincides and lies in line; far away, tiny and huge."""
    source = random.Random(12)
    physics = ecsphys.install()
    shapes = colliders(source)
    for _ in range(42):
        x, y = source.choice([0.0, 0.5, 1.0, 2.0]), source.choice([0.0, -0.5, 1.0])
        angle = source.choice([0.0, math.pi / 2, math.pi / 4, 1e6, -0.0])
        esper.create_entity(Transform(x, y, angle), Velocity(source.choice([0.0, 30.0, -30.0]), 0.0), next(shapes))
    for scale in (1e-12, 1e-6, 1e6, 1e12):
        for k in range(3):
            shape = CircleCollider(scale) if k else OBBCollider(scale, scale)
            place = Transform(50.0 * scale + 0.7 * k * scale, scale, 0.3 * k)
            esper.create_entity(place, Velocity(scale, 0.0, 1.0), shape)
    for x in (1e15, -1e100, 1e300):
        esper.create_entity(Transform(x, 0.0), Velocity(1.0, 1.0), CircleCollider(1.0))
    return physics


def bodies() -> ecsphys.Physics:
    """Rigid bodies that fall on each other and on a floor, and a chain of them."""
    source = random.Random(13)
    physics = ecsphys.install(gravity=(0.0, -9.8))
    esper.create_entity(Transform(0.0, -1.0), RigidBody("static"), OBBCollider(20.0, 1.0))
    shapes = colliders(source)
    for k in range(16):
        place = Transform(0.9 * (k % 4) + 0.1 * (k // 4), 0.6 + 1.1 * (k // 4), 0.2 * k)
        body = RigidBody(restitution=source.choice([0.0, 0.5]), friction=source.choice([0.0, 0.6, 2.0]))
        esper.create_entity(place, Velocity(source.uniform(-3.0, 3.0), -4.0), body, next(shapes))
    last = None
    for k in range(4):
        link = esper.create_entity(Transform(8.5 + k, 6.0), Velocity(), RigidBody(), CapsuleCollider(0.6, 0.1))
        esper.create_entity(RevoluteJoint.at(last, link, 8.0 + k, 6.0))
        last = link
    return physics


WORLDS: dict[str, tuple[Callable[[], ecsphys.Physics], int]] = {
    "movers": (movers, 25),
    "odd numbers": (odd_numbers, 6),
    "bodies": (bodies, 12),
}


def play_world(name: str) -> dict[str, NDArray[float64]]:
    """Where all is after some steps, all hits on the way, and what queries find."""
    make, steps = WORLDS[name]
    esper.switch_world(f"odd world {name}")
    physics = make()
    found: dict[str, NDArray[float64]] = {}
    told: list[Any] = []
    for _ in range(steps):
        esper.process(DT)
        hits = physics.hits
        told += [hits.entity_a, hits.entity_b, hits.depth, hits.normal.ravel()]
    found["hits"] = np.concatenate(told).astype(float64)
    places = [place for _, place in sorted(esper.get_component(Transform), key=lambda found: found[0])]
    found["places"] = np.array([(place.x, place.y, place.angle) for place in places])
    angles = np.arange(24) * (math.pi / 12)
    directions = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    rays = physics.raycast_batch(np.zeros((24, 2)), directions, 40.0)
    found["rays"] = np.column_stack((rays.entity, rays.distance, rays.point, rays.normal))
    nearest = physics.nearest_batch(directions * 3.0)
    found["nearest"] = np.column_stack((nearest.entity, nearest.distance, nearest.point))
    esper.switch_world("default")
    esper.delete_world(f"odd world {name}")
    return found


def ask_pairs() -> dict[str, NDArray[float64]]:
    """Contacts and distances of shapes two by two, at places where they touch and coincide."""
    source = random.Random(14)
    shapes = colliders(source)
    chosen = [next(shapes) for _ in range(14)]
    numbers: list[float] = []
    for a, b in combinations(chosen, 2):
        x, y = source.choice([0.0, 0.5, 1.0, -1.5]), source.choice([0.0, 0.5, 1.0])
        at_a, at_b = Transform(0.0, 0.0, source.choice([0.0, 0.3])), Transform(x, y, source.choice([0.0, 0.5, math.pi]))
        contact = geometry.contact(a, at_a, b, at_b)
        if contact is not None:
            numbers += [contact.depth, *contact.normal, *(number for point in contact.points for number in point)]
        distance, of_a, of_b = geometry.closest_points(a, at_a, b, at_b)
        numbers += [distance, *of_a, *of_b]
    return {"answers": np.array(numbers)}
