"""Around the contacts: which candidate pairs are tested at all, and what the contacts mean for the game.

A step's narrowphase is three kernels: :func:`filter_pairs`, ``find_contacts``, and :func:`track_hits`, which puts the
contacts in their public order and compares them with the hits of the last step.
"""

from __future__ import annotations

from numpy import float64, int32, int64, uint8, uint32
from numpy.typing import NDArray

from ecsphys.engine.broadphase.resting import NOBODY
from ecsphys.engine.contact.contact import CONTACT_COLUMNS, DEPTH, NORMAL, POINT_COUNT, POINTS
from ecsphys.engine.kernels.compilation import kernel, scalar
from ecsphys.engine.kernels.prefetch import prefetch

# Why a hit ended; REMOVED covers every hit that lost a proxy, the caller tells the first three apart.
DESPAWNED, REMOVED, DISABLED, FILTERED, SEPARATED = 0, 1, 2, 3, 4

_KINDS = 6

# Bits of a key for one of two numbers, and for two kinds; of a digit by which keys are sorted.
_NUMBER_BITS, _KIND_BITS = 28, 6
_DIGIT_BITS = 11
SORT_COUNTS = 1 << _DIGIT_BITS

# So many hits ahead what is known of a contact is asked for, then of its second proxy, then that one's velocity.
_FAR_AHEAD, _AHEAD, _NEAR = 12, 8, 4


@scalar
def may_collide(row_a: int, row_b: int, layers_and_masks: NDArray[uint32], groups: NDArray[int64]) -> bool:
    """Whether two filters let their entities meet; row −1 is an entity without one: layer 1, mask of all, no group.

    A shared group other than 0 decides alone, by its sign; else each mask must hold one of the other's layers.
    """
    if row_a >= 0 and row_b >= 0:
        group = groups[0, row_a]
        if group != 0 and group == groups[0, row_b]:
            return bool(group > 0)
    layers_a = layers_and_masks[0, row_a] if row_a >= 0 else uint32(1)
    layers_b = layers_and_masks[0, row_b] if row_b >= 0 else uint32(1)
    mask_a = layers_and_masks[1, row_a] if row_a >= 0 else uint32(0xFFFFFFFF)
    mask_b = layers_and_masks[1, row_b] if row_b >= 0 else uint32(0xFFFFFFFF)
    return bool((mask_a & layers_b) != 0 and (mask_b & layers_a) != 0)


@scalar
def point_velocity(
    proxy: int,
    x: float,
    y: float,
    velocity_row: NDArray[int32],
    velocity: NDArray[float64],
    trajectory: NDArray[int32],
    trajectory_velocity: NDArray[float64],
) -> tuple[float, float]:
    """World velocity of the point at (x, y) from a proxy's position: v + ω × r."""
    row = velocity_row[proxy]
    if row >= 0:
        angular = velocity[2, row]
        return velocity[0, row] - angular * y, velocity[1, row] + angular * x
    path = trajectory[proxy]
    if path >= 0:
        return trajectory_velocity[path, 0], trajectory_velocity[path, 1]
    return 0.0, 0.0


@scalar
def proxy_key(a: int, b: int) -> int:
    """A number that orders hits by their proxies (a, b)."""
    return (int(a) << _NUMBER_BITS | int(b)) << _KIND_BITS


@scalar
def body_key(a: int, b: int, body: NDArray[int64], kinds: NDArray[uint8]) -> int:
    """A number that orders hits by (body a, body b, kind a, kind b); bodies are numbered in the order of entities."""
    return (int(body[a]) << _NUMBER_BITS | int(body[b])) << _KIND_BITS | int(kinds[a]) * _KINDS + int(kinds[b])


@scalar
def precedes(
    a: int, b: int, other_a: int, other_b: int, body: NDArray[int64], kinds: NDArray[uint8], alone: bool
) -> bool:
    """Whether the hit of proxies a and b comes before another: by their bodies and kinds, then by parts.

    The proxies of one body follow each other by kind and part. ``alone``: every body has one proxy, and its number.
    """
    if not alone:
        key = body_key(a, b, body, kinds)
        other = body_key(other_a, other_b, body, kinds)
        if key != other:
            return key < other
    return proxy_key(a, b) < proxy_key(other_a, other_b)


