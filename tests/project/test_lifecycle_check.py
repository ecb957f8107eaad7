"""The check of lifecycles: silent on the engine, and loud where pairs are lost or hits go on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import esper
import numpy as np
import pytest
from numpy import float64, int32, int64
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))  # the checks are not installed

import ecsphys  # noqa: E402
from checks.__main__ import main  # noqa: E402
from checks.attacked_world import FaultError  # noqa: E402
from checks.lifecycle_world import LifecycleWorld  # noqa: E402


class HalfBlind(ecsphys.systems.BroadphaseSystem):
    def find_pairs(self, boxes: NDArray[float64], bodies: NDArray[int64]) -> NDArray[int32]:
        return super().find_pairs(boxes, bodies)[::2]


@pytest.fixture
def world() -> Iterator[LifecycleWorld]:
    made = LifecycleWorld("lifecycles under test", 5)
    yield made
    made.close()


def play(world: LifecycleWorld, steps: int) -> None:
    for _ in range(steps):
        for _ in range(6):
            world.change()
        world.step()
        world.check_books()
        world.check_whole()


def test_random_lifecycles_lead_to_the_hits_of_brute_force(capsys: pytest.CaptureFixture[str]) -> None:
    worlds = set(esper.list_worlds())
    assert main(["lifecycles", "--operations", "600", "--seed", "3"]) == 0
    assert ": 0 faults" in capsys.readouterr().out
    assert set(esper.list_worlds()) == worlds


def test_every_operation_is_made(world: LifecycleWorld) -> None:
    play(world, 40)
    assert set(world.made) == {operation.__name__ for operation in world._operations}


def test_a_seed_makes_the_same_world_again(world: LifecycleWorld) -> None:
    play(world, 15)
    other = LifecycleWorld("the same lifecycles", 5)
    try:
        play(other, 15)
        assert other.made == world.made
        assert other.open == world.open
    finally:
        other.close()


def test_lost_pairs_are_found_out(world: LifecycleWorld) -> None:
    esper.remove_processor(ecsphys.systems.BroadphaseSystem)
    esper.add_processor(HalfBlind(world.physics), ecsphys.Priority.BROADPHASE)
    with pytest.raises(FaultError, match="brute force differs"):
        play(world, 40)


def test_hits_that_go_on_after_a_deletion_are_found_out(world: LifecycleWorld) -> None:
    """A model that no longer has an entity, which the physics still has."""
    play(world, 3)
    struck = int(world.physics.hits.entity_a[0])
    world._entities.remove(struck)
    world.step()
    world.check_books()
    with pytest.raises(FaultError, match="brute force differs"):
        world.check_whole()


def test_entities_of_the_model_are_those_of_esper(world: LifecycleWorld) -> None:
    play(world, 30)
    colliding = set(world.physics.debug.colliders.entity.tolist())
    assert colliding <= set(world._live()) | set(esper._dead_entities)
    assert np.isfinite(ecsphys.Transform.column("x", writable=False)[ecsphys.join(ecsphys.Transform)[1]]).all()
