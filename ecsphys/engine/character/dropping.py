"""Dropping through one-way solids."""

from __future__ import annotations

import math

from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.character.gathering import Scratch, put_spare
from ecsphys.engine.character.mover import (
    ASIDE,
    ENTITY,
    NO_ROWS,
    ONE_WAY,
    PASSES,
    ROWS,
    SKIN,
    SLOT,
    SUPPORT,
    Mover,
    box_now,
    fail,
    support_at,
)
from ecsphys.engine.character.solid_casts import (
    AT_SPARE,
    cast,
    first_solid,
    least_gap,
    need,
    spare_row,
    swept_box,
    touches_row,
)
from ecsphys.engine.character.solid_world import Solids, may_block, one_way_normal
from ecsphys.engine.kernels.compilation import scalar

# In skins: how far from a plank a mover has dropped through it.
_CLEAR = 16.0


@scalar
def _has(entities: NDArray[int64], count: int, entity: int) -> bool:
    """Whether an entity is among the first of some."""
    found = False
    for k in range(count):
        found |= entities[k] == entity
    return bool(found)


@scalar
def is_in_the_way(solids: Solids, scratch: Scratch, slot: int, entity: int, filter_row: int, dropped: int) -> bool:
    """Whether a collider stands in a mover's way: not one of those that it is dropping through."""
    if _has(scratch.dropped, dropped, int(solids.entity[slot])):
        return False
    return may_block(solids, slot, entity, filter_row)


@scalar
def let_drop(mover: Mover, solids: Solids, scratch: Scratch, dropped: int, drop: bool, falls: bool) -> int:
    """Let the mover drop through the one-way solids it was dropping through, and with ``drop`` those it is next to.

    What it stands on, SUPPORT, it drops through however far that has moved since. One that was dropped through still is
    while the mover ``falls``, as a plank that sinks may be ahead of it for a while; else as long as the mover is not
    clear of it. The entities are in the scratch, first those ``dropped`` until now; returns how many there are then.
    """
    if not drop and dropped == 0:
        return 0
    entities = scratch.dropped
    near = swept_box(box_now(mover), 0.0, 0.0, _CLEAR * mover.state[SKIN])
    need(mover, near)
    # The new ones are listed behind the old ones, and take their place in the end.
    count = dropped
    for row in range(first_solid(mover), mover.counts[ROWS]):
        entity = int(mover.numbers[row, ENTITY])
        normal_x, _ = one_way_normal(solids, int(mover.numbers[row, SLOT]))
        is_plank = normal_x == normal_x
        if is_plank and (drop or _has(entities, dropped, entity)) and touches_row(mover, row, near):
            # On whichever side of it the mover is.
            put_spare(mover, solids, int(mover.numbers[row, SLOT]), 0.0, 0.0)
            mover.bounds[spare_row(mover), ONE_WAY] = math.nan
            cast(mover, solids.pool, AT_SPARE, 0.0, 0.0, ASIDE)
            if least_gap(mover, ASIDE) <= _CLEAR * mover.state[SKIN]:
                count = _add(mover, entities, dropped, count, entity)
    if falls:
        for k in range(dropped):
            count = _add(mover, entities, dropped, count, int(entities[k]))
    left = support_at(mover.state, SUPPORT)
    if drop and left.slot >= 0:
        normal_x, _ = one_way_normal(solids, left.slot)
        if normal_x == normal_x:
            count = _add(mover, entities, dropped, count, left.entity)
    count -= dropped
    for k in range(count):
        entities[k] = entities[dropped + k]
    for row in range(first_solid(mover), mover.counts[ROWS]):
        if _has(entities, count, int(mover.numbers[row, ENTITY])):
            mover.numbers[row, PASSES] = 1
    return count


@scalar
def _add(mover: Mover, entities: NDArray[int64], first: int, count: int, entity: int) -> int:
    """Add an entity to those from ``first`` to ``count``, unless it is there; returns the new count."""
    if _has(entities[first:], count - first, entity):
        return count
    if count == entities.shape[0]:
        fail(mover, NO_ROWS, count + 1)
        return count
    entities[count] = entity
    return count + 1
