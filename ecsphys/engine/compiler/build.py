"""The library of kernels, built: parts of it beside each other, then linked with the extension module.

A part is a folder of modules. Its objects are kept under a name with a hash of all sources that they need. After an
edit only the parts are compiled that have the edited module, or need the edited definition.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

_HERE: Final = Path(__file__).parent
_ENGINE: Final = _HERE.parent
_ROOT: Final = _ENGINE.parents[1]
_KEPT: Final = _ROOT / "build" / "engine"
_TOOLS: Final = ("numba", "llvmlite", "numpy")

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
    """Build the library for one platform into a folder, and say how far it is; returns the library."""
    with _cache() as cache:
        return link(target, compile_parts(engine_parts(), [target], cache), folder)


def build_modules(target: Any, modules: Path, folder: Path) -> Path:
    """Build a library of the kernels in a folder of other modules, by names such as "folder.module.kernel"."""
    with _cache() as cache:
        return link(target, compile_parts([modules], [target], cache), folder)


def engine_parts() -> list[Path]:
    """The folders of the engine that have kernels."""
    return sorted({path.parent for path in _ENGINE.rglob("*.py") if "\n@kernel" in path.read_text(encoding="utf-8")})


@contextmanager
def _cache() -> Iterator[Path]:
    """Where the objects of parts are kept: where ``ECSPHYS_BUILD_CACHE`` says, or in the clone; else not at all."""
    if chosen := os.environ.get("ECSPHYS_BUILD_CACHE"):
        yield Path(chosen).absolute()
    elif (_ROOT / "setup.py").exists():
        yield _KEPT
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)


def compile_parts(parts: Sequence[Path], targets: Sequence[Any], cache: Path) -> list[Path]:
    """The folders with the objects of these parts for some platforms, and with the tables of their kernels.

    As many parts are compiled beside each other as the machine has processors. The parts that import most come first.
    """
    sources = {part: _sources(part) for part in parts}
    made = {part: cache / f"{_name_of(part)}-{_key(part, files)}" for part, files in sources.items()}
    missing = {
        part: names
        for part in sorted(parts, key=lambda one: len(sources[one]), reverse=True)
        if (names := [one.name for one in targets if not (made[part] / f"{one.name}.json").exists()])
    }
    start = time.perf_counter()
    if missing:
        _say(f"compiling {len(missing)} of {len(parts)} parts: {', '.join(map(_name_of, missing))}")

    def compiled(part: Path) -> int:
        command = [sys.executable, str(_HERE / "part.py"), _name_of(part), str(part), str(made[part]), *missing[part]]
        process = subprocess.Popen(command, env={**os.environ, **_SETTINGS})
        running.append(process)
        return process.wait()

    running: list[subprocess.Popen[bytes]] = []
    pool = ThreadPoolExecutor(os.cpu_count() or 1)
    try:
        failed = any(pool.map(compiled, missing))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in running:
            process.kill()
    if failed:
        raise SystemExit("ecsphys: the engine was not compiled")
    if missing:
        _say(f"compiled in {time.perf_counter() - start:.0f} s")
    if cache == _KEPT:
        mine = {_name_of(part) for part in parts}
        for old in set(cache.iterdir()) - set(made.values()):
            if old.name.rpartition("-")[0] in mine:
                shutil.rmtree(old)
    return list(made.values())


def _name_of(part: Path) -> str:
    """The name of a part in the symbols of its kernels."""
    return "_".join(part.relative_to(_ENGINE).parts) if part.is_relative_to(_ENGINE) else part.name


def _sources(part: Path) -> list[Path]:
    """The modules of a part and what compiles them, with all of the engine that they import."""
    found: set[Path] = set()
    new = {*part.glob("*.py"), _HERE / "part.py"}
    while new:
        found |= new
        new = {imported for path in new for imported in _imported(path)} - found
    return sorted(found)


@functools.cache
def _tree(path: Path) -> ast.Module:
    """A module without docstrings and comments."""
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and ast.get_docstring(node, clean=False) is not None
        ):
            del node.body[0]
    return tree


@functools.cache
def _imported(path: Path) -> list[Path]:
    """The modules of the engine that a module imports."""
    names: list[str] = []
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
    places = [_ROOT.joinpath(*name.split(".")) for name in names if name.startswith("ecsphys.engine.")]
    files = [file for place in places for file in (place.with_suffix(".py"), place / "__init__.py")]
    return [file for file in files if file.exists()]


class _Statement(NamedTuple):
    """A statement of a module; the names that it defines, None if it does something else; and all names in it."""

    text: str
    defines: set[str] | None
    names: set[str]


@functools.cache
def _statements(path: Path) -> list[_Statement]:
    statements = []
    for node in _tree(path).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            # It needs the names in it, which are looked for in all modules.
            statements += [_Statement("", {one.asname or one.name}, {one.name}) for one in node.names]
            continue
        defines = None
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            defines = {node.name}
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            defines = {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
        parts = list(ast.walk(node))
        names = {one.id for one in parts if isinstance(one, ast.Name)}
        names |= {one.attr for one in parts if isinstance(one, ast.Attribute)}
        names |= {one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)}
        statements.append(_Statement(f"{path.name}: {ast.dump(node)}", defines, names))
    return statements


def _key(part: Path, files: Sequence[Path]) -> str:
    """A hash of the tools, of the modules of a part, and of the definitions elsewhere that they need.

    A definition is needed if its name occurs in needed code, whichever module the name comes from.
    """
    always = {part, _HERE, _ENGINE / "kernels"}
    statements = [(file.parent in always, statement) for file in files for statement in _statements(file)]
    definitions: dict[str, list[int]] = {}
    for place, (_, statement) in enumerate(statements):
        for name in statement.defines or ():
            definitions.setdefault(name, []).append(place)
    new = [place for place, (is_whole, one) in enumerate(statements) if is_whole or one.defines is None]
    needed: set[int] = set()
    while new:
        needed.update(new)
        names = {name for place in new for name in statements[place][1].names}
        new = list({place for name in names for place in definitions.get(name, ())} - needed)
    tools = [f"{name} {version(name)}" for name in _TOOLS]
    text = "\n".join([*tools, *(statements[place][1].text for place in sorted(needed))])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write(path: Path, content: bytes) -> Path:
    """Write a file in one step: a program that runs has the old one until it ends, and another build may want it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_bytes(content)
    os.replace(part, path)
    return path


