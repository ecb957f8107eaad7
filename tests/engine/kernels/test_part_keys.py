"""A part of the library is compiled again after an edit of anything that it is made from, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest

from ecsphys.engine.compiler import build

_SOURCES = {
    "moving/steps.py": '''
"""Steps."""
from ecsphys.engine.base import rates as of_rates
from ecsphys.engine.base.rows import Row, first as first_row
from ecsphys.engine.kernels.compilation import kernel

@kernel
def step(row: Row) -> float:
    return of_rates.rate(first_row(row))
''',
    "moving/others.py": "NUMBER = 3\n",
    "base/rates.py": '''
"""Rates."""
from ecsphys.engine.base import limits

def rate(x):
    """A rate."""
    return x * limits.MOST

def unneeded(x):
    return x + 1
''',
    "base/limits.py": "LEAST, MOST = 1, 2\nOTHER = 7\n",
    "base/rows.py": "class Row:\n    x: float\n\ndef first(row):\n    return row.x\n",
    "base/unneeded.py": "def far():\n    return 0\n",
    "kernels/compilation.py": "def kernel(f):\n    return f\n",
}


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    engine = tmp_path / "ecsphys" / "engine"
    for name, text in _SOURCES.items():
        path = engine / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(build, "_ROOT", tmp_path)
    monkeypatch.setattr(build, "_ENGINE", engine)
    return engine


def _key(engine: Path) -> str:
    for cached in (build._tree, build._imported, build._statements):
        cached.cache_clear()
    part = engine / "moving"
    return build._key(part, build._sources(part))


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("moving/steps.py", "first_row(row)", "-first_row(row)"),
        ("moving/others.py", "3", "4"),
        ("base/rates.py", "x * limits", "x / limits"),
        ("base/limits.py", "1, 2", "1, 3"),
        ("base/limits.py", "OTHER = 7", "print()"),
        ("base/rows.py", "x: float", "x: int"),
        ("base/rows.py", "return row.x", "return row.y"),
        ("kernels/compilation.py", "return f", "return None"),
    ],
)
def test_an_edit_of_what_a_part_needs_gives_it_another_key(engine: Path, file: str, old: str, new: str) -> None:
    before = _key(engine)
    path = engine / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    assert _key(engine) != before
    path.write_text(text)
    assert _key(engine) == before


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("moving/steps.py", '"""Steps."""', "# No docstring.\n"),
        ("base/rates.py", "A rate.", "How quickly."),
        ("base/rates.py", "x + 1", "x + 2"),
        ("base/limits.py", "7", "8"),
        ("base/unneeded.py", "0", "1"),
    ],
)
def test_an_edit_of_anything_else_does_not(engine: Path, file: str, old: str, new: str) -> None:
    before = _key(engine)
    path = engine / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    assert _key(engine) == before


def test_all_parts_of_the_engine_have_other_keys() -> None:
    keys = [build._key(part, build._sources(part)) for part in build.engine_parts()]
    assert len(set(keys)) == len(keys) > 10
