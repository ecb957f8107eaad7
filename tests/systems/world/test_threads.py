"""Steps that threads share: the same bits for any number of them, at every size, and after interrupts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import esper
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy import float64, int64
from numpy.typing import NDArray

ROOT = Path(__file__).parents[3]
sys.path.append(str(ROOT))  # the checks are not installed

import ecsphys  # noqa: E402
from checks.attacked_world import AttackedWorld  # noqa: E402
from checks.interrupts import attack, interrupting_after, raising_at_line  # noqa: E402
from checks.signal_places import raising_at_signal_place  # noqa: E402
from ecsphys import Acceleration, CircleCollider, Drag, Gravity, Spring, Transform, Velocity  # noqa: E402
from ecsphys.demo.scenes.workloads import WORKLOADS, LiveWorkload  # noqa: E402
from ecsphys.engine.broadphase import grid  # noqa: E402
from ecsphys.engine.broadphase.grid import Grid  # noqa: E402
from ecsphys.engine.threads import shared_work  # noqa: E402
from ecsphys.engine.threads.shared_work import core_count  # noqa: E402
from ecsphys.systems.collision import contact_search, hit_tracker  # noqa: E402
from ecsphys.systems.hits.hit import HIT_COLUMNS  # noqa: E402
from ecsphys.systems.motion import motion  # noqa: E402
from ecsphys.systems.world import collider_placing  # noqa: E402

THREADS = (1, 2, 3, 5)

# Where it is said how little is not worth sharing.
LIMITS = (
    (grid, "_BOXES_AT_LEAST"),
    (contact_search, "_PAIRS_AT_LEAST"),
    (hit_tracker, "_CONTACTS_AT_LEAST"),
    (motion, "_MOVERS_AT_LEAST"),
    (collider_placing, "_SHAPES_AT_LEAST"),
)

World = Callable[[ecsphys.Physics], Callable[[], None]]


@pytest.fixture
def shared_from(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Lets threads share everything from so many rows on."""

    def set_limits(rows: int) -> None:
        for module, name in LIMITS:
            monkeypatch.setattr(module, name, rows // 2)

    return set_limits


@pytest.fixture
def shares(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of parts of everything that is shared by several threads from now on."""
    counts: list[int] = []
    begin = shared_work._Job

    def counted(work: Callable[[Any], object], parts: Any) -> Any:
        counts.append(len(parts))
        return begin(work, parts)

    monkeypatch.setattr(shared_work, "_Job", counted)
    return counts


def swarm(name: str, count: int) -> World:
    def make(physics: ecsphys.Physics) -> Callable[[], None]:
        live = LiveWorkload(WORKLOADS[name].make(np.random.default_rng(count), count))

        def frame() -> None:
            started = physics.hits.started
            live.change((started.entity_a, started.entity_b))
            esper.process(1 / 60)
            live.between()

        return frame

    return make


def forced(physics: ecsphys.Physics) -> Callable[[], None]:
    """Springs, drag and gravity, and contacts that are kept for a solver."""
    rng = np.random.default_rng(8)
    for k in range(70):
        x, y = rng.uniform(-6.0, 6.0, 2).tolist()
        parts: list[Any] = [Transform(x, y), Velocity(*rng.normal(size=3)), CircleCollider(0.8)]
        parts += [Gravity(0.5), Spring(x, y, 4.0), Drag(0.3), Acceleration(0.2, 0.1)][: k % 5]
        esper.create_entity(*parts)
    physics.gravity, physics.settings.motion_substeps = (0.0, -9.0), 3
    physics._state.hits.keep_contacts(0.3)
    return lambda: esper.process(1 / 60)


def record(make: World, threads: int, steps: int) -> list[bytes]:
    """All bits of some steps of a new world."""
    world = f"{threads} threads"
    esper.switch_world(world)
    physics = ecsphys.install(threads=threads)
    frame = make(physics)
    bits = []
    for _ in range(steps):
        frame()
        bits.append(bits_of(physics))
    esper.switch_world("default")
    esper.delete_world(world)
    return bits


def bits_of(physics: ecsphys.Physics) -> bytes:
    arrays: list[NDArray[Any]] = [
        physics.debug.candidate_pairs,
        physics.debug.colliders.boxes,
        physics.hits.ended.reason,
    ]
    for hits in (physics.hits, physics.hits.started, physics.hits.ended):
        arrays += [getattr(hits, name) for name in HIT_COLUMNS if hasattr(hits, name)]
    contacts = physics._state.hits.found.contacts
    arrays += [contacts.positions, contacts.separations, contacts.features, contacts.impulses, contacts.is_near]
    contacts.impulses[:] = np.arange(contacts.impulses.size).reshape(contacts.impulses.shape)
    poses = [(t.x, t.y, t.angle) for _, t in sorted(esper.get_component(Transform), key=lambda pair: pair[0])]
    return b"".join(np.asarray(array).tobytes() for array in (*arrays, np.array(poses)))


@pytest.mark.parametrize("name", list(WORKLOADS))
def test_workloads_have_the_same_bits_for_any_number_of_threads(
    name: str, shared_from: Callable[[int], None], shares: list[int]
) -> None:
    shared_from(8)
    alone, *others = (record(swarm(name, 300), threads, 12) for threads in THREADS)
    assert all(other == alone for other in others)
    assert len(shares) > 60


def test_forces_and_kept_contacts_have_the_same_bits_for_any_number_of_threads(
    shared_from: Callable[[int], None], shares: list[int]
) -> None:
    shared_from(4)
    alone, *others = (record(forced, threads, 12) for threads in THREADS)
    assert all(other == alone for other in others)
    assert len(shares) > 60


@pytest.mark.parametrize("seed", range(4))
def test_worlds_of_everything_that_change_have_the_same_hits_for_any_number_of_threads(
    seed: int, shared_from: Callable[[int], None], shares: list[int]
) -> None:
    shared_from(4)
    recorded = []
    for threads in THREADS:
        world = AttackedWorld(f"{threads} threads", seed=seed, size=90)
        world.physics.settings.threads = threads
        bits = []
        for step in range(40):
            world.change()
            if step % 10 < 5:
                world.step()
            bits.append(bits_of(world.physics))
        recorded.append(bits)
        world.close()
    assert all(other == recorded[0] for other in recorded[1:])
    assert len(shares) > 60


@pytest.mark.parametrize("count", [63, 64, 65])
def test_sharing_begins_at_its_limit(count: int, shared_from: Callable[[int], None], shares: list[int]) -> None:
    shared_from(64)
    alone = record(swarm("swarm_circles", count), 1, 5)
    assert not shares
    assert record(swarm("swarm_circles", count), 3, 5) == alone
    # Motion and the search of each step, and placing from the second on.
    assert len(shares) == (0 if count < 64 else 14)


def random_boxes(rng: np.random.Generator, count: int) -> NDArray[float64]:
    """Boxes of all sizes, some without a level of the grid."""
    corners = rng.uniform(-30.0, 30.0, (count, 2))
    sizes = np.exp(rng.uniform(-3.0, float(rng.choice((-2.0, 4.0))), (count, 2)))
    boxes = np.hstack((corners, corners + sizes))
    boxes[rng.random(count) < 0.02, 2] = np.inf
    boxes[rng.random(count) < 0.02, 1] = np.nan
    return boxes


@given(st.integers(0, 1000), st.integers(0, 400), st.integers(2, 6), st.integers(1, 30))
def test_parts_of_a_search_find_what_it_finds_in_the_same_order(
    seed: int, count: int, threads: int, least: int
) -> None:
    rng = np.random.default_rng(seed)
    boxes, bodies = random_boxes(rng, count), rng.integers(0, max(count // 2, 1), count).astype(int64)
    one, many = Grid(), Grid()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grid, "_BOXES_AT_LEAST", least)
        for _ in range(2):
            np.testing.assert_array_equal(many.find_pairs(boxes, bodies, 0.0, threads), one.find_pairs(boxes, bodies))


def test_too_many_pairs_raise_as_on_one_thread(shared_from: Callable[[int], None]) -> None:
    shared_from(4)
    physics = ecsphys.install(threads=3)
    ecsphys.spawn_many(3000, Transform.many(x=0.0), Velocity.many(), CircleCollider.many(1.0))
    for threads in (3, 1):
        physics.settings.threads = threads
        with pytest.raises(RuntimeError, match="4,194,304"):
            esper.process(1 / 60)


@pytest.fixture
def attacked() -> Iterator[AttackedWorld]:
    world = AttackedWorld("attacked", seed=7, size=40)
    world.physics.settings.threads = 3
    for _ in range(8):
        world.step()
        world.check_books()
    yield world
    world.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_shared_steps_survive_interrupts(attacked: AttackedWorld, shared_from: Callable[[int], None]) -> None:
    shared_from(4)
    cuts = [attack(attacked, raising_at_line(line)) for line in range(5, 2400, 31)]
    cuts += [attack(attacked, raising_at_signal_place(place)) for place in range(3, 1300, 61)]
    moments = np.random.default_rng(3).uniform(2e-5, 2e-3, 60).tolist()
    cuts += [attack(attacked, interrupting_after(moment)) for moment in moments]
    assert sum(cuts) > 50


@pytest.mark.parametrize("bad", [0, -3])
def test_fewer_threads_than_one_are_refused(bad: int) -> None:
    with pytest.raises(ValueError, match=f"threads must be at least 1, got {bad}"):
        ecsphys.install(threads=bad)
    assert not esper._processors
    physics = ecsphys.install(threads=2)
    with pytest.raises(ValueError, match=f"threads must be at least 1, got {bad}"):
        physics.settings.threads = bad
    assert physics.settings.threads == 2


@pytest.mark.parametrize("bad", [1.5, "2", [2]])
def test_what_is_no_number_of_threads_is_refused(bad: Any) -> None:
    with pytest.raises(TypeError, match="threads must be an integer"):
        ecsphys.install(threads=bad)


def test_there_are_as_many_threads_as_cores_unless_chosen() -> None:
    assert ecsphys.Physics().settings.threads == core_count()
    assert ecsphys.Physics(threads=1).settings.threads == 1
