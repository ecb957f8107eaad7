"""Steps in one native call: the kernels of a step one after the other, as a plan says.

A plan is an array of words (:mod:`ecsphys.engine.run.plan`). It is made for a world whose structure stays as it
is. Numbers of the plan may differ from step to step, such as the number of contacts. Where a step needs more
than a plan can do, such as a longer array, :func:`run_plans` stops before it and says where. Python goes on there, with
the same kernels.
"""

from __future__ import annotations

from typing import Final

from numpy import int32, int64, uint8

from ecsphys.engine.broadphase.pairs import is_too_many
from ecsphys.engine.dynamics.contacts.contact_blocks import RISING_COUNT
from ecsphys.engine.dynamics.contacts.materials import REFUSED
from ecsphys.engine.kernels import Int64Rows, Int64s, inlined_scalar, kernel
from ecsphys.engine.kernels.intrinsics import noted_array
from ecsphys.engine.run import plan as at
from ecsphys.engine.run.plan import DONE, PLACES
from ecsphys.engine.shapes.placement import ASIDE_COUNT, MOVED_COUNT
from ecsphys.engine.tables.component_rows import WRITTEN

_call_step_trajectories = PLACES.call("step_trajectories")
_call_step_euler = PLACES.call("step_euler")
_call_gather_bodies = PLACES.call("gather_bodies")
_call_wake_bodies = PLACES.call("wake_bodies")
_call_change_contacts = PLACES.call("change_contacts")
_call_leave_out_misses = PLACES.call("leave_out_misses")
_call_measure_joints = PLACES.call("measure_joints")
_call_order_joints = PLACES.call("order_joints")
_call_solve_step = PLACES.call("solve_step")
_call_finish_bodies = PLACES.call("finish_bodies")
_call_place_shapes = PLACES.call("place_shapes")
_call_wake_moved = PLACES.call("wake_moved")
_call_grow_boxes = PLACES.call("grow_boxes")
_call_file_in_grid = PLACES.call("file_in_grid")
_call_find_pairs_grid = PLACES.call("find_pairs_grid")
_call_note_filed = PLACES.call("note_filed")
_call_leave_out_joined = PLACES.call("leave_out_joined")
_call_filter_pairs = PLACES.call("filter_pairs")
_call_find_contacts = PLACES.call("find_contacts")
_call_smooth_chain_contacts = PLACES.call("smooth_chain_contacts")
_call_track_hits = PLACES.call("track_hits")
_call_hand_out_loads = PLACES.call("hand_out_loads")
_call_follow_moves = PLACES.call("follow_moves")
_call_follow_joints = PLACES.call("follow_joints")

_int32s = noted_array(int32)
_int64s = noted_array(int64)
_bytes = noted_array(uint8)

_WAKE_TOTAL: Final = PLACES.argument("wake_bodies", "count")
_CHANGE_COUNT: Final = PLACES.argument("change_contacts", "count")
_MISSES_COUNT: Final = PLACES.argument("leave_out_misses", "count")
_SOLVE_COUNT: Final = PLACES.argument("solve_step", "step.contact_count")
_FINISH_COUNT: Final = PLACES.argument("finish_bodies", "count")
_MOVES_CONTACTS: Final = PLACES.argument("follow_moves", "near.contacts")
_MOVES_AWAKE: Final = PLACES.argument("follow_moves", "near.awake")
_JOINTS_SIZE: Final = PLACES.size["follow_joints"]
_JOINTS_FOLLOW: Final = PLACES.argument("follow_joints", "follows")
_PLACE_NOTING: Final = PLACES.argument("place_shapes", "noting")
_WAKE_MOVED_WHICH: Final = PLACES.argument("wake_moved", "which")
_WAKE_MOVED_COUNT: Final = PLACES.argument("wake_moved", "count")
_GROW_SLOTS: Final = PLACES.argument("grow_boxes", "slots")
_GROW_COUNT: Final = PLACES.argument("grow_boxes", "count")
_FILE_BOXES: Final = PLACES.argument("file_in_grid", "boxes")
_PAIRS_BOXES: Final = PLACES.argument("find_pairs_grid", "boxes")
_PAIRS_AWAKE: Final = PLACES.argument("find_pairs_grid", "awake")
_FOUND_PAIRS: Final = PLACES.argument("find_pairs_grid", "pairs")
_NOTE_FILED_SLOTS: Final = PLACES.argument("note_filed", "filed")
_JOINED_PAIRS: Final = PLACES.argument("leave_out_joined", "pairs")
_JOINED_KEPT: Final = PLACES.argument("leave_out_joined", "kept")
_FILTER_PAIRS: Final = PLACES.argument("filter_pairs", "pairs")
_FILTER_TESTED: Final = PLACES.argument("filter_pairs", "tested")
_FIND_PAIRS: Final = PLACES.argument("find_contacts", "pairs")
_SMOOTH_COUNT: Final = PLACES.argument("smooth_chain_contacts", "count")
_TRACK_FIRST_SWEPT: Final = PLACES.argument("track_hits", "found.first_swept")
_TRACK_CALL: Final = PLACES.argument("track_hits", "found.call")
_TRACK_LAST: Final = PLACES.argument("track_hits", "before.total")
_TRACK_KNOWN: Final = PLACES.argument("track_hits", "before.known")


