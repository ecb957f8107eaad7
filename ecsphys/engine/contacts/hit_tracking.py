"""What the contacts of a step mean for the game: its hits, in their public order, merged with those of the last step.

A step's narrowphase is three kernels: ``filter_pairs``, ``find_contacts``, and :func:`track_hits`.
"""

from __future__ import annotations

from typing import NamedTuple

from numpy import uint8

from ecsphys.engine.contact.contact import DEPTH, NORMAL, POINT_COUNT, POINTS
from ecsphys.engine.contacts.contact_filter import FilterBlocks, may_collide
from ecsphys.engine.contacts.hit_order import SortRoom, comes_first, ranks_say_all, sort_contacts
from ecsphys.engine.kernels.array_types import (
    Float64Blocks,
    Float64Rows,
    Float64s,
    Int32Rows,
    Int32s,
    Int64s,
    Uint8s,
)
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel, scalar
from ecsphys.engine.kernels.prefetch import prefetch
from ecsphys.engine.tables.collider_slots import DESPAWNED_ABSENCE, PRESENT, ColliderSlots

# Why a hit ended; where several apply, the lowest.
DESPAWNED, REMOVED, DISABLED, FILTERED, SEPARATED = 0, 1, 2, 3, 4

# So many hits ahead what is known of a contact is asked for, then of its second collider, then that one's velocity.
_FAR_AHEAD, _AHEAD, _NEAR = 12, 8, 4


class Velocities(NamedTuple):
    """The block of Velocity: x, y, angular (3, rows); and the velocities (2, slots of entities) on trajectories."""

    stepped: Float64Rows
    on_trajectories: Float64Rows


class FoundContacts(NamedTuple):
    """Contacts as ``find_contacts`` writes them: their pairs (m, 2) and rows; from ``first_swept`` on they were found
    between two steps: ``swept`` (k, 2) has the time and the approach speed of each."""

    pairs: Int32Rows
    rows: Float64Rows
    total: int
    first_swept: int
    swept: Float64Rows


@packed
class HitRows(NamedTuple):
    """Hits, a row each: the slots (m, 2) of their colliders, what a game is told, and whether they are new."""

    pairs: Int32Rows
    entity_a: Int64s
    entity_b: Int64s
    collider_a: Uint8s
    collider_b: Uint8s
    part_a: Int32s
    part_b: Int32s
    normal: Float64Rows
    depth: Float64s
    points: Float64Blocks
    point_count: Uint8s
    approach_speed: Float64s
    time: Float64s
    is_new: Uint8s


class ContactScene(NamedTuple):
    """What contacts are looked at with: the colliders and where they are, and how they meet and move.

    ``order`` is that of all colliders. ``dead`` flags those of entities that are marked dead. ``sleeping``: for each
    its place in the grid of those that sleep, −1 if it is awake; no numbers where nothing is to go on asleep.
    """

    colliders: ColliderSlots
    order: Int32s
    positions: Float64Rows
    dead: Uint8s
    sleeping: Int32s
    filters: FilterBlocks
    velocities: Velocities


class EndedRows(NamedTuple):
    """The rows of the last step's hits that ended, and why; with room for all."""

    rows: Int64s
    reasons: Uint8s


@inlined_scalar
def point_velocity(
    slot: int, x: float, y: float, colliders: ColliderSlots, velocities: Velocities
) -> tuple[float, float]:
    """World velocity of the point at (x, y) from a collider's position: v + ω × r."""
    row = colliders.velocity_row[slot]
    if row >= 0:
        angular = velocities.stepped[2, row]
        return velocities.stepped[0, row] - angular * y, velocities.stepped[1, row] + angular * x
    path = colliders.trajectory[slot]
    if path >= 0:
        return velocities.on_trajectories[0, path], velocities.on_trajectories[1, path]
    return 0.0, 0.0


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
def _write_found(k: int, contact: int, found: FoundContacts, hits: HitRows, scene: ContactScene) -> None:
    """Write a contact to row k of the hits."""
    colliders = scene.colliders
    a = int(found.pairs[contact, 0]) + 0
    b = int(found.pairs[contact, 1]) + 0
    rows = found.rows
    if contact >= found.first_swept:
        time = found.swept[contact - found.first_swept, 0]
        speed = found.swept[contact - found.first_swept, 1]
    else:
        count = rows[contact, POINT_COUNT]
        x = _mean(rows[contact, POINTS], rows[contact, POINTS + 2], count)
        y = _mean(rows[contact, POINTS + 1], rows[contact, POINTS + 3], count)
        time = 1.0
        speed = _approach_speed(a, b, rows[contact, NORMAL], rows[contact, NORMAL + 1], x, y, scene)
    hits.time[k] = time
    hits.approach_speed[k] = speed
    hits.pairs[k, 0] = a
    hits.pairs[k, 1] = b
    hits.entity_a[k] = colliders.entity[a]
    hits.entity_b[k] = colliders.entity[b]
    hits.collider_a[k] = colliders.kind[a]
    hits.collider_b[k] = colliders.kind[b]
    hits.part_a[k] = colliders.part[a]
    hits.part_b[k] = colliders.part[b]
    hits.normal[k, 0] = rows[contact, NORMAL]
    hits.normal[k, 1] = rows[contact, NORMAL + 1]
    hits.depth[k] = rows[contact, DEPTH]
    hits.point_count[k] = uint8(rows[contact, POINT_COUNT])
    hits.points[k, 0, 0] = rows[contact, POINTS]
    hits.points[k, 0, 1] = rows[contact, POINTS + 1]
    hits.points[k, 1, 0] = rows[contact, POINTS + 2]
    hits.points[k, 1, 1] = rows[contact, POINTS + 3]


