"""The check that kernels compute what their sources say, to the last bit, on every processor.

IEEE 754 defines + − · / and √, and what rounds to whole numbers. Everything else depends on the processor or on its
C library: products and sums fused into one rounding, operations in another order, and transcendental functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

# Of LLVM's own functions on floats: those that have one result, or move floats without a change.
_EXACT: Final = frozenset(
    ("ceil", "copysign", "fabs", "floor", "is.fpclass", "masked.load", "masked.store", "sqrt", "trunc")
)
_OF_FLOATS: Final = re.compile(r"llvm\.([a-z0-9.]+?)\.(?:v\d+)?f\d+\b")
_LOOSE: Final = re.compile(r"\b(?:f[a-z]+|call|select|phi) (?:nnan|ninf|nsz|arcp|contract|afn|reassoc|fast)\b.*")


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
