"""The library of kernels, built: parts of it beside each other, then linked with the extension module."""

from __future__ import annotations

import hashlib
import json
import os
import runpy
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

_HERE: Final = Path(__file__).parent
_PARTS: Final = ("0", "1")

# numba leaves all to LLVM, which knows the processor; and names do not depend on what happens to be where in memory.
_SETTINGS: Final = {
    "ECSPHYS_ENGINE": "build",
    "NUMBA_OPT": "0",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_DISABLE_JIT": "0",
    "PYTHONHASHSEED": "0",
}


def build(target: Any, folder: Path) -> Path:
    """Build the library for one platform into a folder, and say how far it is.

    Where ``ECSPHYS_BUILD_CACHE`` names a folder, the library is kept there for builds of the same sources and tools.
    """
    kept = os.environ.get("ECSPHYS_BUILD_CACHE")
    if kept:
        return put(build_all([target], Path(kept))[0], folder / target.file)
    with tempfile.TemporaryDirectory() as work:
        compile_parts(Path(work), [target.name])
        return link(target, Path(work), folder)


def build_all(targets: Sequence[Any], cache: Path) -> list[Path]:
    """The libraries for some platforms in a cache; missing ones are compiled together."""
    folder = cache / _key()
    if missing := [target for target in targets if not (folder / target.name / target.file).exists()]:
        with tempfile.TemporaryDirectory() as work:
            compile_parts(Path(work), [target.name for target in missing])
            for target in missing:
                link(target, Path(work), folder / target.name)
    return [folder / target.name / target.file for target in targets]


def build_modules(target: Any, modules: Path, folder: Path) -> Path:
    """Build a library of the kernels in a folder of other modules, by names such as "folder.module.kernel"."""
    with tempfile.TemporaryDirectory() as work:
        compile_parts(Path(work), [target.name], [str(modules)])
        return link(target, Path(work), folder, 1)


def compile_parts(work: Path, names: Sequence[str], parts: Sequence[str] = _PARTS) -> None:
    """Write the objects of all parts for these targets. A part is one of the engine's, or a folder of modules."""
    _say(f"compiling {'the engine' if parts is _PARTS else parts[0]} for {', '.join(names)}")
    start = time.perf_counter()
    environment = {**os.environ, **_SETTINGS}
    command = [sys.executable, str(_HERE / "part.py")]
    running = [
        subprocess.Popen([*command, str(number), part, str(work), *names], env=environment)
        for number, part in enumerate(parts)
    ]
    try:
        failed = [process.wait() for process in running]
    finally:
        for process in running:
            process.kill()
    if any(failed):
        raise SystemExit("ecsphys: the engine was not compiled")
    _say(f"compiled in {time.perf_counter() - start:.0f} s")


def _key() -> str:
    """The inputs of a library: the sources and the tools."""
    tools = [f"{name} {version(name)}" for name in ("numba", "llvmlite", "ziglang", "numpy")]
    return hashlib.sha256("\n".join([_source_stamp(), *tools]).encode()).hexdigest()[:24]


