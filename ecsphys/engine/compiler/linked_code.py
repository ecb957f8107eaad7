"""The code of functions, and of all that they call, as one module of LLVM; and the check that its bits are the same
everywhere.

IEEE 754 defines + − · / and √, and what rounds to whole numbers. Everything else depends on the processor or on its
C library: products and sums fused into one rounding, operations in another order, and transcendental functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

import llvmlite.binding as llvm

# Functions of LLVM on floats whose result is exact, rounded once, or a copy.
_EXACT: Final = frozenset(
    ("ceil", "copysign", "fabs", "floor", "is.fpclass", "masked.load", "masked.store", "sqrt", "trunc")
)
_OF_FLOATS: Final = re.compile(r"llvm\.([a-z0-9.]+?)\.(?:v\d+)?f\d+\b")
_LOOSE: Final = re.compile(r"\b(?:f[a-z]+|call|select|phi) (?:nnan|ninf|nsz|arcp|contract|afn|reassoc|fast)\b.*")


def linked(libraries: Sequence[Any]) -> str:
    """The text of a module with the code of these, in the same order for the same sources."""
    found = list(dict.fromkeys(libraries))
    known = set(found)
    for library in found:
        new = [one for one in dict.fromkeys(library._linking_libraries) if one not in known]
        known.update(new)
        found += new
    modules = [library._final_module for library in found]
    # In pairs, as to link into a large module takes long.
    while len(modules) > 1:
        for k in range(0, len(modules) - 1, 2):
            modules[k].link_in(modules[k + 1])
        modules = modules[::2]
    return str(modules[0]) if modules else str(llvm.parse_assembly(""))


def refuse_inexact_functions(names: Iterable[str]) -> None:
    """SystemExit if IEEE 754 does not define one of these functions, which LLVM's code declares."""
    wrong = sorted(name for name in names if (found := _OF_FLOATS.match(name)) and found[1] not in _EXACT)
    if wrong:
        listed = ", ".join(wrong)
        raise SystemExit(f"kernels may only use arithmetic that is the same everywhere, but they need {listed}")


def refuse_loose_arithmetic(code: str) -> None:
    """SystemExit if LLVM may reorder, contract or approximate an operation in some LLVM code."""
    if wrong := _LOOSE.search(code):
        raise SystemExit(f"kernels must be compiled without fast-math flags, but there is: {wrong[0]}")
