"""Snapshots: what it costs to take and restore one in a ring, to compare worlds, and to write and read bytes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import esper
import numpy as np

import ecsphys
from benchmarks.contest import SEED
from ecsphys import AABBCollider, CircleCollider, OBBCollider, RigidBody, Solid, Transform, Velocity

_STEP = 1.0 / 60.0
_ROUNDS = 40


@dataclass(frozen=True)
class SnapshotOutcome:
    """The least microseconds of each call, each after a step, and the bytes of a saved world."""

    what: str
    entities: int
    contacts: int
    take: float
    restore: float
    digest: float
    to_bytes: float
    from_bytes: float
    size: int


def measure_snapshots(sizes: tuple[int, ...] = (1_000, 10_000)) -> list[SnapshotOutcome]:
    """Measure moving circles, half of which hit, and a pile of rigid boxes."""
    return [
        _measure(what, make, size) for what, make in (("moving circles", _movers), ("boxes", _boxes)) for size in sizes
    ]


def _measure(what: str, make: Callable[[int], ecsphys.Physics], size: int) -> SnapshotOutcome:
    esper.switch_world(f"{what} {size}")
    physics = make(size)
    for _ in range(30):
        esper.process(_STEP)
    state = physics.snapshot()
    found = [
        _least(call, True) for call in (lambda: physics.snapshot(state), lambda: physics.restore(state), physics.digest)
    ]
    state = physics.snapshot(state)
    saved = state.to_bytes()
    found += [_least(state.to_bytes, False), _least(lambda: ecsphys.types.Snapshot.from_bytes(saved), False)]
    contacts = len(physics.hits)
    esper.switch_world("default")
    esper.delete_world(f"{what} {size}")
    take, restore, digest, to_bytes, from_bytes = found
    return SnapshotOutcome(what, size, contacts, take, restore, digest, to_bytes, from_bytes, len(saved))


def _least(call: Callable[[], object], is_stepped: bool) -> float:
    least = float("inf")
    for _ in range(_ROUNDS):
        if is_stepped:
            esper.process(_STEP)
        begin = time.perf_counter()
        call()
        least = min(least, time.perf_counter() - begin)
    return 1e6 * least


def _movers(count: int) -> ecsphys.Physics:
    physics, rng = ecsphys.install(), np.random.default_rng(SEED)
    side = (4.0 * count) ** 0.5
    ecsphys.spawn_many(
        count,
        Transform.many(rng.uniform(0, side, count), rng.uniform(0, side, count)),
        Velocity.many(rng.uniform(-1, 1, count), rng.uniform(-1, 1, count)),
        CircleCollider.many(0.5),
    )
    return physics


def _boxes(count: int) -> ecsphys.Physics:
    physics = ecsphys.install(gravity=(0.0, -9.8))
    side = int(count**0.5)
    esper.create_entity(Transform(side, -1), AABBCollider(4 * side, 1), Solid())
    number = np.arange(count)
    ecsphys.spawn_many(
        count,
        Transform.many(number % side * 1.5, 0.5 + number // side * 1.05),
        OBBCollider.many(0.5, 0.5),
        RigidBody.many(),
    )
    return physics
