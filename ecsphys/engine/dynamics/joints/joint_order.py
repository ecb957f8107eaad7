"""The order in which joints are solved, and which of them are loaded.

Loaded joints link light bodies to heavy ones.

One pass over the joints carries a load through a body only as far as its mass allows: of a link of mass m that carries
M, each pass leaves all but m / M of an error. So a light body that carries much needs more passes, and so do all joints
that are linked to it by bodies that move, as each hands on the error of the others.

Joints of one kind are solved side by side if they need not wait for each other.

A joint is on the level after the levels of all joints before it in the table that have a moving body in common with it.
Joints of one level are independent.

A chain would have as many levels as joints, each of one joint. So levels are counted modulo L = LEVELS_IN_ORDER: joints
L levels apart are solved side by side. They have no moving body in common if all joints of a body are on fewer than L
levels in a row. A joint that would break this rule for one of its bodies goes beyond: to levels from L on, which are
counted apart, and are not cut.
"""

from __future__ import annotations

from ecsphys.engine.dynamics.bodies import INVERSE_MASS, LOCK_X, LOCK_Y, WORLD_ROW, BodyRows
from ecsphys.engine.dynamics.contacts.contact_filling import is_movable
from ecsphys.engine.dynamics.joints import joint_blocks as field
from ecsphys.engine.dynamics.joints import joint_rows as row
from ecsphys.engine.dynamics.joints.joint_blocks import JointBlocks, JointPlaces, JointRoom, fields_of
from ecsphys.engine.dynamics.joints.joint_rows import JointRows
from ecsphys.engine.dynamics.step_end import group_of
from ecsphys.engine.kernels import Int32Rows, index, inlined_scalar, kernel, scalar
from ecsphys.engine.math.lanes import LANES

# Joints are loaded where a body is so many times as heavy as a link.
_LOAD = 30.0

# A body that so many joints hold is a link: what one joint holds carries nothing.
_LINKS = 2


@inlined_scalar
def _mark_loaded(count: int, joints: JointRows, rows: BodyRows, places: JointPlaces) -> None:
    """Add the bit of loaded joints to their kinds, also of gears.

    They hold bodies of a group, which joints and gears hold together, with a link that is much lighter than a body.
    """
    end = int(places.counts[field.FIRST_GEAR]) + 0
    groups = places.groups
    places.counts[field.ANY_LOADED] = 0
    if not _may_be_loaded(end, joints, rows, places):
        return
    parents = groups[field.GROUP]
    parents[WORLD_ROW] = WORLD_ROW
    for j in range(end):
        for side in range(2):
            body = index(joints.ends[j, row.BODY_A + side])
            parents[body] = body
            groups[field.LIGHTEST, body] = WORLD_ROW
            groups[field.HEAVIEST, body] = body
    for j in range(count):
        moving = _moving_body(j, end, joints, rows)
        for k in range(4):
            body = _held_body(j, k, end, joints)
            if _mass_inverse(body, rows) > 0.0:
                parents[group_of(body, parents)] = group_of(moving, parents)
    for j in range(end):
        for side in range(2):
            body = index(joints.ends[j, row.BODY_A + side])
            inverse = _mass_inverse(body, rows)
            if inverse > 0.0:
                group = group_of(body, parents)
                if inverse < _mass_inverse(index(groups[field.HEAVIEST, group]), rows):
                    groups[field.HEAVIEST, group] = body
                is_link = groups[field.HELD_BY, body] >= _LINKS
                if is_link and inverse > _mass_inverse(index(groups[field.LIGHTEST, group]), rows):
                    groups[field.LIGHTEST, group] = body
    for j in range(count):
        moving = _moving_body(j, end, joints, rows)
        if moving != WORLD_ROW:
            group = group_of(moving, parents)
            light = _mass_inverse(index(groups[field.LIGHTEST, group]), rows)
            if light > _LOAD * _mass_inverse(index(groups[field.HEAVIEST, group]), rows):
                places.kinds[j] |= field.IS_LOADED
                places.counts[field.ANY_LOADED] = 1


