"""Makes hits of the contacts of a step, in their public order, and merges them with the last step's.

The rows are a table of contacts, one for each pair of colliders that overlap or are near enough to each other. A hit is
a contact that is not merely *near*. Contacts are judged in a *scene*: the colliders, their filters and bodies, and how
they move.

A step's narrowphase is three kernels: ``filter_pairs``, ``find_contacts``, and :func:`track_hits`.
"""

from __future__ import annotations

from numpy import nan, uint8

from ecsphys.engine.dynamics.bodies import STATIC, BodyList, center_from_position
from ecsphys.engine.hits import contact_table as contacts
from ecsphys.engine.hits.contact_filter import FilterBlocks, may_collide
from ecsphys.engine.hits.contact_table import ContactPoints, ContactTable, FoundContacts, HitRows, LastContacts
from ecsphys.engine.hits.hit_order import SortRoom, comes_first, ranks_say_all, sort_contacts
from ecsphys.engine.kernels import NamedTuple, arrays, index, inlined_scalar, kernel, packed, prefetch, scalar
from ecsphys.engine.manifold.contact import DEPTH, NORMAL, POINT_COUNT, POINTS, SEPARATIONS
from ecsphys.engine.manifold.manifold import NO_FEATURE
from ecsphys.engine.shapes.placement import TRANSFORM_ANGLE, TRANSFORM_X, TRANSFORM_Y
from ecsphys.engine.tables.collider_slots import DESPAWNED_ABSENCE, ORDERED_COUNT, PRESENT, ColliderSlots
from ecsphys.engine.tables.entity_rows import TRANSFORM, VELOCITY


@packed
class MassCenters(NamedTuple):
    """The dynamic bodies that do not turn about the positions of their colliders.

    ``body`` (slots,): for each slot of a collider the row of such a body, −1 for all others; empty without such bodies.
    Further the list of bodies, the block of Transform, and the ``positions`` of colliders.
    """

    body: arrays.Int32s
    listed: BodyList
    transforms: arrays.Float64Rows
    positions: arrays.Float64Rows


@packed
class Velocities(NamedTuple):
    """The block of Velocity: x, y, angular (3, rows); the velocities (2, slots of entities) on trajectories; and the
    centres of mass of bodies."""

    stepped: arrays.Float64Rows
    on_trajectories: arrays.Float64Rows
    centers: MassCenters


@packed
class ContactScene(NamedTuple):
    """The scene in which contacts are judged: the colliders and where they are, and how they meet and move.

    ``extent``: the numbers of the order of all colliders. ``dead`` flags colliders of entities that are marked dead.
    ``sleeping``: for each its place in the grid of sleeping ones, −1 if it is awake; empty if no contact goes on
    asleep. ``body_of``: for each its body, −1 without; empty if they are not known. ``body_kind``: the kind of each
    body.
    """

    colliders: ColliderSlots
    extent: arrays.Int64s
    positions: arrays.Float64Rows
    dead: arrays.Uint8s
    sleeping: arrays.Int32s
    body_of: arrays.Int32s
    body_kind: arrays.Uint8s
    filters: FilterBlocks
    velocities: Velocities


@inlined_scalar
def can_push(a: int, b: int, scene: ContactScene) -> bool:
    """Whether two colliders may push each other: not if both are of static bodies."""
    if max(a, b) >= scene.body_of.shape[0]:
        return True
    i = int(scene.body_of[a]) + 0
    j = int(scene.body_of[b]) + 0
    return i < 0 or j < 0 or scene.body_kind[i] != STATIC or scene.body_kind[j] != STATIC


