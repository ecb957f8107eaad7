"""Kernels as object files: ``python part.py NAME MODULES FOLDER TARGET …``.

MODULES is the folder of their modules. Each part is made in a process of its own, which numba finds set up as the build
needs it.

The bits of its results are the same everywhere. IEEE 754 defines + − · / and √, and what rounds to whole numbers.
Everything else depends on the processor or on its C library: products and sums fused into one rounding, operations in
another order, and transcendental functions.
"""

from __future__ import annotations

import gc
import importlib
import json
import re
import sys
import types as python_types
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import llvmlite.binding as llvm

# numba would check its reads of arrays in foreign memory, and count their references. They have no owner.
_NO_REFERENCES = "define internal void @NRT_{}cref(ptr %p) alwaysinline {{ ret void }}\n"
_REFERENCES = re.compile(r"define [^\n]*@NRT_(in|de)cref\(.*?\n}\n", re.DOTALL)

# Functions of the extension.
_FOUND_ELSEWHERE = {"ecsphys_pause", "numba_frexp", "numba_ldexp"}

# Of all platforms: what differs between them, such as how names are written, is not known yet.
_LAYOUT: Final = "e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
# The web's pointers have 32 bits, and with them the places of fields that follow a pointer.
_WEB_LAYOUT: Final = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"

# Functions of LLVM on floats whose result is exact, rounded once, or a copy.
_EXACT: Final = frozenset(
    ("ceil", "copysign", "fabs", "floor", "is.fpclass", "masked.load", "masked.store", "sqrt", "trunc")
)
_OF_FLOATS: Final = re.compile(r"llvm\.([a-z0-9.]+?)\.(?:v\d+)?f\d+\b")
_LOOSE: Final = re.compile(r"\b(?:f[a-z]+|call|select|phi) (?:nnan|ninf|nsz|arcp|contract|afn|reassoc|fast)\b.*")


def stand_alone(engine: Path) -> None:
    """Let the engine be imported without the rest of ecsphys, which needs more than a build has."""
    package = python_types.ModuleType("ecsphys")
    package.__path__ = [str(engine.parent)]
    sys.modules["ecsphys"] = package


def main(name: str, modules: Path, folder: Path, targets: Sequence[str]) -> None:
    """Write into a folder the objects of a part for these targets; and then, for each, the table of its kernels."""
    gc.disable()
    engine = Path(__file__).parents[1]
    stand_alone(engine)
    # Before the modules beside this one, which it imports in its order.
    importlib.import_module("ecsphys.engine.kernels")
    from ecsphys.engine.compiler.build import write
    from ecsphys.engine.compiler.lowering import remembering_types
    from ecsphys.engine.compiler.targets import TARGETS

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    with remembering_types():
        text, table = _lowered(_modules(modules, engine))
    symbols = {symbol for kernel in table for symbol in kernel["symbols"]}
    simple_by_size: dict[bool, bytes] = {}
    for target in map(TARGETS.__getitem__, targets):
        if target.is_web not in simple_by_size:
            simple_by_size[target.is_web] = _simplified(text, symbols, target.is_web)
        for processor in target.processors:
            simple = simple_by_size[target.is_web]
            code = _emitted(simple, [kernel["symbols"] for kernel in table], target, processor, name)
            write(folder / f"{target.name}-{processor.name}.o", code)
        write(folder / f"{target.name}.json", json.dumps(table).encode())


def _modules(folder: Path, engine: Path) -> list[str]:
    """The names of the modules in a folder, of the engine or outside it."""
    above = engine.parents[1] if folder.is_relative_to(engine) else folder.parent
    sys.path.insert(0, str(above))
    return [".".join(path.relative_to(above).with_suffix("").parts) for path in sorted(folder.glob("*.py"))]


def _lowered(modules: Sequence[str]) -> tuple[str, list[dict[str, Any]]]:
    """LLVM's code of the kernels of some modules, not optimised, and the table of them for the extension."""
    from ecsphys.engine.compiler.entries import add_entry, letters_of
    from ecsphys.engine.compiler.lowering import all_kernels, description_of, lower_only

    lower_only()
    for module in modules:
        importlib.import_module(module)
    names = {module.removeprefix("ecsphys.engine.") for module in modules}
    mine = [one for one in all_kernels if one.name.rpartition(".")[0] in names]
    mine.sort(key=lambda one: one.name)
    made: list[Any] = []
    table: list[dict[str, Any]] = []
    for kernel in mine:
        result = kernel.lower()
        entry = add_entry(result, f"ecsphys_entry_{len(table)}")
        made += [result.library, entry]
        signature = kernel.flat.signature
        given = signature.return_type
        arguments, takes = description_of(kernel)
        table.append(
            {
                "name": kernel.name,
                "arguments": arguments,
                "takes": takes,
                "gives": f"({''.join(map(letters_of, given))}" if hasattr(given, "count") else letters_of(given),
                "symbols": (f"ecsphys_entry_{len(table)}", result.fndesc.llvm_func_name),
            }
        )
    return linked(made), table


