"""``python -m ecsphys.warmup`` compiles every kernel there is, and says where the code is."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from compiled_code import compiled
from fresh_python import A_SETTING, Done, python

import ecsphys.engine
from ecsphys.engine.kernels.compilation import all_kernels, name_of
from ecsphys.engine.step_kernels import STEP_KERNELS
from ecsphys.warmup import main, warm_up

ENGINE = Path(next(iter(ecsphys.engine.__path__)))


def kernels_in(path: Path) -> set[str]:
    """The kernels of a source file, found by reading it."""
    module = ".".join(path.relative_to(ENGINE).with_suffix("").parts)
    return {
        f"{module}.{node.name}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        if ast.unparse(decorator).partition("(")[0] in ("kernel", "allocating_kernel")
    }


def test_every_kernel_of_every_engine_module_is_found_once() -> None:
    written = set().union(*(kernels_in(path) for path in ENGINE.rglob("*.py")))
    # Tests have kernels of their own.
    found = [name for name in map(name_of, all_kernels()) if not name.startswith("test_")]
    assert len(found) == len(set(found))
    assert set(found) == written
    assert set(STEP_KERNELS) <= set(all_kernels())


def test_a_kernel_in_a_module_that_nothing_imports_is_found(tmp_path: Path) -> None:
    (tmp_path / "unheard_of.py").write_text(
        "from ecsphys.engine.kernels.compilation import kernel\n\n"
        '@kernel("f8(f8)")\ndef double(x: float) -> float:\n    return 2.0 * x\n'
    )
    code = (
        f"import ecsphys.engine; ecsphys.engine.__path__.append({str(tmp_path)!r})\n"
        "from ecsphys.engine.kernels.compilation import all_kernels, name_of\n"
        "print(*map(name_of, all_kernels()))"
    )
    done = python("-c", code)
    assert "unheard_of.double" in done.stdout.split()


def test_progress_comes_after_each_kernel_and_a_second_time_nothing_is_compiled() -> None:
    warm_up(lambda done, total, name: None)
    seen: list[tuple[int, int, str]] = []
    assert warm_up(lambda done, total, name: seen.append((done, total, name))) == 0
    names = [name_of(kernel) for kernel in all_kernels()]
    assert seen == [(number, len(names), name) for number, name in enumerate(names, start=1)]


@compiled
def test_when_all_is_there_it_says_where_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    warm_up(lambda done, total, name: None)
    assert main([]) == 0
    captured = capsys.readouterr()
    (line,) = captured.out.splitlines()
    assert "there already" in line
    assert os.sep in line
    assert captured.err == ""


# The command in a process where one quick kernel stands for all.
ONE_KERNEL = """
import sys
import ecsphys.warmup
from ecsphys.engine.broadphase.brute_force import find_pairs_brute_force
ecsphys.warmup.all_kernels = lambda: (find_pairs_brute_force,)
sys.exit(ecsphys.warmup.main([]))
"""


def run(before: str = "", **environment: str) -> Done:
    # Code for a setting that does not exist is not there already, wherever the tests run.
    return python("-c", before + ONE_KERNEL, env={**os.environ, A_SETTING: "1", **environment})


@compiled
def test_what_is_missing_is_compiled_with_a_bar_and_found_the_next_time(tmp_path: Path) -> None:
    first = run(NUMBA_CACHE_DIR=str(tmp_path))
    assert first.returncode == 0, first.stderr
    assert "1 of 1 kernels to compile" in first.stdout
    assert "[########################]   1/1  broadphase.brute_force.find_pairs_brute_force" in first.stdout
    assert f"kept in {tmp_path / 'ecsphys'}" in first.stdout
    assert first.stderr == ""
    second = run(NUMBA_CACHE_DIR=str(tmp_path))
    assert second.returncode == 0
    assert "there already" in second.stdout
    assert len(second.stdout.splitlines()) == 1


@compiled
def test_where_nothing_can_be_kept_it_says_so_and_fails() -> None:
    done = run(
        "import ecsphys.engine.kernels.kernel_cache as c; c.cache_folder = lambda: None; c.cache_folders = lambda: ()"
    )
    assert done.returncode == 1
    assert "cannot be kept" in done.stderr


# Stands for a library that numba imports: Ctrl-C comes in the middle of the imports.
INTERRUPTING = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nfor _ in range(1000): pass\n"

# Ctrl-C at the compiler's tenth pass.
INTERRUPTED = """
import os, signal
from numba.core import event
class AtTheTenthPass(event.Listener):
    left = 10
    def on_start(self, started):
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGINT)
    def on_end(self, ended):
        pass
event.register("numba:run_pass", AtTheTenthPass())
"""


@compiled
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to a process of its own")
def test_an_interrupt_while_compiling_ends_without_a_traceback_and_the_next_run_compiles(tmp_path: Path) -> None:
    done = run(INTERRUPTED, NUMBA_CACHE_DIR=str(tmp_path))
    assert done.returncode == 130
    (line,) = done.stderr.splitlines()
    assert "interrupted" in line
    assert not [*tmp_path.rglob("*.part")]
    assert "1 of 1 kernels to compile" in run(NUMBA_CACHE_DIR=str(tmp_path)).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to a process of its own")
@pytest.mark.parametrize(
    "command",
    [
        ["-m", "ecsphys.warmup"],
        ["-mecsphys.demo", "--list"],
        ["-X", "utf8", "-m", "ecsphys.demo", "--frames", "1"],
        ["ecsphys-demo", "--list"],
    ],
)
def test_an_interrupt_while_a_command_is_imported_ends_it_without_a_traceback(
    command: list[str], tmp_path: Path
) -> None:
    (tmp_path / "llvmlite.py").write_text(INTERRUPTING)
    # As pip writes it.
    (tmp_path / "ecsphys-demo").write_text("import sys\nfrom ecsphys.demo.__main__ import main\nsys.exit(main())\n")
    done = subprocess.run(
        [sys.executable, *command],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 130, done.stderr
    assert done.stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to a process of its own")
def test_an_interrupt_while_a_game_imports_the_package_reaches_the_game(tmp_path: Path) -> None:
    (tmp_path / "llvmlite.py").write_text(INTERRUPTING)
    (tmp_path / "game.py").write_text("try:\n    import ecsphys\nexcept KeyboardInterrupt:\n    print('mine')\n")
    for command in (["game.py"], ["-m", "game"]):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, "mine\n"), done.stderr
