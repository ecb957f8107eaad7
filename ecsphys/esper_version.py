"""Refuses an esper that is too old, at import and with a clear message."""

from __future__ import annotations

import esper

# Version 3 made esper's worlds a module; ecsphys needs what 3.9 has.
_NEEDED = ("current_world", "clear_dead_entities", "event_registry")


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


refuse_old_esper()
