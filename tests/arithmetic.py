"""Finds arithmetic in Python sources that may have other bits on another machine.

IEEE 754 defines + − · / √ and exact functions. The rest depends on the C library, on the processor (numpy has other
code for each generation), or on the order in which numpy and BLAS add up.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).parents[1]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Exact, or rounded once from the exact result.
_MATH = _words("""
    sqrt floor ceil trunc fabs copysign ldexp frexp modf fmod remainder nextafter ulp isnan isinf isfinite isclose
    isqrt gcd lcm comb perm factorial fsum radians degrees pi tau e inf nan
""")
_UFUNCS = _words("""
    abs absolute fabs add subtract multiply divide true_divide floor_divide mod remainder fmod divmod negative
    positive sqrt square reciprocal sign signbit copysign nextafter spacing ldexp frexp modf floor ceil trunc rint
    maximum minimum fmax fmin equal not_equal less less_equal greater greater_equal isnan isinf isfinite
    logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_invert
    bitwise_left_shift bitwise_right_shift bitwise_count invert left_shift right_shift gcd lcm deg2rad radians
""")
_FUNCTIONS = _words("""
    sum prod mean average median std var nansum nanmean nanprod dot vdot inner tensordot einsum kron trace linalg
    fft interp convolve correlate cov corrcoef percentile quantile trapezoid trapz gradient polyfit polyval sinc
    histogram logspace geomspace angle i0 unwrap complex64 complex128 emath
""")
_METHODS = _words("""
    sum prod mean std var dot trace
""")
_RANDOM = _words("""
    normal standard_normal uniform exponential standard_exponential gamma beta poisson binomial triangular
    lognormal multivariate_normal vonmises wald weibull laplace logistic gauss
""")
_MODULES = _words("""
    cmath random statistics scipy
""")
_REDUCED = frozenset(("reduce", "reduceat"))


class Found(NamedTuple):
    """A use in a function ("" for the module) at a line."""

    function: str
    line: int
    use: str


def uses_in(source: str) -> list[Found]:
    """The uses in a module that may have other bits elsewhere."""
    tree = ast.parse(source)
    return sorted(_Finder(tree).found, key=lambda found: found.line)


class _Finder(ast.NodeVisitor):
    def __init__(self, tree: ast.Module) -> None:
        self.found: list[Found] = []
        self._functions: list[str] = []
        self._modules: dict[str, str] = {}
        self.visit(tree)

    def _add(self, node: ast.AST, use: str) -> None:
        self.found.append(Found(".".join(self._functions), getattr(node, "lineno", 0), use))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._functions.append(node.name)
        self.generic_visit(node)
        self._functions.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._functions.append(node.name)
        self.generic_visit(node)
        self._functions.pop()

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            top = alias.name.partition(".")[0]
            if top in _MODULES:
                self._add(node, f"import {alias.name}")
            if top in ("math", "numpy"):
                self._modules[alias.asname or top] = top

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        top = (node.module or "").partition(".")[0]
        if top in _MODULES:
            self._add(node, f"from {node.module} import …")
        for alias in node.names if top in ("math", "numpy") else ():
            if _is_loose(top, alias.name):
                self._add(node, f"from {node.module} import {alias.name}")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        module = self._modules.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if module is not None and _is_loose(module, node.attr):
            self._add(node, f"{module}.{node.attr}")
        if node.attr in _REDUCED and isinstance(node.value, ast.Attribute) and node.value.attr in ("add", "multiply"):
            self._add(node, f"{node.value.attr}.{node.attr}")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func
        if isinstance(called, ast.Name) and called.id in ("sum", "pow", "complex"):
            self._add(node, f"{called.id}()")
        if isinstance(called, ast.Attribute):
            module = self._modules.get(called.value.id) if isinstance(called.value, ast.Name) else None
            if module is None and called.attr in _METHODS | _RANDOM:
                self._add(node, f".{called.attr}()")
            if module == "numpy" and called.attr == "arange" and any(map(_is_float, node.args)):
                self._add(node, "arange of floats")
            if called.attr in ("round", "around") and module == "numpy" and len(node.args) + len(node.keywords) > 1:
                self._add(node, "round to decimals")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.MatMult):
            self._add(node, "@")
        if isinstance(node.op, ast.Pow) and not (_is_number(node.left) and _is_number(node.right)):
            self._add(node, "**")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.op, ast.Pow | ast.MatMult):
            self._add(node, "**=" if isinstance(node.op, ast.Pow) else "@=")
        self.generic_visit(node)


def _is_loose(module: str, name: str) -> bool:
    if module == "math":
        return name not in _MATH
    return name in _FUNCTIONS or (isinstance(getattr(np, name, None), np.ufunc) and name not in _UFUNCS)


def _is_number(node: ast.expr) -> bool:
    """A literal, which Python computes once, where powers of two are exact."""
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _is_float(node: ast.expr) -> bool:
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


def sources() -> Iterator[tuple[str, str]]:
    """The modules that change state, or answer questions about it: name and text."""
    for folder in ("ecsphys/engine", "ecsphys/geometry", "ecsphys/replay", "ecsphys/verify", "components", "systems"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith("ecsphys/engine/compiler/"):  # of the build
                yield name, path.read_text(encoding="utf-8")
