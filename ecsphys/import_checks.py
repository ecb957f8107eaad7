"""Refuses, at import and with a clear message, an esper that is too old and the source folder of a clone."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import esper

# Version 3 made esper's worlds a module; ecsphys needs what 3.9 has.
_NEEDED = ("current_world", "clear_dead_entities", "event_registry")

# The clone has these next to the folder ecsphys; an installed package has them in it.
_OTHER_FOLDERS = ("ecsphys.components", "ecsphys.systems")


def refuse_old_esper() -> None:
    """Raise ImportError, naming the version, if esper lacks a function that ecsphys needs."""
    missing = [name for name in _NEEDED if not hasattr(esper, name)]
    if not missing:
        return
    # Here only: it takes as long to import as a tenth of this package.
    from importlib.metadata import PackageNotFoundError, version

    try:
        found = version("esper")
    except PackageNotFoundError:
        found = str(getattr(esper, "version", "unknown"))
    raise ImportError(
        f"ecsphys needs esper 3.9 or newer, and found esper {found} (without esper.{missing[0]}): pip install -U esper;"
        " docs/from-esper-2.md explains how to move a game from esper 2"
    )


def refuse_source_folder() -> None:
    """ImportError if Python has found the clone's folder ecsphys before the installed package."""
    if all(find_spec(name) is not None for name in _OTHER_FOLDERS):
        return
    clone = Path(__file__).parents[1]
    raise ImportError(
        f"Python found the source folder of ecsphys in {clone} before the installed package, because your program is"
        " in that folder too. Save your program in another folder, or install with: pip install -e ."
    )


refuse_old_esper()
refuse_source_folder()
