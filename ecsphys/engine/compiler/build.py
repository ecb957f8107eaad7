"""The library of kernels, built: parts of it beside each other, then linked with the extension module."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

_HERE: Final = Path(__file__).parent
_PARTS: Final = 2

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
    """Build the library for one platform into a folder, and say how far it is."""
    with tempfile.TemporaryDirectory() as work:
        compile_parts(Path(work), [target.name])
        return link(target, Path(work), folder)


def compile_parts(work: Path, names: Sequence[str]) -> None:
    """Write the objects of all parts for these targets."""
    _say(f"compiling the engine for {', '.join(names)}")
    start = time.perf_counter()
    # Packages that are built in an environment of pip's are on a path that is handed down.
    environment = {**os.environ, **_SETTINGS}
    running = [
        subprocess.Popen([sys.executable, str(_HERE / "part.py"), str(number), str(work), *names], env=environment)
        for number in range(_PARTS)
    ]
    for process in running:
        if process.wait():
            for other in running:
                other.kill()
            raise SystemExit("ecsphys: the engine was not compiled")
    _say(f"compiled in {time.perf_counter() - start:.0f} s")


def link(target: Any, work: Path, folder: Path) -> Path:
    """Link the objects of all parts with the extension module; returns the library."""
    tables = [json.loads((work / f"part{number}.json").read_text()) for number in range(_PARTS)]
    (work / "kernels.h").write_text(_table(target, tables))
    objects = [
        str(work / f"{target.name}-{processor.name}-{number}.o")
        for processor in target.processors
        for number in range(_PARTS)
    ]
    made = work / target.file
    command = ["cc", "-target", target.zig, "-O2", "-ffp-contract=off", "-fvisibility=hidden", "-shared", f"-I{work}"]
    command += [str(_HERE / "extension.c"), *objects]
    if target.name.startswith("linux"):
        command += ["-fPIC", "-s"]
    elif target.name.startswith("macos"):
        command += ["-undefined", "dynamic_lookup", "-Wl,-x"]
    else:
        command += ["-s", "-nostdlib", str(_import_library(work))]
    _zig([*command, "-o", str(made)])
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / target.file
    # In one step: a program that runs has the old one until it ends.
    part = library.with_name(f"{library.name}.part")
    part.write_bytes(made.read_bytes())
    os.replace(part, library)
    _say(f"{library}, {library.stat().st_size / 1e6:.1f} MB")
    return library


def _zig(arguments: Sequence[str]) -> None:
    subprocess.run([sys.executable, "-m", "ziglang", *arguments], check=True)


def _import_library(work: Path) -> Path:
    """What tells the linker that python3.dll has the names that the extension declares."""
    lines = [line for line in (_HERE / "extension.c").read_text().splitlines() if line.startswith("API ")]
    names = [line.partition("(")[0].split()[-1].lstrip("*") for line in lines if "(" in line]
    data = [line.rstrip(";").split()[-1].lstrip("*") for line in lines if "(" not in line]
    definitions, made = work / "python3.def", work / "python3.lib"
    definitions.write_text("\n".join(["LIBRARY python3.dll", "EXPORTS", *names, *(f"{name} DATA" for name in data)]))
    _zig(["dlltool", "-m", "i386:x86-64", "-d", str(definitions), "-l", str(made)])
    return made


def _source_stamp() -> str:
    """That of :mod:`ecsphys.engine.kernels.sources`, which is not imported as part of ecsphys: a build may lack numpy."""
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
        lines += [f"extern char ecsphys_function_{one}[];" for one in symbols]
        lines += [f"static const Entry entries_{name}[] = {{{', '.join(f'ecsphys_entry_{one}' for one in symbols)}}};"]
        functions = ", ".join(f"ecsphys_function_{one}" for one in symbols)
        lines += [f"static void *const functions_{name}[] = {{{functions}}};"]
        variants.append(f'{{"{processor.name}", {processor.level}, entries_{name}, functions_{name}}}')
    lines += [
        "typedef struct { const char *name; int level; const Entry *entries; void *const *functions; } Variant;",
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