@inlined_scalar
def point_velocity(
    slot: int, x: float, y: float, colliders: ColliderSlots, velocities: Velocities
) -> tuple[float, float]:
    """World velocity of the point at (x, y) from a collider's position: v + ω × r, with r from the centre of mass of a
    dynamic body, and from the position of anything else."""
    row = colliders.velocity_row[slot]
    centers = velocities.centers
    if slot < centers.body.shape[0] and centers.body[slot] >= 0:
        b = index(centers.body[slot])
        row = centers.listed.rows[VELOCITY, b]
        t = index(centers.listed.rows[TRANSFORM, b])
        center_x, center_y = center_from_position(b, centers.transforms[TRANSFORM_ANGLE, t], centers.listed)
        x += (centers.positions[slot, 0] - centers.transforms[TRANSFORM_X, t]) - center_x
        y += (centers.positions[slot, 1] - centers.transforms[TRANSFORM_Y, t]) - center_y
    if row >= 0:
        angular = velocities.stepped[2, row]
        return velocities.stepped[0, row] - angular * y, velocities.stepped[1, row] + angular * x
    path = colliders.trajectory[slot]
    if path >= 0:
        return velocities.on_trajectories[0, path], velocities.on_trajectories[1, path]
    return 0.0, 0.0


# Why a hit ended; where several apply, the lowest. 1: a collider or transform was removed.
DESPAWNED, DISABLED, FILTERED, SEPARATED = 0, 2, 3, 4

# So many hits ahead the numbers of a contact are fetched, then of its second collider, then the velocity of this one.
_FAR_AHEAD, _AHEAD, _NEAR = 12, 8, 4

# Bits of a listed number for the row that a contact goes to, or that it had, from 1 on; and the bit that says whether
# that row has the same pair already, as of the same structure.
_ROW_BITS = 32
_ROW_MASK = (1 << _ROW_BITS) - 1
_KNOWN = 1 << 62


@packed
class EndedRows(NamedTuple):
    """The rows of the last step's hits that ended, and why; with room for all."""

    rows: arrays.Int64s
    reasons: arrays.Uint8s


@scalar
def _mean(first: float, second: float, count: float) -> float:
    """A coordinate of the mean of a contact's points."""
    return 0.5 * (first + second) if count == 2 else first


@inlined_scalar
def _approach_speed(a: int, b: int, normal_x: float, normal_y: float, x: float, y: float, scene: ContactScene) -> float:
    """The speed at which two colliders approach each other at (x, y), along the normal from a to b."""
    positions = scene.positions
    ax, ay = point_velocity(a, x - positions[a, 0], y - positions[a, 1], scene.colliders, scene.velocities)
    bx, by = point_velocity(b, x - positions[b, 0], y - positions[b, 1], scene.colliders, scene.velocities)
    return (ax - bx) * normal_x + (ay - by) * normal_y


@inlined_scalar
def _write_found(
    k: int, contact: int, beside: int, found: FoundContacts, table: ContactTable, scene: ContactScene, is_known: bool
) -> None:
    """Write a contact to row k of the table. If it ``is_known``, that row has its pair's entities, kinds and parts.

    ``beside`` it the same pair has another contact, −1 for none. A solver pushes the two apart at the points where they
    are now. The time and the approach speed come from the contact that was found between two steps.
    """
    colliders = scene.colliders
    hits = table.hits
    rows = found.contacts.rows
    a = index(found.contacts.pairs[contact, 0])
    b = index(found.contacts.pairs[contact, 1])
    is_swept = contact >= found.first_swept
    source = contact
    count = rows[contact, POINT_COUNT]
    if table.points.impulses.shape[0] > 0:
        if is_swept and beside >= 0 and found.swept[contact - found.first_swept, contacts.IS_SOLVED] != 0.0:
            source = beside
        contacts.begin_points(k, table.points, source, found.contacts, is_swept and source == contact)
        # Where the surfaces are apart is no point of a hit.
        is_apart = not found.contacts.points[contact, SEPARATIONS + 1] < 0.0
        if is_apart & (rows[contact, DEPTH] > 0.0) & (count == 2):
            count = 1.0
    told = (contact if is_swept else beside) - found.first_swept
    if is_swept or (told >= 0 and found.swept[told, contacts.IS_SOLVED] != 0.0):
        time = found.swept[told, contacts.TIME]
        speed = found.swept[told, contacts.SPEED]
    else:
        x = _mean(rows[contact, POINTS], rows[contact, POINTS + 2], count)
        y = _mean(rows[contact, POINTS + 1], rows[contact, POINTS + 3], count)
        time = 1.0
        speed = _approach_speed(a, b, rows[contact, NORMAL], rows[contact, NORMAL + 1], x, y, scene)
    hits.time[k] = time
    hits.approach_speed[k] = speed
    if not is_known:
        hits.entity_a[k] = colliders.entity[a]
        hits.entity_b[k] = colliders.entity[b]
        hits.collider_a[k] = colliders.kind[a]
        hits.collider_b[k] = colliders.kind[b]
        hits.part_a[k] = colliders.part[a]
        hits.part_b[k] = colliders.part[b]
    hits.sensor_a[k] = colliders.sensor[a]
    hits.sensor_b[k] = colliders.sensor[b]
    hits.normal[k, 0] = rows[source, NORMAL]
    hits.normal[k, 1] = rows[source, NORMAL + 1]
    hits.depth[k] = rows[contact, DEPTH]
    hits.point_count[k] = uint8(count)
    hits.points[k, 0, 0] = rows[contact, POINTS]
    hits.points[k, 0, 1] = rows[contact, POINTS + 1]
    hits.points[k, 1, 0] = rows[contact, POINTS + 2] if count == 2 else nan
    hits.points[k, 1, 1] = rows[contact, POINTS + 3] if count == 2 else nan


