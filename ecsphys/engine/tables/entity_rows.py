"""Which rows of the component blocks belong to which entity: one line for each class, one slot for each entity."""

from __future__ import annotations

from ecsphys.engine.kernels import Int32Rows, Int32s, NamedTuple, inlined_scalar, kernel, packed
from ecsphys.engine.shapes.layout import KIND_CHAIN

# Lines of the table: rows of the components, 0 for classes without rows, −1 without the component.
TRANSFORM, VELOCITY, ACCELERATION, GRAVITY, SPRING, ORBIT, DRAG = range(7)
LINEAR_TRAJECTORY, BALLISTIC_TRAJECTORY, CIRCULAR_TRAJECTORY, HARMONIC_TRAJECTORY, PATH_TRAJECTORY = range(7, 12)
COLLISION_FILTER, PARENT, BULLET, SOLID, DISABLED, RIGID_BODY, COMPOUND, CHAIN = range(12, 20)
FIRST_COLLIDER = 20
# Kinds of colliders, and how many of these have lines: the last, the segments of chains, has none.
COLLIDER_KINDS = KIND_CHAIN + 1
SHAPE_KINDS = KIND_CHAIN
LINES = FIRST_COLLIDER + SHAPE_KINDS


@packed
class EntityLines(NamedTuple):
    """The lines that a world uses: ``places`` (LINES,) tells which of ``rows`` (lines in use, slots) is which line,
    −1 for one that no entity has had a component of."""

    places: Int32s
    rows: Int32Rows


@inlined_scalar
def row_of(line: int, slot: int, lines: EntityLines) -> int:
    """The row of an entity, by its slot, in a line; −1 without the component."""
    place = lines.places[line]
    return int(lines.rows[place, slot]) + 0 if place >= 0 else -1


@inlined_scalar
def is_on_path(slot: int, lines: EntityLines) -> bool:
    """Whether an entity, by its slot, has a trajectory."""
    found = False
    for line in range(LINEAR_TRAJECTORY, PATH_TRAJECTORY + 1):
        found = found or row_of(line, slot, lines) >= 0
    return found


@kernel
def set_rows(slots: Int32s, rows: Int32s, line: Int32s, owners: Int32s) -> None:
    """Let some ``slots`` (k,) have these ``rows`` (k,) of a line, −1 for none.

    ``owners``: the slot that each row has, or had; without numbers for a class without rows.
    """
    for k in range(slots.shape[0]):
        line[slots[k]] = rows[k]
        if rows[k] >= 0 and owners.shape[0] > 0:
            owners[rows[k]] = slots[k]


@kernel
def find_shared_row(slots: Int32s, rows: Int32s, line: Int32s, owners: Int32s, before: Int32Rows) -> tuple[int, int]:
    """Two slots that would have one row in common if ``slots`` (k,) had these ``rows`` (k,), or (−1, −1).

    ``line`` are the rows of all slots now, ``owners`` the slot that each row has, or had, −1 for none: both are as they
    were afterwards. ``before`` (2, k) is scratch.
    """
    for k in range(slots.shape[0]):
        before[0, k] = line[slots[k]]
        line[slots[k]] = -1
    first = -1
    second = -1
    given = 0
    while given < slots.shape[0]:
        row = rows[given]
        if row >= 0:
            owner = owners[row]
            if owner >= 0 and line[owner] == row:
                first = int(owner) + 0
                second = int(slots[given]) + 0
                break
            before[1, given] = owner
            owners[row] = slots[given]
            line[slots[given]] = row
        given += 1
    for k in range(given):
        if rows[k] >= 0:
            owners[rows[k]] = before[1, k]
    for k in range(slots.shape[0]):
        line[slots[k]] = before[0, k]
    return first, second
