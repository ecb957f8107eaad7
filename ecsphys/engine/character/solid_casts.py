"""Casts of a mover's colliders against the solids near it.

Casts see the true shapes, not shapes grown by the skin: what slides over a row of flush tiles at a skin's distance
meets the side of none of them.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import Box
from ecsphys.engine.cast.shape_cast import cast_pair
from ecsphys.engine.character.mover import (
    ASIDE,
    BOX_MAX_X,
    BOX_MAX_Y,
    BOX_MIN_X,
    BOX_MIN_Y,
    COLLIDERS,
    FINE,
    FOUND,
    FRACTION,
    GAP,
    LEFT_REGION,
    NO_IMPACTS,
    NORMAL,
    ONE_WAY,
    PASSES,
    POINT,
    POSITION,
    REGION,
    ROWS,
    SKIN,
    SOLID,
    STATUS,
    WANTED,
    Mover,
    X,
    Y,
    box_now,
    fail,
)
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y, ShapeArrays

# A one-way solid is met from outside if the mover is no deeper in it than this, in skins, and if the normal at the
# impact has at least this part along the solid's own: a round foot may come down beside a plank's end.
_STILL_OUTSIDE = 100.0
_LEAST_ALONG = 0.1


@scalar
def disc_row(mover: Mover) -> int:
    """The row of a disc as small as the skin."""
    return int(mover.counts[COLLIDERS])


@scalar
def spare_row(mover: Mover) -> int:
    """The row for one more solid."""
    return int(mover.counts[COLLIDERS]) + 1


@scalar
def first_solid(mover: Mover) -> int:
    """The row of the first solid near the mover; the last is before the row ROWS."""
    return int(mover.counts[COLLIDERS]) + 2


@scalar
def swept_box(box: Box, x: float, y: float, margin: float) -> Box:
    """The box round a box on a way."""
    return Box(
        box.min_x + min(x, 0.0) - margin,
        box.min_y + min(y, 0.0) - margin,
        box.max_x + max(x, 0.0) + margin,
        box.max_y + max(y, 0.0) + margin,
    )


@scalar
def need(mover: Mover, box: Box) -> None:
    """See that the solids in a box are known."""
    state = mover.state
    # A NaN leaves nothing.
    leaves_x = box.min_x < state[REGION] or box.max_x > state[REGION + 2]
    if not (leaves_x or box.min_y < state[REGION + 1] or box.max_y > state[REGION + 3]):
        return
    if mover.counts[STATUS] == FINE:
        fail(mover, LEFT_REGION, 0)
        state[WANTED] = box.min_x
        state[WANTED + 1] = box.min_y
        state[WANTED + 2] = box.max_x
        state[WANTED + 3] = box.max_y


@scalar
def touches_row(mover: Mover, row: int, box: Box) -> bool:
    """Whether the box of a row overlaps or touches another one."""
    bounds = mover.bounds
    overlaps_x = (bounds[row, BOX_MIN_X] <= box.max_x) & (bounds[row, BOX_MAX_X] >= box.min_x)
    return bool(overlaps_x & (bounds[row, BOX_MIN_Y] <= box.max_y) & (bounds[row, BOX_MAX_Y] >= box.min_y))


@scalar
def _cast_row(
    mover: Mover, pool: NDArray[float64], row: int, solid: int, x: float, y: float, table: int, found: int
) -> int:
    """Add the impact of a row on the way (x, y) with a solid to a table, unless that lets it pass."""
    placed = ShapeArrays(mover.forms, mover.positions, mover.shapes, pool)
    impact = cast_pair(row, solid, x, y, placed, mover.hulls)
    one_way_x = mover.bounds[solid, ONE_WAY]
    one_way_y = mover.bounds[solid, ONE_WAY + 1]
    if one_way_x == one_way_x:
        along = -(impact.normal_x * one_way_x + impact.normal_y * one_way_y)
        is_outside = along > _LEAST_ALONG and impact.gap >= -_STILL_OUTSIDE * mover.state[SKIN]
        if not (is_outside and one_way_x * x + one_way_y * y <= 0.0):
            return found
    impacts = mover.impacts
    if found == impacts.shape[1]:
        fail(mover, NO_IMPACTS, found + 1)
        return found
    impacts[table, found, SOLID] = solid
    impacts[table, found, FRACTION] = impact.fraction
    impacts[table, found, GAP] = impact.gap
    impacts[table, found, NORMAL] = impact.normal_x
    impacts[table, found, NORMAL + 1] = impact.normal_y
    impacts[table, found, POINT] = impact.x
    impacts[table, found, POINT + 1] = impact.y
    return found + 1


@scalar
def _put_collider(mover: Mover, row: int) -> Box:
    """Place a collider of the mover where that is now; returns its box."""
    state, bounds = mover.state, mover.bounds
    x, y = state[X], state[Y]
    mover.positions[row, ALONG_X] = bounds[row, POSITION] + x
    mover.positions[row, ALONG_Y] = bounds[row, POSITION + 1] + y
    return Box(
        bounds[row, BOX_MIN_X] + x, bounds[row, BOX_MIN_Y] + y, bounds[row, BOX_MAX_X] + x, bounds[row, BOX_MAX_Y] + y
    )


@scalar
def cast(mover: Mover, pool: NDArray[float64], x: float, y: float, table: int) -> None:
    """Find the impacts on the way (x, y) from where the mover is, by collider and solid.

    Solids farther than a skin from the way of a collider are left out.
    """
    skin = mover.state[SKIN]
    need(mover, swept_box(box_now(mover), x, y, skin))
    found = 0
    for row in range(mover.counts[COLLIDERS]):
        way = swept_box(_put_collider(mover, row), x, y, skin)
        for solid in range(first_solid(mover), mover.counts[ROWS]):
            if mover.numbers[solid, PASSES] == 0 and touches_row(mover, solid, way):
                found = _cast_row(mover, pool, row, solid, x, y, table, found)
    mover.counts[FOUND + table] = found


@scalar
def cast_point(mover: Mover, pool: NDArray[float64], px: float, py: float, x: float, y: float) -> None:
    """Find the impacts of a disc as small as the skin on the way (x, y) from a point of the world, aside."""
    edge = mover.state[SKIN]
    row = disc_row(mover)
    mover.positions[row, ALONG_X] = px
    mover.positions[row, ALONG_Y] = py
    way = swept_box(Box(px - edge, py - edge, px + edge, py + edge), x, y, edge)
    need(mover, way)
    found = 0
    for solid in range(first_solid(mover), mover.counts[ROWS]):
        if mover.numbers[solid, PASSES] == 0 and touches_row(mover, solid, way):
            found = _cast_row(mover, pool, row, solid, x, y, ASIDE, found)
    mover.counts[FOUND + ASIDE] = found


@scalar
def cast_at_spare(mover: Mover, pool: NDArray[float64], x: float, y: float) -> None:
    """Find the impacts with the solid in the spare row only, aside."""
    found = 0
    for row in range(mover.counts[COLLIDERS]):
        _put_collider(mover, row)
        found = _cast_row(mover, pool, row, spare_row(mover), x, y, ASIDE, found)
    mover.counts[FOUND + ASIDE] = found


@scalar
def first_impact(mover: Mover, table: int) -> int:
    """The impact with the lowest fraction, the first of these; −1 where there is none at all."""
    first = -1
    least = math.inf
    for k in range(mover.counts[FOUND + table]):
        if first < 0 or mover.impacts[table, k, FRACTION] < least:
            first = k
            least = mover.impacts[table, k, FRACTION]
    return first


@scalar
def free_part(mover: Mover, pool: NDArray[float64], x: float, y: float) -> float:
    """The part of a way before the first impact, which is found aside."""
    cast(mover, pool, x, y, ASIDE)
    return least_fraction(mover, ASIDE)


@scalar
def least_fraction(mover: Mover, table: int) -> float:
    """The lowest fraction of the impacts, 1 at most."""
    least = 1.0
    for k in range(mover.counts[FOUND + table]):
        least = min(least, mover.impacts[table, k, FRACTION])
    return least


@scalar
def least_gap(mover: Mover, table: int) -> float:
    """The lowest gap of the impacts, infinity without any."""
    least = math.inf
    for k in range(mover.counts[FOUND + table]):
        least = min(least, mover.impacts[table, k, GAP])
    return least
