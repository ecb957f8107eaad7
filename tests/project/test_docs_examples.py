"""Every Python example of the manual runs, and prints what its comments say.

A page's blocks run in order in one namespace and one esper world. Where a line of a page is ``print(...)  # text``, the
page must print exactly these texts, in this order. A block in a comment ``<!-- check … -->`` runs as well, but
readers do not see it: it asserts what the page says of its code.

A block that imports pyglet is a complete program: it runs by itself, off screen, with the check that follows it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest
from picture import off_screen

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(DOCS.rglob("*.md"))

# Without code: the first only lists pages, others name or describe. The pages of examples show files that have
# tests of their own.
WITHOUT_EXAMPLES = ("index", "chapters", "glossary", "quality", "web")


def name_of(page: Path) -> str:
    return page.relative_to(DOCS).with_suffix("").as_posix()


class Block(NamedTuple):
    """A block of Python: its first line in the page, its text, and whether it is hidden from readers."""

    line: int
    text: str
    is_hidden: bool


def blocks_of(page: Path) -> list[Block]:
    """Each block of Python, hidden checks included."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(text.count("\n", 0, found.start("code")) + 1, found["code"], found["hidden"] is not None)
        for found in re.finditer(
            r"^(?P<hidden><!-- check\n)?```python\n(?P<code>.*?)^```$", text, re.MULTILINE | re.DOTALL
        )
    ]


def programs_of(page: Path) -> list[list[Block]]:
    """The blocks that run together: first those of the page, then each program with a window and its checks."""
    programs: list[list[Block]] = [[]]
    current = programs[0]
    for block in blocks_of(page):
        if "\nimport pyglet\n" in block.text:
            current = []
            programs.append(current)
        elif not block.is_hidden:
            current = programs[0]
        current.append(block)
    return programs


def run(page: Path, program: list[Block], name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, module)
    for block in program:
        # Empty lines before the block, so that a traceback names the line of the page.
        exec(compile("\n" * (block.line - 1) + block.text, str(page), "exec"), module.__dict__)


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


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_examples_run_and_print_what_they_say(
    page: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocks = programs_of(page)[0]
    if page.stem not in WITHOUT_EXAMPLES and page.parent.name not in ("reference", "examples"):
        assert blocks, f"{page.name} has no runnable example"
    monkeypatch.chdir(tmp_path)  # for what is written
    run(page, blocks, f"docs_{re.sub('[^a-z]', '_', name_of(page))}", monkeypatch)
    expected = [text for block in blocks for text in re.findall(r"^\s*print\(.*\)  # (.*)$", block.text, re.MULTILINE)]
    assert capsys.readouterr().out.splitlines() == expected


@pytest.mark.parametrize("page", [page for page in PAGES if len(programs_of(page)) > 1], ids=name_of)
def test_the_programs_with_a_window_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for program in programs_of(page)[1:]:
        with off_screen(16, 16):
            import pyglet

            # pyglet's event loop sets it for all later windows of the process, which then cannot be opened off screen.
            monkeypatch.setattr(pyglet.window.Window, "_enable_event_queue", True)
            pyglet.clock.schedule_once(lambda dt: pyglet.app.exit(), 0.2)
            run(page, program, "__main__", monkeypatch)


def test_the_first_window_is_the_example_of_that_name() -> None:
    (program,) = programs_of(DOCS / "quickstart.md")[1:]
    assert program[0].text == (DOCS.parent / "examples" / "first_window.py").read_text(encoding="utf-8")