def linked(libraries: Sequence[Any]) -> str:
    """The text of a module with the code of these, in the same order for the same sources."""
    found = list(dict.fromkeys(libraries))
    known = set(found)
    for library in found:
        new = [one for one in dict.fromkeys(library._linking_libraries) if one not in known]
        known.update(new)
        found += new
    modules = [library._final_module for library in found]
    # In pairs, as to link into a large module takes long.
    while len(modules) > 1:
        for k in range(0, len(modules) - 1, 2):
            modules[k].link_in(modules[k + 1])
        modules = modules[::2]
    return str(modules[0]) if modules else str(llvm.parse_assembly(""))


def refuse_inexact_functions(names: Iterable[str]) -> None:
    """SystemExit if IEEE 754 does not define one of these functions, which LLVM's code declares."""
    wrong = sorted(name for name in names if (found := _OF_FLOATS.match(name)) and found[1] not in _EXACT)
    if wrong:
        listed = ", ".join(wrong)
        raise SystemExit(f"kernels may only use arithmetic that is the same everywhere, but they need {listed}")


def refuse_loose_arithmetic(code: str) -> None:
    """SystemExit if LLVM may reorder, contract or approximate an operation in some LLVM code."""
    if wrong := _LOOSE.search(code):
        raise SystemExit(f"kernels must be compiled without fast-math flags, but there is: {wrong[0]}")


def _simplified(text: str, symbols: Collection[str], is_web: bool) -> bytes:
    """All that can be done at once for all processors with pointers of this size: a thirtieth remains. Vectors
    come later.

    All but kernels and their entries goes into these, or away.
    """
    text = _REFERENCES.sub(lambda match: _NO_REFERENCES.format(match[1]), text)
    text = re.sub(r"^target .*$", "", text, flags=re.MULTILINE)
    # What numba knows as a function of C is an instruction.
    for declares in ("declare", "call"):
        text = text.replace(f"{declares} double @sqrt(", f"{declares} double @llvm.sqrt.f64(")
    module = llvm.parse_assembly(f'target datalayout = "{_WEB_LAYOUT if is_web else _LAYOUT}"\n{text}')
    for value in [*module.functions, *module.global_variables]:
        if not value.is_declaration and value.name not in symbols:
            value.linkage = "internal"
    triple, cpu = ("wasm32-unknown-emscripten", "generic") if is_web else ("x86_64-unknown-linux-gnu", "x86-64-v2")
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=cpu, opt=3)
    _optimise(module, machine, with_vectors=False)
    needed = {one.name for one in module.functions if one.is_declaration and not one.name.startswith("llvm.")}
    if unknown := needed - _FOUND_ELSEWHERE:
        raise SystemExit(f"kernels may only call each other, but they need {', '.join(sorted(unknown))}")
    refuse_loose_arithmetic(str(module))
    code: bytes = module.as_bitcode()
    return code


def _emitted(simple: bytes, symbols: Sequence[Sequence[str]], target: Any, processor: Any, name: str) -> bytes:
    """The object of a part for a processor."""
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=processor.cpu, features=processor.features, opt=3, reloc="pic", codemodel="default"
    )
    module = llvm.parse_bitcode(simple)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    kept = {}
    for place, (entry, function) in enumerate(symbols):
        suffix = f"{processor.name.replace('-', '_')}_{name}_{place}"
        kept[entry], kept[function] = f"ecsphys_entry_{suffix}", f"ecsphys_function_{suffix}"
    for value in [*module.functions, *module.global_variables]:
        if value.name in kept:
            value.name = kept[value.name]
            value.linkage, value.visibility = "external", "hidden" if "windows" not in target.triple else "default"
    # C cannot name these functions: in WebAssembly it would have to declare the very types of their arguments.
    functions = [kept[function] for _, function in symbols]
    table = f"@ecsphys_functions_{processor.name.replace('-', '_')}_{name}"
    listed = ", ".join(f"ptr @{one}" for one in functions)
    text = "\n".join(f"declare void @{one}()" for one in functions)
    module.link_in(llvm.parse_assembly(f"{text}\n{table} = hidden constant [{len(functions)} x ptr] [{listed}]"))
    _optimise(module, machine, with_vectors=True)
    refuse_inexact_functions(one.name for one in module.functions if one.is_declaration)
    code: bytes = machine.emit_object(module)
    return code


def _optimise(module: Any, machine: Any, with_vectors: bool) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = with_vectors
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:])
