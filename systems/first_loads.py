"""When kernels are loaded: with the physics or with the first component that needs them, so that no step waits for it.

What only some games use is loaded with the physics where it is kept on the disk, which takes some hundredths of a
second. Where it is not, it is compiled when it is needed: with the first component, or by the first query.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Final

from ecsphys.components.character.character import Character
from ecsphys.components.collision.bullet import Bullet
from ecsphys.components.dynamics.joints.joint_classes import JOINT_CLASSES
from ecsphys.components.dynamics.rigid_body import RigidBody
from ecsphys.components.store.component import Component
from ecsphys.engine.broadphase.overlaps import find_overlaps_in_grid
from ecsphys.engine.cast.shape_cast import cast_shapes
from ecsphys.engine.ccd.bullet_motion import set_motions, sweep_boxes
from ecsphys.engine.ccd.bullet_sweep import sweep_bullets
from ecsphys.engine.character.move_kernel import move_all
from ecsphys.engine.contact.reach import grow_boxes
from ecsphys.engine.contacts.one_way import veto_passing
from ecsphys.engine.dynamics.body_mass import measure_bodies
from ecsphys.engine.dynamics.body_state import gather_bodies, scatter_bodies
from ecsphys.engine.dynamics.contact_reach import find_reach
from ecsphys.engine.dynamics.contact_solver import JOINT_KERNELS, SOLVER_KERNELS
from ecsphys.engine.dynamics.sleeping_bodies import fall_asleep, wake_bodies
from ecsphys.engine.kernels.compilation import kept_in, load_kernels
from ecsphys.engine.shapes.shape_bounds import find_bad_shape
from ecsphys.engine.spatial.nearest import find_nearest
from ecsphys.engine.spatial.overlapping import find_containing, gather_candidates, list_touching
from ecsphys.engine.spatial.rays import cast_rays
from ecsphys.engine.spatial.search_grid import list_aside, survey_grid
from ecsphys.engine.spatial.sweeps import sweep_shapes
from ecsphys.engine.step_kernels import STEP_KERNELS
from ecsphys.engine.tables.entity_tables import merge_changes

Kernels = Sequence[Callable[..., Any]]

QUERY_KERNELS: Final[Kernels] = (
    survey_grid,
    list_aside,
    find_containing,
    gather_candidates,
    list_touching,
    find_bad_shape,
    find_nearest,
    cast_rays,
    sweep_shapes,
)
BULLET_KERNELS: Final[Kernels] = (sweep_boxes, set_motions, sweep_bullets, find_overlaps_in_grid, cast_shapes)
BODY_KERNELS: Final[Kernels] = (
    measure_bodies,
    gather_bodies,
    wake_bodies,
    *SOLVER_KERNELS,
    scatter_bodies,
    fall_asleep,
    find_reach,
    grow_boxes,
)

_FIRST_USES: Final[tuple[tuple[Kernels, tuple[type[Component], ...]], ...]] = (
    ((move_all,), (Character,)),
    (BULLET_KERNELS, (Bullet,)),
    (BODY_KERNELS, (RigidBody,)),
    (JOINT_KERNELS, JOINT_CLASSES),
)


def load_for_physics() -> None:
    """Load what steps, queries and moves call; what only the latter do, where it need not be compiled."""
    load_kernels((*STEP_KERNELS, merge_changes))
    _load_kept()


@cache
def _load_kept() -> None:
    rare: Kernels = (*QUERY_KERNELS, move_all, veto_passing)
    load_kernels([wanted for wanted in rare if kept_in(wanted)])


for _kernels, _classes in _FIRST_USES:
    for _class in _classes:
        _class._columns.before_first_row = partial(load_kernels, _kernels)
