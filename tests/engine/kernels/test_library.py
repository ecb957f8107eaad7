"""The library of kernels: what it refuses, and what ``import ecsphys`` says where it cannot be loaded."""

from __future__ import annotations

import shutil
import site
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from fresh_python import Done, python
from kernels_of_tests import kernel_of_tests
from package_copy import copy_package, python_with

from ecsphys.engine.kernels.building import ENGINE_FOLDER, source_stamp

QEMU = shutil.which("qemu-x86_64-static") or shutil.which("qemu-x86_64")


@pytest.mark.parametrize(
    ("numbers", "got"),
    [
        (np.zeros(3), r"array\(\[0"),
        (np.zeros((3, 1), np.int64), r"array\(\[\[0"),
        (np.zeros(6, np.int64)[::2], "array"),
        ([1, 2], r"\[1, 2\]"),
        (None, "None"),
    ],
)
def test_an_argument_that_is_no_such_array_is_an_error_that_names_it(numbers: object, got: str) -> None:
    with pytest.raises(TypeError, match=rf"kernels.bits.find_lowest: numbers must be a writable array of int64.*{got}"):
        kernel_of_tests("bits.find_lowest")(numbers)


def test_an_array_that_cannot_be_written_is_an_error() -> None:
    numbers = np.ones(3, np.int64)
    numbers.flags.writeable = False
    with pytest.raises(TypeError, match="must be a writable array"):
        kernel_of_tests("bits.find_lowest")(numbers)


@pytest.mark.parametrize("count", [0, 2])
def test_too_few_and_too_many_arguments_are_an_error(count: int) -> None:
    with pytest.raises(TypeError, match=f"{count} arguments are too {'many' if count else 'few'}"):
        kernel_of_tests("bits.find_lowest")(*[np.ones(3, np.int64)] * count)


def test_equal_dtypes_are_one_and_others_are_not() -> None:
    for dtype in (np.int64, "<i8", np.dtype(np.int64).newbyteorder("=")):
        numbers = np.array([12, 8], dtype)
        kernel_of_tests("bits.find_lowest")(numbers)
        assert numbers.tolist() == [2, 3]
    with pytest.raises(TypeError, match="int64"):
        kernel_of_tests("bits.find_lowest")(np.array([12], ">i8"))


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with its library, as it lies in a clone."""
    return copy_package(tmp_path_factory.mktemp("clone"))


def _import_in(root: Path) -> Done:
    return python_with("import ecsphys", root, *map(Path, site.getsitepackages()), cwd=root)


def test_a_copy_is_imported(clone: Path) -> None:
    assert _import_in(clone).stderr == ""


def test_a_clone_whose_sources_have_changed_names_the_command(clone: Path) -> None:
    source = clone / "ecsphys" / "engine" / "math" / "rounding.py"
    text = source.read_text()
    (clone / "pyproject.toml").touch()
    try:
        assert _import_in(clone).stderr == ""
        source.write_text(f"{text}\n# changed\n")
        assert "was built from other sources than those in" in (said := _import_in(clone).stderr)
        assert said.rstrip().endswith("Run: python -m ecsphys.build")
    finally:
        source.write_text(text)
        (clone / "pyproject.toml").unlink()


def _only_header(whole: bytes) -> bytes:
    return whole[:64]


def _of_another_processor(whole: bytes) -> bytes:
    # The number of the processor, of ELF and of Mach-O.
    place = 18 if whole[:4] == b"\x7fELF" else 4
    return whole[:place] + b"\x77\x77" + whole[place + 2 :]


@pytest.mark.parametrize(
    "damaged",
    [
        None,
        lambda whole: b"",
        lambda whole: whole[:1000],
        lambda whole: whole[: len(whole) // 2],
        lambda whole: whole[:-1],
        lambda whole: b"\0" * len(whole),
        _only_header,
        _of_another_processor,
    ],
    ids=["missing", "empty", "cut", "half", "one byte short", "zeros", "header", "of another processor"],
)
def test_a_library_that_is_missing_or_damaged_is_an_error_that_names_it_and_what_helps(
    clone: Path, damaged: Callable[[bytes], bytes] | None
) -> None:
    (file,) = (one for one in (clone / "ecsphys").glob("_engine.*") if one.suffix != ".pyi")
    whole = file.read_bytes()
    try:
        if damaged is None:
            file.unlink()
        else:
            file.write_bytes(damaged(whole))
        (said,) = [line for line in _import_in(clone).stderr.splitlines() if line.startswith("ImportError: ecsphys")]
        assert f"cannot load its machine code, {file} (" in said
        assert "Install ecsphys again" in said
        assert said.endswith("in a clone run: python -m ecsphys.build")
    finally:
        file.write_bytes(whole)


def test_a_free_threaded_python_is_told_which_one_to_install(clone: Path) -> None:
    # It must not even try: in memory its objects are others.
    code = "import sys; sys.version = '3.14.0 free-threading build (main)'; import ecsphys"
    said = python_with(code, clone, *map(Path, site.getsitepackages()), cwd=clone).stderr
    version = ".".join(map(str, sys.version_info[:2]))
    assert f"this one, {version}t, is free-threaded and cannot load {clone}" in said
    assert said.rstrip().endswith(f"Install the regular build of Python {version}")


def test_the_processor_can_be_chosen_and_an_unknown_one_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import ecsphys; from ecsphys.engine.kernels.compilation import library; print(library.choose(None))"
    assert python("-c", code).returncode == 0
    monkeypatch.setenv("ECSPHYS_CPU", "z80")
    assert "does not run the code for z80" in python("-c", code).stderr


@pytest.mark.skipif(QEMU is None, reason="qemu-user, which pretends to be other processors, is not installed")
@pytest.mark.parametrize(
    ("processor", "said"),
    [
        ("Haswell", "x86-64-v3"),
        ("Haswell,-fma", "x86-64-v2"),
        ("Haswell,-avx2", "x86-64-v2"),
        ("Nehalem", "x86-64-v2"),
        ("Nehalem,-popcnt", "this processor is too old: ecsphys needs x86-64-v2, as all since about 2010 are"),
        ("core2duo", "this processor is too old"),
    ],
)
def test_the_code_is_the_best_one_that_a_processor_runs_and_an_old_one_is_an_error(
    clone: Path, processor: str, said: str
) -> None:
    # Without numpy, which may want more of a processor than ecsphys does: a stand-in has what the library asks for.
    (clone / "numpy.py").write_text("class ndarray: pass")
    code = """
import importlib.util
spec = importlib.util.spec_from_file_location("_engine", FILE)
engine = importlib.util.module_from_spec(spec)
spec.loader.exec_module(engine)
try:
    print(engine.choose(None))
except ImportError as error:
    print(error)
"""
    (file,) = (one for one in (clone / "ecsphys").glob("_engine.*") if one.suffix != ".pyi")
    try:
        command = [str(QEMU), "-cpu", processor, sys.executable, "-S", "-c", code.replace("FILE", repr(str(file)))]
        done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
    finally:
        (clone / "numpy.py").unlink()
    assert done.stdout.startswith(said), done.stderr


def test_the_stamp_is_of_all_sources() -> None:
    assert len(source_stamp()) == 64
    assert (ENGINE_FOLDER / "compiler" / "extension.c").exists()
