"""Every Python example of the manual runs, and prints what its comments say.

A page's blocks run in order in one namespace and one esper world. Where a line of a page is ``print(...)  # text``, the
page must print exactly these texts, in this order.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(DOCS.glob("*.md"))

# The first has no code, the second only names it, the third needs a window.
WITHOUT_EXAMPLES = ("index", "chapters", "debug-drawing")


def blocks_of(page: Path) -> list[tuple[int, str]]:
    """First line number and text of each block of Python."""
    text = page.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, block.start(1)) + 1, block[1])
        for block in re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    ]


def test_there_are_pages() -> None:
    assert {page.stem for page in PAGES} >= {
        "index",
        "quickstart",
        "components",
        "motion",
        "colliders",
        "hits",
        "replacing-a-stage",
        "geometry",
        "esper-traps",
        "first-run",
    }


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_the_examples_run_and_print_what_they_say(
    page: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = blocks_of(page)
    if page.stem not in WITHOUT_EXAMPLES:
        assert blocks, f"{page.name} has no runnable example"
    module = ModuleType(f"docs_{page.stem.replace('-', '_')}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for line, block in blocks:
        # Empty lines before the block, so that a traceback names the line of the page.
        exec(compile("\n" * (line - 1) + block, str(page), "exec"), module.__dict__)
    expected = [text for _, block in blocks for text in re.findall(r"^\s*print\(.*\)  # (.*)$", block, re.MULTILINE)]
    assert capsys.readouterr().out.splitlines() == expected
