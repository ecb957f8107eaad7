"""The kernels that sweep bullets and fast bodies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ecsphys.engine.broadphase.overlaps import find_overlaps_in_grid
from ecsphys.engine.cast.shape_cast import cast_shapes
from ecsphys.engine.ccd.bullet_motion import set_motions
from ecsphys.engine.ccd.bullet_sweep import sweep_bullets
from ecsphys.engine.ccd.sweep_choice import choose_swept, reckon_starts

SWEEP_KERNELS: Final[tuple[Callable[..., Any], ...]] = (
    reckon_starts,
    choose_swept,
    set_motions,
    sweep_bullets,
    find_overlaps_in_grid,
    cast_shapes,
)
