"""Bullets: what sweeping them costs a step, and whether any gets through a wall."""

from __future__ import annotations

import math
import statistics
import time
from dataclasses import dataclass

import esper
import numpy as np

import ecsphys
from benchmarks.contest import SEED
from ecsphys import AABBCollider, Bullet, CircleCollider, OBBCollider, Transform, Velocity

_STEPS = 240
_STEP = 1.0 / 60.0
_SPEED = 200.0
_RADIUS = 0.1
_THICKNESS = 0.1

# Shot anew so often: in between they fly, hit, slide and lie.
_SHOT_EVERY = 10


@dataclass(frozen=True)
class BulletsOutcome:
    """Medians in ms of the same steps, and how many bodies have got out of the closed room by the end."""

    how: str
    obstacles: int
    bullets: int
    step: float
    sweeps: float
    escaped: int


def measure_bullets(obstacles: int = 10_000, bullets: int = 1_000) -> list[BulletsOutcome]:
    """Shoot discs among still boxes, in a room with walls as thin as they, without ``Bullet`` and with it."""
    ways: tuple[tuple[str, Bullet | None], ...] = (
        ("no Bullet", None),
        ("Bullet(stop=False)", Bullet(stop=False)),
        ("Bullet()", Bullet()),
    )
    return [_measure(how, bullet, obstacles, bullets) for how, bullet in ways]


def _measure(how: str, bullet: Bullet | None, obstacles: int, bullets: int) -> BulletsOutcome:
    before = esper.current_world
    esper.switch_world(f"bullets: {how}")
    try:
        return _play(how, bullet, obstacles, bullets)
    finally:
        world = esper.current_world
        esper.switch_world(before)
        esper.delete_world(world)


def _play(how: str, bullet: Bullet | None, obstacles: int, bullets: int) -> BulletsOutcome:
    rng = np.random.default_rng(SEED)
    physics = ecsphys.install()
    physics.debug.profile.timed = True
    half = 1.5 * math.sqrt(obstacles)
    for side in (-half, half):
        esper.create_entity(Transform(side, 0.0), AABBCollider(0.5 * _THICKNESS, half))
        esper.create_entity(Transform(0.0, side), AABBCollider(half, 0.5 * _THICKNESS))
    for x, y, angle in rng.uniform(-1.0, 1.0, (obstacles, 3)).tolist():
        esper.create_entity(Transform(0.9 * half * x, 0.9 * half * y, math.pi * angle), OBBCollider(0.5, 0.05))
    flying = []
    for x, y in rng.uniform(-0.9 * half, 0.9 * half, (bullets, 2)).tolist():
        marks = () if bullet is None else (Bullet(bullet.stop),)
        flying.append(esper.create_entity(Transform(x, y), Velocity(), CircleCollider(_RADIUS), *marks))
    for _ in range(10):
        esper.process(_STEP)
    steps, sweeps = [], []
    for step in range(_STEPS):
        if step % _SHOT_EVERY == 0:
            _shoot(rng)
        begin = time.perf_counter()
        esper.process(_STEP)
        steps.append(time.perf_counter() - begin)
        sweeps.append(physics.debug.profile.timings.get("sweeps", 0.0))
    places = [esper.component_for_entity(one, Transform) for one in flying]
    escaped = sum(max(abs(place.x), abs(place.y)) > half for place in places)
    return BulletsOutcome(
        how, obstacles, bullets, 1e3 * statistics.median(steps), 1e3 * statistics.median(sweeps), escaped
    )


def _shoot(rng: np.random.Generator) -> None:
    """Give every bullet its speed, in a direction by chance."""
    _, rows = ecsphys.join(Velocity)
    turns = rng.uniform(0.0, math.tau, rows.size)
    Velocity.column("x")[rows] = _SPEED * np.cos(turns)
    Velocity.column("y")[rows] = _SPEED * np.sin(turns)
