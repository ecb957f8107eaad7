"""One process and its library: a second interpreter is refused with the reason, forks and threads work."""

from __future__ import annotations

import os
import sys

import pytest
from fresh_python import python

WORLD = """
import esper, ecsphys
from ecsphys import CircleCollider, OBBCollider, RigidBody, Solid, Transform

def build(name, count=60, threads=1):
    esper.switch_world(name)
    physics = ecsphys.install(gravity=(0.0, -9.8), threads=threads)
    esper.create_entity(Transform(0, -0.5), OBBCollider(40, 0.5), Solid())
    for k in range(count):
        esper.create_entity(Transform(0.37 * (k % 12), 1.0 + 1.1 * (k // 12)), CircleCollider(0.5), RigidBody())
    return physics

def play(name, steps):
    esper.switch_world(name)
    for _ in range(steps):
        esper.process(1 / 60)
"""

# The module has had three names, and its functions two forms.
INTERPRETERS = """
import sys
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters

def create(isolated):
    if sys.version_info >= (3, 13):
        return interpreters.create("isolated" if isolated else "legacy")
    return interpreters.create(isolated=isolated)

def run(interpreter, code):
    code = f"import sys; sys.path[:] = {sys.path!r}\\n" + code
    (interpreters.exec if sys.version_info >= (3, 13) else interpreters.run_string)(interpreter, code)

TRY = '''
try:
    import ecsphys
    print("imported", flush=True)
except ImportError as error:
    print(error, flush=True)
'''
"""


@pytest.mark.parametrize("isolated", [False, True], ids=["with the same GIL", "isolated"])
def test_a_second_interpreter_is_refused_with_the_reason_and_the_first_goes_on(isolated: bool) -> None:
    code = f"""
build("first")
play("first", 20)
run(create({isolated}), TRY)
play("first", 20)
print(len(esper.get_component(Transform)))
"""
    done = python("-c", WORLD + INTERPRETERS + code)
    assert (done.returncode, done.stderr) == (0, "")
    reason, count = done.stdout.splitlines()
    assert reason.startswith("ecsphys works in one interpreter of a process (")
    assert reason.endswith("Start another process for more worlds")
    assert count == "61"


def test_an_import_of_its_module_again_in_the_same_interpreter_works() -> None:
    code = """
physics = build("first")
play("first", 5)
import sys
del sys.modules["ecsphys._engine"]
import ecsphys._engine as again
again.choose(None)
play("first", 5)
print(len(again.kernels) > 50)
"""
    done = python("-c", WORLD + code)
    assert (done.stderr, done.stdout) == ("", "True\n")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_goes_on_with_the_same_bits_as_its_parent() -> None:
    code = """
import os
physics = build("first", 2500, threads=2)
play("first", 30)
def end():
    play("first", 60)
    print(physics.digest(), flush=True)
child = os.fork()
if child:
    assert os.waitpid(child, 0)[1] == 0
end()
"""
    done = python("-W", "ignore::DeprecationWarning", "-c", WORLD + code)
    assert (done.returncode, done.stderr) == (0, "")
    child, parent = done.stdout.splitlines()
    assert child == parent


@pytest.mark.skipif(sys.platform == "win32", reason="this system does not fork")
def test_a_process_that_forks_before_the_first_import_and_after_it_can_import() -> None:
    code = """
import os
for _ in range(2):
    child = os.fork()
    import ecsphys
    if not child:
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
print("imported")
"""
    assert python("-c", code).stdout == "imported\n"


def test_threads_may_import_at_once() -> None:
    code = """
import threading
start, done = threading.Barrier(8), []
def load():
    start.wait()
    import ecsphys
    done.append(ecsphys.install)
threads = [threading.Thread(target=load) for _ in range(8)]
for one in threads: one.start()
for one in threads: one.join()
print(len(done), len(set(done)))
"""
    done = python("-c", code)
    assert (done.stderr, done.stdout) == ("", "8 1\n")


def test_questions_of_geometry_in_many_threads_have_the_answers_of_one() -> None:
    code = """
import sys, threading
import numpy as np
from ecsphys import geometry, CircleCollider, OBBCollider, Transform
sys.setswitchinterval(1e-6)
places = np.random.default_rng(5).uniform(-3, 3, (400, 2))
box = OBBCollider(1.0, 0.7)
def answers():
    return [
        str(geometry.closest_points(CircleCollider(0.5), Transform(float(x), float(y)), box, Transform(0.2, 0.1, 0.3)))
        for x, y in places
    ]
right, found = answers(), []
threads = [threading.Thread(target=lambda: found.append(answers())) for _ in range(6)]
for one in threads: one.start()
for one in threads: one.join()
print([one == right for one in found])
"""
    done = python("-c", code)
    assert (done.stderr, done.stdout) == ("", f"{[True] * 6}\n")
