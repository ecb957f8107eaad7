"""Kernels that take their data by name: arrays that belong together are one argument, a NamedTuple, a *bundle*.

numba takes long to unpack a NamedTuple that comes from Python. So a flat entry is compiled, which takes all
arrays one by one and makes the bundles again, at no cost in machine code; Python calls a function that takes the
bundles and hands over their arrays. Both are generated from the annotations
(:mod:`ecsphys.engine.kernels.flat_kernels`), as if one had written ::

    def find_pairs(grid: GridArrays, pairs: Int32Rows) -> int: ...

    def entry(starts, boxes, pairs):                    # compiled for u4[::1], f8[:, ::1], i4[:, ::1]
        return find_pairs(GridArrays(starts, boxes), pairs)

    def find_pairs(grid, pairs):                        # it has the kernel's name
        return entry(*(grid + (pairs,)))

A field may be an array, a number, or a bundle itself. A call with 37 arrays takes 3.0 µs where it names them all, 2.75
in five bundles, and 7.4 where numba unpacks these.

A bundle of arrays that is kept from call to call may be :func:`packed`: then one number is handed over, where
the addresses and shapes of all are written down. An array takes 0.09 µs, a number 0.02.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.kernels.array_types import Layout

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
    raise TypeError(f"{annotation} is no number, no bundle, and no array of ecsphys.engine.kernels.array_types")


def fields_of(bundle: Any) -> list[tuple[str, Any]]:
    annotations = get_type_hints(bundle, include_extras=True)
    return [(field, annotations[field]) for field in bundle._fields]
