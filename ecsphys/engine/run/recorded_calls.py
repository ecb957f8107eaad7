"""Calls of kernels that are written down as words, so that another kernel can make them again.

A recorded call is a run of int64 words: the address of the kernel's machine code, then its arguments one by one. An
array takes its address and its shape, a number one word. A plan has room for the calls of some kernels at fixed places
(:class:`CallPlaces`). So a kernel can change single arguments, such as how many rows an array has, before it makes a
call.

The words do not own the named arrays: the caller of ``record`` keeps its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.engine.kernels import IS_BUILDING
from ecsphys.engine.kernels.kernel_calls import places_of


class CallPlaces:
    """Where the calls of some kernels are in a plan, from a first word on.

    Attributes
    ----------
    first
        The first word of each call, by the kernel's name; of several calls, of the first one.
    size
        How many words a call has.
    end
        The word after the last.
    """

    def __init__(self, kernels: Sequence[Callable[..., Any]], first: int, calls: dict[str, int]) -> None:
        """``calls``: how many calls there may be, for the names of kernels that may be called more than once."""
        self.first: dict[str, int] = {}
        self.size: dict[str, int] = {}
        self._arguments: dict[str, dict[str, int]] = {}
        for kernel in kernels:
            name = kernel.__name__
            self.first[name] = first
            places: dict[str, int] = {}
            word = first + 1
            for argument, takes in places_of(kernel):
                places[argument] = word
                word += _size_of(takes)
            self._arguments[name] = places
            self.size[name] = word - first
            first += self.size[name] * calls.get(name, 1)
        self.end = first

    def argument(self, kernel: Callable[..., Any], name: str) -> int:
        """The first word of an argument; of a bundle's part ``name`` is like ``grid.starts``."""
        return self._arguments[kernel.__name__][name.replace(".", "__")]


def as_word(number: float) -> int:
    """A floating-point number as a word."""
    return int(float64(number).view(int64))


def _size_of(takes: str) -> int:
    return 1 + int(takes[-1]) if takes[0] == "A" else 1


if IS_BUILDING:
    from ecsphys.engine.compiler.arrays import arrays_at
    from ecsphys.engine.compiler.instructions import recorded_call


def recorded(kernel: Callable[..., Any]) -> Callable[[NDArray[int64], int], Any]:
    """For compiled code: a function of a plan and the first word of a call of this kernel, which makes the call."""
    return recorded_call(kernel) if IS_BUILDING else lambda plan, first: kernel


def noted_array(dtype: Any) -> Callable[[int, int], NDArray[Any]]:
    """For compiled code: a function of a plan's address and a word in it.

    It gives the one-dimensional array whose address and length are at that word.
    """
    return arrays_at(np.dtype(dtype), 1) if IS_BUILDING else lambda address, first: np.zeros(0, dtype)
