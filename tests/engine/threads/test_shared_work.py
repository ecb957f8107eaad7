"""Work that threads share: its parts, forked processes, the end of a process, interrupts and errors."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from interrupted_lines import Interrupt, interrupted_at

from ecsphys.engine.threads import shared_work
from ecsphys.engine.threads.shared_work import part_count, share, slices

# Prepares ``ask``, whose batch is shared by three threads, and asks it once.
ASKED = """
import atexit, os, signal, sys, threading
import esper, numpy as np
from ecsphys import CircleCollider, Physics, Transform
from ecsphys.engine.threads import shared_work

rng = np.random.default_rng(5)
for x, y in rng.uniform(-40, 40, (50, 2)).tolist():
    esper.create_entity(Transform(x, y), CircleCollider(1.0))
physics = Physics(threads=3)
origins, directions = rng.uniform(-40, 40, (5000, 2)), rng.normal(size=(5000, 2))

def ask():
    return physics.raycast_batch(origins, directions, 30.0).distance

before = ask()
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", ASKED + code],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@given(st.integers(0, 10_000), st.integers(1, 3000), st.integers(1, 70))
def test_parts_are_everything_once_and_none_is_too_small(count: int, least: int, threads: int) -> None:
    parts = part_count(count, least, threads)
    cut = slices(count, parts)
    assert [row for part in cut for row in range(count)[part]] == list(range(count))
    assert len(cut) == parts
    if parts > 1:
        assert min(part.stop - part.start for part in cut) >= least
        assert threads > 1
    elif threads > 1:
        assert count < 2 * least


@given(st.integers(1, 40), st.integers(1, 5))
def test_each_part_is_done_once(count: int, threads: int) -> None:
    done: list[int] = []
    share(done.append, range(count), threads)
    assert Counter(done) == Counter(range(count))


def test_several_threads_take_part() -> None:
    under_way = threading.Barrier(3)
    names = set()

    def work(part: int) -> None:
        names.add(threading.current_thread())
        under_way.wait(10)

    share(work, range(3), 3)
    assert len(names) == 3
    assert threading.current_thread() in names
    assert all(thread.daemon for thread in names - {threading.main_thread()})


def test_work_that_shares_its_own_work_comes_to_an_end() -> None:
    done: list[tuple[int, int]] = []

    def work(part: int) -> None:
        share(lambda inner: done.append((part, inner)), range(4), 3)

    share(work, range(6), 3)
    assert sorted(done) == [(part, inner) for part in range(6) for inner in range(4)]


def test_several_callers_at_once_get_their_own_work_done() -> None:
    done: list[list[int]] = [[] for _ in range(4)]

    def call(number: int) -> None:
        for _ in range(50):
            share(done[number].append, range(8), 3)

    callers = [threading.Thread(target=call, args=(number,)) for number in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(30)
    assert [Counter(one) for one in done] == [Counter(dict.fromkeys(range(8), 50))] * 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_shares_batches_as_its_parent_does() -> None:
    done = run("""
child = os.fork()
if not child:
    signal.alarm(30)
    same = np.array_equal(ask(), before, equal_nan=True)
    os._exit(not (same and threading.active_count() == 3))
assert os.waitpid(child, 0)[1] == 0
assert np.array_equal(ask(), before, equal_nan=True)
""")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("asked_before", [True, False])
def test_a_batch_is_answered_while_the_process_ends(asked_before: bool) -> None:
    forget = "" if asked_before else "shared_work._begin_anew()\n"
    done = run(f"{forget}atexit.register(lambda: print(np.array_equal(ask(), before, equal_nan=True)))")
    assert done.stdout == "True\n", done.stderr
    assert not [line for line in done.stderr.splitlines() if not line.startswith("ecsphys: compiling")]


def test_the_caller_does_it_all_where_there_are_no_more_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    monkeypatch.setattr(shared_work, "_pool", shared_work._Pool())
    done: list[int] = []
    share(done.append, range(7), 4)
    assert sorted(done) == list(range(7))


@pytest.mark.parametrize("failing", range(3))
def test_an_error_comes_when_all_threads_are_done(failing: int) -> None:
    under_way = threading.Barrier(3)
    written = [False] * 3

    def work(part: int) -> None:
        under_way.wait(10)
        if part == failing:
            raise KeyboardInterrupt
        time.sleep(0.05)
        written[part] = True

    with pytest.raises(KeyboardInterrupt):
        share(work, range(3), 3)
    assert written == [part != failing for part in range(3)]


def test_after_an_error_no_other_part_begins() -> None:
    done = []

    def work(part: int) -> None:
        done.append(part)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        share(work, range(100), 2)
    assert len(done) <= 2


def test_no_thread_keeps_what_it_has_done() -> None:
    class Arrays:
        pass

    arrays = Arrays()
    references = sys.getrefcount(arrays)

    def share_arrays() -> None:
        def work(part: int, arrays: Arrays = arrays) -> None:
            time.sleep(0.001)

        share(work, range(6), 3)

    share_arrays()
    for _ in range(1000):
        if sys.getrefcount(arrays) == references:
            return
        time.sleep(0.001)
    raise AssertionError(f"{sys.getrefcount(arrays) - references} references are left")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timer")
def test_a_signal_waits_for_the_threads_that_work() -> None:
    begun: list[int] = []
    written: list[int] = []

    def work(part: int) -> None:
        begun.append(part)
        if threading.current_thread() is not threading.main_thread():
            time.sleep(0.1)
        written.append(part)

    def handle(_: int, __: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, handle)
    try:
        cut = 0
        for delay in (0.001, 0.01, 0.03):
            begun.clear()
            written.clear()
            signal.setitimer(signal.ITIMER_REAL, delay)
            try:
                share(work, range(6), 3)
                time.sleep(0.1)
            except KeyboardInterrupt:
                cut += 1
            assert sorted(begun) == sorted(written)
        assert cut == 3
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def test_an_interrupt_at_any_line_leaves_no_thread_at_work() -> None:
    begun: list[int] = []
    written: list[int] = []

    def work(part: int) -> None:
        begun.append(part)
        if threading.current_thread() is not threading.main_thread():
            time.sleep(0.002)
        written.append(part)

    def is_meant(frame: FrameType) -> bool:
        return frame.f_code.co_filename == shared_work.__file__

    cut = 0
    for line in range(1, 200):
        begun.clear()
        written.clear()
        try:
            with interrupted_at(line, is_meant):
                share(work, range(6), 3)
        except Interrupt:
            cut += 1
            at_rest = list(written)
            assert sorted(begun) == sorted(at_rest)
            time.sleep(0.003)
            assert written == at_rest
        else:
            break
    assert cut > 20
    share(written.append, range(6), 3)
