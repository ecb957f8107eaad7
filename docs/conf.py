"""Sphinx configuration: ``pip install -e '.[docs]'``, then ``sphinx-build -W docs docs/_build``.

The reference is made from the docstrings of the installed package, which is imported; pyglet is not needed.
"""

import sys
from pathlib import Path
from types import GenericAlias
from typing import Any

import numpy.typing
from sphinx.application import Sphinx
from sphinx.ext.napoleon import Config, NumpyDocstring

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS))
from tables import with_blocks  # noqa: E402


class NDArray:
    """Stands for numpy's while the package is imported: signatures then say ``NDArray[int64]``, as their sources do."""

    __module__ = "numpy.typing"
    __class_getitem__ = classmethod(GenericAlias)


numpy.typing.NDArray = NDArray  # type: ignore[misc]
import ecsphys  # noqa: E402

project = "ecsphys"
author = "The ecsphys authors"
copyright = "the ecsphys authors, MIT license"
release = ecsphys.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "reference/*.rst"]

autodoc_mock_imports = ["pyglet"]
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
add_module_names = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100

html_theme = "furo"
html_title = "ecsphys"
html_static_path: list[str] = []
pygments_dark_style = "monokai"

# Lists, one entry for names that are described together; attributes whose properties are shown are not made twice.
SECTIONS = Config(
    napoleon_use_param=False,
    napoleon_attr_annotations=False,
    napoleon_custom_sections=[("Attributes", "params_style")],
)


def read_sections(app: Sphinx, what: str, name: str, item: object, options: Any, lines: list[str]) -> None:
    """Docstrings' sections ("Parameters", "Raises" …) become lists.

    The napoleon extension would also read "Seconds: …", the docstring of an attribute, as its type.
    """
    if what in ("class", "function", "method"):
        lines[:] = NumpyDocstring(lines, SECTIONS, app, what, name, item, options).lines()


def add_blocks(app: Sphinx, page: str, source: list[str]) -> None:
    """A page of the reference has its blocks in a file beside it, as GitHub does not show them."""
    if page.startswith("reference/"):
        blocks = DOCS / f"{page}.rst"
        app.env.note_dependency(str(blocks))
        source[0] = with_blocks(source[0], blocks.read_text(encoding="utf-8"))


def setup(app: Sphinx) -> None:
    app.connect("source-read", add_blocks)
    app.connect("autodoc-process-docstring", read_sections)
