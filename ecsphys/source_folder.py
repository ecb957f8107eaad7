"""Refuses to be imported from the folder of a clone, where only a part of the package is."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

# The clone has these next to the folder ecsphys; an installed package has them in it.
_OTHER_FOLDERS = ("ecsphys.components", "ecsphys.systems")


def refuse_source_folder() -> None:
    """ImportError if Python has found the clone's folder ecsphys before the installed package."""
    if all(find_spec(name) is not None for name in _OTHER_FOLDERS):
        return
    clone = Path(__file__).parents[1]
    raise ImportError(
        f"Python found the source folder of ecsphys in {clone} before the installed package, because your program is"
        " in that folder too. Save your program in another folder, or install with: pip install -e ."
    )


refuse_source_folder()
