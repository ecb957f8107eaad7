"""Writes the parts of the manual that GitHub would not show otherwise.

GitHub does not show the pages that ``{toctree}`` lists, nor what Sphinx takes from docstrings. So the contents have
links above each toctree, and a page of the reference has a table for each block of the ``.rst`` file beside it: the
names that the block describes, with the first sentences of their docstrings. The built manual has the blocks themselves
below the tables (``conf.py``). Run this after a change of pages, titles or docstrings::

    python docs/tables.py
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import FunctionType

DOCS = Path(__file__).parent
DRAWING = DOCS.parent / "ecsphys" / "debug_draw"

# Classes that a game does not construct, but calls.
WITH_MEMBERS = ("Physics", "Settings", "Bodies", "Debug", "Hits")

BLOCK = re.compile(r"^\.\. currentmodule:: (\S+)\n(.*?)(?=^\.\. currentmodule|\Z)", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^\| name \| \|\n(?:\|[^\n]*\n)+", re.MULTILINE)
TOCTREE = re.compile(r"(?:(?:^\[[^\n]*\n)+\n)?^```\{toctree\}\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
DIRECTIVE = re.compile(r"^\.\. (?:auto\w+|py:data):: (\w+)[^\n]*\n((?: [^\n]*\n|\n)*)", re.MULTILINE)


def first_sentence(text: str) -> str:
    """The first sentence in Markdown, on one line and without its stop."""
    paragraph = " ".join(text.strip().partition("\n\n")[0].split())
    sentence = re.split(r"\.(?:\s|$)", paragraph, maxsplit=1)[0]
    sentence = re.sub(r":\w+:`~?\.?([^`]+)`", r"`\1`", sentence.replace("``", "`"))
    return sentence.rstrip(":").replace("|", "\\|")


def drawing_docstring(name: str) -> str:
    """A docstring of debug drawing, from its source: to import it needs OpenGL."""
    for path in sorted(DRAWING.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
                return ast.get_docstring(node) or ""
    raise LookupError(f"nothing in {DRAWING} is named {name}")


def options(kind: type[Enum]) -> Iterator[tuple[str, str]]:
    """Each member of an enumeration with its value, and the docstring that follows it in the source."""
    (definition,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(definition, ast.ClassDef)
    for statement, below in zip(definition.body, definition.body[1:], strict=False):
        if isinstance(statement, ast.Assign) and isinstance(below, ast.Expr):
            member = kind[ast.unparse(statement.targets[0])]
            yield f"`{kind.__name__}.{member.name}` = {member.value}", ast.literal_eval(below.value)


def members(cls: type) -> Iterator[tuple[str, str]]:
    """The methods, properties and attributes of a class, those of its bases first, and their docstrings."""
    attributes = re.search(r"^Attributes\n-+\n(.*?)(?:\n\n|\Z)", inspect.getdoc(cls) or "", re.MULTILINE | re.DOTALL)
    for names, text in re.findall(r"^(\w.*)\n((?: .*\n?)+)", attributes[1] if attributes else "", re.MULTILINE):
        yield f"`{cls.__name__}.{names}`".replace(", ", "`, `"), text
    for base in reversed(cls.__mro__):
        for name, member in vars(base).items():
            documented = not name.startswith("_") and base.__module__.startswith("ecsphys") and inspect.getdoc(member)
            if documented and isinstance(member, (FunctionType, property)):
                brackets = "()" if isinstance(member, FunctionType) else ""
                yield f"`{cls.__name__}.{name}{brackets}`", documented


def rows(module: str, directives: str) -> Iterator[tuple[str, str]]:
    """The names that a block describes, in Markdown, and their docstrings."""
    for name, body in DIRECTIVE.findall(directives):
        # A datum has no docstring; its text stands in the block, below its options.
        text = re.sub(r"^\s+:.*\n", "", body, flags=re.MULTILINE).strip()
        if text or module == "ecsphys.debug_draw":
            yield f"`{name}`", text or drawing_docstring(name)
            continue
        public = getattr(import_module(module), name)
        yield f"`{name}`", inspect.getdoc(public) or ""
        if isinstance(public, type) and issubclass(public, Enum):
            yield from options(public)
        elif name in WITH_MEMBERS:
            yield from dict(members(public)).items()  # one for each: of a class and its base, that of the class


def with_tables(page: str, blocks: str) -> str:
    """The text of a page with its tables, one for each block, as the docstrings are now."""
    found = BLOCK.findall(blocks)
    if len(TABLE.findall(page)) != len(found):
        raise ValueError(f'the page needs {len(found)} tables, one for each block: "| name | |" and a line below it')
    remaining = iter(found)

    def with_table(_: re.Match[str]) -> str:
        lines = [f"| {name} | {first_sentence(text)} |\n" for name, text in rows(*next(remaining))]
        return "".join(["| name | |\n|---|---|\n", *lines])

    return TABLE.sub(with_table, page)


def with_blocks(page: str, blocks: str) -> str:
    """The text of a page for Sphinx: each of its tables is followed by its block."""
    found = BLOCK.finditer(blocks)
    return TABLE.sub(lambda table: f"{table[0]}\n```{{eval-rst}}\n{next(found)[0]}```\n", page)


def with_links(contents: str) -> str:
    """The text of the contents with links to the pages of each toctree, by their titles as they are now."""

    def with_line(found: re.Match[str]) -> str:
        lines = [""]
        for page in re.findall(r"^[a-z0-9/-]+$", found[1], re.MULTILINE):
            title = re.match(r"# (.*)", (DOCS / f"{page}.md").read_text(encoding="utf-8"))
            assert title, page
            link = f"[{title[1]}]({page}.md)"
            if len(lines[-1]) + len(link) > 115:
                lines.append("")
            lines[-1] += f"{link} · "
        links = "\n".join(line.rstrip() for line in lines).removesuffix(" ·")
        return f"{links}\n\n```{{toctree}}\n{found[1]}```\n"

    return TOCTREE.sub(with_line, contents)


if __name__ == "__main__":
    for path in sorted((DOCS / "reference").glob("*.md")):
        blocks = path.with_suffix(".rst").read_text(encoding="utf-8")
        path.write_text(with_tables(path.read_text(encoding="utf-8"), blocks), encoding="utf-8")
    index = DOCS / "index.md"
    index.write_text(with_links(index.read_text(encoding="utf-8")), encoding="utf-8")
