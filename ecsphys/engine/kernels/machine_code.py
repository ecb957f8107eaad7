"""Functions as machine code: what the decorators of :mod:`ecsphys.engine.kernels.compilation` do with numba."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from numba import types
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import infer, infer_global, make_overload_template
from numba.extending import overload

from ecsphys.engine.compiler.scalar_code import KernelCompiler, ScalarCompiler
from ecsphys.engine.compiler.type_memory import remembering_types
from ecsphys.engine.kernels.compiler_session import CompilerSession, resting_collector
from ecsphys.engine.kernels.flat_kernels import flatten
from ecsphys.engine.kernels.kernel_cache import KernelCache, cache_folder

P = ParamSpec("P")
R = TypeVar("R")

# "numpy": a zero divisor gives inf or nan as in numpy, without a branch that raises; every kernel guards the
# divisions that can meet a zero.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}

# A scalar allocates nothing: saying so spares a reference count of every array argument in each call that is not
# inlined, and of every array that is taken out of a bundle. And nothing calls its machine code but compiled code: no
# wrappers for Python or C.
_SCALAR_OPTIONS: dict[str, Any] = {
    **_OPTIONS,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": ScalarCompiler,
}


class _Scalar:
    """How numba finds what to call for a scalar: compiled once for each type of its arguments.

    numba would do that once more for every kind of caller, a kernel, a scalar or an inlined one, as some options are
    handed down to what is called. All that could be, scalars have set.
    """

    context: Any
    _impl_cache: dict[Any, Any]
    _build_impl: Callable[..., Any]

    def _get_impl(self, arguments: Sequence[Any], keywords: dict[str, Any]) -> Any:
        key = self.context, tuple(arguments), tuple(keywords.items())
        if key in self._impl_cache:
            return self._impl_cache[key]
        return self._build_impl(key, arguments, keywords)


def make_scalar(function: Callable[P, R], allocates: bool = False, inlined: bool = False) -> Callable[P, R]:
    """Let kernels compile a function into themselves; to Python it stays the plain function it is."""
    # Without "forceinline": False, what a function that is always inlined calls would be inlined, too.
    options = _SCALAR_OPTIONS | {"_nrt": allocates, "forceinline": inlined}
    # What numba's register_jitable does, but for the one thing that _Scalar does.
    made = make_overload_template(function, lambda *_: function, options, strict=False, inline="never")
    template = type(function.__name__, (_Scalar, made), {})
    infer(template)
    infer_global(function, types.Function(template))
    return function


def make_kernel(function: Callable[..., Any], signature: str | None, allocates: bool = False) -> Any:
    """The function as a kernel, for this signature or that of its annotations."""
    if signature is not None:
        return CompiledKernel(function, signature)
    flat = flatten(function)
    compiled = CompiledKernel(flat.entry, flat.signature)
    called: Any = flat.make_caller(compiled)
    if called is not compiled:
        called.load, called.kept_in, called.py_func = compiled.load, compiled.kept_in, function
        called.is_missing, called.announce = compiled.is_missing, compiled.announce
        called.address = compiled.address
        # The entry is nothing but the kernel. Other kernels call it as they would a scalar.
        make_scalar(function, allocates, inlined=True)
        overload(called, jit_options=_SCALAR_OPTIONS | {"_nrt": allocates}, strict=False)(lambda *_: function)
    return called


class CompiledKernel(CPUDispatcher):  # type: ignore[misc]
    """A kernel with exactly one signature, loaded from the disk or compiled when it is first needed.

    Threads may load, compile and call it at once: one does the work, the others wait. Interrupted, it is as before.
    """

    # For the kernels that the one being compiled calls.
    _is_quiet = False

    def __init__(self, function: Callable[..., Any], signature: Any) -> None:
        options = {"nopython": True, "boundscheck": None, **_OPTIONS}
        super().__init__(function, targetoptions=options, pipeline_class=KernelCompiler)
        self._signature = signature
        self._files = KernelCache(function, signature)
        self._address: int | None = None

    def load(self, place: str = "", quiet: bool = False) -> bool:
        """Load the kernel unless it is; True where it had to be compiled, which is said on stderr unless ``quiet``.

        ``place`` is what to say before its name.
        """
        if not self._can_compile:
            return False
        with CompilerSession():
            if not self._can_compile:
                return False  # another thread was quicker
            kept = self._files.load(self.targetctx)
            if kept is None:
                if not quiet:
                    self.announce(place)
                was_quiet, CompiledKernel._is_quiet = CompiledKernel._is_quiet, quiet
                try:
                    with resting_collector(), remembering_types():
                        super().compile(self._signature)
                finally:
                    CompiledKernel._is_quiet = was_quiet
                self._files.save(self._result)
            else:
                self.targetctx.insert_user_function(kept.entry_point, kept.fndesc, [kept.library])
                self.add_overload(kept)
            # Arguments of other types are an error, not a reason to compile for seconds in the middle of a game.
            self.disable_compile()
            return kept is None

    def announce(self, place: str) -> None:
        """Say on stderr that the kernel is being compiled; ``place`` comes before its name."""
        where = "" if cache_folder() else "; no folder to keep it can be written"
        # There may be nothing any more to say it on.
        with suppress(OSError, ValueError):
            # In one piece: other threads tell of other kernels, and print() writes a line's end apart.
            line = f"ecsphys: compiling {place}{self.__name__} (first run only{where})\n"
            print(line, end="", file=sys.stderr, flush=True)

    def is_missing(self) -> bool:
        """Whether it has to be compiled, and can be kept then."""
        return bool(self._can_compile) and cache_folder() is not None and not self._files.look_ahead(self.targetctx)

    def kept_in(self) -> Path | None:
        """The folder that has the machine code, fresh and for this processor."""
        return self._files.kept_in(self.targetctx)

    def address(self) -> int:
        """Where the machine code is that compiled code calls (:mod:`ecsphys.engine.kernels.kernel_calls`)."""
        if self._address is None:
            self.load()
            self._address = self._result.library.get_pointer_to_function(self._result.fndesc.llvm_func_name)
        return self._address

    def compile(self, sig: Any) -> Any:
        """The machine code, whichever signature numba asks for: of the one there is, what fits is found later."""
        self.load(quiet=CompiledKernel._is_quiet)
        return self._result.entry_point

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """What numba calls, and then calls the result of, where a call finds no machine code that fits."""
        self.load()
        try:
            given = [self.typeof_pyval(argument) for argument in args]
            if self.typingctx.resolve_overload(self.py_func, self.nopython_signatures, given, {}) is None:
                self._explain_matching_error(*args)
        finally:
            self._types_active_call.clear()
        return self._result.entry_point

    @property
    def _result(self) -> Any:
        (result,) = self.overloads.values()
        return result