@inlined_scalar
def _write_struck(k: int, table: ContactTable, last_table: ContactTable, j: int) -> None:
    """Write contact j of the last step to row k of the table, as a hit that began in this step.

    Its surfaces were merely near, struck each other, and are too far apart by now to be found. It has no points to
    solve.
    """
    hits = table.hits
    hits.is_new[k] = 1
    hits.is_near[k] = 0
    hits.rest[k] = 0
    hits.approach_speed[k] = last_table.hits.approach_speed[j]
    contacts.keep_points(k, table.points, last_table.points, j)
    contacts.forget_points(k, table.points)
    _keep_what_is_told(k, hits, last_table.hits, j)


@inlined_scalar
def _write_again(k: int, table: ContactTable, last_table: ContactTable, j: int, scene: ContactScene, call: int) -> None:
    """Write contact j of the last step to row k of the table, where most of it may be already."""
    hits = table.hits
    last = last_table.hits
    has_points = table.points.impulses.shape[0] > 0
    # Velocities may have changed, though nothing has moved.
    count = float(last.point_count[j])
    x = _mean(last.points[j, 0, 0], last.points[j, 1, 0], count)
    y = _mean(last.points[j, 0, 1], last.points[j, 1, 1], count)
    a = index(last.pairs[j, 0])
    b = index(last.pairs[j, 1])
    hits.approach_speed[k] = _approach_speed(a, b, last.normal[j, 0], last.normal[j, 1], x, y, scene)
    if last.rest[j] != 0 and hits.rest[k] == last.rest[j]:
        if has_points:
            contacts.keep_impulses(k, table.points, last_table.points, j)
        return
    hits.is_new[k] = 0
    hits.is_near[k] = last.is_near[j]
    hits.rest[k] = last.rest[j] if last.rest[j] != 0 else call << _ROW_BITS | k
    if has_points:
        contacts.keep_points(k, table.points, last_table.points, j)
    _keep_what_is_told(k, hits, last, j)


@inlined_scalar
def _keep_what_is_told(k: int, hits: HitRows, last: HitRows, j: int) -> None:
    """Copy the values for the game from contact j of the last step to row k, but for its state."""
    hits.pairs[k, 0] = last.pairs[j, 0]
    hits.pairs[k, 1] = last.pairs[j, 1]
    hits.entity_a[k] = last.entity_a[j]
    hits.entity_b[k] = last.entity_b[j]
    hits.collider_a[k] = last.collider_a[j]
    hits.collider_b[k] = last.collider_b[j]
    hits.part_a[k] = last.part_a[j]
    hits.part_b[k] = last.part_b[j]
    hits.sensor_a[k] = last.sensor_a[j]
    hits.sensor_b[k] = last.sensor_b[j]
    hits.normal[k, 0] = last.normal[j, 0]
    hits.normal[k, 1] = last.normal[j, 1]
    hits.depth[k] = last.depth[j]
    hits.point_count[k] = last.point_count[j]
    for p in range(2):
        hits.points[k, p, 0] = last.points[j, p, 0]
        hits.points[k, p, 1] = last.points[j, p, 1]
    hits.time[k] = 1.0


