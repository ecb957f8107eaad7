"""Several processes compile: every kernel once, and nothing is lost where they die or the work is cut short."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled_code import compiled
from small_engine import make_engine, run

pytestmark = compiled

COUNT = 12

KERNEL = """
@kernel("f8(f8)")
def add_{0}(x: float) -> float:
    return step(x) + {0}
"""

# Says how many were compiled, and what all kernels make of 1.
LOAD = f"""
import importlib, sys
from ecsphys.engine.kernels import compiler_processes
from ecsphys.engine.kernels.compilation import load_kernels
compiler_processes.core_count = lambda: 3
many = importlib.import_module("ecsphys.engine.many")
kernels = [getattr(many, f"add_{{k}}") for k in range({COUNT})]
"""
ANSWER = f"assert [kernel(1.0) for kernel in kernels] == [2.0 + k for k in range({COUNT})]\n"


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    engine = make_engine(tmp_path)
    heading = "from ecsphys.engine.callee import step\nfrom ecsphys.engine.kernels.compilation import kernel\n"
    (engine / "many.py").write_text(heading + "".join(KERNEL.format(k) for k in range(COUNT)))
    return engine


def test_each_kernel_is_compiled_once_and_the_next_process_finds_all(engine: Path) -> None:
    counting = (
        "seen = set()\n"
        "original = compiler_processes.CompilerProcesses._next\n"
        "def counted(self):\n"
        "    kernel = original(self)\n"
        "    seen.add(kernel)\n"
        "    return kernel\n"
        "compiler_processes.CompilerProcesses._next = counted\n"
    )
    code = LOAD + counting + "compiled = load_kernels(kernels)\n" + ANSWER + "print(100 * compiled + (len(seen) > 2))"
    compiled, said = run(engine, code)
    assert compiled == 100 * COUNT + 1  # the others had their share
    lines = [line.split() for line in said.splitlines()]
    assert sorted(words[2:3] for words in lines) == sorted([f"{k}/{COUNT}"] for k in range(1, COUNT + 1)), said
    again, said = run(engine, LOAD + "compiled = load_kernels(kernels)\n" + ANSWER + "print(compiled)")
    assert (again, said) == (0, "")


@pytest.mark.parametrize("code", ["raise SystemExit", "import time; time.sleep(0.1); raise SystemExit(1)"])
def test_the_kernels_of_processes_that_die_are_compiled_here(engine: Path, code: str) -> None:
    dying = f"compiler_processes._CODE = {code!r}\n"
    compiled, _ = run(engine, LOAD + dying + "compiled = load_kernels(kernels)\n" + ANSWER + "print(compiled)")
    assert compiled == COUNT


def test_an_interrupt_ends_the_other_processes_and_the_next_call_goes_on(engine: Path) -> None:
    code = (
        LOAD
        + """
made = []
original = compiler_processes.subprocess.Popen
def popen(*arguments, **options):
    made.append(original(*arguments, **options))
    return made[-1]
compiler_processes.subprocess.Popen = popen
def interrupt(done, total, name):
    if done == 2:
        raise KeyboardInterrupt
try:
    load_kernels(kernels, interrupt)
except KeyboardInterrupt:
    pass
else:
    raise AssertionError("not interrupted")
assert len(made) == 2 and all(process.poll() is not None for process in made)
load_kernels(kernels, lambda *_: None)
"""
        + ANSWER
        + "print(1)"
    )
    assert run(engine, code) == (1, "")


@pytest.mark.parametrize("setting", ["sys.executable = '/opt/game'", "sys.executable = None", "sys.frozen = True"])
def test_an_application_that_is_not_python_is_not_started_again(engine: Path, setting: str, tmp_path: Path) -> None:
    code = LOAD + setting + "\ncompiler_processes.subprocess.Popen = None\n"
    compiled, _ = run(
        engine,
        code + "compiled = load_kernels(kernels)\n" + ANSWER + "print(compiled)",
        NUMBA_CACHE_DIR=str(tmp_path / "kept"),  # a frozen one would find those of the last run in the user's
    )
    assert compiled == COUNT


def test_nothing_is_started_for_few_kernels_or_on_one_core(engine: Path) -> None:
    code = LOAD + "compiler_processes.subprocess.Popen = None\nload_kernels(kernels[:5])\n"
    code += "compiler_processes.core_count = lambda: 1\nload_kernels(kernels)\n" + ANSWER + "print(1)"
    assert run(engine, code)[0] == 1


ELSEWHERE = LOAD + "from ecsphys.engine.kernels.compilation import compile_elsewhere\n"


def test_other_processes_compile_all_while_this_one_is_free(engine: Path) -> None:
    code = (
        "import time\n"
        "seen = []\n"
        "compile_elsewhere(kernels, lambda *said: (seen.append(said), time.sleep(0.01)))\n"
        f"assert len(seen) > 3 and {{total for _, total, _ in seen}} == {{{COUNT}}}\n"
        "assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)\n"
        "assert seen[-1][2].startswith('add_')\n"
        "compile_elsewhere(kernels, None)\n"  # nothing is missing: it is not called
        "compiled = load_kernels(kernels)\n"
    )
    assert run(engine, ELSEWHERE + code + ANSWER + "print(compiled)") == (0, "")


def test_what_the_waiting_raises_ends_the_other_processes_and_leaves_a_cache_that_works(engine: Path) -> None:
    code = (
        "import subprocess\n"
        "processes = []\n"
        "original = subprocess.Popen\n"
        "subprocess.Popen = lambda *a, **k: processes.append(original(*a, **k)) or processes[-1]\n"
        "def wait(done, total, name):\n"
        "    raise KeyboardInterrupt\n"  # at once: where this process is slow, the others may be done soon
        "try: compile_elsewhere(kernels, wait)\n"
        "except KeyboardInterrupt: pass\n"
        "assert processes and all(process.poll() is not None for process in processes)\n"
        "compiled = load_kernels(kernels)\n"
    )
    compiled, _ = run(engine, ELSEWHERE + code + ANSWER + "print(compiled)")
    assert 0 < compiled <= COUNT


def test_where_no_other_process_can_be_started_the_kernels_are_left_to_be_loaded(engine: Path) -> None:
    code = (
        "compiler_processes._CODE = 'raise SystemExit'\n"
        "compile_elsewhere(kernels, lambda done, total, name: None)\n"
        "compiler_processes.core_count = lambda: 1\n"
        "compiled = load_kernels(kernels)\n"
    )
    compiled, _ = run(engine, ELSEWHERE + code + ANSWER + "print(compiled)")
    assert compiled == COUNT