@inlined_scalar
def _mass_inverse(body: int, rows: BodyRows) -> float:
    return float(rows.bodies[body, INVERSE_MASS])


@inlined_scalar
def _may_be_loaded(end: int, joints: JointRows, rows: BodyRows, places: JointPlaces) -> bool:
    """Count the joints of each body; whether any is so much heavier than any link: in most worlds none is."""
    groups = places.groups
    for j in range(end):
        for side in range(2):
            groups[field.HELD_BY, index(joints.ends[j, row.BODY_A + side])] = 0
    for j in range(end):
        for side in range(2):
            groups[field.HELD_BY, index(joints.ends[j, row.BODY_A + side])] += 1
    light = 0.0
    heavy = 0.0
    for j in range(end):
        for side in range(2):
            body = index(joints.ends[j, row.BODY_A + side])
            inverse = _mass_inverse(body, rows)
            if inverse > 0.0:
                heavy = inverse if heavy == 0.0 else min(heavy, inverse)
                if groups[field.HELD_BY, body] >= _LINKS:
                    light = max(light, inverse)
    return light > _LOAD * heavy


@inlined_scalar
def _held_body(j: int, k: int, end: int, joints: JointRows) -> int:
    """Body k, of 0 to 3, that a joint holds: of a gear the bodies of its first joint, then of its second; of any other
    joint its own, twice."""
    one = j
    if j >= end:
        one = index(joints.ends[j, row.SECOND_JOINT if k > 1 else row.FIRST_JOINT])
    return index(joints.ends[one, row.BODY_A + k % 2])


@inlined_scalar
def _moving_body(j: int, end: int, joints: JointRows, rows: BodyRows) -> int:
    """A body of a joint, or of a gear's joints, that impulses move; WORLD_ROW without any."""
    for k in range(4):
        body = _held_body(j, k, end, joints)
        if _mass_inverse(body, rows) > 0.0:
            return body
    return WORLD_ROW


# Loaded joints are solved at least so often in each pass: with 4, a few of a hundred random links of 1 : 1000 tear
# further than Box2D's.
_LOADED_ITERATIONS = 8


@scalar
def turns_of(iterations: int, is_loaded: bool) -> int:
    """How often a pass solves joints."""
    return max(iterations, _LOADED_ITERATIONS) if is_loaded else iterations


_NO_PLACE = -1

# Levels with fewer blocks are solved by one thread. A block takes 0.1 µs, or 0.4 where joints are torn; threads that
# wait for each other at the end of a level take 3 µs.
_FEW_BLOCKS = 36
_BLOCKS_AT_ONCE = 32


@inlined_scalar
def _holds_what_moves(j: int, joints: JointRows, rows: BodyRows) -> bool:
    """Whether joint j has two bodies and impulses move one of them."""
    a = index(joints.ends[j, row.BODY_A])
    b = index(joints.ends[j, row.BODY_B])
    return bool((a != b) & (is_movable(a, rows) | is_movable(b, rows)))


@scalar
def acts(j: int, joints: JointRows, rows: BodyRows) -> bool:
    """Whether joint j moves anything; a gear, whether any of its two joints does."""
    if joints.kinds[j] & row.IS_GEAR:
        return _holds_what_moves(index(joints.ends[j, row.FIRST_JOINT]), joints, rows) or _holds_what_moves(
            index(joints.ends[j, row.SECOND_JOINT]), joints, rows
        )
    return _holds_what_moves(j, joints, rows)


@kernel
def order_joints(joints: JointRows, rows: BodyRows, room: JointRoom) -> int:
    """Give each joint that is solved its place in the blocks; returns how many fields these need.

    There is room for as many blocks as there are joints; they need have no numbers.
    """
    blocks, places = room.blocks, room.places
    count = int(joints.kinds.shape[0])
    _mark_geared(count, joints, rows, places)
    _mark_loaded(count, joints, rows, places)
    kind_count = _find_levels(count, joints, rows, places)
    solved = _sort(count, kind_count, places)
    fields = _fill_up(solved, joints, blocks, places)
    _find_runs(count, blocks, places)
    return fields


