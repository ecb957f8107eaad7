"""Batches that the cores share, in forked processes, at the end of a process, and interrupted."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from ecsphys.systems.spatial_query import shared_work

# Prepares ``ask``, whose batch is shared by three threads, and asks it once.
ASKED = """
import atexit, os, signal, sys
import esper, numpy as np
from ecsphys import CircleCollider, Physics, Transform
from ecsphys.systems.spatial_query import shared_work

shared_work.core_count = lambda: 3
rng = np.random.default_rng(5)
for x, y in rng.uniform(-40, 40, (50, 2)).tolist():
    esper.create_entity(Transform(x, y), CircleCollider(1.0))
physics = Physics()
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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_shares_batches_as_its_parent_does() -> None:
    done = run("""
child = os.fork()
if not child:
    signal.alarm(30)
    os._exit(not np.array_equal(ask(), before, equal_nan=True))
assert os.waitpid(child, 0)[1] == 0
assert np.array_equal(ask(), before, equal_nan=True)
""")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("asked_before", [True, False])
def test_a_batch_is_answered_while_the_process_ends(asked_before: bool) -> None:
    forget = "" if asked_before else "shared_work._workers = None\n"
    done = run(f"{forget}atexit.register(lambda: print(np.array_equal(ask(), before, equal_nan=True)))")
    assert done.stdout == "True\n", done.stderr
    assert done.stderr == ""


def test_an_error_comes_when_all_threads_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_work, "core_count", lambda: 3)
    monkeypatch.setattr(shared_work, "_workers", None)
    under_way = threading.Barrier(3)
    written = np.zeros(90)

    def work(rows: slice) -> None:
        under_way.wait(10)
        if rows.start == 0:
            raise KeyboardInterrupt
        time.sleep(0.05)
        written[rows] = 1.0

    with pytest.raises(KeyboardInterrupt):
        shared_work.share(work, 90, 10)
    assert written.sum() == 60.0
