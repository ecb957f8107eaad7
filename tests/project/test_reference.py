"""The reference names all that is public, and GitHub shows as much of it as docs/tables.py can write."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import ecsphys
from ecsphys import Component, effects, replay, systems, types

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted((DOCS / "reference").glob("*.md"))


def load_tables() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_tables", DOCS / "tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TABLES = load_tables()


def blocks_of(page: Path) -> str:
    return page.with_suffix(".rst").read_text(encoding="utf-8")


def test_every_public_name_is_in_the_reference() -> None:
    described = [
        f"{module}.{name}"
        for page in PAGES
        for module, directives in TABLES.BLOCK.findall(blocks_of(page))
        for name, _ in TABLES.DIRECTIVE.findall(directives)
    ]
    modules = {"effects", "geometry", "systems", "types"}
    # Debug drawing needs OpenGL to be imported.
    drawing = {"DebugDraw", "Painter", "View", "blending"}
    assert sorted(described) == sorted(
        [
            *(f"ecsphys.{name}" for name in set(ecsphys.__all__) - modules),
            *(f"ecsphys.effects.{name}" for name in effects.__all__),
            *(f"ecsphys.systems.{name}" for name in systems.__all__),
            *(f"ecsphys.types.{name}" for name in types.__all__),
            *(f"ecsphys.geometry.{name}" for name in set(ecsphys.geometry.__all__) - {"RayHit", "MassProperties"}),
            *(f"ecsphys.debug_draw.{name}" for name in drawing),
            *(f"ecsphys.replay.{name}" for name in replay.__all__),
        ]
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_table_says_what_the_docstrings_say(page: Path) -> None:
    """If this fails, run ``python docs/tables.py``."""
    text = page.read_text(encoding="utf-8")
    assert TABLES.with_tables(text, blocks_of(page)) == text
    assert "| name | |" in text


def test_the_contents_link_the_pages_that_they_list() -> None:
    """If this fails, run ``python docs/tables.py``."""
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    assert TABLES.with_links(text) == text


def test_a_stale_table_is_written_again() -> None:
    blocks = ".. currentmodule:: ecsphys\n\n.. autoclass:: Solid\n.. autoclass:: Bullet\n"
    written = TABLES.with_tables("# Page\n\n| name | |\n|---|---|\n| `Liquid` | Flows |\n", blocks)
    assert re.findall(r"^\| `(\w+)` \| \w.+ \|$", written, re.MULTILINE) == ["Solid", "Bullet"]


def test_a_page_has_a_table_for_each_block() -> None:
    with pytest.raises(ValueError, match="needs 1 tables"):
        TABLES.with_tables("# Page\n", ".. currentmodule:: ecsphys\n\n.. autoclass:: Solid\n")


def test_sphinx_gets_each_block_below_its_table() -> None:
    blocks = "".join(f".. currentmodule:: ecsphys\n\n.. autoclass:: {name}\n" for name in ("Solid", "Bullet"))
    page = TABLES.with_blocks("| name | |\n|---|---|\n\n| name | |\n|---|---|\n", blocks)
    assert re.findall(r"^(\|---|\.\. autoclass:: \w+)", page, re.MULTILINE) == [
        "|---",
        ".. autoclass:: Solid",
        "|---",
        ".. autoclass:: Bullet",
    ]


def test_the_priorities_are_listed_with_their_numbers() -> None:
    text = (DOCS / "reference" / "systems.md").read_text(encoding="utf-8")
    for priority in ecsphys.Priority:
        assert f"| `Priority.{priority.name}` = {priority.value} | " in text


def test_the_page_of_components_lists_every_component() -> None:
    text = (DOCS / "components.md").read_text(encoding="utf-8").partition("## All components")[2]
    names = [
        name
        for module in (ecsphys, effects)
        for name in module.__all__
        if isinstance(cls := getattr(module, name), type) and issubclass(cls, Component)
    ]
    listed = re.findall(r"`(\w+)", text)
    assert len(names) > 40
    # Bases, and segments that a laser makes by itself.
    assert set(names) - set(listed) == {"Component", "Joint", "LaserSegment"}
