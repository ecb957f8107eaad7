"""Every Python example of the manual runs, and prints what its comments say.

A page's blocks run in order in one namespace and one esper world. Where a line of a page is ``print(...)  # text``, the
page must print exactly these texts, in this order. Statements in a comment ``<!-- check … -->`` run as well, but
readers do not see them: they assert what the page says of its code.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

import ecsphys
from ecsphys import replay

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(DOCS.rglob("*.md"))

# Without code: the first only lists pages, others name or describe. The pages of examples show files that have
# tests of their own.
WITHOUT_EXAMPLES = ("index", "chapters", "glossary", "quality")


def name_of(page: Path) -> str:
    return page.relative_to(DOCS).with_suffix("").as_posix()


def blocks_of(page: Path) -> list[tuple[int, str]]:
    """First line number and text of each block of Python, hidden checks included."""
    text = page.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, block.start("code")) + 1, block["code"])
        for block in re.finditer(
            r"^(?:```python|<!-- check)\n(?P<code>.*?)^(?:```|-->)$", text, re.MULTILINE | re.DOTALL
        )
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
        "bounce",
        "faq",
    }


def test_every_page_is_in_the_contents() -> None:
    listed = re.findall(r"^[a-z0-9/-]+$", (DOCS / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(name_of(page) for page in PAGES if page.stem != "index")


def test_every_local_link_leads_to_a_file() -> None:
    for page in PAGES:
        targets = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
        assert [t for t in targets if "://" not in t and not (page.parent / t).exists()] == [], name_of(page)


def test_every_public_name_is_in_the_reference() -> None:
    described = {
        f"{module}.{name}"
        for page in (DOCS / "reference").glob("*.md")
        for module, block in re.findall(
            r"^\.\. currentmodule:: (\S+)\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
        )
        for name in re.findall(r"^\.\. (?:auto\w+|py:data):: (\w+)", block, re.MULTILINE)
    }
    # Debug drawing needs OpenGL to be imported.
    drawing = {"DebugDraw", "Painter", "View", "blending"}
    geometry = set(ecsphys.geometry.__all__) - {"RayHit", "MassProperties"}
    assert described == {
        *(f"ecsphys.{name}" for name in ecsphys.__all__ if name != "geometry"),
        *(f"ecsphys.geometry.{name}" for name in geometry),
        *(f"ecsphys.debug_draw.{name}" for name in drawing),
        *(f"ecsphys.replay.{name}" for name in replay.__all__),
    }


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_examples_run_and_print_what_they_say(
    page: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocks = blocks_of(page)
    if page.stem not in WITHOUT_EXAMPLES and page.parent.name not in ("reference", "examples"):
        assert blocks, f"{page.name} has no runnable example"
    module = ModuleType(f"docs_{re.sub('[^a-z]', '_', name_of(page))}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.chdir(tmp_path)  # for what is written
    for line, block in blocks:
        # Empty lines before the block, so that a traceback names the line of the page.
        exec(compile("\n" * (line - 1) + block, str(page), "exec"), module.__dict__)
    expected = [text for _, block in blocks for text in re.findall(r"^\s*print\(.*\)  # (.*)$", block, re.MULTILINE)]
    assert capsys.readouterr().out.splitlines() == expected
