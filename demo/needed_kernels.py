"""Which kernels a scene calls: they are loaded before it begins, so that nothing is compiled in play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ecsphys.demo.scenes import CHAPTERS, GAME, SCENES
from ecsphys.engine.ccd.chain_sides import find_blocked
from ecsphys.engine.ccd.sweep_kernels import SWEEP_KERNELS
from ecsphys.engine.character.move_kernel import move_all
from ecsphys.engine.contact.chain_contact import smooth_chain_contacts
from ecsphys.engine.contacts.touches import gather_touches
from ecsphys.engine.dynamics.contact_solver import JOINT_KERNELS
from ecsphys.engine.effects.ribbon import cut_rungs
from ecsphys.engine.math.elementwise import aim_all, turn_all
from ecsphys.engine.shapes.shape_bounds import find_bad_shape
from ecsphys.engine.spatial.nearest import find_nearest
from ecsphys.engine.spatial.overlapping import find_containing
from ecsphys.engine.spatial.rays import cast_rays
from ecsphys.engine.spatial.search_grid import list_aside, survey_grid
from ecsphys.engine.spatial.sweeps import sweep_shapes
from ecsphys.engine.step_kernels import STEP_KERNELS
from ecsphys.engine.tables.entity_tables import merge_changes
from ecsphys.systems.dynamics.body_solver import BODY_KERNELS

Kernels = tuple[Callable[..., Any], ...]

# The mouse asks in every scene what is nearest to it.
_ALWAYS: Final[Kernels] = (*STEP_KERNELS, merge_changes, find_nearest, survey_grid, list_aside)
_OWN: Final[dict[str, Kernels]] = {
    GAME: (find_bad_shape, cut_rungs, turn_all, aim_all, move_all, gather_touches),
    "bullets": SWEEP_KERNELS,
    "car": (smooth_chain_contacts, find_blocked),
    "hills": (smooth_chain_contacts, find_blocked, move_all, gather_touches),
    "light": (cut_rungs, turn_all, aim_all),
    "platformer": (move_all, gather_touches),
    "queries": (find_containing, cast_rays, sweep_shapes),
    "yard": (smooth_chain_contacts, find_blocked, sweep_shapes),
}


def kernels_for(scene: str) -> Kernels:
    """All kernels that a scene calls, the longest last: where some have to be compiled, it is begun with."""
    bodies = () if SCENES[scene].group == CHAPTERS else (*JOINT_KERNELS, *BODY_KERNELS)
    return _ALWAYS + _OWN.get(scene, ()) + bodies