@kernel
def run_plans(plans: Int64Rows, addresses: int, first: int, end: int) -> None:
    """Make the steps of the plans first … end − 1, and note in each how far it came.

    ``plans`` (n, 2) has the address and the length of the words of each; ``addresses`` is where it is itself.
    """
    for k in range(first, end):
        plan = _int64s(addresses, k * plans.shape[1])
        status = _move(plan)
        if status == DONE:
            status = _find_pairs(plan)
        if status == DONE:
            status = _find_hits(plan)
        plan[at.STATUS] = status
        plan[at.NEWS] = _news(plan) if status == DONE else 0


@kernel
def follow_writes(plans: Int64Rows, addresses: int) -> bool:
    """Let the next step of the first plan follow the writes of the game; returns whether it can.

    The plan notes a flag for each class (FLAGS_OF_CLASSES), which is WRITTEN if any of its rows was, and the places of
    classes among them that can be followed (PLACES_OF_CLASSES): Transform, then joints. If all is followed,
    these flags are cleared, and the rows are FOLLOWED. If not, all is as it was, but for shapes that were placed.
    """
    plan = _int64s(addresses, 0)
    flags = _bytes(plan[at.SELF], at.FLAGS_OF_CLASSES)
    places = _int64s(plan[at.SELF], at.PLACES_OF_CLASSES)
    others = 0
    for k in range(flags.shape[0]):
        others += flags[k] == WRITTEN
    for k in range(places.shape[0]):
        others -= flags[places[k]] == WRITTEN
    if others > 0 or not plan[at.FOLLOWS]:
        return False
    for k in range(1, places.shape[0]):
        if flags[places[k]] == WRITTEN:
            plan[_JOINTS_FOLLOW + (k - 1) * _JOINTS_SIZE] = False
            if not _call_follow_joints(plan, k - 1):
                return False
    if flags[places[0]] == WRITTEN:
        plan[_MOVES_CONTACTS + 1] = plan[at.CONTACTS]
        plan[_MOVES_AWAKE + 1] = plan[at.LISTED]
        if not _call_follow_moves(plan):
            return False
        flags[places[0]] = 0
    for k in range(1, places.shape[0]):
        if flags[places[k]] == WRITTEN:
            plan[_JOINTS_FOLLOW + (k - 1) * _JOINTS_SIZE] = True
            _call_follow_joints(plan, k - 1)
            flags[places[k]] = 0
    return True


@inlined_scalar
def _news(plan: Int64s) -> int:
    """How many things a step has brought that the Python layer must know of before the next one."""
    news: int = plan[at.NEW] + plan[at.ENDED] + plan[at.DEPARTED] + int64(1) - plan[at.HAVE_MOVED_FINITE]
    if plan[at.HAS_BODIES]:
        rising = _int32s(plan[at.SELF], at.RISING)
        news += plan[at.ASLEEP] + plan[at.FAST] + int64(rising[RISING_COUNT]) + int64(1) - plan[at.IS_FINITE]
    return news