@inlined_scalar
def _mark_geared(count: int, joints: JointRows, rows: BodyRows, places: JointPlaces) -> None:
    """Give each joint its kind, with a bit for the joints that a gear holds."""
    kinds = places.kinds
    for j in range(count):
        kinds[j] = joints.kinds[j]
    first_gear = count
    while first_gear > 0 and kinds[first_gear - 1] & row.IS_GEAR:
        first_gear -= 1
    places.counts[field.FIRST_GEAR] = first_gear
    for j in range(first_gear, count):
        if acts(j, joints, rows):
            for side in range(2):
                kinds[index(joints.ends[j, row.FIRST_JOINT + side])] |= field.IS_GEARED


@inlined_scalar
def _find_levels(count: int, joints: JointRows, rows: BodyRows, places: JointPlaces) -> int:
    """The level and the number of the kind of each joint, −1 for joints that are not solved; returns how many kinds
    there are."""
    kinds = places.kinds
    levels = places.levels
    sorting = places.sorting
    for j in range(count):
        for side in range(2):
            body = index(joints.ends[j, row.BODY_A + side])
            levels[field.NEXT_LEVEL, body] = 0
            levels[field.NEXT_BEYOND, body] = 0
    kind_count = 0
    for j in range(count):
        sorting[field.LEVELS, j] = -1
        places.places[j] = _NO_PLACE
        kind = int(kinds[j]) + 0
        is_solved = _holds_what_moves(j, joints, rows)
        if kind & row.IS_GEAR or not (is_solved or kind & field.IS_GEARED):
            continue
        a = index(joints.ends[j, row.BODY_A])
        b = index(joints.ends[j, row.BODY_B])
        level = 0
        if is_solved:
            # What does not move has no say.
            first = a if is_movable(a, rows) else b
            level = _level_of(first, b if is_movable(b, rows) else first, levels)
        else:
            kind |= field.IS_PASSIVE
        if (rows.locks[a] | rows.locks[b]) & (LOCK_X | LOCK_Y):
            kind |= field.HAS_LOCKED_BODY
        kinds[j] = kind
        sorting[field.LEVELS, j] = level
        number = 0
        # The kinds found so far are listed by the first joints that have them.
        while number < kind_count and int(kinds[index(sorting[field.BY_KIND, number])]) != kind:
            number += 1
        if number == kind_count:
            if kind_count < field.KIND_COUNT:
                sorting[field.BY_KIND, kind_count] = j
                kind_count += 1
            else:
                number = field.KIND_COUNT - 1
        sorting[field.KIND_NUMBERS, j] = number
    return kind_count


@inlined_scalar
def _level_of(a: int, b: int, levels: Int32Rows) -> int:
    """The level of a joint of two bodies that move, or of one, twice."""
    level = max(int(levels[field.NEXT_LEVEL, a]), int(levels[field.NEXT_LEVEL, b]))
    fits = True
    for body in (a, b):
        if levels[field.NEXT_LEVEL, body] != 0 and level >= levels[field.FIRST_LEVEL, body] + field.LEVELS_IN_ORDER:
            fits = False
    if not fits:
        beyond = max(int(levels[field.NEXT_BEYOND, a]), int(levels[field.NEXT_BEYOND, b]))
        levels[field.NEXT_BEYOND, a] = beyond + 1
        levels[field.NEXT_BEYOND, b] = beyond + 1
        return field.LEVELS_IN_ORDER + beyond
    for body in (a, b):
        if levels[field.NEXT_LEVEL, body] == 0:
            levels[field.FIRST_LEVEL, body] = level
        levels[field.NEXT_LEVEL, body] = level + 1
    return level % field.LEVELS_IN_ORDER