def put(source: Path, target: Path) -> Path:
    """Copy a file in one step: a program that runs has the old one until it ends."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.{os.getpid()}")
    part.write_bytes(source.read_bytes())
    os.replace(part, target)
    return target


def link(target: Any, work: Path, folder: Path, parts: int = len(_PARTS)) -> Path:
    """Link the objects of all parts with the extension module; returns the library.

    All names of files are relative: the linker of macOS writes some of them into the library.
    """
    tables = [json.loads((work / f"part{number}.json").read_text()) for number in range(parts)]
    (work / "kernels.h").write_text(_table(target, tables))
    for source in ("extension.c", "step_gate.h"):
        put(_HERE / source, work / source)
    objects = [
        f"{target.name}-{processor.name}-{number}.o" for processor in target.processors for number in range(parts)
    ]
    command = ["cc", "-target", target.zig, "-O2", "-ffp-contract=off", "-fvisibility=hidden", "-I.", "-g0"]
    if target.is_web:
        # A side module of Emscripten: what loads it has the memory, the table of functions and Python's functions.
        _zig(work, [*command, "-mcpu=generic-extended_const", "-fPIC", "-c", "extension.c", "-o", "extension.o"])
        command = ["wasm-ld", "-shared", "--experimental-pic", "--unresolved-symbols=import-dynamic", "-s"]
        command += ["--export=PyInit__engine", "extension.o", *objects]
    else:
        command += ["-shared", "-s", "extension.c", *objects]
    if target.name.startswith("linux"):
        command += ["-fPIC"]
    elif target.name.startswith("macos"):
        command += ["-undefined", "dynamic_lookup", "-Wl,-x", f"-Wl,-install_name,@rpath/{target.file}"]
    elif target.name.startswith("windows"):
        command += ["-nostdlib", "-Wl,--entry=DllMainCRTStartup", _import_library(work)]
    _zig(work, [*command, "-o", target.file])
    library = put(work / target.file, folder / target.file)
    _say(f"{library}, {library.stat().st_size / 1e6:.1f} MB")
    return library


def _zig(work: Path, arguments: Sequence[str]) -> None:
    subprocess.run([sys.executable, "-m", "ziglang", *arguments], check=True, cwd=work)


def _import_library(work: Path) -> str:
    """The file that tells the linker that python3.dll has the names that the extension declares."""
    lines = [line for line in (work / "extension.c").read_text().splitlines() if line.startswith("API ")]
    names = [line.partition("(")[0].split()[-1].lstrip("*") for line in lines if "(" in line]
    data = [line.rstrip(";").split()[-1].lstrip("*") for line in lines if "(" not in line]
    text = "\n".join(["LIBRARY python3.dll", "EXPORTS", *names, *(f"{name} DATA" for name in data)])
    (work / "python3.def").write_text(text)
    _zig(work, ["dlltool", "-m", "i386:x86-64", "-d", "python3.def", "-l", "python3.lib"])
    return "python3.lib"


def _source_stamp() -> str:
    """The stamp by ``kernels/sources.py``, which is not imported as a part of ecsphys: a build has fewer packages."""
    stamp: str = runpy.run_path(str(_HERE.parent / "kernels" / "sources.py"))["source_stamp"]()
    return stamp


def _table(target: Any, tables: Sequence[Sequence[Mapping[str, str]]]) -> str:
    """The table of kernels, in C."""
    kernels = [(number, place, kernel) for number, table in enumerate(tables) for place, kernel in enumerate(table)]
    takes = [kernel["takes"] for _, _, kernel in kernels]
    lines = [
        f"enum {{ KERNEL_COUNT = {len(kernels)}, VARIANT_COUNT = {len(target.processors)} }};",
        f"enum {{ MOST_WORDS = {max(map(_word_count, takes))}, MOST_ARGUMENTS = {max(map(len, takes))} }};",
        f"enum {{ MOST_RESULTS = {max(len(kernel['gives']) for _, _, kernel in kernels)} }};",
        f'#define SOURCE_STAMP "{_source_stamp()}"',
        "static const Kernel kernels[] = {",
        *(
            "    {" + ", ".join(f'"{kernel[field]}"' for field in ("name", "arguments", "takes", "gives")) + "},"
            for _, _, kernel in kernels
        ),
        "};",
    ]
    variants = []
    for processor in target.processors:
        name = processor.name.replace("-", "_")
        symbols = [f"{name}_{number}_{place}" for number, place, _ in kernels]
        lines += [f"extern void ecsphys_entry_{one}(const int64_t *, int64_t *);" for one in symbols]
        lines += [f"extern void *const ecsphys_functions_{name}_{number}[];" for number in range(len(tables))]
        lines += [f"static const Entry entries_{name}[] = {{{', '.join(f'ecsphys_entry_{one}' for one in symbols)}}};"]
        functions = ", ".join(f"&ecsphys_functions_{name}_{number}[{place}]" for number, place, _ in kernels)
        lines += [f"static void *const *const functions_{name}[] = {{{functions}}};"]
        variants.append(f'{{"{processor.name}", {processor.level}, entries_{name}, functions_{name}}}')
    lines += [
        "typedef struct { const char *name; int level; const Entry *entries; void *const *const *functions; } Variant;",
        f"static const Variant variants[] = {{{', '.join(variants)}}};",
    ]
    return "\n".join(lines) + "\n"


def _word_count(takes: str) -> int:
    """How many words the arguments of a kernel take."""
    count, k = 0, 0
    while k < len(takes):
        if takes[k] == "A":
            count += 1 + int(takes[k + 2])
            k += 2
        elif takes[k] not in "()":
            count += 1
        k += 1
    return count


def _say(what: str) -> None:
    print(f"ecsphys: {what}", file=sys.stderr, flush=True)
