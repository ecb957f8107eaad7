"""The words of a plan: first its numbers, then the recorded calls of its kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ecsphys.engine.broadphase.cells import file_in_grid
from ecsphys.engine.broadphase.grid import find_pairs_grid, wake_moved
from ecsphys.engine.ccd.near_misses import leave_out_misses
from ecsphys.engine.dynamics.body_state import gather_bodies
from ecsphys.engine.dynamics.contacts.materials import change_contacts
from ecsphys.engine.dynamics.followed_writes import follow_joints, follow_moves
from ecsphys.engine.dynamics.joints.joint_order import order_joints
from ecsphys.engine.dynamics.joints.joint_placing import measure_joints
from ecsphys.engine.dynamics.joints.jointed_step import hand_out_loads
from ecsphys.engine.dynamics.sleeping_bodies import wake_bodies
from ecsphys.engine.dynamics.solver import solve_step
from ecsphys.engine.dynamics.step_end import finish_bodies
from ecsphys.engine.hits.contact_filter import filter_pairs, leave_out_joined
from ecsphys.engine.hits.hit_tracking import track_hits
from ecsphys.engine.manifold.chain_contact import smooth_chain_contacts
from ecsphys.engine.manifold.contact import find_contacts
from ecsphys.engine.motion.euler_motion import step_euler
from ecsphys.engine.motion.trajectory_motion import step_trajectories
from ecsphys.engine.run.recorded_calls import CallPlaces
from ecsphys.engine.shapes.measures import grow_boxes
from ecsphys.engine.shapes.placement import note_filed, place_shapes

# How far a step came: to its end, or to a place where Python goes on.
(
    DONE,
    BODIES_WOKEN,
    CHANGES_DUE,
    CHANGES_REFUSED,
    JOINTS_WOKEN,
    BODIES_MEASURED,
    BODIES_MOVED,
    STILLNESS_COUNTED,
    PAIRS_FOUND,
) = range(9)

# The plan's own address; then the address and the length of some arrays.
SELF = 0
NOTE_COUNTS, RISING, STILLNESS, RUN, FLAGS_OF_CLASSES, PLACES_OF_CLASSES = range(1, 13, 2)
(
    # The parts of a step in this world, 0 or 1.
    HAS_TRAJECTORIES,
    HAS_MOVERS,
    HAS_BODIES,
    GATHERS,
    ANY_SLEEPS,
    HAS_CHANGES,
    HAS_JOINTS,
    SOLVES,
    MOVES,
    HAS_KEPT,
    GROWS,
    IS_JOINED,
    IS_FILTERED,
    HAS_CHAINS,
    KNOWS_SLEEP,
    MAY_BREAK,
    # Whether writes of the game may be followed, as of follow_writes.
    FOLLOWS,
    # How much there is, and how much has room.
    CLASSES,
    COLLIDERS,
    USED,
    MOVING,
    LEAST_SHARED,
    CHANGES_ROOM,
    SOLVED_ROOM,
    BLOCK_ROOM,
    JOINT_ROOM,
    GROWN_ROOM,
    FILING_ROOM,
    PAIR_ROOM,
    KEPT_ROOM,
    TESTED_ROOM,
    FOUND_ROOM,
    HIT_ROOM,
    ENDED_ROOM,
    REST_FIRST,
    REST_END,
    # Numbers of the Python layer.
    TO_BE_NOTED,
    NOT_TO_BE_NOTED,
    STEPS_TO_PAY,
    # The contents of the other buffer of contacts.
    KNOWN,
    # Numbers that go on from step to step.
    CONTACTS,
    NEAR,
    CALL,
    LISTED,
    COST,
    EXPECTS_ALL,
    ARE_ALL_MOVED,
    HAS_STILLNESS,
    IS_FILED,
    IS_FILED_HERE,
    BOXES,
    # Results of a step.
    STATUS,
    NEWS,
    WOKEN,
    VETOED,
    HAVE_MOVED_FINITE,
    IS_FINITE,
    ASLEEP,
    FAST,
    BLOCKS,
    UNNOTED,
    STILL,
    DEPARTED,
    WAS_FILED,
    PAIRS,
    TESTED,
    NEW,
    ENDED,
    AT_REST,
    FIRST_CALL,
) = range(13, 83)

PLANNED: Final[tuple[Callable[..., Any], ...]] = (
    step_trajectories,
    step_euler,
    gather_bodies,
    wake_bodies,
    change_contacts,
    leave_out_misses,
    measure_joints,
    order_joints,
    solve_step,
    finish_bodies,
    place_shapes,
    wake_moved,
    grow_boxes,
    file_in_grid,
    find_pairs_grid,
    note_filed,
    leave_out_joined,
    filter_pairs,
    find_contacts,
    smooth_chain_contacts,
    track_hits,
    hand_out_loads,
    follow_moves,
    follow_joints,
)
"""The kernels that a plan calls."""

MOST_CLASSES: Final = 16
"""How many classes of joints have room: some kernels are called for each."""

PLACES: Final = CallPlaces(PLANNED, FIRST_CALL, {"hand_out_loads": MOST_CLASSES, "follow_joints": MOST_CLASSES})
"""Where the calls are."""
