"""Writes the tables of the reference: each name that a page describes, with the first sentence of its docstring.

GitHub does not show what Sphinx makes of ``{eval-rst}``; these tables it does. Each stands above its block. Run it
after a change of docstrings or pages::

    python docs/reference/tables.py
"""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path

PAGES = Path(__file__).parent
SOURCES = PAGES.parents[1] / "ecsphys"

BLOCK = re.compile(r"(?:^\| name \|[^\n]*\n(?:\|[^\n]*\n)+\n)?^```\{eval-rst\}\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
DIRECTIVE = re.compile(r"^\.\. (?:auto\w+|py:data):: (\w+)[^\n]*\n((?: [^\n]*\n|\n)*)", re.MULTILINE)


def docstring(module: str, name: str) -> str:
    """The docstring of a public name; of debug drawing, which needs OpenGL to be imported, from its source."""
    if module == "ecsphys.debug_draw":
        for path in sorted((SOURCES / "debug_draw").glob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
                    return ast.get_docstring(node) or ""
    return inspect.getdoc(getattr(import_module(module), name)) or ""


def first_sentence(text: str) -> str:
    """The first sentence in Markdown, on one line and without its stop."""
    paragraph = " ".join(text.strip().partition("\n\n")[0].split())
    sentence = re.split(r"\.(?:\s|$)|:$", paragraph, maxsplit=1)[0]
    sentence = re.sub(r":\w+:`~?\.?([^`]+)`", r"`\1`", sentence.replace("``", "`"))
    return sentence.rstrip(":").replace("|", "\\|")


def table(block: str) -> str:
    """The table of one ``{eval-rst}`` block: "" if it describes no names."""
    module = re.search(r"^\.\. currentmodule:: (\S+)", block, re.MULTILINE)
    rows = []
    for name, body in DIRECTIVE.findall(block):
        # A datum has its text in the page, after its options.
        text = re.sub(r"^\s+:.*\n", "", body, flags=re.MULTILINE).strip()
        rows.append(f"| `{name}` | {first_sentence(text or docstring(module[1] if module else '', name))} |\n")
    return "".join(["| name | |\n|---|---|\n", *rows, "\n"]) if rows else ""


def with_tables(page: str) -> str:
    """The text of a page with the tables as its docstrings are now."""
    return BLOCK.sub(lambda found: f"{table(found[1])}```{{eval-rst}}\n{found[1]}```\n", page)


if __name__ == "__main__":
    for path in sorted(PAGES.glob("*.md")):
        path.write_text(with_tables(path.read_text(encoding="utf-8")), encoding="utf-8")
