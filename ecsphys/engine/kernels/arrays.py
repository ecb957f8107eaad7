"""Arrays as kernels take them: their types for annotations, bundles of them, and buffers that are kept.

Kernels are compiled for the types of their annotations. numpy's own types leave the number of dimensions open. To a
type checker each type here is the plain ``NDArray``. An array of records whose rows are read whole is annotated beside
its dtype: ``Annotated[NDArray[np.void], Layout(DTYPE, 1)]``.

Arrays that belong together are one argument, a NamedTuple, a *bundle*. A field may be an array, a number, or a bundle
itself. A bundle that is kept from call to call may be :func:`packed`: Python then hands over one number, the address of
the addresses and shapes of all arrays. An array takes 0.09 µs, a number 0.02.

A kept buffer grows at once, and shrinks after a while in which little of it was used (:class:`Capacity`).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np
from numpy import float32, float64, int32, int64, uint8, uint32
from numpy.typing import DTypeLike, NDArray

from ecsphys.engine.kernels.building import NamedTuple


class Layout(NamedTuple):
    """The type of an array that lies in memory without gaps, row by row."""

    dtype: DTypeLike
    dimensions: int


Float64s = Annotated[NDArray[float64], Layout(float64, 1)]
Float64Rows = Annotated[NDArray[float64], Layout(float64, 2)]
Float64Blocks = Annotated[NDArray[float64], Layout(float64, 3)]
Float32Blocks = Annotated[NDArray[float32], Layout(float32, 3)]
Int64s = Annotated[NDArray[int64], Layout(int64, 1)]
Int64Rows = Annotated[NDArray[int64], Layout(int64, 2)]
Int32s = Annotated[NDArray[int32], Layout(int32, 1)]
Int32Rows = Annotated[NDArray[int32], Layout(int32, 2)]
Uint32s = Annotated[NDArray[uint32], Layout(uint32, 1)]
Uint32Rows = Annotated[NDArray[uint32], Layout(uint32, 2)]
Uint8Rows = Annotated[NDArray[uint8], Layout(uint8, 2)]
Uint8s = Annotated[NDArray[uint8], Layout(uint8, 1)]


def record(floats: str, wholes: str = "") -> np.dtype[np.void]:
    """A record of float64 and int64 fields with these names, for kernels that read ``rows[k].name``."""
    return np.dtype([(name, float64) for name in floats.split()] + [(name, int64) for name in wholes.split()])


Bundle = TypeVar("Bundle", bound=tuple[Any, ...])


def is_bundle(annotation: Any) -> bool:
    """Whether a type is a NamedTuple."""
    return isinstance(annotation, type) and issubclass(annotation, tuple) and hasattr(annotation, "_fields")


def packed(bundle: type[Bundle]) -> type[Bundle]:
    """Hand this bundle, of nothing but arrays and bundles that are packed themselves, over to kernels as one number.

    It is the address of numbers that are written once for each object: it pays for bundles that are kept. Kernels trust
    it: the arrays must stay where they are, as numpy's do unless they are resized.
    """
    names = {"__module__": bundle.__module__, "__qualname__": bundle.__qualname__, "__doc__": bundle.__doc__}
    # Copies have other arrays, so they do not take along the numbers of these.
    written: dict[str, Any] = {
        "addresses": _Once("addresses", _addresses),
        "address": _Once("address", _address),
        "__getstate__": _no_state,
    }
    return cast("type[Bundle]", type(bundle.__name__, (bundle,), {**names, **written}))


def are_same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether two bundles, or the arguments of two calls, are the very same arrays and numbers: then results for the
    one may stay."""
    for a, b in zip(one, other, strict=True):
        if a is not b and not (are_same(a, b) if isinstance(a, tuple) else isinstance(a, float | int) and a == b != 0):
            return False
    return True


class _Once:
    """A value that is made when it is first read; of threads that make it at once, the first has its way for all.

    A kernel may read the address of another that was freed.
    """

    def __init__(self, name: str, make: Callable[[Any], Any]) -> None:
        self._name = name
        self._make = make

    def __get__(self, bundle: Any, kind: Any = None) -> Any:
        return self if bundle is None else bundle.__dict__.setdefault(self._name, self._make(bundle))


def _no_state(bundle: Any) -> None:
    """What copies of a bundle take along beside its fields."""


def is_packed(annotation: Any) -> bool:
    """Whether a type is a bundle that is handed over as one number."""
    return is_bundle(annotation) and hasattr(annotation, "address")


def _address(bundle: Any) -> int:
    """Where the bundle's addresses are; they live as long as it does."""
    return address_of(bundle.addresses)