@inlined_scalar
def _goes_on_asleep(table: ContactTable, j: int, scene: ContactScene) -> bool:
    """Whether both colliders of a contact of the last step sleep, and still may meet: then they still do.

    A contact that was not found by shapes has no point to solve, and does not go on by itself: a touch of a bullet, and
    a strike of two that are too far apart by now.
    """
    last = table.hits
    if scene.sleeping.shape[0] == 0:
        return False
    if not last.depth[j] > 0.0 and (table.points.features.shape[0] == 0 or table.points.features[j, 0] == NO_FEATURE):
        return False
    a = index(last.pairs[j, 0])
    b = index(last.pairs[j, 1])
    if last.is_near[j] != 0 and not can_push(a, b, scene):
        return False
    if scene.sleeping[a] < 0 or scene.sleeping[b] < 0 or scene.dead[a] != 0 or scene.dead[b] != 0:
        return False
    # What gets another filter wakes.
    return last.rest[j] != 0 or may_collide(scene.colliders.filter_row[a], scene.colliders.filter_row[b], scene.filters)


@inlined_scalar
def _are_present(a: int, b: int, colliders: ColliderSlots) -> bool:
    return bool((colliders.absence[a] == PRESENT) & (colliders.absence[b] == PRESENT))


@inlined_scalar
def _reason(a: int, b: int, scene: ContactScene) -> int:
    """Why two colliders do not hit any more."""
    reason = SEPARATED
    for side in range(2):
        slot = a if side == 0 else b
        absence = int(scene.colliders.absence[slot]) + 0
        if absence != PRESENT:
            reason = min(reason, absence - DESPAWNED_ABSENCE)
        elif scene.dead[slot] != 0:
            reason = DESPAWNED
    if reason == SEPARATED and not may_collide(
        scene.colliders.filter_row[a], scene.colliders.filter_row[b], scene.filters
    ):
        reason = FILTERED
    return reason


@inlined_scalar
def _is_told_again(i: int, row: int, room: SortRoom, count: int, pairs: arrays.Int32Rows) -> bool:
    """Whether the contact after the i-th of ``count`` is of the same pair."""
    if i + 1 >= count or room.keys[row, i] != room.keys[row, i + 1]:
        return False
    contact = int(room.order[row, i]) + 0
    coming = int(room.order[row, i + 1]) + 0
    return bool((pairs[contact, 0] == pairs[coming, 0]) & (pairs[contact, 1] == pairs[coming, 1]))


@inlined_scalar
def _write_listed(
    first: int,
    end: int,
    listed: arrays.Int64Rows,
    found: FoundContacts,
    table: ContactTable,
    last_table: ContactTable,
    scene: ContactScene,
) -> None:
    """Write the contacts first … end − 1 of those listed, see :class:`SortRoom`, to their rows."""
    for i in range(index(first), index(end)):
        _fetch_ahead(listed, i, end, found, scene)
        contact = index(listed[0, i] >> _ROW_BITS)
        k = index(listed[0, i] & _ROW_MASK)
        beside = index((listed[1, i] & (_KNOWN - 1)) >> _ROW_BITS) - 1
        _write_found(k, contact, beside, found, table, scene, listed[1, i] & _KNOWN != 0)
        before = (listed[1, i] & _ROW_MASK) - 1
        if table.points.impulses.shape[0] > 0:
            if before >= 0:
                contacts.carry_impulses(k, table.points, last_table.points, before)
            else:
                contacts.forget_impulses(k, table.points)


@inlined_scalar
def _fetch_ahead(listed: arrays.Int64Rows, i: int, end: int, found: FoundContacts, scene: ContactScene) -> None:
    """Fetch the memory that the contacts after the i-th will need."""
    if i + _FAR_AHEAD >= end:
        return
    far = index(listed[0, i + _FAR_AHEAD] >> _ROW_BITS)
    prefetch(found.contacts.pairs, far)
    prefetch(found.contacts.rows, far)
    prefetch(found.contacts.points, far)
    far = int(found.contacts.pairs[index(listed[0, i + _AHEAD] >> _ROW_BITS), 1]) + 0
    prefetch(scene.positions, far)
    prefetch(scene.colliders.velocity_row, far)
    far = int(scene.colliders.velocity_row[found.contacts.pairs[index(listed[0, i + _NEAR] >> _ROW_BITS), 1]]) + 0
    for axis in range(3):
        prefetch(scene.velocities.stepped[axis], far)