@inlined_scalar
def _move(plan: Int64s) -> int:
    """Move everything that moves, and solve the contacts of bodies."""
    is_finite = True
    if plan[at.HAS_TRAJECTORIES]:
        is_finite &= _call_step_trajectories(plan)
    if plan[at.HAS_MOVERS]:
        is_finite &= _call_step_euler(plan)
    plan[at.HAVE_MOVED_FINITE] = is_finite
    if not plan[at.HAS_BODIES]:
        return DONE
    count = plan[at.CONTACTS] if plan[at.GROWS] else int64(0)
    if plan[at.GATHERS]:
        _call_gather_bodies(plan)
    if plan[at.ANY_SLEEPS]:
        plan[_WAKE_TOTAL] = count
        plan[at.WOKEN] = _call_wake_bodies(plan)
        if plan[at.WOKEN]:
            return at.BODIES_WOKEN
    plan[at.VETOED] = 0
    if count and plan[at.HAS_CHANGES]:
        if count > plan[at.CHANGES_ROOM]:
            return at.CHANGES_DUE
        plan[_CHANGE_COUNT] = count
        plan[at.VETOED] = _call_change_contacts(plan)
        if plan[at.VETOED] == REFUSED:
            return at.CHANGES_REFUSED
    others = plan[at.REST_FIRST] if count and plan[at.REST_END] == count else count
    if count and plan[at.GATHERS]:
        plan[_MISSES_COUNT] = others
        _call_leave_out_misses(plan)
    if plan[at.HAS_JOINTS]:
        plan[at.WOKEN] = _call_measure_joints(plan)
        if plan[at.WOKEN]:
            return at.JOINTS_WOKEN
    rising = _int32s(plan[at.SELF], at.RISING)
    rising[RISING_COUNT] = 0
    if plan[at.SOLVES]:
        if count > plan[at.SOLVED_ROOM]:
            return at.BODIES_MEASURED
        if plan[at.HAS_JOINTS] and _call_order_joints(plan) > plan[at.JOINT_ROOM]:
            return at.BODIES_MEASURED
        plan[_SOLVE_COUNT] = others
        plan[at.BLOCKS] = _call_solve_step(plan)
        if plan[at.BLOCKS] > plan[at.BLOCK_ROOM]:
            return at.BODIES_MEASURED
    plan[_FINISH_COUNT] = count
    is_finite, asleep, fast = _call_finish_bodies(plan)
    plan[at.IS_FINITE] = is_finite
    plan[at.ASLEEP] = asleep
    plan[at.FAST] = fast
    for k in range(plan[at.CLASSES]):
        _call_hand_out_loads(plan, k)
    return at.BODIES_MOVED if fast or plan[at.MAY_BREAK] else DONE


@inlined_scalar
def _find_pairs(plan: Int64s) -> int:
    """Place moved shapes, and find the pairs, as ``SleepingColliders.find_pairs`` does."""
    notes = _int64s(plan[at.SELF], at.NOTE_COUNTS)
    plan[at.UNNOTED] = 0
    plan[at.WAS_FILED] = 0
    plan[at.DEPARTED] = 0
    plan[at.STILL] = 0
    plan[at.PAIRS] = 0
    are_all_aside = False
    if plan[at.MOVES]:
        is_expected = plan[at.EXPECTS_ALL] != 0 and plan[at.MOVING] == plan[at.COLLIDERS]
        plan[_PLACE_NOTING] = plan[at.NOT_TO_BE_NOTED] if is_expected else plan[at.TO_BE_NOTED]
        different = _call_place_shapes(plan)
        if is_expected:
            plan[at.ARE_ALL_MOVED] = 1
            are_all_aside = True
            plan[at.UNNOTED] = plan[at.MOVING]
            plan[at.EXPECTS_ALL] = different == plan[at.COLLIDERS]
    has_listed = notes[MOVED_COUNT] + notes[ASIDE_COUNT] > 0 or plan[at.ARE_ALL_MOVED] != 0 or are_all_aside
    if plan[at.LISTED] == 0 and plan[at.IS_FILED_HERE] and not has_listed:
        return DONE
    if plan[at.ARE_ALL_MOVED] and not plan[at.HAS_KEPT]:
        _forget_stillness(plan)
    elif not plan[at.HAS_KEPT] and notes[MOVED_COUNT] == plan[at.COLLIDERS]:
        plan[at.EXPECTS_ALL] = 1
        _forget_stillness(plan)
    else:
        plan[at.EXPECTS_ALL] = 0
        plan[at.HAS_STILLNESS] = 1
        plan[_WAKE_MOVED_WHICH + 1] = notes[MOVED_COUNT]
        plan[_WAKE_MOVED_COUNT] = plan[at.LISTED]
        listed, still = _call_wake_moved(plan)
        plan[at.DEPARTED] = listed != plan[at.LISTED]
        plan[at.LISTED] = listed
        plan[at.COST] += still
        plan[at.STILL] = still
        sleeping = plan[at.COLLIDERS] - listed + still
        if still and plan[at.COST] >= plan[at.STEPS_TO_PAY] * sleeping and 2 * sleeping >= plan[at.COLLIDERS]:
            return at.STILLNESS_COUNTED
    if plan[at.LISTED] == 0 and plan[at.IS_FILED_HERE]:
        _note_filed(plan)
        return DONE
    boxes = plan[at.LISTED] if plan[at.HAS_KEPT] else plan[at.USED]
    if boxes > min(plan[at.FILING_ROOM], plan[at.GROWN_ROOM]) or boxes >= plan[at.LEAST_SHARED]:
        return at.STILLNESS_COUNTED
    if plan[at.HAS_KEPT]:
        plan[_GROW_SLOTS + 1] = boxes
        plan[_PAIRS_BOXES + 1] = boxes
        plan[_PAIRS_AWAKE + 1] = boxes
    if boxes and (plan[at.GROWS] or plan[at.HAS_KEPT]):
        plan[_GROW_COUNT] = boxes
        _call_grow_boxes(plan)
    plan[_FILE_BOXES + 1] = boxes
    if _call_file_in_grid(plan) > 0:
        return at.STILLNESS_COUNTED
    found = _call_find_pairs_grid(plan)
    if found >= plan[at.PAIR_ROOM] or is_too_many(found):
        return at.STILLNESS_COUNTED
    plan[at.PAIRS] = found
    plan[at.BOXES] = boxes
    plan[at.WAS_FILED] = 1
    plan[at.IS_FILED_HERE] = 1
    _note_filed(plan)
    return DONE


