"""The check of LLVM's code: nothing that may differ between processors is let through."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("llvmlite")
part: Any = pytest.importorskip("ecsphys.engine.compiler.part")


@pytest.mark.parametrize("name", ["fma", "fmuladd", "sin", "exp", "log", "pow", "minnum", "vector.reduce.fadd"])
@pytest.mark.parametrize("kind", ["f64", "v4f64", "f32"])
def test_a_function_that_processors_or_libraries_round_differently_is_refused(name: str, kind: str) -> None:
    with pytest.raises(SystemExit, match=rf"the same everywhere, but they need llvm\.{name}\.{kind}"):
        part.refuse_inexact_functions(["llvm.sqrt.f64", f"llvm.{name}.{kind}"])


def test_functions_that_have_one_result_pass() -> None:
    floats = ["llvm.sqrt.v2f64", "llvm.copysign.f64", "llvm.masked.load.v8f64.p0", "llvm.is.fpclass.f64"]
    part.refuse_inexact_functions([*floats, "llvm.smax.v4i32", "llvm.memset.p0.i64", "numba_frexp"])


@pytest.mark.parametrize(
    "line",
    [
        "%3 = fmul fast double %1, %2",
        "%3 = fadd contract <4 x double> %1, %2",
        "%3 = fdiv arcp double %1, %2",
        "%3 = fcmp nnan ogt double %1, %2",
        "%3 = tail call reassoc double @llvm.sqrt.f64(double %1)",
    ],
)
def test_an_operation_that_may_be_contracted_or_reordered_is_refused(line: str) -> None:
    with pytest.raises(SystemExit, match="without fast-math flags, but there is"):
        part.refuse_loose_arithmetic(f"  %1 = fadd double %0, 1.0\n  {line}\n")


def test_plain_arithmetic_passes() -> None:
    part.refuse_loose_arithmetic('source_filename = "fast"\n  %3 = fmul double %1, %2\n')
    part.refuse_loose_arithmetic("  %4 = tail call double @fast(double %3)\n")