@inlined_scalar
def _end_hit(j: int, reason: int, points: ContactPoints, ended: EndedRows, ends: int) -> int:
    """Note that hit j of the last step ended, and that its strike is over; returns how many have ended."""
    if points.totals.shape[0] > 0:
        points.totals[j, contacts.STRIKE] = 0.0
    ended.rows[ends] = j
    ended.reasons[ends] = reason
    return ends + 1


@inlined_scalar
def _merge(
    scene: ContactScene,
    found: FoundContacts,
    room: SortRoom,
    table: ContactTable,
    before: LastContacts,
    ended: EndedRows,
) -> tuple[int, int, int, int, int, int]:
    """The first part of :func:`track_hits`, with its arguments and its result."""
    colliders = scene.colliders
    hits = table.hits
    last_table = before.table
    last_count = int(before.total) + 0
    last = last_table.hits
    runs = before.resting
    run = 0
    skipped = 0
    pairs = found.contacts.pairs
    alone = ranks_say_all(scene.extent, colliders)
    row, count = sort_contacts(pairs, found.runs, room, colliders, int(scene.extent[ORDERED_COUNT]) + 0, alone)
    # Without points all contacts overlap.
    may_be_near = table.points.impulses.shape[0] > 0
    total = 0
    near = 0
    news = 0
    ends = 0
    listed = 0
    beside = -1
    i = 0
    j = -1
    while j < last_count:
        j += 1
        is_last = j < last_count
        while run < runs.shape[0] and runs[run, contacts.RUN_FIRST] < j:
            run += 1
        if run < runs.shape[0] and runs[run, contacts.RUN_FIRST] == j and total == j:
            end = int(runs[run, contacts.RUN_END]) + 0
            # No contact that was found belongs between them.
            fits = i >= count
            if not fits:
                contact = index(room.order[row, i])
                fits = comes_first(
                    index(last.pairs[end - 1, 0]),
                    index(last.pairs[end - 1, 1]),
                    index(pairs[contact, 0]),
                    index(pairs[contact, 1]),
                    colliders,
                    alone,
                )
            if fits:
                near += runs[run, contacts.RUN_NEAR]
                skipped += end - j
                total = end
                j = end - 1
                continue
        c = 0
        d = 0
        if is_last:
            c = index(last.pairs[j, 0])
            d = index(last.pairs[j, 1])
        goes_on = False
        touched = -1
        # All that come before this one, and itself; after the last one, all the rest.
        while i < count:
            contact = index(room.order[row, i])
            if i + _AHEAD < count:
                far = index(room.order[row, i + _AHEAD])
                prefetch(pairs, far)
                prefetch(found.contacts.rows, far)
            a = index(pairs[contact, 0])
            b = index(pairs[contact, 1])
            goes_on = is_last and a == c and b == d
            if (
                is_last
                and not goes_on
                and not (_are_present(c, d, colliders) and comes_first(a, b, c, d, colliders, alone))
            ):
                break
            if total > 0 and hits.pairs[total - 1, 0] == a and hits.pairs[total - 1, 1] == b:
                i += 1  # a replaced broadphase may name a pair twice; and overlapping counts before touching on the way
                continue
            is_swept = contact >= found.first_swept
            # Which are near cannot be foretold: no branch.
            is_near = may_be_near & (not is_swept) & (not found.contacts.rows[contact, DEPTH] > 0.0)
            if is_near and not can_push(a, b, scene):
                i += 1  # nothing will ever solve it
                if goes_on and last.is_near[j] != 0:
                    break
                goes_on = False
                continue
            if _is_told_again(i, row, room, count, pairs):
                if is_near:
                    beside = contact
                    i += 1  # touching on the way counts before being near
                    continue
                beside = index(room.order[row, i + 1])
            if goes_on and is_swept and last.is_near[j] == 0 and _goes_on_asleep(last_table, j, scene):
                beside = -1
                goes_on = False  # what overlaps asleep was not tested, and counts before touching on the way as well
                touched = contact - found.first_swept
                i += 1
                break
            was_hit = False
            if goes_on:
                was_hit = last.is_near[j] == 0
                if may_be_near:
                    # Else they were pushed apart before they could overlap.
                    is_near = is_near & (not last_table.points.totals[j, contacts.NORMAL_TOTAL] > 0.0)
            hits.is_new[total] = not (is_near | was_hit)
            news += not (is_near | was_hit)
            hits.is_near[total] = is_near
            is_known = total < before.known and hits.pairs[total, 0] == a and hits.pairs[total, 1] == b
            hits.pairs[total, 0] = a
            hits.pairs[total, 1] = b
            hits.rest[total] = 0
            # No more are listed than were sorted, whose keys are not needed any more.
            room.keys[0, listed] = contact << _ROW_BITS | total
            room.keys[1, listed] = (beside + 1) << _ROW_BITS | (j + 1 if goes_on else 0)
            if is_known:
                room.keys[1, listed] |= _KNOWN
            beside = -1
            listed += 1
            if was_hit & is_near:
                ends = _end_hit(j, SEPARATED, last_table.points, ended, ends)
            near += is_near
            total += 1
            i += 1
            if goes_on:
                break
        if goes_on or not is_last:
            continue
        if _are_present(c, d, colliders) and _goes_on_asleep(last_table, j, scene):
            _write_again(total, table, last_table, j, scene, found.call)
            if touched >= 0 and found.swept[touched, contacts.IS_SOLVED] != 0.0:
                hits.approach_speed[total] = found.swept[touched, contacts.SPEED]  # as if it were awake
            is_near = may_be_near & (not last.depth[j] > 0.0)
            if is_near:
                # As above: a pair that the solver has pushed apart is a hit.
                is_near = touched < 0 and not last_table.points.totals[j, contacts.NORMAL_TOTAL] > 0.0
                if is_near != (last.is_near[j] != 0):
                    hits.is_near[total] = is_near
                    hits.rest[total] = 0
                    if is_near:
                        ends = _end_hit(j, SEPARATED, last_table.points, ended, ends)
                    else:
                        hits.is_new[total] = 1
                        news += 1
            near += is_near
            total += 1
            continue
        reason = _reason(c, d, scene)
        if last.is_near[j] == 0:
            ends = _end_hit(j, reason, last_table.points, ended, ends)
        elif may_be_near and reason == SEPARATED and last_table.points.totals[j, contacts.NORMAL_TOTAL] > 0.0:
            _write_struck(total, table, last_table, j)
            total += 1
            news += 1
    return total, near, news, ends, listed, skipped


