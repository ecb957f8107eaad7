"""Runs of a world of everything in a fixed step, which must have the same digests however they are run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any

import esper
from whole_world import WholeWorld

import ecsphys

HZ = 60


class _Play(esper.Processor):
    """The game, first in each fixed step."""

    def __init__(self, world: WholeWorld) -> None:
        self.world = world

    def process(self, dt: float) -> None:
        self.world.play()
        self.world.frame += 1


class _Note(esper.Processor):
    """Notes the digest, last in each fixed step."""

    def __init__(self, world: WholeWorld, digests: dict[int, int]) -> None:
        self.world = world
        self.digests = digests

    def process(self, dt: float) -> None:
        self.digests[self.world.frame] = self.world.physics.digest()


def _begin(digests: dict[int, int], threads: int) -> WholeWorld:
    world = WholeWorld(HZ)
    world.physics.settings.threads = threads
    steps = world.physics.fixed_step
    assert steps is not None
    steps.add(_Play(world), 10_000)
    steps.add(_Note(world, digests), -10_000)
    world.save_plain()
    return world


def digests_of(steps: int, kind: str = "steps", threads: int = 1, pieces: Sequence[float] = (1.0,)) -> list[int]:
    """The digest after each of so many steps, in a new world.

    ``kind``: "restores" goes some steps further, and back, again and again; "bytes" goes on from bytes in another world
    after half of them; "spares" makes and drops other components and worlds meanwhile. ``pieces``: of the frames, in
    steps.
    """
    digests: dict[int, int] = {}
    world = _begin(digests, threads)
    spares: list[Any] = []
    for number, piece in enumerate(cycle(pieces)):
        if world.frame >= steps:
            break
        if kind == "restores" and number % 10 == 3:
            _go_there_and_back(world, digests)
        if kind == "bytes" and number == steps // 2:
            world = _in_another_world(world, digests, threads)
        if kind == "spares":
            _make_others(spares, number)
        esper.process(piece / HZ)
    return [digests[number] for number in range(1, steps + 1)]


def _go_there_and_back(world: WholeWorld, digests: dict[int, int]) -> None:
    own, state = world.own_state(), world.physics.snapshot()
    for _ in range(4):
        esper.process(1 / HZ)
    digests.update(dict.fromkeys(range(own[0] + 1, world.frame + 1), -1))
    world.physics.restore(state)
    world.put_own_state(own)


def _in_another_world(world: WholeWorld, digests: dict[int, int], threads: int) -> WholeWorld:
    own, saved = world.own_state(), world.physics.snapshot().to_bytes()
    esper.switch_world("another")
    other = _begin(digests, threads)
    other.physics.restore(ecsphys.types.Snapshot.from_bytes(saved))
    other.put_own_state(own)
    other.listen()
    return other


def _make_others(spares: list[Any], number: int) -> None:
    """Components on no entity, which take rows; entities and steps of another world."""
    spares += [ecsphys.Transform(number, 0), ecsphys.RigidBody(), ecsphys.CircleCollider(1), ecsphys.Velocity()]
    del spares[: number % 5]
    here = esper.current_world
    esper.switch_world("beside")
    esper.create_entity(ecsphys.Transform(number, 0), ecsphys.Velocity(1, 0), ecsphys.CircleCollider(1))
    if number % 3 == 0:
        esper.clear_database()
    esper.switch_world(here)
