"""The kernels that every step calls, to be loaded before the first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ecsphys.engine.broadphase.filing import file_in_grid
from ecsphys.engine.broadphase.grid import find_pairs_grid
from ecsphys.engine.broadphase.resting import find_pairs_at_rest, wake_moved
from ecsphys.engine.contact.contact import find_contacts
from ecsphys.engine.contacts.hit_tracking import filter_pairs, recall_contacts, track_hits
from ecsphys.engine.motion.euler_motion import step_euler
from ecsphys.engine.motion.trajectory_motion import step_trajectories
from ecsphys.engine.shapes.placement import place_shapes
from ecsphys.engine.tables.entity_tables import (
    find_repeated,
    join_colliders,
    match_colliders,
    match_rows,
    merge_changes,
)
from ecsphys.engine.tables.validation import find_invalid

STEP_KERNELS: Final[tuple[Callable[..., Any], ...]] = (
    merge_changes,
    find_repeated,
    match_rows,
    join_colliders,
    match_colliders,
    find_invalid,
    step_trajectories,
    step_euler,
    place_shapes,
    wake_moved,
    file_in_grid,
    find_pairs_grid,
    find_pairs_at_rest,
    filter_pairs,
    find_contacts,
    recall_contacts,
    track_hits,
)
