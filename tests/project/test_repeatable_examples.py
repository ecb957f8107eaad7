"""Properties are tried on the same examples in every run, whatever modules have been loaded before."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def examples() -> list[tuple[float, int]]:
    """What a property is tried on."""
    tried: list[tuple[float, int]] = []

    @settings(max_examples=300)
    @given(st.floats(), st.integers())
    def a_property(x: float, n: int) -> None:
        tried.append((x, n))

    a_property()
    return tried


def test_examples_do_not_depend_on_the_modules_that_are_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = examples()
    source = tmp_path / "constants_of_a_game.py"
    source.write_text("\n".join(f"A{n} = {n + 0.12345}, {n + 98765}" for n in range(500)))
    module = ModuleType(source.stem)
    module.__file__ = str(source)
    monkeypatch.setitem(sys.modules, source.stem, module)
    after = examples()
    assert repr(after) == repr(before)
    assert not {98765 + n for n in range(500)} & {n for _, n in after}