@inlined_scalar
def _sort(count: int, kind_count: int, places: JointPlaces) -> int:
    """Sort joints by level, kind and place in the table; returns how many there are."""
    sorting = places.sorting
    solved = 0
    for j in range(count):
        if sorting[field.LEVELS, j] >= 0:
            sorting[field.IN_ORDER, solved] = j
            solved += 1
    _sort_by(field.KIND_NUMBERS, kind_count, field.IN_ORDER, field.BY_KIND, solved, sorting)
    _sort_by(field.LEVELS, count, field.BY_KIND, field.IN_ORDER, solved, sorting)
    return solved


@inlined_scalar
def _sort_by(keys: int, key_count: int, source: int, target: int, count: int, sorting: Int32Rows) -> None:
    """Write joints from one row to another, in the order of their keys; joints of equal keys stay in order."""
    counts = sorting[field.HOW_MANY]
    for key in range(key_count + 1):
        counts[key] = 0
    for k in range(count):
        counts[index(sorting[keys, index(sorting[source, k])]) + 1] += 1
    for key in range(key_count):
        counts[key + 1] += counts[key]
    for k in range(count):
        j = sorting[source, k]
        key = index(sorting[keys, index(j)])
        sorting[target, index(counts[key])] = j
        counts[key] += 1


@inlined_scalar
def _fill_up(solved: int, joints: JointRows, blocks: JointBlocks, places: JointPlaces) -> int:
    """Put the sorted joints into blocks; returns how many fields these have."""
    kinds = places.kinds
    by_level = places.sorting[field.IN_ORDER]
    levels = places.sorting[field.LEVELS]
    block = -1
    lane = LANES
    level = -1
    kind = 0
    fields = 0
    for k in range(solved):
        j = index(by_level[k])
        if lane == LANES or int(levels[j]) != level or int(kinds[j]) != kind:
            block += 1
            lane = 0
            level = int(levels[j]) + 0
            kind = int(kinds[j]) + 0
            blocks.kinds[block] = kind
            blocks.firsts[block] = fields
            fields += fields_of(kind)
            for other in range(LANES):
                blocks.members[block, other] = -1
            for column in range(field.ROW_COLUMNS):
                blocks.rows[block, column] = WORLD_ROW
        blocks.members[block, lane] = j
        blocks.rows[block, field.ROW_A + lane] = joints.ends[j, row.BODY_A]
        blocks.rows[block, field.ROW_B + lane] = joints.ends[j, row.BODY_B]
        places.places[j] = block * LANES + lane
        lane += 1
    places.counts[field.BLOCK_COUNT] = block + 1
    return fields


@inlined_scalar
def _find_runs(count: int, blocks: JointBlocks, places: JointPlaces) -> None:
    """Find the blocks in a row of one level that threads share; the blocks of small levels between are one run."""
    block_count = int(places.counts[field.BLOCK_COUNT]) + 0
    levels = places.sorting[field.LEVELS]
    runs = places.runs
    run_count = 0
    shared = 0
    told = 0
    first = 0
    while first < block_count:
        level = int(levels[index(blocks.members[first, 0])]) + 0
        end = first + 1
        while end < block_count and int(levels[index(blocks.members[end, 0])]) == level:
            end += 1
        if end - first >= _FEW_BLOCKS:
            if first > told:
                runs[run_count, field.RUN_END] = first
                runs[run_count, field.RUN_AT_ONCE] = 0
                run_count += 1
            runs[run_count, field.RUN_END] = end
            runs[run_count, field.RUN_AT_ONCE] = _BLOCKS_AT_ONCE
            run_count += 1
            shared += end - first
            told = end
        first = end
    # Gears, and small levels before them.
    last = block_count + 1 if int(places.counts[field.FIRST_GEAR]) < count else block_count
    if last > told:
        runs[run_count, field.RUN_END] = last
        runs[run_count, field.RUN_AT_ONCE] = 0
        run_count += 1
    places.counts[field.RUN_COUNT] = run_count
    places.counts[field.SHARED_BLOCKS] = shared
