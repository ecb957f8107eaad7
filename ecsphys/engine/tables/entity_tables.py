"""Tables of entities, sorted, with a row number each: brought up to date and joined in one pass along them."""

from __future__ import annotations

from numpy import int32, int64
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

    ``entity`` and ``changed`` ascend without repetition. ``changed_row`` is the row of a changed entity now, −1
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
