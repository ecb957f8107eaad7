"""Slots of colliders: each keeps its slot as long as its entity has these very instances of transform and collider.

The colliders of an entity are a list, by kind and part, from the entity's ``head`` from one ``following`` slot to the
next. A collider that goes stays in its slot and list, *absent*, until all that refer to it have seen it go
(:func:`release_absent`); if it comes back before, it has never been away.
"""

from __future__ import annotations

from ecsphys.engine.kernels import Float64Rows, Int32s, Int64s, NamedTuple, Uint8s, kernel, packed, scalar
from ecsphys.engine.tables import entity_rows

# Why a collider is absent: one more than the reason by which its hits end. Of two colliders, the lower number counts.
# Whether an entity was despawned, only esper knows: the first is written by none.
PRESENT, DESPAWNED_ABSENCE, REMOVED_ABSENCE, DISABLED_ABSENCE, FREE = 0, 1, 2, 3, 255

# While slots are released: named, and taken out of their entity's list.
_NAMED, _UNLISTED = 253, 254

# The numbers of a pool: slots that were ever used, how many of them are free, and the first of these, −1 for none. The
# others follow it as colliders of an entity do.
USED, FREE_COUNT, FIRST_FREE = 0, 1, 2
POOL_NUMBERS = 3

# Numbers of the order of all present colliders: how many they are, and the last slot, −1 for none.
ORDERED_COUNT, LAST_ORDERED = 0, 1


@packed
class EntitySlots(NamedTuple):
    """For each slot of an entity: its number, its first collider (−1: none), its rows, and the velocity (2, slots) that
    its trajectory gave it last; without columns where no entity has ever had a trajectory."""

    entity: Int64s
    head: Int32s
    lines: entity_rows.EntityLines
    path_velocity: Float64Rows


@packed
class ColliderSlots(NamedTuple):
    """The identity of each slot of a collider.

    ``owner``: the slot of its entity. ``entity``: that one's number. ``kind``: number of its class. ``part``: number in
    its entity's ``CompoundCollider`` or ``ChainCollider``, −1 for one on its own. Rows: −1 without. ``trajectory``: the
    owner if that is on a trajectory, else −1. ``absence``: why it is absent, 0 if it is not. ``body``: number of its
    entity in the order of entities; ``rank``: its own number in the order of entity, kind and part. ``stale``: must be
    placed again. ``sensor``: blocks nothing, as of when it was placed.
    """

    owner: Int32s
    entity: Int64s
    kind: Uint8s
    part: Int32s
    transform_row: Int32s
    collider_row: Int32s
    velocity_row: Int32s
    filter_row: Int32s
    trajectory: Int32s
    following: Int32s
    absence: Uint8s
    body: Int32s
    rank: Int32s
    stale: Uint8s
    sensor: Uint8s


class Parts(NamedTuple):
    """The parts of compounds and chains: the k-th entity's from ``start[k]`` to ``start[k + 1]``, ascending by
    their numbers within a kind. All are empty if there are no parts."""

    start: Int32s
    kind: Int32s
    row: Int32s
    number: Int32s


class SlotChanges(NamedTuple):
    """Slots that became absent, and slots that came, or came back; (k,) each, with room for all."""

    gone: Int32s
    fresh: Int32s


@scalar
def _set_absent(colliders: ColliderSlots, slot: int, absence: int, gone: Int32s, count: int) -> int:
    """Make a collider absent, or tell another reason; returns how many are ``gone`` then."""
    if colliders.absence[slot] == PRESENT:
        gone[count] = slot
        count += 1
    colliders.absence[slot] = absence
    return count


@kernel
def count_own_colliders(slots: Int32s, entities: EntitySlots) -> int:
    """How many colliders some entities have that are neither in a compound nor in a chain."""
    count = 0
    for line in range(entity_rows.FIRST_COLLIDER, entity_rows.FIRST_COLLIDER + entity_rows.SHAPE_KINDS):
        for k in range(slots.shape[0] if entities.lines.places[line] >= 0 else 0):
            count += entity_rows.row_of(line, int(slots[k]) + 0, entities.lines) >= 0
    return count


@kernel
def list_unused(slots: Int32s, entities: EntitySlots, found: Int32s) -> int:
    """Write to ``found`` the slots, among some, whose entities have neither components nor colliders; returns how many
    they are."""
    count = 0
    rows = entities.lines.rows
    for k in range(slots.shape[0]):
        slot = int(slots[k]) + 0
        is_used = entities.head[slot] >= 0
        for place in range(rows.shape[0]):
            is_used = is_used or rows[place, slot] >= 0
        if not is_used:
            found[count] = slot
            count += 1
    return count


