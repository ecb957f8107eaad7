"""Which rows of the component blocks belong to which entity: one line for each class, one slot for each entity."""

from __future__ import annotations

from ecsphys.engine.kernels.array_types import Int32s, Uint8s
from ecsphys.engine.kernels.compilation import kernel

# Lines of the table: rows of the components, 0 for classes without rows, −1 without the component.
TRANSFORM, VELOCITY, ACCELERATION, GRAVITY, SPRING, ORBIT, DRAG = range(7)
LINEAR_TRAJECTORY, BALLISTIC_TRAJECTORY, CIRCULAR_TRAJECTORY, HARMONIC_TRAJECTORY = range(7, 11)
COLLISION_FILTER, PARENT, BULLET, SOLID, DISABLED, RIGID_BODY, COMPOUND = range(11, 18)
FIRST_COLLIDER = 18
COLLIDER_KINDS = 6
LINES = FIRST_COLLIDER + COLLIDER_KINDS


@kernel
def find_shared_row(
    slots: Int32s, rows: Int32s, line: Int32s, owners: Int32s, is_changing: Uint8s, claims: Int32s
) -> tuple[int, int]:
    """Two slots that would have one row in common if ``slots`` (k,) had these ``rows`` (k,), or (−1, −1).

    ``line`` are the rows of all slots now, ``owners`` the slot that each row has, or had, −1 for none. Scratch, all
    zeros before and afterwards: ``is_changing`` for each slot, ``claims`` for each row.
    """
    first = -1
    second = -1
    for k in range(slots.shape[0]):
        is_changing[slots[k]] = 1
    for k in range(slots.shape[0]):
        row = rows[k]
        if row < 0 or first >= 0:
            continue
        owner = owners[row]
        if claims[row] != 0:
            first = int(slots[claims[row] - 1])
            second = int(slots[k])
        elif owner >= 0 and not is_changing[owner] and line[owner] == row:
            first = int(owner)
            second = int(slots[k])
        claims[row] = k + 1
    for k in range(slots.shape[0]):
        is_changing[slots[k]] = 0
        if rows[k] >= 0:
            claims[rows[k]] = 0
    return first, second
