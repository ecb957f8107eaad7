"""The decorators of the engine: functions are kernels, or parts of kernels.

* :func:`scalar` marks small functions that read like a formula; they are compiled into the kernels that call them.
* :func:`kernel` marks the few functions that Python calls. Each has exactly one signature.

Kernels come from the library ``ecsphys._engine``, machine code that was built with the package. In the processes that
build it, numba makes them (:mod:`ecsphys.engine.compiler`): ``python -m ecsphys.build`` sets ``ECSPHYS_ENGINE=build``
for these alone.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar, overload

from ecsphys.engine.kernels.building import ENGINE_FOLDER, IS_BUILDING, source_stamp

P = ParamSpec("P")
R = TypeVar("R")

BUILD_COMMAND: Final = "python -m ecsphys.build"
_FILE: Final = Path(__file__).parents[2] / ("_engine.pyd" if sys.platform == "win32" else "_engine.abi3.so")


def _load() -> Any:
    """The module; ImportError if it is not there for these sources."""
    if "free-threading build" in sys.version:
        # The layout of its objects is another: it must not load the library.
        version = ".".join(map(str, sys.version_info[:2]))
        raise ImportError(
            f"ecsphys needs a Python with the GIL: this one, {version}t, is free-threaded and cannot load {_FILE}."
            f" Install the regular build of Python {version}"
        )
    try:
        _refuse_cut(_FILE)
        import ecsphys._engine as _engine
    except ImportError as error:
        raise ImportError(_reason(error)) from error
    # Where there is a clone's project file, the sources may be edited.
    if (ENGINE_FOLDER.parents[1] / "pyproject.toml").exists() and _engine.source_stamp != source_stamp():
        raise ImportError(
            f"{Path(_engine.__file__).name} was built from other sources than those in {ENGINE_FOLDER}. Run:"
            f" {BUILD_COMMAND}"
        )
    _engine.choose(os.environ.get("ECSPHYS_CPU"))
    return _engine


def _reason(error: ImportError) -> str:
    """Why the library was not loaded, and what helps."""
    if "interpreter" in str(error):
        return f"ecsphys works in one interpreter of a process ({error}). Start another process for more worlds"
    return (
        f"ecsphys cannot load its machine code, {_FILE} ({error}). Install ecsphys again, by a wheel for this platform;"
        f" in a clone run: {BUILD_COMMAND}"
    )


def _refuse_cut(file: Path) -> None:
    """ImportError for a file of Linux that does not go on to its end: Linux itself would end Python with a signal.

    The last of such a file is its table of sections.
    """
    if not file.exists():
        return
    with file.open("rb") as opened:
        header = opened.read(64)
    if header[:4] == b"\x7fELF":
        start, size, count = struct.unpack_from("<40xQ10xHH", header.ljust(64, b"\0"))
        if file.stat().st_size < max(start + size * count, 64):
            raise ImportError(f"{file.name} is cut off")


if IS_BUILDING:
    from ecsphys.engine.compiler.lowering import description_of as description_of
    from ecsphys.engine.compiler.lowering import make_kernel, make_scalar
else:
    library: Final = _load()

    def make_scalar(function: Callable[P, R], inlined: bool = False) -> Callable[P, R]:
        """The function: machine code has it already, and for Python it stays as it is."""
        return function

    def make_kernel(function: Callable[..., Any], signature: str | None) -> Any:
        """The machine code for a function."""
        return library.kernels[f"{function.__module__.removeprefix('ecsphys.engine.')}.{function.__name__}"]

    def description_of(kernel: Any) -> tuple[str, str]:
        """The names of a kernel's flat arguments, and their types."""
        described: tuple[str, str] = library.places(kernel)
        return described


def scalar(function: Callable[P, R]) -> Callable[P, R]:
    """Let kernels compile a small function, which allocates nothing, into themselves.

    To Python it stays the plain function it is: a one-off call runs the same source.
    """
    return make_scalar(function)


def inlined_scalar(function: Callable[P, R]) -> Callable[P, R]:
    """A :func:`scalar` with so many array arguments that handing them over would cost more than its work."""
    return make_scalar(function, inlined=True)


@overload
def kernel(wanted: Callable[P, R]) -> Callable[P, R]: ...


@overload
def kernel(wanted: str) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def kernel(wanted: Any) -> Any:
    """Mark a function that Python calls, with one signature.

    The signature comes from the annotations: numbers, and arrays and bundles of
    :mod:`ecsphys.engine.kernels.arrays`. Or ``@kernel("f8(f8[::1])")`` gives it.
    """
    if not isinstance(wanted, str):
        return make_kernel(wanted, None)
    return lambda function: make_kernel(function, wanted)