@kernel
def update_colliders(
    touched: Int32s,
    entities: EntitySlots,
    colliders: ColliderSlots,
    parts: Parts,
    pool: Int64s,
    kind_counts: Int64s,
    changes: SlotChanges,
) -> tuple[int, int]:
    """Bring the colliders of the ``touched`` entities (k,), slots by ascending entity, in line with their rows.

    There is room for every collider they could have. ``pool`` (POOL_NUMBERS,) counts free slots. ``kind_counts``:
    how many colliders of each kind are present. Returns how many colliders are gone, and how many are fresh; the fresh
    ones are by entity, kind and part.
    """
    gone = 0
    fresh = 0
    for t in range(touched.shape[0]):
        owner = int(touched[t]) + 0
        transform = entity_rows.row_of(entity_rows.TRANSFORM, owner, entities.lines)
        has_place = transform >= 0
        is_disabled = entity_rows.row_of(entity_rows.DISABLED, owner, entities.lines) >= 0
        path = owner if entity_rows.is_on_path(owner, entities.lines) else -1
        before = -1
        this = int(entities.head[owner]) + 0
        for kind in range(entity_rows.COLLIDER_KINDS):
            begin = -1
            end = 0
            if parts.start.shape[0] > 0:
                begin = int(parts.start[t]) - 1
                end = int(parts.start[t + 1])
            place = begin
            while place < end:
                row = -1
                number = -1
                if place == begin:
                    if kind < entity_rows.SHAPE_KINDS:
                        row = entity_rows.row_of(entity_rows.FIRST_COLLIDER + kind, owner, entities.lines)
                elif parts.kind[place] == kind:
                    row = int(parts.row[place]) + 0
                    number = int(parts.number[place]) + 0
                place += 1
                if row < 0 or not has_place:
                    continue
                while this >= 0 and (
                    colliders.kind[this] < kind
                    or (
                        colliders.kind[this] == kind
                        and (
                            colliders.part[this] < number
                            or (
                                colliders.part[this] == number
                                and not (
                                    colliders.collider_row[this] == row and colliders.transform_row[this] == transform
                                )
                            )
                        )
                    )
                ):
                    gone = _set_absent(colliders, this, REMOVED_ABSENCE, changes.gone, gone)
                    before = this
                    this = int(colliders.following[this]) + 0
                slot = this
                if this >= 0 and colliders.kind[this] == kind and colliders.part[this] == number:
                    this = int(colliders.following[this]) + 0
                    if is_disabled:
                        gone = _set_absent(colliders, slot, DISABLED_ABSENCE, changes.gone, gone)
                        before = slot
                        continue
                elif is_disabled:
                    continue
                else:
                    if pool[FREE_COUNT] > 0:
                        slot = int(pool[FIRST_FREE]) + 0
                        pool[FIRST_FREE] = colliders.following[slot]
                        pool[FREE_COUNT] -= 1
                    else:
                        slot = int(pool[USED]) + 0
                        pool[USED] += 1
                    colliders.owner[slot] = owner
                    colliders.entity[slot] = entities.entity[owner]
                    colliders.kind[slot] = kind
                    colliders.part[slot] = number
                    colliders.transform_row[slot] = transform
                    colliders.collider_row[slot] = row
                    colliders.absence[slot] = FREE
                    colliders.following[slot] = this
                    if before >= 0:
                        colliders.following[before] = slot
                    else:
                        entities.head[owner] = slot
                if colliders.absence[slot] != PRESENT:
                    colliders.absence[slot] = PRESENT
                    colliders.stale[slot] = 1
                    changes.fresh[fresh] = slot
                    fresh += 1
                colliders.velocity_row[slot] = entity_rows.row_of(entity_rows.VELOCITY, owner, entities.lines)
                colliders.filter_row[slot] = entity_rows.row_of(entity_rows.COLLISION_FILTER, owner, entities.lines)
                colliders.trajectory[slot] = path
                before = slot
        while this >= 0:
            gone = _set_absent(colliders, this, REMOVED_ABSENCE, changes.gone, gone)
            this = int(colliders.following[this]) + 0
    for k in range(gone):
        kind_counts[colliders.kind[changes.gone[k]]] -= 1
    for k in range(fresh):
        kind_counts[colliders.kind[changes.fresh[k]]] += 1
    return gone, fresh


