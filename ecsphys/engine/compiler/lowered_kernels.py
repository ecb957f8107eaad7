"""Functions as LLVM's intermediate code: the work of the decorators of :mod:`ecsphys.engine.kernels.compilation` with
numba in the process that builds the library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, ParamSpec, TypeVar

from numba import types
from numba.core import sigutils
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import infer, infer_global, make_overload_template
from numba.extending import overload

from ecsphys.engine.compiler.flat_kernels import Flat, flatten, letters_of
from ecsphys.engine.compiler.lowering import EngineCompiler

P = ParamSpec("P")
R = TypeVar("R")

# "numpy": a zero divisor gives inf or nan as in numpy, without a branch that raises; every kernel guards the
# divisions that can meet a zero. Nothing allocates: saying so spares a reference count of every array argument in each
# call that is not inlined, and of every array that is taken out of a bundle.
_OPTIONS: Final[dict[str, Any]] = {
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": EngineCompiler,
    "_nrt": False,
}


class _Scalar:
    """How numba finds what to call for a scalar: compiled once for each type of its arguments.

    numba would do that once more for every kind of caller, a kernel, a scalar or an inlined one, as some options are
    handed down to called functions. All that could be, scalars have set.
    """

    context: Any
    _impl_cache: dict[Any, Any]
    _build_impl: Callable[..., Any]

    def _get_impl(self, arguments: Sequence[Any], keywords: dict[str, Any]) -> Any:
        key = self.context, tuple(arguments), tuple(keywords.items())
        if key in self._impl_cache:
            return self._impl_cache[key]
        return self._build_impl(key, arguments, keywords)


def make_scalar(function: Callable[P, R], inlined: bool = False) -> Callable[P, R]:
    """Let kernels compile a function into themselves."""
    # Without "forceinline": False, the callees of a function that is always inlined would be inlined, too.
    options = {**_OPTIONS, "forceinline": inlined}
    # What numba's register_jitable does, but for the one thing that _Scalar does.
    made = make_overload_template(function, lambda *_: function, options, strict=False, inline="never")
    template = type(function.__name__, (_Scalar, made), {})
    infer(template)
    infer_global(function, types.Function(template))
    return function


class LoweredKernel:
    """A kernel that is lowered when the library is made.

    Attributes
    ----------
    name
        Such as "broadphase.grid.find_pairs_grid".
    flat
        The function that is compiled in its place, without bundles.
    """

    def __init__(self, function: Callable[..., Any], signature: str | None) -> None:
        module = function.__module__.removeprefix("ecsphys.engine.")
        self.name, self.__name__ = f"{module}.{function.__name__}", function.__name__
        self.flat: Flat = flatten(function) if signature is None else _written(function, signature)
        all_kernels.append(self)
        make_scalar(function, inlined=True)
        overload(self, jit_options=_OPTIONS, strict=False)(lambda *_: function)

    def __call__(self, *arguments: Any) -> Any:
        """Only other kernels call it."""
        raise RuntimeError(f"{self.name} is not run while the library is built")

    def lower(self) -> Any:
        """numba's result: the description of the function, and its library."""
        options = {"nopython": True, "boundscheck": None, **_OPTIONS}
        pipeline = options.pop("pipeline_class")
        compiler = CPUDispatcher(self.flat.entry, targetoptions=options, pipeline_class=pipeline)._compiler
        return compiler.compile(self.flat.signature.args, self.flat.signature.return_type)


all_kernels: Final[list[LoweredKernel]] = []


def make_kernel(function: Callable[..., Any], signature: str | None) -> Any:
    """A kernel, for this signature or for its annotations."""
    return LoweredKernel(function, signature)


def _written(function: Callable[..., Any], signature: str) -> Flat:
    """A kernel of a signature that is written out."""
    arguments, result = sigutils.normalize_signature(signature)
    return Flat(function, result(*arguments), "".join(map(letters_of, arguments)))


def description_of(kernel: Any) -> tuple[str, str]:
    """The names of a kernel's flat arguments, and their types."""
    code = kernel.flat.entry.__code__
    return ",".join(code.co_varnames[: code.co_argcount]), kernel.flat.takes
