"""Tables of entities, sorted, with a row number each: brought up to date and joined in one pass along them."""

from __future__ import annotations

from numpy import int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import kernel


@kernel("UniTuple(i8, 2)(i8[::1], i4[::1], i8[::1], i4[::1], i8[::1], i4[::1], i8[::1])")
def merge_changes(
    entity: NDArray[int64],
    row: NDArray[int32],
    changed: NDArray[int64],
    changed_row: NDArray[int32],
    new_entity: NDArray[int64],
    new_row: NDArray[int32],
    source: NDArray[int64],
) -> tuple[int, int]:
    """Copy a table (n,) to the last three arrays, with changes (k,) made to it; they have room for n + k.

    ``entity`` and ``changed`` ascend without repetition. ``changed_row`` is what the row of a changed entity is now, −1
    where it is not in the table any more. ``source`` receives where each line of the new table comes from: a line of
    the old one, or n + its number among the changes.

    Returns (length of the new table, number of changes that changed anything).
    """
    old = entity.shape[0]
    count = 0
    different = 0
    i = 0
    for k in range(changed.shape[0] + 1):
        is_change = k < changed.shape[0]
        while i < old and (not is_change or entity[i] < changed[k]):
            new_entity[count] = entity[i]
            new_row[count] = row[i]
            source[count] = i
            count += 1
            i += 1
        if not is_change:
            break
        is_old = i < old and entity[i] == changed[k]
        different += (row[i] if is_old else -1) != changed_row[k]
        i += is_old
        if changed_row[k] >= 0:
            new_entity[count] = changed[k]
            new_row[count] = changed_row[k]
            source[count] = old + k
            count += 1
    return count, different


@kernel("void(i8[::1], i8[::1], i4[::1], i4[::1])")
def match_rows(entity: NDArray[int64], of_entity: NDArray[int64], of_row: NDArray[int32], rows: NDArray[int32]) -> None:
    """For each of ``entity`` (n,) its row in another table, −1 where it is not there, written to ``rows`` (n,).

    Both columns of entities ascend.
    """
    j = 0
    for i in range(entity.shape[0]):
        while j < of_entity.shape[0] and of_entity[j] < entity[i]:
            j += 1
        rows[i] = of_row[j] if j < of_entity.shape[0] and of_entity[j] == entity[i] else -1


@kernel("i8(i4[::1], u1[::1])")
def find_repeated(rows: NDArray[int32], seen: NDArray[uint8]) -> int:
    """The first place in ``rows`` of a number that stood there before, or −1; ``seen`` has a 0 for each number."""
    for i in range(rows.shape[0]):
        if seen[rows[i]]:
            return i
        seen[rows[i]] = 1
    return -1


@kernel(
    "i8(i8[::1], i4[::1], i8[::1], i4[::1], i8[::1], i4[::1], i8[::1], i4[::1], u1[::1], i8[::1], i8[::1], i4[::1],"
    " i4[::1], i8[::1], u1[::1], i4[::1], i8[::1], i4[::1], i4[::1], i4[::1], i4[::1], i4[::1])"
)
def join_colliders(
    transform_entity: NDArray[int64],
    transform_rows: NDArray[int32],
    velocity_entity: NDArray[int64],
    velocity_rows: NDArray[int32],
    filter_entity: NDArray[int64],
    filter_rows: NDArray[int32],
    path_entity: NDArray[int64],
    path: NDArray[int32],
    kinds: NDArray[uint8],
    heads: NDArray[int64],
    collider_entity: NDArray[int64],
    collider_rows: NDArray[int32],
    collider_parts: NDArray[int32],
    entity: NDArray[int64],
    collider: NDArray[uint8],
    part: NDArray[int32],
    body: NDArray[int64],
    transform_row: NDArray[int32],
    collider_row: NDArray[int32],
    velocity_row: NDArray[int32],
    filter_row: NDArray[int32],
    trajectory: NDArray[int32],
) -> int:
    """All colliders of entities with a transform, by entity and kind, in the last nine arrays; returns their number.

    The tables of the colliders' ``kinds`` follow one another in ``collider_entity``, ``collider_rows`` and
    ``collider_parts`` (n,): that of ``kinds[k]`` begins at ``heads[k]``, which is overwritten, and ends with an entity
    above all others; it may have an entity several times. The others give the last three arrays, −1 where an entity is
    in none. ``body`` counts the entities. All columns of entities ascend. The arrays have room for n.
    """
    count = 0
    bodies = 0
    v = 0
    f = 0
    p = 0
    for t in range(transform_entity.shape[0]):
        this = transform_entity[t]
        first = count
        for k in range(kinds.shape[0]):
            head = heads[k]
            while collider_entity[head] < this:
                head += 1
            # Which kind comes next is hardly to be predicted: each writes, and whoever is not there is overwritten.
            is_there = collider_entity[head] == this
            collider[count] = kinds[k]
            collider_row[count] = collider_rows[head]
            part[count] = collider_parts[head]
            count += is_there
            head += is_there
            while collider_entity[head] == this:
                collider[count] = kinds[k]
                collider_row[count] = collider_rows[head]
                part[count] = collider_parts[head]
                count += 1
                head += 1
            heads[k] = head
        if count == first:
            continue
        while v < velocity_entity.shape[0] and velocity_entity[v] < this:
            v += 1
        while f < filter_entity.shape[0] and filter_entity[f] < this:
            f += 1
        while p < path_entity.shape[0] and path_entity[p] < this:
            p += 1
        for i in range(first, count):
            entity[i] = this
            body[i] = bodies
            transform_row[i] = transform_rows[t]
            velocity_row[i] = velocity_rows[v] if v < velocity_entity.shape[0] and velocity_entity[v] == this else -1
            filter_row[i] = filter_rows[f] if f < filter_entity.shape[0] and filter_entity[f] == this else -1
            trajectory[i] = path[p] if p < path_entity.shape[0] and path_entity[p] == this else -1
        bodies += 1
    return count


@kernel("void(i8[::1], u1[::1], i4[::1], i4[::1], i4[::1], i8[::1], u1[::1], i4[::1], i4[::1], i4[::1], i8[::1])")
def match_colliders(
    entity: NDArray[int64],
    collider: NDArray[uint8],
    part: NDArray[int32],
    transform_row: NDArray[int32],
    collider_row: NDArray[int32],
    new_entity: NDArray[int64],
    new_collider: NDArray[uint8],
    new_part: NDArray[int32],
    new_transform_row: NDArray[int32],
    new_collider_row: NDArray[int32],
    successor: NDArray[int64],
) -> None:
    """For each collider (n,) of an older :func:`join_colliders` its place in a new one, −1 where either row is another.

    ``successor`` (n,) receives it.
    """
    j = 0
    for i in range(entity.shape[0]):
        while j < new_entity.shape[0] and (
            new_entity[j] < entity[i]
            or (
                new_entity[j] == entity[i]
                and (new_collider[j] < collider[i] or (new_collider[j] == collider[i] and new_part[j] < part[i]))
            )
        ):
            j += 1
        is_same = (
            j < new_entity.shape[0]
            and new_entity[j] == entity[i]
            and new_collider[j] == collider[i]
            and new_part[j] == part[i]
            and new_transform_row[j] == transform_row[i]
            and new_collider_row[j] == collider_row[i]
        )
        successor[i] = j if is_same else -1