@kernel
def release_absent(slots: Int32s, entities: EntitySlots, colliders: ColliderSlots, pool: Int64s) -> None:
    """Free the slots, among some, that are absent still; a slot may be named twice. ``pool``: see update_colliders.

    Each entity's list is run through once, however many of it go: a chain may have thousands. Freed last and in the
    order given, so that slots are used again in the same order.
    """
    for k in range(slots.shape[0]):
        slot = int(slots[k]) + 0
        if colliders.absence[slot] != PRESENT and colliders.absence[slot] != FREE:
            colliders.absence[slot] = _NAMED
    for k in range(slots.shape[0]):
        slot = int(slots[k]) + 0
        if colliders.absence[slot] != _NAMED:
            continue
        owner = colliders.owner[slot]
        before = -1
        this = int(entities.head[owner]) + 0
        while this >= 0:
            following = int(colliders.following[this]) + 0
            if colliders.absence[this] != _NAMED:
                before = this
            else:
                colliders.absence[this] = _UNLISTED
                if before < 0:
                    entities.head[owner] = following
                else:
                    colliders.following[before] = following
            this = following
    for k in range(slots.shape[0]):
        slot = int(slots[k]) + 0
        if colliders.absence[slot] == _UNLISTED:
            colliders.absence[slot] = FREE
            colliders.following[slot] = pool[FIRST_FREE]
            pool[FIRST_FREE] = slot
            pool[FREE_COUNT] += 1


@scalar
def _precedes(a: int, b: int, colliders: ColliderSlots) -> bool:
    """Whether collider a comes before b: by entity, then kind, then part."""
    if colliders.entity[a] != colliders.entity[b]:
        return bool(colliders.entity[a] < colliders.entity[b])
    if colliders.kind[a] != colliders.kind[b]:
        return bool(colliders.kind[a] < colliders.kind[b])
    return bool(colliders.part[a] < colliders.part[b])


@scalar
def _body_behind(slot: int, last: int, colliders: ColliderSlots) -> int:
    """The number of a collider's entity, if the collider follows ``last`` in the order; −1 if it is the first."""
    if last < 0:
        return 0
    return int(colliders.body[last]) + int(colliders.owner[last] != colliders.owner[slot])


@scalar
def _first_change(count: int, gone: Int32s, fresh: Int32s, colliders: ColliderSlots, order: Int32s) -> int:
    """The first rank at which the order of ``count`` colliders changes."""
    first = count
    for k in range(gone.shape[0]):
        first = min(first, int(colliders.rank[gone[k]]) + 0)
    if fresh.shape[0] > 0:
        low = 0
        high = first
        while low < high:
            middle = (low + high) // 2
            if _precedes(int(order[middle]) + 0, int(fresh[0]) + 0, colliders):
                low = middle + 1
            else:
                high = middle
        first = low
    return first


@kernel
def update_order(
    count: int, gone: Int32s, fresh: Int32s, colliders: ColliderSlots, order: Int32s, scratch: Int32s
) -> int:
    """Bring the order of all present colliders up to date, and their ``rank`` and ``body``; returns their number.

    The first ``count`` of ``order`` are the order before ``gone`` left and ``fresh`` came. Nothing before the first
    change is touched. Behind the last change all ranks move by one number, and all bodies by another: nothing is left
    to do if both are 0. ``scratch`` is as long as ``order``, which has room for all.
    """
    first = _first_change(count, gone, fresh, colliders, order)
    behind = count - first
    for i in range(behind):
        scratch[i] = order[first + i]
    last = int(order[first - 1]) + 0 if first > 0 else -1
    rank = first
    left = 0
    k = 0
    i = 0
    while k < fresh.shape[0] or (i < behind and left < gone.shape[0]):
        slot = -1
        if i < behind:
            slot = int(scratch[i]) + 0
            if colliders.absence[slot] != PRESENT:
                left += 1
                i += 1
                continue
        if k < fresh.shape[0] and (slot < 0 or _precedes(int(fresh[k]) + 0, slot, colliders)):
            slot = int(fresh[k]) + 0
            k += 1
        else:
            i += 1
        order[rank] = slot
        colliders.rank[slot] = rank
        colliders.body[slot] = _body_behind(slot, last, colliders)
        last = slot
        rank += 1
    if i == behind:
        return rank
    slot = int(scratch[i]) + 0
    by = _body_behind(slot, last, colliders) - int(colliders.body[slot])
    moved_by = rank - (first + i)
    end = rank + behind - i
    if moved_by == 0 and by == 0:
        return end
    for j in range(i, behind):
        slot = int(scratch[j]) + 0
        order[first + j + moved_by] = slot
        colliders.rank[slot] += moved_by
        colliders.body[slot] += by
    return end


@kernel
def list_colliders(owners: Int32s, entities: EntitySlots, colliders: ColliderSlots, found: Int32s) -> int:
    """Write the present colliders of some entities, by their slots, to ``found``; returns how many they are.

    An entity −1 has none; one that is named twice is listed twice.
    """
    count = 0
    for k in range(owners.shape[0]):
        this = int(entities.head[owners[k]]) + 0 if owners[k] >= 0 else -1
        while this >= 0:
            if colliders.absence[this] == PRESENT and count < found.shape[0]:
                found[count] = this
                count += 1
            this = int(colliders.following[this]) + 0
    return count
