"""Kernels are compiled by whichever thread is first, and Ctrl-C and forks leave them as they were."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from compiled_code import compiled
from small_engine import OTHER, RUN, make_engine, run, run_afresh

pytestmark = compiled

unix = pytest.mark.skipif(sys.platform == "win32", reason="signals to oneself and forks are Unix's")

# Does something when the compiler begins its pass number ``at.left``.
AT_A_PASS = """
import gc, os, signal
from numba.core import event
from ecsphys.engine.kernels.compilation import load_kernels
from ecsphys.engine.caller import step_twice

class AtAPass(event.Listener):
    left = 0
    def on_start(self, started):
        self.left -= 1
        if self.left == 0:
            self.act()
    def on_end(self, ended):
        pass

at = AtAPass()
event.register("numba:run_pass", at)
"""

SIGNALS = (
    AT_A_PASS
    + """
at.act = lambda: os.kill(os.getpid(), signal.SIGINT)
thresholds = gc.get_threshold()
interrupted = 0
while True:
    at.left = 1 + 3 * interrupted
    try:
        load_kernels((step_twice,)) if interrupted % 2 else step_twice(1.0)
    except KeyboardInterrupt as error:
        assert error.__context__ is None and error.__cause__ is None
        interrupted += 1
    else:
        break
    assert gc.isenabled() and gc.get_threshold() == thresholds
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
assert interrupted > 5
print(step_twice(10.0))
"""
)


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    return make_engine(tmp_path)


@unix
def test_an_interrupt_at_any_pass_is_one_clean_error_and_the_next_call_compiles(engine: Path) -> None:
    result, said = run(engine, SIGNALS)
    assert result == 12.0
    assert {line.split(" (")[0] for line in said.splitlines()} <= {
        "ecsphys: compiling step_twice",
        "ecsphys: compiling 1/1 step_twice",
    }
    assert run(engine) == (12.0, "")


@unix
def test_an_interrupt_in_a_function_that_llvm_calls_is_not_lost(engine: Path) -> None:
    code = f"""
import os, signal
from numba.core.codegen import CPUCodeLibrary
hook = CPUCodeLibrary._object_compiled_hook.__func__
sent = caught = 0
def interrupted(cls, module, code):
    global sent
    sent += 1
    if sent < 4:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(100):
            pass
    hook(cls, module, code)
CPUCodeLibrary._object_compiled_hook = classmethod(interrupted)
from ecsphys.engine.caller import step_twice
while True:
    try:
        step_twice(10.0)
        break
    except KeyboardInterrupt as error:
        assert error.__context__ is None
        caught += 1
assert sent > 3 and 0 < caught <= 3, (sent, caught)  # two signals between passes are one
{RUN}
"""
    result, said = run_afresh(engine, code)
    assert result == 12.0
    assert "Traceback" not in said
    assert run(engine) == (12.0, "")


@unix
def test_a_games_own_handler_is_called_and_may_let_the_work_go_on(engine: Path) -> None:
    code = (
        AT_A_PASS
        + f"""
called = []
def handler(number, frame):
    called.append(number)
signal.signal(signal.SIGINT, handler)
at.left, at.act = 4, lambda: os.kill(os.getpid(), signal.SIGINT)
{RUN}
assert called == [signal.SIGINT], called
assert signal.getsignal(signal.SIGINT) is handler
"""
    )
    assert run(engine, code)[0] == 12.0


def test_threads_that_load_and_call_at_once_all_succeed_and_each_kernel_is_compiled_once(engine: Path) -> None:
    (engine / "other.py").write_text(OTHER)
    code = """
import gc, threading
from ecsphys.engine.caller import step_twice
from ecsphys.engine.kernels.compilation import load_kernels
from ecsphys.engine.other import step_once
thresholds = gc.get_threshold()
together = threading.Barrier(6)
results, errors, counts = [], [], []
def loading(*kernels):
    counts.append(load_kernels(kernels, lambda *told: None))
def calling(kernel, expected):
    results.append(kernel(10.0) == expected)
def first(work, *arguments):
    together.wait()
    try:
        work(*arguments)
    except BaseException as error:
        errors.append(error)
threads = [threading.Thread(target=first, args=job) for job in (
    (loading, step_twice, step_once), (loading, step_once, step_twice), (loading, step_twice),
    (calling, step_twice, 12.0), (calling, step_once, 11.0))]
for thread in threads:
    thread.start()
first(calling, step_twice, 12.0)
for thread in threads:
    thread.join()
assert not errors, errors
assert results == [True] * 3
assert sum(counts) <= 2
assert gc.isenabled() and gc.get_threshold() == thresholds
print(len(step_twice.signatures) + len(step_once.signatures))
"""
    result, said = run(engine, code)
    assert result == 2.0
    assert len(said.splitlines()) <= 2
    assert run(engine, code) == (2.0, "")


def test_a_thread_may_disable_the_collector_while_another_compiles(engine: Path) -> None:
    code = AT_A_PASS + f"at.left, at.act = 4, gc.disable\n{RUN}\nassert not gc.isenabled()"
    assert run(engine, code)[0] == 12.0


@unix
def test_a_process_forked_while_a_thread_compiles_can_compile(engine: Path) -> None:
    code = (
        AT_A_PASS
        + """
import threading
begun = threading.Event()
at.left, at.act = 2, begun.set
loading = threading.Thread(target=load_kernels, args=((step_twice,),))
loading.start()
begun.wait()
child = os.fork()
if not child:
    signal.alarm(60)
    os._exit(step_twice(10.0) != 12.0)
loading.join()
assert os.waitpid(child, 0)[1] == 0
print(step_twice(10.0))
"""
    )
    assert run(engine, code, PYTHONWARNINGS="ignore::DeprecationWarning")[0] == 12.0


def test_the_first_call_refuses_what_later_calls_refuse(engine: Path) -> None:
    code = f"""
from ecsphys.engine.caller import step_twice
for _ in range(2):
    try:
        step_twice("ten")
    except TypeError as error:
        assert "No matching definition" in str(error)
    else:
        raise AssertionError
{RUN}
"""
    assert run(engine, code)[0] == 12.0
