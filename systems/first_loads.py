"""When kernels are loaded: with the physics or with the first component that needs them, so that no step waits for it.

What only some games use is loaded with the physics where it is kept on the disk, which takes some hundredths of a
second. Where it is not, it is compiled when it is needed: with the first component, or by the first query.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Final

from ecsphys.components.character.character import Character
from ecsphys.components.collision.chain_collider import ChainCollider
from ecsphys.components.effects.light import Beam, HomingLaser
from ecsphys.components.motion.parent import Parent
from ecsphys.components.store.component import Component
from ecsphys.engine.ccd.chain_sides import find_blocked
from ecsphys.engine.ccd.sweep_kernels import SWEEP_KERNELS
from ecsphys.engine.character.move_kernel import move_all
from ecsphys.engine.contact.chain_contact import smooth_chain_contacts
from ecsphys.engine.contacts.one_way import veto_passing
from ecsphys.engine.contacts.touches import gather_touches
from ecsphys.engine.kernels.compilation import kept_in, load_kernels
from ecsphys.engine.math.elementwise import aim_all, turn_all
from ecsphys.engine.shapes.shape_bounds import find_bad_shape
from ecsphys.engine.spatial.nearest import find_nearest
from ecsphys.engine.spatial.overlapping import find_containing, gather_candidates, list_touching
from ecsphys.engine.spatial.rays import cast_rays
from ecsphys.engine.spatial.search_grid import list_aside, survey_grid
from ecsphys.engine.spatial.sweeps import sweep_shapes
from ecsphys.engine.step_kernels import STEP_KERNELS
from ecsphys.engine.tables.entity_tables import merge_changes

Kernels = Sequence[Callable[..., Any]]

# For queries, moves, sweeps, and bodies at one-way solids.
_RARER_KERNELS: Final[Kernels] = (
    survey_grid,
    list_aside,
    find_containing,
    gather_candidates,
    list_touching,
    find_bad_shape,
    find_nearest,
    cast_rays,
    sweep_shapes,
    move_all,
    gather_touches,
    turn_all,
    aim_all,
    veto_passing,
    *SWEEP_KERNELS,
)


def load_for_physics() -> None:
    """Load what steps, queries and moves call; what only the latter do, where it need not be compiled."""
    load_kernels((*STEP_KERNELS, merge_changes))
    _load_kept()


@cache
def _load_kept() -> None:
    load_kernels([wanted for wanted in _RARER_KERNELS if kept_in(wanted)])


def load_with_first(kernels: Kernels, *classes: type[Component]) -> None:
    """Have kernels loaded, and compiled if need be, when the first component of one of some classes is created."""
    for cls in classes:
        cls._columns.before_first_row = partial(load_kernels, kernels)


load_with_first((move_all, gather_touches), Character)
load_with_first((turn_all,), Parent)
load_with_first((turn_all, aim_all), Beam, HomingLaser)
# No component of columns; a bullet that comes later asks which side of a chain it is on.
ChainCollider._before_first = partial(load_kernels, (smooth_chain_contacts, find_blocked))
