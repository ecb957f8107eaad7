"""How numba compiles the engine's functions: scalars up to LLVM's intermediate code, kernels to machine code.

numba would link, optimise and make machine code of each scalar, which nothing calls, and do so again for each that
calls it. Here a scalar's code goes into the kernels as it was lowered, and all is optimised there, at once.
"""

from __future__ import annotations

from typing import Any, Final

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

# Passes for what the engine has none of: `with` blocks, closures, comprehensions, tuples of mixed types in loops,
# exceptions with values of the run, functions that are inlined as Python. Each costs more than it looks like, as numba
# works out anew what lives where after it.
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
        "RewriteDynamicRaises",
        "RewriteSemanticConstants",
        "WithLifting",
    }
)

# It fuses expressions of whole arrays. Where nothing is allocated, there are none.
_ARRAY_PASS: Final = "NopythonRewrites"


class ScalarCode(JITCodeLibrary):  # type: ignore[misc]
    """A scalar's code as numba has lowered it, without that of what it calls."""

    def _optimize_functions(self, module: Any) -> None:
        # All that numba does here but to optimise.
        module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Leave all to the kernel."""
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """There is none."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> ScalarCode:
        """What is asked to :meth:`set_env`."""
        return self

    def set_env(self, name: str, environment: object) -> None:
        """Leave it: no machine code is there to read it."""


class KernelCode(JITCodeLibrary):  # type: ignore[misc]
    """A kernel's code, into which that of all scalars goes, also of those that only scalars call."""

    def finalize(self) -> None:
        """Link, optimise, and make machine code, as numba does."""
        # Callers before what they call: LLVM takes in only what is asked for by then.
        found = list(dict.fromkeys(self._linking_libraries))
        known = set(found)
        for library in found:
            if isinstance(library, ScalarCode):
                new = [one for one in dict.fromkeys(library._linking_libraries) if one not in known]
                for one in new:
                    self.add_linking_library(one)
                known.update(new)
                found += new
        super().finalize()

    def _optimize_final_module(self) -> None:
        # numba does it twice, to remove more reference counts. There are few: scalars have none.
        manager, builder = self._codegen._module_pass_manager()
        manager.run(self._final_module, builder)


class _EngineCompiler(Compiler):  # type: ignore[misc]
    """numba's compiler without the passes that change nothing here."""

    def define_pipelines(self) -> list[Any]:
        unused = _UNUSED_PASSES if self.state.flags.nrt else _UNUSED_PASSES | {_ARRAY_PASS}
        pipelines: list[Any] = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes[:] = [one for one in pipeline.passes if one[0].__name__ not in unused]
            pipeline.finalize()
        return pipelines


class ScalarCompiler(_EngineCompiler):
    """Compiles a scalar up to LLVM's intermediate code."""

    def compile_extra(self, function: Any) -> Any:
        """The compiled scalar."""
        self.state.library = ScalarCode(self.state.targetctx.codegen(), function.__qualname__)
        return super().compile_extra(function)


class KernelCompiler(_EngineCompiler):
    """Compiles a kernel and the scalars it calls to machine code."""

    def compile_extra(self, function: Any) -> Any:
        """The compiled kernel."""
        self.state.library = library = KernelCode(self.state.targetctx.codegen(), function.__qualname__)
        library.enable_object_caching()
        return super().compile_extra(function)
