"""A game as players have it: an install of ecsphys, numpy and esper, on a machine that gives it nothing else.

The install is a copy of the package, or the wheel that ``ECSPHYS_WHEEL`` names. ``ECSPHYS_PYTHONS`` names further
interpreters with numpy and esper, between colons, which share it.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from package_copy import copy_needed, copy_package, python_with

GAME = """
import esper
import ecsphys
from ecsphys import AABBCollider, CircleCollider, Gravity, OBBCollider, RigidBody, Solid, Transform, Velocity

physics = ecsphys.install(gravity=(0.0, -9.8))
esper.create_entity(Transform(0, -0.5), OBBCollider(20, 0.5), Solid())
for k in range(12):
    esper.create_entity(Transform(0.3 * k, 1.0 + 1.1 * k), CircleCollider(0.5), RigidBody(restitution=0.3))
esper.create_entity(Transform(0, 9), Velocity(), Gravity(), AABBCollider(0.4, 0.4))
hits = []
on_hit = hits.append
esper.set_handler("hit_started", on_hit)
for _ in range(200):
    esper.process(1 / 60)
physics.raycast((-30.0, 0.2), (60.0, 0.0))
print(len(hits), physics.digest())
"""

# Whatever a program does to files, the network and other programs comes through audit hooks (PEP 578).
WATCH = """
import os, sys
seen = []
def watch(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        if flags and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            seen.append((event, path))
    elif event.partition(".")[0] in ("socket", "subprocess", "shutil", "tempfile", "urllib") or event in (
        "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.chmod", "os.link", "os.symlink", "os.truncate",
        "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "os.startfile",
    ):
        seen.append((event, arguments))
sys.addaudithook(watch)
"""
TELL = """
print(seen)
print(sorted({"numba", "llvmlite", "ziglang", "setuptools"} & {name.partition(".")[0] for name in sys.modules}))
"""


@pytest.fixture(scope="module")
def install(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_package(tmp_path_factory.mktemp("install"))


@pytest.fixture(scope="module")
def needed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_needed(tmp_path_factory.mktemp("needed") / "packages")


def test_a_game_writes_no_file_asks_no_network_and_starts_no_program(
    install: Path, needed: Path, tmp_path: Path
) -> None:
    done = python_with(WATCH + GAME + TELL, install, needed, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    result, seen, tools = done.stdout.splitlines()
    assert int(result.split()[0]) > 12
    assert (seen, tools) == ("[]", "[]")


def test_the_watch_of_these_tests_sees_what_it_is_for(needed: Path, tmp_path: Path) -> None:
    acts = "open('x', 'w').close(); os.mkdir('y'); import subprocess; subprocess.run([sys.executable, '-V'])\n"
    said = python_with(WATCH + acts + TELL, needed, cwd=tmp_path).stdout
    assert all(one in said for one in ("('open', 'x')", "os.mkdir", "subprocess.Popen"))


def test_a_game_runs_where_it_can_write_nowhere(install: Path, needed: Path, tmp_path: Path) -> None:
    if not Path("/proc/self").exists():
        pytest.skip("no folder here is read-only for everybody")
    # Not even root writes there.
    nowhere = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "USERPROFILE"), "/proc/self")
    anywhere = python_with(GAME, install, needed, cwd=tmp_path)
    done = python_with(GAME, install, needed, cwd=Path("/proc/self"), env=nowhere)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == anywhere.stdout


def test_numba_is_not_there_to_be_found(install: Path, needed: Path, tmp_path: Path) -> None:
    code = "from importlib.util import find_spec; print([find_spec(name) for name in ('numba', 'llvmlite', 'ziglang')])"
    assert python_with(code, install, needed, cwd=tmp_path).stdout == "[None, None, None]\n"


def test_two_versions_beside_each_other_each_have_their_own_library(
    install: Path, needed: Path, tmp_path: Path
) -> None:
    other = copy_package(tmp_path / "other")
    front = other / "ecsphys" / "__init__.py"
    front.write_text(front.read_text().replace('__version__ = "', '__version__ = "0.0.'))
    code = "import ecsphys, ecsphys._engine as e; print(ecsphys.__version__); print(e.__file__)"
    for first, second, begin in ((install, other, ""), (other, install, "0.0.")):
        version, file = python_with(code, first, second, needed, cwd=tmp_path).stdout.splitlines()
        assert Path(file).is_relative_to(first)
        assert version == begin + version.removeprefix("0.0.")


def test_a_folder_of_another_version_that_has_lost_its_library_does_not_find_the_others(
    install: Path, needed: Path, tmp_path: Path
) -> None:
    other = copy_package(tmp_path / "other")
    (file,) = (one for one in (other / "ecsphys").glob("_engine.*") if one.suffix != ".pyi")
    file.unlink()
    said = python_with("import ecsphys", other, install, needed, cwd=tmp_path).stderr
    assert f"cannot load its machine code, {file}" in said


def _others() -> list[str]:
    return [one for one in os.environ.get("ECSPHYS_PYTHONS", "").split(os.pathsep) if one]


@pytest.mark.skipif(not _others(), reason="ECSPHYS_PYTHONS names no other Python")
def test_other_versions_of_python_share_the_install_and_give_the_same_bits(
    install: Path, needed: Path, tmp_path: Path
) -> None:
    here = python_with(GAME, install, needed, cwd=tmp_path)
    assert here.returncode == 0, here.stderr
    for other in _others():
        # Without -B: each writes bytecode of its own into the install.
        done = subprocess.run(
            [other, "-c", GAME],
            cwd=tmp_path,
            env={"PYTHONPATH": str(install)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.stderr, done.stdout) == ("", here.stdout), other
    assert python_with(GAME, install, needed, cwd=tmp_path).stdout == here.stdout