def link(target: Any, parts: Sequence[Path], folder: Path) -> Path:
    """Link the objects of all parts with the extension module; returns the library.

    All names of files are relative: the linker of macOS writes some of them into the library.
    """
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        tables = {
            part.name.rpartition("-")[0]: json.loads((part / f"{target.name}.json").read_text()) for part in parts
        }
        (work / "kernels.h").write_text(_table(target, tables))
        for source in ("extension.c", "step_gate.h"):
            shutil.copy(_HERE / source, work)
        objects = []
        for part, name in zip(parts, tables, strict=True):
            for processor in target.processors:
                objects.append(f"{processor.name}-{name}.o")
                shutil.copy(part / f"{target.name}-{processor.name}.o", work / objects[-1])
        _link(target, work, objects)
        library = write(folder / target.file, (work / target.file).read_bytes())
    _say(f"{library}, {library.stat().st_size / 1e6:.1f} MB")
    return library


def _link(target: Any, work: Path, objects: Sequence[str]) -> None:
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
    """The stamp by ``kernels/building.py``, which is not imported as a part of ecsphys: a build has fewer packages."""
    stamp: str = runpy.run_path(str(_HERE.parent / "kernels" / "building.py"))["source_stamp"]()
    return stamp


def _table(target: Any, tables: Mapping[str, Sequence[Mapping[str, str]]]) -> str:
    """The table of kernels, in C."""
    kernels = [(part, place, kernel) for part, table in tables.items() for place, kernel in enumerate(table)]
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
        symbols = [f"{name}_{part}_{place}" for part, place, _ in kernels]
        lines += [f"extern void ecsphys_entry_{one}(const int64_t *, int64_t *);" for one in symbols]
        lines += [f"extern void *const ecsphys_functions_{name}_{part}[];" for part in tables]
        lines += [f"static const Entry entries_{name}[] = {{{', '.join(f'ecsphys_entry_{one}' for one in symbols)}}};"]
        functions = ", ".join(f"&ecsphys_functions_{name}_{part}[{place}]" for part, place, _ in kernels)
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
