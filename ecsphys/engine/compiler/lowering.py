"""How numba compiles the engine's functions: up to LLVM's intermediate code, which is optimised when all is together.

numba would link, optimise and make machine code of each function, and do so again for each that calls it. Its findings
about types are remembered: it asks dozens of times in each function what ``float * float`` gives. It goes
through a dozen candidates each time, and lists all its settings for each of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, ParamSpec, TypeVar

from numba import types
from numba.core import funcdesc, sigutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.targetconfig import TargetConfig
from numba.core.typing.context import BaseContext
from numba.core.typing.templates import infer, infer_global, make_overload_template
from numba.extending import overload

from ecsphys.engine.compiler.entries import Flat, flatten, letters_of

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


_resolve: Any = getattr(BaseContext, "_resolve_user_function_type", None)
_values: Any = getattr(TargetConfig, "values", None)

# By function and types of the arguments; the functions are kept, so that their numbers stay theirs.
_found: dict[tuple[int, tuple[Any, ...]], tuple[Any, Any]] = {}

# By class of settings.
_defaults: dict[type, dict[str, Any]] = {}

_NUMBERS = (types.Number, types.Boolean)


def _remembered(context: Any, function: Any, arguments: Any, keywords: Any, *others: Any) -> Any:
    """The signature of a function of numba's for these types, as found before where all are numbers."""
    if keywords or others or type(function) is not types.Function:
        return _resolve(context, function, arguments, keywords, *others)
    if not all(isinstance(one, _NUMBERS) for one in arguments):
        return _resolve(context, function, arguments, keywords)
    key = id(function), tuple(arguments)
    if key in _found:
        return _found[key][1]
    signature = _resolve(context, function, arguments, keywords)
    if signature is not None:
        _found[key] = function, signature
    return signature


def _listed(config: Any) -> dict[str, Any]:
    """All settings, without a call for each."""
    kind = type(config)
    if kind not in _defaults:
        _defaults[kind] = {name: option.default for name, option in config.options.items()}
    return {**_defaults[kind], **config._values}


@contextmanager
def remembering_types() -> Iterator[None]:
    """A block in which numba looks things up that it has found out before. Results that are gone are left out."""
    if _resolve is None or _values is None:
        yield
        return
    BaseContext._resolve_user_function_type, TargetConfig.values = _remembered, _listed
    try:
        yield
    finally:
        BaseContext._resolve_user_function_type, TargetConfig.values = _resolve, _values


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
