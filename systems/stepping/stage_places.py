"""The places of the stages in a planned step."""

from __future__ import annotations

from typing import Final

NOWHERE: Final = -1
STAGE_PLACES: Final = (0, 1, 2, 3, 4, 5, 6)
TRAJECTORIES, MOTION, BODIES, HIERARCHY, SWEEP, BROADPHASE, NARROWPHASE = STAGE_PLACES
