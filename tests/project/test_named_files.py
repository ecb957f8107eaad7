"""The files and the names that texts for contributors name are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["docs/architecture.md", "docs/inner-workings.md", "CONTRIBUTING.md"]
SOURCES = ("ecsphys", "components", "systems", "demo", "checks", "tests", "benchmarks", "examples")
_FILE = re.compile(r"`([\w/.-]+\.(?:py|c|h|toml|mjs))`")
_NAME = re.compile(r"`([A-Za-z_][\w.]*)(?:\(\))?`")


def _files() -> list[str]:
    skipped = {".venv", "build", "dist", "__pycache__", ".git"}
    return [
        f"/{path.relative_to(ROOT).as_posix()}"
        for path in ROOT.rglob("*.*")
        if skipped.isdisjoint(path.relative_to(ROOT).parts)
    ]


@pytest.mark.parametrize("page", PAGES)
def test_the_files_that_a_page_names_are_there(page: str) -> None:
    text, files = (ROOT / page).read_text(encoding="utf-8"), _files()
    named = set(_FILE.findall(text))
    assert named
    assert sorted(name for name in named if not any(file.endswith(f"/{name}") for file in files)) == []


@pytest.mark.parametrize("page", PAGES)
def test_the_names_in_a_page_are_names_in_the_sources(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = {part for name in _NAME.findall(text) if not _FILE.match(f"`{name}`") for part in name.split(".") if part}
    # Prefixes of names are not names, and names of tests are examples.
    named = {name for name in named if not name.endswith("_") and not name.startswith("test_")}
    files = [file for folder in SOURCES for file in (ROOT / folder).rglob("*.*") if file.suffix in (".py", ".c", ".h")]
    files += [ROOT / "setup.py", ROOT / "pyproject.toml"]
    known = {word for file in files for word in re.findall(r"\w+", file.read_text(encoding="utf-8"))}
    assert named
    assert sorted(named - known) == []
