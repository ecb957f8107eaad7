"""The player's choices for the hud of a scene."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Shown:
    """The player's choices for the hud, and how time goes."""

    is_paused: bool = False
    pace: float = 1.0
    has_help: bool = False
    is_bare: bool = False
    """Whether all text and switches are hidden."""
