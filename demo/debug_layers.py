"""The debug layers: drawings of the physics over a scene, each switched by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LAYERS: Final = (
    ("shapes", "shapes", "O"),
    ("contacts", "contacts", "C"),
    ("normals", "normals", "V"),
    ("boxes", "boxes", "B"),
    ("grid", "grid", "G"),
    ("joints", "joints", "J"),
    ("sleep", "sleep", "Z"),
)
"""The field, the word on its switch, and the key of each."""
OF_BODIES: Final = ("joints", "sleep")
"""The layers that say nothing of a scene without bodies."""


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
