"""The list of the entities that stepped motion moves: after a change, only the entities that changed are looked at."""

from __future__ import annotations

from ecsphys.engine.kernels.array_types import Int32Rows, Int32s
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel
from ecsphys.engine.tables.entity_rows import TRANSFORM, VELOCITY, EntityLines, is_on_path, row_of


@inlined_scalar
def _moves(slot: int, lines: EntityLines, held: Int32s) -> bool:
    """Whether stepped motion moves an entity; ``held``: for each slot −1, unless something else moves it."""
    moves = row_of(TRANSFORM, slot, lines) >= 0 and row_of(VELOCITY, slot, lines) >= 0
    is_held = slot < held.shape[0] and held[slot] >= 0
    return moves and not is_on_path(slot, lines) and not is_held


@kernel
def follow_movers(
    movers: Int32s, changed: Int32s, lines: EntityLines, held: Int32s, found: Int32s, rows: Int32Rows
) -> int:
    """Write to ``found`` the slots (ascending) of ``movers`` after the entities in some slots have ``changed``.

    ``movers`` and ``changed`` are ascending; ``found`` has room for both. ``rows`` (lines, n) are the rows of the first
    lines, −1 for none. Returns how many movers there are.
    """
    count = 0
    i = 0
    k = 0
    while i < movers.shape[0] or k < changed.shape[0]:
        if k == changed.shape[0] or (i < movers.shape[0] and movers[i] < changed[k]):
            slot = int(movers[i]) + 0
            i += 1
        else:
            slot = int(changed[k]) + 0
            k += 1
            if i < movers.shape[0] and movers[i] == slot:
                i += 1
            if not _moves(slot, lines, held):
                continue
        found[count] = slot
        for line in range(rows.shape[0]):
            rows[line, count] = row_of(line, slot, lines)
        count += 1
    return count