def address_of(array: NDArray[Any]) -> int:
    """Where an array's first element is."""
    # Not by ``__array_interface__``, which describes the fields of records at length.
    return array.ctypes.data


def _addresses(bundle: Any) -> NDArray[int64]:
    """The address and the shape of each array; TypeError for one that is not as its annotation says."""
    numbers: list[int] = []
    kind: Any = type(bundle)
    for (name, layout), array in zip(layouts_of(kind), bundle, strict=True):
        if layout is None:
            numbers += array.addresses.tolist()
            continue
        if array.dtype != layout.dtype or array.ndim != layout.dimensions or not array.flags.c_contiguous:
            raise TypeError(
                f"{type(bundle).__name__}.{name} must be {layout.dimensions}-dimensional {np.dtype(layout.dtype)}"
                f" without gaps, got {array.dtype} of shape {array.shape} and strides {array.strides}"
            )
        numbers += (address_of(array), *array.shape)
    return np.array(numbers, int64)


@functools.cache
def layouts_of(bundle: Any) -> tuple[tuple[str, Layout | None], ...]:
    """Of a packed bundle the names of its fields and what their arrays are like, None for a bundle."""
    return tuple((name, None if is_packed(of) else layout_of(of)) for name, of in fields_of(bundle))


def layout_of(annotation: Any) -> Layout:
    """The type in an array's annotation; TypeError for any other annotation."""
    if get_origin(annotation) is Annotated:
        for layout in get_args(annotation)[1:]:
            if isinstance(layout, Layout):
                return layout
    raise TypeError(f"{annotation} is no number, no bundle, and no array of ecsphys.engine.kernels.arrays")


def fields_of(bundle: Any) -> list[tuple[str, Any]]:
    annotations = get_type_hints(bundle, include_extras=True)
    return [(field, annotations[field]) for field in bundle._fields]


# No buffer shrinks below this many rows: there would be nothing to gain.
_LEAST_ROWS = 1024

# A buffer shrinks after so many fillings in a row that used less than a quarter of it.
_PATIENCE = 60


def grown(needed: int) -> int:
    """The capacity for a need that may grow."""
    return needed + needed // 8 + 64


class Capacity:
    """Chooses the capacity of one kept buffer, or of several of one length, from what each filling needs.

    It knows only the history; how much is held is the length of the buffer itself, so that the two cannot disagree.
    Choose before anything is written, once a filling, and allocate everything before the first buffer is replaced.

    Parameters
    ----------
    patience
        It shrinks after so many fillings in a row that used less than a quarter of it; 1 for a buffer that is
        filled only when the world changes.
    """

    __slots__ = ("_most", "_patience", "_sparse")

    def __init__(self, patience: int = _PATIENCE) -> None:
        self._patience = patience
        self._sparse = 0
        self._most = 0

    def choose(self, needed: int, held: int) -> int:
        """The capacity for a filling of ``needed`` rows; where it is not ``held``, replace the buffer."""
        if needed > held:
            self._sparse = self._most = 0
            return grown(needed)
        if held <= _LEAST_ROWS or 4 * needed >= held:
            self._sparse = self._most = 0
            return held
        self._sparse += 1
        self._most = max(self._most, needed)
        if self._sparse < self._patience:
            return held
        most = self._most
        self._sparse = self._most = 0
        return max(grown(most), _LEAST_ROWS)


_CACHE_LINE = 64


def aligned_zeros(rows: int, columns: int) -> NDArray[float64]:
    """Zeros of shape (rows, columns) that begin with a cache line: no row of 4 or 8 numbers is in one more than needed.

    numpy itself begins 16 bytes off, so that every row of 64 bytes, read at random, would cost two lines.
    """
    spare = _CACHE_LINE // 8
    block = np.zeros(rows * columns + spare)
    start = (-block.ctypes.data % _CACHE_LINE) // 8
    return block[start : start + rows * columns].reshape(rows, columns)


def zeros_of(bundle: type[Bundle], *shapes: int | tuple[int, ...]) -> Bundle:
    """A bundle of arrays of zeros, which have these shapes. Rows and blocks of floats begin with a cache line."""
    arrays: list[NDArray[Any]] = []
    for (_, layout), shape in zip(layouts_of(bundle), shapes, strict=True):
        assert layout is not None
        if isinstance(shape, tuple) and np.dtype(layout.dtype).kind == "f":
            count, size = math.prod(shape), np.dtype(layout.dtype).itemsize
            numbers = aligned_zeros(1, (count * size + 7) // 8).reshape(-1).view(layout.dtype)[:count]
            arrays.append(numbers.reshape(shape))
        else:
            arrays.append(np.zeros(shape, layout.dtype))
    return bundle(*arrays)
