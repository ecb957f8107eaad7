"""How numba compiles the engine's functions: up to LLVM's intermediate code, which is optimised when all is together.

numba would link, optimise and make machine code of each function, and do so again for each that calls it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

from numba.core import funcdesc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import cpu_target

# Passes for features that the engine does not use: `with` blocks, closures, comprehensions, tuples of mixed types in
# loops, exceptions with values of the run, functions that are inlined as Python, expressions of whole arrays. Each
# costs more than it looks like, as numba works out the live variables again after it.
_UNUSED_PASSES: Final = frozenset(
    {
        "AnnotateTypes",
        "DumpParforDiagnostics",
        "InlineClosureLikes",
        "InlineInlinables",
        "InlineOverloads",
        "LiteralPropagationSubPipelinePass",
        "LiteralUnroll",
        "MakeFunctionToJitFunction",
        "NopythonRewrites",
        "RewriteDynamicRaises",
        "RewriteSemanticConstants",
        "WithLifting",
    }
)


class LoweredCode(JITCodeLibrary):  # type: ignore[misc]
    """A function's code as numba has lowered it, without the code of its callees."""

    def _optimize_functions(self, module: Any) -> None:
        # All that numba does here but to optimise.
        module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Leave all to what takes the code of all functions together."""
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Nothing."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> LoweredCode:
        """Takes the calls of :meth:`set_env`."""
        return self

    def set_env(self, name: str, environment: object) -> None:
        """Leave it: no machine code is there to read it."""


class EngineCompiler(Compiler):  # type: ignore[misc]
    """numba's compiler up to LLVM's intermediate code, without the passes that change nothing here."""

    def define_pipelines(self) -> list[Any]:
        """numba's, without those."""
        pipelines: list[Any] = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes[:] = [one for one in pipeline.passes if one[0].__name__ not in _UNUSED_PASSES]
            pipeline.finalize()
        return pipelines


def _short_name(name: str, types: Sequence[Any], *, abi_tags: Sequence[str] = (), uid: int | None = None) -> str:
    """A function's name in LLVM's code: numba would write out its types, thousands of letters with each call."""
    digest = hashlib.sha256(repr((name, [str(one) for one in types], tuple(abi_tags), uid)).encode())
    short = f"{name.rpartition('.')[2].strip('<>')}_{digest.hexdigest()[:16]}"
    return f"_ZN{len(short)}{short}E"


def lower_only() -> None:
    """Let numba make no machine code, also not of its own functions."""
    funcdesc.default_mangler = _short_name
    cpu_target.target_context.codegen()._library_class = LoweredCode
