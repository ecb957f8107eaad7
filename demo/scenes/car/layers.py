"""What hits what on the way of the car: layers and masks of ``CollisionFilter``."""

from __future__ import annotations

_ALL = 0xFFFFFFFF
_USUAL, _GROUND, _LOOSE, _BEAM, _DEBRIS = (1 << bit for bit in range(5))

GROUND_FILTER = _USUAL | _GROUND, _ALL
LOOSE_FILTER = _LOOSE, _ALL & ~_BEAM
"""Crates and barrels do not get stuck under seesaws."""
BEAM_FILTER = _BEAM, _ALL & ~_LOOSE
DEBRIS_FILTER = _DEBRIS, _GROUND
"""What is left of crates lies on the ground and is in the way of nothing."""
