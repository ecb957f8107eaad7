"""No loop ends where CPython forgets what is to be done after an interrupt.

CPython 3.12 and 3.13 look for interrupts at the jump back to the start of a loop. Their exception tables leave it out
where a ``try`` or ``with`` ends with the loop: an interrupt there passes by the ``finally``. Such a loop belongs into a
function of its own; a call is in the table.
"""

from __future__ import annotations

import ast
import dis
import types
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

_PACKAGES = ("ecsphys", "ecsphys.components", "ecsphys.systems")
_FOLDERS = [Path(path) for name in _PACKAGES for path in import_module(name).__path__]
_MODULES = sorted({path for folder in _FOLDERS for path in folder.rglob("*.py") if "plain" not in path.parts})


class Guarded(NamedTuple):
    """The lines of a loop in a ``try`` with something to be done in any case, or in a ``with``."""

    first: int
    last: int


def _guarded_loops(node: ast.AST, is_guarded: bool = False) -> Iterator[Guarded]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            yield from _guarded_loops(child)
        elif isinstance(child, ast.Try):
            for part in child.body:
                yield from _guarded_loops(ast.Module([part], []), is_guarded or _must_end(child))
            for other in (*child.handlers, *child.orelse, *child.finalbody):
                yield from _guarded_loops(ast.Module([other], []), is_guarded)  # type: ignore[list-item]
        elif isinstance(child, ast.With):
            suppresses = all("suppress" in ast.unparse(item.context_expr) for item in child.items)
            yield from _guarded_loops(child, is_guarded or not suppresses)
        else:
            if is_guarded and isinstance(child, ast.For | ast.While):
                yield Guarded(child.lineno, child.end_lineno or child.lineno)
            yield from _guarded_loops(child, is_guarded)


def _must_end(node: ast.Try) -> bool:
    """Whether something is to be done after an interrupt, which is then raised further."""
    return bool(node.finalbody) or any(
        handler.type is not None
        and ast.unparse(handler.type) == "BaseException"
        and any(isinstance(part, ast.Raise) for part in ast.walk(handler))
        for handler in node.handlers
    )


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def forgotten_jumps(source: str) -> list[int]:
    """The lines of loops whose jump back has a handler less than where it goes to."""
    loops = list(_guarded_loops(ast.parse(source)))
    found = []
    for code in _codes(compile(source, "", "exec")) if loops else ():
        table = dis._parse_exception_table(code)  # type: ignore[attr-defined]

        def handlers(offset: int, table: list[dis._ExceptionTableEntry] = table) -> int:  # type: ignore[name-defined]
            return sum(entry.start <= offset < entry.end for entry in table)

        for step in dis.get_instructions(code):
            line = step.positions.lineno if step.positions else None
            if step.opname == "JUMP_BACKWARD" and line and handlers(step.offset) < handlers(step.argval):
                found += [loop.first for loop in loops if loop.first <= line <= loop.last]
    return found


@pytest.mark.parametrize("module", _MODULES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_guarded_loop_ends_where_an_interrupt_passes_by_its_guard(module: Path) -> None:
    assert not forgotten_jumps(module.read_text())


def test_loops_with_a_guard_are_found_and_those_in_functions_are_not() -> None:
    source = """
def guarded(work):
    try:
        while work():
            pass
    finally:
        work()
    with work:
        for _ in work:
            work()

def free(work):
    try:
        work()
    finally:
        for _ in work:
            work()
    while work():
        pass
"""
    assert [loop.first for loop in _guarded_loops(ast.parse(source))] == [4, 9]