@inlined_scalar
def _write_again(k: int, hits: HitRows, last: HitRows, j: int, scene: ContactScene) -> None:
    """Write hit j of the last step to row k of the hits."""
    hits.pairs[k, 0] = last.pairs[j, 0]
    hits.pairs[k, 1] = last.pairs[j, 1]
    hits.entity_a[k] = last.entity_a[j]
    hits.entity_b[k] = last.entity_b[j]
    hits.collider_a[k] = last.collider_a[j]
    hits.collider_b[k] = last.collider_b[j]
    hits.part_a[k] = last.part_a[j]
    hits.part_b[k] = last.part_b[j]
    hits.normal[k, 0] = last.normal[j, 0]
    hits.normal[k, 1] = last.normal[j, 1]
    hits.depth[k] = last.depth[j]
    hits.point_count[k] = last.point_count[j]
    for p in range(2):
        hits.points[k, p, 0] = last.points[j, p, 0]
        hits.points[k, p, 1] = last.points[j, p, 1]
    hits.time[k] = 1.0
    count = float(last.point_count[j])
    x = _mean(last.points[j, 0, 0], last.points[j, 1, 0], count)
    y = _mean(last.points[j, 0, 1], last.points[j, 1, 1], count)
    a = int(last.pairs[j, 0]) + 0
    b = int(last.pairs[j, 1]) + 0
    hits.approach_speed[k] = _approach_speed(a, b, last.normal[j, 0], last.normal[j, 1], x, y, scene)


@inlined_scalar
def _goes_on_asleep(last: HitRows, j: int, scene: ContactScene) -> bool:
    """Whether both colliders of a hit of the last step sleep, and still may meet: then they still overlap.

    What a bullet touched has no depth: that does not go on by itself.
    """
    if scene.sleeping.shape[0] == 0 or not last.depth[j] > 0.0:
        return False
    a = int(last.pairs[j, 0]) + 0
    b = int(last.pairs[j, 1]) + 0
    if scene.sleeping[a] < 0 or scene.sleeping[b] < 0 or scene.dead[a] != 0 or scene.dead[b] != 0:
        return False
    return may_collide(scene.colliders.filter_row[a], scene.colliders.filter_row[b], scene.filters)


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
def _fetch_ahead(order: Int32Rows, row: int, i: int, found: FoundContacts, scene: ContactScene) -> None:
    """Ask for what the contacts after the i-th will need."""
    if i + _FAR_AHEAD >= found.total:
        return
    far = int(order[row, i + _FAR_AHEAD]) + 0
    prefetch(found.pairs, far)
    prefetch(found.rows, far)
    far = int(found.pairs[order[row, i + _AHEAD], 1]) + 0
    prefetch(scene.positions, far)
    prefetch(scene.colliders.entity, far)
    prefetch(scene.colliders.velocity_row, far)
    far = int(scene.colliders.velocity_row[found.pairs[order[row, i + _NEAR], 1]]) + 0
    for axis in range(3):
        prefetch(scene.velocities.stepped[axis], far)


@kernel
def track_hits(
    scene: ContactScene,
    found: FoundContacts,
    room: SortRoom,
    hits: HitRows,
    last: HitRows,
    last_count: int,
    ended: EndedRows,
) -> tuple[int, int]:
    """Put contacts in their public order into ``hits``, each pair of colliders once, and merge them with the ``last``.

    The pairs of the contacts are in the order of their bodies, as :func:`filter_pairs` makes them. The first
    ``last_count`` of ``last`` are the hits of the last step. Those of them that are not found, but both of whose
    colliders sleep, go on; the others ended. A contact found between two steps is left out where the pair overlaps as
    well.

    Returns (hits, ended hits).
    """
    colliders = scene.colliders
    alone = ranks_say_all(scene.order, colliders)
    row = sort_contacts(found.pairs, found.total, room, colliders, scene.order.shape[0], alone)
    total = 0
    ends = 0
    i = 0
    for j in range(last_count + 1):
        is_last = j < last_count
        c = 0
        d = 0
        if is_last:
            c = int(last.pairs[j, 0]) + 0
            d = int(last.pairs[j, 1]) + 0
        goes_on = False
        # All that come before this one, and itself; after the last one, all the rest.
        while i < found.total:
            contact = int(room.order[row, i]) + 0
            a = int(found.pairs[contact, 0]) + 0
            b = int(found.pairs[contact, 1]) + 0
            if total > 0 and hits.pairs[total - 1, 0] == a and hits.pairs[total - 1, 1] == b:
                i += 1  # a replaced broadphase may name a pair twice; and overlapping counts before touching on the way
                continue
            goes_on = is_last and a == c and b == d
            if (
                is_last
                and not goes_on
                and not (_are_present(c, d, colliders) and comes_first(a, b, c, d, colliders, alone))
            ):
                break
            if goes_on and contact >= found.first_swept and _goes_on_asleep(last, j, scene):
                goes_on = False  # what overlaps asleep was not tested, and counts before touching on the way as well
                i += 1
                break
            _fetch_ahead(room.order, row, i, found, scene)
            hits.is_new[total] = not goes_on
            _write_found(total, contact, found, hits, scene)
            total += 1
            i += 1
            if goes_on:
                break
        if goes_on or not is_last:
            continue
        if _are_present(c, d, colliders) and _goes_on_asleep(last, j, scene):
            hits.is_new[total] = 0
            _write_again(total, hits, last, j, scene)
            total += 1
            continue
        ended.rows[ends] = j
        ended.reasons[ends] = _reason(c, d, scene)
        ends += 1
    return total, ends
