"""setuptools, which first asks whether the engine can be built here: numba's own build would say it in 100 lines.

pip calls these functions (PEP 517, PEP 660).
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

sys.path.insert(0, str(Path(__file__).parent / "ecsphys" / "engine" / "compiler"))

from targets import wanted_target

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """The tools of the build: those of the extra "build"."""
    wanted_target()
    project = tomllib.loads((Path(__file__).parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tools: list[str] = project["optional-dependencies"]["build"]
    return tools


get_requires_for_build_editable = get_requires_for_build_wheel
