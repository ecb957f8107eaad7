"""The kernels that every step calls, to be loaded before the first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ecsphys.engine.broadphase.filing import file_in_grid
from ecsphys.engine.broadphase.grid import find_pairs_awake, find_pairs_grid, plan_search
from ecsphys.engine.broadphase.sleeping import find_pairs_beside, forget_slots, wake_moved, wake_slots
from ecsphys.engine.contact.contact import find_contacts
from ecsphys.engine.contact.margin import grow_boxes
from ecsphys.engine.contacts.contact_filter import filter_pairs
from ecsphys.engine.contacts.hit_tracking import track_hits
from ecsphys.engine.motion.euler_motion import step_euler
from ecsphys.engine.motion.mover_list import follow_movers
from ecsphys.engine.motion.trajectory_motion import step_trajectories
from ecsphys.engine.run.run_plan import run_plans
from ecsphys.engine.shapes.placement import (
    forget_moved,
    hide_shapes,
    note_filed,
    note_marked,
    place_shapes,
    put_aside,
)
from ecsphys.engine.tables.collider_slots import (
    count_own_colliders,
    list_carried,
    list_colliders,
    list_unused,
    release_absent,
    update_colliders,
    update_order,
)
from ecsphys.engine.tables.entity_rows import find_shared_row, set_rows
from ecsphys.engine.tables.validation import find_invalid

STEP_KERNELS: Final[tuple[Callable[..., Any], ...]] = (
    find_shared_row,
    set_rows,
    count_own_colliders,
    list_unused,
    update_colliders,
    update_order,
    release_absent,
    list_colliders,
    list_carried,
    find_invalid,
    follow_movers,
    step_trajectories,
    step_euler,
    place_shapes,
    hide_shapes,
    note_marked,
    put_aside,
    forget_moved,
    note_filed,
    wake_slots,
    forget_slots,
    wake_moved,
    grow_boxes,
    file_in_grid,
    plan_search,
    find_pairs_grid,
    find_pairs_awake,
    find_pairs_beside,
    filter_pairs,
    find_contacts,
    track_hits,
    run_plans,
)