@scalar
def sort_pairs(
    keys: NDArray[int64], order: NDArray[int32], counts: NDArray[int64], source: int, count: int, bits: int
) -> int:
    """Sort ``count`` keys by their two numbers, which are below 2^bits, stably; see :func:`sort_by_digits`."""
    first = _KIND_BITS
    source = sort_by_digits(keys, order, counts, source, count, first, first + bits)
    first += _NUMBER_BITS
    return sort_by_digits(keys, order, counts, source, count, first, first + bits)


@scalar
def sort_by_digits(
    keys: NDArray[int64],
    order: NDArray[int32],
    counts: NDArray[int64],
    source: int,
    count: int,
    first_bit: int,
    end_bit: int,
) -> int:
    """Sort ``count`` pairs of key and order by some bits of the keys, stably; returns the row where they are then.

    ``keys`` and ``order`` have two rows; the pairs are in row ``source`` at first. Digits have as many bits as there
    are pairs to make use of them, up to the ``counts``, of which there are 2^11.
    """
    width = 4
    while width < _DIGIT_BITS and (1 << width) < count:
        width += 1
    for shift in range(first_bit, end_bit, width):
        mask = (1 << min(width, end_bit - shift)) - 1
        counts[: mask + 1] = 0
        for k in range(count):
            counts[(keys[source, k] >> shift) & mask] += 1
        total = 0
        for digit in range(mask + 1):
            total += counts[digit]
            counts[digit] = total - counts[digit]
        for k in range(count):
            digit = (keys[source, k] >> shift) & mask
            keys[1 - source, counts[digit]] = keys[source, k]
            order[1 - source, counts[digit]] = order[source, k]
            counts[digit] += 1
        source = 1 - source
    return source


@kernel("i8(i4[:,::1], i8[::1], u1[::1], i4[::1], u4[:,::1], i8[:,::1], i4[:,::1])")
def filter_pairs(
    pairs: NDArray[int32],
    body: NDArray[int64],
    absent: NDArray[uint8],
    filter_row: NDArray[int32],
    layers_and_masks: NDArray[uint32],
    groups: NDArray[int64],
    tested: NDArray[int32],
) -> int:
    """Copy the candidate pairs (m, 2) worth testing to ``tested``, lower body first; returns how many there are.

    Left out are pairs of one body, of a proxy marked ``absent``, and of entities whose filters (rows of the blocks of
    CollisionFilter: layers and masks; groups) do not let them meet. A pair k that is not of proxies returns −1 − k.
    """
    proxies = body.shape[0]
    count = 0
    for k in range(pairs.shape[0]):
        a = pairs[k, 0]
        b = pairs[k, 1]
        if not (0 <= a < proxies and 0 <= b < proxies):
            return -1 - k
        if body[a] == body[b] or absent[a] or absent[b]:
            continue
        if not may_collide(filter_row[a], filter_row[b], layers_and_masks, groups):
            continue
        in_order = body[a] < body[b]
        tested[count, 0] = a if in_order else b
        tested[count, 1] = b if in_order else a
        count += 1
    return count


