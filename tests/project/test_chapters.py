"""docs/chapters.md: every chapter has code that imports, a test that exists, and a scene that shows it."""

from __future__ import annotations

import ast
import importlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ecsphys.demo.scenes import SCENES

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "chapters.md"

IDS = [
    f"{group}{number}" for group, last in (("A", 11), ("B", 8), ("C", 15), ("D", 7)) for number in range(1, last + 1)
]


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    id: str
    code: list[str]
    tests: list[str]
    scenes: list[str]


def rows() -> list[Row]:
    found = []
    for line in PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else ():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if re.fullmatch(r"[A-D]\d+", cells[0]):
            code, tests, scenes = (re.findall(r"`([^`]+)`", cell) for cell in cells[2:])
            found.append(Row(cells[0], code, tests, scenes))
    return found


ROWS = rows()

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the manual is not here: the tests of a wheel")


def resolve(name: str) -> Any:
    """What a dotted name stands for: an attribute of the longest part that is a module."""
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def test_every_chapter_is_in_the_table_once_and_in_order() -> None:
    assert [row.id for row in ROWS] == IDS


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_its_code_imports(row: Row) -> None:
    assert row.code
    for name in row.code:
        assert callable(resolve(name)), name


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_its_tests_exist(row: Row) -> None:
    assert row.tests
    for name in row.tests:
        file, _, function = name.partition("::")
        (path,) = (ROOT / "tests").rglob(file)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, name


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_its_scenes_are_registered_and_say_that_they_show_it(row: Row) -> None:
    assert row.scenes
    for name in row.scenes:
        assert row.id in SCENES[name].rows, name
