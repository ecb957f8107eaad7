"""Sphinx configuration: ``pip install -e '.[docs]'``, then ``sphinx-build -W docs docs/_build``."""

project = "ecsphys"
author = "The ecsphys authors"
copyright = "the ecsphys authors, MIT license"
release = "0.1.0"

extensions = ["myst_parser"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = "ecsphys"
html_static_path: list[str] = []
pygments_dark_style = "monokai"
