"""Threads that only create and drop components, as a loading thread does, while others do the same or step a world."""

from __future__ import annotations

import dis
import itertools
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

import esper
import pytest

import ecsphys
from ecsphys import CircleCollider, Component, LinearTrajectory, PolygonCollider, Transform, Velocity
from ecsphys.components.store.column_store import ColumnStore
from ecsphys.systems import stage
from ecsphys.systems.stepping import planned_steps

STEPS = 30
TRIANGLE = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
SQUARE = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]


@pytest.fixture(autouse=True)
def _threads_take_turns_often() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(usual)


def at_once(*works: Callable[[], object]) -> None:
    """Run functions in a thread each; what one raises is raised."""
    errors: list[BaseException] = []

    def run(work: Callable[[], object]) -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for error in errors:
        raise error


@contextmanager
def loading(create: Callable[[], object]) -> Iterator[None]:
    """A thread creates components as long as this is open."""
    is_open = True

    def load() -> None:
        while is_open:
            create()

    thread = threading.Thread(target=load)
    thread.start()
    try:
        yield
    finally:
        is_open = False
        thread.join()


def test_threads_that_create_and_drop_components_never_share_a_row() -> None:
    class Marker(Component, tracked=True):
        number: float
        thread: int = 0

    made: list[list[Marker]] = [[] for _ in range(4)]

    def work(thread: int) -> Callable[[], None]:
        own = made[thread]

        def create() -> None:
            for number in range(8000):
                own.append(Marker(number, thread))
                if number % 3 == 1:
                    del own[number // 7 % len(own)]
                if number % 50 == 0:
                    own[-1].number = number + 0.5
                if number % 500 == 0:
                    Marker.many(number).create(20)

        return create

    at_once(*(work(thread) for thread in range(4)))
    everyone = [marker for own in made for marker in own]
    assert len({marker._row for marker in everyone}) == len(everyone)
    assert Marker._columns.live_rows == len(everyone)
    for thread, own in enumerate(made):
        assert all(marker.thread == thread for marker in own)
        # Each has what it was created with, or assigned, in the order of creation.
        assert [marker.number for marker in own] == sorted(marker.number for marker in own)


def test_threads_that_create_polygons_never_share_their_vertices() -> None:
    made: list[list[PolygonCollider]] = [[] for _ in range(4)]

    def work(thread: int) -> Callable[[], None]:
        own = made[thread]
        outline = [(x + thread, y) for x, y in (TRIANGLE, SQUARE)[thread % 2]]

        def create() -> None:
            for number in range(300):
                own.append(PolygonCollider(outline))
                if number % 3 == 0:
                    del own[number // 7 % len(own)]

        return create

    at_once(*(work(thread) for thread in range(4)))
    for thread, own in enumerate(made):
        outline = tuple((x + thread, y) for x, y in (TRIANGLE, SQUARE)[thread % 2])
        assert all(polygon.vertices == outline for polygon in own)


def test_a_loading_thread_loses_no_step_of_what_moves_meanwhile() -> None:
    ecsphys.install()
    movers = [Transform(0, 10 * n) for n in range(30)]
    for transform in movers:
        esper.create_entity(transform, Velocity(1, 0), CircleCollider(0.1))
    flying = LinearTrajectory(0, -10, 1, 0)
    esper.create_entity(flown := Transform(), flying)
    loaded: list[object] = []

    def create() -> None:
        loaded.extend((Transform(1, 2), Velocity(3, 4), CircleCollider(1), LinearTrajectory(0, 0, 1, 1)))

    with loading(create):
        for _ in range(STEPS):
            esper.process(1.0)
    assert {transform.x for transform in movers} == {float(STEPS)}
    assert (flown.x, flying.elapsed) == (STEPS, STEPS)


@pytest.mark.parametrize("number", range(1, 4))
def test_no_step_is_lost_where_a_block_grows_between_two_steps(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    ecsphys.install()
    esper.create_entity(mover := Transform(), Velocity(1, 0), CircleCollider(0.1))
    loaded: list[Transform] = []
    turns = itertools.count(1)

    def let_blocks_move() -> None:
        if next(turns) == number:
            loaded.extend(Transform() for _ in range(Transform._columns.capacity))

    # As if another thread waited for the blocks after each step.
    for module in (planned_steps, stage):
        monkeypatch.setattr(module, "let_blocks_move", let_blocks_move)
        monkeypatch.setattr(module, "WAITING", [None])
    for _ in range(20):
        esper.process(1.0)
    assert mover.x == 20.0
    assert loaded


def test_what_a_stage_writes_is_kept_however_much_is_created_meanwhile() -> None:
    class Counter(Component):
        n: int = 0

    class Count(ecsphys.systems.Stage):
        def run(self, dt: float) -> None:
            column = Counter.column("n")
            later = column[rows] + 1
            time.sleep(1e-3)  # another thread has all the time it needs
            column[rows] = later

    esper.add_processor(Count(ecsphys.Physics()))
    counters = [Counter() for _ in range(5)]
    rows = [counter._row for counter in counters]
    loaded: list[Counter] = []
    with loading(lambda: loaded.append(Counter(7))):
        steps = 0
        while steps < STEPS or Counter._columns.capacity < 1000:  # the block has been replaced some times
            esper.process(0.1)
            steps += 1
    assert [counter.n for counter in counters] == [steps] * 5


def test_a_loading_thread_loses_no_assignment_of_another() -> None:
    class Counter(Component, tracked=True):
        n: int = 0
        half: float = 0.0

    counter = Counter()
    loaded: list[Counter] = []
    count = 0
    with loading(lambda: loaded.append(Counter(7))):
        while count < 20_000 or Counter._columns.capacity < 10_000:
            counter.n += 1
            counter.half += 0.5
            count += 1
    assert (counter.n, counter.half) == (count, 0.5 * count)
    assert all(each == Counter(7) for each in loaded)


def test_a_hit_handler_may_wait_for_a_loading_thread() -> None:
    ecsphys.install()
    loaded: list[object] = []

    def load_level(hit: ecsphys.types.Hit) -> None:
        # As many as need larger blocks: with a lock held over the handlers this would never end.
        many = 2 * Transform._columns.capacity
        loader = threading.Thread(target=lambda: loaded.extend([Transform() for _ in range(many)]), daemon=True)
        loader.start()
        loader.join(10.0)
        assert not loader.is_alive()

    esper.set_handler("hit_started", load_level)
    for x in (0.0, 0.5):
        esper.create_entity(Transform(x, 0), CircleCollider(1))
    esper.process(0.1)
    assert loaded


def test_no_thread_comes_between_the_load_of_a_view_and_the_store_into_it() -> None:
    """CPython changes threads at calls, jumps backwards and the start of a function; the rule that needs no lock."""

    def instructions(function: Any) -> list[dis.Instruction]:
        assert isinstance(function, FunctionType)
        return list(dis.get_instructions(function))

    def interrupts(instruction: dis.Instruction) -> bool:
        return any(word in instruction.opname for word in ("CALL", "BACKWARD", "RESUME", "SEND", "YIELD", "FOR_ITER"))

    Transform()  # makes the constructor
    setters = [vars(Transform)[name].fset for name in Transform.__match_args__]
    for function in (*setters, Transform.__init__):
        found = instructions(function)
        stores = [i for i, each in enumerate(found) if each.opname == "STORE_SUBSCR"]
        assert stores
        for store in stores:
            views = (i for i in range(store) if str(found[i].argval).startswith(("view", "dirty", "__view")))
            assert not any(map(interrupts, found[max(views) : store]))
    replace = instructions(ColumnStore._replace_blocks)
    begins = next(i for i, each in enumerate(replace) if each.argval == "HOLDERS")
    ends = next(i for i, each in enumerate(replace) if each.argval == "wait_for_holders")
    assert [each.opname for each in replace[begins:ends] if interrupts(each)] in (["CALL"], ["PRECALL", "CALL"])
