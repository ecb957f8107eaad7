"""The libraries of all platforms, and the wheels that carry them: formats, names, contents.

The library that is loaded here is always looked at. ``ECSPHYS_WHEEL`` names a wheel more, ``ECSPHYS_WHEELS`` a folder
with the wheels of all platforms, as ``python -m ecsphys.build --wheels`` makes them.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import os
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest
from library_files import LibraryFile, read_library

from ecsphys.engine.compiler.targets import TARGETS, Target, wanted_target

ROOT = Path(__file__).resolve().parents[2]

# All of them are in the stable ABI of Python 3.11.
FROM_PYTHON = {
    *("PyBool_FromLong", "PyCFunction_GetSelf", "PyCFunction_NewEx", "PyCapsule_GetPointer", "PyCapsule_New"),
    *("PyByteArray_AsString", "PyByteArray_Size", "PyDict_GetItemWithError", "PyDict_New", "PyDict_SetItemString"),
    *("PyErr_Clear", "PyErr_Format", "PyErr_Occurred", "PyEval_GetFrame", "PyFrame_GetCode"),
    *("PyList_GetItem", "PyList_SetSlice", "PyList_Size", "PyObject_Call", "PyObject_CallNoArgs"),
    *("PyObject_CallFunctionObjArgs", "PyObject_RichCompareBool", "PyObject_SetItem"),
    *("PyEval_RestoreThread", "PyEval_SaveThread", "PyExc_ImportError", "PyExc_TypeError", "PyExc_ValueError"),
    *("PyFloat_AsDouble", "PyFloat_FromDouble", "PyImport_ImportModule", "PyInterpreterState_Get"),
    *("PyInterpreterState_GetID", "PyLong_AsLongLong", "PyLong_FromLongLong", "PyModuleDef_Init"),
    *("PyModule_AddObjectRef", "PyObject_GetAttr", "PyObject_GetAttrString", "PyObject_IsTrue", "PyObject_Str"),
    *("PyTuple_GetItem", "PyTuple_New", "PyTuple_SetItem", "PyTuple_Size", "PyType_GetFlags", "PyType_IsSubtype"),
    *("PyUnicode_AsUTF8AndSize", "PyUnicode_FromString", "PyUnicode_InternFromString", "Py_DecRef", "Py_IncRef"),
}
FROM_SYSTEM = {
    "linux-x86_64": {"memset"},
    "linux-aarch64": {"memset"},
    "macos-arm64": {"memset", "bzero", "dyld_stub_binder"},
    "macos-x86_64": {"memset", "__bzero", "dyld_stub_binder"},
    "windows-x86_64": set(),
}
# The name of the file's kind, the libraries that it loads, and the oldest system.
FORMATS = {
    "linux-x86_64": ("ELF", ("libc.so.6",), ("GLIBC_2.2.5",)),
    "linux-aarch64": ("ELF", ("libc.so.6",), ("GLIBC_2.17",)),
    "macos-arm64": ("Mach-O", ("/usr/lib/libSystem.B.dylib",), ("11.0",)),
    "macos-x86_64": ("Mach-O", ("/usr/lib/libSystem.B.dylib",), ("10.13",)),
    "windows-x86_64": ("PE", ("python3.dll",), ()),
}
# The linker that zig has for macOS also exports what stands for the file itself.
BY_LINKER = {"macos-arm64": {"__dso_handle", "_mh_dylib_header"}, "macos-x86_64": {"__dso_handle", "_mh_dylib_header"}}


class Wheel(NamedTuple):
    """A wheel, the platform of its name, and its files."""

    path: Path
    target: Target
    files: dict[str, bytes]


def _open(path: Path) -> Wheel:
    (target,) = (one for one in TARGETS.values() if path.name.endswith(f"-{one.wheel}.whl"))
    with zipfile.ZipFile(path) as archive:
        return Wheel(path, target, {name: archive.read(name) for name in archive.namelist()})


def _paths() -> list[Path | None]:
    one, all_of_them = os.environ.get("ECSPHYS_WHEEL"), os.environ.get("ECSPHYS_WHEELS")
    found = [*([Path(one)] if one else []), *(sorted(Path(all_of_them).glob("*.whl")) if all_of_them else [])]
    return [*found] or [None]


@pytest.fixture(scope="module", params=_paths(), ids=lambda path: path.name if path else "none")
def wheel(request: pytest.FixtureRequest) -> Wheel:
    if request.param is None:
        pytest.skip("neither ECSPHYS_WHEEL nor ECSPHYS_WHEELS names wheels")
    return _open(request.param)


def _check_library(library: LibraryFile, target: Target) -> None:
    kind, libraries, needs = FORMATS[target.name]
    assert (library.kind, library.libraries, library.needs) == (kind, libraries, needs)
    assert library.processor == ("x86_64" if target.name.endswith("x86_64") else "aarch64")
    assert library.exported == {"PyInit__engine"} | BY_LINKER.get(target.name, set())
    assert library.undefined == FROM_PYTHON | FROM_SYSTEM[target.name]
    assert library.is_signed == (target.name == "macos-arm64")


def test_the_library_here_has_one_name_for_others_and_wants_few_of_them() -> None:
    import ecsphys._engine

    data = Path(ecsphys._engine.__file__).read_bytes()
    _check_library(read_library(data), wanted_target())


def test_the_library_here_has_no_name_of_a_file_of_the_machine_that_built_it() -> None:
    import ecsphys._engine

    data = Path(ecsphys._engine.__file__).read_bytes()
    for text in (b"extension.c", b"kernels.h", bytes(ROOT), bytes(Path.home()), b"/tmp/", b".py"):
        assert text not in data, text


def test_other_files_are_no_library() -> None:
    with pytest.raises(ValueError, match="no library begins with"):
        read_library(b"#!/bin/sh\n")


def test_the_library_of_a_wheel_is_of_its_platform(wheel: Wheel) -> None:
    data = wheel.files[f"ecsphys/{wheel.target.file}"]
    if wheel.target.is_web:
        # A side module of Emscripten: `python -m checks web` loads it.
        assert data.startswith(b"\0asm\1\0\0\0")
        assert b"dylink.0" in data[:32]
    else:
        _check_library(read_library(data), wheel.target)


def test_a_wheel_is_for_every_python_from_3_11_on(wheel: Wheel) -> None:
    (name,) = (name for name in wheel.files if name.endswith(".dist-info/WHEEL"))
    lines = wheel.files[name].decode().splitlines()
    assert [line for line in lines if line.startswith("Tag: ")] == [f"Tag: cp311-abi3-{wheel.target.wheel}"]
    assert "Root-Is-Purelib: false" in lines


def test_a_wheel_has_modules_types_pictures_and_one_library(wheel: Wheel) -> None:
    kinds = {Path(name).suffix for name in wheel.files if ".dist-info/" not in name}
    library = Path(wheel.target.file).suffix
    assert kinds == {".py", ".pyi", ".typed", ".c", ".h", ".avif", library}
    assert [name for name in wheel.files if name.endswith((".so", ".pyd", ".dylib", ".dll"))] == [
        f"ecsphys/{wheel.target.file}"
    ]
    assert sum(map(len, wheel.files.values())) < 6_500_000


def test_a_wheel_records_all_its_files_as_they_are(wheel: Wheel) -> None:
    (name,) = (name for name in wheel.files if name.endswith(".dist-info/RECORD"))
    rows = {path: (digest, size) for path, digest, size in csv.reader(io.StringIO(wheel.files[name].decode()))}
    assert set(rows) == set(wheel.files)
    for path, data in wheel.files.items():
        if path != name:
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert rows[path] == (f"sha256={digest}", str(len(data))), path


@pytest.mark.skipif("ECSPHYS_WHEELS" not in os.environ, reason="ECSPHYS_WHEELS names no folder with all wheels")
def test_wheels_are_for_all_platforms_and_differ_in_their_libraries_only() -> None:
    wheels = [_open(path) for path in sorted(Path(os.environ["ECSPHYS_WHEELS"]).glob("*.whl"))]
    assert {wheel.target.name for wheel in wheels} == set(TARGETS)
    assert len(wheels) == len(TARGETS)
    others = [
        {
            name: data
            for name, data in one.files.items()
            if "_engine." not in name and not name.endswith(("WHEEL", "RECORD"))
        }
        for one in wheels
    ]
    assert all(one == others[0] for one in others)


@pytest.mark.skipif("ECSPHYS_WHEELS" not in os.environ, reason="ECSPHYS_WHEELS names no folder with all wheels")
def test_nothing_in_wheels_tells_when_or_by_whom_they_were_made() -> None:
    for path in sorted(Path(os.environ["ECSPHYS_WHEELS"]).glob("*.whl")):
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
        assert len({entry.date_time for entry in entries}) == 1
        names = [entry.filename for entry in entries if ".dist-info/" not in entry.filename]
        folders = [name.rpartition("/")[0] for name in names]
        assert [
            names[k] for k in range(len(names) - 1) if folders[k] == folders[k + 1] and names[k] > names[k + 1]
        ] == []
        assert {entry.external_attr >> 16 & 0o777 for entry in entries} <= {0o644, 0o664, 0o755}