@kernel(
    "UniTuple(i8, 3)("
    "i4[:,::1], i8, f8[:,::1], i8, f8[:,::1], "  # contacts
    "i8[::1], u1[::1], i4[::1], i8[::1], u1[::1], f8[:,::1], "  # proxies
    "i4[::1], u4[:,::1], i8[:,::1], "  # filters
    "i4[::1], f8[:,::1], i4[::1], f8[:,::1], "  # velocities
    "i8[:,::1], i4[:,::1], i8[::1], "  # scratch
    "i4[:,::1], i8[::1], i8[::1], u1[::1], u1[::1], i4[::1], i4[::1], f8[:,::1], f8[::1], f8[:,:,::1], u1[::1], "
    "f8[::1], f8[::1], u1[::1], "  # hits
    "i4[:,::1], i8, i8[::1], i8[::1], u1[::1])"
)
def track_hits(
    contact_pairs: NDArray[int32],
    count: int,
    contacts: NDArray[float64],
    first_swept: int,
    swept: NDArray[float64],
    entity: NDArray[int64],
    kinds: NDArray[uint8],
    part: NDArray[int32],
    body: NDArray[int64],
    absent: NDArray[uint8],
    positions: NDArray[float64],
    filter_row: NDArray[int32],
    layers_and_masks: NDArray[uint32],
    groups: NDArray[int64],
    velocity_row: NDArray[int32],
    velocity: NDArray[float64],
    trajectory: NDArray[int32],
    trajectory_velocity: NDArray[float64],
    keys: NDArray[int64],
    order: NDArray[int32],
    counts: NDArray[int64],
    hit_proxies: NDArray[int32],
    entity_a: NDArray[int64],
    entity_b: NDArray[int64],
    collider_a: NDArray[uint8],
    collider_b: NDArray[uint8],
    part_a: NDArray[int32],
    part_b: NDArray[int32],
    normal: NDArray[float64],
    depth: NDArray[float64],
    points: NDArray[float64],
    point_count: NDArray[uint8],
    approach_speed: NDArray[float64],
    time: NDArray[float64],
    is_new: NDArray[uint8],
    last_proxies: NDArray[int32],
    last_count: int,
    successor: NDArray[int64],
    ended_rows: NDArray[int64],
    ended_reasons: NDArray[uint8],
) -> tuple[int, int, int]:
    """Turn the first ``count`` contacts into hits and compare them with the hits of the last step.

    The contacts are as ``find_contacts`` writes them, of pairs in the order of their bodies, as :func:`filter_pairs`
    makes them. Those from ``first_swept`` on were found between two steps: ``swept`` (k, 2) has the time and the
    approach speed of each; of a pair that overlaps as well they are left out.

    Scratch: ``keys`` and ``order`` (2, m), ``counts`` (SORT_COUNTS,). ``hit_proxies`` (m, 2) to ``is_new`` receive the
    hits in their public order, each pair of colliders once. ``last_proxies`` are the ``last_count`` hits of the last
    step, in that step's proxies; ``successor`` translates these into the present ones (−1: gone), and is empty where
    they are the same. ``ended_rows`` receives the rows of the last step's hits that ended, ``ended_reasons`` why.

    Returns (hits, new hits, ended hits).
    """
    proxies = body.shape[0]
    alone = proxies == 0 or body[proxies - 1] + 1 == proxies
    for k in range(count):
        keys[0, k] = proxy_key(contact_pairs[k, 0], contact_pairs[k, 1])
        order[0, k] = k
    bits = 1
    while proxies >> bits:
        bits += 1
    row = sort_pairs(keys, order, counts, int(int64(0)), count, bits)
    if not alone:
        for k in range(count):
            contact = order[row, k]
            keys[row, k] = body_key(contact_pairs[contact, 0], contact_pairs[contact, 1], body, kinds)
        row = sort_by_digits(keys, order, counts, row, count, 0, _KIND_BITS)
        row = sort_pairs(keys, order, counts, row, count, bits)

    hits = 0
    for k in range(count):
        if k + _FAR_AHEAD < count:
            far = int(order[row, k + _FAR_AHEAD]) + 0
            prefetch(contact_pairs, far)
            prefetch(contacts, far)
            far = int(contact_pairs[order[row, k + _AHEAD], 1]) + 0
            prefetch(positions, far)
            prefetch(entity, far)
            prefetch(velocity_row, far)
            far = int(velocity_row[contact_pairs[order[row, k + _NEAR], 1]]) + 0
            for axis in range(3):
                prefetch(velocity[axis], far)
        contact = order[row, k]
        a = contact_pairs[contact, 0]
        b = contact_pairs[contact, 1]
        if hits > 0 and hit_proxies[hits - 1, 0] == a and hit_proxies[hits - 1, 1] == b:
            continue  # a replaced broadphase may name a pair twice; and overlapping counts before touching on the way
        nx = contacts[contact, NORMAL]
        ny = contacts[contact, NORMAL + 1]
        mean_x = contacts[contact, POINTS]
        mean_y = contacts[contact, POINTS + 1]
        if contacts[contact, POINT_COUNT] == 2.0:
            mean_x = 0.5 * (mean_x + contacts[contact, POINTS + 2])
            mean_y = 0.5 * (mean_y + contacts[contact, POINTS + 3])
        ax, ay = point_velocity(
            a,
            mean_x - positions[a, 0],
            mean_y - positions[a, 1],
            velocity_row,
            velocity,
            trajectory,
            trajectory_velocity,
        )
        bx, by = point_velocity(
            b,
            mean_x - positions[b, 0],
            mean_y - positions[b, 1],
            velocity_row,
            velocity,
            trajectory,
            trajectory_velocity,
        )
        hit_proxies[hits, 0] = a
        hit_proxies[hits, 1] = b
        entity_a[hits] = entity[a]
        entity_b[hits] = entity[b]
        collider_a[hits] = kinds[a]
        collider_b[hits] = kinds[b]
        part_a[hits] = part[a]
        part_b[hits] = part[b]
        normal[hits, 0] = nx
        normal[hits, 1] = ny
        depth[hits] = contacts[contact, DEPTH]
        point_count[hits] = uint8(contacts[contact, POINT_COUNT])
        points[hits, 0, 0] = contacts[contact, POINTS]
        points[hits, 0, 1] = contacts[contact, POINTS + 1]
        points[hits, 1, 0] = contacts[contact, POINTS + 2]
        points[hits, 1, 1] = contacts[contact, POINTS + 3]
        approach_speed[hits] = (ax - bx) * nx + (ay - by) * ny
        time[hits] = 1.0
        if contact >= first_swept:
            time[hits] = swept[contact - first_swept, 0]
            approach_speed[hits] = swept[contact - first_swept, 1]
        is_new[hits] = 1
        hits += 1

    # Both lists are in the order of their keys, and successors keep it: one merge finds what is in both.
    new = hits
    ended = 0
    k = 0
    for last in range(last_count):
        a = last_proxies[last, 0]
        b = last_proxies[last, 1]
        if successor.shape[0] > 0:
            a = int32(successor[a])
            b = int32(successor[b])
            if a < 0 or b < 0:
                ended_rows[ended] = last
                ended_reasons[ended] = REMOVED
                ended += 1
                continue
        while k < hits and precedes(hit_proxies[k, 0], hit_proxies[k, 1], a, b, body, kinds, alone):
            k += 1
        if k < hits and hit_proxies[k, 0] == a and hit_proxies[k, 1] == b:
            is_new[k] = 0
            new -= 1
            continue
        ended_rows[ended] = last
        if absent[a] or absent[b]:
            ended_reasons[ended] = DESPAWNED
        elif not may_collide(filter_row[a], filter_row[b], layers_and_masks, groups):
            ended_reasons[ended] = FILTERED
        else:
            ended_reasons[ended] = SEPARATED
        ended += 1
    return hits, new, ended