@inlined_scalar
def _forget_stillness(plan: Int64s) -> None:
    """Let nothing have been still until now."""
    if plan[at.HAS_STILLNESS]:
        stillness = _bytes(plan[at.SELF], at.STILLNESS)
        for k in range(stillness.shape[0]):
            stillness[k] = 0
        plan[at.HAS_STILLNESS] = 0


@inlined_scalar
def _note_filed(plan: Int64s) -> None:
    """Note that exactly the awake ones are filed, and seen by the broadphase."""
    notes = _int64s(plan[at.SELF], at.NOTE_COUNTS)
    if not plan[at.IS_FILED] or notes[ASIDE_COUNT] > 0 or notes[MOVED_COUNT] > 0:
        plan[_NOTE_FILED_SLOTS + 1] = plan[at.LISTED]
        _call_note_filed(plan)
        plan[at.IS_FILED] = 1
    plan[at.ARE_ALL_MOVED] = 0


@inlined_scalar
def _find_hits(plan: Int64s) -> int:
    """Test the pairs, and merge the contacts with the last step's, as ``HitTracker`` does."""
    count = plan[at.PAIRS]
    tested = plan[_FOUND_PAIRS]
    if plan[at.IS_JOINED]:
        if count > plan[at.KEPT_ROOM]:
            return at.PAIRS_FOUND
        plan[_JOINED_PAIRS] = tested
        plan[_JOINED_PAIRS + 1] = count
        count = _call_leave_out_joined(plan)
        tested = plan[_JOINED_KEPT]
    if plan[at.IS_FILTERED]:
        if count > plan[at.TESTED_ROOM]:
            return at.PAIRS_FOUND
        plan[_FILTER_PAIRS] = tested
        plan[_FILTER_PAIRS + 1] = count
        count = _call_filter_pairs(plan)
        tested = plan[_FILTER_TESTED]
    plan[at.TESTED] = count
    if count > plan[at.FOUND_ROOM] or count >= plan[at.LEAST_SHARED]:
        return at.PAIRS_FOUND
    found = int64(0)
    if count:
        plan[_FIND_PAIRS] = tested
        plan[_FIND_PAIRS + 1] = count
        found = _call_find_contacts(plan)
        if plan[at.HAS_CHAINS] and found:
            plan[_SMOOTH_COUNT] = found
            found = _call_smooth_chain_contacts(plan)
    last = plan[at.CONTACTS]
    most = found + (last if plan[at.KNOWS_SLEEP] else plan[at.NEAR])
    if most > plan[at.HIT_ROOM] or last > plan[at.ENDED_ROOM] or found >= plan[at.LEAST_SHARED]:
        return at.PAIRS_FOUND
    run = _int64s(plan[at.SELF], at.RUN)
    run[1] = found
    plan[at.CALL] += 1
    plan[_TRACK_FIRST_SWEPT] = count
    plan[_TRACK_CALL] = plan[at.CALL]
    plan[_TRACK_LAST] = last
    plan[_TRACK_KNOWN] = plan[at.KNOWN]
    contacts, near, new, ended, _, at_rest = _call_track_hits(plan)
    plan[at.CONTACTS] = contacts
    plan[at.NEAR] = near
    plan[at.NEW] = new
    plan[at.ENDED] = ended
    plan[at.AT_REST] = at_rest
    return DONE
