"""The files that texts for contributors name are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_FILE = re.compile(r"`([\w/.-]+\.(?:py|c|h|toml|mjs))`")


def _files() -> list[str]:
    skipped = {".venv", "build", "dist", "__pycache__", ".git"}
    return [
        f"/{path.relative_to(ROOT).as_posix()}"
        for path in ROOT.rglob("*.*")
        if skipped.isdisjoint(path.relative_to(ROOT).parts)
    ]


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/inner-workings.md", "CONTRIBUTING.md"])
def test_the_files_that_a_page_names_are_there(page: str) -> None:
    text, files = (ROOT / page).read_text(encoding="utf-8"), _files()
    named = set(_FILE.findall(text))
    assert named
    assert sorted(name for name in named if not any(file.endswith(f"/{name}") for file in files)) == []