@kernel
def track_hits(
    scene: ContactScene,
    found: FoundContacts,
    room: SortRoom,
    table: ContactTable,
    before: LastContacts,
    ended: EndedRows,
    merges: bool,
    first: int,
    end: int,
) -> tuple[int, int, int, int, int, int]:
    """Put contacts in their public order into ``table``, each pair of colliders once, and merge them with the last.

    The pairs of the contacts are in the order of their bodies, as :func:`filter_pairs` makes them. A contact
    of ``before`` that is not found goes on if both its colliders sleep; else it has ended if it was a hit. If a pair
    overlaps and also has a contact found between two steps, only the time and the approach speed of the latter count.
    Contacts that go on keep the impulses of their points.

    If it ``merges``, this chooses the row of each contact, and lists new contacts in the ``room``. Then it writes the
    listed contacts first … end − 1. After a call that merges, other calls may write the rest, on several threads at
    once.

    Returns the numbers of contacts, of near ones, of hits that began, of hits that ended, of listed contacts, and of
    resting contacts that are still in the same row. Only a call that merges knows these numbers.
    """
    total = 0
    near = 0
    news = 0
    ends = 0
    listed = end
    skipped = 0
    if merges:
        total, near, news, ends, listed, skipped = _merge(scene, found, room, table, before, ended)
    _write_listed(first, min(end, listed), room.keys, found, table, before.table, scene)
    return total, near, news, ends, listed, skipped
