"""Layers and masks of ``CollisionFilter`` for all that is on the way of the car."""

from __future__ import annotations

_ALL = 0xFFFFFFFF
_USUAL, _GROUND, _LOOSE, _BEAM, _DEBRIS = (1 << bit for bit in range(5))

GROUND_FILTER = _USUAL | _GROUND, _ALL
LOOSE_FILTER = _LOOSE, _ALL & ~_BEAM
"""Crates and barrels do not get stuck under seesaws."""
BEAM_FILTER = _BEAM, _ALL & ~_LOOSE
DEBRIS_FILTER = _DEBRIS, _GROUND
"""Pieces of crates lie on the ground and hit nothing else."""
