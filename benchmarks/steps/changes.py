"""One change per step in worlds of many sizes: what it costs above an idle step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

import esper
import numpy as np

import ecsphys
from benchmarks.steps.small_worlds import DT, GRAVITY
from benchmarks.steps.turns import take_turns
from ecsphys import (
    AABBCollider,
    CircleCollider,
    CollisionFilter,
    Disabled,
    DistanceJoint,
    OBBCollider,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)

SIZES = (100, 1_000, 16_000, 100_000)

Change = Callable[[], object]

_numbers = count(1)


@dataclass(frozen=True)
class ChangeOutcome:
    """A change in a world of so many solid tiles: the µs of an idle step, and of a step with the change above it."""

    change: str
    tiles: int
    idle: float
    above: float


def measure_changes(
    sizes: Sequence[int] = SIZES, rounds: int = 8, calls: int = 12, warm_up: int = 150
) -> list[ChangeOutcome]:
    """Each change in a world of each size."""
    found = []
    for size in sizes:
        for name in CHANGES:
            esper.switch_world(f"changes {next(_numbers)}")
            change = CHANGES[name](size)

            def step(change: Change = change) -> None:
                change()
                esper.process(DT)

            for _ in range(warm_up):
                esper.process(DT)
            (idle,) = take_turns([lambda: esper.process(DT)], 0, rounds, calls)
            (changed,) = take_turns([step], 6, rounds, calls)
            found.append(ChangeOutcome(name, size, idle, changed - idle))
            world = esper.current_world
            esper.switch_world("between changes")
            esper.delete_world(world)
    return found


def _tiles(size: int) -> list[int]:
    """Solid tiles side by side, with five boxes that lie on them."""
    ecsphys.install(gravity=GRAVITY)
    side = max(int(size**0.5), 12)
    rows, columns = np.divmod(np.arange(size), side)
    tiles: list[int] = ecsphys.spawn_many(
        size,
        Transform.many(x=columns, y=-1.0 - rows),
        AABBCollider.many(0.5, 0.5),
        Solid.many(),
        CollisionFilter.many(),
    ).tolist()
    for k in range(5):
        esper.create_entity(Transform(2.0 * k, 0.0), Velocity(), OBBCollider(0.4, 0.4), RigidBody())
    return tiles


def _replaced(*parts: Callable[[], object]) -> Change:
    """Deletes an entity, and creates one of new parts far from all others."""
    last: list[int] = []

    def change() -> None:
        if last:
            esper.delete_entity(last.pop())
        last.append(esper.create_entity(Transform(-50.0, 20.0), *(part() for part in parts)))

    return change


def _shot(size: int) -> Change:
    _tiles(size)
    return _replaced(lambda: Velocity(5.0, 0.0), lambda: CircleCollider(0.2))


def _body(size: int) -> Change:
    _tiles(size)
    return _replaced(lambda: CircleCollider(0.2), RigidBody)


def _tile(size: int) -> Change:
    _tiles(size)
    return _replaced(lambda: AABBCollider(0.5, 0.5), Solid)


def _moved(size: int) -> Change:
    place = esper.component_for_entity(_tiles(size)[size // 2], Transform)
    ways = count()

    def change() -> None:
        place.y += 0.001 if next(ways) % 2 else -0.001

    return change


def _written_material(size: int) -> Change:
    _tiles(size)
    body = RigidBody()
    esper.create_entity(Transform(4.0, 2.0), OBBCollider(0.4, 0.4), body)
    ways = count()

    def change() -> None:
        body.friction = 0.5 + 0.01 * (next(ways) % 2)

    return change


def _written_filter(size: int) -> Change:
    own = esper.component_for_entity(_tiles(size)[size // 2], CollisionFilter)
    ways = count()

    def change() -> None:
        own.mask = 0xFFFF if next(ways) % 2 else 0xFFFFF

    return change


def _written_joint(size: int) -> Change:
    _tiles(size)
    ends = [esper.create_entity(Transform(3.0 * k, 0.0), OBBCollider(0.4, 0.4), RigidBody()) for k in range(2)]
    joint = DistanceJoint(ends[0], ends[1], length=3.0)
    esper.create_entity(joint)
    ways = count()

    def change() -> None:
        joint.length = 3.0 + 0.001 * (next(ways) % 2)

    return change


def _moved_kinematic(size: int) -> Change:
    _tiles(size)
    place = Transform(-80.0, 50.0)
    esper.create_entity(place, CircleCollider(0.4), RigidBody("kinematic"))
    ways = count()

    def change() -> None:
        place.x = -80.0 + 0.01 * (next(ways) % 7)

    return change


def _disabled(size: int) -> Change:
    tile = _tiles(size)[size // 2]

    def change() -> None:
        if esper.has_component(tile, Disabled):
            esper.remove_component(tile, Disabled)
        else:
            esper.add_component(tile, Disabled())

    return change


CHANGES: dict[str, Callable[[int], Change]] = {
    "a shot replaced": _shot,
    "a body replaced": _body,
    "a solid tile replaced": _tile,
    "a tile moved": _moved,
    "a friction written": _written_material,
    "a filter written": _written_filter,
    "a joint written": _written_joint,
    "a kinematic body moved": _moved_kinematic,
    "Disabled toggled": _disabled,
}
