"""Signatures stay short: what belongs together is handed over in a bundle, or has an owner."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("ecsphys", "ecsphys.components", "ecsphys.systems", "ecsphys.demo")
MOST_PARAMETERS = 10

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.AST, is_class: bool = False) -> Iterator[tuple[Function, bool]]:
    """All functions in a tree, and whether each is in a class, so that its first parameter is the instance."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            yield node, is_class and not any(ast.unparse(one) == "staticmethod" for one in node.decorator_list)
        yield from functions(node, isinstance(node, ast.ClassDef))


def parameters(function: Function, is_method: bool) -> int:
    given = function.args
    named = len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)
    return named + (given.vararg is not None) + (given.kwarg is not None) - is_method


def test_no_function_takes_more_than_ten_parameters() -> None:
    counts = [
        (parameters(function, is_method), f"{package} {path.relative_to(folder)}:{function.lineno} {function.name}")
        for package in PACKAGES
        for folder in map(Path, find_spec(package).submodule_search_locations)  # type: ignore[union-attr, arg-type]
        for path in sorted(folder.rglob("*.py"))
        for function, is_method in functions(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert len(counts) > 1000
    assert [name for count, name in counts if count > MOST_PARAMETERS] == []
