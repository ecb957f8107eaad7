"""The debug layers: drawings of the physics over a scene, each switched by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

LAYERS: Final[tuple[tuple[str, str, Literal["", "bodies", "view"]], ...]] = (
    ("shapes", "O", ""),
    ("contacts", "C", "view"),
    ("normals", "V", "view"),
    ("boxes", "B", "view"),
    ("grid", "G", "view"),
    ("joints", "J", "bodies"),
    ("sleep", "Z", "bodies"),
)
"""The field and the word on the switch, the key, and what a scene needs for it (see ``keys.Command``)."""


@dataclass
class DebugLayers:
    """Which of them are shown."""

    shapes: bool = False
    contacts: bool = False
    normals: bool = False
    boxes: bool = False
    grid: bool = False
    joints: bool = False
    sleep: bool = False
