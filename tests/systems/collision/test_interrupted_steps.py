"""Steps that end in the middle: by an interrupt at any line, by a true signal, by an allocation that fails."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import esper
import numpy as np
import pytest

ROOT = Path(__file__).parents[3]
sys.path.append(str(ROOT))  # the checks are not installed

import ecsphys  # noqa: E402
from checks.attacked_world import AttackedWorld  # noqa: E402
from checks.interrupts import attack, failing_allocation, interrupting_after, raising_at_line  # noqa: E402
from checks.signal_places import Cut, raising_at_signal_place  # noqa: E402
from ecsphys import CircleCollider, Transform  # noqa: E402

# An interrupt in a finaliser is printed by Python, not raised.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def blocked_signals() -> set[int]:
    return set(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, ()))) if hasattr(signal, "pthread_sigmask") else set()


@pytest.fixture
def world() -> Iterator[AttackedWorld]:
    attacked = AttackedWorld("attacked", seed=7, size=30)
    for _ in range(8):
        attacked.step()
        attacked.check_books()
    blocked = blocked_signals()
    yield attacked
    attacked.close()
    assert blocked_signals() == blocked


def test_after_an_interrupt_at_any_line_the_hits_are_brute_forces_and_events_pair_up(world: AttackedWorld) -> None:
    cuts = [attack(world, raising_at_line(line)) for line in range(1, 1800, 13)]
    assert sum(cuts) > 60


def test_after_a_cut_wherever_python_looks_for_signals_the_hits_are_brute_forces(world: AttackedWorld) -> None:
    cuts = [attack(world, raising_at_signal_place(place)) for place in range(1, 1200, 17)]
    assert sum(cuts) > 40


def test_after_a_signal_at_any_moment_the_hits_are_brute_forces_and_events_pair_up(world: AttackedWorld) -> None:
    # By the time that a step takes here: so that most signals come within one.
    begun = time.perf_counter()
    for _ in range(10):
        world.step()
        world.check_books()
    step = (time.perf_counter() - begun) / 10
    world.check_whole()
    moments = np.random.default_rng(3).uniform(0.02, 0.5, 100) * step
    assert sum(attack(world, interrupting_after(moment)) for moment in moments.tolist()) > 20


def test_after_an_allocation_fails_the_hits_are_brute_forces_and_events_pair_up(world: AttackedWorld) -> None:
    assert sum(attack(world, failing_allocation(number)) for number in range(1, 50)) > 15


def test_while_buffers_grow_no_failing_allocation_leaves_one_shorter_than_the_others() -> None:
    physics = ecsphys.install()
    count = 40
    for failing in range(1, 40):
        for _ in range(count // 4):
            esper.create_entity(Transform(0.001 * count, 0.0), CircleCollider(1.0))
            count += 1
        try:
            with failing_allocation(failing):
                esper.process(0.0)
        except MemoryError:
            pass
        esper.process(0.0)
        entities = len(esper.get_component(Transform))
        assert len(physics.hits) == entities * (entities - 1) // 2
        if entities > 250:
            esper.clear_database()
            count = 40


def test_events_that_an_interrupt_kept_back_are_sent_by_the_next_step() -> None:
    ecsphys.install()
    heard: list[tuple[str, int]] = []

    def started(hit: ecsphys.types.Hit) -> None:
        heard.append(("started", hit.entity_b))

    def ended(hit: ecsphys.types.Hit) -> None:
        heard.append(("ended", hit.entity_b))

    esper.set_handler("hit_started", started)
    esper.set_handler("hit_ended", ended)
    esper.create_entity(Transform(), CircleCollider(10.0))
    places = [Transform(100.0 + 2.0 * k, 0.0) for k in range(3)]
    entities = [esper.create_entity(place, CircleCollider(0.1)) for place in places]
    esper.process(0.0)
    parted = 0
    for line in range(1, 1000):
        heard.clear()
        for place in places:
            place.x -= 100.0
        try:
            with raising_at_line(line, counts=lambda: len(heard) > 0) as reached:
                esper.process(0.0)
        except Cut:
            parted += 0 < len(heard) < 3
        esper.process(0.0)
        assert heard == [("started", entity) for entity in entities]
        for place in places:
            place.x += 100.0
        esper.process(0.0)
        assert heard[3:] == [("ended", entity) for entity in entities]
        if not reached:
            break
    assert parted > 3