@kernel("i8(i8[:,::1], u4[::1], f8[:,::1], u1[::1], i4[::1], u4[:,::1], i8[:,::1], i4[:,::1], f8[:,::1])")
def recall_contacts(
    berths: NDArray[int64],
    names: NDArray[uint32],
    kept: NDArray[float64],
    absent: NDArray[uint8],
    filter_row: NDArray[int32],
    layers_and_masks: NDArray[uint32],
    groups: NDArray[int64],
    contact_pairs: NDArray[int32],
    contacts: NDArray[float64],
) -> int:
    """Copy the kept contacts of colliders that are still at rest to the last two arrays; returns how many they are.

    ``berths`` (m, 2) and ``names`` tell whose they are, see ``resting.py``. Left out are those that
    :func:`filter_pairs` would leave out.
    """
    count = 0
    for k in range(berths.shape[0]):
        a = names[berths[k, 0]]
        b = names[berths[k, 1]]
        if a == NOBODY or b == NOBODY or absent[a] or absent[b]:
            continue
        if not may_collide(filter_row[a], filter_row[b], layers_and_masks, groups):
            continue
        contact_pairs[count, 0] = a
        contact_pairs[count, 1] = b
        for column in range(CONTACT_COLUMNS):
            contacts[count, column] = kept[k, column]
        count += 1
    return count
